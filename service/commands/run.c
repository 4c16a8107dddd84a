// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "commands/command.h"
#include "commands/explain.h"
#include "commands/history.h"
#include "commands/output.h"
#include "commands/view.h"
#include "intake/source.h"
#include "testbeds/testbed.h"
#include "trial/trial.h"

struct run_options {
	struct trial_options trial;
	struct output output;
	const char *config;
	bool explain;
};

#define STRING(member) .type = OPTION_STRING, .offset = offsetof(struct run_options, member)
#define FLAG(member)   .type = OPTION_FLAG, .offset = offsetof(struct run_options, member)
#define CONF(id)       .type = OPTION_CONF, .conf = CONF_##id

static const struct option_row options[] = {
	{"tree", 't', .arg = "TREE", .help = "kernel repository: bare or a work tree; only read",
	 STRING(trial.tree)},
	{"base", 'b', .arg = "REV",
	 .help = "commit to try the series on [base-commit:, else TREE's head]",
	 STRING(trial.base)},
	{"only", 'o', .arg = "STEP,...",
	 .help = "these steps and what they need [all; benchmarks as bench.run says]",
	 STRING(trial.only)},
	{"series", 0, .arg = "MESSAGE-ID", .help = "which series, when SERIES holds several",
	 STRING(trial.pick)},
	{"offer", 0, .arg = "MESSAGE-ID",
	 .help = "try the diff in this reply, on top of what it answers", STRING(trial.offer)},
	{"explain", 0, .arg = NULL, .help = "say what each mail of SERIES is, and try nothing",
	 FLAG(explain)},
	{"testbed", 0, .arg = "NAME", .help = "where kernels boot", CONF(TESTBED_NAME)},
	{"mode", 0, .arg = "MODE", .help = "count (guest time counts instructions) or clock",
	 CONF(BENCH_MODE)},
	{"lmbs", 0, .arg = "N,...", .help = "blocks of 256 MiB to hot-add", CONF(BENCH_LMBS)},
	{"cpus", 0, .arg = "N,...", .help = "CPUs that send interrupts", CONF(BENCH_CPUS)},
	{"samples", 0, .arg = "N", .help = "least boots of each kernel; 0: as a benchmark needs",
	 CONF(BENCH_SAMPLES)},
	{"budget", 0, .arg = "SECONDS", .help = "of a benchmark, in which samples are added",
	 CONF(BENCH_BUDGET)},
	{"seed", 0, .arg = "N", .help = "order of base and patched", CONF(BENCH_SEED)},
	{"attribute", 0, .arg = NULL, .help = "where a number changed: find the patch that does it",
	 CONF(BENCH_ATTRIBUTE)},
	{"rows", 0, .arg = "ROW,...",
	 .help = "more configurations to build, or all (kernel-builders/BUILDERS.md)",
	 CONF(BUILD_ROWS)},
	{"jobs", 'j', .arg = "N", .help = "make -j; 0: number of CPUs", CONF(BUILD_JOBS)},
	{"html", 0, .arg = "FILE", .help = "write the report as a page", STRING(output.html)},
	{"json", 0, .arg = "FILE", .help = "write the report as JSON", STRING(output.json)},
	{"work", 'w', .arg = "DIR", .help = "mails, jobs, logs and report [CACHE/runs/...]",
	 STRING(trial.work_dir)},
	{"cache", 0, .arg = "DIR", .help = "trees and kernels [$XDG_CACHE_HOME/firn]",
	 STRING(trial.cache_dir)},
	{"config", 0, .arg = "FILE", .help = "configuration (firn check-config --help)",
	 STRING(config)},
	{"brief", 0, .arg = NULL, .help = "leave out what passed", FLAG(output.brief)},
	{0},
};

static void help(FILE *out)
{
	const char *name, *summary;

	fputs("\nSERIES is one of, or several of:\n", out);
	for (size_t i = 0; sources[i]; i++)
		fprintf(out, "  %s\n", sources[i]->summary);
	fputs("\nSteps:\n", out);
	for (unsigned i = 0; trial_step_info(i, &name, &summary); i++)
		fprintf(out, "  %-20s %s\n", name, summary);
	fputs("\nTestbeds:\n", out);
	for (size_t i = 0; testbeds[i]; i++)
		fprintf(out, "  %-14s %s\n", testbeds[i]->name, testbeds[i]->summary);
	fputs("\nExit code: 0 pass or warn, 1 fail, 2 could not find out, 64 wrong usage, 130 "
	      "interrupted.\n",
	      out);
}

static int run_trial(const struct run_options *o, struct err *err)
{
	struct view view;
	struct history *history;
	struct trial_observer observer;
	struct trial *t = NULL;
	auto_json json_t *report = NULL;
	int rc;

	view_init(&view, stderr);
	observer = view_observer(&view);
	rc = trial_new(&o->trial, &observer, &t, err);
	if (rc < 0)
		return rc;
	history = history_open(&o->trial, &view, t);
	rc = trial_run(t, &report, err);
	view_clear(&view);
	if (rc == 0) {
		struct output output = o->output;

		output.work_dir = trial_work_dir(t);
		rc = output_report(&output, report, err);
	}
	history_close(history, rc == 0 ? report : NULL, trial_work_dir(t));
	trial_free(t);
	return rc < 0 ? rc : output_exit_code(report);
}

static int check_positionals(const struct run_options *o, int argc, int first, struct err *err)
{
	if (argc == first)
		return err_set(err, ERR_USAGE, "firn run needs a SERIES (firn run --help)");
	if (!o->trial.tree && !o->explain)
		return err_set(err, ERR_USAGE, "firn run needs --tree TREE (firn run --help)");
	return 0;
}

static int run_with(const struct command *cmd, int argc, char **argv, struct conf *conf,
		    struct err *err)
{
	auto_free char *cache = NULL;
	struct run_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, conf, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	rc = check_positionals(&o, argc, first, err);
	if (rc < 0)
		return rc;
	if (o.explain)
		return explain((const char *const *)argv + first, err);
	rc = command_cache(o.trial.cache_dir, conf, &cache, err);
	if (rc < 0)
		return rc;
	o.trial.cache_dir = cache;
	command_sweep(cache);
	o.trial.inputs = (const char *const *)argv + first;
	o.trial.conf = conf;
	return run_trial(&o, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	return command_with_conf(run_with, cmd, argc, argv, err);
}

const struct command command_run = {
	.name = "run",
	.args = "SERIES... --tree TREE [OPTION...]",
	.summary = "try one series: apply, check, build, boot, measure, report",
	.run = run,
	.help = help,
	.options = options,
};
