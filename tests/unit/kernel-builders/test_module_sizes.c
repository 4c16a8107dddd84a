// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes of modules, base against patched. */
#include "unit/unit.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/module_sizes.h"

/* A module with a section .text, and symbols of which the text is the sum. */
struct module {
	const char *name; /* NULL: the end */
	struct {
		const char *name;
		long long size;
	} symbol[8];
};

static void file_write(const char *path, const struct module *m)
{
	auto_file FILE *to = fopen(path, "we");

	assert_non_null(to);
	module_sizes_begin(to);
	for (; m->name; m++) {
		auto_sizes struct sizes s = {0};

		for (size_t i = 0; m->symbol[i].name; i++) {
			size_list_add(&s.symbols, m->symbol[i].name, m->symbol[i].size);
			size_list_add(&s.sections, ".text", m->symbol[i].size);
		}
		size_list_sort(&s.sections);
		size_list_sort(&s.symbols);
		module_sizes_add(to, m->name, &s);
	}
}

static char *in(const char *dir, const char *name)
{
	return xasprintf("%s/%s", dir, name);
}

static int dir_make(void **state)
{
	char *dir = xstrdup("/tmp/firn-test-XXXXXX");

	assert_non_null(mkdtemp(dir));
	*state = dir;
	return 0;
}

static int dir_remove(void **state)
{
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(*state, &err), &err);
	free(*state);
	return 0;
}

static json_t *compared(const char *dir, const struct module *base, const struct module *patched)
{
	auto_free char *a = in(dir, "a"), *b = in(dir, "b");
	struct err err = ERR_INIT;
	json_t *found = NULL;

	file_write(a, base);
	file_write(b, patched);
	assert_ok(module_sizes_compare(a, b, &found, &err), &err);
	return found;
}

static long long number(const json_t *obj, const char *key)
{
	return json_integer_value(json_object_get(obj, key));
}

static void modules_grow_shrink_come_and_go(void **state)
{
	static const struct module base[] = {{"a/goes.ko", {{"goes", 7}}},
					     {"a/grows.ko", {{"still", 5}, {"more", 10}}},
					     {"a/same.ko", {{"x", 1}}},
					     {"a/shrinks.ko", {{"less", 30}}},
					     {0}};
	static const struct module patched[] = {{"a/comes.ko", {{"new", 3}}},
						{"a/grows.ko", {{"still", 5}, {"more", 110}}},
						{"a/same.ko", {{"x", 1}}},
						{"a/shrinks.ko", {{"less", 29}}},
						{0}};
	static const char *const order[] = {"a/grows.ko", "a/goes.ko", "a/comes.ko",
					    "a/shrinks.ko"};
	auto_json json_t *found = compared(*state, base, patched);
	const json_t *list = json_object_get(found, "modules"), *symbols;

	assert_int_equal(number(found, "base"), 53);
	assert_int_equal(number(found, "patched"), 148);
	assert_int_equal(number(found, "grown"), 1);
	assert_int_equal(number(found, "shrunk"), 1);
	assert_int_equal(number(found, "added"), 1);
	assert_int_equal(number(found, "removed"), 1);
	assert_int_equal(json_array_size(list), array_size(order));
	for (size_t i = 0; i < array_size(order); i++)
		assert_string_equal(json_get_str(json_array_get(list, i), "name", ""), order[i]);
	symbols = json_object_get(json_array_get(list, 0), "symbols");
	assert_int_equal(json_array_size(symbols), 1);
	assert_string_equal(json_get_str(json_array_get(symbols, 0), "name", ""), "more");
	assert_int_equal(number(json_array_get(symbols, 0), "patched"), 110);
	assert_int_equal(number(json_array_get(list, 1), "patched"), 0);
	assert_int_equal(number(json_array_get(list, 2), "base"), 0);
}

