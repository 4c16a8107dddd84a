// SPDX-License-Identifier: GPL-2.0-or-later
/* /bench: the benchmarks that ran; /bench/NAME: how the base's numbers went through time; with
 * .json what its plots show. */
#include "base/clock.h"
#include "report/escape.h"
#include "report/history.h"
#include "report/metric.h"
#include "store/views.h"
#include "web/html.h"
#include <math.h>
#include <microhttpd.h>

#define NUMBERS_MAX 12	/* on a page */
#define TRIALS_MAX  500 /* of a number that are read */
#define ROWS_MAX    50	/* commits in a table */
#define SHORT_HASH  12
#define LIVES_S	    300

/* One history with one point a commit. */
struct shown {
	const struct view_history *from;
	struct history_point point[CHANGE_VALUES_MAX];
	struct history h;
};

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* What several trials said of one commit is one number: they measured the same kernel. */
static struct history_point point_of(const struct view_point *p, size_t n)
{
	double median[TRIALS_MAX] = {0};

	for (size_t i = 0; i < n; i++)
		median[i] = p[i].median;
	qsort(median, n, sizeof(*median), by_value);
	return (struct history_point){.when = p[n - 1].when,
				      .median = median[(n - 1) / 2] / 2 + median[n / 2] / 2,
				      .commit = p[n - 1].commit,
				      .trial = p[n - 1].trial,
				      .n = (unsigned)n};
}

/* Trials of the commit that begins at i. */
static size_t run_of(const struct view_history *v, size_t i)
{
	size_t n = 1;

	while (i + n < v->n && *v->point[i].commit &&
	       strcmp(v->point[i + n].commit, v->point[i].commit) == 0)
		n++;
	return n;
}

static size_t commits_of(const struct view_history *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i += run_of(v, i))
		n++;
	return n;
}

/* The newest CHANGE_VALUES_MAX commits. */
static void shown_make(const struct view_history *v, struct shown *ret)
{
	size_t all = commits_of(v), skip = all > CHANGE_VALUES_MAX ? all - CHANGE_VALUES_MAX : 0;
	size_t n = 0;

	for (size_t i = 0, run; i < v->n; i += run) {
		run = run_of(v, i);
		if (skip)
			skip--;
		else if (isfinite(v->point[i].median))
			ret->point[n++] = point_of(&v->point[i], run);
	}
	ret->from = v;
	ret->h = (struct history){
		.title = v->title, .unit = unit_text(v->unit), .point = ret->point, .n = n};
	history_judge(&ret->h);
}

static void commit_cell(struct str *out, const struct history_point *p)
{
	str_adds(out, "<code>");
	html_cut(out, *p->commit ? p->commit : "-", SHORT_HASH);
	str_adds(out, "</code>");
}

static const char *direction(const struct view_history *v, const struct change_point *c)
{
	bool more = c->after > c->before, better = strcmp(v->better, "higher") == 0;

	return more == better ? "better" : "worse";
}

static void change_row(struct str *out, const struct shown *s, size_t i)
{
	const struct change_point *c = &s->h.change[i];
	const struct history_point *p = &s->point[c->at];
	char before[NUMBER_MAX], after[NUMBER_MAX], by[NUMBER_MAX];
	const char *word = direction(s->from, c);

	str_addf(out, "<tr><th scope=\"row\" class=\"n\">%zu</th><td>", i + 1);
	html_when(out, p->when);
	str_adds(out, "</td><td>");
	commit_cell(out, p);
	str_addf(out,
		 "</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>",
		 number_text(c->before, s->h.decimals, before),
		 number_text(c->after, s->h.decimals, after),
		 c->before != 0 ? change_text((c->after - c->before) / fabs(c->before), by) : "-");
	html_word(out, word);
	str_addf(out, "</td><td class=\"n\">%.3f</td></tr>\n", c->p);
}

