// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers of a benchmark: those that changed first where there are many. */
#include "base/json.h"
#include "report/bench_rows.h"
#include "report/text_view.h"

/* With no more metrics than this all are shown, in their order. */
#define METRICS_FEW 12
#define METRICS_MAX 24

/* One absurd name may not push the numbers out of everybody's sight. */
#define TITLE_COLUMNS 40
#define UNIT_COLUMNS  12
#define LINE_COLUMNS  90 /* of a title on a line of its own */

enum rank { RANK_CHANGED, RANK_UNDECIDED, RANK_UNCHANGED, RANKS };

struct pick {
	const struct metric *m[METRICS_MAX];
	size_t n;
	size_t left[RANKS], shown_only_left;
	bool same_unit, same_n; /* said once above the table */
};

/* What is not judged is in the tables where the bench has drawn any. */
static bool is_listed(const struct bench_rows *b, const struct metric *m)
{
	return m->judged || !b->part[BENCH_TABLES].n;
}

/* What a reader looks for first. */
static enum rank metric_rank(const struct metric *m)
{
	if (*metric_direction(m))
		return RANK_CHANGED;
	return metric_is_unchanged(m) ? RANK_UNCHANGED : RANK_UNDECIDED;
}

static void pick_rank(struct pick *p, const struct bench_rows *b, enum rank rank)
{
	size_t max = rank == RANK_CHANGED ? METRICS_MAX : METRICS_FEW;

	for (size_t i = 0; i < b->n_metrics; i++) {
		const struct metric *m = &b->metric[i];

		if (!is_listed(b, m) || metric_rank(m) != rank)
			continue;
		if (p->n < max)
			p->m[p->n++] = m;
		else
			p->left[rank]++;
	}
}

static void pick_metrics(struct pick *p, const struct bench_rows *b)
{
	size_t listed = 0;

	for (size_t i = 0; i < b->n_metrics; i++)
		listed += is_listed(b, &b->metric[i]);
	p->shown_only_left = b->n_metrics - listed;
	for (enum rank rank = 0; rank < RANKS && listed > METRICS_FEW; rank++)
		pick_rank(p, b, rank);
	for (size_t i = 0; i < b->n_metrics && listed <= METRICS_FEW; i++)
		if (is_listed(b, &b->metric[i]))
			p->m[p->n++] = &b->metric[i];
}

/* Points of one curve stand together in their order, where the first of them is. */
static void pick_gather(struct pick *p)
{
	for (size_t i = 0, to; i < p->n; i = to) {
		to = i + 1;
		for (size_t k = to; k < p->n && p->m[i]->group; k++) {
			const struct metric *m = p->m[k];
			size_t at;

			if (!json_equal(m->group, p->m[i]->group))
				continue;
			for (at = to++; at > i && p->m[at - 1]->x > m->x;)
				at--;
			memmove(&p->m[at + 1], &p->m[at], (k - at) * sizeof(p->m[0]));
			p->m[at] = m;
		}
	}
}

static void pick_compare(struct pick *p)
{
	const struct metric *first = p->m[0];

	p->same_unit = p->same_n = true;
	for (size_t i = 0; i < p->n; i++) {
		p->same_unit &= json_equal(json_object_get(first->obj, "unit"),
					   json_object_get(p->m[i]->obj, "unit"));
		p->same_n &=
			p->m[i]->base.n == first->base.n && p->m[i]->patched.n == first->base.n;
	}
}

/* Of the side that has more of it: a median is as good as its worse side. */
static const char *spread_cell(const struct metric *m, char buf[static NUMBER_MAX])
{
	double base = m->base.stddev * m->patched.median,
	       patched = m->patched.stddev * m->base.median;

	return spread_text(m->base.n < 2 || base > patched ? &m->base : &m->patched, buf);
}

static void head_add(struct text_table *t, char *align, char side, const char *head)
{
	align[t->columns++] = side;
	text_table_add(t, head);
}

/* What is not in the heading. `lines`: there is no room for titles beside the numbers. */
struct layout {
	bool lines, unit, n;
};

static void metric_heads(struct text_table *t, char *align, const struct layout *l)
{
	head_add(t, align, 'l', l->lines && l->unit ? "  unit" : "");
	if (l->unit && !l->lines)
		head_add(t, align, 'l', "unit");
	head_add(t, align, 'r', "base");
	head_add(t, align, 'r', "patched");
	head_add(t, align, 'r', "change");
	head_add(t, align, 'l', "");
	if (l->n)
		head_add(t, align, 'r', "n");
	head_add(t, align, 'r', "spread");
	head_add(t, align, 'r', "seen from");
}

