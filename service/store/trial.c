// SPDX-License-Identifier: GPL-2.0-or-later
/* The trial table. */
#include "store/store.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

static void bind_series(sqlite3_stmt *stmt, const struct store_series *series)
{
	sql_text(stmt, ":title", series->title);
	sql_text(stmt, ":message_id", series->message_id);
	sql_text(stmt, ":author", series->author);
	sql_int(stmt, ":version", series->version);
}

static int trial_insert(struct store *s, const struct store_series *series, int64_t *ret_id,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct owner self = owner_self();
	int rc = sql_prepare(
		s,
		"INSERT INTO trial (state, queued, started, title, message_id, version, author,"
		" boot_id, pid, pid_start, attempts) VALUES ('running', :started, :started, :title,"
		" :message_id, :version, :author, :boot_id, :pid, :pid_start, 1)",
		&stmt, err);

	if (rc < 0)
		return rc;
	bind_series(stmt, series);
	sql_int(stmt, ":started", clock_wall());
	sql_text(stmt, ":boot_id", self.boot_id);
	sql_int(stmt, ":pid", self.pid);
	sql_int(stmt, ":pid_start", self.pid_start);
	rc = sql_run(s, stmt, "beginning a trial", err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

int sql_steps_insert(struct store *s, int64_t trial, const char *const *steps, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO step (trial, position, name, state)"
			     " VALUES (:trial, :position, :name, 'waiting')",
			     &stmt, err);

	for (size_t i = 0; rc == 0 && steps[i]; i++) {
		sqlite3_reset(stmt);
		sql_int(stmt, ":trial", trial);
		sql_int(stmt, ":position", (int64_t)i);
		sql_text(stmt, ":name", steps[i]);
		rc = sql_run(s, stmt, "planning the steps", err);
	}
	return rc;
}

int store_trial_begin(struct store *s, const struct store_series *series, const char *const *steps,
		      int64_t *ret_id, struct err *err)
{
	auto_txn struct txn txn = {0};
	int64_t id = 0;
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = trial_insert(s, series, &id, err);
	if (rc == 0)
		rc = sql_steps_insert(s, id, steps, err);
	if (rc == 0)
		rc = txn_commit(&txn, "beginning a trial", err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

/* An update that touched nothing was of an id that is not there. */
static int expect_change(struct store *s, int64_t id, struct err *err)
{
	if (sqlite3_changes(s->db) == 0)
		return err_set(err, ERR_INPUT, "%s: no trial %lld at work", s->path, (long long)id);
	return 0;
}

int store_trial_describe(struct store *s, int64_t id, const struct store_series *series,
			 struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"UPDATE trial SET title = :title, message_id = :message_id,"
		" version = :version, author = :author WHERE id = :id AND state = 'running'",
		&stmt, err);

	if (rc < 0)
		return rc;
	bind_series(stmt, series);
	sql_int(stmt, ":id", id);
	rc = sql_run(s, stmt, "describing a trial", err);
	return rc < 0 ? rc : expect_change(s, id, err);
}

int store_trial_work_dir(struct store *s, int64_t id, const char *dir, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s, "UPDATE trial SET work_dir = :dir WHERE id = :id AND state = 'running'", &stmt,
		err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	sql_text(stmt, ":dir", dir);
	rc = sql_run(s, stmt, "noting a trial's folder", err);
	return rc < 0 ? rc : expect_change(s, id, err);
}

static int trial_end(struct store *s, int64_t id, const struct store_trial_end *end,
		     struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE trial SET state = 'finished', finished = :finished, outcome = "
			     ":outcome, words = :words,"
			     " base = :base, work_dir = coalesce(:work_dir, work_dir),"
			     " report = :report"
			     " WHERE id = :id AND state = 'running'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	sql_int(stmt, ":finished", clock_wall());
	sql_text(stmt, ":outcome", outcome_name(end->outcome));
	sql_text(stmt, ":words", end->words);
	sql_text(stmt, ":base", end->base);
	sql_text(stmt, ":work_dir", end->work_dir);
	sql_text(stmt, ":report", end->report);
	rc = sql_run(s, stmt, "finishing a trial", err);
	return rc < 0 ? rc : expect_change(s, id, err);
}

static int steps_end(struct store *s, int64_t id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"UPDATE step SET state = 'done', outcome = 'skip',"
		" reason = 'the run was over before it' WHERE trial = :id AND state <> 'done'",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "finishing the steps", err);
}

int store_trial_finish(struct store *s, int64_t id, const struct store_trial_end *end,
		       struct err *err)
{
	auto_txn struct txn txn = {0};
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = trial_end(s, id, end, err);
	if (rc == 0)
		rc = steps_end(s, id, err);
	return rc < 0 ? rc : txn_commit(&txn, "finishing a trial", err);
}

#define TRIAL_COLUMNS                                                                              \
	"id, coalesce(started, queued), finished, title, message_id, author, base, words,"         \
	" work_dir, report, version, outcome, boot_id, pid, pid_start, state, posting"

enum store_trial_state trial_state_parse(const char *word)
{
	static const enum store_trial_state kept[] = {STORE_TRIAL_WAITING, STORE_TRIAL_RUNNING,
						      STORE_TRIAL_CANCELLED};

	for (size_t i = 0; i < array_size(kept); i++)
		if (strcmp(word, store_trial_state_name(kept[i])) == 0)
			return kept[i];
	return STORE_TRIAL_FINISHED;
}

static enum store_trial_state state_of(sqlite3_stmt *stmt)
{
	enum store_trial_state state =
		trial_state_parse((const char *)sqlite3_column_text(stmt, 15));
	struct owner owner = owner_read(stmt, 12);

	return state == STORE_TRIAL_RUNNING && !owner_alive(&owner) ? STORE_TRIAL_INTERRUPTED
								    : state;
}

/* The row that the statement stands on, of TRIAL_COLUMNS. */
static void trial_read(sqlite3_stmt *stmt, struct store_trial *t)
{
	*t = (struct store_trial){
		.id = sqlite3_column_int64(stmt, 0),
		.started = sqlite3_column_int64(stmt, 1),
		.finished = sqlite3_column_int64(stmt, 2),
		.title = sql_column_text(stmt, 3),
		.message_id = sql_column_text(stmt, 4),
		.author = sql_column_text(stmt, 5),
		.base = sql_column_text(stmt, 6),
		.words = sql_column_text(stmt, 7),
		.work_dir = sql_column_text(stmt, 8),
		.report = sql_column_text(stmt, 9),
		.version = (unsigned)sqlite3_column_int64(stmt, 10),
		.outcome = outcome_parse((const char *)sqlite3_column_text(stmt, 11)),
		.state = state_of(stmt),
		.posting = sqlite3_column_int64(stmt, 16),
	};
}

void store_trial_done(struct store_trial *t)
{
	free(t->title);
	free(t->message_id);
	free(t->author);
	free(t->base);
	free(t->words);
	free(t->work_dir);
	free(t->report);
	*t = (struct store_trial){0};
}

int store_trial_get(struct store *s, int64_t id, struct store_trial *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_row(s, "SELECT " TRIAL_COLUMNS " FROM trial WHERE id = :id", "trial", id,
			 &stmt, err);

	if (rc < 0)
		return rc;
	trial_read(stmt, ret);
	return 0;
}

static int list_read(struct store *s, sqlite3_stmt *stmt, unsigned limit,
		     struct store_trial_list *list, struct err *err)
{
	int rc;

	while ((rc = sql_step(s, stmt, "listing trials", err)) > 0) {
		if (list->n == limit) {
			list->more = true;
			return 0;
		}
		arr_grow(list->trial, list->n, list->cap);
		trial_read(stmt, &list->trial[list->n++]);
	}
	return rc;
}

int store_trial_list(struct store *s, unsigned limit, int64_t before, struct store_trial_list *ret,
		     struct err *err)
{
	auto_store_trial_list struct store_trial_list list = {0};
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " TRIAL_COLUMNS " FROM trial WHERE id < :before"
			     " ORDER BY id DESC LIMIT :limit + 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", limit);
	sql_int(stmt, ":before", before ? before : INT64_MAX);
	rc = list_read(s, stmt, limit, &list, err);
	if (rc < 0)
		return rc;
	*ret = list;
	list = (struct store_trial_list){0};
	return 0;
}

void store_trial_list_done(struct store_trial_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		store_trial_done(&list->trial[i]);
	free(list->trial);
	*list = (struct store_trial_list){0};
}

const char *store_trial_state_name(enum store_trial_state state)
{
	switch (state) {
	case STORE_TRIAL_WAITING: return "waiting";
	case STORE_TRIAL_CANCELLED: return "cancelled";
	case STORE_TRIAL_RUNNING: return "running";
	case STORE_TRIAL_INTERRUPTED: return "interrupted";
	case STORE_TRIAL_FINISHED: return "finished";
	}
	return "unknown";
}
