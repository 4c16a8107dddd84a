// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "kernel-builders/diagnostic.h"

/* One line of output, and what is to be made of it. text NULL: nothing. */
static const struct {
	const char *line;
	bool is_error;
	const char *path;
	unsigned number;
	const char *text;
} cases[] = {
	/* gcc */
	{"/src/mm/memory.c:12:5: error: expected ';' before '}' token", true, "mm/memory.c", 12,
	 "expected ';' before '}' token"},
	{"mm/memory.c:12:5: warning: unused variable 'x' [-Wunused-variable]", false, "mm/memory.c",
	 12, "unused variable 'x' [-Wunused-variable]"},
	{"/src/mm/a.c:1:10: fatal error: linux/absent.h: No such file or directory", true, "mm/a.c",
	 1, "linux/absent.h: No such file or directory"},
	{"/build/include/generated/x.h:3:1: error: bad", true, "include/generated/x.h", 3, "bad"},
	{"./include/linux/mm.h:7: error: bad", true, "include/linux/mm.h", 7, "bad"},
	{"/src/mm/memory.c:13:2: note: declared here", false, NULL, 0, NULL},
	{"/src/mm/memory.c: In function 'f':", false, NULL, 0, NULL},
	{"In file included from /src/mm/memory.c:3:", false, NULL, 0, NULL},
	{"                 from /src/mm/memory.c:41:", false, NULL, 0, NULL},
	{"cc1: error: unrecognized command-line option '-fx'", true, NULL, 0,
	 "unrecognized command-line option '-fx'"},
	{"cc1: all warnings being treated as errors", false, NULL, 0, NULL},
	{"powerpc64le-linux-gnu-gcc: fatal error: no input files", true, NULL, 0, "no input files"},
	/* the source that gcc shows below is no complaint, whatever it says */
	{"   12 |  printk(\"mm/x.c:1: error: not one\");", false, NULL, 0, NULL},
	{"      |  ^~~~~~ error: not one", false, NULL, 0, NULL},
	/* as */
	{"/src/arch/powerpc/kernel/head.S:41: Error: unrecognized opcode: `foo'", true,
	 "arch/powerpc/kernel/head.S", 41, "unrecognized opcode: `foo'"},
	{"{standard input}:17: Error: junk at end of line", true, NULL, 17, "junk at end of line"},
	{"/src/arch/powerpc/kernel/head.S: Assembler messages:", false, NULL, 0, NULL},
	/* ld */
	{"powerpc64le-linux-gnu-ld: mm/memory.o: in function `f':", false, NULL, 0, NULL},
	{"memory.c:(.text+0x1c): undefined reference to `g'", true, NULL, 0,
	 "undefined reference to `g'"},
	{"powerpc64le-linux-gnu-ld: memory.c:(.text+0x1c): undefined reference to `h'", true, NULL,
	 0, "undefined reference to `h'"},
	{"ld: mm/b.o:(.bss+0x0): multiple definition of `x'; mm/a.o:(.bss+0x0): first defined here",
	 true, NULL, 0, "multiple definition of `x'; mm/a.o:(.bss+0x0): first defined here"},
	{"powerpc64le-linux-gnu-ld: warning: orphan section `.x' from `a.o'", false, NULL, 0,
	 "orphan section `.x' from `a.o'"},
	/* modpost */
	{"ERROR: modpost: \"f\" [mm/x.ko] undefined!", true, NULL, 0,
	 "modpost: \"f\" [mm/x.ko] undefined!"},
	{"WARNING: modpost: vmlinux.o: section mismatch in reference: f (section: .text) -> g "
	 "(section: .init.text)",
	 false, NULL, 0,
	 "modpost: vmlinux.o: section mismatch in reference: f (section: .text) -> g (section: "
	 ".init.text)"},
	/* Kconfig */
	{"mm/Kconfig:7: unknown statement \"confog\"", true, "mm/Kconfig", 7,
	 "unknown statement \"confog\""},
	{"arch/powerpc/platforms/Kconfig.cputype:9:warning: 'x': number is invalid", false,
	 "arch/powerpc/platforms/Kconfig.cputype", 9, "'x': number is invalid"},
	{"mm/Kconfig:5:error: recursive dependency detected!", true, "mm/Kconfig", 5,
	 "recursive dependency detected!"},
	{"mm/Kconfig:5:\tsymbol A depends on B", false, NULL, 0, NULL},
	/* make */
	{"/src/mm/Makefile:3: *** missing separator.  Stop.", true, "mm/Makefile", 3,
	 "missing separator.  Stop."},
	{"make[2]: *** No rule to make target 'mm/x.o', needed by 'mm/built-in.a'.  Stop.", true,
	 NULL, 0, "No rule to make target 'mm/x.o', needed by 'mm/built-in.a'.  Stop."},
	{"make[2]: *** [/src/scripts/Makefile.build:250: mm/memory.o] Error 1", false, NULL, 0,
	 NULL},
	{"make[1]: *** Waiting for unfinished jobs....", false, NULL, 0, NULL},
	{"make[1]: warning: jobserver unavailable: using -j1.", false, NULL, 0, NULL},
	/* neither */
	{"", false, NULL, 0, NULL},
	{":", false, NULL, 0, NULL},
	{":12: error: x", false, NULL, 0, NULL},
	{"a:99999999999999999999: error: x", false, NULL, 0, NULL},
	{"  CC      mm/memory.o", false, NULL, 0, NULL},
	{"#", false, NULL, 0, NULL},
};