static void changes_table(struct str *out, const struct shown *s)
{
	if (!s->h.n_changes) {
		str_addf(out, "<p class=\"note\">No change of level in %zu commit%s.</p>\n", s->h.n,
			 s->h.n == 1 ? "" : "s");
		return;
	}
	str_adds(out, "<div class=\"wide\"><table class=\"numbers drawn\">\n<thead><tr>"
		      "<th scope=\"col\" class=\"n\">Change</th><th scope=\"col\">first commit of "
		      "the new level</th><th scope=\"col\">commit</th><th scope=\"col\" "
		      "class=\"n\">before</th><th scope=\"col\" class=\"n\">after</th><th "
		      "scope=\"col\" class=\"n\">by</th><th scope=\"col\"><span "
		      "class=\"unseen\">Word</span></th><th scope=\"col\" "
		      "class=\"n\">p</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < s->h.n_changes; i++)
		change_row(out, s, i);
	str_adds(out, "</tbody></table></div>\n");
}

static void point_row(struct str *out, const struct shown *s, size_t i)
{
	const struct history_point *p = &s->point[i];
	char median[NUMBER_MAX];

	str_adds(out, "<tr><td>");
	html_when(out, p->when);
	str_adds(out, "</td><td>");
	commit_cell(out, p);
	str_addf(out,
		 "</td><td class=\"n\">%s</td><td class=\"n\"><a href=\"/trial/%lld\">%lld</a>",
		 number_text(p->median, s->h.decimals, median), (long long)p->trial,
		 (long long)p->trial);
	if (p->n > 1)
		str_addf(out, " and %u more", p->n - 1);
	str_adds(out, "</td></tr>\n");
}

static void points_table(struct str *out, const struct shown *s)
{
	size_t n = s->h.n;

	str_addf(out, "<details><summary>%zu commit%s</summary>\n", n, n == 1 ? "" : "s");
	str_adds(out, "<div class=\"wide\"><table class=\"numbers drawn\">\n<thead><tr>"
		      "<th scope=\"col\">Commit of</th><th scope=\"col\">commit</th><th "
		      "scope=\"col\" class=\"n\">median</th><th scope=\"col\" "
		      "class=\"n\">trial</th></tr></thead>\n<tbody>\n");
	for (size_t i = n; i > 0 && n - i < ROWS_MAX; i--)
		point_row(out, s, i - 1);
	str_adds(out, "</tbody></table></div>\n");
	if (n > ROWS_MAX || s->from->more)
		str_adds(out, "<p class=\"note\">Older ones are not shown.</p>\n");
	str_adds(out, "</details>\n");
}

static void history_article(struct str *out, const struct shown *s, size_t number)
{
	auto_free char *id = xasprintf("history-%zu", number);

	str_addf(out, "<article id=\"%s\">\n<h2>", id);
	html_bdi(out, s->from->title);
	str_adds(out, "</h2>\n<p class=\"meta\">");
	html_bdi(out, s->from->testbed);
	str_adds(out, ", ");
	html_bdi(out, s->from->mode);
	str_adds(out, " mode; in ");
	html_bdi(out, unit_text(s->from->unit));
	str_adds(out, ", ");
	html_bdi(out, s->from->better);
	str_addf(out, " is better</p>\n<figure>\n<div data-plot=\"%s\">\n", id);
	plot_history(out, &s->h, id);
	str_adds(out, "</div>\n</figure>\n");
	changes_table(out, s);
	points_table(out, s);
	str_adds(out, "</article>\n");
}

/* False when it answered. */
static bool histories_read(const struct request *q, struct response *r,
			   struct view_history_list *ret)
{
	const struct view_history_filter filter = {
		.bench = q->name, .offset = q->offset, .limit = NUMBERS_MAX, .points = TRIALS_MAX};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return false;
	if (view_histories(store, &filter, ret, &err) < 0) {
		respond_failure(q, r, &err, "The history of this benchmark cannot be read.");
		return false;
	}
	if (!ret->n)
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "No trial that this store knows has numbers of such a benchmark.");
	return ret->n > 0;
}

static void history_head(struct str *out, const struct request *q)
{
	str_addf(out,
		 "<nav class=\"crumbs\" aria-label=\"Where this is\"><a "
		 "href=\"/bench\">Benchmarks</a> / %s</nav>\n<header>\n<h1>%s on the base, through "
		 "time</h1>\n",
		 q->name, q->name);
	str_adds(
		out,
		"<p class=\"note\">Each dot is a commit that series were compared with: the median "
		"of its boots. A numbered mark is a change of level: one history in a hundred "
		"shows "
		"one by chance, more where numbers depend on each other. It is a place to look at, "
		"not a verdict.</p>\n</header>\n");
}

