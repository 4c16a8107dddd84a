// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/bench_json.h"

#include "base/json.h"
#include "base/str.h"
#include "testbeds/bench/stats.h"
#include "trial/bench_args.h"
#include <math.h>

const char *const bench_arrays[] = {"benches", "metrics",   "facts", "fits",
				    "tables",  "functions", NULL};

static void set_text(json_t *row, const char *key, const char *text)
{
	json_object_set_new(row, key, json_text(text ? text : ""));
}

static void set_text_or_null(json_t *row, const char *key, const char *text)
{
	json_object_set_new(row, key, json_text(text));
}

/* JSON has no NaN and no infinity. */
static void set_number_or_null(json_t *row, const char *key, double x)
{
	json_object_set_new(row, key, isfinite(x) ? json_real(x) : json_null());
}

static void set_number(json_t *row, const char *key, double x)
{
	json_object_set_new(row, key, json_real(isfinite(x) ? x : 0));
}

static json_t *side_json(const struct bench_side *s)
{
	auto_free double *finite = xcalloc(s->n + 1, sizeof(*finite));
	json_t *obj = json_object(), *samples = json_array();
	struct stats st;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->sample[i]))
			finite[n++] = s->sample[i];
	for (size_t i = 0; i < n; i++)
		json_array_append_new(samples, json_real(finite[i]));
	st = stats_of(finite, n);
	json_object_set_new(obj, "n", json_integer((json_int_t)n));
	set_number(obj, "median", st.median);
	set_number(obj, "min", st.min);
	set_number(obj, "max", st.max);
	set_number(obj, "mean", st.mean);
	set_number(obj, "stddev", st.stddev);
	json_object_set_new(obj, "samples", samples);
	return obj;
}

/* All of group, x and x_title, or none. */
static void set_curve(json_t *row, const struct bench_metric *m)
{
	bool curve = m->group && isfinite(m->x);

	set_text_or_null(row, "group", curve ? m->group : NULL);
	json_object_set_new(row, "x", curve ? json_real(m->x) : json_null());
	json_object_set_new(row, "x_title",
			    curve ? json_text(m->x_title ? m->x_title : "") : json_null());
}

/* Both ends, or none. */
static void set_interval(json_t *row, const struct bench_metric *m)
{
	bool known = isfinite(m->low) && isfinite(m->high);

	set_number_or_null(row, "low", known ? m->low : NAN);
	set_number_or_null(row, "high", known ? m->high : NAN);
}

static json_t *metric_json(const char *bench, const struct bench_metric *m, const char *caveat)
{
	json_t *row = json_object();

	set_text(row, "bench", bench);
	set_text(row, "name", m->name);
	set_text(row, "title", m->title);
	set_text(row, "unit", m->unit);
	set_text(row, "better", m->lower_is_better ? "lower" : "higher");
	json_object_set_new(row, "judged", json_boolean(m->judged));
	set_curve(row, m);
	json_object_set_new(row, "exact", json_boolean(m->exact));
	json_object_set_new(row, "base", side_json(&m->base));
	json_object_set_new(row, "patched", side_json(&m->patched));
	set_number_or_null(row, "change", m->change);
	set_interval(row, m);
	set_number_or_null(row, "smallest", m->smallest);
	set_text(row, "word", bench_word_name(m->word));
	set_text(row, "why", m->why);
	set_text(row, "caveat", caveat);
	return row;
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *bench_fact_word(const struct bench_fact *f)
{
	bool base_right = text_same(f->base, f->expected),
	     patched_right = text_same(f->patched, f->expected);

	if (!f->expected || (base_right && patched_right))
		return text_same(f->base, f->patched) ? "same" : "changed";
	if (base_right)
		return "wrong";
	return patched_right ? "mended" : "both-wrong";
}

static json_t *fact_json(const char *bench, const struct bench_fact *f)
{
	json_t *row = json_object();

	set_text(row, "bench", bench);
	set_text(row, "name", f->name);
	set_text(row, "title", f->title);
	set_text(row, "group", f->group);
	set_text_or_null(row, "base", f->base);
	set_text_or_null(row, "patched", f->patched);
	set_text_or_null(row, "expected", f->expected);
	json_object_set_new(row, "steady", json_boolean(f->steady));
	set_text(row, "word", bench_fact_word(f));
	return row;
}

static json_t *fit_side_json(const struct bench_fit_side *s)
{
	json_t *obj = json_object();

	set_number(obj, "constant", s->constant);
	set_number(obj, "linear", s->linear);
	set_number(obj, "quadratic", s->quadratic);
	set_number(obj, "share", s->share);
	set_text(obj, "words", s->words);
	return obj;
}

static json_t *fit_json(const char *bench, const struct bench_fit *f)
{
	json_t *row = json_object();

	set_text(row, "bench", bench);
	set_text(row, "group", f->group);
	set_text(row, "title", f->title);
	json_object_set_new(row, "base", fit_side_json(&f->base));
	json_object_set_new(row, "patched", fit_side_json(&f->patched));
	return row;
}

static json_t *texts_json(char *const *list, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, json_text(list[i] ? list[i] : ""));
	return array;
}

