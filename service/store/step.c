// SPDX-License-Identifier: GPL-2.0-or-later
/* The step table. */
#include "store/store.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

/* Enough that one odd run does not matter, few enough that a change of machine is soon forgotten.
 */
#define EXPECTED_FROM 5

static const char *const state_names[] = {
	[STORE_STEP_WAITING] = "waiting",
	[STORE_STEP_RUNNING] = "running",
	[STORE_STEP_DONE] = "done",
};

const char *store_step_state_name(enum store_step_state state)
{
	return state < array_size(state_names) ? state_names[state] : "unknown";
}

static enum store_step_state state_parse(const char *name)
{
	for (size_t i = 0; i < array_size(state_names); i++)
		if (name && strcmp(name, state_names[i]) == 0)
			return (enum store_step_state)i;
	return STORE_STEP_WAITING;
}

static int expect_change(struct store *s, int64_t trial, const char *name, struct err *err)
{
	if (sqlite3_changes(s->db) == 0)
		return err_set(err, ERR_INPUT, "%s: no step %s to do in trial %lld", s->path, name,
			       (long long)trial);
	return 0;
}

int store_step_begin(struct store *s, int64_t trial, const char *name, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE step SET state = 'running', started = :started"
			     " WHERE trial = :trial AND name = :name AND state = 'waiting'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	sql_text(stmt, ":name", name);
	sql_int(stmt, ":started", clock_wall());
	rc = sql_run(s, stmt, "beginning a step", err);
	return rc < 0 ? rc : expect_change(s, trial, name, err);
}

int store_step_tell(struct store *s, int64_t trial, const char *name, const char *note,
		    unsigned done, unsigned total, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE step SET note = :note, done = :done, total = :total"
			     " WHERE trial = :trial AND name = :name AND state = 'running'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	sql_text(stmt, ":name", name);
	sql_text(stmt, ":note", note);
	sql_int(stmt, ":done", done);
	sql_int(stmt, ":total", total);
	return sql_run(s, stmt, "noting what a step does", err);
}

int store_step_finish(struct store *s, int64_t trial, const char *name,
		      const struct store_step_end *end, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE step SET state = 'done', outcome = :outcome, reason = :reason,"
			     " seconds = :seconds, cached = :cached, note = '', log = :log"
			     " WHERE trial = :trial AND name = :name AND state <> 'done'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	sql_text(stmt, ":name", name);
	sql_text(stmt, ":outcome", outcome_name(end->outcome));
	sql_text(stmt, ":reason", end->reason);
	sql_real(stmt, ":seconds", end->seconds);
	sql_int(stmt, ":cached", end->cached);
	sql_text(stmt, ":log", end->log);
	rc = sql_run(s, stmt, "finishing a step", err);
	return rc < 0 ? rc : expect_change(s, trial, name, err);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	if (n == 0)
		return 0;
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int store_step_expected(struct store *s, const char *name, bool cached, double *ret_seconds,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	double seconds[EXPECTED_FROM];
	size_t n = 0;
	int rc = sql_prepare(s,
			     "SELECT seconds FROM step WHERE name = :name AND cached = :cached"
			     " AND outcome IN ('pass', 'warn') ORDER BY trial DESC LIMIT :limit",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":name", name);
	sql_int(stmt, ":cached", cached);
	sql_int(stmt, ":limit", EXPECTED_FROM);
	while ((rc = sql_step(s, stmt, "reading durations", err)) > 0 && n < EXPECTED_FROM)
		seconds[n++] = sqlite3_column_double(stmt, 0);
	if (rc < 0)
		return rc;
	*ret_seconds = median(seconds, n);
	return 0;
}

static void step_read(sqlite3_stmt *stmt, struct store_step *step)
{
	const char *outcome = (const char *)sqlite3_column_text(stmt, 2);

	*step = (struct store_step){
		.name = sql_column_text(stmt, 0),
		.state = state_parse((const char *)sqlite3_column_text(stmt, 1)),
		.outcome = outcome ? outcome_parse(outcome) : OUTCOME_SKIP,
		.reason = sql_column_text(stmt, 3),
		.started = sqlite3_column_int64(stmt, 4),
		.seconds = sqlite3_column_double(stmt, 5),
		.cached = sqlite3_column_int(stmt, 6) != 0,
		.note = sql_column_text(stmt, 7),
		.done = (unsigned)sqlite3_column_int64(stmt, 8),
		.total = (unsigned)sqlite3_column_int64(stmt, 9),
		.log = sql_column_text(stmt, 10),
	};
}

int store_step_list(struct store *s, int64_t trial, struct store_step_list *ret, struct err *err)
{
	auto_store_step_list struct store_step_list list = {0};
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT name, state, outcome, reason, started, seconds, cached, note, done,"
		" total, log FROM step"
		" WHERE trial = :trial ORDER BY position",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	while ((rc = sql_step(s, stmt, "listing steps", err)) > 0) {
		arr_grow(list.step, list.n, list.cap);
		step_read(stmt, &list.step[list.n++]);
	}
	if (rc < 0)
		return rc;
	*ret = list;
	list = (struct store_step_list){0};
	return 0;
}

void store_step_list_done(struct store_step_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->step[i].name);
		free(list->step[i].reason);
		free(list->step[i].note);
		free(list->step[i].log);
	}
	free(list->step);
	*list = (struct store_step_list){0};
}
