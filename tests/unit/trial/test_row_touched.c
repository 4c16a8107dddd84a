// SPDX-License-Identifier: GPL-2.0-or-later
/* What rows of touched objects make, and what the report says of it. */
#include "unit/unit.h"

#include "trial/build_row.h"

static const char users[] =
	"[{\"header\":\"include/linux/a.h\",\"sources\":[\"mm/a.c\",\"mm/b.S\"]},"
	"{\"header\":\"include/linux/b.h\",\"sources\":[]},"
	"{\"header\":\"mm/c.h\",\"sources\":[\"mm/b.S\",\"mm/c.c\"]}]";

static void each_file_is_there_once(void **state)
{
	static const char *const files[] = {"include/linux/a.h", "mm/a.c", "mm/c.h", NULL};
	static const char *const wanted[] = {
		"include/linux/a.h", "mm/a.c", "mm/c.h", "mm/b.S", "mm/c.c", NULL};
	auto_json json_t *list = json_loads(users, 0, NULL), *none = json_array();
	auto_free const char **touched = row_touched_files(files, list),
			     **same = row_touched_files(files, none);

	(void)state;
	for (size_t i = 0; i < array_size(wanted); i++)
		assert_string_equal(touched[i] ?: "end", wanted[i] ?: "end");
	for (size_t i = 0; i < array_size(files); i++)
		assert_string_equal(same[i] ?: "end", files[i] ?: "end");
}

static void the_report_has_objects(void **state)
{
	auto_json json_t
		*list = json_loads(users, 0, NULL),
		*told = row_touched_report(list), *none = row_touched_report(NULL),
		*wanted = json_loads(
			"[{\"header\":\"include/linux/a.h\",\"objects\":[\"mm/a.o\",\"mm/b.o\"]},"
			"{\"header\":\"include/linux/b.h\",\"objects\":[]},"
			"{\"header\":\"mm/c.h\",\"objects\":[\"mm/b.o\",\"mm/c.o\"]}]",
			0, NULL);

	(void)state;
	assert_true(json_equal(told, wanted));
	assert_int_equal(json_array_size(none), 0);
}

static void nothing_to_make_says_why(void **state)
{
	auto_json json_t *list = json_loads("[{\"header\":\"a.h\",\"sources\":[]},"
					    "{\"header\":\"b.h\",\"sources\":[]}]",
					    0, NULL);
	auto_free char *with = row_touched_none(list), *without = row_touched_none(NULL);

	(void)state;
	assert_string_equal(with, "it touches no file that has an object of its own, and no source "
				  "was found that includes a.h, b.h");
	assert_string_equal(without, "it touches no file that has an object of its own");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_is_there_once),
		cmocka_unit_test(the_report_has_objects),
		cmocka_unit_test(nothing_to_make_says_why),
	};

	return cmocka_run_group_tests_name("touched objects", tests, NULL, NULL);
}
