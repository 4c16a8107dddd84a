// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks to Patchwork. They cannot be changed there, and each adds a row: so one whose answer was
 * lost is looked for first. */
#include "base/fault.h"
#include "base/json.h"
#include "base/log.h"
#include "intake/patchwork.h"
#include "serve/post_deliver.h"
#include "serve/post_server.h"

/* When only the operator can mend it. */
#define OPERATOR_S 3600.0

struct check {
	const struct conf_section *section;
	int64_t patch;
	struct patchwork_check say;
	struct patchwork_server server;
};

/* "NAME NUMBER" */
static bool target_parse(const struct conf *conf, const char *target, struct check *ret)
{
	const char *blank = strrchr(target, ' ');
	auto_free char *name = blank ? xmemdup(target, (size_t)(blank - target)) : NULL;
	char *end = NULL;

	if (!name)
		return false;
	errno = 0;
	ret->patch = strtoll(blank + 1, &end, 10);
	ret->section = conf_section_find(conf, CONF_SECTION_PATCHWORK, name);
	return !errno && !*end && ret->patch > 0 && ret->section;
}

static void check_read(const struct store_post *post, struct check *c)
{
	c->say = (struct patchwork_check){
		.context = post->context,
		.state = json_get_str(post->want, "state", ""),
		.description = json_get_str(post->want, "description", NULL),
		.url = json_get_str(post->want, "url", NULL),
	};
}

static int again(struct deliver *d, const struct store_post *post, bool sent, const struct err *why,
		 struct err *err)
{
	double delay = why->kind == ERR_CONFIG ? OPERATOR_S : deliver_backoff(post);

	if (why->kind == ERR_CANCELLED) {
		*err = *why;
		return ERR_CANCELLED;
	}
	if (why->kind == ERR_INPUT || deliver_is_stale(post))
		return deliver_tell(d, post, STORE_DELIVERY_FAILED, 0, why->msg, err);
	return deliver_tell(d, post, sent ? STORE_DELIVERY_SENDING : STORE_DELIVERY_RETRY, delay,
			    why->msg, err);
}

static int send_it(struct deliver *d, const struct store_post *post, const struct check *c,
		   struct err *err)
{
	struct err why = ERR_INIT;
	bool sent = false;
	int rc = deliver_tell(d, post, STORE_DELIVERY_SENDING, 0, "being posted", err);

	if (rc < 0)
		return rc;
	fault_point("check-before");
	rc = patchwork_check_post(&c->server, c->patch, &c->say, &sent, &why);
	fault_point("check-after");
	if (rc < 0)
		return again(d, post, sent, &why, err);
	return deliver_tell(d, post, STORE_DELIVERY_SENT, 0, c->say.state, err);
}

static int look_first(struct deliver *d, const struct store_post *post, const struct check *c,
		      struct err *err)
{
	struct err why = ERR_INIT;
	bool is = false;

	if (patchwork_check_is(&c->server, c->patch, &c->say, &is, &why) < 0)
		return again(d, post, true, &why, err);
	if (is)
		return deliver_tell(d, post, STORE_DELIVERY_SENT, 0,
				    "the answer was lost, and it is there", err);
	return send_it(d, post, c, err);
}

int deliver_check(struct deliver *d, const struct store_post *post, struct err *err)
{
	__attribute__((cleanup(post_secret_wipe))) struct str token;
	struct err why = ERR_INIT;
	struct check c = {0};

	str_init(&token, POST_SECRET_MAX);
	if (!target_parse(d->env->conf, post->target, &c))
		return deliver_tell(d, post, STORE_DELIVERY_FAILED, 0,
				    "no [patchwork] of the configuration has this patch", err);
	if (post_token_read(c.section, &token, &why) < 0)
		return again(d, post, post->state == STORE_DELIVERY_SENDING, &why, err);
	check_read(post, &c);
	c.server = (struct patchwork_server){
		.url = conf_section_str(c.section, CONF_PATCHWORK_URL),
		.token = token.buf,
		.http = d->http,
	};
	if (post->state == STORE_DELIVERY_SENDING)
		return look_first(d, post, &c, err);
	return send_it(d, post, &c, err);
}

int deliver_check_dry(struct deliver *d, const struct store_post *post, struct err *err)
{
	auto_json json_t *shown =
		json_pack("{s:o, s:o, s:O}", "target", json_text(post->target), "context",
			  json_text(post->context), "check", post->want);
	auto_free char *text = json_dumps(shown, JSON_INDENT(2));
	auto_str struct str out;

	str_init(&out, 0);
	str_addf(&out, "%s\n", text ?: "{}");
	return deliver_show(d, post, "json", &out, err);
}
