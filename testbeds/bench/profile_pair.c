// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/profile_pair.h"

#include "base/proc.h"
#include "base/str.h"
#include "testbeds/profile.h"

static int profile_boot(const struct bench_request *req, const struct sampler_cell *cell,
			const struct bench_kernel *kernel, const char *path, struct err *err)
{
	struct boot_spec spec = cell->boot;
	struct boot_result boot = {0};
	int rc = 0;

	spec.kernel = kernel->vmlinux;
	spec.initramfs = kernel->initramfs;
	spec.work_dir = req->work_dir;
	spec.timeout_s = req->timeout_s;
	spec.count = true;
	spec.profile = path;
	if (cancel_requested())
		return err_cancelled(err);
	rc = req->testbed->boot(req->testbed_arg, &spec, &boot, err);
	if (rc == 0 && boot.end != BOOT_DONE)
		rc = err_set(err, ERR_INFRA, "it did not end well: %s", boot.reason);
	boot_result_done(&boot);
	return rc;
}

static int profile_side(const struct bench_request *req, const struct sampler_cell *cell,
			const char *side, struct profile *ret, struct err *err)
{
	bool is_base = strcmp(side, "base") == 0;
	const struct bench_kernel *kernel = is_base ? &req->base : &req->patched;
	auto_free char *path = xasprintf("%s/%s-%s.profile", req->work_dir, cell->slug, side);
	int rc = profile_boot(req, cell, kernel, path, err);

	if (rc == 0)
		rc = profile_read(path, kernel->vmlinux, ret, err);
	return rc < 0 ? err_wrap(err, "profile of %s, %s", cell->title, side) : 0;
}

int profile_pair(const struct bench_request *req, const struct sampler_cell *cell,
		 struct bench_result *ret, struct err *err)
{
	struct profile base = {0}, patched = {0};
	int rc = profile_side(req, cell, "base", &base, err);

	if (rc == 0)
		rc = profile_side(req, cell, "patched", &patched, err);
	if (rc == 0)
		profile_compare(&base, &patched, PROFILE_FUNCTIONS, ret);
	profile_done(&base);
	profile_done(&patched);
	return rc;
}
