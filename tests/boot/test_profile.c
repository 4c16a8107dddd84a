// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles of real kernels: base, and one that looks each LMB up once more. profile.sh makes them.
 */
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "base/str.h"
#include "testbeds/bench/profile_pair.h"
#include "testbeds/initramfs.h"
#include "testbeds/profile.h"
#include <math.h>
#include <sys/stat.h>

#define SKIP_CODE 77
#define LMBS	  16

static char work[64];
static struct bench_request req;

static int plug(void *ctx, struct machine *m, struct err *err)
{
	(void)ctx;
	return m->ops->add_memory(m, LMBS, 1, err);
}

static const struct sampler_cell cell = {
	.slug = "16",
	.title = "hot-add of 16 LMBs",
	.boot = {.append = "firn.mode=hot-add firn.lmbs=16 firn.node=1",
		 .cpus = 1,
		 .nodes = 2,
		 .memory_mib = 1024,
		 .max_memory_mib = 64 * 1024,
		 .seed = 1,
		 .count = true,
		 .on_stop = plug},
};

static void boot(const char *profile, struct boot_result *ret)
{
	struct boot_spec spec = cell.boot;
	struct err err = ERR_INIT;

	spec.kernel = req.base.vmlinux;
	spec.initramfs = req.base.initramfs;
	spec.work_dir = work;
	spec.profile = profile;
	assert_ok(testbed_qemu_pseries.boot("", &spec, ret, &err), &err);
	assert_int_equal(ret->end, BOOT_DONE);
}

/* Every time stamp, so every instruction: counting does not move guest time. */
static void test_console_is_the_same(void **state)
{
	auto_free char *path = xasprintf("%s/same.profile", work), *plugin = NULL;
	struct boot_result without = {0}, with = {0};

	(void)state;
	boot(NULL, &without);
	boot(path, &with);
	assert_string_equal(without.console.buf, with.console.buf);
	print_message("boot %.2f s, with a profile %.2f s\n", without.host_seconds,
		      with.host_seconds);
	plugin = xasprintf("%s.so", path);
	assert_false(fs_exists(plugin));
	boot_result_done(&without);
	boot_result_done(&with);
}

static double function_n(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_functions; i++)
		if (strcmp(p->function[i].name, name) == 0)
			return p->function[i].n;
	return 0;
}

static void profile_base(struct profile *ret)
{
	auto_free char *path = xasprintf("%s/base.profile", work);
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	boot(path, &r);
	assert_ok(profile_read(path, req.base.vmlinux, ret, &err), &err);
	boot_result_done(&r);
}

static void test_repeats(void **state)
{
	struct profile a = {0}, b = {0};

	(void)state;
	profile_base(&a);
	profile_base(&b);
	print_message("total %.0f and %.0f, user %.0f, modules %.0f\n", a.total, b.total,
		      function_n(&a, PROFILE_USER), function_n(&a, PROFILE_MODULES));
	assert_true(fabs(a.total - b.total) <= a.total * 0.0001);
	assert_true(function_n(&a, "dlpar_add_lmb") > 0);
	assert_true(function_n(&a, "dlpar_add_lmb") == function_n(&b, "dlpar_add_lmb"));
	assert_true(function_n(&a, PROFILE_MODULES) > 0);
	profile_done(&a);
	profile_done(&b);
}

static const struct bench_function *result_function(const struct bench_result *r, const char *name)
{
	for (size_t i = 0; i < r->n_functions; i++)
		if (strcmp(r->function[i].name, name) == 0)
			return &r->function[i];
	return NULL;
}

/* The planted look-up is by a function that the base does not call. */
static void test_names_what_grew(void **state)
{
	const struct bench_function *grown;
	struct bench_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(profile_pair(&req, &cell, &r, &err), &err);
	for (size_t i = 0; i < r.n_functions; i++)
		print_message("%-40s %12.0f %12.0f %+12.0f\n", r.function[i].name,
			      r.function[i].base, r.function[i].patched,
			      r.function[i].patched - r.function[i].base);
	assert_int_equal(r.n_functions, PROFILE_FUNCTIONS);
	grown = result_function(&r, "hot_add_scn_to_nid");
	assert_non_null(grown);
	assert_true(grown->base == 0 && grown->patched > 0);
	bench_result_done(&r);
}

static void test_needs_counting(void **state)
{
	struct boot_spec spec = cell.boot;
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	spec.kernel = req.base.vmlinux;
	spec.initramfs = req.base.initramfs;
	spec.work_dir = work;
	spec.profile = "/nonexistent/profile";
	spec.count = false;
	assert_err(testbed_qemu_pseries.boot("", &spec, &r, &err), &err, ERR_CONFIG,
		   "counts instructions");
	spec.count = true;
	assert_err(testbed_qemu_pseries.boot("", &spec, &r, &err), &err, ERR_INFRA,
		   "/nonexistent/profile");
}

static int skip_all(const char *why)
{
	printf("SKIP: %s\n", why);
	return SKIP_CODE;
}

/* 0 when all is there. The folder must be open to the user that sandboxed commands run as. */
static int prepare(const char *pause_ko, char **ret_initramfs, struct err *err)
{
	const char *const modules[] = {pause_ko, NULL};
	auto_free char *cache = NULL, *init = NULL, *initramfs = NULL;
	int rc;

	snprintf(work, sizeof(work), "/tmp/firn-profile-XXXXXX");
	if (!mkdtemp(work) || chmod(work, 0755) < 0)
		return err_sys(err, ERR_INFRA, "cannot make %s", work);
	cache = xasprintf("%s/cache", work);
	initramfs = xasprintf("%s/initramfs", work);
	rc = testbed_qemu_pseries.probe("", err);
	if (rc == 0)
		rc = guest_init_build("powerpc64le-linux-gnu-", cache, &init, err);
	if (rc == 0)
		rc = initramfs_write(initramfs, init, modules, err);
	if (rc == 0)
		*ret_initramfs = take(initramfs);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_console_is_the_same),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_names_what_grew),
		cmocka_unit_test(test_needs_counting),
	};
	const char *pause_ko = getenv("FIRN_TEST_PAUSE_KO");
	auto_free char *initramfs = NULL;
	struct err err = ERR_INIT, ignored = ERR_INIT;
	int rc;

	req = (struct bench_request){
		.testbed = &testbed_qemu_pseries,
		.testbed_arg = "",
		.base.vmlinux = getenv("FIRN_TEST_KERNEL"),
		.patched.vmlinux = getenv("FIRN_TEST_PATCHED_KERNEL"),
		.work_dir = work,
	};
	if (!req.base.vmlinux || !req.patched.vmlinux || !pause_ko)
		return skip_all("no kernels are given: see profile.sh");
	rc = prepare(pause_ko, &initramfs, &err);
	/* One module for both: their versions are the same. */
	req.base.initramfs = req.patched.initramfs = initramfs;
	if (rc == ERR_CONFIG)
		rc = skip_all(err.msg);
	else if (rc < 0)
		printf("%s\n", err.msg);
	else
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	if (fs_rmtree(work, &ignored) < 0)
		printf("%s\n", ignored.msg);
	return rc < 0 ? 1 : rc;
}
