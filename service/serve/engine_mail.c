// SPDX-License-Identifier: GPL-2.0-or-later
/* The mail at the end of a trial. */
#include "serve/engine_post.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"
#include "report/mail.h"
#include "store/outbox.h"

#define DIGEST 12

static enum outcome verdict(const json_t *report)
{
	return outcome_parse(json_get_str(json_object_get(report, "verdict"), "outcome", NULL));
}

/* Does the policy ask for a mail? What we could not find out is no news to the author. */
static bool policy_wants(const char *policy, enum outcome o)
{
	if (o == OUTCOME_ERROR || o == OUTCOME_SKIP || strcmp(policy, "never") == 0)
		return false;
	if (strcmp(policy, "always") == 0)
		return true;
	return o == OUTCOME_FAIL || (o == OUTCOME_WARN && strcmp(policy, "warning") == 0);
}

/* What was said about this very version before: the trial's outcome. False: nothing was. */
static int said_before(const struct post_about *about, bool *ret_said, enum outcome *ret_outcome,
		       struct err *err)
{
	struct store_post last = {0};
	auto_store_trial struct store_trial t = {0};
	bool found = false;
	int rc = store_outbox_last_sent(about->store, about->trial->id, "mail", "", &last, &found,
					err);

	if (rc == 0 && found)
		rc = store_trial_get(about->store, last.trial, &t, err);
	store_post_done(&last);
	if (rc < 0)
		return rc;
	*ret_said = found && t.posting == about->posting->id;
	*ret_outcome = t.outcome;
	return 0;
}

static bool is_good(enum outcome o)
{
	return o == OUTCOME_PASS || o == OUTCOME_SKIP;
}

/* Once for each version, and again when it turns out otherwise: then also that it is good now. */
static int mail_wanted(const struct post_about *about, const char *policy, enum outcome o,
		       bool *ret_wanted, struct err *err)
{
	enum outcome before = OUTCOME_SKIP;
	bool said = false;
	int rc = said_before(about, &said, &before, err);

	if (rc < 0)
		return rc;
	*ret_wanted = said ? o != OUTCOME_ERROR && strcmp(policy, "never") != 0 && o != before &&
				      (policy_wants(policy, o) || is_good(o))
			   : policy_wants(policy, o);
	return 0;
}

/* The subject as it came; NULL when that mail is not here. */
static int original_find(const struct post_about *about, const char *message_id, char **ret,
			 struct err *err)
{
	auto_store_mail_list struct store_mail_list mails = {0};
	int rc = store_mail_list_by_id(about->store, message_id, &mails, err);

	if (rc == 0 && mails.n)
		*ret = xstrdup(mails.mail[0].subject);
	return rc;
}

static char *body_make(const struct post_about *about, const struct conf_section *list,
		       const json_t *report)
{
	auto_free char *url = post_url(about, NULL);
	const struct report_mail_options opt = {
		.url = url,
		.contact = conf_str(about->conf, CONF_HTTP_CONTACT),
		.commands = conf_section_bool(list, CONF_LIST_COMMANDS)};

	return report_mail_body(report, &opt);
}

static json_t *recipients(const struct post_about *about, const struct conf_section *list)
{
	const char *address = conf_section_str(list, CONF_LIST_ADDRESS);
	json_t *want =
		json_pack("{s:[o], s:[]}", "to", json_text(about->posting->author_email), "cc");

	if (address && conf_section_bool(list, CONF_LIST_MAIL_LIST))
		json_array_append_new(json_object_get(want, "cc"), json_text(address));
	return want;
}

static void threading(const struct post_about *about, const char *in_reply_to, json_t *want)
{
	json_t *refs = json_array();

	if (strcmp(about->posting->message_id, in_reply_to) != 0)
		json_array_append_new(refs, json_text(about->posting->message_id));
	json_array_append_new(refs, json_text(in_reply_to));
	json_object_set_new(want, "references", refs);
	json_object_set_new(want, "in_reply_to", json_text(in_reply_to));
}

char *post_message_id(const struct conf *conf, const char *name, const char *what)
{
	const char *from = conf_str(conf, CONF_POST_FROM);
	const char *at = from ? strrchr(from, '@') : NULL;
	char hex[HASH_HEX_MAX];

	return xasprintf("firn.%s.%.*s@%.*s", name, DIGEST, hash_hex(what, strlen(what), hex),
			 at ? (int)strcspn(at + 1, "> ") : 9, at ? at + 1 : "localhost");
}

/* The same trial with the same outcome gives the same id, whenever it is asked for. */
static char *message_id_make(const struct post_about *about, enum outcome o)
{
	auto_free char *name = xasprintf("%lld", (long long)about->trial->id);
	auto_free char *what =
		xasprintf("%s %s %s", name, about->posting->message_id, outcome_name(o));

	return post_message_id(about->conf, name, what);
}

static int mail_put(const struct post_about *about, const struct conf_section *list,
		    const json_t *report, struct err *err)
{
	const char *to = report_mail_target(report, NULL);
	auto_free char *target = message_id_make(about, verdict(report)), *original = NULL;
	auto_json json_t *want = NULL;
	struct store_post_new post = {.trial = about->trial->id, .poster = "mail", .context = ""};
	int64_t id;
	int rc;

	if (!to)
		return 0;
	rc = original_find(about, to, &original, err);
	if (rc < 0)
		return rc;
	auto_free char *subject = report_mail_subject(report, original);
	auto_free char *body = body_make(about, list, report);

	want = recipients(about, list);
	threading(about, to, want);
	json_object_set_new(want, "subject", json_text(subject));
	json_object_set_new(want, "body", json_text(body));
	post.target = target;
	post.want = want;
	post.held = strcmp(conf_str(about->conf, CONF_POST_MODE), "moderated") == 0;
	return store_outbox_put(about->store, &post, &id, err);
}

int post_mail(const struct post_about *about, const json_t *report, struct err *err)
{
	const struct conf_section *list =
		conf_section_find(about->conf, CONF_SECTION_LIST, about->posting->list);
	bool wanted = false;
	int rc;

	if (!list || !post_wanted(about) || !*about->posting->author_email)
		return 0;
	rc = mail_wanted(about, conf_section_str(list, CONF_LIST_MAIL), verdict(report), &wanted,
			 err);
	return rc < 0 || !wanted ? rc : mail_put(about, list, report, err);
}
