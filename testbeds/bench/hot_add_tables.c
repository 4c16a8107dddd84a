// SPDX-License-Identifier: GPL-2.0-or-later
/* Hot-add numbers as people show them: times for base and patched, per LMB, and the kernel's own
 * lines. */
#include "testbeds/bench/hot_add.h"

#include "base/fs.h"
#include "base/str.h"
#include "testbeds/bench/fit.h"
#include "testbeds/bench/hot_add_log.h"
#include "testbeds/bench/stats.h"
#include <math.h>

#define CONSOLE_MAX ((size_t)16 << 20)

static const struct group {
	const char *name, *title, *x, *each;
} groups[] = {
	{"hot-add", "hot-add", "LMBs", "us per LMB"},
	{"hot-add-again", "hot-add of as much again", "LMBs", "us per LMB"},
	{"hot-remove", "hot-remove of that", "LMBs", "us per LMB"},
	{"memory-init", "setup of memory blocks at boot", "blocks", "us per block"},
	{"memory-dev-init", "memory_dev_init() by its own lines", "blocks", "us per block"},
};

static bool is_in(const struct bench_metric *m, const struct group *g)
{
	return m->group && strcmp(m->group, g->name) == 0;
}

static bool group_is_there(const struct bench_result *r, const struct group *g)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		if (is_in(&r->metric[i], g))
			return true;
	return false;
}

/* Mean, its standard error in per cent (as perf stat has it), and mean per x. */
static void add_side(struct bench_table *t, const struct bench_side *side, double x)
{
	struct stats st = stats_of(side->sample, side->n);

	if (!side->n) {
		for (unsigned i = 0; i < 3; i++)
			bench_table_add(t, "-");
		return;
	}
	bench_table_add(t, "%.3f", st.mean / 1000);
	bench_table_add(t, "+- %.2f %%",
			st.mean > 0 ? st.stddev / sqrt((double)st.n) / st.mean * 100 : 0);
	bench_table_add(t, "%.1f", x > 0 ? st.mean / x : 0);
}

static void add_change(struct bench_table *t, const struct bench_metric *m)
{
	if (isfinite(m->change))
		bench_table_add(t, "%+.2f %%", m->change * 100);
	else
		bench_table_add(t, "-");
}

static void add_group(struct bench_result *r, const struct group *g)
{
	const char *const heads[] = {g->x,     "base, msec", "spread", g->each, "patched, msec",
				     "spread", g->each,	     "change"};
	struct bench_table *t = bench_result_add_table(r, g->title, heads, array_size(heads));

	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct bench_metric *m = &r->metric[i];

		if (!is_in(m, g))
			continue;
		bench_table_add(t, "%.0f", m->x);
		add_side(t, &m->base, m->x);
		add_side(t, &m->patched, m->x);
		add_change(t, m);
	}
}

/* Printk time and text, as the console has them. */
static void add_line(struct bench_table *t, const char *kernel, const struct hot_add_line *line,
		     const char *begin)
{
	const char *start = line->text;

	while (start > begin && start[-1] != '\n' && *start != '[')
		start--;
	bench_table_add(t, "%s", kernel);
	bench_table_add(t, "%.*s", (int)((size_t)(line->text - start) + line->len), start);
}

static void add_log(struct bench_table *t, const char *work_dir, unsigned lmbs, const char *kernel)
{
	auto_free char *path = xasprintf("%s/%u-%s-1.console", work_dir, lmbs, kernel);
	struct err ignored = ERR_INIT;
	auto_str struct str text;
	struct hot_add_log log;

	str_init(&text, 0);
	if (fs_read(path, CONSOLE_MAX, ERR_INPUT, &text, &ignored) < 0)
		return; /* not measured */
	hot_add_log_read(text.buf, text.len, &log);
	for (size_t i = 0; i < log.n; i++) {
		add_line(t, kernel, &log.op[i].first, text.buf);
		if (log.op[i].done)
			add_line(t, kernel, &log.op[i].last, text.buf);
	}
}

/* Of the first boot with the smallest size. */
static void add_logs(struct bench_result *r, const char *work_dir, unsigned lmbs)
{
	static const char *const heads[] = {"kernel", "line"};
	auto_free char *title = xasprintf("the kernel's log, one boot with %u LMBs", lmbs);
	struct bench_table *t = bench_result_add_table(r, title, heads, array_size(heads));

	add_log(t, work_dir, lmbs, "base");
	add_log(t, work_dir, lmbs, "patched");
}

void hot_add_tables(struct bench_result *r, const char *work_dir, unsigned lmbs)
{
	for (size_t i = 0; i < array_size(groups); i++) {
		if (!group_is_there(r, &groups[i]))
			continue;
		add_group(r, &groups[i]);
		fit_add(r, groups[i].name);
	}
	add_logs(r, work_dir, lmbs);
}