static void what_is_told_is_bounded(void **state)
{
	struct module base[41] = {0}, patched[41] = {0};
	char names[40][16];
	auto_json json_t *found = NULL;
	const json_t *first;

	for (size_t i = 0; i < array_size(names); i++) {
		snprintf(names[i], sizeof(names[i]), "m%02zu.ko", i);
		base[i] = (struct module){names[i], {{"f", 1}}};
		patched[i] = (struct module){names[i],
					     {{"a", 1},
					      {"b", 2},
					      {"c", 3},
					      {"d", 4},
					      {"e", 5},
					      {"f", 6 + (long long)i}}};
	}
	found = compared(*state, base, patched);
	assert_int_equal(number(found, "grown"), 40);
	assert_int_equal(json_array_size(json_object_get(found, "modules")), 20);
	first = json_array_get(json_object_get(found, "modules"), 0);
	assert_string_equal(json_get_str(first, "name", ""), "m39.ko");
	assert_int_equal(json_array_size(json_object_get(first, "symbols")), 5);
}

/* A symbol is called as its author likes. */
static void a_name_is_one_line(void **state)
{
	static const struct module none[] = {{0}};
	static const struct module bad[] = {
		{"a b.ko", {{"x\nm evil.ko\ns 9 y", 4}, {"\x1b\xff", 1}}}, {0}};
	auto_json json_t *found = compared(*state, none, bad);
	const json_t *list = json_object_get(found, "modules"), *m = json_array_get(list, 0);

	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(json_get_str(m, "name", ""), "a b.ko");
	assert_int_equal(number(m, "patched"), 5);
	assert_string_equal(
		json_get_str(json_array_get(json_object_get(m, "symbols"), 0), "name", ""),
		"x?m evil.ko?s 9 y");
}

static void what_is_no_such_file_is_an_error(void **state)
{
	static const struct module none[] = {{0}};
	static const char *const bad[] = {"", "x\n", "firn-module-sizes 2\n", "\n"};
	auto_free char *a = in(*state, "a"), *b = in(*state, "b"), *nowhere = in(*state, "c");
	struct err err = ERR_INIT;
	json_t *found = NULL;

	file_write(a, none);
	for (size_t i = 0; i < array_size(bad); i++) {
		assert_ok(fs_write_atomic(b, bad[i], strlen(bad[i]), &err), &err);
		assert_err(module_sizes_compare(a, b, &found, &err), &err, ERR_INPUT, "no sizes");
	}
	assert_err(module_sizes_compare(nowhere, a, &found, &err), &err, ERR_INFRA, "cannot open");
	assert_null(found);
}

static void a_file_that_is_cut_is_read_as_far_as_it_goes(void **state)
{
	static const struct module none[] = {{0}};
	static const char text[] = "firn-module-sizes 1\nm a.ko\ns 12 .text\ns x\nq\ns 5\nf 3 f\n"
				   "m b.ko\ns 7";
	auto_free char *a = in(*state, "a"), *b = in(*state, "b");
	auto_json json_t *found = NULL;
	struct err err = ERR_INIT;

	file_write(a, none);
	assert_ok(fs_write_atomic(b, text, sizeof(text) - 1, &err), &err);
	assert_ok(module_sizes_compare(a, b, &found, &err), &err);
	assert_int_equal(number(found, "patched"), 12);
	assert_int_equal(number(found, "added"), 2);
}

static void the_order_names_modules(void **state)
{
	static const char order[] = "drivers/b.ko\ndrivers/a.o\n\n/etc/passwd.ko\nx/../y.ko\nno\n"
				    "drivers/b.ko\nx/$(id).ko\nd/last.ko";
	size_t n = 0;
	char **list = module_names(order, &n);

	(void)state;
	assert_int_equal(n, 3);
	assert_string_equal(list[0], "d/last.ko");
	assert_string_equal(list[1], "drivers/a.ko");
	assert_string_equal(list[2], "drivers/b.ko");
	assert_null(list[3]);
	module_names_done(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(modules_grow_shrink_come_and_go, dir_make,
						dir_remove),
		cmocka_unit_test_setup_teardown(what_is_told_is_bounded, dir_make, dir_remove),
		cmocka_unit_test_setup_teardown(a_name_is_one_line, dir_make, dir_remove),
		cmocka_unit_test_setup_teardown(what_is_no_such_file_is_an_error, dir_make,
						dir_remove),
		cmocka_unit_test_setup_teardown(a_file_that_is_cut_is_read_as_far_as_it_goes,
						dir_make, dir_remove),
		cmocka_unit_test(the_order_names_modules),
	};

	return cmocka_run_group_tests_name("sizes of modules", tests, NULL, NULL);
}
