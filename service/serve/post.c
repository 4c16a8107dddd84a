// SPDX-License-Identifier: GPL-2.0-or-later
/* The post role: takes what is to be said out of the outbox, and says it once. */
#include "base/clock.h"
#include "base/conf_section.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/proc.h"
#include "report/mail_message.h"
#include "serve/post_deliver.h"
#include "serve/post_server.h"

/* Without news the outbox is looked at so often: a clock that jumps is found out by it. */
#define LOOK_S 60.0

static enum deliver_mode mode_parse(const char *mode)
{
	return strcmp(mode, "live") == 0	? DELIVER_LIVE
	       : strcmp(mode, "moderated") == 0 ? DELIVER_MODERATED
						: DELIVER_DRY;
}

static bool is_aged(const struct store_post *post)
{
	return clock_wall() - post->written > DELIVER_DAYS * (int64_t)(24 * 3600);
}

/* A clock that jumps makes no tries. */
bool deliver_is_stale(const struct store_post *post)
{
	return is_aged(post) && post->tries >= DELIVER_TRIES;
}

bool deliver_is_old(const struct store_post *post)
{
	bool approved =
		post->state == STORE_DELIVERY_APPROVED && post->sent_revision == post->revision;

	return is_aged(post) && !post->tries && !approved;
}

double deliver_backoff(const struct store_post *post)
{
	return http_backoff(post->tries + 1, -1, (uint64_t)post->id);
}

static enum log_level level_of(enum store_delivery_state state)
{
	return state == STORE_DELIVERY_FAILED					  ? LOG_ERROR
	       : state == STORE_DELIVERY_RETRY || state == STORE_DELIVERY_DROPPED ? LOG_WARN
										  : LOG_INFO;
}

int deliver_tell(struct deliver *d, const struct store_post *post, enum store_delivery_state state,
		 double delay_s, const char *words, struct err *err)
{
	int64_t not_before = delay_s > 0 ? clock_wall() + (int64_t)(delay_s + 0.5) : 0;
	int rc;

	fault_point("delivery-before");
	rc = store_delivery_tell(d->env->store, post->id, post->revision, state, not_before, words,
				 err);
	if (rc < 0)
		return rc;
	fault_point("delivery-after");
	if (state == STORE_DELIVERY_SENDING && !not_before)
		return 0; /* what comes of it is told in a moment */
	log_at(level_of(state), "outbox %lld, %s %s%s%s: %s%s%s", (long long)post->id, post->poster,
	       post->target, *post->context ? " " : "", post->context,
	       store_delivery_state_name(state), *words ? ": " : "", words);
	return 0;
}

int deliver_show(struct deliver *d, const struct store_post *post, const char *suffix,
		 const struct str *text, struct err *err)
{
	auto_free char *path = xasprintf("%s/%lld.%s", d->dir, (long long)post->id, suffix);
	auto_free char *words = xasprintf("would have been sent: %s", path);
	int rc = fs_mkdirs(d->dir, err);

	if (rc == 0)
		rc = fs_write_atomic(path, text->buf, text->len, err);
	return rc < 0 ? rc : deliver_tell(d, post, STORE_DELIVERY_DRY, 0, words, err);
}

/* What was sent stays "sent": it cannot be taken back, and must be found by those who ask what was
 * said last. */
static int withdrawn(struct deliver *d, const struct store_post *post, struct err *err)
{
	bool sent = post->state == STORE_DELIVERY_SENT;

	return deliver_tell(
		d, post, sent ? STORE_DELIVERY_SENT : STORE_DELIVERY_DROPPED, 0,
		sent ? "withdrawn after it was sent; a later revision is not" : "withdrawn", err);
}

static int deliver(struct deliver *d, const struct store_post *post, struct err *err)
{
	bool mail = strcmp(post->poster, "mail") == 0, outdone = false;
	int rc;

	if (post->withdrawn)
		return withdrawn(d, post, err);
	rc = store_outbox_is_outdone(d->env->store, post, &outdone, err);
	if (rc < 0)
		return rc;
	if (outdone)
		return deliver_tell(d, post, STORE_DELIVERY_DROPPED, 0,
				    "something newer is said in its place", err);
	if (d->mode == DELIVER_DRY)
		return mail ? deliver_mail_dry(d, post, err) : deliver_check_dry(d, post, err);
	return mail ? deliver_mail(d, post, err) : deliver_check(d, post, err);
}

