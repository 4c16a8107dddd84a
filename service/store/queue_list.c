// SPDX-License-Identifier: GPL-2.0-or-later
/* The queue, for who looks at it; and the testbed table. */
#include "store/queue.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

/* A crash of the engine between the fork and store_queue_own() leaves the engine's own pid. */
int store_queue_orphans(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	size_t n = 0;
	int rc = sql_prepare(s,
			     "SELECT id, boot_id, pid, pid_start FROM trial"
			     " WHERE state = 'running' AND posting IS NOT NULL ORDER BY id",
			     &stmt, err);

	if (rc < 0)
		return rc;
	while (n < limit && (rc = sql_step(s, stmt, "looking for orphans", err)) > 0) {
		struct owner o = owner_read(stmt, 1);

		if (!owner_alive(&o))
			ret_ids[n++] = sqlite3_column_int64(stmt, 0);
	}
	if (rc < 0)
		return rc;
	*ret_n = n;
	return 0;
}

#define COLUMNS                                                                                    \
	"id, posting, request, replaces, queued, not_before, started, list, digest, plan, title,"  \
	" message_id, work_dir, priority, attempts, version, state"

static void queued_read(sqlite3_stmt *stmt, struct store_queued *q)
{
	*q = (struct store_queued){
		.id = sqlite3_column_int64(stmt, 0),
		.posting = sqlite3_column_int64(stmt, 1),
		.request = sqlite3_column_int64(stmt, 2),
		.replaces = sqlite3_column_int64(stmt, 3),
		.queued = sqlite3_column_int64(stmt, 4),
		.not_before = sqlite3_column_int64(stmt, 5),
		.started = sqlite3_column_int64(stmt, 6),
		.list = sql_column_text(stmt, 7),
		.digest = sql_column_text(stmt, 8),
		.plan = sql_column_text(stmt, 9),
		.title = sql_column_text(stmt, 10),
		.message_id = sql_column_text(stmt, 11),
		.work_dir = sql_column_text(stmt, 12),
		.priority = (enum store_priority)sqlite3_column_int64(stmt, 13),
		.attempts = (unsigned)sqlite3_column_int64(stmt, 14),
		.version = (unsigned)sqlite3_column_int64(stmt, 15),
		.state = trial_state_parse((const char *)sqlite3_column_text(stmt, 16)),
	};
}

void store_queued_done(struct store_queued *q)
{
	free(q->list);
	free(q->digest);
	free(q->plan);
	free(q->title);
	free(q->message_id);
	free(q->work_dir);
	*q = (struct store_queued){0};
}

int store_queue_get(struct store *s, int64_t id, struct store_queued *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc =
		sql_row(s, "SELECT " COLUMNS " FROM trial WHERE id = :id", "trial", id, &stmt, err);

	if (rc < 0)
		return rc;
	queued_read(stmt, ret);
	return 0;
}

int store_queue_newest(struct store *s, int64_t posting, int64_t *ret_id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT coalesce(max(id), 0) FROM trial WHERE posting = :posting",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	rc = sql_step(s, stmt, "looking for a trial", err);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_column_int64(stmt, 0);
	return 0;
}

int store_queue_list(struct store *s, unsigned limit, struct store_queue_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct store_queue_list l = {0};
	int rc = sql_prepare(
		s,
		"SELECT " COLUMNS " FROM trial WHERE state IN ('running', 'waiting')"
		" ORDER BY state = 'waiting', CASE state WHEN 'running' THEN started END, priority,"
		" (SELECT coalesce(max(served.started), 0) FROM trial served"
		"  WHERE served.list = trial.list AND served.posting IS NOT NULL),"
		" queued, id LIMIT :limit",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", limit);
	while ((rc = sql_step(s, stmt, "listing the queue", err)) > 0) {
		arr_grow(l.trial, l.n, l.cap);
		queued_read(stmt, &l.trial[l.n++]);
	}
	if (rc < 0) {
		store_queue_list_done(&l);
		return rc;
	}
	*ret = l;
	return 0;
}

void store_queue_list_done(struct store_queue_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		store_queued_done(&l->trial[i]);
	free(l->trial);
	*l = (struct store_queue_list){0};
}

int store_testbed_tell(struct store *s, const char *name, bool good, const char *words,
		       struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"INSERT INTO testbed (name, state, since, checked, words)"
		" VALUES (:name, :state, :now, :now, :words) ON CONFLICT (name) DO UPDATE"
		" SET since = CASE WHEN state = :state THEN since ELSE :now END, state = :state,"
		" checked = :now, words = :words",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":name", name);
	sql_text(stmt, ":state", good ? "good" : "out");
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":words", words);
	return sql_run(s, stmt, "noting how a testbed is", err);
}

int store_testbed_count(struct store *s, const char *name, unsigned boots, unsigned failed,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE testbed SET boots = boots + :boots, failed = failed + :failed"
			     " WHERE name = :name",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":name", name);
	sql_int(stmt, ":boots", boots);
	sql_int(stmt, ":failed", failed);
	return sql_run(s, stmt, "counting boots", err);
}

int store_testbed_list(struct store *s, struct store_testbed_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct store_testbed_list l = {0};
	int rc = sql_prepare(s,
			     "SELECT name, words, state = 'good', since, checked, boots, failed"
			     " FROM testbed ORDER BY name",
			     &stmt, err);

	if (rc < 0)
		return rc;
	while ((rc = sql_step(s, stmt, "listing testbeds", err)) > 0) {
		arr_grow(l.testbed, l.n, l.cap);
		l.testbed[l.n++] = (struct store_testbed){
			.name = sql_column_text(stmt, 0),
			.words = sql_column_text(stmt, 1),
			.good = sqlite3_column_int(stmt, 2) != 0,
			.since = sqlite3_column_int64(stmt, 3),
			.checked = sqlite3_column_int64(stmt, 4),
			.boots = sqlite3_column_int64(stmt, 5),
			.failed = sqlite3_column_int64(stmt, 6),
		};
	}
	if (rc < 0) {
		store_testbed_list_done(&l);
		return rc;
	}
	*ret = l;
	return 0;
}

void store_testbed_list_done(struct store_testbed_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->testbed[i].name);
		free(l->testbed[i].words);
	}
	free(l->testbed);
	*l = (struct store_testbed_list){0};
}
