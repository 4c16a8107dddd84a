// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles over small kernels made here: an ELF file with a text section and symbols. */
#include "tests/unit/testbeds/elf_make.h"
#include "tests/unit/testbeds/memory_dir.h"

#include "base/fs.h"
#include "testbeds/profile.h"
#include "testbeds/symbols.h"
#include <stdlib.h>

static char dir[PATH_MAX];
static char *vmlinux, *profile_path;

/* What gcc and the kernel's assembler files leave in a vmlinux. */
static const struct sym symbols[] = {
	{"start_here", 0, 0, STT_NOTYPE, STB_GLOBAL}, /* no size */
	{"grow", 0x100, 0x40, STT_FUNC, STB_GLOBAL},
	{"alias_of_grow", 0x100, 0x40, STT_FUNC, STB_LOCAL},
	{".Llabel", 0x110, 0, STT_NOTYPE, STB_LOCAL},
	{"inner_label", 0x120, 0, STT_NOTYPE, STB_LOCAL}, /* in grow */
	{"clone.isra.0", 0x200, 0x20, STT_FUNC, STB_LOCAL},
	{"clone.constprop.1.isra.2", 0x220, 0x20, STT_FUNC, STB_LOCAL},
	{"clone", 0x240, 0x20, STT_FUNC, STB_LOCAL},
	{".old_abi", 0x260, 0x20, STT_FUNC, STB_GLOBAL},
	{"a_variable", 0x300, 8, STT_OBJECT, STB_GLOBAL},
	{"shrink", 0x400, 0x40, STT_FUNC, STB_GLOBAL},
};

static void vmlinux_write(const struct sym *sym, size_t n)
{
	auto_str struct str file;

	elf_make(sym, n, &file);
	file_write(vmlinux, file.buf, file.len);
}

static int profile_of(const char *text, struct profile *ret, struct err *err)
{
	file_write(profile_path, text, strlen(text));
	return profile_read(profile_path, vmlinux, ret, err);
}

static double count_of(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_functions; i++)
		if (strcmp(p->function[i].name, name) == 0)
			return p->function[i].n;
	return -1;
}

static void test_functions(void **state)
{
	struct profile p = {0};
	struct err err = ERR_INIT;

	(void)state;
	vmlinux_write(symbols, array_size(symbols));
	assert_ok(profile_of("firn-profile 1\n"
			     "10001234 7\n"	    /* user space */
			     "c000000000000000 1\n" /* start_here */
			     "c0000000000000fc 2\n" /* up to the next symbol */
			     "c000000000000100 10\n"
			     "c000000000000120 20\n" /* a label inside */
			     "c00000000000013c 30\n"
			     "c000000000000200 100\n"
			     "c000000000000220 200\n"
			     "c000000000000240 400\n"
			     "c000000000000260 5\n"
			     "c000000000000300 6\n" /* a variable is no function */
			     "c000000000000400 1000\n"
			     "c000000000000fff 1\n"
			     "c000000000001000 50\n" /* behind the text */
			     "c008000000010000 60\n"
			     "end 1892\n",
			     &p, &err),
		  &err);
	assert_int_equal(p.n_functions, 7);
	assert_true(p.total == 1892);
	assert_true(count_of(&p, "start_here") == 3);
	assert_true(count_of(&p, "grow") == 60);
	assert_true(count_of(&p, "clone") == 700);
	assert_true(count_of(&p, "old_abi") == 11);
	assert_true(count_of(&p, "shrink") == 1001);
	assert_true(count_of(&p, PROFILE_USER) == 7);
	assert_true(count_of(&p, PROFILE_MODULES) == 110);
	for (size_t i = 1; i < p.n_functions; i++)
		assert_true(strcmp(p.function[i - 1].name, p.function[i].name) < 0);
	profile_done(&p);
}

