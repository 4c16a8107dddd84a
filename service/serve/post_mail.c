// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails. */
#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "report/mail_message.h"
#include "serve/post_deliver.h"
#include "serve/post_server.h"

#define HOUR_S 3600
/* A mail that waits for the limit, or for somebody, is looked at again then. */
#define WAIT_S 60.0

/* Words of "sending". The state has to say how far it came: before its last bytes went out no
 * server can have taken the mail. */
#define BEGUN  "being handed over"
#define HANDED "handed over, and no answer yet"
/* Its words, once the time to look it up is set. */
#define ENDED HANDED ": firn ended meanwhile"
/* Before the words of a mail that was handed over once and is sent again. */
#define AGAIN "again: "

struct sending {
	struct deliver *d;
	const struct store_post *post;
	bool again; /* it was handed over before, and nobody knows what came of it */
	struct mail_recipients to;
	struct str message;
	char *from;
	struct err err; /* of on_handing() */
};

static void sending_done(struct sending *s)
{
	mail_recipients_done(&s->to);
	str_done(&s->message);
	free(s->from);
}

static int tell(struct sending *s, enum store_delivery_state state, double delay_s,
		const char *words, struct err *err)
{
	auto_free char *dropped = mail_recipients_words(&s->to);
	auto_free char *all = xasprintf("%s%s%s%s%s", s->again ? AGAIN : "", words,
					*dropped ? " (not to " : "", dropped, *dropped ? ")" : "");

	return deliver_tell(s->d, s->post, state, delay_s, all, err);
}

static bool was_again(const struct store_post *post)
{
	return str_starts(post->words, AGAIN);
}

static bool was_handed(const struct store_post *post)
{
	const char *words = post->words + (was_again(post) ? strlen(AGAIN) : 0);

	return post->state == STORE_DELIVERY_SENDING && str_starts(words, HANDED);
}

/* What says why there is no answer stands behind a colon. */
static bool time_is_set(const struct store_post *post)
{
	const char *words = strstr(post->words, HANDED);

	return words && words[strlen(HANDED)] == ':';
}

/* Those who want no mail. */
static int suppressed_drop(struct sending *s, struct err *err)
{
	for (size_t i = 0; i < s->to.n; i++) {
		struct mail_recipient *r = &s->to.item[i];
		bool is = false;
		int rc = r->dropped ? 0 : store_is_suppressed(s->d->env->store, r->email, &is, err);

		if (rc < 0)
			return rc;
		if (is)
			mail_recipient_drop(r, "wants no mail from firn");
	}
	return 0;
}

static int compose(struct sending *s, const char *from, struct err *err)
{
	const struct mail_compose_options opt = {
		.from = from,
		.message_id = s->post->target,
		/* When it was written: the same bytes, however often it is tried. */
		.date = s->post->written,
		.trial = s->post->trial,
	};

	return mail_compose(s->post->want, &s->to, &opt, &s->message, err);
}

static int on_handing(void *ctx)
{
	struct sending *s = ctx;

	return tell(s, STORE_DELIVERY_SENDING, 0, HANDED, &s->err);
}

static void tick(void *ctx)
{
	const struct role_env *env = ((struct sending *)ctx)->d->env;

	if (env->alive)
		env->alive(env->ctx);
}

static int hand_over(struct sending *s, struct smtp_result *ret, struct err *err)
{
	const char *to[MAIL_RECIPIENTS_MAX + 2];
	struct smtp_server server;
	size_t n = 0, place[MAIL_RECIPIENTS_MAX + 2];
	int rc;

	for (size_t i = 0; i < s->to.n; i++) {
		if (s->to.item[i].dropped)
			continue;
		place[n] = i;
		to[n++] = s->to.item[i].email;
	}
	to[n] = NULL;
	post_server_read(s->d->env, &server);
	server.on_handing = on_handing;
	server.on_tick = tick;
	server.ctx = s;
	rc = smtp_send(&server, s->from, to, &s->message, ret, err);
	if (rc == 0 && s->err.kind != ERR_NONE) {
		*err = s->err;
		return s->err.kind;
	}
	if (rc == 0 && ret->end == SMTP_RECIPIENT)
		ret->refused = ret->refused < n ? place[ret->refused] : place[0];
	return rc;
}

static int unknown(struct sending *s, const char *words, struct err *err)
{
	auto_free char *text = xasprintf(HANDED ": %s", words);
	const char *archive = NULL;
	int rc = deliver_has_archive(s->d, s->post, &archive, err);

	if (rc < 0)
		return rc;
	return tell(s, STORE_DELIVERY_SENDING,
		    archive ? (double)conf_int(s->d->env->conf, CONF_POST_LOOKUP) : WAIT_S, text,
		    err);
}

static int ended(struct sending *s, const struct smtp_result *r, struct err *err)
{
	switch (r->end) {
	case SMTP_SENT: return tell(s, STORE_DELIVERY_SENT, 0, r->words, err);
	case SMTP_UNKNOWN: return unknown(s, r->words, err);
	case SMTP_RETRY:
		if (!deliver_is_stale(s->post))
			return tell(s, STORE_DELIVERY_RETRY, deliver_backoff(s->post), r->words,
				    err);
		break;
	case SMTP_RECIPIENT:
	case SMTP_FAILED: break;
	}
	return tell(s, STORE_DELIVERY_FAILED, 0, r->words, err);
}

/* A recipient that the server refuses is left out, and the others get it: nobody has got it then,
 * since the mail itself was not given. */
