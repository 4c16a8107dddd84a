// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "commands/command.h"
#include "commands/explain.h"
#include "commands/history.h"
#include "commands/view.h"
#include "intake/source.h"
#include "report/report.h"
#include "testbeds/testbed.h"
#include "trial/trial.h"

struct run_options {
	struct trial_options trial;
	const char *html, *json, *config;
	bool brief, explain;
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
	{"only", 'o', .arg = "STEP,...", .help = "these steps and what they need [all]",
	 STRING(trial.only)},
	{"series", 0, .arg = "MESSAGE-ID", .help = "which series, when SERIES holds several",
	 STRING(trial.pick)},
	{"offer", 0, .arg = "MESSAGE-ID",
	 .help = "try the diff in this reply, on top of what it answers", STRING(trial.offer)},
	{"explain", 0, .arg = NULL, .help = "say what each mail of SERIES is, and try nothing",
	 FLAG(explain)},
	{"testbed", 0, .arg = "NAME", .help = "where kernels boot", CONF(TESTBED_NAME)},
	{"lmbs", 0, .arg = "N,...", .help = "blocks of 256 MiB to hot-add", CONF(BENCH_LMBS)},
	{"samples", 0, .arg = "N", .help = "boots of each kernel for each size",
	 CONF(BENCH_SAMPLES)},
	{"seed", 0, .arg = "N", .help = "order of base and patched", CONF(BENCH_SEED)},
	{"jobs", 'j', .arg = "N", .help = "make -j; 0: number of CPUs", CONF(BUILD_JOBS)},
	{"html", 0, .arg = "FILE", .help = "write the report as a page", STRING(html)},
	{"json", 0, .arg = "FILE", .help = "write the report as JSON", STRING(json)},
	{"work", 'w', .arg = "DIR", .help = "mails, jobs, logs and report [CACHE/runs/...]",
	 STRING(trial.work_dir)},
	{"cache", 0, .arg = "DIR", .help = "trees and kernels [$XDG_CACHE_HOME/firn]",
	 STRING(trial.cache_dir)},
	{"config", 0, .arg = "FILE", .help = "configuration (firn check-config --help)",
	 STRING(config)},
	{"brief", 0, .arg = NULL, .help = "leave out what passed", FLAG(brief)},
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
		fprintf(out, "  %-14s %s\n", name, summary);
	fputs("\nTestbeds:\n", out);
	for (size_t i = 0; testbeds[i]; i++)
		fprintf(out, "  %-14s %s\n", testbeds[i]->name, testbeds[i]->summary);
	fputs("\nExit code: 0 pass or warn, 1 fail, 2 could not find out, 64 wrong usage, 130 "
	      "interrupted.\n",
	      out);
}

/* The report's views. The files are written whole or not at all. */
static int write_html(const json_t *report, const char *path, struct err *err)
{
	auto_free char *page = NULL;
	size_t n = 0;
	FILE *mem = open_memstream(&page, &n);
	int rc;

	if (!mem)
		return err_sys(err, ERR_INFRA, "cannot write %s", path);
	rc = report_html(report, mem, err);
	if (fclose(mem) != 0 && rc == 0)
		rc = err_sys(err, ERR_INFRA, "cannot write %s", path);
	return rc < 0 ? rc : fs_write_atomic(path, page, n, err);
}

static int write_files(const struct run_options *o, const char *work_dir, const json_t *report,
		       struct err *err)
{
	int rc = 0;

	if (work_dir) {
		auto_free char *html = xasprintf("%s/report.html", work_dir);
		auto_free char *json = xasprintf("%s/report.json", work_dir);

		rc = json_write(json, report, err);
		if (rc == 0)
			rc = write_html(report, html, err);
	}
	if (rc == 0 && o->html)
		rc = write_html(report, o->html, err);
	if (rc == 0 && o->json)
		rc = json_write(o->json, report, err);
	return rc;
}

static int print_report(const struct run_options *o, const char *work_dir, const json_t *report,
			struct err *err)
{
	struct view probe;
	struct report_text_options opt = {.brief = o->brief};
	int rc;

	view_init(&probe, stdout);
	opt.colour = probe.colour;
	if (work_dir)
		log_info("report: %s/report.html", work_dir);
	if (isatty(STDERR_FILENO))
		fputc('\n', stderr);
	rc = report_text(report, &opt, stdout, err);
	if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		rc = err_sys(err, ERR_INFRA, "cannot write the report");
	return rc;
}

/* A file that cannot be written does not keep the report from the reader. */
static int show_report(const struct run_options *o, const char *work_dir, const json_t *report,
		       struct err *err)
{
	struct err unwritten = ERR_INIT;
	int written = write_files(o, work_dir, report, &unwritten);
	int rc = print_report(o, work_dir, report, err);

	return written < 0 ? err_set(err, unwritten.kind, "%s", unwritten.msg) : rc;
}

static int exit_code(const json_t *report)
{
	switch (outcome_parse(json_get_str(json_object_get(report, "verdict"), "outcome", NULL))) {
	case OUTCOME_FAIL: return 1;
	case OUTCOME_ERROR: return 2;
	case OUTCOME_SKIP:
	case OUTCOME_PASS:
	case OUTCOME_WARN: break;
	}
	return 0;
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
	history = history_open(o->trial.cache_dir, &view);
	rc = trial_run(t, &report, err);
	view_clear(&view);
	if (rc == 0)
		rc = show_report(o, trial_work_dir(t), report, err);
	history_close(history, rc == 0 ? report : NULL, trial_work_dir(t));
	trial_free(t);
	return rc < 0 ? rc : exit_code(report);
}

static int check_positionals(const struct run_options *o, int argc, int first, struct err *err)
{
	if (argc == first)
		return err_set(err, ERR_USAGE, "firn run needs a SERIES (firn run --help)");
	if (!o->trial.tree && !o->explain)
		return err_set(err, ERR_USAGE, "firn run needs --tree TREE (firn run --help)");
	return 0;
}

/* The file first, so that the command line wins. */
static int read_conf(int argc, char **argv, struct conf *conf, struct err *err)
{
	auto_free char *dflt = conf_default_path();
	const char *path = dflt;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
			path = argv[i + 1];
		else if (str_starts(argv[i], "--config="))
			path = argv[i] + strlen("--config=");
	}
	return path ? conf_read(conf, path, NULL, NULL, err) : 0;
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
	if (!o.trial.cache_dir) {
		const char *configured = conf_str(conf, CONF_CACHE_DIR);

		cache = configured ? xstrdup(configured) : fs_cache_dir();
	} else {
		rc = fs_mkdirs(o.trial.cache_dir, err);
		cache = realpath(o.trial.cache_dir, NULL);
		if (rc == 0 && !cache)
			rc = err_sys(err, ERR_CONFIG, "--cache %s", o.trial.cache_dir);
	}
	if (rc < 0)
		return rc;
	o.trial.cache_dir = cache;
	o.trial.inputs = (const char *const *)argv + first;
	o.trial.conf = conf;
	return run_trial(&o, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct conf conf = {0};
	int rc = read_conf(argc, argv, &conf, err);

	if (rc == 0)
		rc = run_with(cmd, argc, argv, &conf, err);
	conf_done(&conf);
	return rc;
}

const struct command command_run = {
	.name = "run",
	.args = "SERIES... --tree TREE [OPTION...]",
	.summary = "try one series: apply, check, build, boot, measure, report",
	.run = run,
	.help = help,
	.options = options,
};
