// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/output.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "base/outcome.h"
#include "commands/view.h"
#include "report/report.h"
#include "trial/sweep.h"
#include <stdio.h>

int command_read_conf(int argc, char **argv, struct conf *conf, struct err *err)
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

int command_with_conf(command_with_conf_fn *run, const struct command *cmd, int argc, char **argv,
		      struct err *err)
{
	struct conf conf = {0};
	int rc = command_read_conf(argc, argv, &conf, err);

	if (rc == 0)
		rc = run(cmd, argc, argv, &conf, err);
	conf_done(&conf);
	return rc;
}

int command_cache(const char *given, const struct conf *conf, char **ret_dir, struct err *err)
{
	const char *configured = conf_str(conf, CONF_CACHE_DIR);
	char *dir;
	int rc;

	if (!given) {
		*ret_dir = configured ? xstrdup(configured) : fs_cache_dir();
		return 0;
	}
	rc = fs_mkdirs(given, err);
	if (rc < 0)
		return rc;
	dir = realpath(given, NULL);
	if (!dir)
		return err_sys(err, ERR_CONFIG, "--cache %s", given);
	*ret_dir = dir;
	return 0;
}

void command_sweep(const char *cache_dir)
{
	struct err err = ERR_INIT;

	if (sweep_cache(cache_dir, &err) < 0)
		log_warn("what a killed run left in %s stays for now: %s", cache_dir, err.msg);
}

/* The report's views. The files are written whole or not at all. */
static int write_files(const struct output *o, const json_t *report, struct err *err)
{
	int rc = 0;

	if (o->work_dir) {
		auto_free char *html = xasprintf("%s/report.html", o->work_dir);
		auto_free char *json = xasprintf("%s/report.json", o->work_dir);

		rc = json_write(json, report, err);
		if (rc == 0)
			rc = report_html_write(report, html, err);
	}
	if (rc == 0 && o->html)
		rc = report_html_write(report, o->html, err);
	if (rc == 0 && o->json)
		rc = json_write(o->json, report, err);
	return rc;
}

static int print_report(const struct output *o, const json_t *report, struct err *err)
{
	struct view probe;
	struct report_text_options opt = {.brief = o->brief};
	int rc;

	view_init(&probe, stdout);
	opt.colour = probe.colour;
	if (o->work_dir)
		log_info("report: %s/report.html", o->work_dir);
	if (isatty(STDERR_FILENO))
		fputc('\n', stderr);
	rc = report_text(report, &opt, stdout, err);
	if (rc == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		rc = err_sys(err, ERR_INFRA, "cannot write the report");
	return rc;
}

int output_report(const struct output *o, const json_t *report, struct err *err)
{
	struct err unwritten = ERR_INIT;
	int written = write_files(o, report, &unwritten);
	int rc = print_report(o, report, err);

	return written < 0 ? err_set(err, unwritten.kind, "%s", unwritten.msg) : rc;
}

int output_exit_code(const json_t *report)
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
