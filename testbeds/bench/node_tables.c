// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables as they are drawn on the list: "Testcase Time: Min Max Avg StdDev %Change", and "param
 * no_patch with_patch %Change". */
#include "testbeds/bench/node_offline.h"

#include "base/str.h"
#include "testbeds/bench/stats.h"

static const struct bench_metric *metric_of(const struct node_topology *t, const char *work,
					    const char *what, const struct bench_result *r)
{
	auto_free char *name = xasprintf("node-offline/%s/%s/%s", t->name, work, what);
	const struct bench_metric *m = bench_result_metric(r, name);

	return m && m->base.n && m->patched.n ? m : NULL;
}

/* Of the averages. From nothing to something has no size. */
static void add_change(struct bench_table *table, double base, double patched)
{
	if (patched == base)
		bench_table_add(table, "0%%");
	else if (base != 0)
		bench_table_add(table, "%+.4g%%", (patched - base) / base * 100);
	else
		bench_table_add(table, "-");
}

static void add_time(struct bench_table *table, const struct bench_metric *m, bool patched)
{
	struct stats base = stats_of(m->base.sample, m->base.n),
		     now = patched ? stats_of(m->patched.sample, m->patched.n) : base;

	bench_table_add(table, "%.4f", now.min / 1e6);
	bench_table_add(table, "%.4f", now.max / 1e6);
	bench_table_add(table, "%.4f", now.mean / 1e6);
	bench_table_add(table, "%.4f", now.stddev / 1e6);
	if (patched)
		add_change(table, base.mean, now.mean);
}

static void add_times(const struct node_topology *t, bool patched, struct bench_result *r)
{
	static const char *const heads[] = {"Testcase", "Time:",  "Min",    "Max",
					    "Avg",	"StdDev", "%Change"};
	static const char *const time[][2] = {
		{"real", "Real:"}, {"sys", "Sys:"}, {"user", "User:"}};
	auto_free char *title = xasprintf("%s: times %s the series, seconds", t->title,
					  patched ? "with" : "without");
	struct bench_table *table =
		bench_result_add_table(r, title, heads, array_size(heads) - !patched);

	for (const char *const *w = node_works; *w; w++)
		for (size_t i = 0; i < array_size(time); i++) {
			const struct bench_metric *m = metric_of(t, *w, time[i][0], r);

			if (!m)
				continue;
			bench_table_add(table, "%s", *w);
			bench_table_add(table, "%s", time[i][1]);
			add_time(table, m, patched);
		}
}

static void add_counters(const struct node_topology *t, const char *work, struct bench_result *r)
{
	static const char *const heads[] = {"param", "no_patch", "with_patch", "%Change"};
	auto_free char *title = xasprintf("%s: %s", t->title, work);
	struct bench_table *table = bench_result_add_table(r, title, heads, array_size(heads));

	table->note = xstrdup("Averages of all boots; %Change is (with - without) / without.");
	for (const char *const *c = node_counters; *c; c++) {
		const struct bench_metric *m = metric_of(t, work, *c, r);
		double base, patched;

		if (!m)
			continue;
		base = stats_of(m->base.sample, m->base.n).mean;
		patched = stats_of(m->patched.sample, m->patched.n).mean;
		bench_table_add(table, "%s", *c);
		bench_table_add(table, "%.10g", base);
		bench_table_add(table, "%.10g", patched);
		add_change(table, base, patched);
	}
}

void node_tables_add(const struct node_topology *t, struct bench_result *r)
{
	if (!metric_of(t, node_works[0], "real", r) && !metric_of(t, node_works[1], "real", r))
		return;
	add_times(t, false, r);
	add_times(t, true, r);
	for (const char *const *w = node_works; *w; w++)
		if (metric_of(t, *w, node_counters[0], r))
			add_counters(t, *w, r);
}
