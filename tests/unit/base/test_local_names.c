// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths of this machine are told as names. */
#include "unit/unit.h"

#include "base/json.h"
#include "base/local_names.h"
#include "base/str.h"

static void names_make(struct local_names *l)
{
	local_names_add(l, "/srv/firn", "DATA");
	local_names_add(l, "/srv/firn/cache/", "CACHE");
	local_names_add(l, "/src/linux.git", "powerpc");
	local_names_add(l, "/lab/boots", "replay");
	local_names_add(l, NULL, "nothing");
	local_names_add(l, "/", "everything");
	local_names_add(l, "relative/path", "nothing");
	local_names_add_base(l, "/home/ada/series.mbox");
}

static void paths_become_names(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"cannot open /src/linux.git: No such file", "cannot open powerpc: No such file"},
		{"/src/linux.git", "powerpc"},
		{"in /src/linux.git.", "in powerpc."},
		{"/src/linux.git2 and /src/linux.git-old",
		 "/src/linux.git2 and /src/linux.git-old"},
		{"/src/linux.git.bak", "/src/linux.git.bak"},
		{"/my/src/linux.git", "/my/src/linux.git"},
		{"my/src/linux.git", "my/src/linux.git"},
		{"4 mails from /srv/firn/trials/3/input", "4 mails from DATA/trials/3/input"},
		{"/srv/firn/cache/locks", "CACHE/locks"},
		{"the testbed was replay:/lab/boots", "the testbed was replay"},
		{"--testbed replay:/lab/boots --mode", "--testbed replay --mode"},
		{"/lab/boots/replay.json: no \"boots\"", "replay/replay.json: no \"boots\""},
		{"firn run '/home/ada/series.mbox'", "firn run 'series.mbox'"},
		{"", ""},
		{"/", "/"},
		{"//srv/firn", "//srv/firn"},
		{"a/b mm/slab.c", "a/b mm/slab.c"},
	};
	auto_local_names struct local_names l = {0};

	(void)state;
	names_make(&l);
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *got = local_names_text(&l, rows[i].text);

		assert_string_equal(got, rows[i].want);
	}
}

static void at_any_depth(void **state)
{
	auto_local_names struct local_names l = {0};
	auto_json json_t *obj = json_pack("{s:[s, {s:s}], s:i, s:s}", "list", "/srv/firn/x", "deep",
					  "in /src/linux.git", "n", 7, "other", "/proc/1");
	auto_json json_t *want = json_pack("{s:[s, {s:s}], s:i, s:s}", "list", "DATA/x", "deep",
					   "in powerpc", "n", 7, "other", "/proc/1");

	(void)state;
	names_make(&l);
	local_names_json(&l, obj);
	assert_true(json_equal(obj, want));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_become_names),
		cmocka_unit_test(at_any_depth),
	};

	return cmocka_run_group_tests_name("local names", tests, NULL, NULL);
}
