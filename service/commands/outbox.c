// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "commands/service.h"
#include "store/objects.h"

#define ROWS_MAX 200

struct outbox_options {
	struct service_options service;
	bool held, all, json;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct outbox_options),
	{"held", 0, .type = OPTION_FLAG, .help = "only what waits for firn approve",
	 .offset = offsetof(struct outbox_options, held)},
	{"all", 'a', .type = OPTION_FLAG, .help = "what has been sent too",
	 .offset = offsetof(struct outbox_options, all)},
	{"json", 0, .type = OPTION_FLAG, .help = "as JSON, as /api/v1/outbox has it",
	 .offset = offsetof(struct outbox_options, json)},
	{0},
};

static void print_row(const struct store_post *p)
{
	bool mail = strcmp(p->poster, "mail") == 0;
	const char *what = json_get_str(p->want, mail ? "subject" : "description", "");
	auto_free char *words = shown(what, 120), *target = shown(p->target, 80),
		       *answer = shown(p->words, 120);
	char at[CLOCK_ISO_MAX];

	printf("%6lld  %-10s %-9s %s %s: %s\n", (long long)p->id, view_post_word(p), p->poster,
	       target, mail ? "" : p->context, words);
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

static void print_json_row(const struct store_post *p)
{
	auto_json json_t *obj = object_post(p, true);

	json_dumpf(obj, stdout, JSON_INDENT(2));
	putchar('\n');
}

/* One by its number: whole, so that who approves knows what. */
static int show(struct service *s, const char *text, bool json, struct err *err)
{
	struct store_post p = {0};
	int64_t id = 0;
	int rc = parse_id(text, "a row of the outbox", &id, err);

	if (rc == 0)
		rc = store_outbox_get(s->store, id, &p, err);
	if (rc == 0 && json) {
		print_json_row(&p);
	} else if (rc == 0) {
		print_row(&p);
		if (strcmp(p.poster, "mail") == 0)
			print_mail(&p);
	}
	store_post_done(&p);
	return rc;
}

static void print_objects(const struct store_post_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, object_post(&l->post[i], true));
	print_json("posts", rows, l->more);
}

static void print_rows(const struct store_post_list *l, bool held)
{
	for (size_t i = 0; i < l->n; i++)
		print_row(&l->post[i]);
	if (l->n == 0)
		puts(held ? "nothing is held" : "nothing is to be sent");
	if (l->more)
		printf("... and older ones\n");
}

static int list(struct service *s, const struct outbox_options *o, struct err *err)
{
	enum store_outbox_which which = o->held	 ? STORE_OUTBOX_HELD
					: o->all ? STORE_OUTBOX_ALL
						 : STORE_OUTBOX_OPEN;
	struct store_post_list l = {0};
	int rc = store_outbox_list(s->store, which, 0, ROWS_MAX, &l, err);

	if (rc == 0 && o->json)
		print_objects(&l);
	else if (rc == 0)
		print_rows(&l, o->held);
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
		rc = show(&s, argv[i], o.json, err);
	if (rc < 0 || first < argc)
		return rc;
	return list(&s, &o, err);
}

const struct command command_outbox = {.name = "outbox",
				       .args = "[N...] [--held] [--all] [--json] [OPTION...]",
				       .summary = "what is to be said to the world; one in full",
				       .run = run,
				       .options = options};
