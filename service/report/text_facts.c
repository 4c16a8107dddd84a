// SPDX-License-Identifier: GPL-2.0-or-later
/* What both kernels say that is not a number. */
#include "base/json.h"
#include "report/bench_rows.h"
#include "report/text_view.h"

/* With no more facts than this those that are the same are shown too. */
#define FACTS_FEW     12
#define FACTS_MAX     60
#define TITLE_COLUMNS 50
#define VALUE_COLUMNS 14 /* what is longer gets lines of its own */
#define WORDS_COLUMNS 60

static char *side_text(const json_t *fact, const char *side)
{
	const json_t *value = json_object_get(fact, side);

	if (json_is_null(value))
		return xstrdup("-");
	return json_string_length(value) ? text_value(value) : xstrdup("(empty)");
}

static char *words_text(const json_t *fact)
{
	auto_str struct str words;

	str_init(&words, 4096);
	fact_words(fact, &words);
	return text_escaped(words.buf, words.len);
}

static bool is_wide(const char *s)
{
	return term_width(s, strlen(s)) > VALUE_COLUMNS;
}

/* Long values under each other, so that the eye finds what differs. */
static void wide_fact(struct text_view *v, const json_t *fact)
{
	auto_free char *title = text_member(fact, "title"), *words = words_text(fact);
	auto_free char *base = side_text(fact, "base"), *patched = side_text(fact, "patched");
	auto_free char *group = text_member(fact, "group");
	auto_free char *heading = xasprintf("%s%s%s: %s", group, *group ? ": " : "", title, words);

	str_adds(&v->out, "    ");
	text_wrap(v, heading, 4, 6);
	str_adds(&v->out, "      base     ");
	text_wrap(v, base, 15, 15);
	str_adds(&v->out, "      patched  ");
	text_wrap(v, patched, 15, 15);
}

static void fact_row(struct text_table *t, const json_t *fact, const char *indent)
{
	auto_free char *name = text_member(fact, "title"), *title = xasprintf("%s%s", indent, name);
	auto_free char *words = words_text(fact);
	auto_free char *base = side_text(fact, "base"), *patched = side_text(fact, "patched");

	text_table_add_cut(t, title, TITLE_COLUMNS);
	text_table_add(t, base);
	text_table_add(t, patched);
	text_table_add_cut(t, words, WORDS_COLUMNS);
}

static bool fact_is_wide(const json_t *fact)
{
	auto_free char *base = side_text(fact, "base"), *patched = side_text(fact, "patched");

	return is_wide(base) || is_wide(patched);
}

/* Under the name of its group. */
static void fact_add(struct text_table *t, const json_t *fact, const json_t *before)
{
	const json_t *group = json_object_get(fact, "group");
	auto_free char *name = text_value(group);

	if (*name && !json_equal(group, json_object_get(before, "group")))
		text_table_add_line(t, name);
	fact_row(t, fact, *name ? "  " : "");
}

static void facts_print(struct text_view *v, const struct bench_part *part)
{
	struct text_table t = {.align = "llll", .columns = 4, .indent = 4};
	const json_t *before = NULL;

	text_table_add(&t, "");
	text_table_add(&t, "base");
	text_table_add(&t, "patched");
	text_table_add(&t, "");
	for (size_t i = 0; i < part->n; i++)
		if (!fact_is_wide(part->row[i])) {
			fact_add(&t, part->row[i], before);
			before = part->row[i];
		}
	if (before)
		text_table_print(v, &t);
	text_table_done(&t);
	for (size_t i = 0; i < part->n; i++)
		if (fact_is_wide(part->row[i]))
			wide_fact(v, part->row[i]);
}

/* Which are shown: all where they are few, else those that are worth a look. */
static void facts_pick(const struct text_view *v, const struct bench_part *all,
		       struct bench_part *ret)
{
	bool every = !v->opt.brief && all->n <= FACTS_FEW;

	for (size_t i = 0; i < all->n && ret->n < FACTS_MAX; i++) {
		if (!every && !fact_is_remarkable(all->row[i]))
			continue;
		arr_grow(ret->row, ret->n, ret->cap);
		ret->row[ret->n++] = all->row[i];
	}
}

static size_t remarkable(const struct bench_part *part)
{
	size_t n = 0;

	for (size_t i = 0; i < part->n; i++)
		n += fact_is_remarkable(part->row[i]);
	return n;
}

void text_bench_facts(struct text_view *v, const struct bench_rows *b)
{
	const struct bench_part *all = &b->part[BENCH_FACTS];
	size_t differ = remarkable(all), left;
	struct bench_part shown = {0};

	if (differ) {
		facts_pick(v, all, &shown);
		str_adds(&v->out, "\n  ");
		text_heading(v, "Facts");
		str_adds(&v->out, ":\n");
		facts_print(v, &shown);
	}
	left = differ - remarkable(&shown);
	text_bench_more(v, left, "facts differ or are not as expected");
	if (differ)
		text_bench_more(v, all->n - shown.n - left, "are the same on both kernels");
	else if (all->n)
		str_addf(&v->out,
			 "  Facts: all %zu are the same on both kernels, and none is wrong\n",
			 all->n);
	free(shown.row);
}
