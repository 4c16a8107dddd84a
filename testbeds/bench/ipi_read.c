// SPDX-License-Identifier: GPL-2.0-or-later
/* From one boot's console to numbers and facts. */
#include "testbeds/bench/ipi.h"

#include "base/str.h"

/* A change that does nothing moved no median by more: IPI.md. */
#define FLOOR_ONE 0.003
#define FLOOR_ALL 0.005

static const struct {
	const char *words;
	double floor;
} kind[IPI_KINDS] = {
	[IPI_ONE_TO_MANY] = {"one to many", FLOOR_ONE},
	[IPI_EACH_IN_TURN] = {"one to each in turn", FLOOR_ONE},
	[IPI_ALL_TO_ALL] = {"all to all", FLOOR_ALL},
	[IPI_ALL_TO_CHIP] = {"all to all of their chip", FLOOR_ALL},
};

static void take_rate(struct sample *s, const struct ipi_setup *setup, const struct ipi_run *run)
{
	auto_free char *name = ipi_metric_name(setup, run->kind, run->cpus),
		       *group = xasprintf("ipi/%s/%s", setup->name, ipi_kind_name[run->kind]),
		       *title = xasprintf("%s: %s, CPUs 0-%u", setup->title, kind[run->kind].words,
					  run->cpus - 1);
	const struct sample_row row = {
		.name = name,
		.title = title,
		.unit = "1/s",
		.higher_is_better = true,
		.floor = kind[run->kind].floor,
		.group = group,
		.x_title = "CPUs",
		.x = run->cpus,
	};

	sample_number(s, &row, run->rate);
}

static void take_cpu_rates(struct sample *s, const struct ipi_setup *setup,
			   const struct ipi_run *run)
{
	auto_free char *group = xasprintf("ipi/%s/cpu", setup->name);

	for (unsigned cpu = 0; cpu < run->cpus; cpu++) {
		auto_free char *name = xasprintf("%s/%u", group, cpu),
			       *title = xasprintf("%s: all to all, CPU %u's part", setup->title,
						  cpu);
		const struct sample_row row = {
			.name = name,
			.title = title,
			.unit = "1/s",
			.higher_is_better = true,
			.shown_only = true,
			.floor = FLOOR_ALL,
			.group = group,
			.x_title = "CPU",
			.x = cpu,
		};

		if (run->cpu_rate[cpu] > 0)
			sample_number(s, &row, run->cpu_rate[cpu]);
	}
}

static void take_lines(struct sample *s, const struct ipi_setup *setup, const struct ipi_log *log)
{
	auto_free char *served = ipi_log_served(log),
		       *fact_name = xasprintf("ipi/%s/lines", setup->name);
	const struct sample_fact fact = {
		.name = fact_name, .title = "IPI lines in /proc/interrupts", .group = setup->title};

	if (!*served)
		return;
	sample_text(s, &fact, served);
	for (const struct ipi_line *l = log->line; l < log->line + log->n_lines; l++) {
		auto_free char *name = xasprintf("ipi/%s/line/%s", setup->name, l->name),
			       *title = xasprintf("%s: interrupts on %s", setup->title, l->name);
		const struct sample_row row = {
			.name = name,
			.title = title,
			.unit = "count",
			.shown_only = true,
			.floor = FLOOR_ALL,
		};

		if (ipi_line_total(l))
			sample_number(s, &row, (double)ipi_line_total(l));
	}
}

void ipi_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	const struct ipi_cell *cell = ctx;
	auto_free struct ipi_log *log = xcalloc(1, sizeof(*log));

	ipi_log_read(boot, log);
	for (size_t i = 0; i < log->n_runs; i++) {
		const struct ipi_run *run = &log->run[i];

		if (run->repeats && run->cpus <= cell->cpus)
			take_rate(ret, cell->setup, run);
	}
	for (size_t i = 0; i < log->n_runs; i++)
		if (log->run[i].kind == IPI_ALL_TO_ALL && log->run[i].cpus == cell->cpus)
			take_cpu_rates(ret, cell->setup, &log->run[i]);
	take_lines(ret, cell->setup, log);
}