static void test_order_of_symbols_does_not_matter(void **state)
{
	struct sym turned[array_size(symbols)];
	struct profile p = {0};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < array_size(symbols); i++)
		turned[i] = symbols[array_size(symbols) - 1 - i];
	vmlinux_write(turned, array_size(turned));
	assert_ok(profile_of("firn-profile 1\nc000000000000124 3\nend 3\n", &p, &err), &err);
	assert_int_equal(p.n_functions, 1);
	assert_string_equal(p.function[0].name, "grow");
	profile_done(&p);
}

static void test_nothing_was_counted(void **state)
{
	struct profile p = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(profile_of("firn-profile 1\nend 0\n", &p, &err), &err);
	assert_int_equal(p.n_functions, 0);
	assert_true(p.total == 0);
	profile_done(&p);
}

static void test_bad_profiles(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"", "did not write it"},
		{"something else\n", "wrote something else"},
		{"firn-profile 2\nend 0\n", "wrote something else"},
		{"firn-profile 1\n", "is cut"},
		{"firn-profile 1\nc000000000000100 5\n", "is cut"},
		{"firn-profile 1\nc000000000000100 5", ":2: no address and count"},
		{"firn-profile 1\nc000000000000100 5\nc0000", ":3: no address and count"},
		{"firn-profile 1\nc000000000000100 5\nen", ":3: no address and count"},
		{"firn-profile 1\nc000000000000100\nend 0\n", ":2: no address and count"},
		{"firn-profile 1\nc000000000000100 -5\nend 0\n", ":2: no address and count"},
		{"firn-profile 1\n0xc000000000000100 5\nend 5\n", ":2: no address and count"},
		{"firn-profile 1\n c000000000000100 5\nend 5\n", ":2: no address and count"},
		{"firn-profile 1\n1c000000000000100 5\nend 5\n", ":2: no address and count"},
		{"firn-profile 1\nc000000000000100 f\nend 15\n", ":2: no address and count"},
		{"firn-profile 1\nc000000000000100 9007199254740993\nend 0\n", ":2: no address"},
		{"firn-profile 1\nc000000000000100 99999999999999999999\nend 0\n", ":2: no"},
		{"firn-profile 1\nc0 9007199254740992\nc0 1\nend 9007199254740993\n", ":3: no"},
		{"firn-profile 1\nc000000000000100 5\nend 6\n", "do not add up"},
		{"firn-profile 1\nc000000000000100 5\nend 5", "does not end"},
		{"firn-profile 1\nc000000000000100 5\nend \n", "does not end"},
		{"firn-profile 1\nc000000000000100 5\nend 5\nmore\n", "does not end"},
	};
	struct profile p = {0};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		struct err err = ERR_INIT;

		assert_err(profile_of(bad[i].text, &p, &err), &err, ERR_INFRA, bad[i].message);
		assert_null(p.function);
	}
}

/* A NUL does not end the file early. */
static void test_nul_in_profile(void **state)
{
	static const char text[] = "firn-profile 1\nend 0\n\0garbage";
	struct profile p = {0};
	struct err err = ERR_INIT;

	(void)state;
	file_write(profile_path, text, sizeof(text));
	assert_err(profile_read(profile_path, vmlinux, &p, &err), &err, ERR_INFRA, "does not end");
}

static void test_bad_kernels(void **state)
{
	static const struct sym variable = {"v", 0x300, 8, STT_OBJECT, STB_GLOBAL};
	struct symbols s = {0};
	struct err err = ERR_INIT;

	(void)state;
	file_write(vmlinux, "not ELF", 7);
	assert_err(symbols_read(vmlinux, &s, &err), &err, ERR_INPUT, "no ELF file");
	file_write(vmlinux, "", 0);
	assert_err(symbols_read(vmlinux, &s, &err), &err, ERR_INPUT, "no ELF file");
	vmlinux_write(&variable, 0);
	assert_err(symbols_read(vmlinux, &s, &err), &err, ERR_INPUT, "no symbols");
	vmlinux_write(&variable, 1);
	assert_err(symbols_read(vmlinux, &s, &err), &err, ERR_INPUT, "no symbols");
	assert_err(symbols_read("/nonexistent/vmlinux", &s, &err), &err, ERR_INPUT,
		   "/nonexistent/vmlinux");
	assert_null(s.item);
}

