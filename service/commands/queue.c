// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/str.h"
#include "commands/progress.h"
#include "commands/service.h"
#include "store/objects.h"

#define ROWS_MAX 500

struct queue_options {
	struct service_options service;
	bool json;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct queue_options),
	{"json", 0, .type = OPTION_FLAG, .help = "as JSON, as /api/v1/queue has it",
	 .offset = offsetof(struct queue_options, json)},
	{0},
};

static int print_running(struct service *s, const struct store_queued *q, struct err *err)
{
	struct progress p = {0};
	int rc = progress_get(s->store, q->id, &p, err);
	auto_free char *words = rc == 0 ? progress_words(&p) : NULL;

	if (rc == 0)
		printf("        running: %s\n", words);
	progress_done(&p);
	return rc;
}

static void print_waiting(const struct store_queued *q, unsigned place)
{
	int64_t now = clock_wall();
	char span[CLOCK_SPAN_MAX];

	printf("        waiting, number %u (%s", place, store_priority_name(q->priority));
	if (q->attempts)
		printf(", begun %u times", q->attempts);
	if (q->not_before > now)
		printf(", not before %s from now", clock_span((double)(q->not_before - now), span));
	puts(")");
}

static int print_queue(struct service *s, struct err *err)
{
	struct store_queue_list l = {0};
	int rc = store_queue_list(s->store, ROWS_MAX, &l, err);
	unsigned place = 0;

	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		const struct store_queued *q = &l.trial[i];
		auto_free char *title = shown(q->title, 100), *id = shown(q->message_id, 100);

		printf("%6lld  %s: %s (v%u) <%s>\n", (long long)q->id, q->list, title, q->version,
		       id);
		if (q->state == STORE_TRIAL_RUNNING)
			rc = print_running(s, q, err);
		else
			print_waiting(q, ++place);
	}
	if (rc == 0 && l.n == 0)
		puts("the queue is empty");
	store_queue_list_done(&l);
	return rc;
}

static int print_objects(struct service *s, struct err *err)
{
	auto_view_queue struct view_queue queue = {0};
	json_t *rows;
	int rc = view_queue(s->store, ROWS_MAX, view_queue_places(&s->conf), &queue, err);

	if (rc < 0)
		return rc;
	rows = json_array();
	for (size_t i = 0; i < queue.n; i++)
		json_array_append_new(rows, object_queued(&queue.trial[i]));
	print_json("queue", rows, queue.more);
	return 0;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct queue_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (first < argc)
		return err_set(err, ERR_USAGE, "firn queue takes no argument \"%s\"", argv[first]);
	rc = service_open(&s, &o.service, STORE_READ, err);
	if (rc < 0)
		return rc;
	return o.json ? print_objects(&s, err) : print_queue(&s, err);
}

const struct command command_queue = {.name = "queue",
				      .args = "[--json] [OPTION...]",
				      .summary = "trials that run, and those that wait, in order",
				      .run = run,
				      .options = options};