static void lines_are_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct diagnostics d = {0};

		diagnostics_read(&d, cases[i].line);
		if (d.n != (cases[i].text ? 1 : 0))
			fail_msg("%zu complaints in: %s", d.n, cases[i].line);
		if (d.n) {
			assert_string_equal(d.item[0].text, cases[i].text);
			assert_string_equal(d.item[0].path ?: "none", cases[i].path ?: "none");
			assert_int_equal(d.item[0].line, cases[i].number);
			assert_int_equal(d.item[0].is_error, cases[i].is_error);
			assert_string_equal(d.item[0].excerpt, cases[i].line);
		}
		diagnostics_done(&d);
	}
}

/* Whole outputs: what is made, and what is said about it. */
struct said {
	const char *tool, *path;
	unsigned line;
	const char *function, *option, *text;
};

static const struct {
	const char *compiler;
	const char *line[8];
	struct said said;
} outputs[] = {
	{"gcc",
	 {"  CC [M]  fs/x/y.o", "/src/fs/x/y.c: In function 'open':",
	  "/src/fs/x/y.c:9:7: warning: unused variable 'a' [-Wunused-variable]"},
	 {"gcc", "fs/x/y.c", 9, "open", "-Wunused-variable",
	  "unused variable 'a' [-Wunused-variable]"}},
	{"gcc",
	 {"  CC      mm/a.o", "mm/a.c: In function 'f':", "mm/a.c: At top level:",
	  "mm/a.c:9:7: warning: 'f' defined but not used [-Werror=unused-function]"},
	 {"gcc", "mm/a.c", 9, NULL, "-Wunused-function",
	  "'f' defined but not used [-Werror=unused-function]"}},
	/* the function of another file says nothing */
	{"gcc",
	 {"  CC      mm/a.o", "mm/a.c: In function 'f':", "mm/a.h:3:1: warning: x"},
	 {"gcc", "mm/a.h", 3, NULL, NULL, "x"}},
	/* nor that of another unit */
	{"gcc",
	 {"  CC      mm/a.o", "mm/a.c: In function 'f':", "  CC      mm/b.o",
	  "mm/a.c:3:1: warning: x"},
	 {"gcc", "mm/a.c", 3, NULL, NULL, "x"}},
	/* what is inlined has a function of its own, which is not the one before */
	{"gcc",
	 {"  CC      mm/a.o", "mm/a.c: In function 'f':", "In function 'g',",
	  "    inlined from 'h' at mm/a.c:20:2:", "mm/a.c:3:1: warning: x"},
	 {"gcc", "mm/a.c", 3, NULL, NULL, "x"}},
	{"clang",
	 {"  CC      mm/a.o",
	  "mm/a.c:9:7: warning: unused function 'f' [-Werror,-Wunused-function]",
	  "static int f(void)", "           ^", "1 warning generated."},
	 {"clang", "mm/a.c", 9, NULL, "-Wunused-function",
	  "unused function 'f' [-Werror,-Wunused-function]"}},
	{"gcc",
	 {"  CC      mm/a.o", "  CHECK   /src/mm/a.c",
	  "/src/mm/a.c:4:20: warning: incorrect type in return expression (different address "
	  "spaces)",
	  "/src/mm/a.c:4:20:    expected void *",
	  "/src/mm/a.c:4:20:    got void [noderef] __iomem *p"},
	 {"sparse", "mm/a.c", 4, NULL, NULL,
	  "incorrect type in return expression (different address spaces); expected void *; got "
	  "void "
	  "[noderef] __iomem *p"}},
	/* sparse's errors end no build */
	{"gcc",
	 {"  CHECK   /src/mm/a.c", "/src/mm/a.c:4:20: error: undefined identifier 'x'"},
	 {"sparse", "mm/a.c", 4, NULL, NULL, "undefined identifier 'x'"}},
	{"gcc",
	 {"  MODPOST Module.symvers",
	  "WARNING: modpost: vmlinux.o: section mismatch in reference: f (section: .text) -> g "
	  "(section: .init.text)"},
	 {"modpost", NULL, 0, NULL, NULL,
	  "modpost: vmlinux.o: section mismatch in reference: f (section: .text) -> g (section: "
	  ".init.text)"}},
	{"gcc",
	 {"  CC      mm/a.o", "mm/a.o: warning: objtool: f+0x1c: unreachable instruction"},
	 {"objtool", "mm/a.o", 0, "f", NULL, "objtool: f+0x1c: unreachable instruction"}},
	{"gcc",
	 {"arch/x/Kconfig:9:warning: type of 'A' redefined from 'bool' to 'int'"},
	 {"kconfig", "arch/x/Kconfig", 9, NULL, NULL,
	  "type of 'A' redefined from 'bool' to 'int'"}},
	{"gcc",
	 {"  DTC     arch/powerpc/boot/dts/x.dtb", "/src/arch/powerpc/boot/dts/x.dts:12.5-14.7: "
						   "Warning (unit_address_vs_reg): /soc: no reg"},
	 {"dtc", "arch/powerpc/boot/dts/x.dts", 12, NULL, "unit_address_vs_reg", "/soc: no reg"}},
	{"gcc",
	 {"  DTC     x.dtb", "arch/powerpc/boot/dts/x.dtb: Warning (reg_format): /soc: bad length"},
	 {"dtc", "arch/powerpc/boot/dts/x.dtb", 0, NULL, "reg_format", "/soc: bad length"}},
	{"gcc",
	 {"  LD      vmlinux", "powerpc64le-linux-gnu-ld: warning: orphan section `.x' from `a.o'"},
	 {"ld", NULL, 0, NULL, NULL, "orphan section `.x' from `a.o'"}},
	{"gcc",
	 {"  AS      arch/powerpc/kernel/head.o",
	  "/src/arch/powerpc/kernel/head.S:41: Warning: invalid register expression"},
	 {"as", "arch/powerpc/kernel/head.S", 41, NULL, NULL, "invalid register expression"}},
};

