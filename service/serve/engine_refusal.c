// SPDX-License-Identifier: GPL-2.0-or-later
/* Answers to commands by mail that are not obeyed. */
#include "serve/engine.h"

#include "base/json.h"
#include "base/str.h"
#include "report/mail.h"
#include "serve/engine_post.h"
#include "store/outbox.h"

/* What the request is about. A row of the outbox belongs to a trial: without one there is none. */
static int trial_find(const struct engine *e, const struct store_request *r, int64_t *ret_posting,
		      int64_t *ret_trial, struct err *err)
{
	const char *about = json_get_str(r->arguments, "about", r->message_id);
	struct err ignored = ERR_INIT;
	int rc = store_posting_find(e->env->store, about, ret_posting, &ignored);

	if (rc == ERR_INPUT)
		return 0;
	if (rc < 0) {
		*err = ignored;
		return rc;
	}
	return store_queue_newest(e->env->store, *ret_posting, ret_trial, err);
}

static const char *why_silent(const struct conf_section *list)
{
	if (!list)
		return "its list is not in the configuration any more";
	if (strcmp(conf_section_str(list, CONF_LIST_MAIL), "never") == 0)
		return "its list has mail = never";
	return NULL;
}

static json_t *want_make(const struct engine *e, const struct store_request *r,
			 const struct store_posting *p, const struct store_mail *command,
			 const char *words)
{
	const struct report_mail_options opt = {
		.contact = conf_str(e->env->conf, CONF_HTTP_CONTACT),
		.commands = true,
	};
	auto_free char *subject = report_mail_subject(NULL, command->subject);
	auto_free char *body = report_mail_refusal(words, &opt);

	return json_pack("{s:[o], s:[], s:o, s:o, s:o, s:[o, o]}", "to", json_text(r->who), "cc",
			 "subject", json_text(subject), "body", json_text(body), "in_reply_to",
			 json_text(command->message_id), "references", json_text(p->message_id),
			 json_text(command->message_id));
}

static int refusal_put(struct engine *e, const struct store_request *r,
		       const struct store_posting *p, struct store_post_new *post,
		       const char *words, struct err *err)
{
	auto_store_mail_list struct store_mail_list command = {0};
	auto_free char *context = xasprintf("request %lld", (long long)r->id);
	auto_free char *name = xasprintf("request-%lld", (long long)r->id);
	auto_json json_t *want = NULL;
	int64_t id;
	int rc = store_mail_get(e->env->store, r->mail, &command, err);

	if (rc < 0)
		return rc;
	auto_free char *what = xasprintf("%s %s", name, command.mail[0].message_id);
	auto_free char *target = post_message_id(e->env->conf, name, what);
	want = want_make(e, r, p, &command.mail[0], words);
	post->target = target;
	post->context = context;
	post->want = want;
	return store_outbox_put(e->env->store, post, &id, err);
}

int engine_refuse(struct engine *e, const struct store_request *r, const char *words,
		  const char **ret_why, struct err *err)
{
	const struct conf *conf = e->env->conf;
	auto_store_posting struct store_posting p = {0};
	struct store_post_new post = {
		.poster = "mail",
		.held = strcmp(conf_str(conf, CONF_POST_MODE), "moderated") == 0,
	};
	int64_t posting = 0;
	int rc = trial_find(e, r, &posting, &post.trial, err);

	if (rc == 0 && !post.trial) {
		*ret_why = "the series has not been tried";
		return 0;
	}
	if (rc == 0)
		rc = store_posting_get(e->env->store, posting, &p, err);
	if (rc < 0)
		return rc;
	*ret_why = why_silent(conf_section_find(conf, CONF_SECTION_LIST, p.list));
	return *ret_why ? 0 : refusal_put(e, r, &p, &post, words, err);
}
