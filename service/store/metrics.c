// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/metrics.h"

#include "base/clock.h"
#include "store/sql.h"
#include <math.h>

#define LABELS_MAX 3

/* A row of `sql`: a value for each label, then the number. `:now` may be used. Names by
 * https://prometheus.io/docs/practices/naming/. */
static const struct family {
	const char *name, *type, *help, *label[LABELS_MAX], *sql;
} families[] = {
	{"firn_mails",
	 "gauge",
	 "Mails that are kept, by what became of them.",
	 {"state"},
	 "SELECT state, count(*) FROM mail GROUP BY state"},
	{"firn_postings",
	 "gauge",
	 "Versions of series.",
	 {"list", "state"},
	 "SELECT list, state, count(*) FROM posting GROUP BY list, state"},
	{"firn_trials",
	 "gauge",
	 "Trials, by state.",
	 {"list", "state"},
	 "SELECT list, state, count(*) FROM trial GROUP BY list, state"},
	{"firn_trial_outcomes_total",
	 "counter",
	 "Finished trials, by outcome.",
	 {"list", "outcome"},
	 "SELECT list, outcome, count(*) FROM trial WHERE state = 'finished'"
	 " GROUP BY list, outcome"},
	{"firn_trial_wait_oldest_seconds",
	 "gauge",
	 "Age of the oldest trial that may run and does not.",
	 {NULL},
	 "SELECT max(0, ifnull(max(:now - max(queued, not_before)), 0)) FROM trial"
	 " WHERE state = 'waiting' AND not_before <= :now"},
	{"firn_step_seconds_sum",
	 "counter",
	 "Time spent in steps.",
	 {"step", "outcome"},
	 "SELECT name, outcome, sum(seconds) FROM step WHERE state = 'done' GROUP BY name, "
	 "outcome"},
	{"firn_step_seconds_count",
	 "counter",
	 "Steps that ended.",
	 {"step", "outcome"},
	 "SELECT name, outcome, count(*) FROM step WHERE state = 'done' GROUP BY name, outcome"},
	{"firn_steps_cached_total",
	 "counter",
	 "Steps whose result was there already.",
	 {"step"},
	 "SELECT name, sum(cached) FROM step WHERE state = 'done' GROUP BY name"},
	{"firn_outbox",
	 "gauge",
	 "Checks and mails to be said, by what became of the newest of them.",
	 {"poster", "state"},
	 "SELECT poster, CASE"
	 " WHEN d.revision = o.revision AND d.state NOT IN ('approved', 'sending', 'retry')"
	 "  THEN d.state"
	 " WHEN withdrawn THEN 'dropped'"
	 " WHEN held AND (d.state IS NULL OR d.revision < o.revision) THEN 'held'"
	 " ELSE 'open' END AS state, count(*)"
	 " FROM outbox o LEFT JOIN delivery d ON d.outbox = o.id GROUP BY poster, 2"},
	{"firn_requests_total",
	 "counter",
	 "What people asked for.",
	 {"kind", "via"},
	 "SELECT kind, via, count(*) FROM request GROUP BY kind, via"},
	{"firn_source_good_age_seconds",
	 "gauge",
	 "Time since a source last answered well.",
	 {"source"},
	 "SELECT name, max(0, :now - good) FROM source WHERE good IS NOT NULL"},
	{"firn_source_failures",
	 "gauge",
	 "Failures in a row of a source.",
	 {"source"},
	 "SELECT name, failures FROM source"},
	{"firn_testbed_good",
	 "gauge",
	 "1: takes boots, 0: is out.",
	 {"testbed"},
	 "SELECT name, state = 'good' FROM testbed"},
	{"firn_testbed_boots_total",
	 "counter",
	 "Boots.",
	 {"testbed"},
	 "SELECT name, boots FROM testbed"},
	{"firn_testbed_boots_failed_total",
	 "counter",
	 "Boots that failed by the testbed's own fault.",
	 {"testbed"},
	 "SELECT name, failed FROM testbed"},
};

/* Label values may be any UTF-8; backslash, quote and newline are escaped. */
static void add_label_value(struct str *out, const char *value)
{
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			str_addc(out, '\\');
		if (*value == '\n')
			str_adds(out, "\\n");
		else
			str_addc(out, *value);
	}
}

