// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/json.h"
#include "testbeds/bench/bench.h"
#include "testbeds/bench/stats.h"
#include "trial/guest.h"
#include "trial/job.h"
#include <math.h>

static json_t *number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *side(const struct bench_side *s)
{
	struct stats st = stats_of(s->sample, s->n);
	json_t *obj = json_object(), *samples = json_array();

	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(samples, number(s->sample[i]));
	json_object_set_new(obj, "n", json_integer((json_int_t)s->n));
	json_object_set_new(obj, "median", number(st.median));
	json_object_set_new(obj, "min", number(st.min));
	json_object_set_new(obj, "max", number(st.max));
	json_object_set_new(obj, "mean", number(st.mean));
	json_object_set_new(obj, "stddev", number(st.stddev));
	json_object_set_new(obj, "samples", samples);
	return obj;
}

static json_t *metric_row(const char *bench, const struct bench_metric *m, const char *caveat)
{
	bool has_old = m->base.n && m->patched.n && stats_of(m->base.sample, m->base.n).median != 0;
	json_t *row = json_object();

	json_object_set_new(row, "bench", json_text(bench));
	json_object_set_new(row, "name", json_text(m->name));
	json_object_set_new(row, "title", json_text(m->title));
	json_object_set_new(row, "unit", json_text(m->unit));
	json_object_set_new(row, "better", json_text(m->lower_is_better ? "lower" : "higher"));
	json_object_set_new(row, "exact", json_boolean(m->exact));
	json_object_set_new(row, "base", side(&m->base));
	json_object_set_new(row, "patched", side(&m->patched));
	json_object_set_new(row, "change", has_old ? number(m->change) : json_null());
	json_object_set_new(row, "smallest", has_old ? number(m->smallest) : json_null());
	json_object_set_new(row, "word", json_text(bench_word_name(m->word)));
	json_object_set_new(row, "why", json_text(m->why));
	json_object_set_new(row, "caveat", json_text(caveat));
	return row;
}

static json_t *bench_data(const char *bench, const struct bench_result *r)
{
	json_t *data = json_object(), *metrics = json_array(), *evidence = json_array();

	for (size_t i = 0; i < r->n_metrics; i++)
		json_array_append_new(metrics, metric_row(bench, &r->metric[i], r->caveat));
	for (size_t i = 0; i < r->n_evidence; i++)
		json_array_append_new(evidence, json_text(r->evidence[i]));
	json_object_set_new(data, "outcome", json_text(outcome_name(r->outcome)));
	json_object_set_new(data, "reason", json_text(r->reason));
	json_object_set_new(data, "metrics", metrics);
	json_object_set_new(data, "evidence", evidence);
	return data;
}

static void on_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	(void)ctx;
	job_progress(what, done, total);
}

static unsigned *lmb_list(const json_t *array)
{
	size_t n = json_array_size(array), i;
	unsigned *list = xcalloc(n + 1, sizeof(*list));
	const json_t *item;

	json_array_foreach (array, i, item)
		list[i] = (unsigned)json_integer_value(item);
	return list;
}

static int measure(const struct job *job, struct bench_request *req, struct bench_result *ret,
		   struct err *err)
{
	auto_free unsigned *lmbs = lmb_list(json_object_get(job->args, "lmbs"));
	const struct bench *bench;
	const char *name, *testbed;
	int rc = job_arg_str(job, "bench", &name, err);

	if (rc == 0)
		rc = job_arg_str(job, "testbed", &testbed, err);
	if (rc < 0)
		return rc;
	bench = bench_find(name);
	req->testbed = testbed_find(testbed, &req->testbed_arg);
	if (!bench || !req->testbed)
		return err_set(err, ERR_CONFIG, "no %s \"%s\"", bench ? "testbed" : "bench",
			       bench ? testbed : name);
	req->sizes = lmbs[0] ? lmbs : NULL;
	req->samples = (unsigned)json_get_num(job->args, "samples", 0);
	req->seed = (unsigned)json_get_num(job->args, "seed", 1);
	req->timeout_s = json_get_num(job->args, "timeout", 0);
	req->work_dir = job->dir;
	req->on_progress = on_progress;
	return bench_run(bench, req, ret, err);
}

/* `which` is "base" or "patched": the argument and the name of the initramfs. */
static int kernel_of(const struct job *job, const char *which, char **ret_vmlinux, char **ret_cpio,
		     struct err *err)
{
	const char *artifact, *cache;
	int rc = job_arg_str(job, which, &artifact, err);

	if (rc == 0)
		rc = job_arg_str(job, "cache", &cache, err);
	if (rc < 0)
		return rc;
	*ret_cpio = xasprintf("%s/%s.cpio", job->dir, which);
	return guest_prepare(artifact, cache, *ret_cpio, ret_vmlinux, err);
}

static int run(const struct job *job, json_t **ret_data, struct err *err)
{
	auto_free char *base = NULL, *base_cpio = NULL, *patched = NULL, *patched_cpio = NULL;
	struct bench_result r = {0};
	int rc = kernel_of(job, "base", &base, &base_cpio, err);

	if (rc == 0)
		rc = kernel_of(job, "patched", &patched, &patched_cpio, err);
	if (rc < 0)
		return rc;
	struct bench_request req = {
		.base = {.vmlinux = base, .initramfs = base_cpio},
		.patched = {.vmlinux = patched,
			    .initramfs = patched_cpio,
			    .same_as_base = json_get_bool(job->args, "same_image", false)},
	};
	rc = measure(job, &req, &r, err);
	if (rc == 0)
		*ret_data = bench_data(json_get_str(job->args, "bench", ""), &r);
	bench_result_done(&r);
	return rc;
}

const struct job_kind job_bench = {
	.name = "bench", .summary = "run one benchmark on base and patched kernel", .run = run};
