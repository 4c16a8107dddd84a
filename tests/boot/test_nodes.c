// SPDX-License-Identifier: GPL-2.0-or-later
/* The benches of nodes, CPUs and memory blocks on a real kernel and on one that leaves node 0
 * online. See tests.cmake for what it needs. */
#include "tests/unit/unit.h"

#include "base/fs.h"
#include "testbeds/bench/bench.h"
#include "testbeds/initramfs.h"
#include <math.h>
#include <sys/stat.h>

#define SKIP_CODE 77

static char work[64];
static struct bench_kernel base, patched;

static void run(const struct bench *bench, const struct bench_kernel *second, unsigned samples,
		const char *only, struct bench_result *ret)
{
	const struct bench_request req = {.testbed = &testbed_qemu_pseries,
					  .testbed_arg = "",
					  .base = base,
					  .patched = *second,
					  .samples = samples,
					  .only = only,
					  .seed = 1,
					  .work_dir = work};
	struct err err = ERR_INIT;

	assert_ok(bench_run(bench, &req, ret, &err), &err);
	print_message("%s: %s\n", outcome_name(ret->outcome), ret->reason);
}

static const struct bench_fact *fact(const struct bench_result *r, const char *name)
{
	for (size_t i = 0; i < r->n_facts; i++)
		if (strcmp(r->fact[i].name, name) == 0)
			return &r->fact[i];
	fail_msg("no fact %s", name);
	return NULL;
}

static void assert_fact(const struct bench_result *r, const char *name, const char *on_base,
			const char *on_patched)
{
	const struct bench_fact *f = fact(r, name);

	if (!f->base || !f->patched)
		fail_msg("%s: a side did not say", name);
	assert_string_equal(f->base, on_base);
	assert_string_equal(f->patched, on_patched);
	assert_true(f->steady);
	if (f->expected)
		assert_string_equal(f->expected, on_base);
}

/* Every expected fact holds on the base. */
static void assert_base_right(const struct bench_result *r)
{
	for (size_t i = 0; i < r->n_facts; i++)
		if (r->fact[i].expected &&
		    (!r->fact[i].base || strcmp(r->fact[i].base, r->fact[i].expected) != 0))
			fail_msg("%s is \"%s\", not \"%s\"", r->fact[i].name,
				 r->fact[i].base ? r->fact[i].base : "", r->fact[i].expected);
}

static void test_node0_online(void **state)
{
	struct bench_result r = {0};
	const struct bench_metric *faults;

	(void)state;
	run(&bench_node_offline, &patched, 2, NULL, &r);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_base_right(&r);
	assert_fact(&r, "node-offline/empty-node0/online", "1-2", "0-2");
	assert_fact(&r, "node-offline/empty-node0/numa_balancing", "1", "1");
	assert_fact(&r, "node-offline/all-in-node1/online", "1", "0-1");
	assert_fact(&r, "node-offline/all-in-node1/numa_balancing", "0", "1");
	assert_fact(&r, "node-offline/all-in-node1/available", "1 nodes (1)", "2 nodes (0-1)");
	assert_fact(&r, "node-offline/all-in-node1/numa01/faults", "none", "some");
	assert_fact(&r, "node-offline/all-in-node1/numa02/faults", "none", "some");
	assert_fact(&r, "node-offline/two-nodes/online", "0-1", "0-1");
	assert_fact(&r, "node-offline/memory-only/has_cpu", "0", "0");
	assert_fact(&r, "node-offline/cpu-only/has_memory", "0", "0");
	assert_fact(&r, "node-offline/cpu-only-node0/has_memory", "1", "1");
	faults = bench_result_metric(&r, "node-offline/all-in-node1/numa01/numa_hint_faults");
	assert_non_null(faults);
	for (size_t i = 0; i < 2; i++) {
		assert_true(faults->base.sample[i] == 0);
		assert_true(faults->patched.sample[i] > 100);
	}
	bench_result_done(&r);
}

