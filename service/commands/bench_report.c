// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/bench_report.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/local_names.h"
#include "report/report.h"
#include "trial/bench_json.h"

static json_t *iso(int64_t t)
{
	char buf[CLOCK_ISO_MAX];

	return json_text(clock_iso(t, buf));
}

/* No mails, no author: a title and no patches. */
static json_t *series_object(const struct bench_run *run)
{
	auto_free char *title = xasprintf("%s: base %s against patched %s", run->bench->name,
					  run->base->words, run->patched->words);
	json_t *obj = json_object(), *nobody = json_object();

	json_object_set_new(nobody, "name", json_text(""));
	json_object_set_new(nobody, "email", json_text(""));
	json_object_set_new(obj, "title", json_text(title));
	json_object_set_new(obj, "message_id", json_text(""));
	json_object_set_new(obj, "version", json_integer(1));
	json_object_set_new(obj, "date", iso(run->began));
	json_object_set_new(obj, "author", nobody);
	json_object_set_new(obj, "total", json_integer(0));
	json_object_set_new(obj, "missing", json_array());
	json_object_set_new(obj, "cover", json_null());
	json_object_set_new(obj, "patches", json_array());
	return obj;
}

/* NULL-safe for a folder, of which no commit is known. */
static json_t *base_object(const struct bench_run *run)
{
	const struct kernel *k = run->base;
	json_t *obj;

	if (!k->commit)
		return json_null();
	obj = json_object();
	json_object_set_new(obj, "commit", json_text(k->commit));
	json_object_set_new(obj, "subject", json_text(k->subject));
	json_object_set_new(obj, "why", json_text("--base"));
	json_object_set_new(obj, "tree", json_text(run->tree));
	json_object_set_new(obj, "warning", json_null());
	json_object_set_new(obj, "blobs", json_integer(0));
	json_object_set_new(obj, "blobs_matched", json_integer(0));
	json_object_set_new(obj, "tried", json_array());
	json_object_set_new(obj, "start", json_text(k->commit));
	return obj;
}

static json_t *step_row(const struct bench_run *run)
{
	const json_t *evidence = json_object_get(run->data, "evidence");
	json_t *row = json_object();

	json_object_set_new(row, "name", json_sprintf("bench-%s", run->bench->name));
	json_object_set_new(row, "outcome", json_text(json_get_str(run->data, "outcome", "error")));
	json_object_set_new(row, "reason", json_text(json_get_str(run->data, "reason", "")));
	json_object_set_new(row, "patch", json_null());
	json_object_set_new(row, "evidence",
			    json_is_array(evidence) ? json_deep_copy(evidence) : json_array());
	json_object_set_new(row, "seconds", json_real(run->waited));
	json_object_set_new(row, "cached", json_false());
	json_object_set_new(row, "log", json_text(run->log));
	json_object_set_new(row, "details", json_object());
	return row;
}

static json_t *not_tested(const struct bench_run *run)
{
	json_t *list = json_array();
	auto_free char *testbed = testbed_label(conf_str(run->conf, CONF_TESTBED_NAME));

	json_array_append_new(list,
			      json_sprintf("real POWER machines: the testbed was %s", testbed));
	return list;
}

static json_t *verdict(const struct bench_run *run)
{
	json_t *obj = json_object();

	json_object_set_new(obj, "outcome", json_text(json_get_str(run->data, "outcome", "error")));
	json_object_set_new(obj, "words", json_text(json_get_str(run->data, "reason", "")));
	return obj;
}

json_t *bench_report_make(const struct bench_run *run)
{
	json_t *obj = json_object(), *steps = json_array();

	json_array_append_new(steps, step_row(run));
	json_object_set_new(obj, "schema", json_text(REPORT_SCHEMA));
	json_object_set_new(obj, "version", json_integer(REPORT_SCHEMA_VERSION));
	json_object_set_new(obj, "firn", json_text(FIRN_VERSION));
	json_object_set_new(obj, "started", iso(run->began));
	json_object_set_new(obj, "finished", iso(run->ended));
	json_object_set_new(obj, "seconds", json_real(run->seconds));
	json_object_set_new(obj, "series", series_object(run));
	json_object_set_new(obj, "base", base_object(run));
	json_object_set_new(obj, "steps", steps);
	json_object_set_new(obj, "checks", json_array());
	json_object_set_new(obj, "findings", json_array());
	json_object_set_new(obj, "ledger", json_array());
	json_object_set_new(obj, "counts", json_null());
	bench_json_merge(obj, run->data);
	json_object_set_new(obj, "not_tested", not_tested(run));
	json_object_set_new(obj, "verdict", verdict(run));
	json_object_set_new(obj, "repeat", json_text(run->repeat));
	return obj;
}