static int send_it(struct sending *s, struct err *err)
{
	const char *from = conf_str(s->d->env->conf, CONF_POST_FROM);
	struct smtp_result r = {.end = SMTP_RECIPIENT};
	int rc = suppressed_drop(s, err);

	while (rc == 0 && r.end == SMTP_RECIPIENT) {
		if (!mail_recipients_left(&s->to))
			return tell(s, STORE_DELIVERY_DROPPED, 0, "nobody is left to write to",
				    err);
		rc = compose(s, from, err);
		if (rc == ERR_INPUT)
			return tell(s, STORE_DELIVERY_FAILED, 0, err->msg, err);
		if (rc == 0)
			rc = tell(s, STORE_DELIVERY_SENDING, 0, BEGUN, err);
		if (rc == 0)
			rc = hand_over(s, &r, err);
		if (rc == 0 && r.end == SMTP_RECIPIENT)
			mail_recipient_drop(&s->to.item[r.refused], r.words);
	}
	return rc < 0 ? rc : ended(s, &r, err);
}

static int sending_run(struct deliver *d, const struct store_post *post, bool again,
		       struct err *err)
{
	struct sending s = {.d = d, .post = post, .again = again};
	int rc = mail_from_address(conf_str(d->env->conf, CONF_POST_FROM), &s.from, err);

	mail_recipients_read(post->want, &s.to);
	str_init(&s.message, 0);
	if (rc == 0)
		rc = send_it(&s, err);
	sending_done(&s);
	return rc;
}

/* Handed over, and what came of it is not known. The archive of the list tells, where the mail goes
 * to one; else it is sent once more, under the same Message-ID, by which receivers know it. */
static int resume(struct deliver *d, const struct store_post *post, struct err *err)
{
	struct err why = ERR_INIT;
	long wait_s = conf_int(d->env->conf, CONF_POST_LOOKUP);
	enum deliver_seen seen = DELIVER_NOWHERE;

	/* After a crash: archives take minutes. */
	if (!time_is_set(post))
		return deliver_tell(d, post, STORE_DELIVERY_SENDING, (double)wait_s,
				    was_again(post) ? AGAIN ENDED : ENDED, err);
	seen = deliver_lookup(d, post, &why);
	if (why.kind == ERR_CANCELLED) {
		*err = why;
		return ERR_CANCELLED;
	}
	if (seen == DELIVER_THERE)
		return deliver_tell(d, post, STORE_DELIVERY_SENT, 0,
				    "the answer was lost, and the archive has it", err);
	if (seen == DELIVER_LATER && !deliver_is_stale(post)) {
		log_warn("outbox %lld: %s", (long long)post->id, why.msg);
		return deliver_tell(d, post, STORE_DELIVERY_SENDING, deliver_backoff(post),
				    post->words, err);
	}
	if (was_again(post) || seen == DELIVER_LATER)
		return deliver_tell(d, post, STORE_DELIVERY_FAILED, 0,
				    "it may have been taken: handed over, no answer, and not found",
				    err);
	return sending_run(d, post, true, err);
}

/* A mail that has been begun was allowed to go. Held rows come here only when they are approved. */
static bool is_allowed(const struct deliver *d, const struct store_post *post)
{
	return d->mode == DELIVER_LIVE || post->held || post->state == STORE_DELIVERY_SENDING ||
	       (post->sent_revision == post->revision &&
		(post->state == STORE_DELIVERY_APPROVED || post->tries > 0));
}

static int limit_reached(struct deliver *d, bool *ret_is, struct err *err)
{
	long limit = conf_int(d->env->conf, CONF_POST_LIMIT);
	unsigned n = 0;
	int rc = store_delivery_count(d->env->store, "mail", clock_wall() - HOUR_S, &n, err);

	if (rc < 0)
		return rc;
	*ret_is = n >= (unsigned long)limit;
	if (*ret_is && !d->limit_logged)
		log_warn("%u mails in an hour: the others wait (post.limit)", n);
	d->limit_logged = *ret_is;
	return 0;
}

/* Waits without a change: an approval stays one. */
static int put_off(struct deliver *d, const struct store_post *post, const char *words,
		   struct err *err)
{
	bool approved =
		post->state == STORE_DELIVERY_APPROVED && post->sent_revision == post->revision;

	return store_delivery_tell(d->env->store, post->id, post->revision,
				   approved ? STORE_DELIVERY_APPROVED : STORE_DELIVERY_RETRY,
				   clock_wall() + (int64_t)WAIT_S, words, err);
}

int deliver_mail(struct deliver *d, const struct store_post *post, struct err *err)
{
	bool limited = false;
	int rc;

	if (post->state == STORE_DELIVERY_SENT)
		return deliver_tell(d, post, STORE_DELIVERY_SENT, 0,
				    "sent before it was written anew: a mail cannot be changed",
				    err);
	if (was_handed(post))
		return resume(d, post, err);
	if (!is_allowed(d, post))
		return put_off(d, post, "waits for approval", err);
	if (deliver_is_old(post))
		return put_off(d, post, "too old to be news: waits for firn approve or firn drop",
			       err);
	rc = limit_reached(d, &limited, err);
	if (rc < 0)
		return rc;
	if (limited)
		return put_off(d, post, "waits: enough mails for an hour (post.limit)", err);
	return sending_run(d, post, was_again(post), err);
}

int deliver_mail_dry(struct deliver *d, const struct store_post *post, struct err *err)
{
	struct sending s = {.d = d, .post = post};
	int rc;

	mail_recipients_read(post->want, &s.to);
	str_init(&s.message, 0);
	rc = suppressed_drop(&s, err);
	if (rc == 0)
		rc = compose(&s, conf_str(d->env->conf, CONF_POST_FROM) ?: "firn@dry-run.invalid",
			     err);
	if (rc == ERR_INPUT)
		rc = tell(&s, STORE_DELIVERY_DROPPED, 0, err->msg, err);
	else if (rc == 0)
		rc = deliver_show(d, post, "eml", &s.message, err);
	sending_done(&s);
	return rc;
}
