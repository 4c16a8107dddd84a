// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/trial_metric.h"

#include "base/json.h"
#include "base/str.h"
#include "store/sql.h"
#include <time.h>

#define METRICS_MAX 10000

static const json_t *bench_find(const json_t *report, const char *name)
{
	const json_t *list = json_object_get(report, "benches"), *row;
	size_t i;

	json_array_foreach (list, i, row)
		if (strcmp(json_get_str(row, "bench", ""), name) == 0)
			return row;
	return NULL;
}

/* NULL where the report has no number. */
static void bind_number(sqlite3_stmt *stmt, const char *name, const json_t *value)
{
	if (json_is_number(value))
		sql_real(stmt, name, json_number_value(value));
	else
		sql_text(stmt, name, NULL);
}

static void bind_base(sqlite3_stmt *stmt, const json_t *base)
{
	struct tm tm = {0};

	sql_text(stmt, ":commit", json_get_str(base, "commit", NULL));
	if (strptime(json_get_str(base, "committed", ""), "%Y-%m-%dT%H:%M:%SZ", &tm))
		sql_int(stmt, ":time", timegm(&tm));
	else
		sql_text(stmt, ":time", NULL);
}

static void bind_metric(sqlite3_stmt *stmt, const json_t *m, const json_t *report)
{
	const char *name = json_get_str(m, "bench", "");
	const json_t *bench = bench_find(report, name);

	sql_text(stmt, ":bench", name);
	sql_text(stmt, ":name", json_get_str(m, "name", ""));
	sql_text(stmt, ":title", json_get_str(m, "title", ""));
	sql_text(stmt, ":unit", json_get_str(m, "unit", ""));
	sql_text(stmt, ":better", json_get_str(m, "better", ""));
	bind_number(stmt, ":x", json_object_get(m, "x"));
	bind_base(stmt, json_object_get(report, "base"));
	sql_text(stmt, ":testbed", json_get_str(bench, "testbed", ""));
	sql_text(stmt, ":mode", json_get_str(bench, "mode", ""));
	bind_number(stmt, ":base", json_object_get(json_object_get(m, "base"), "median"));
	bind_number(stmt, ":patched", json_object_get(json_object_get(m, "patched"), "median"));
	bind_number(stmt, ":change", json_object_get(m, "change"));
	sql_text(stmt, ":word", json_get_str(m, "word", ""));
}

static int rows_delete(struct store *s, int64_t trial, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "DELETE FROM metric WHERE trial = :trial", &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	return sql_run(s, stmt, "noting the numbers of a trial", err);
}

int store_metrics_keep(struct store *s, int64_t trial, const json_t *report, struct err *err)
{
	const json_t *list = json_object_get(report, "metrics"), *m;
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = rows_delete(s, trial, err);
	size_t i;

	if (rc == 0)
		rc = sql_prepare(
			s,
			"INSERT OR REPLACE INTO metric (trial, bench, name, title, unit, better, x,"
			" base_commit, base_commit_time, testbed, mode, base_median,"
			" patched_median, change, word) VALUES (:trial, :bench, :name, :title,"
			" :unit, :better, :x, :commit, :time, :testbed, :mode, :base, :patched,"
			" :change, :word)",
			&stmt, err);
	json_array_foreach (list, i, m) {
		if (rc < 0 || i == METRICS_MAX)
			break;
		sqlite3_reset(stmt);
		sql_int(stmt, ":trial", trial);
		bind_metric(stmt, m, report);
		rc = sql_run(s, stmt, "noting the numbers of a trial", err);
	}
	return rc;
}
