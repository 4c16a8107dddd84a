// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows a file calls for. */
#include "unit/unit.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "kernel-builders/builder.h"
#include "kernel-builders/make.h"
#include "kernel-builders/touched.h"

/* Names of the rows that build this file. */
static char *rows_of(const char *path)
{
	const char *const paths[] = {path, NULL};
	auto_str struct str s;

	str_init(&s, 0);
	for (const struct builder *const *b = builders; *b; b++) {
		auto_free char *reason = NULL;

		if (builder_wants(*b, paths, &reason))
			str_addf(&s, "%s ", (*b)->name);
	}
	return str_take(&s);
}

#define LEAN	"ppc64le-lean "
#define NET	"ppc64le-lean-net "
#define S64	"ppc64le-defconfig ppc64-pseries "
#define PMAC	"ppc32-pmac "
#define BOOKE	"ppc64e "
#define TOUCHED "ppc64-touched ppc64le-w1 ppc64le-sparse "
#define CLANG	"ppc64le-clang "
#define ALL	LEAN NET S64 PMAC BOOKE TOUCHED CLANG
#define WIDE	S64 PMAC BOOKE TOUCHED
#define BOOK3S	LEAN NET S64 TOUCHED CLANG

static const struct {
	const char *path, *rows;
} cases[] = {
	{"mm/memory.c", ALL},
	{"include/linux/mm.h", ALL},
	{"kernel/sched/core.c", ALL},
	{"Makefile", ALL},
	{"init/Kconfig", ALL},
	{"scripts/Makefile.build", ALL},
	{"scripts/mod/modpost.c", ALL},
	{"tools/objtool/check.c", ALL},
	{"a/folder/that/nobody/knows.c", ALL},
	/* architectures */
	{"arch/powerpc/Kconfig", ALL},
	{"arch/powerpc/kernel/setup-common.c", ALL},
	{"arch/powerpc/platforms/pseries/lpar.c", BOOK3S},
	{"arch/powerpc/platforms/powernv/opal.c", BOOK3S},
	{"arch/powerpc/mm/book3s64/hash_utils.c", BOOK3S},
	{"arch/powerpc/platforms/powermac/setup.c", LEAN NET S64 PMAC TOUCHED CLANG},
	{"arch/powerpc/mm/book3s32/mmu.c", PMAC},
	{"arch/powerpc/mm/nohash/book3e_pgtable.c", PMAC BOOKE},
	{"arch/powerpc/kernel/exceptions-64e.S", BOOKE},
	{"arch/powerpc/platforms/Makefile", ALL},
	{"arch/powerpc/configs/ppc64_defconfig", ALL},
	{"arch/x86/mm/init.c", ""},
	{"arch/x86/Kconfig", ""},
	{"arch/arm64/boot/dts/x.dts", ""},
	{"arch/Kconfig", ALL},
	/* what small configurations leave out */
	{"sound/core/init.c", WIDE},
	{"sound/Kconfig", ALL},
	{"drivers/gpu/drm/drm_file.c", WIDE},
	{"drivers/gpu/drm/Kconfig", ALL},
	{"drivers/tty/hvc/hvc_console.c", ALL},
	/* every kernel reads these, and one may break it */
	{"drivers/Makefile", ALL},
	{"drivers/gpu/Makefile", ALL},
	{"sound/Makefile", ALL},
	{"net/ipv4/tcp.c", NET WIDE},
	{"drivers/net/virtio_net.c", NET WIDE},
	{"fs/ext4/inode.c", ALL},
	/* nothing */
	{"Documentation/admin-guide/README.rst", ""},
	{"Documentation/devicetree/bindings/x.yaml", ""},
	{"MAINTAINERS", ""},
	{"tools/testing/selftests/mm/x.c", ""},
	{"scripts/checkpatch.pl", ""},
	{"rust/kernel/lib.rs", ""},
};

