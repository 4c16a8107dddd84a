// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"
#include "base/str.h"
#include "trial/bench_args.h"
#include "trial/bench_json.h"
#include "trial/guest.h"
#include "trial/job.h"

static void on_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	(void)ctx;
	job_progress(what, done, total);
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

/* The reason to leave a bench out; NULL: none. The caller frees. */
static char *module_missing(const struct job *job, const struct bench *bench)
{
	static const char *const which[] = {"base", "patched"};

	for (size_t i = 0; i < array_size(which) && bench->module; i++) {
		auto_free char *why =
			guest_module_missing(json_get_str(job->args, which[i], ""), bench->module);

		if (why)
			return xasprintf("%s kernel: %s", which[i], why);
	}
	return NULL;
}

static int measure(const struct job *job, const struct bench *bench, struct bench_request *req,
		   json_t **ret_data, struct err *err)
{
	struct bench_result r = {.outcome = OUTCOME_SKIP, .reason = module_missing(job, bench)};
	int rc = 0;

	req->work_dir = job->dir;
	req->on_progress = on_progress;
	if (!r.reason)
		rc = bench_run(bench, req, &r, err);
	if (rc == 0)
		*ret_data = bench_json(bench, req, &r);
	bench_result_done(&r);
	return rc;
}

static int run(const struct job *job, json_t **ret_data, struct err *err)
{
	auto_free char *base = NULL, *base_cpio = NULL, *patched = NULL, *patched_cpio = NULL;
	auto_free unsigned *sizes = NULL;
	const struct bench *bench;
	struct bench_request req = {0};
	int rc = bench_args_read(job->args, &bench, &req, &sizes, err);

	if (rc < 0)
		return err_wrap(err, "%s/job.json", job->dir);
	rc = kernel_of(job, "base", &base, &base_cpio, err);
	if (rc == 0)
		rc = kernel_of(job, "patched", &patched, &patched_cpio, err);
	if (rc < 0)
		return rc;
	req.base = (struct bench_kernel){
		.vmlinux = base, .initramfs = base_cpio, .same_as_base = true};
	req.patched = (struct bench_kernel){.vmlinux = patched,
					    .initramfs = patched_cpio,
					    .same_as_base =
						    json_get_bool(job->args, "same_image", false)};
	return measure(job, bench, &req, ret_data, err);
}

const struct job_kind job_bench = {
	.name = "bench", .summary = "run one benchmark on base and patched kernel", .run = run};