static void history_pager(struct str *out, const struct request *q, bool more)
{
	unsigned before = q->offset > NUMBERS_MAX ? q->offset - NUMBERS_MAX : 0;

	if (!q->offset && !more)
		return;
	str_adds(out, "<nav class=\"pager\" aria-label=\"More numbers\">");
	if (q->offset)
		str_addf(out, "<a rel=\"prev\" href=\"/bench/%s?offset=%u\">numbers before</a> ",
			 q->name, before);
	if (more)
		str_addf(out, "<a rel=\"next\" href=\"/bench/%s?offset=%u\">more numbers</a>",
			 q->name, q->offset + NUMBERS_MAX);
	str_adds(out, "</nav>\n");
}

void page_bench_history(const struct request *q, struct response *r)
{
	auto_view_history_list struct view_history_list l = {0};
	auto_free char *title = xasprintf("%s: history", q->name);

	if (!histories_read(q, r, &l))
		return;
	auto_free struct shown *s = xcalloc(1, sizeof(*s));
	page_begin(&r->body,
		   &(struct page){.title = title, .section = PAGE_BENCHES, .q = q, .plots = true});
	history_head(&r->body, q);
	str_addf(&r->body, "<div class=\"histories\" data-plots=\"/bench/%s.json?offset=%u\">\n",
		 q->name, q->offset);
	for (size_t i = 0; i < l.n; i++) {
		shown_make(&l.history[i], s);
		history_article(&r->body, s, i);
	}
	str_adds(&r->body, "</div>\n");
	history_pager(&r->body, q, l.more);
	page_end(&r->body, q);
	r->lives_s = LIVES_S;
}

void json_bench_history(const struct request *q, struct response *r)
{
	auto_view_history_list struct view_history_list l = {0};
	json_t *plots;

	if (!histories_read(q, r, &l))
		return;
	auto_free struct shown *s = xcalloc(1, sizeof(*s));
	plots = json_object();
	for (size_t i = 0; i < l.n; i++) {
		auto_free char *id = xasprintf("history-%zu", i);

		shown_make(&l.history[i], s);
		json_object_set_new(plots, id, history_json(&s->h));
	}
	auto_json json_t *obj = json_pack("{s:s, s:o}", "bench", q->name, "plots", plots);
	respond_json(r, obj);
	r->lives_s = LIVES_S;
}

static void bench_row(struct str *out, const struct view_bench *b)
{
	auto_free char *before = xasprintf("/trial/%lld/bench/", (long long)b->trial);

	str_adds(out, "<tr><th scope=\"row\"><a href=\"");
	html_path(out, "/bench/", b->name);
	str_adds(out, "\">");
	html_bdi(out, b->name);
	str_addf(out, "</a></th><td class=\"n\">%u</td><td><a href=\"", b->numbers);
	html_path(out, before, b->name);
	str_addf(out, "\">trial %lld</a></td></tr>\n", (long long)b->trial);
}

static void bench_table(struct str *out, const struct view_bench_list *l)
{
	str_adds(out, "<table>\n<thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\" "
		      "class=\"n\">Numbers</th><th scope=\"col\">Newest</th></tr></thead>\n"
		      "<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		bench_row(out, &l->bench[i]);
	str_adds(out, "</tbody></table>\n");
}

void page_benches(const struct request *q, struct response *r)
{
	auto_view_bench_list struct view_bench_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_benches(store, &l, &err) < 0) {
		respond_failure(q, r, &err, "The list of benchmarks cannot be read.");
		return;
	}
	page_begin(&r->body,
		   &(struct page){.title = "Benchmarks", .section = PAGE_BENCHES, .q = q});
	str_adds(&r->body, "<header><h1>Benchmarks</h1></header>\n");
	if (l.n)
		bench_table(&r->body, &l);
	else
		str_adds(&r->body, "<p>Nothing was measured yet. A trial with a benchmark puts its "
				   "numbers here: <code>firn run --only bench-hot-add "
				   "SERIES</code>, or <code>bench.run</code> in the "
				   "configuration.</p>\n");
	page_end(&r->body, q);
	r->lives_s = LIVES_S;
}
