// SPDX-License-Identifier: GPL-2.0-or-later
/* `firn rerun`, `firn cancel`: requests about a series. */
#include "base/clock.h"
#include "base/json.h"
#include "base/proc.h"
#include "base/str.h"
#include "commands/series_name.h"
#include "commands/service.h"
#include "store/requests.h"
#include <poll.h>

#define ANSWER_S 5.0

struct rerun_options {
	struct service_options service;
	const char *base, *bench, *only;
	bool unpin, wait;
};

#define AT(member) .offset = offsetof(struct rerun_options, member)

static const struct option_row rerun_rows[] = {
	SERVICE_OPTIONS(struct rerun_options),
	{"base", 'b', .arg = "REV", .type = OPTION_STRING,
	 .help = "commit to try it on [that of the last trial]", AT(base)},
	{"bench", 0, .arg = "BENCH,...", .type = OPTION_STRING, .help = "these benchmarks",
	 AT(bench)},
	{"only", 'o', .arg = "STEP,...", .type = OPTION_STRING,
	 .help = "these steps, and what they need", AT(only)},
	{"unpin", 0, .type = OPTION_FLAG,
	 .help = "base, configuration and toolchain of today, not of the last trial", AT(unpin)},
	{"wait", 'w', .type = OPTION_FLAG, .help = "follow the trial to its end", AT(wait)},
	{0},
};

static json_t *arguments(const struct rerun_options *o)
{
	json_t *args = json_object();

	if (o->base)
		json_object_set_new(args, "base", json_text(o->base));
	if (o->bench)
		json_object_set_new(args, "bench", json_text(o->bench));
	if (o->only)
		json_object_set_new(args, "only", json_text(o->only));
	if (o->unpin)
		json_object_set_new(args, "unpin", json_true());
	return args;
}

static void print_step(const struct store_step *s)
{
	auto_free char *reason = shown(s->reason, 200);
	char span[CLOCK_SPAN_MAX];

	printf("  %-5s %-19s %s (%s)\n", outcome_name(s->outcome), s->name, reason,
	       clock_span(s->seconds, span));
	fflush(stdout);
}

/* Steps that have ended since the last look. `*seen`: how many were printed. */
static int print_steps(struct service *s, int64_t trial, size_t *seen, struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	int rc = store_step_list(s->store, trial, &l, err);

	while (rc == 0 && *seen < l.n && l.step[*seen].state == STORE_STEP_DONE)
		print_step(&l.step[(*seen)++]);
	return rc;
}

static int verdict(const struct store_trial *t)
{
	auto_free char *words = shown(t->words, 400);

	if (t->state == STORE_TRIAL_CANCELLED) {
		printf("cancelled: %s\n", words);
		return 2;
	}
	printf("%s: %s\n", outcome_name(t->outcome), words);
	return t->outcome == OUTCOME_FAIL ? 1 : t->outcome == OUTCOME_ERROR ? 2 : 0;
}

/* The exit code is that of `firn run`. */
static int follow_trial(struct service *s, int64_t trial, struct err *err)
{
	struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};
	size_t seen = 0;

	while (!cancel_requested()) {
		auto_store_trial struct store_trial t = {0};
		int rc = store_trial_get(s->store, trial, &t, err);

		if (rc == 0)
			rc = print_steps(s, trial, &seen, err);
		if (rc < 0)
			return rc;
		if (t.state == STORE_TRIAL_FINISHED || t.state == STORE_TRIAL_CANCELLED)
			return verdict(&t);
		(void)!poll(&cancel, 1, 500);
	}
	return err_cancelled(err);
}

static int ask(const struct command *cmd, const struct rerun_options *o, const char *what,
	       struct err *err)
{
	auto_service struct service s = {0};
	auto_free char *message_id = NULL;
	int64_t request = 0, trial = 0;
	int rc = service_open(&s, &o->service, STORE_WRITE, err);

	if (rc == 0)
		rc = series_name(&s, what, &message_id, err);
	if (rc == 0)
		rc = service_request(&s, cmd->name, message_id, arguments(o), &request, err);
	if (rc == 0)
		rc = service_follow(&s, request, o->wait ? 0 : ANSWER_S, &trial, err);
	if (rc != 0 || !trial)
		return rc;
	printf("trial %lld\n", (long long)trial);
	fflush(stdout);
	return o->wait ? follow_trial(&s, trial, err) : 0;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	struct rerun_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first != 1)
		return err_set(err, ERR_USAGE,
			       "firn %s takes one message ID or link (firn %s --help)", cmd->name,
			       cmd->name);
	return ask(cmd, &o, argv[first], err);
}

static void help(FILE *out)
{
	fputs("\nThe series is named by the message ID of its cover letter or of one of its "
	      "patches, "
	      "or by a link to it: lore or another\npublic-inbox, or Patchwork. firn serve "
	      "answers; "
	      "without it the request waits.\n",
	      out);
}

const struct command command_rerun = {
	.name = "rerun",
	.args = "MESSAGE-ID|LINK [OPTION...]",
	.summary = "try a series again; its new result takes the place of the old one",
	.run = run,
	.help = help,
	.options = rerun_rows};

static const struct option_row cancel_rows[] = {SERVICE_OPTIONS(struct rerun_options), {0}};

const struct command command_cancel = {.name = "cancel",
				       .args = "MESSAGE-ID|LINK [OPTION...]",
				       .summary = "end the trials of a series that wait or run",
				       .run = run,
				       .help = help,
				       .options = cancel_rows};
