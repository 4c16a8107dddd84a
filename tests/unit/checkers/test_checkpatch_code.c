// SPDX-License-Identifier: GPL-2.0-or-later
/* Tokens of C, their roles, and the types that are learned on the way. */
#include "unit/unit.h"

#include "checkers/checkpatch/camelcase.h"
#include "checkers/checkpatch/ccode.h"

/* The marks of a text's operators and colons, in order: U unary, B binary, T of a type, C case,
 * L label, F field of bits, E of ?: and asm. */
static char *marks(const char *text)
{
	static const char mark[] = {'.', 'U', 'B', 'T', 'C', 'L', 'F', 'E', '.'};
	struct view v = {0};
	struct ccode *code;
	struct str out;

	str_init(&out, 0);
	view_read_source(&v, "lib/firn.c", text, strlen(text));
	code = ccode_of(&v);
	for (uint32_t i = 0; i < code->tokens.n; i++) {
		const struct ctoken *t = &code->tokens.token[i];

		if (t->op == COP_MUL || t->op == COP_SUB || t->op == COP_AND ||
		    t->op == COP_AND_AND || t->op == COP_COLON)
			str_addc(&out, mark[t->role]);
	}
	view_done(&v);
	return str_take(&out);
}

static void expect(const char *text, const char *want)
{
	auto_free char *got = marks(text);

	if (strcmp(got, want) != 0)
		fail_msg("\"%s\" is %s, not %s", text, got, want);
}

static void operators_have_one_operand_or_two(void **state)
{
	(void)state;
	expect("\tx = a * b - -c;\n", "BBU");
	expect("\treturn -x;\n", "U");
	expect("\treturn (x) - y;\n", "B");
	expect("\tif (x) -y;\n", "U");
	expect("\tf(a, *b, &c, d && e);\n", "UUB");
	expect("\tx = sizeof(*x) * 4;\n", "UB");
	expect("\tx = a[-1] - b[i - 1];\n", "UBB");
	expect("#define F(x) *(x)\n\t-y;\n", "UU");
	expect("\ta = b +\n\t    *c;\n", "U");
}

static void casts_and_declarations_are_known(void **state)
{
	(void)state;
	expect("\tx = (u8)-y;\n", "U");
	expect("\tx = (struct firn *)&y;\n", "TU");
	expect("\tx = (ice) - y;\n", "B");
	expect("\tstruct firn *x = &y, *z;\n", "TUU");
	/* A word that is used like a type is one from there on. */
	expect("glacier *x;\nint f(glacier *y, int z);\n", "TT");
	expect("\tx = (glacier *)y;\n\tz = (glacier)-1;\n", "TU");
	expect("\tz = (glacier)-1;\n\tx = (glacier *)y;\n", "BT");
}

static void colons_are_told_apart(void **state)
{
	(void)state;
	expect("\tcase 1: *x = 2;\n", "CU");
	expect("out:\n\treturn;\n", "L");
	expect("\tx = a ? b : c;\n", "E");
	expect("\tint x:3, y : 4;\n", "FF");
	expect("\tdefault:\n", "L");
}

static void nothing_is_too_broken(void **state)
{
	static const char *const texts[] = {
		"",   "\\",    "#",	  "#define",	     "#define A(",  "(",    ")",
		"\"", "'",     "typeof(", "struct",	     "x = (struct", "case", "/*",
		"*/", "int *", "static",  "__attribute__((", "\xff",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++)
		free(marks(texts[i]));
}

static void camelcase_leaves_units_and_flags(void **state)
{
	static const char *const camel[] = {"iceDepth", "Ice",	   "iceDEPTH",
					    "IceBAR",	"max_mAh", "tMax",
					    "ABCd",	"_Ice",	   "FIRN_iceDepth"};
	static const char *const fine[] = {"ice",      "ICE", "ice_mV",	  "uA_max",
					   "temp_kHz", "KiB", "FIRN_Ice", "SetPageCold",
					   "PageIce",  "xA",  "ICE_b"};

	(void)state;
	for (size_t i = 0; i < array_size(camel); i++)
		if (!is_camelcase(camel[i], strlen(camel[i])))
			fail_msg("%s is CamelCase", camel[i]);
	for (size_t i = 0; i < array_size(fine); i++)
		if (is_camelcase(fine[i], strlen(fine[i])))
			fail_msg("%s is no CamelCase", fine[i]);
}

static void names_are_found_where_they_are_defined(void **state)
{
	static const char text[] = "#define IceA 1\nint IceB(int IceC);\nstruct IceD {\n"
				   "\tunsigned long IceE;\n\tIceF = 3;\ntypedef u32 IceG;\n";
	struct word_set *set = word_set_new();

	(void)state;
	camelcase_add(set, text, sizeof(text) - 1);
	assert_true(word_set_has(set, "IceA", 4));
	assert_true(word_set_has(set, "IceB", 4));
	assert_false(word_set_has(set, "IceC", 4));
	assert_true(word_set_has(set, "IceD", 4));
	assert_true(word_set_has(set, "IceE", 4));
	assert_false(word_set_has(set, "IceF", 4));
	assert_true(word_set_has(set, "IceG", 4));
	word_set_free(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_have_one_operand_or_two),
		cmocka_unit_test(casts_and_declarations_are_known),
		cmocka_unit_test(colons_are_told_apart),
		cmocka_unit_test(nothing_is_too_broken),
		cmocka_unit_test(camelcase_leaves_units_and_flags),
		cmocka_unit_test(names_are_found_where_they_are_defined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
