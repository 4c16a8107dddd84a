// SPDX-License-Identifier: GPL-2.0-or-later
/* `firn approve`, `drop`, `suppress`, `allow`: requests to the post role. */
#include "base/str.h"
#include "commands/service.h"
#include "store/outbox.h"
#include "store/requests.h"

#define ANSWER_S 5.0
#define HELD_MAX 1000

struct approve_options {
	struct service_options service;
};
static const struct option_row options[] = {SERVICE_OPTIONS(struct approve_options), {0}};

static int ask(struct service *s, const char *kind, json_t *arguments, struct err *err)
{
	int64_t request = 0, trial;
	int rc = service_request(s, kind, "", arguments, &request, err);

	return rc < 0 ? rc : service_follow(s, request, ANSWER_S, &trial, err);
}

static int ask_row(struct service *s, const char *kind, int64_t outbox, struct err *err)
{
	return ask(s, kind, json_pack("{s:I}", "outbox", (json_int_t)outbox), err);
}

/* Those that are held now: what comes later has not been seen by who says "all". */
static int ask_all(struct service *s, const char *kind, struct err *err)
{
	struct store_post_list l = {0};
	int rc = store_outbox_list(s->store, STORE_OUTBOX_HELD, 0, HELD_MAX, &l, err), worst = 0;

	if (rc == 0 && l.n == 0)
		puts("nothing is held");
	for (size_t i = l.n; rc >= 0 && i-- > 0;) {
		printf("%lld: ", (long long)l.post[i].id);
		fflush(stdout);
		rc = ask_row(s, kind, l.post[i].id, err);
		worst = rc > worst ? rc : worst;
	}
	if (rc >= 0 && l.more)
		printf("there are more: say it again\n");
	store_post_list_done(&l);
	return rc < 0 ? rc : worst;
}

/* RFC 5321 has more to say; what is no address at all suppresses nobody. */
static bool is_address(const char *text)
{
	const char *at = strchr(text, '@');

	if (!at || at == text || !at[1] || strchr(at + 1, '@') || strlen(text) > 254)
		return false;
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || strchr("<>,;\"", *text) || *text == 0x7f)
			return false;
	return true;
}

static int ask_address(struct service *s, const char *kind, const char *address, struct err *err)
{
	if (!is_address(address))
		return err_set(err, ERR_USAGE, "\"%s\" is not an address", address);
	return ask(s, kind, json_pack("{s:s}", "address", address), err);
}

static int ask_outbox(struct service *s, const char *kind, const char *what, struct err *err)
{
	int64_t id = 0;
	int rc;

	if (strcmp(what, "all") == 0 && strcmp(kind, "approve") == 0)
		return ask_all(s, kind, err);
	rc = parse_id(what, "a row of the outbox (firn outbox)", &id, err);
	return rc < 0 ? rc : ask_row(s, kind, id, err);
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct approve_options o = {0};
	bool helped = false;
	int first, worst = 0, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc == first)
		return err_set(err, ERR_USAGE, "firn %s: %s is missing (firn %s --help)", cmd->name,
			       cmd->args, cmd->name);
	rc = service_open(&s, &o.service, STORE_WRITE, err);
	for (int i = first; rc >= 0 && i < argc; i++) {
		bool address =
			strcmp(cmd->name, "suppress") == 0 || strcmp(cmd->name, "allow") == 0;

		rc = address ? ask_address(&s, cmd->name, argv[i], err)
			     : ask_outbox(&s, cmd->name, argv[i], err);
		worst = rc > worst ? rc : worst;
	}
	return rc < 0 ? rc : worst;
}

const struct command command_approve = {.name = "approve",
					.args = "N...|all [OPTION...]",
					.summary = "send what post.mode = moderated holds back",
					.run = run,
					.options = options};
const struct command command_drop = {.name = "drop",
				     .args = "N... [OPTION...]",
				     .summary = "do not send it",
				     .run = run,
				     .options = options};
const struct command command_suppress = {.name = "suppress",
					 .args = "ADDRESS... [OPTION...]",
					 .summary = "send no mail to an address any more",
					 .run = run,
					 .options = options};
const struct command command_allow = {.name = "allow",
				      .args = "ADDRESS... [OPTION...]",
				      .summary = "take it back",
				      .run = run,
				      .options = options};