static void assert_text(const char *what, const char *got, const char *wanted)
{
	if (strcmp(got ?: "none", wanted ?: "none") != 0)
		fail_msg("%s: \"%s\", not \"%s\"", what, got ?: "none", wanted ?: "none");
}

static void tools_are_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(outputs); i++) {
		const struct said *said = &outputs[i].said;
		struct diagnostics d = {.compiler = outputs[i].compiler};

		for (size_t l = 0; l < array_size(outputs[i].line) && outputs[i].line[l]; l++)
			if (!diagnostics_read_unit(&d, outputs[i].line[l]))
				diagnostics_read(&d, outputs[i].line[l]);
		if (d.n != 1)
			fail_msg("%zu complaints, not one: %s", d.n, said->text);
		assert_text(said->text, d.item[0].tool, said->tool);
		assert_text(said->text, d.item[0].path, said->path);
		assert_text(said->text, d.item[0].function, said->function);
		assert_text(said->text, d.item[0].option, said->option);
		assert_text("text", d.item[0].text, said->text);
		assert_int_equal(d.item[0].line, said->line);
		assert_false(d.item[0].is_error);
		diagnostics_done(&d);
	}
}

/* Our fragments override what a defconfig says; kconfig tells so every time. */
static void overrides_of_ours_are_no_warnings(void **state)
{
	struct diagnostics d = {0};

	(void)state;
	diagnostics_read(&d, ".config:5012:warning: override: reassigning to symbol WERROR");
	diagnostics_read(&d, "/build/.config:5012:warning: override: reassigning to symbol WERROR");
	diagnostics_read(&d, ".config:4:warning: override: DEBUG_INFO_NONE changes choice state");
	assert_int_equal(d.n, 0);
	diagnostics_done(&d);
}

static void what_make_could_not_make_is_known(void **state)
{
	struct diagnostics d = {0};

	(void)state;
	diagnostics_read(&d, "make[5]: *** [/src/scripts/Makefile.build:250: mm/a.o] Error 1");
	diagnostics_read(&d, "make[4]: *** [x] Error 1");
	diagnostics_read(&d, "make[4]: *** [");
	assert_non_null(json_object_get(d.failed, "mm/a.o"));
	assert_int_equal(json_object_size(d.failed), 1);
	assert_int_equal(d.n, 0);
	diagnostics_done(&d);
}

