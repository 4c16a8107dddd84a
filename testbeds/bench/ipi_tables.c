// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of the ipi bench, as people draw them: CPU ranges down, ways of sending across. */
#include "testbeds/bench/ipi.h"

#include "base/str.h"
#include "testbeds/bench/stats.h"

/* One controller's cells: as it is, and with noirqdebug. */
struct pair {
	const char *title;
	const struct ipi_setup *as_is, *noirqdebug;
};

struct column {
	const char *head;
	enum ipi_kind kind;
	bool noirqdebug;
};

/* In the order of the commit that maps one IPI per node (powerpc/xive). */
static const struct column all_columns[] = {
	{"IPI/sys", IPI_ALL_TO_ALL, false},
	{"IPI/chip", IPI_ALL_TO_CHIP, false},
	{"IPI/chip noirqdebug", IPI_ALL_TO_CHIP, true},
	{"IPI/sys noirqdebug", IPI_ALL_TO_ALL, true},
};

static const struct column one_columns[] = {
	{"to many", IPI_ONE_TO_MANY, false},
	{"to each in turn", IPI_EACH_IN_TURN, false},
	{"to many noirqdebug", IPI_ONE_TO_MANY, true},
	{"to each in turn noirqdebug", IPI_EACH_IN_TURN, true},
};

#define COLUMNS array_size(all_columns)

static const struct bench_side *side_of(const struct bench_metric *m, bool patched)
{
	return patched ? &m->patched : &m->base;
}

static void cell_add(struct bench_table *t, const struct bench_result *r, const char *name,
		     bool patched)
{
	const struct bench_metric *m = bench_result_metric(r, name);
	const struct bench_side *side = m ? side_of(m, patched) : NULL;

	if (side && side->n)
		bench_table_add(t, "%.6f", stats_of(side->sample, side->n).median / 1e6);
	else
		bench_table_add(t, "-");
}

struct drawing {
	struct bench_result *r;
	const unsigned *sizes;
	unsigned per_chip; /* CPUs */
	const struct pair *pair;
	const char *note;
};

static void row_add(const struct drawing *d, struct bench_table *t, const struct column *column,
		    unsigned size, bool patched)
{
	bench_table_add(t, "%u", (size + d->per_chip - 1) / d->per_chip);
	bench_table_add(t, "0-%u", size - 1);
	bench_table_add(t, "%s", patched ? "patched" : "base");
	for (size_t i = 0; i < COLUMNS; i++) {
		const struct ipi_setup *setup =
			column[i].noirqdebug ? d->pair->noirqdebug : d->pair->as_is;
		auto_free char *name = ipi_metric_name(setup, column[i].kind, size);

		cell_add(t, d->r, name, patched);
	}
}

static void table_add(const struct drawing *d, const char *what,
		      const struct column column[static COLUMNS])
{
	const char *head[3 + COLUMNS] = {"chips", "cpus", "kernel"};
	auto_free char *title = xasprintf("%s, %s, Mint/s", d->pair->title, what);
	struct bench_table *t;

	for (size_t i = 0; i < COLUMNS; i++)
		head[3 + i] = column[i].head;
	t = bench_result_add_table(d->r, title, head, array_size(head));
	t->note = d->note ? xstrdup(d->note) : NULL;
	for (const unsigned *size = d->sizes; *size; size++) {
		row_add(d, t, column, *size, false);
		row_add(d, t, column, *size, true);
	}
}

static bool was_measured(const struct bench_result *r, const struct ipi_setup *setup)
{
	auto_free char *prefix = xasprintf("ipi/%s/", setup->name);

	for (size_t i = 0; i < r->n_metrics; i++)
		if (str_starts(r->metric[i].name, prefix))
			return true;
	return false;
}

void ipi_tables_add(struct bench_result *r, const unsigned *sizes, unsigned cpus, const char *note)
{
	static const struct pair pairs[] = {
		{"XIVE", &ipi_setups[IPI_XIVE], &ipi_setups[IPI_XIVE_NOIRQDEBUG]},
		{"XICS", &ipi_setups[IPI_XICS], &ipi_setups[IPI_XICS_NOIRQDEBUG]},
	};

	for (size_t i = 0; i < array_size(pairs); i++) {
		const struct drawing d = {.r = r,
					  .sizes = sizes,
					  .per_chip = cpus / IPI_NODES,
					  .pair = &pairs[i],
					  .note = note};

		if (!was_measured(r, pairs[i].as_is) && !was_measured(r, pairs[i].noirqdebug))
			continue;
		table_add(&d, "all to all", all_columns);
		table_add(&d, "one sender", one_columns);
	}
}
