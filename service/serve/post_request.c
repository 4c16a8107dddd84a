// SPDX-License-Identifier: GPL-2.0-or-later
/* What people ask of the post role. */
#include "base/json.h"
#include "base/log.h"
#include "report/mail_message.h"
#include "serve/post_deliver.h"
#include "store/mails.h"
#include "store/requests.h"

struct answer {
	bool good;
	char *words;
};

static void refuse(struct answer *a, char *words)
{
	*a = (struct answer){.words = words};
}

static void accept_it(struct answer *a, char *words)
{
	*a = (struct answer){.good = true, .words = words};
}

static bool is_over(const struct store_post *post)
{
	return post->sent_revision == post->revision &&
	       (post->state == STORE_DELIVERY_SENT || post->state == STORE_DELIVERY_FAILED ||
		post->state == STORE_DELIVERY_DROPPED || post->state == STORE_DELIVERY_DRY);
}

/* Who asks may have looked at an older revision than the one that would go out. */
static bool is_other_revision(const struct store_request *r, const struct store_post *post)
{
	const json_t *seen = json_object_get(r->arguments, "revision");

	return json_is_integer(seen) && json_integer_value(seen) != (json_int_t)post->revision;
}

static char *state_words(const struct store_post *post)
{
	return xasprintf("outbox %lld is over: %s%s%s", (long long)post->id,
			 store_delivery_state_name(post->state), *post->words ? ": " : "",
			 post->words);
}

static bool is_on_its_way(const struct store_post *post)
{
	if (post->sent_revision != post->revision)
		return false;
	return post->state == STORE_DELIVERY_SENDING || post->state == STORE_DELIVERY_APPROVED ||
	       (post->state == STORE_DELIVERY_RETRY && (post->held || post->tries));
}

/* Why not; NULL: it may be. The caller frees. */
static char *approve_refusal(const struct deliver *d, const struct store_request *r,
			     const struct store_post *post)
{
	long long id = (long long)post->id;

	if (post->withdrawn)
		return xasprintf("outbox %lld is withdrawn", id);
	if (is_over(post))
		return state_words(post);
	if (is_other_revision(r, post))
		return xasprintf("outbox %lld has been written anew: look at it again", id);
	if (post->state == STORE_DELIVERY_SENT && strcmp(post->poster, "mail") == 0)
		return xasprintf("outbox %lld was sent before it was written anew", id);
	if (is_on_its_way(post))
		return xasprintf("outbox %lld is on its way: %s", id,
				 store_delivery_state_name(post->state));
	if (!post->held && d->mode != DELIVER_MODERATED && !deliver_is_old(post))
		return xasprintf("outbox %lld is not held", id);
	return NULL;
}

static int approve(struct deliver *d, const struct store_request *r, const struct store_post *post,
		   struct answer *a, struct err *err)
{
	auto_free char *words = xasprintf("approved by %s", r->who),
		       *refusal = approve_refusal(d, r, post);
	/* An older revision may have been taken: it is looked for first. */
	bool unknown = post->state == STORE_DELIVERY_SENDING;

	if (refusal) {
		refuse(a, take(refusal));
		return 0;
	}
	accept_it(a, xasprintf("outbox %lld is approved", (long long)post->id));
	return deliver_tell(d, post, unknown ? STORE_DELIVERY_SENDING : STORE_DELIVERY_APPROVED, 0,
			    unknown ? post->words : words, err);
}

static int drop(struct deliver *d, const struct store_request *r, const struct store_post *post,
		struct answer *a, struct err *err)
{
	auto_free char *words = xasprintf("dropped by %s", r->who);
	bool sent = post->state == STORE_DELIVERY_SENT;

	if (is_over(post)) {
		refuse(a, state_words(post));
		return 0;
	}
	accept_it(a, xasprintf("outbox %lld is dropped%s", (long long)post->id,
			       post->state == STORE_DELIVERY_SENDING
				       ? "; it was on its way and may have been taken"
			       : sent ? "; an earlier revision was sent"
				      : ""));
	return deliver_tell(d, post, sent ? STORE_DELIVERY_SENT : STORE_DELIVERY_DROPPED, 0, words,
			    err);
}

static int about_post(struct deliver *d, const struct store_request *r, struct answer *a,
		      struct err *err)
{
	const json_t *id = json_object_get(r->arguments, "outbox");
	struct store_post post = {0};
	int rc;

	if (!json_is_integer(id)) {
		refuse(a, xasprintf("%s needs the number of a row of the outbox", r->kind));
		return 0;
	}
	rc = store_outbox_get(d->env->store, json_integer_value(id), &post, err);
	if (rc == ERR_INPUT) {
		refuse(a, xasprintf("nothing in the outbox has the number %lld",
				    (long long)json_integer_value(id)));
		return 0;
	}
	if (rc == 0)
		rc = strcmp(r->kind, "approve") == 0 ? approve(d, r, &post, a, err)
						     : drop(d, r, &post, a, err);
	store_post_done(&post);
	return rc;
}

static int about_address(struct deliver *d, const struct store_request *r, struct answer *a,
			 struct err *err)
{
	const char *address = json_get_str(r->arguments, "address", "");
	auto_free char *words = xasprintf("asked by %s (%s)", r->who, r->via);
	bool suppress = strcmp(r->kind, "suppress") == 0;

	if (!mail_address_ok(address)) {
		refuse(a, xstrdup("that is no mail address"));
		return 0;
	}
	accept_it(a, xasprintf("%s gets %s", address, suppress ? "no more mail" : "mail again"));
	return suppress ? store_suppress(d->env->store, address, words, err)
			: store_allow(d->env->store, address, err);
}

/* The deed and its answer are one transaction. */
static int request_run(struct deliver *d, const struct store_request *r, struct answer *a,
		       struct err *err)
{
	bool post = strcmp(r->kind, "approve") == 0 || strcmp(r->kind, "drop") == 0;
	auto_batch struct store_batch batch = {0};
	int rc = store_batch_begin(&batch, d->env->store, err);

	if (rc == 0)
		rc = post ? about_post(d, r, a, err) : about_address(d, r, a, err);
	if (rc == 0)
		rc = store_request_answer(d->env->store, r->id, a->good, a->words, 0, err);
	return rc < 0 ? rc : store_batch_commit(&batch, "answering a request", err);
}

int deliver_requests(struct deliver *d, struct err *err)
{
	static const char *const kinds[] = {"approve", "drop", "suppress", "allow", NULL};
	bool found = true;
	int rc = 0;

	while (rc == 0 && found) {
		struct store_request r = {0};
		struct answer a = {0};

		rc = store_request_next(d->env->store, kinds, &r, &found, err);
		if (rc == 0 && found)
			rc = request_run(d, &r, &a, err);
		if (rc == 0 && found)
			log_info("request %lld of %s: %s: %s", (long long)r.id, r.who, r.kind,
				 a.words);
		free(a.words);
		store_request_done(&r);
	}
	return rc;
}