static void the_linker_names_file_and_symbol(void **state)
{
	struct diagnostics d = {0};

	(void)state;
	diagnostics_read(&d, "powerpc64le-linux-gnu-ld: arch/powerpc/mm/numa.o: in function `f':");
	diagnostics_read(&d, "numa.c:(.text+0x1c): undefined reference to `g'");
	diagnostics_read(
		&d, "powerpc64le-linux-gnu-ld: numa.c:(.text+0x2c): undefined reference to `h'");
	diagnostics_read(&d, "ld: vmlinux.o: in function `f':");
	diagnostics_read(&d, "memory.c:(.text+0x1c): undefined reference to `i'");
	diagnostics_read(&d, "/src/mm/slab.c:(.text+0x1c): undefined reference to `j'");
	assert_int_equal(d.n, 4);
	assert_string_equal(d.item[0].path, "arch/powerpc/mm/numa.c");
	assert_string_equal(d.item[1].path, "arch/powerpc/mm/numa.c");
	assert_string_equal(d.item[1].text, "undefined reference to `h'");
	assert_null(d.item[2].path);
	diagnostics_done(&d);
}

static void the_same_complaint_is_kept_once(void **state)
{
	struct diagnostics d = {0};

	(void)state;
	diagnostics_read(&d, "mm/a.h:1:1: warning: first");
	diagnostics_read(&d, "mm/a.c:2:1: error: second");
	diagnostics_read(&d, "mm/a.h:1:1: warning: first");
	assert_int_equal(d.n, 2);
	diagnostics_sort(&d);
	assert_string_equal(d.item[0].text, "second");
	assert_string_equal(d.item[1].text, "first");
	diagnostics_done(&d);
}

static void a_flood_is_capped(void **state)
{
	struct diagnostics d = {0};

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		auto_free char *line = xasprintf("a.c:%u:1: warning: again", i + 1);

		diagnostics_read(&d, line);
	}
	assert_int_equal(d.n, DIAGNOSTICS_MAX);
	diagnostics_done(&d);
}

static const char *const ours[] = {
	"/src/mm/a.c:9:1: fatal error: error writing to /tmp/cc1.s: No space left on device",
	"powerpc64le-linux-gnu-gcc: fatal error: Killed signal terminated program cc1",
	"/src/mm/a.c:1:1: internal compiler error: Segmentation fault",
	"make[2]: *** [/src/scripts/Makefile.build:250: mm/memory.o] Killed",
	"/bin/sh: 1: Cannot fork: Resource temporarily unavailable",
	NULL,
};
static const char *const theirs[] = {
	"/src/mm/a.c:9:1: error: expected ';'",
	"   12 |  pr_err(\"No space left on device\");",
	/* as clang shows the source */
	"\tpr_err(\"Cannot allocate memory\");",
	"        return \"Input/output error\";",
	"make[2]: *** [/src/scripts/Makefile.build:250: mm/memory.o] Error 1",
	NULL,
};

static void trouble_of_ours_is_told_from_theirs(void **state)
{
	(void)state;
	for (const char *const *line = ours; *line; line++) {
		struct diagnostics d = {0};

		diagnostics_read(&d, *line);
		assert_string_equal(d.infra ?: "none", *line);
		diagnostics_done(&d);
	}
	for (const char *const *line = theirs; *line; line++) {
		struct diagnostics d = {0};

		diagnostics_read(&d, *line);
		assert_null(d.infra);
		diagnostics_done(&d);
	}
}

static void json_keeps_everything(void **state)
{
	struct diagnostics d = {0};
	struct diagnostic back;
	auto_json json_t *obj = NULL;
	auto_free char *text = NULL;

	(void)state;
	diagnostics_read(&d, "/src/mm/a.c:9:1: error: bad \xff byte");
	obj = diagnostic_to_json(&d.item[0]);
	diagnostic_from_json(obj, &back);
	text = diagnostic_text(&back);
	assert_string_equal(text, "mm/a.c:9: error: bad \xef\xbf\xbd byte");
	assert_true(back.is_error);
	diagnostic_done(&back);
	diagnostics_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_told_apart),
		cmocka_unit_test(tools_are_told_apart),
		cmocka_unit_test(overrides_of_ours_are_no_warnings),
		cmocka_unit_test(what_make_could_not_make_is_known),
		cmocka_unit_test(the_linker_names_file_and_symbol),
		cmocka_unit_test(the_same_complaint_is_kept_once),
		cmocka_unit_test(a_flood_is_capped),
		cmocka_unit_test(trouble_of_ours_is_told_from_theirs),
		cmocka_unit_test(json_keeps_everything),
	};

	return cmocka_run_group_tests_name("diagnostic", tests, NULL, NULL);
}
