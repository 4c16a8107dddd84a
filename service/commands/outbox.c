// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/outbox.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "commands/service.h"

#define ROWS_MAX 200

struct outbox_options {
	struct service_options service;
	bool held, all;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct outbox_options),
	{"held", 0, .type = OPTION_FLAG, .help = "only what waits for firn approve",
	 .offset = offsetof(struct outbox_options, held)},
	{"all", 'a', .type = OPTION_FLAG, .help = "what has been sent too",
	 .offset = offsetof(struct outbox_options, all)},
	{0},
};

/* As the post role sees it: what was done about an older revision is done no more. */
static const char *state_of(const struct store_post *p)
{
	bool current = p->state != STORE_DELIVERY_NONE && p->sent_revision == p->revision;

	if (p->withdrawn && !current)
		return "withdrawn";
	if (current)
		return store_delivery_state_name(p->state);
	return p->held ? "held" : "open";
}

static void print_row(const struct store_post *p)
{
	bool mail = strcmp(p->poster, "mail") == 0;
	const char *what = json_get_str(p->want, mail ? "subject" : "description", "");
	auto_free char *words = shown(what, 120), *target = shown(p->target, 80),
		       *answer = shown(p->words, 120);
	char at[CLOCK_ISO_MAX];

	printf("%6lld  %-10s %-9s %s %s: %s\n", (long long)p->id, state_of(p), p->poster, target,
	       mail ? "" : p->context, words);
	printf("        trial %lld, %s%s%s\n", (long long)p->trial, clock_iso(p->written, at),
	       *answer ? ": " : "", answer);
}

static void print_mail(const struct store_post *p)
{
	const json_t *to = json_object_get(p->want, "to"), *cc = json_object_get(p->want, "cc"),
		     *address;
	const char *body = json_get_str(p->want, "body", "");
	size_t i;

	json_array_foreach (to, i, address)
		printf("        To: %s\n", json_string_value(address));
	json_array_foreach (cc, i, address)
		printf("        Cc: %s\n", json_string_value(address));
	for (size_t n; *body; body += n + (body[n] == '\n')) {
		n = strcspn(body, "\n");
		auto_free char *raw = xmemdup(body, n), *line = shown(raw, 998);

		printf("        | %s\n", line);
	}
}

/* One by its number: whole, so that who approves knows what. */
static int show(struct service *s, const char *text, struct err *err)
{
	struct store_post p = {0};
	int64_t id = 0;
	int rc = parse_id(text, "a row of the outbox", &id, err);

	if (rc == 0)
		rc = store_outbox_get(s->store, id, &p, err);
	if (rc == 0) {
		print_row(&p);
		if (strcmp(p.poster, "mail") == 0)
			print_mail(&p);
	}
	store_post_done(&p);
	return rc;
}

static int list(struct service *s, enum store_outbox_which which, struct err *err)
{
	struct store_post_list l = {0};
	int rc = store_outbox_list(s->store, which, 0, ROWS_MAX, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		print_row(&l.post[i]);
	if (rc == 0 && l.n == 0)
		puts(which == STORE_OUTBOX_HELD ? "nothing is held" : "nothing is to be sent");
	if (rc == 0 && l.more)
		printf("... and older ones\n");
	store_post_list_done(&l);
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct outbox_options o = {0};
	bool helped = false;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	rc = service_open(&s, &o.service, STORE_READ, err);
	for (int i = first; rc == 0 && i < argc; i++)
		rc = show(&s, argv[i], err);
	if (rc < 0 || first < argc)
		return rc;
	return list(&s,
		    o.held  ? STORE_OUTBOX_HELD
		    : o.all ? STORE_OUTBOX_ALL
			    : STORE_OUTBOX_OPEN,
		    err);
}

const struct command command_outbox = {.name = "outbox",
				       .args = "[N...] [--held] [--all] [OPTION...]",
				       .summary = "what is to be said to the world; one in full",
				       .run = run,
				       .options = options};