static void paths_call_for_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_free char *rows = rows_of(cases[i].path);
		size_t n = strlen(cases[i].rows);

		/* In the order of the table; NET stands in front of the large ones. */
		if (strlen(rows) != n || strcmp(rows, cases[i].rows) != 0)
			fail_msg("%s: \"%s\", not \"%s\"", cases[i].path, rows, cases[i].rows);
	}
}

static void one_file_is_enough(void **state)
{
	static const char *const paths[] = {"Documentation/x.rst", "mm/memory.c", NULL};
	auto_free char *reason = NULL;

	(void)state;
	assert_true(builder_wants(builder_find("ppc64le-lean"), paths, &reason));
}

static const struct {
	const char *const *paths;
	const char *reason;
} reasons[] = {
	{(const char *const[]){"Documentation/x.rst", "MAINTAINERS", NULL},
	 "it touches nothing but documentation"},
	{(const char *const[]){"arch/x86/mm/init.c", NULL},
	 "it touches nothing but other architectures"},
	{(const char *const[]){"arch/x86/mm/init.c", "Documentation/x.rst", NULL},
	 "it touches nothing but other architectures and documentation"},
	{(const char *const[]){"sound/core/init.c", NULL},
	 "it touches nothing but what this configuration leaves out"},
	{(const char *const[]){NULL}, "it touches no file"},
};

static void what_is_left_out_says_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(reasons); i++) {
		auto_free char *reason = NULL;

		assert_false(
			builder_wants(builder_find("ppc64le-lean"), reasons[i].paths, &reason));
		assert_string_equal(reason, reasons[i].reason);
	}
}

static void another_architecture_has_its_own(void **state)
{
	(void)state;
	assert_int_equal(builder_path_areas("x86_64", "arch/x86/mm/init.c"), AREA_ALL);
	assert_int_equal(builder_path_areas("x86_64", "arch/powerpc/mm/numa.c"), 0);
	assert_int_equal(builder_path_areas("x86_64", "mm/memory.c"), AREA_ALL);
	/* source: arch/x86/lib/inat-tables.c is made of it */
	assert_int_equal(builder_path_areas("x86_64", "arch/x86/lib/x86-opcode-map.txt"), AREA_ALL);
	assert_int_equal(builder_path_areas("powerpc", "arch/x86/lib/x86-opcode-map.txt"), 0);
	/* no folder of an architecture of that name's beginning */
	assert_int_equal(builder_path_areas("arm", "arch/arm64/mm/mmu.c"), 0);
}

static const struct {
	const char *path, *object;
} objects[] = {
	{"mm/memory.c", "mm/memory.o"},
	{"arch/powerpc/kernel/entry_64.S", "arch/powerpc/kernel/entry_64.o"},
	{"include/linux/mm.h", NULL},
	{"arch/powerpc/kernel/vmlinux.lds.S", NULL},
	{"arch/powerpc/boot/main.c", NULL},
	{"tools/x/y.c", NULL},
	{"scripts/mod/modpost.c", NULL},
	{"main.c", NULL},
	/* names that make or a shell would take as something else */
	{"-k/x.c", NULL},
	{"mm/$(shell id).c", NULL},
	{"mm/a b.c", NULL},
	{"mm/%.c", NULL},
	{"mm/../x.c", NULL},
	{"mm/a=b.c", NULL},
};

static void only_sources_have_objects(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(objects); i++) {
		auto_free char *object = touched_object(objects[i].path);

		assert_string_equal(object ?: "none", objects[i].object ?: "none");
	}
}

static void a_row_survives_json(void **state)
{
	(void)state;
	for (const struct builder *const *b = builders; *b; b++) {
		auto_json json_t *first = builder_to_json(*b), *again = NULL;
		struct builder copy;
		struct err err = ERR_INIT;

		assert_ok(builder_from_json(first, &copy, &err), &err);
		again = builder_to_json(&copy);
		assert_true(json_equal(first, again));
		json_object_del(first, "config");
		assert_err(builder_from_json(first, &copy, &err), &err, ERR_INPUT, "\"config\"");
	}
}

