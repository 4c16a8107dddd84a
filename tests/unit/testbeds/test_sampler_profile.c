// SPDX-License-Identifier: GPL-2.0-or-later
/* When a bench asks for a profile, and what becomes of it, on a machine that writes what it is told
 * to. */
#include "tests/unit/testbeds/consoles.h"
#include "tests/unit/testbeds/elf_make.h"
#include "tests/unit/testbeds/memory_dir.h"

#include "testbeds/bench/sampler.h"
#include "testbeds/profile.h"
#include <stdlib.h>

static const struct sym symbols[] = {
	{"grow", 0x100, 0x40, STT_FUNC, STB_GLOBAL},
	{"same", 0x200, 0x40, STT_FUNC, STB_GLOBAL},
};

static char dir[PATH_MAX];
static char *vmlinux, *patched_vmlinux;
static unsigned boots, profiles;
static const char *profile_end; /* of the patched kernel's */
static enum boot_end profile_boot_end;

static void number_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	static const struct sample_row row = {.name = "n", .title = "number", .unit = "us"};

	(void)ctx;
	sample_number(ret, &row, strtod(strstr(boot->console.buf, "number ") + 7, NULL));
}

static void profile_write(const char *path, bool patched)
{
	auto_free char *text = xasprintf("firn-profile 1\nc000000000000100 %u\n"
					 "c000000000000200 7\n%s",
					 patched ? 50 : 20, patched ? profile_end : "end 27\n");

	profiles++;
	file_write(path, text, strlen(text));
}

static int fake_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		     struct err *err)
{
	bool patched = strcmp(spec->kernel, patched_vmlinux) == 0;

	(void)arg;
	boots++;
	if (spec->profile) {
		assert_true(spec->count);
		profile_write(spec->profile, patched);
	}
	console_says(patched ? "[    1.000000] Linux\nnumber 200\nfirn: done\n"
			     : "[    1.000000] Linux\nnumber 100\nfirn: done\n",
		     ret);
	if (spec->profile)
		ret->end = profile_boot_end;
	(void)err;
	return 0;
}

static struct testbed fake;
static struct bench_request req;

static void run(unsigned cells, struct bench_result *ret)
{
	struct err err = ERR_INIT;
	struct sampler s;

	boots = profiles = 0;
	sampler_init(&s, &req);
	for (unsigned i = 0; i < cells; i++) {
		const struct sampler_cell cell = {
			.slug = i ? "b" : "a",
			.title = i ? "second" : "first",
			.read = number_read,
		};

		assert_ok(sampler_run(&s, &cell, &err), &err);
	}
	sampler_judge(&s, ret);
	sampler_done(&s);
}

static void test_changed(void **state)
{
	struct bench_result r = {0};

	(void)state;
	run(1, &r);
	assert_int_equal(boots, 8);
	assert_int_equal(r.n_functions, 1);
	assert_string_equal(r.function[0].name, "grow");
	assert_true(r.function[0].base == 20 && r.function[0].patched == 50);
	assert_string_equal(r.profiled, "first");
	assert_int_equal(r.boots, 6); /* those that were measured */
	bench_result_done(&r);
}

static void test_once(void **state)
{
	struct bench_result r = {0};

	(void)state;
	run(2, &r);
	assert_int_equal(profiles, 2);
	assert_string_equal(r.profiled, "first");
	bench_result_done(&r);
}

static void assert_no_profile(void)
{
	struct bench_result r = {0};

	run(1, &r);
	assert_int_equal(profiles, 0);
	assert_int_equal(r.n_functions, 0);
	assert_null(r.profiled);
	bench_result_done(&r);
}

static void test_not_asked_for(void **state)
{
	(void)state;
	req.profile = false;
	assert_no_profile();
}

static void test_clock(void **state)
{
	(void)state;
	req.mode = BENCH_CLOCK;
	assert_no_profile();
}

static void test_testbed_that_cannot(void **state)
{
	(void)state;
	fake.caps &= ~(unsigned)TESTBED_PROFILE;
	assert_no_profile();
}

static void test_unchanged(void **state)
{
	(void)state;
	req.patched.vmlinux = vmlinux;
	assert_no_profile();
}

/* The numbers stand without it. */
static void assert_problem(const char *words)
{
	struct bench_result r = {0};
	bool said = false;

	run(1, &r);
	assert_int_equal(r.n_functions, 0);
	assert_null(r.profiled);
	assert_int_equal(r.outcome, OUTCOME_WARN);
	assert_int_equal(r.metric[0].word, BENCH_SLOWER);
	for (size_t i = 0; i < r.n_evidence; i++)
		said |= str_starts(r.evidence[i], "no profile: ") && strstr(r.evidence[i], words);
	assert_true(said);
	bench_result_done(&r);
}

static void test_cut(void **state)
{
	(void)state;
	profile_end = "";
	assert_problem("first, patched: ");
	assert_problem("is cut");
}

static void test_boot_that_ends_badly(void **state)
{
	(void)state;
	profile_boot_end = BOOT_HANG;
	assert_problem("first, base: it did not end well");
}

static int setup(void **state)
{
	auto_str struct str file;

	(void)state;
	if (!memory_dir_make(dir, sizeof(dir)))
		return -1;
	vmlinux = xasprintf("%s/vmlinux", dir);
	patched_vmlinux = xasprintf("%s/patched", dir);
	elf_make(symbols, array_size(symbols), &file);
	file_write(vmlinux, file.buf, file.len);
	file_write(patched_vmlinux, file.buf, file.len);
	return 0;
}

static int setup_each(void **state)
{
	(void)state;
	profile_end = "end 57\n";
	profile_boot_end = BOOT_DONE;
	fake = (struct testbed){.name = "fake",
				.caps = TESTBED_BOOT | TESTBED_COUNT | TESTBED_PROFILE,
				.boot = fake_boot};
	req = (struct bench_request){.testbed = &fake,
				     .testbed_arg = "",
				     .base.vmlinux = vmlinux,
				     .patched.vmlinux = patched_vmlinux,
				     .mode = BENCH_COUNT,
				     .seed = 1,
				     .profile = true,
				     .work_dir = dir};
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	free(vmlinux);
	free(patched_vmlinux);
	return fs_rmtree(dir, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_changed, setup_each),
		cmocka_unit_test_setup(test_once, setup_each),
		cmocka_unit_test_setup(test_not_asked_for, setup_each),
		cmocka_unit_test_setup(test_clock, setup_each),
		cmocka_unit_test_setup(test_testbed_that_cannot, setup_each),
		cmocka_unit_test_setup(test_unchanged, setup_each),
		cmocka_unit_test_setup(test_cut, setup_each),
		cmocka_unit_test_setup(test_boot_that_ends_badly, setup_each),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
