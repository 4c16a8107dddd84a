/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store in a folder of its own, for the tests of its tables. */
#ifndef FIRN_TESTS_STORE_HELP_H
#define FIRN_TESTS_STORE_HELP_H

#include "unit/unit.h"

#include "base/fs.h"
#include "base/str.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/queue.h"
#include "store/requests.h"
#include "store/sql.h"

struct store_fixture {
	char *dir, *path;
	struct store *store;
	struct err err;
};

static inline int store_setup(void **state)
{
	struct store_fixture *f = xcalloc(1, sizeof(*f));

	f->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(f->dir));
	f->path = xasprintf("%s/firn.db", f->dir);
	assert_ok(store_open(f->path, STORE_WRITE, &f->store, &f->err), &f->err);
	*state = f;
	return 0;
}

/* A number out of the store. */
static inline int64_t ask(struct store_fixture *f, const char *sql)
{
	auto_stmt sqlite3_stmt *stmt = NULL;

	assert_ok(sql_prepare(f->store, sql, &stmt, &f->err), &f->err);
	assert_int_equal(sql_step(f->store, stmt, sql, &f->err), 1);
	return sqlite3_column_int64(stmt, 0);
}

/* Rows of to_plan and to_say that should not be there, or should and are not. */
#define LEFT_WRONG                                                                                 \
	"WITH plan (id) AS (SELECT id FROM posting WHERE state = 'complete' AND newer IS NULL"     \
	" AND NOT EXISTS (SELECT 1 FROM trial WHERE trial.posting = posting.id"                    \
	"  AND trial.digest = posting.digest)),"                                                   \
	" say (id) AS (SELECT outbox.id FROM outbox LEFT JOIN delivery d ON d.outbox = outbox.id"  \
	"  WHERE state IS NULL OR d.revision < outbox.revision"                                    \
	"  OR state IN ('approved', 'sending', 'retry'))"                                          \
	" SELECT (SELECT count(*) FROM plan WHERE id NOT IN (SELECT posting FROM to_plan))"        \
	" + (SELECT count(*) FROM to_plan WHERE posting NOT IN (SELECT id FROM plan))"             \
	" + (SELECT count(*) FROM say WHERE id NOT IN (SELECT outbox FROM to_say))"                \
	" + (SELECT count(*) FROM to_say WHERE outbox NOT IN (SELECT id FROM say))"

static inline int store_teardown(void **state)
{
	struct store_fixture *f = *state;

	/* Whatever a test did: what is left to do is what it is found to be by looking at all. */
	if (f->store)
		assert_int_equal(ask(f, LEFT_WRONG), 0);
	store_close(f->store);
	assert_ok(fs_rmtree(f->dir, &f->err), &f->err);
	free(f->dir);
	free(f->path);
	free(f);
	return 0;
}

#define DAY (24 * 3600)

/* Keeps a mail that answers `refs` (one id, or NULL). */
static inline int64_t mail_put(struct store_fixture *f, const char *id, const char *ref,
			       const char *from, int64_t date)
{
	auto_free char *raw = xasprintf("Message-ID: <%s>\nFrom: %s\n\nText of %s\n", id, from, id);
	const char *refs[] = {ref, NULL};
	struct store_mail_new m = {
		.message_id = id,
		.refs = refs,
		.subject = id,
		.from_name = "A",
		.from_email = from,
		.date = date,
		.raw = raw,
		.raw_len = strlen(raw),
		.list = "demo",
		.source = "lore demo",
		.place = id,
	};
	int64_t mail = 0;
	bool new;

	assert_ok(store_mail_add(f->store, &m, &mail, &new, &f->err), &f->err);
	return mail;
}

/* A posting of one patch, which is this mail. */
static inline int64_t posting_put(struct store_fixture *f, const char *list, int64_t mail,
				  unsigned version, const char *digest)
{
	auto_free char *id = xasprintf("m%lld@example.org", (long long)mail);
	struct store_posting_patch patch = {
		.number = 1, .message_id = id, .subject = "mm: tidy up", .mail = mail};
	const struct store_posting p = {
		.list = (char *)list,
		.message_id = id,
		.title = "mm: tidy up",
		.author_name = "Ada Example",
		.author_email = "ada@example.org",
		.digest = (char *)digest,
		.version = version,
		.total = 1,
		.have = 1,
		.state = STORE_POSTING_COMPLETE,
		.patch = &patch,
		.n_patches = 1,
	};
	int64_t posting = 0;

	assert_ok(store_posting_put(f->store, &p, &posting, &f->err), &f->err);
	return posting;
}

static const char *const trial_steps[] = {"apply", "build", NULL};

static inline int64_t trial_put(struct store_fixture *f, const char *list, int64_t posting,
				enum store_priority priority)
{
	const struct store_plan plan = {
		.posting = posting,
		.list = list,
		.digest = "d1",
		.priority = priority,
		.series = {.title = "mm: tidy up",
			   .message_id = "1@example.org",
			   .author = "Ada Example <ada@example.org>",
			   .version = 1},
	};
	int64_t id = 0;

	assert_ok(store_queue_add(f->store, &plan, trial_steps, &id, &f->err), &f->err);
	return id;
}

#endif