static void commands_are_for_a_shell(void **state)
{
	static const char *const touched[] = {"mm/memory.c", "include/linux/mm.h", NULL};
	const git_oid commit = {{0x12, 0x34}};
	auto_json json_t *lean =
		builder_commands(builder_find("ppc64le-lean"), &commit, NULL, NULL);
	auto_json json_t *w1 = builder_commands(builder_find("ppc64le-w1"), &commit, touched, NULL);
	auto_json json_t *clang =
		builder_commands(builder_find("ppc64le-clang"), &commit, NULL, NULL);
	const char *last;

	(void)state;
	assert_string_equal(json_string_value(json_array_get(lean, 0)),
			    "git checkout 1234000000000000000000000000000000000000");
	last = json_string_value(json_array_get(lean, json_array_size(lean) - 1));
	assert_non_null(strstr(last, "ARCH=powerpc CROSS_COMPILE=powerpc64le-linux-gnu- vmlinux"));
	assert_non_null(strstr(last, "KBUILD_BUILD_TIMESTAMP='Wed Jan  1 00:00:00 UTC 2020'"));
	assert_null(strstr(last, " CC="));
	last = json_string_value(json_array_get(w1, json_array_size(w1) - 1));
	assert_true(str_ends(last, " W=1 -k mm/memory.o"));
	/* Empty, it would be a file that is not there. */
	assert_null(strstr(json_string_value(json_array_get(w1, 2)), "KCONFIG_ALLCONFIG"));
	assert_null(strstr(json_string_value(json_array_get(w1, 2)), "W=1"));
	last = json_string_value(json_array_get(clang, json_array_size(clang) - 1));
	assert_non_null(strstr(last, " CC=clang "));
}

static const struct {
	const char *of_row, *config, *targets;
	bool modules;
} targets[] = {
	{NULL, "CONFIG_A=y\nCONFIG_MODULES=y\n", "vmlinux modules", true},
	{NULL, "CONFIG_MODULES=y", "vmlinux modules", true},
	{NULL, "# CONFIG_MODULES is not set\n", "vmlinux", false},
	{NULL, "", "vmlinux", false},
	{NULL, "CONFIG_MODULES=yes\nCONFIG_MODULES_X=y\n#CONFIG_MODULES=y\n", "vmlinux", false},
	{NULL, "CONFIG_MODULES=y\nCONFIG_MODULES=n\n", "vmlinux", false},
	{NULL, NULL, "vmlinux modules", true},
	{"modules  dtbs vmlinux", "", "dtbs vmlinux", false},
	{"modules", "", "", false},
	{"all", "", "all", true},
	{"modules_prepare", "", "modules_prepare", false},
};

static void without_modules_none_are_made(void **state)
{
	const git_oid commit = {{0x12, 0x34}};
	auto_json json_t *list = builder_commands(builder_find("ppc64le-lean"), &commit, NULL,
						  "vmlinux"),
			 *none = builder_commands(builder_find("ppc64le-lean"), &commit, NULL, "");
	const char *last = json_string_value(json_array_get(list, json_array_size(list) - 1));

	(void)state;
	for (size_t i = 0; i < array_size(targets); i++) {
		const struct builder row = {.targets = targets[i].of_row};
		auto_free char *made = make_targets(&row, targets[i].config);

		assert_string_equal(made, targets[i].targets);
		assert_int_equal(make_targets_modules(made), targets[i].modules);
	}
	assert_true(str_ends(last, "- vmlinux"));
	/* without a target make would make all */
	assert_int_equal(json_array_size(none), json_array_size(list) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_call_for_rows),
		cmocka_unit_test(one_file_is_enough),
		cmocka_unit_test(what_is_left_out_says_why),
		cmocka_unit_test(another_architecture_has_its_own),
		cmocka_unit_test(only_sources_have_objects),
		cmocka_unit_test(a_row_survives_json),
		cmocka_unit_test(commands_are_for_a_shell),
		cmocka_unit_test(without_modules_none_are_made),
	};

	return cmocka_run_group_tests_name("which rows", tests, NULL, NULL);
}
