// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/str.h"
#include "commands/service.h"
#include "store/objects.h"

#define ROWS_DEFAULT 50
#define ROWS_MAX     100000

struct ledger_options {
	struct service_options service;
	const char *n;
	bool json;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct ledger_options),
	{"number", 'n', .arg = "N", .type = OPTION_STRING, .help = "how many mails [50]",
	 .offset = offsetof(struct ledger_options, n)},
	{"json", 0, .type = OPTION_FLAG, .help = "as JSON, as /api/v1/mails has it",
	 .offset = offsetof(struct ledger_options, json)},
	{0},
};

static void print_mail(const struct store_mail *m)
{
	auto_free char *subject = shown(m->subject, 100), *id = shown(m->message_id, 100),
		       *reason = shown(m->reason, 200);
	char at[CLOCK_ISO_MAX];

	printf("%s  %-12s %s\n    <%s>%s%s\n", clock_iso(m->date, at), m->state, subject, id,
	       *reason ? ": " : "", reason);
}

static void print_objects(const struct store_mail_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, object_mail(&l->mail[i]));
	print_json("mails", rows, l->more);
}

static int print_ledger(struct service *s, const char *list, unsigned n, bool json, struct err *err)
{
	auto_store_mail_list struct store_mail_list l = {0};
	int rc = store_mail_list_ledger(s->store, list, n, 0, &l, err);

	if (rc == 0 && json) {
		print_objects(&l);
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		print_mail(&l.mail[i]);
	if (rc == 0 && l.n == 0)
		puts(list ? "no mail of that list has come" : "no mail has come");
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct ledger_options o = {0};
	bool helped = false;
	int64_t n = ROWS_DEFAULT;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first > 1)
		return err_set(err, ERR_USAGE, "firn ledger takes one list");
	if (o.n)
		rc = parse_id(o.n, "mails", &n, err);
	if (rc == 0)
		rc = service_open(&s, &o.service, STORE_READ, err);
	return rc < 0 ? rc
		      : print_ledger(&s, first < argc ? argv[first] : NULL,
				     n > ROWS_MAX ? ROWS_MAX : (unsigned)n, o.json, err);
}

const struct command command_ledger = {.name = "ledger",
				       .args = "[LIST] [--json] [OPTION...]",
				       .summary = "mails, newest first, and what became of each",
				       .run = run,
				       .options = options};