void metrics_family(struct str *out, const char *name, const char *type, const char *help)
{
	str_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void metrics_sample(struct str *out, const char *name, const char *const *label, double value)
{
	str_adds(out, name);
	for (size_t i = 0; label && label[i]; i += 2) {
		str_addf(out, "%s%s=\"", i ? "," : "{", label[i]);
		add_label_value(out, label[i + 1]);
		str_addc(out, '"');
	}
	if (label && label[0])
		str_addc(out, '}');
	if (value == floor(value) && fabs(value) < 1e15)
		str_addf(out, " %.0f\n", value);
	else
		str_addf(out, " %.6g\n", value);
}

static void sample(const struct family *f, sqlite3_stmt *stmt, struct str *ret)
{
	const char *label[2 * LABELS_MAX + 1] = {NULL};
	int n = 0;

	for (; n < LABELS_MAX && f->label[n]; n++) {
		const char *text = (const char *)sqlite3_column_text(stmt, n);
		bool good = text && utf8_valid(text, strlen(text));

		label[2 * n] = f->label[n];
		label[2 * n + 1] = good ? text : "";
	}
	metrics_sample(ret, f->name, label, sqlite3_column_double(stmt, n));
}

static int family(struct store *s, const struct family *f, struct str *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, f->sql, &stmt, err);

	if (rc < 0)
		return rc;
	if (sqlite3_bind_parameter_index(stmt, ":now") > 0)
		sql_int(stmt, ":now", clock_wall());
	metrics_family(ret, f->name, f->type, f->help);
	while ((rc = sql_step(s, stmt, "counting", err)) > 0)
		sample(f, stmt, ret);
	return rc;
}

/* Walk a table that grows, and no index has all that they want of it. */
static bool is_slow(const struct family *f)
{
	static const char *const names[] = {"firn_postings",	       "firn_trial_outcomes_total",
					    "firn_step_seconds_sum",   "firn_step_seconds_count",
					    "firn_steps_cached_total", "firn_outbox"};

	for (size_t i = 0; i < array_size(names); i++)
		if (strcmp(names[i], f->name) == 0)
			return true;
	return false;
}

static int count_families(struct store *s, bool slow, struct str *ret, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < array_size(families); i++)
		if (slow || !is_slow(&families[i]))
			rc = family(s, &families[i], ret, err);
	return rc;
}

static int count(struct store *s, bool slow, struct str *ret, struct err *err)
{
	/* Reads only: what comes meanwhile is not seen, and nobody waits. */
	int rc = sql_exec(s, "BEGIN", "counting", err);

	if (rc < 0)
		return rc;
	rc = count_families(s, slow, ret, err);
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

int store_metrics(struct store *s, struct str *ret, struct err *err)
{
	return count(s, true, ret, err);
}

int store_metrics_quick(struct store *s, struct str *ret, struct err *err)
{
	return count(s, false, ret, err);
}

int store_counts(struct store *s, struct store_counts *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT (SELECT count(*) FROM mail), (SELECT count(*) FROM mail WHERE state = "
		"'new'),"
		" (SELECT count(*) FROM posting),"
		" (SELECT count(*) FROM posting WHERE state = 'incomplete'),"
		" (SELECT count(*) FROM trial WHERE state = 'waiting'),"
		" (SELECT count(*) FROM trial WHERE state = 'running'),"
		" (SELECT count(*) FROM trial WHERE state = 'finished'),"
		" (SELECT count(*) FROM to_say CROSS JOIN outbox o ON o.id = to_say.outbox"
		"  LEFT JOIN delivery d ON d.outbox = o.id WHERE NOT withdrawn"
		"  AND NOT (held AND (d.state IS NULL OR d.revision < o.revision))),"
		" (SELECT count(*) FROM to_say CROSS JOIN outbox o ON o.id = to_say.outbox"
		"  LEFT JOIN delivery d ON d.outbox = o.id WHERE NOT withdrawn AND held"
		"  AND (d.state IS NULL OR d.revision < o.revision)),"
		" (SELECT count(*) FROM delivery d JOIN outbox o ON o.id = d.outbox"
		"  WHERE d.state = 'failed' AND d.revision = o.revision)",
		&stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "counting", err);
	if (rc <= 0)
		return rc;
	*ret = (struct store_counts){
		.mails = sqlite3_column_int64(stmt, 0),
		.mails_new = sqlite3_column_int64(stmt, 1),
		.postings = sqlite3_column_int64(stmt, 2),
		.incomplete = sqlite3_column_int64(stmt, 3),
		.waiting = sqlite3_column_int64(stmt, 4),
		.running = sqlite3_column_int64(stmt, 5),
		.finished = sqlite3_column_int64(stmt, 6),
		.open = sqlite3_column_int64(stmt, 7),
		.held = sqlite3_column_int64(stmt, 8),
		.failed = sqlite3_column_int64(stmt, 9),
	};
	return 0;
}