static json_t *table_json(const char *bench, const struct bench_table *t)
{
	json_t *row = json_object(), *rows = json_array();

	for (size_t i = 0; i < t->rows; i++)
		json_array_append_new(rows, texts_json(t->cell + i * t->columns, t->columns));
	set_text(row, "bench", bench);
	set_text(row, "title", t->title);
	set_text_or_null(row, "note", t->note);
	json_object_set_new(row, "head", texts_json(t->head, t->columns));
	json_object_set_new(row, "rows", rows);
	return row;
}

static json_t *function_json(const char *bench, const struct bench_function *f)
{
	json_t *row = json_object();

	set_text(row, "bench", bench);
	set_text(row, "name", f->name);
	set_number(row, "base", f->base);
	set_number(row, "patched", f->patched);
	return row;
}

static json_t *bench_row(const char *bench, const struct bench_request *req,
			 const struct bench_result *r)
{
	json_t *row = json_object();

	set_text(row, "bench", bench);
	set_text(row, "outcome", outcome_name(r->outcome));
	set_text(row, "reason", r->reason);
	set_text(row, "caveat", r->caveat);
	set_text(row, "mode", bench_mode_name(r->mode));
	set_text(row, "testbed", req->testbed->name);
	json_object_set_new(row, "seed", json_integer(req->seed));
	json_object_set_new(row, "boots", json_integer(r->boots));
	set_number(row, "seconds", r->seconds);
	set_text_or_null(row, "stopped", r->stopped);
	set_text_or_null(row, "profiled", r->profiled);
	return row;
}

static json_t *array_new(json_t *data, const char *key)
{
	json_t *array = json_array();

	json_object_set_new(data, key, array);
	return array;
}

json_t *bench_json(const struct bench *bench, const struct bench_request *req,
		   const struct bench_result *r)
{
	json_t *data = json_object(), *list;

	set_text(data, "outcome", outcome_name(r->outcome));
	set_text(data, "reason", r->reason);
	json_object_set_new(data, "evidence", texts_json(r->evidence, r->n_evidence));
	json_object_set_new(data, "base_bad", json_boolean(r->base_bad));
	json_object_set_new(data, "patched_bad", json_boolean(r->patched_bad));
	json_array_append_new(array_new(data, "benches"), bench_row(bench->name, req, r));
	list = array_new(data, "metrics");
	for (size_t i = 0; i < r->n_metrics; i++)
		json_array_append_new(list, metric_json(bench->name, &r->metric[i], r->caveat));
	list = array_new(data, "facts");
	for (size_t i = 0; i < r->n_facts; i++)
		json_array_append_new(list, fact_json(bench->name, &r->fact[i]));
	list = array_new(data, "fits");
	for (size_t i = 0; i < r->n_fits; i++)
		json_array_append_new(list, fit_json(bench->name, &r->fit[i]));
	list = array_new(data, "tables");
	for (size_t i = 0; i < r->n_tables; i++)
		if (r->table[i].columns)
			json_array_append_new(list, table_json(bench->name, &r->table[i]));
	list = array_new(data, "functions");
	for (size_t i = 0; i < r->n_functions; i++)
		json_array_append_new(list, function_json(bench->name, &r->function[i]));
	return data;
}

void bench_json_merge(json_t *report, const json_t *data)
{
	for (size_t i = 0; bench_arrays[i]; i++) {
		json_t *to = json_object_get(report, bench_arrays[i]);

		if (!to)
			to = array_new(report, bench_arrays[i]);
		json_array_extend(to, json_object_get(data, bench_arrays[i]));
	}
}