/* One row. `*ret_wait_s` is how long nothing can be done; 0: there was something. */
static int next(struct deliver *d, double *ret_wait_s, struct err *err)
{
	struct store_post post = {0};
	bool found = false;
	int64_t when = 0, now = clock_wall();
	int rc = store_outbox_next(d->env->store, now, &post, &found, &when, err);

	if (rc == 0 && found)
		rc = deliver(d, &post, err);
	store_post_done(&post);
	if (rc < 0)
		return rc;
	*ret_wait_s = found ? 0 : LOOK_S;
	if (!found && when && (double)(when - now) < LOOK_S)
		*ret_wait_s = (double)(when - now);
	return 0;
}

static void tick(void *ctx)
{
	const struct role_env *env = ctx;

	if (env->alive)
		env->alive(env->ctx);
}

/* Mistakes of the configuration are found before the first mail waits for them. */
static int check_mail(const struct role_env *env, struct err *err)
{
	struct smtp_server server;
	auto_free char *from = NULL;
	const struct conf_section *list;

	for (size_t i = 0; (list = conf_section_nth(env->conf, CONF_SECTION_LIST, i)); i++) {
		int rc;

		if (strcmp(conf_section_str(list, CONF_LIST_MAIL), "never") == 0)
			continue;
		post_server_read(env, &server);
		rc = mail_from_address(conf_str(env->conf, CONF_POST_FROM), &from, err);
		if (rc == 0)
			rc = smtp_check(&server, err);
		return rc < 0 ? err_wrap(err, "[list \"%s\"] has mail = %s", list->name,
					 conf_section_str(list, CONF_LIST_MAIL))
			      : 0;
	}
	return 0;
}

static int check_tokens(const struct role_env *env, struct err *err)
{
	const struct conf_section *s;
	int rc = 0;

	for (size_t i = 0; rc == 0 && (s = conf_section_nth(env->conf, CONF_SECTION_PATCHWORK, i));
	     i++) {
		__attribute__((cleanup(post_secret_wipe))) struct str token;

		str_init(&token, POST_SECRET_MAX);
		if (conf_section_str(s, CONF_PATCHWORK_TOKEN))
			rc = post_token_read(s, &token, err);
	}
	return rc;
}

static int begin(struct deliver *d, struct err *err)
{
	const struct role_env *env = d->env;
	const struct http_options opt = {
		.contact = conf_str(env->conf, CONF_HTTP_CONTACT),
		.on_tick = tick,
		.ctx = (void *)env,
	};
	int rc = 0;

	d->mode = mode_parse(conf_str(env->conf, CONF_POST_MODE));
	d->dir = xasprintf("%s/outbox", env->data_dir);
	if (d->mode != DELIVER_DRY)
		rc = check_mail(env, err);
	if (rc == 0 && d->mode != DELIVER_DRY)
		rc = check_tokens(env, err);
	return rc < 0 ? rc : http_new(&opt, &d->http, err);
}

static int run(const struct role_env *env, struct err *err)
{
	struct deliver d = {.env = env};
	double wait_s = 0;
	int rc = begin(&d, err);

	while (rc == 0 && !cancel_requested()) {
		tick((void *)env);
		rc = deliver_requests(&d, err);
		if (rc == 0)
			rc = next(&d, &wait_s, err);
		if (rc == 0 && wait_s > 0 && (env->once || !role_wait(env, clock_mono() + wait_s)))
			break;
	}
	http_free(d.http);
	free(d.dir);
	return rc == ERR_CANCELLED && !env->once ? 0 : rc;
}

const struct role role_post = {
	.name = "post",
	.summary = "sends checks to Patchwork and answers by mail",
	.run = run,
};
