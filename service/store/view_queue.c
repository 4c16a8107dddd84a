// SPDX-License-Identifier: GPL-2.0-or-later
/* The queue, with how long things will take. */
#include "store/views.h"

#include "base/clock.h"
#include "base/conf.h"
#include "base/json.h"
#include "base/str.h"
#include "store/sql.h"
#include <math.h>

#define PLACES_MAX 64

/* How long each step usually takes: asked once for each name. */
struct usual {
	struct {
		char *name;
		double seconds;
	} * step;
	size_t n, cap;
};

static void usual_done(struct usual *u)
{
	for (size_t i = 0; i < u->n; i++)
		free(u->step[i].name);
	free(u->step);
}

static int usual_get(struct store *s, struct usual *u, const char *name, double *ret,
		     struct err *err)
{
	double seconds = 0;
	int rc;

	for (size_t i = 0; i < u->n; i++) {
		if (strcmp(u->step[i].name, name) == 0) {
			*ret = u->step[i].seconds;
			return 0;
		}
	}
	rc = store_step_expected(s, name, false, &seconds, err);
	if (rc < 0)
		return rc;
	arr_grow(u->step, u->n, u->cap);
	u->step[u->n].name = xstrdup(name);
	u->step[u->n++].seconds = seconds;
	*ret = seconds;
	return 0;
}

void view_queue_done(struct view_queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		struct view_queued *t = &q->trial[i];

		free(t->list);
		free(t->title);
		free(t->author);
		free(t->message_id);
		free(t->step);
		free(t->note);
	}
	free(q->trial);
	*q = (struct view_queue){0};
}

static void row_read(sqlite3_stmt *stmt, struct view_queued *t)
{
	struct owner owner = owner_read(stmt, 14);

	*t = (struct view_queued){
		.trial = sqlite3_column_int64(stmt, 0),
		.posting = sqlite3_column_int64(stmt, 1),
		.request = sqlite3_column_int64(stmt, 2),
		.list = sql_column_text(stmt, 3),
		.title = sql_column_text(stmt, 4),
		.author = sql_column_text(stmt, 5),
		.message_id = sql_column_text(stmt, 6),
		.version = (unsigned)sqlite3_column_int64(stmt, 7),
		.attempts = (unsigned)sqlite3_column_int64(stmt, 8),
		.state = trial_state_parse((const char *)sqlite3_column_text(stmt, 9)),
		.priority = (enum store_priority)sqlite3_column_int64(stmt, 10),
		.queued = sqlite3_column_int64(stmt, 11),
		.not_before = sqlite3_column_int64(stmt, 12),
		.started = sqlite3_column_int64(stmt, 13),
		.note = xstrdup(""),
		.left = -1,
		.wait = -1,
	};
	if (t->state == STORE_TRIAL_RUNNING && !owner_alive(&owner))
		t->state = STORE_TRIAL_INTERRUPTED;
}

/* Two queries, each by an index that holds those in its state alone. */
static const char queue_columns[] =
	"SELECT id, posting, request, list, title, author, message_id, version, attempts, state,"
	" priority, queued, not_before, started, boot_id, pid, pid_start, plan FROM trial ";
static const char running_sql[] = "WHERE state = 'running' ORDER BY started, id LIMIT :limit + 1";
static const char waiting_sql[] =
	"WHERE state = 'waiting' ORDER BY priority,"
	" (SELECT coalesce(max(served.started), 0) FROM trial served"
	"  WHERE served.list = trial.list AND served.posting IS NOT NULL), queued, id"
	" LIMIT :limit + 1";
#define PLAN_COLUMN 17

/* Of a step that runs, what it usually takes less what it took. */
static int step_count(struct store *s, const struct store_step *step, struct usual *u,
		      struct view_queued *t, struct err *err)
{
	double seconds = 0;
	int rc;

