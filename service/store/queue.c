// SPDX-License-Identifier: GPL-2.0-or-later
/* The trial table as a queue. */
#include "store/queue.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

static int trial_insert(struct store *s, const struct store_plan *plan, int64_t *ret_id,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"INSERT INTO trial (state, posting, list, digest, priority, plan, request, "
		"replaces,"
		" queued, title, message_id, version, author) VALUES ('waiting', :posting, :list,"
		" :digest, :priority, :plan, :request, :replaces, :now, :title, :message_id,"
		" :version, :author)",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_id(stmt, ":posting", plan->posting);
	sql_text(stmt, ":list", plan->list ? plan->list : "");
	sql_text(stmt, ":digest", plan->digest ? plan->digest : "");
	sql_int(stmt, ":priority", plan->priority);
	sql_text(stmt, ":plan", plan->plan ? plan->plan : "{}");
	sql_id(stmt, ":request", plan->request);
	sql_id(stmt, ":replaces", plan->replaces);
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":title", plan->series.title);
	sql_text(stmt, ":message_id", plan->series.message_id);
	sql_int(stmt, ":version", plan->series.version);
	sql_text(stmt, ":author", plan->series.author);
	rc = sql_run(s, stmt, "queueing a trial", err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

int store_queue_add(struct store *s, const struct store_plan *plan, const char *const *steps,
		    int64_t *ret_id, struct err *err)
{
	int64_t id = 0;
	int rc = trial_insert(s, plan, &id, err);

	if (rc == 0)
		rc = sql_steps_insert(s, id, steps, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

int store_queue_unplanned(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
			  struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT posting FROM to_plan ORDER BY posting", &stmt, err);

	return rc < 0 ? rc
		      : sql_ids(s, stmt, limit, ret_ids, ret_n, "looking for what to try", err);
}

int store_queue_outdated(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
			 struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	/* Somebody who asks for an old version wants that one. */
	int rc = sql_prepare(s,
			     "SELECT trial.id FROM trial JOIN posting ON posting.id = posting"
			     " WHERE trial.state IN ('waiting', 'running') AND request IS NULL"
			     " AND (newer IS NOT NULL OR trial.digest <> posting.digest)"
			     " ORDER BY trial.id",
			     &stmt, err);

	return rc < 0 ? rc
		      : sql_ids(s, stmt, limit, ret_ids, ret_n, "looking for outdated trials", err);
}

/* Nothing is put off by a day: what seems to be was, by a clock that was wrong. Of all that may run
 * now: by priority; then the list whose last trial began longest ago; then by
 * age. */
static const char next_sql[] =
	"SELECT id FROM trial WHERE state = 'waiting' AND (not_before <= :now"
	" OR not_before > :now + 86400) ORDER BY priority,"
	" (SELECT coalesce(max(served.started), 0) FROM trial served"
	"  WHERE served.list = trial.list AND served.posting IS NOT NULL),"
	" queued, id LIMIT 1";

static int next_find(struct store *s, int64_t now, int64_t *ret_id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, next_sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":now", now);
	rc = sql_step(s, stmt, "looking for the next trial", err);
	*ret_id = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	return rc < 0 ? rc : 0;
}

static int wait_find(struct store *s, int64_t *ret_wait, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT coalesce(min(not_before), 0) FROM trial"
			     " WHERE state = 'waiting'",
			     &stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "looking for the next trial", err);
	*ret_wait = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	return rc < 0 ? rc : 0;
}

int store_queue_own(struct store *s, int64_t id, int64_t pid, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL, *steps = NULL;
	struct owner o = owner_of(pid);
	int rc = sql_prepare(s,
			     "UPDATE trial SET boot_id = :boot_id, pid = :pid,"
			     " pid_start = :pid_start WHERE id = :id AND state = 'running'",
			     &stmt, err);

	if (rc == 0)
		rc = sql_prepare(s,
				 "UPDATE step SET state = 'waiting', started = NULL,"
				 " outcome = NULL, reason = NULL, seconds = NULL, cached = 0,"
				 " note = '', done = 0, total = 0, log = NULL"
				 " WHERE trial = :id",
				 &steps, err);
	if (rc < 0)
		return rc;
	sql_text(stmt, ":boot_id", o.boot_id);
	sql_int(stmt, ":pid", o.pid);
	sql_int(stmt, ":pid_start", o.pid_start);
	sql_int(stmt, ":id", id);
	sql_int(steps, ":id", id);
	rc = sql_run(s, stmt, "taking a trial", err);
	if (rc == 0)
		rc = sql_changed(s, "running trial", id, err);
	return rc < 0 ? rc : sql_run(s, steps, "taking a trial", err);
}

static int take_it(struct store *s, int64_t id, int64_t now, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE trial SET state = 'running', started = :now,"
			     " attempts = attempts + 1 WHERE id = :id AND state = 'waiting'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":now", now);
	sql_int(stmt, ":id", id);
	rc = sql_run(s, stmt, "taking a trial", err);
	if (rc == 0)
		rc = sql_changed(s, "waiting trial", id, err);
	return rc < 0 ? rc : store_queue_own(s, id, getpid(), err);
}

int store_queue_take(struct store *s, int64_t now, int64_t *ret_id, int64_t *ret_wait,
		     struct err *err)
{
	auto_txn struct txn txn = {0};
	int64_t id = 0, wait = 0;
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = next_find(s, now, &id, err);
	if (rc == 0)
		rc = id ? take_it(s, id, now, err) : wait_find(s, &wait, err);
	if (rc == 0)
		rc = txn_commit(&txn, "taking a trial", err);
	if (rc == 0) {
		*ret_id = id;
		*ret_wait = wait;
	}
	return rc;
}

static int trial_put_back(struct store *s, int64_t id, int64_t not_before, const char *why,
			  bool counts, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE trial SET state = 'waiting', not_before = :not_before,"
			     " words = :why, boot_id = NULL, pid = NULL, pid_start = NULL,"
			     " attempts = max(attempts - :uncounted, 0)"
			     " WHERE id = :id AND state = 'running'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	sql_int(stmt, ":not_before", not_before);
	sql_text(stmt, ":why", why);
	sql_int(stmt, ":uncounted", !counts);
	rc = sql_run(s, stmt, "putting a trial back", err);
	return rc < 0 ? rc : sql_changed(s, "running trial", id, err);
}

static int steps_change(struct store *s, const char *sql, int64_t id, const char *why,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	if (why)
		sql_text(stmt, ":why", why);
	return sql_run(s, stmt, "changing the steps of a trial", err);
}

/* Nothing runs of a trial that waits. */
static int put_back(struct store *s, int64_t id, int64_t not_before, const char *why, bool counts,
		    struct err *err)
{
	auto_txn struct txn txn = {0};
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = trial_put_back(s, id, not_before, why, counts, err);
	if (rc == 0)
		rc = steps_change(s,
				  "UPDATE step SET state = 'waiting', started = NULL,"
				  " note = '', done = 0, total = 0"
				  " WHERE trial = :id AND state = 'running'",
				  id, NULL, err);
	return rc < 0 ? rc : txn_commit(&txn, "putting a trial back", err);
}

int store_queue_put_back(struct store *s, int64_t id, int64_t not_before, const char *why,
			 struct err *err)
{
	return put_back(s, id, not_before, why, true, err);
}

int store_queue_put_off(struct store *s, int64_t id, int64_t not_before, const char *why,
			struct err *err)
{
	return put_back(s, id, not_before, why, false, err);
}

static int trial_cancel(struct store *s, int64_t id, const char *why, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE trial SET state = 'cancelled', words = :why, finished = :now"
			     " WHERE id = :id AND state IN ('waiting', 'running')",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":why", why);
	rc = sql_run(s, stmt, "cancelling a trial", err);
	return rc < 0 ? rc : sql_changed(s, "waiting or running trial", id, err);
}

