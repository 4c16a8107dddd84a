// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/str.h"
#include "commands/output.h"
#include "commands/service.h"
#include "commands/status_make.h"
#include "serve/metrics.h"

struct status_options {
	struct service_options service;
	bool json, metrics;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct status_options),
	{"json", 0, .type = OPTION_FLAG, .help = "as JSON",
	 .offset = offsetof(struct status_options, json)},
	{"metrics", 0, .type = OPTION_FLAG, .help = "as Prometheus reads it",
	 .offset = offsetof(struct status_options, metrics)},
	{0},
};

static double number(const json_t *obj, const char *key)
{
	return json_get_num(obj, key, 0);
}

static char *words_of(const json_t *obj, const char *key, size_t width)
{
	return shown(json_get_str(obj, key, ""), width);
}

static void print_sources(const json_t *list)
{
	const json_t *row;
	size_t i;

	puts(json_array_size(list) ? "sources" : "sources: none has been asked yet");
	json_array_foreach (list, i, row) {
		auto_free char *name = words_of(row, "name", 80),
			       *why = words_of(row, "words", 200);
		double good = json_get_num(row, "good_age", -1), fails = number(row, "failures");
		char span[CLOCK_SPAN_MAX];

		printf("  %-5s %s: ", fails > 0 ? "bad" : "good", name);
		if (good < 0)
			printf("never answered well");
		else
			printf("answered well %s ago", clock_span(good, span));
		if (fails > 0)
			printf("; %.0f failures since: %s", fails, why);
		putchar('\n');
	}
}

static void print_running(const json_t *list)
{
	const json_t *row;
	size_t i;

	json_array_foreach (list, i, row) {
		auto_free char *title = words_of(row, "title", 100),
			       *progress = words_of(row, "progress", 100);

		printf("  %.0f  %s\n      %s\n", number(row, "trial"), title, progress);
	}
}

static void print_testbeds(const json_t *list)
{
	const json_t *row;
	size_t i;

	puts(json_array_size(list) ? "testbeds" : "testbeds: none has been used yet");
	json_array_foreach (list, i, row) {
		auto_free char *name = words_of(row, "name", 80),
			       *why = words_of(row, "words", 200);
		bool good = json_get_bool(row, "good", false);

		printf("  %-5s %s: %.0f boots, %.0f failed by its own fault%s%s\n",
		       good ? "good" : "out", name, number(row, "boots"), number(row, "failed"),
		       *why ? ": " : "", why);
	}
}

static void print_disks(const json_t *list)
{
	const json_t *row;
	size_t i;

	json_array_foreach (list, i, row)
		printf("  %s: %.1f of %.1f GiB free\n", json_get_str(row, "path", ""),
		       number(row, "free") / (1 << 30), number(row, "size") / (1 << 30));
}

static void print_status(const json_t *status)
{
	const json_t *serve = json_object_get(status, "serve"),
		     *mails = json_object_get(status, "mails"),
		     *trials = json_object_get(status, "trials"),
		     *outbox = json_object_get(status, "outbox");
	double pid = number(serve, "pid");

	if (pid > 0)
		printf("firn serve: process %.0f, posting is %s\n", pid,
		       json_get_str(serve, "post", ""));
	else
		puts("firn serve: does not run");
	print_sources(json_object_get(status, "sources"));
	printf("mails: %.0f, %.0f of them not looked at yet\npostings: %.0f, %.0f of them "
	       "incomplete\n",
	       number(mails, "all"), number(mails, "new"), number(mails, "postings"),
	       number(mails, "incomplete"));
	printf("trials: %.0f running, %.0f waiting, %.0f finished\n", number(trials, "running"),
	       number(trials, "waiting"), number(trials, "finished"));
	print_running(json_object_get(trials, "now"));
	print_testbeds(json_object_get(status, "testbeds"));
	printf("outbox: %.0f open, %.0f held, %.0f failed\n", number(outbox, "open"),
	       number(outbox, "held"), number(outbox, "failed"));
	puts("disk");
	print_disks(json_object_get(status, "disks"));
	if (json_is_string(json_object_get(status, "limits")))
		printf("builds: limited by %s\n", json_get_str(status, "limits", ""));
}

static int print_metrics(struct service *s, const char *cache, struct err *err)
{
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	rc = metrics_write(s->store, s->data_dir, cache, &text, err);
	if (rc == 0)
		fwrite(text.buf, 1, text.len, stdout);
	return rc;
}

static int print(struct service *s, const struct status_options *o, struct err *err)
{
	auto_free char *cache = NULL;
	auto_json json_t *status = NULL;
	int rc = command_cache(NULL, &s->conf, &cache, err);

	if (rc == 0 && o->metrics)
		return print_metrics(s, cache, err);
	if (rc == 0)
		rc = status_make(s, cache, &status, err);
	if (rc < 0)
		return rc;
	if (o->json) {
		json_dumpf(status, stdout, JSON_INDENT(2));
		putchar('\n');
	} else {
		print_status(status);
	}
	return 0;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct status_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (first < argc)
		return err_set(err, ERR_USAGE, "firn status takes no argument \"%s\"", argv[first]);
	rc = service_open(&s, &o.service, STORE_READ, err);
	return rc < 0 ? rc : print(&s, &o, err);
}

const struct command command_status = {.name = "status",
				       .args = "[--json] [--metrics] [OPTION...]",
				       .summary = "how the service is",
				       .run = run,
				       .options = options};