/* The other way round it is the series that mends it: no fault of the series. */
static void test_node0_mended(void **state)
{
	struct bench_kernel kept = base;
	struct bench_result r = {0};
	const struct bench_fact *f;

	(void)state;
	base = patched;
	run(&bench_node_offline, &kept, 2, "node-offline/all-in-node1", &r);
	base = kept;
	assert_int_not_equal(r.outcome, OUTCOME_FAIL);
	assert_int_not_equal(r.outcome, OUTCOME_ERROR);
	f = fact(&r, "node-offline/all-in-node1/numa_balancing");
	assert_string_equal(f->base, "1");
	assert_string_equal(f->patched, "0");
	assert_string_equal(f->expected, "0");
	bench_result_done(&r);
}

static void assert_unchanged(const struct bench *bench, const char *only)
{
	struct bench_result r = {0};

	run(bench, &base, 0, only, &r);
	if (r.outcome != OUTCOME_PASS)
		fail_msg("%s: %s", bench->name, r.reason);
	assert_base_right(&r);
	for (size_t i = 0; i < r.n_metrics; i++)
		if (r.metric[i].judged)
			assert_int_equal(r.metric[i].word, BENCH_UNCHANGED);
	bench_result_done(&r);
}

static void test_nodes_unchanged(void **state)
{
	(void)state;
	assert_unchanged(&bench_node_offline, "node-offline/all-in-node1");
}

static void test_cpus_unchanged(void **state)
{
	(void)state;
	assert_unchanged(&bench_cpu_hotplug, NULL);
}

static void test_memory_unchanged(void **state)
{
	(void)state;
	assert_unchanged(&bench_memory_online, NULL);
}

/* 0 when all is there. The folder must be open to the user that sandboxed commands run as. */
static int prepare(struct bench_kernel *kernel, const char *dir, const char *init, struct err *err)
{
	auto_free char *pause_ko = xasprintf("%s/pause.ko", dir);
	const char *const modules[] = {pause_ko, NULL};

	kernel->vmlinux = xasprintf("%s/vmlinux", dir);
	kernel->initramfs =
		xasprintf("%s/initramfs-%s", work, kernel == &base ? "base" : "patched");
	return initramfs_write(kernel->initramfs, init, modules, err);
}

static int prepare_all(const char *base_dir, const char *patched_dir, struct err *err)
{
	auto_free char *cache = NULL, *init = NULL;
	int rc;

	snprintf(work, sizeof(work), "/tmp/firn-boot-XXXXXX");
	if (!mkdtemp(work) || chmod(work, 0755) < 0)
		return err_sys(err, ERR_INFRA, "cannot make %s", work);
	cache = xasprintf("%s/cache", work);
	rc = testbed_qemu_pseries.probe("", err);
	if (rc == 0)
		rc = guest_init_build("powerpc64le-linux-gnu-", cache, &init, err);
	if (rc == 0)
		rc = prepare(&base, base_dir, init, err);
	return rc < 0 ? rc : prepare(&patched, patched_dir, init, err);
}

static void kernel_done(struct bench_kernel *k)
{
	free((char *)k->vmlinux);
	free((char *)k->initramfs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_node0_online),	 cmocka_unit_test(test_node0_mended),
		cmocka_unit_test(test_nodes_unchanged),	 cmocka_unit_test(test_cpus_unchanged),
		cmocka_unit_test(test_memory_unchanged),
	};
	const char *base_dir = getenv("FIRN_TEST_BASE"), *patched_dir = getenv("FIRN_TEST_PATCHED");
	struct err err = ERR_INIT, ignored = ERR_INIT;
	int rc;

	if (!base_dir || !patched_dir) {
		printf("SKIP: FIRN_TEST_BASE and FIRN_TEST_PATCHED name no kernels\n");
		return SKIP_CODE;
	}
	rc = prepare_all(base_dir, patched_dir, &err);
	if (rc < 0)
		printf("%s%s\n", rc == ERR_CONFIG ? "SKIP: " : "", err.msg);
	else
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	kernel_done(&base);
	kernel_done(&patched);
	if (fs_rmtree(work, &ignored) < 0)
		printf("%s\n", ignored.msg);
	return rc == ERR_CONFIG ? SKIP_CODE : rc < 0 ? 1 : rc;
}
