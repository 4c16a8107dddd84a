// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers of benchmarks through time. Each query walks the index (bench, name, trial), and
 * jumps from one name to the next: it never reads all of a table that grows with every trial. */
#include "base/str.h"
#include "store/sql.h"
#include "store/views.h"

/* Of so many numbers of a benchmark names are looked at. */
#define NAMES_MAX VIEW_LIMIT_MAX

static const char benches[] =
	"WITH RECURSIVE one (bench) AS ("
	"SELECT min(bench) FROM metric UNION ALL "
	"SELECT (SELECT min(bench) FROM metric WHERE bench > one.bench) FROM one "
	"WHERE one.bench IS NOT NULL LIMIT :limit), "
	"newest AS (SELECT bench, (SELECT max(trial) FROM metric AS m INDEXED BY metric_history "
	"WHERE m.bench = one.bench AND m.name = (SELECT min(name) FROM metric "
	"WHERE bench = one.bench)) AS trial FROM one WHERE bench IS NOT NULL) "
	"SELECT bench, trial, (SELECT count(*) FROM metric AS m WHERE m.trial = newest.trial "
	"AND m.bench = newest.bench) FROM newest ORDER BY bench";

static const char names[] =
	"WITH RECURSIVE one (name) AS ("
	"SELECT min(name) FROM metric WHERE bench = :bench UNION ALL "
	"SELECT (SELECT min(name) FROM metric WHERE bench = :bench "
	"AND name > one.name) FROM one WHERE one.name IS NOT NULL LIMIT :limit) "
	"SELECT name FROM one WHERE name IS NOT NULL";

static const char points[] =
	"SELECT trial, coalesce(base_commit_time, "
	"(SELECT finished FROM trial AS t WHERE t.id = metric.trial), 0), "
	"coalesce(base_commit, ''), base_median, testbed, mode, title, unit, better FROM metric "
	"WHERE bench = :bench AND name = :name AND base_median IS NOT NULL "
	"ORDER BY trial DESC LIMIT :limit";

void view_bench_list_done(struct view_bench_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->bench[i].name);
	free(l->bench);
	*l = (struct view_bench_list){0};
}

int view_benches(struct store *s, struct view_bench_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, benches, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", VIEW_LIMIT_MAX);
	while ((rc = sql_step(s, stmt, "reading the list of benchmarks", err)) > 0) {
		arr_grow(ret->bench, ret->n, ret->cap);
		ret->bench[ret->n++] =
			(struct view_bench){.name = sql_column_text(stmt, 0),
					    .trial = sqlite3_column_int64(stmt, 1),
					    .numbers = (unsigned)sqlite3_column_int64(stmt, 2)};
	}
	return rc;
}

static void history_done(struct view_history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->point[i].commit);
	free(h->point);
	free(h->name);
	free(h->title);
	free(h->unit);
	free(h->better);
	free(h->testbed);
	free(h->mode);
}

void view_history_list_done(struct view_history_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		history_done(&l->history[i]);
	free(l->history);
	*l = (struct view_history_list){0};
}

static bool column_is(sqlite3_stmt *stmt, int column, const char *want)
{
	const char *s = (const char *)sqlite3_column_text(stmt, column);

	return s && strcmp(s, want) == 0;
}

/* The history of `name` that the row belongs to: of those from `first` on. The newest row comes
 * first, and its words are kept. */
static struct view_history *history_of(struct view_history_list *l, size_t first, const char *name,
				       sqlite3_stmt *row)
{
	for (size_t i = first; i < l->n; i++)
		if (column_is(row, 4, l->history[i].testbed) &&
		    column_is(row, 5, l->history[i].mode))
			return &l->history[i];
	arr_grow(l->history, l->n, l->cap);
	l->history[l->n] = (struct view_history){.name = xstrdup(name),
						 .testbed = sql_column_text(row, 4),
						 .mode = sql_column_text(row, 5),
						 .title = sql_column_text(row, 6),
						 .unit = sql_column_text(row, 7),
						 .better = sql_column_text(row, 8)};
	return &l->history[l->n++];
}

static void point_add(struct view_history *h, sqlite3_stmt *row)
{
	arr_grow(h->point, h->n, h->cap);
	h->point[h->n++] = (struct view_point){.trial = sqlite3_column_int64(row, 0),
					       .when = sqlite3_column_int64(row, 1),
					       .commit = sql_column_text(row, 2),
					       .median = sqlite3_column_double(row, 3)};
}

static int by_time(const void *a, const void *b)
{
	const struct view_point *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return (x->trial > y->trial) - (x->trial < y->trial);
}

struct number {
	const char *bench, *name;
	unsigned limit;
};

static int read_number(struct store *s, const struct number *want, struct view_history_list *ret,
		       struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	size_t first = ret->n, n = 0;
	int rc = sql_prepare(s, points, &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":bench", want->bench);
	sql_text(stmt, ":name", want->name);
	sql_int(stmt, ":limit", (int64_t)want->limit + 1);
	while ((rc = sql_step(s, stmt, "reading the history of a number", err)) > 0)
		if (n++ < want->limit)
			point_add(history_of(ret, first, want->name, stmt), stmt);
	for (size_t i = first; i < ret->n; i++) {
		ret->history[i].more = n > want->limit;
		qsort(ret->history[i].point, ret->history[i].n, sizeof(struct view_point), by_time);
	}
	return rc;
}

static int by_count(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(struct store *s, const char *bench, struct view_paths *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, names, &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":bench", bench);
	sql_int(stmt, ":limit", NAMES_MAX);
	while ((rc = sql_step(s, stmt, "reading what a benchmark measures", err)) > 0) {
		arr_grow(ret->path, ret->n, ret->cap);
		ret->path[ret->n++] = sql_column_text(stmt, 0);
	}
	if (ret->n)
		qsort(ret->path, ret->n, sizeof(*ret->path), by_count);
	return rc;
}

int view_histories(struct store *s, const struct view_history_filter *f,
		   struct view_history_list *ret, struct err *err)
{
	struct view_paths found = {0};
	int rc = read_names(s, f->bench, &found, err);

	for (size_t i = f->offset; rc == 0 && i < found.n && i - f->offset < f->limit; i++) {
		const struct number want = {
			.bench = f->bench, .name = found.path[i], .limit = f->points};

		rc = read_number(s, &want, ret, err);
	}
	ret->more = found.n > (size_t)f->offset + f->limit;
	view_paths_done(&found);
	return rc;
}