/* Cut anywhere, and with bytes that are wrong: refused or read, nothing worse. */
static void test_damaged_kernels(void **state)
{
	auto_str struct str file;
	struct symbols s = {0};
	struct err err = ERR_INIT;

	(void)state;
	elf_make(symbols, array_size(symbols), &file);
	for (size_t n = 0; n < file.len; n += 13) {
		file_write(vmlinux, file.buf, n);
		if (symbols_read(vmlinux, &s, &err) == 0)
			symbols_done(&s);
	}
	for (size_t i = 0; i < file.len; i += 3) {
		char kept = file.buf[i];

		file.buf[i] = (char)(i % 2 ? 0xff : kept + 1);
		file_write(vmlinux, file.buf, file.len);
		if (symbols_read(vmlinux, &s, &err) == 0)
			symbols_done(&s);
		file.buf[i] = kept;
	}
	vmlinux_write(symbols, array_size(symbols));
	assert_ok(symbols_read(vmlinux, &s, &err), &err);
	symbols_done(&s);
}

static void test_find(void **state)
{
	struct symbols s = {0};
	struct err err = ERR_INIT;

	(void)state;
	vmlinux_write(&symbols[1], 1);
	assert_ok(symbols_read(vmlinux, &s, &err), &err);
	assert_null(symbols_find(&s, 0));
	assert_null(symbols_find(&s, TEXT + 0xff));
	assert_string_equal(symbols_find(&s, TEXT + 0x100)->name, "grow");
	assert_string_equal(symbols_find(&s, TEXT + TEXT_SIZE - 1)->name, "grow");
	assert_null(symbols_find(&s, TEXT + TEXT_SIZE));
	assert_null(symbols_find(&s, UINT64_MAX));
	symbols_done(&s);
}

static void assert_function(const struct bench_function *f, const char *name, double base,
			    double patched)
{
	assert_string_equal(f->name, name);
	assert_true(f->base == base && f->patched == patched);
}

static void test_compare(void **state)
{
	struct profile_function old[] = {{PROFILE_MODULES, 1000},
					 {"a", 10},
					 {"gone", 40},
					 {"same", 7},
					 {"shrink", 100}},
				new[] = {{PROFILE_MODULES, 9000},
					 {PROFILE_USER, 500},
					 {"a", 12},
					 {"came", 40},
					 {"same", 7},
					 {"shrink", 50},
					 {"z", 1}};
	const struct profile base = {old, array_size(old), 157},
			     patched = {new, array_size(new), 110};
	struct bench_result r = {0};

	(void)state;
	profile_compare(&base, &patched, 12, &r);
	assert_int_equal(r.n_functions, 5);
	assert_function(&r.function[0], "shrink", 100, 50);
	assert_function(&r.function[1], "came", 0, 40);
	assert_function(&r.function[2], "gone", 40, 0);
	assert_function(&r.function[3], "a", 10, 12);
	assert_function(&r.function[4], "z", 0, 1);
	profile_compare(&base, &patched, 2, &r);
	assert_int_equal(r.n_functions, 7);
	assert_function(&r.function[6], "came", 0, 40);
	profile_compare(&base, &base, 12, &r);
	assert_int_equal(r.n_functions, 7);
	bench_result_done(&r);
}

static int setup(void **state)
{
	(void)state;
	if (!memory_dir_make(dir, sizeof(dir)))
		return -1;
	vmlinux = xasprintf("%s/vmlinux", dir);
	profile_path = xasprintf("%s/profile", dir);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	free(vmlinux);
	free(profile_path);
	return fs_rmtree(dir, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_order_of_symbols_does_not_matter),
		cmocka_unit_test(test_nothing_was_counted),
		cmocka_unit_test(test_bad_profiles),
		cmocka_unit_test(test_nul_in_profile),
		cmocka_unit_test(test_bad_kernels),
		cmocka_unit_test(test_damaged_kernels),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