int store_queue_cancel(struct store *s, int64_t id, const char *why, struct err *err)
{
	auto_txn struct txn txn = {0};
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = trial_cancel(s, id, why, err);
	if (rc == 0)
		rc = steps_change(s,
				  "UPDATE step SET state = 'done', outcome = 'skip',"
				  " reason = 'cancelled: ' || :why"
				  " WHERE trial = :id AND state <> 'done'",
				  id, why, err);
	return rc < 0 ? rc : txn_commit(&txn, "cancelling a trial", err);
}

int store_queue_expired(struct store *s, int64_t before, unsigned limit, int64_t *ret_ids,
			size_t *ret_n, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT id FROM trial WHERE state IN ('finished', 'cancelled')"
		" AND finished < :before AND work_dir IS NOT NULL AND NOT (state = 'finished'"
		" AND outcome IN ('fail', 'warn') AND posting IS NOT NULL"
		" AND EXISTS (SELECT 1 FROM posting WHERE posting.id = trial.posting"
		"  AND newer IS NULL)"
		" AND NOT EXISTS (SELECT 1 FROM trial later WHERE later.replaces = trial.id"
		"  AND later.state = 'finished'))"
		" ORDER BY finished, id",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":before", before);
	return sql_ids(s, stmt, limit, ret_ids, ret_n, "looking for old trials", err);
}

int store_queue_forget(struct store *s, int64_t id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "UPDATE trial SET work_dir = NULL, report = NULL WHERE id = :id",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "forgetting a trial's folder", err);
}
