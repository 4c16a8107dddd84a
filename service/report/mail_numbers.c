// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and facts that changed, by benchmark, with what they can and cannot show. */
#include "report/mail_view.h"

#include "base/json.h"
#include "report/bench_rows.h"

/* Rows of one benchmark: more are a table for the page. */
#define ROWS_MAX  12
#define TITLE_MAX 30
#define VALUE_MAX 30

static bool metric_is_shown(const struct metric *m)
{
	return m->judged && m->has_change && !metric_is_unchanged(m) && *metric_direction(m);
}

/* "hot-add of 16 LMBs, us"; the caller frees. */
static char *metric_title(const struct metric *m)
{
	const char *unit = metric_unit(m);
	auto_free char *title = text_member(m->obj, "title"),
		       *escaped = text_escaped(unit, strlen(unit));
	size_t fits = term_fit(title, strlen(title), TITLE_MAX);

	return xasprintf("%.*s, %s", (int)fits, title, escaped);
}

static size_t titles_width(const struct bench_rows *b)
{
	size_t widest = strlen("Median");

	for (size_t i = 0; i < b->n_metrics; i++) {
		auto_free char *title = metric_title(&b->metric[i]);
		size_t width = term_width(title, strlen(title));

		if (metric_is_shown(&b->metric[i]) && width > widest)
			widest = width;
	}
	return widest;
}

static void number_row(struct mail_view *v, const struct metric *m, size_t width)
{
	auto_free char *title = metric_title(m);
	char base[NUMBER_MAX], patched[NUMBER_MAX], change[NUMBER_MAX];
	size_t taken = term_width(title, strlen(title));

	number_text(m->base.median, m->decimals, base);
	number_text(m->patched.median, m->decimals, patched);
	str_addf(&v->out, "  %s%*s %11.30s %11.30s  %s, %s\n", title,
		 (int)(taken < width ? width - taken : 0), "", base, patched,
		 metric_change_text(m, change), metric_judgement(m));
	v->left--;
}

static size_t numbers(struct mail_view *v, const struct bench_rows *b)
{
	size_t width = titles_width(b), shown = 0, more = 0;

	for (size_t i = 0; i < b->n_metrics; i++) {
		if (!metric_is_shown(&b->metric[i]))
			continue;
		if (shown == ROWS_MAX || !v->left) {
			more++;
			continue;
		}
		if (!shown++)
			str_addf(&v->out, "  %-*s %11s %11s  change\n", (int)width, "Median",
				 "base", "patched");
		number_row(v, &b->metric[i], width);
	}
	mail_more(v, more, "number");
	return shown + more;
}

/* "-" for a side that did not say. */
static char *fact_side(const json_t *fact, const char *side)
{
	const json_t *value = json_object_get(fact, side);

	return json_is_string(value) ? text_value(value) : xstrdup("-");
}

static void fact_row(struct mail_view *v, const json_t *fact)
{
	auto_free char *title = text_member(fact, "title"), *group = text_member(fact, "group");
	auto_free char *base = fact_side(fact, "base"), *patched = fact_side(fact, "patched");
	auto_str struct str words;

	str_init(&words, 4096);
	fact_words(fact, &words);
	auto_free char *escaped = text_escaped(words.buf, words.len);
	auto_free char *row =
		xasprintf("%s%s%s: base %.*s, patched %.*s: %s", group, *group ? ": " : "", title,
			  (int)term_fit(base, strlen(base), VALUE_MAX), base,
			  (int)term_fit(patched, strlen(patched), VALUE_MAX), patched, escaped);

	str_adds(&v->out, "  ");
	mail_wrap(v, row, 2, 4);
	v->left--;
}

static size_t facts(struct mail_view *v, const struct bench_rows *b)
{
	const struct bench_part *part = &b->part[BENCH_FACTS];
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < part->n; i++) {
		if (!fact_is_remarkable(part->row[i]))
			continue;
		if (shown == ROWS_MAX || !v->left) {
			more++;
			continue;
		}
		shown++;
		fact_row(v, part->row[i]);
	}
	mail_more(v, more, "fact");
	return shown + more;
}

static void caveat(struct mail_view *v, const struct bench_rows *b)
{
	auto_free char *text = text_value(bench_caveat(b));

	str_adds(&v->out, "  Change is (patched - base) / base of the medians.");
	str_adds(&v->out, *text ? "\n  " : "");
	mail_wrap(v, text, 2, 2);
}

static void bench(struct mail_view *v, const struct bench_rows *b)
{
	auto_free char *name = text_value(b->name);
	size_t before = v->out.len, start, n_facts, n;

	str_addf(&v->out, "bench-%s:\n", name);
	start = v->out.len;
	n_facts = facts(v, b);
	n = numbers(v, b);
	if (n)
		caveat(v, b);
	if (!n && !n_facts) {
		v->out.len = before;
		v->out.buf[before] = '\0';
		return;
	}
	if (v->out.len > start)
		str_addc(&v->out, '\n');
}

void mail_numbers(struct mail_view *v)
{
	auto_bench_list struct bench_list list = {0};

	bench_list_read(v->report, &list);
	for (size_t i = 0; i < list.n; i++)
		bench(v, &list.bench[i]);
}