static void metric_cells(struct text_table *t, const struct metric *m, const struct layout *l)
{
	auto_free char *unit = text_member(m->obj, "unit");
	auto_free char *both = xasprintf("%zu, %zu", m->base.n, m->patched.n);
	auto_free char *one = xasprintf("%zu", m->base.n);
	char buf[NUMBER_MAX];

	if (l->unit && !l->lines)
		text_table_add_cut(t, unit, UNIT_COLUMNS);
	text_table_add(t, m->base.n ? number_text(m->base.median, m->decimals, buf) : "-");
	text_table_add(t, m->patched.n ? number_text(m->patched.median, m->decimals, buf) : "-");
	text_table_add(t, metric_change_text(m, buf));
	text_table_add(t, m->judged ? metric_judgement(m) : "not judged");
	if (l->n)
		text_table_add(t, m->base.n == m->patched.n ? one : both);
	text_table_add(t, spread_cell(m, buf));
	text_table_add(t, metric_smallest_text(m, buf));
}

/* The points of a curve stand under its title: "16 LMBs". */
static void point_title(struct text_table *t, const struct bench_rows *b, const struct metric *m,
			const struct metric *before)
{
	auto_free char *title = bench_group_title(b, m);
	auto_free char *group = text_escaped(title, strlen(title));
	auto_free char *x_title = text_member(m->obj, "x_title");
	char x[NUMBER_MAX];
	auto_free char *point = xasprintf("  %s %s", metric_x_text(m, x), x_title);

	group[term_fit(group, strlen(group), LINE_COLUMNS)] = '\0';
	if (!before || !json_equal(before->group, m->group))
		text_table_add_line(t, group);
	text_table_add_cut(t, point, TITLE_COLUMNS);
}

static void metric_title(struct text_table *t, const struct metric *m, const struct layout *l)
{
	auto_free char *title = text_member(m->obj, "title"), *unit = text_member(m->obj, "unit");
	auto_free char *under = xasprintf("  %s", l->unit ? unit : "");

	if (!l->lines) {
		text_table_add_cut(t, title, TITLE_COLUMNS);
		return;
	}
	title[term_fit(title, strlen(title), LINE_COLUMNS)] = '\0';
	text_table_add_line(t, title);
	text_table_add_cut(t, under, UNIT_COLUMNS);
}

static void table_make(struct text_table *t, char *align, const struct bench_rows *b,
		       const struct pick *p, const struct layout *l)
{
	*t = (struct text_table){.align = align, .indent = 4};
	metric_heads(t, align, l);
	for (size_t i = 0; i < p->n; i++) {
		if (bench_is_point(b, p->m[i]))
			point_title(t, b, p->m[i], i ? p->m[i - 1] : NULL);
		else
			metric_title(t, p->m[i], l);
		metric_cells(t, p->m[i], l);
	}
}

static void metric_table(struct text_view *v, const struct bench_rows *b, const struct pick *p)
{
	struct layout l = {.unit = !p->same_unit, .n = !p->same_n};
	struct text_table t;
	char align[16];

	table_make(&t, align, b, p, &l);
	if (text_table_width(&t) > TEXT_COLUMNS) {
		text_table_done(&t);
		l.lines = true;
		table_make(&t, align, b, p, &l);
	}
	text_table_print(v, &t);
	text_table_done(&t);
}

static bool has_interval(const struct pick *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->m[i]->has_interval && !p->m[i]->exact)
			return true;
	return false;
}

static void metric_heading(struct text_view *v, const struct pick *p)
{
	auto_free char *unit = text_member(p->m[0]->obj, "unit");
	auto_str struct str title;

	unit[term_fit(unit, strlen(unit), UNIT_COLUMNS)] = '\0';
	str_init(&title, 1024);
	str_adds(&title, "Medians");
	if (p->same_n)
		str_addf(&title, " of %zu boots", p->m[0]->base.n);
	if (p->same_unit)
		str_addf(&title, " in %s", unit);
	str_addf(&title, ", change is (patched - base) / base%s:",
		 has_interval(p) ? " with its 95 % interval" : "");
	str_adds(&v->out, "\n  ");
	text_heading(v, title.buf);
	str_addc(&v->out, '\n');
}

void text_bench_metrics(struct text_view *v, const struct bench_rows *b)
{
	struct pick p = {0};

	pick_metrics(&p, b);
	pick_gather(&p);
	if (p.n) {
		pick_compare(&p);
		metric_heading(v, &p);
		metric_table(v, b, &p);
	}
	text_bench_more(v, p.left[RANK_CHANGED], "are better or worse");
	text_bench_more(v, p.left[RANK_UNDECIDED], "are undecided");
	text_bench_more(v, p.left[RANK_UNCHANGED], "are unchanged");
	text_bench_more(v, p.shown_only_left, "are not judged");
}
