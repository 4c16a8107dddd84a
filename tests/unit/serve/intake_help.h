/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails into a store, for the tests of intake. */
#ifndef FIRN_TESTS_INTAKE_HELP_H
#define FIRN_TESTS_INTAKE_HELP_H

#include "../store/store_help.h"

#include "base/clock.h"
#include "series/repo.h"
#include "serve/intake.h"

struct intake_fixture {
	struct store_fixture store; /* first: helpers of store_help.h take it */
	struct conf conf;
	int64_t now; /* of the next mail; one second later each */
	unsigned place;
};

static inline void conf_text(struct intake_fixture *f, const char *text)
{
	auto_free char *path = xasprintf("%s/config", f->store.dir);

	conf_done(&f->conf);
	f->conf = (struct conf){0};
	assert_ok(fs_write_atomic(path, text, strlen(text), &f->store.err), &f->store.err);
	assert_ok(conf_read(&f->conf, path, NULL, NULL, &f->store.err), &f->store.err);
}

/* Without a tree that is there: its usual folders are known. */
#define CONF_TREE "[tree \"none\"]\n\tpath = /nonexistent/tree\n"
#define CONF_ONE  CONF_TREE "[list \"demo\"]\n\ttree = none\n\tlore = http://127.0.0.1/demo/\n"

static inline int intake_setup(void **state)
{
	struct store_fixture *plain;
	struct intake_fixture *f;

	repo_setup();
	store_setup((void **)&plain);
	f = xcalloc(1, sizeof(*f));
	f->store = *plain;
	free(plain);
	f->now = clock_wall() - 3600;
	conf_text(f, CONF_ONE);
	*state = f;
	return 0;
}

static inline int intake_teardown(void **state)
{
	struct intake_fixture *f = *state;

	conf_done(&f->conf);
	return store_teardown(state);
}

static inline char *date_text(int64_t t)
{
	char buf[64];
	struct tm tm;
	time_t when = (time_t)t;

	gmtime_r(&when, &tm);
	strftime(buf, sizeof(buf), "%a, %d %b %Y %H:%M:%S +0000", &tm);
	return xstrdup(buf);
}

/* Bytes into the store, as from this list's archive. */
static inline void bring_raw(struct intake_fixture *f, const char *list, const char *raw, size_t n)
{
	auto_free char *source = xasprintf("lore %s", list);
	auto_free char *place = xasprintf("%040x", ++f->place);
	struct intake_box b = {.store = f->store.store, .list = list, .source = source};

	box_add_mail(&b, raw, n, place, f->now);
	assert_ok(box_keep(&b, &f->store.err), &f->store.err);
	box_done(&b);
}

struct letter {
	const char *id, *subject, *from, *answers, *body, *headers;
};

static inline char *letter_text(struct intake_fixture *f, const struct letter *l)
{
	auto_free char *date = date_text(f->now++);
	auto_free char *ref =
		l->answers ? xasprintf("In-Reply-To: <%s>\n", l->answers) : xstrdup("");

	return xasprintf("%sMessage-ID: <%s>\nDate: %s\nFrom: %s\nSubject: %s\n%s\n%s",
			 l->headers ? l->headers : "", l->id, date,
			 l->from ? l->from : "Ada Example <ada@example.org>", l->subject, ref,
			 l->body);
}

static inline void bring(struct intake_fixture *f, const struct letter *l)
{
	auto_free char *text = letter_text(f, l);

	bring_raw(f, "demo", text, strlen(text));
}

#define DIFF(path)                                                                                 \
	"Because.\n\nSigned-off-by: Ada Example <ada@example.org>\n---\n " path                    \
	" | 2 +-\n\ndiff --git a/" path " b/" path "\nindex 1111111..2222222 100644\n--- a/" path  \
	"\n+++ b/" path "\n@@ -1 +1 @@\n-one\n+two\n"

static inline void settle(struct intake_fixture *f)
{
	struct settle st = {.conf = &f->conf, .store = f->store.store};

	assert_ok(intake_settle(&st, &f->store.err), &f->store.err);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail WHERE state = 'new'"), 0);
}

/* Text out of the store; the caller frees. */
static inline char *ask_text(struct intake_fixture *f, const char *sql)
{
	auto_stmt sqlite3_stmt *stmt = NULL;

	assert_ok(sql_prepare(f->store.store, sql, &stmt, &f->store.err), &f->store.err);
	assert_int_equal(sql_step(f->store.store, stmt, sql, &f->store.err), 1);
	return xstrdup((const char *)sqlite3_column_text(stmt, 0) ?: "(null)");
}

#define assert_text(f, sql, want)                                                                  \
	do {                                                                                       \
		auto_free char *got_ = ask_text(f, sql);                                           \
		assert_string_equal(got_, want);                                                   \
	} while (0)

#endif
