/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The post role on a store of its own, with a mail server that does what it is told. */
#ifndef FIRN_TESTS_POST_HELP_H
#define FIRN_TESTS_POST_HELP_H

#include "unit/store/store_help.h"

#include "base/clock.h"
#include "base/conf.h"
#include "base/json.h"
#include "serve/role.h"
#include "unit/serve/smtp_stand_in.h"
#include <stdio.h>
#include <sys/stat.h>

struct post_fixture {
	struct store_fixture *s;
	struct conf conf;
	char *mails; /* folder of what the server took */
	struct smtp_stand_in smtp, archive;
	int64_t trial;
	struct err err;
};

static inline void conf_write(struct post_fixture *f, const char *more)
{
	auto_free char *path = xasprintf("%s/config", f->s->dir);
	auto_free char *text = xasprintf(
		"[post]\nmode = live\nfrom = firn <firn@example.org>\nsmtp = 127.0.0.1:%u\n"
		"tls = none\nlookup = 0\n%s\n[list \"demo\"]\nlore = http://127.0.0.1:%u/demo/\n"
		"address = demo@lists.example.org\ntree = x\n[tree \"x\"]\npath = /tmp\n",
		f->smtp.port, more, f->archive.port);

	assert_ok(fs_write_atomic(path, text, strlen(text), &f->err), &f->err);
	conf_done(&f->conf);
	f->conf = (struct conf){0};
	assert_ok(conf_read(&f->conf, path, NULL, NULL, &f->err), &f->err);
}

static inline void fixture_make(struct post_fixture *f, void **state, const char *const *behaviour)
{
	int64_t mail, posting;

	f->s = *state;
	f->mails = xasprintf("%s/mails", f->s->dir);
	assert_ok(fs_mkdirs(f->mails, &f->err), &f->err);
	f->smtp = smtp_stand_in_start(f->mails, behaviour);
	f->archive = archive_stand_in_start(f->mails);
	mail = mail_put(f->s, "1@example.org", NULL, "ada@example.org", 1000);
	posting = posting_put(f->s, "demo", mail, 1, "d1");
	f->trial = trial_put(f->s, "demo", posting, STORE_NEW);
	conf_write(f, "");
}

static inline void fixture_end(struct post_fixture *f)
{
	smtp_stand_in_stop(&f->smtp);
	smtp_stand_in_stop(&f->archive);
	conf_done(&f->conf);
	free(f->mails);
}
#define FIXTURE(...)                                                                               \
	__attribute__((cleanup(fixture_end))) struct post_fixture f = {0};                         \
	fixture_make(&f, state, (const char *const[]){__VA_ARGS__, NULL})

static inline int role_once(struct post_fixture *f)
{
	const struct role_env env = {.conf = &f->conf,
				     .data_dir = f->s->dir,
				     .cache_dir = f->s->dir,
				     .store = f->s->store,
				     .once = true};

	f->err = (struct err)ERR_INIT;
	return role_post.run(&env, &f->err);
}

static inline void role_good(struct post_fixture *f)
{
	assert_ok(role_once(f), &f->err);
}

/* What waits may be done now. */
static inline void time_passes(struct post_fixture *f)
{
	auto_stmt sqlite3_stmt *stmt = NULL;

	assert_ok(sql_prepare(f->s->store, "UPDATE delivery SET not_before = 1 WHERE not_before",
			      &stmt, &f->err),
		  &f->err);
	assert_ok(sql_run(f->s->store, stmt, "letting time pass", &f->err), &f->err);
}

static inline int64_t mail_want(struct post_fixture *f, const char *id, const char *to,
				const char *cc, bool held)
{
	auto_json json_t *want =
		json_pack("{s:[s], s:[s*], s:s, s:s, s:[s], s:s}", "to", to, "cc", cc, "subject",
			  "Re: [PATCH] mm: tidy up", "in_reply_to", "1@example.org", "references",
			  "1@example.org", "body", "This fails: it does not build\n");
	const struct store_post_new post = {.trial = f->trial,
					    .poster = "mail",
					    .target = id,
					    .context = "",
					    .want = want,
					    .held = held};
	int64_t row = 0;

	assert_ok(store_outbox_put(f->s->store, &post, &row, &f->err), &f->err);
	return row;
}

static inline int64_t a_mail(struct post_fixture *f)
{
	return mail_want(f, "m1@example.org", "Ada <ada@example.org>", NULL, false);
}

static inline void state_is(struct post_fixture *f, int64_t row, enum store_delivery_state state,
			    const char *words)
{
	struct store_post p = {0};

	assert_ok(store_outbox_get(f->s->store, row, &p, &f->err), &f->err);
	if (p.state != state || !strstr(p.words, words))
		fail_msg("it is %s: %s; not %s: %s", store_delivery_state_name(p.state), p.words,
			 store_delivery_state_name(state), words);
	store_post_done(&p);
}

static inline void took(struct post_fixture *f, unsigned n)
{
	assert_int_equal(smtp_stand_in_count(f->mails), n);
}

static inline void request(struct post_fixture *f, const char *kind, json_t *arguments, bool good,
			   const char *words)
{
	struct store_request r = {.kind = (char *)kind,
				  .arguments = arguments,
				  .who = "ada@example.org",
				  .via = "command"};
	struct store_answer a = {0};
	int64_t id = 0;

	assert_ok(store_request_add(f->s->store, &r, &id, &f->err), &f->err);
	role_good(f);
	assert_ok(store_request_look(f->s->store, id, &a, &f->err), &f->err);
	assert_true(a.given);
	if (a.good != good || !strstr(a.words, words))
		fail_msg("the answer is %s", a.words);
	store_answer_done(&a);
	json_decref(arguments);
}

#endif