	t->steps++;
	if (step->state == STORE_STEP_DONE) {
		t->steps_done++;
		return 0;
	}
	rc = usual_get(s, u, step->name, &seconds, err);
	if (rc < 0)
		return rc;
	if (seconds > 0)
		t->left = fmax(t->left, 0);
	if (step->state == STORE_STEP_RUNNING) {
		free(t->step);
		free(t->note);
		t->step = xstrdup(step->name);
		t->note = xstrdup(step->note);
		t->done = step->done;
		t->total = step->total;
		seconds -= (double)(clock_wall() - step->started);
	}
	if (t->left >= 0)
		t->left += fmax(seconds, 0);
	return 0;
}

/* A step that the plan leaves out is skipped, and takes no time. */
static bool is_planned(const json_t *steps, const char *name)
{
	const json_t *step;
	size_t i;

	json_array_foreach (steps, i, step)
		if (json_is_string(step) && strcmp(json_string_value(step), name) == 0)
			return true;
	return !json_is_array(steps);
}

static int steps_count(struct store *s, const char *plan_text, struct usual *u,
		       struct view_queued *t, struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	auto_json json_t *plan = plan_text ? json_loads(plan_text, 0, NULL) : NULL;
	const json_t *steps = json_object_get(plan, "steps");
	int rc = store_step_list(s, t->trial, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.step[i].state != STORE_STEP_WAITING || is_planned(steps, l.step[i].name))
			rc = step_count(s, &l.step[i], u, t, err);
	return rc;
}

static int rows_read(struct store *s, const char *where, unsigned limit, struct usual *u,
		     struct view_queue *q, struct err *err)
{
	auto_free char *sql = xasprintf("%s%s", queue_columns, where);
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", limit);
	while ((rc = sql_step(s, stmt, "listing the queue", err)) > 0) {
		if (q->n == limit) {
			q->more = true;
			return 0;
		}
		arr_grow(q->trial, q->n, q->cap);
		row_read(stmt, &q->trial[q->n++]);
		rc = steps_count(s, (const char *)sqlite3_column_text(stmt, PLAN_COLUMN), u,
				 &q->trial[q->n - 1], err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static size_t soonest(const double *until, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (until[i] < until[best])
			best = i;
	return best;
}

/* Each place is taken until what runs there ends; who waits gets the one that is free first. What
 * is not known of one is not known of those behind it. */
static void times_foresee(struct view_queue *q, unsigned places)
{
	double until[PLACES_MAX] = {0}, now = (double)clock_wall();
	size_t n = places < 1 ? 1 : places > PLACES_MAX ? PLACES_MAX : places;

	for (size_t i = 0; i < q->n; i++) {
		struct view_queued *t = &q->trial[i];
		size_t at = soonest(until, n);

		if (t->state == STORE_TRIAL_INTERRUPTED)
			continue;
		if (i >= q->running)
			t->wait = fmax(until[at], (double)t->not_before - now);
		if (t->left < 0)
			return;
		until[at] = (i >= q->running ? t->wait : until[at]) + t->left;
	}
}

int view_queue(struct store *s, unsigned limit, unsigned places, struct view_queue *ret,
	       struct err *err)
{
	auto_view_queue struct view_queue q = {0};
	struct usual u = {0};
	int rc = rows_read(s, running_sql, limit, &u, &q, err);

	q.running = q.n;
	if (rc == 0 && !q.more)
		rc = rows_read(s, waiting_sql, limit, &u, &q, err);
	usual_done(&u);
	if (rc < 0)
		return rc;
	times_foresee(&q, places);
	*ret = q;
	q = (struct view_queue){0};
	return 0;
}

unsigned view_queue_places(const struct conf *conf)
{
	long trials = conf_int(conf, CONF_SERVE_TRIALS),
	     turns = conf_int(conf, CONF_SERVE_BUILDS) + conf_int(conf, CONF_SERVE_BOOTS);

	return (unsigned)(trials < turns ? trials : turns);
}
