// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/cleanup.h"
#include "trial/boot_judge.h"

#define GOOD_TESTS "\"tests\": [{\"name\": \"nodes\", \"outcome\": \"pass\"}]"
#define WARNING(key)                                                                               \
	"{\"kind\": \"warn\", \"title\": \"WARNING at mm\", \"key\": \"" key                       \
	"\", \"lines\": [\"one\", \"two\"]}"

static const char good[] = "{\"end\": \"done\", \"complaints\": [], " GOOD_TESTS "}";

/* Judges and gives the words; "" when it is good. */
static enum boot_badness judge(const char *base, const char *patched, struct boot_verdict *v)
{
	auto_json json_t *b = json_loads(base, 0, NULL), *p = json_loads(patched, 0, NULL);

	assert_non_null(b);
	assert_non_null(p);
	boot_verdict_done(v);
	boot_judge(b, p, v);
	return v->badness;
}

static void the_same_is_good(void **state)
{
	struct boot_verdict v = {0};
	const char *warns =
		"{\"end\": \"done\", \"complaints\": [" WARNING("k") "], " GOOD_TESTS "}";

	(void)state;
	assert_int_equal(judge(good, good, &v), BOOT_GOOD);
	assert_null(v.words);
	assert_int_equal(judge(warns, warns, &v), BOOT_GOOD);
	boot_verdict_done(&v);
}

static void a_new_complaint_is_bad(void **state)
{
	struct boot_verdict v = {0};

	(void)state;
	assert_int_equal(judge(good,
			       "{\"end\": \"done\", \"complaints\": [" WARNING("k") "], " GOOD_TESTS
										    "}",
			       &v),
			 BOOT_BAD);
	assert_string_equal(v.words, "new warn: WARNING at mm");
	assert_int_equal(json_array_size(v.evidence), 2);
	assert_int_equal(judge(good,
			       "{\"end\": \"done\", \"complaints\": [{\"kind\": \"stall\", "
			       "\"title\": \"rcu\", \"key\": \"r\"}], " GOOD_TESTS "}",
			       &v),
			 BOOT_DOUBTFUL);
	boot_verdict_done(&v);
}

static void a_test_that_the_base_passes_counts(void **state)
{
	static const char failed[] = "{\"end\": \"done\", \"tests\": [{\"name\": \"nodes\", "
				     "\"outcome\": \"fail\", \"note\": \"0\"}]}";
	struct boot_verdict v = {0};

	(void)state;
	assert_int_equal(judge(good, failed, &v), BOOT_BAD);
	assert_string_equal(v.words, "test \"nodes\" passes on the base and fails here: 0");
	assert_int_equal(judge(failed, failed, &v), BOOT_GOOD);
	assert_int_equal(judge(good, "{\"end\": \"done\", \"tests\": []}", &v), BOOT_BAD);
	boot_verdict_done(&v);
}

static void the_end_says_most(void **state)
{
	struct boot_verdict v = {0};

	(void)state;
	assert_int_equal(judge(good,
			       "{\"end\": \"panic\", \"reason\": \"panic: no init\", "
			       "\"complaints\": [" WARNING("k") "], \"tail\": [\"last\"]}",
			       &v),
			 BOOT_BAD);
	assert_string_equal(v.words, "panic: no init");
	assert_int_equal(json_array_size(v.evidence), 2); /* the complaint's lines */
	assert_int_equal(judge(good,
			       "{\"end\": \"hang\", \"reason\": \"hang\", \"complaints\": [], "
			       "\"tests\": [], \"tail\": [\"last\"]}",
			       &v),
			 BOOT_BAD);
	assert_string_equal(v.words, "hang");
	boot_verdict_done(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_is_good),
		cmocka_unit_test(a_new_complaint_is_bad),
		cmocka_unit_test(a_test_that_the_base_passes_counts),
		cmocka_unit_test(the_end_says_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
