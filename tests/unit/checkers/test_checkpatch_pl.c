// SPDX-License-Identifier: GPL-2.0-or-later
/* What the checker does with a script: here with scripts of our own.
 * tests/flow/test_checkpatch_pl.c has the real one. */
#include "mails.h"

#include "checkers/checkpatch_pl.h"
#include "sandbox/sandbox.h"
#include <sys/stat.h>

static char *scratch;

static int setup(void **state)
{
	(void)state;
	git_libgit2_init();
	scratch = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(scratch));
	return chmod(scratch, 0755);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_rmtree(scratch, &err), &err);
	free(scratch);
	git_libgit2_shutdown();
	return 0;
}

static void put(const char *path, const char *text)
{
	auto_free char *full = xasprintf("%s/%s", scratch, path);
	auto_free char *dir = xmemdup(full, (size_t)(strrchr(full, '/') - full));
	struct err err = ERR_INIT;

	assert_ok(fs_mkdirs(dir, &err), &err);
	assert_ok(fs_write_atomic(full, text, strlen(text), &err), &err);
	assert_int_equal(chmod(full, 0644), 0);
}

static bool output_read(const char *output, struct check_result *r)
{
	static const char text[] = "From: A\nline two\n+line three\n";
	auto_str struct str s;

	str_init(&s, 0);
	str_adds(&s, output);
	return script_output_read(&s, text, strlen(text), r);
}

static void output_is_read_in_its_three_forms(void **state)
{
	struct check_result r = {0};
	auto_free char *text = NULL;

	(void)state;
	assert_true(output_read("CHECK:SNOW_DEPTH: too deep\n"
				"#3: FILE: lib/firn.c:12:\n"
				"+line three\n"
				"\n"
				"WARNING:ICE_2: long line: 'WARNING: a: b'\n"
				"#2: \n"
				"line two\n"
				"ERROR:FAKE: a line of the patch\n"
				"\n"
				"ERROR:NO_PLACE: nothing\n"
				"\n"
				"ERROR:NO_LINE: a mode\n"
				"#9: FILE: lib/firn.c\n"
				"\n"
				"perl: warning: Setting locale failed.\n"
				"\n"
				"total: 2 errors, 1 warnings, 1 checks, 34 lines checked\n"
				"\n"
				"ERROR:LATE: after the end\n",
				&r));
	text = findings_text(&r);
	assert_string_equal(text, "CHECK SNOW_DEPTH lib/firn.c:12\nWARNING ICE_2\n"
				  "ERROR NO_PLACE\nERROR NO_LINE lib/firn.c:0\n");
	assert_int_equal(r.lines_checked, 34);
	assert_int_equal(r.finding[0].patch_line, 3);
	assert_string_equal(r.finding[0].excerpt, "+line three");
	assert_string_equal(r.finding[1].message, "long line: 'WARNING: a: b'");
	assert_string_equal(r.finding[1].excerpt, "line two");
	assert_int_equal(r.finding[3].patch_line, 9);
	assert_null(r.finding[3].excerpt);
	check_result_done(&r);
}

static void totals_may_have_no_checks(void **state)
{
	struct check_result r = {0};

	(void)state;
	assert_true(output_read("total: 0 errors, 0 warnings, 7 lines checked\n", &r));
	assert_int_equal(r.lines_checked, 7);
	assert_int_equal(r.n, 0);
	check_result_done(&r);
}

static void output_without_an_end_is_none(void **state)
{
	static const char *const outputs[] = {
		"",
		"total: ",
		"total: 99999999999999999999999999 lines checked",
		"total: 0 errors, 0 warnings, 7 lines checked, or so\n",
		"ERROR:SNOW: x\n#99999999999999: FILE: ::::\n\n\n\n",
		"ERROR:SNOW: x\n#1: FILE: \n",
		"ERROR:: x\n#",
		"WARNING:",
	};

	(void)state;
	for (size_t i = 0; i < array_size(outputs); i++) {
		struct check_result r = {0};

		if (i != 2)
			assert_false(output_read(outputs[i], &r));
		check_result_done(&r);
	}
}

static void messages_have_no_control_characters(void **state)
{
	struct check_result r = {0};

	(void)state;
	assert_true(output_read("ERROR:SNOW: \033[31mred\a \xff \xc2\x9b \xe2\x80\xae ok\n\n"
				"total: 1 errors, 0 warnings, 1 lines checked\n",
				&r));
	assert_string_equal(r.finding[0].message, "?[31mred? ? ? ? ok");
	check_result_done(&r);
}

static struct fixture *patch_of(const char *path)
{
	auto_free char *text = xasprintf("From: A <a@example.org>\nSubject: [PATCH] x\nDate: Mon, "
					 "30 Nov 2026 10:00:00 +0000\n\n"
					 "x\n\nSigned-off-by: A <a@example.org>\n---\ndiff --git "
					 "a/%s b/%s\n--- a/%s\n+++ b/%s\n"
					 "@@ -1 +1,2 @@\n a\n+b\n",
					 path, path, path, path);

	return fixture_text(text);
}

static void obsolete_files_are_known(void **state)
{
	static const struct {
		const char *path;
		bool maybe;
	} table[] = {
		{"drivers/old/a.c", true},	  {"drivers/new/a.c", false},
		{"drivers/net/snow-7.c", true},	  {"drivers/net/rain.c", false},
		{"Documentation/obsolete", true},
	};
	auto_free char *missing = xasprintf("%s/nowhere", scratch);

	(void)state;
	put("MAINTAINERS",
	    "Text at the top.\nS: Obsolete is a word\n\nNEW\nS:\tMaintained\nF:\tdrivers/new/\n\n"
	    "OLD\nS:\tOrphan / Obsolete\nF:\tdrivers/old/\nF:\tdrivers/net/snow*\n\n"
	    "THE REST\nS:\tBuried alive in reporters\nF:\t*\n");
	for (size_t i = 0; i < array_size(table); i++) {
		auto_fixture struct fixture *f = patch_of(table[i].path);

		assert_int_equal(maintainers_maybe_obsolete(scratch, f->patch), table[i].maybe);
		assert_true(maintainers_maybe_obsolete(missing, f->patch));
	}
}

/* Runs the checker on a tree whose script is `script`. */
static int run_script(const char *script, struct check_result *r, struct err *err)
{
	auto_fixture struct fixture *f = patch_of("lib/firn.c");
	auto_free char *source = xasprintf("%s/tree", scratch),
		       *work = xasprintf("%s/work", scratch);
	auto_free char *cache = xasprintf("%s/cache", scratch);
	const struct check_env env = {.source_dir = source,
				      .scratch_dir = work,
				      .cache_dir = cache,
				      .series = f->set.series};

	put("tree/MAINTAINERS", "\n");
	put("tree/include/firn.h", "int Firn;\n");
	put("tree/scripts/checkpatch.pl", script);
	return checker_checkpatch_pl.run(&env, f->patch, r, err);
}

static bool sandbox_is_there(void)
{
	const char *const argv[] = {"perl", "-e", "1", NULL};
	const struct sandbox_spec spec = {.argv = argv, .timeout_s = 30};
	auto_proc_result struct proc_result r = {0};
	struct err err = ERR_INIT;

	if (sandbox_run(&spec, &r, &err) == 0)
		return true;
	print_message("skipped: %s\n", err.msg);
	return false;
}

#define GOOD_END "print \"total: 0 errors, 1 warnings, 0 checks, 3 lines checked\\n\"; exit 1;"

static void script_sees_the_tree_and_the_patch(void **state)
{
	struct check_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	if (!sandbox_is_there())
		skip();
	assert_ok(run_script("die unless -f 'include/firn.h' && !-e 'scripts/checkpatch.pl';\n"
			     "die if open(my $f, '>', '/src/new');\n"
			     "open(my $p, '<', $ARGV[-1]) or die; my @l = <$p>;\n"
			     "print \"WARNING:SNOW: $l[1]#2:\\n\\n\";" GOOD_END,
			     &r, &err),
		  &err);
	assert_int_equal(r.outcome, OUTCOME_WARN);
	assert_string_equal(r.reason, "total: 0 errors, 1 warnings, 0 checks, 3 lines checked");
	assert_string_equal(r.finding[0].message, "Date: Mon, 30 Nov 2026 10:00:00 +0000");
	check_result_done(&r);
}

static void broken_script_is_an_error(void **state)
{
	static const char *const scripts[][2] = {
		{"die \"no snow\\n\";", "exit status"},
		{"print \"half\\n\";", "its last line: half"},
		/* bwrap tells a signal as a shell does. */
		{"kill 9, $$;", "137"},
		{"print \"total: 0 errors, 0 warnings, 3 lines checked\\n\"; exit 7;",
		 "exit status 7"},
	};

	(void)state;
	if (!sandbox_is_there())
		skip();
	for (size_t i = 0; i < array_size(scripts); i++) {
		struct check_result r = {0};
		struct err err = ERR_INIT;

		assert_ok(run_script(scripts[i][0], &r, &err), &err);
		assert_int_equal(r.outcome, OUTCOME_ERROR);
		if (!strstr(r.reason, scripts[i][1]))
			fail_msg("%s: %s", scripts[i][0], r.reason);
		check_result_done(&r);
	}
}

/* A script that leaves a link where the names should be gets nothing of the host read. */
static void planted_files_are_not_followed(void **state)
{
	auto_free char *link = xasprintf("%s/planted/.checkpatch-camelcase.date.5", scratch);
	auto_free char *dir = xasprintf("%s/planted", scratch);
	auto_str struct str seeds;

	(void)state;
	str_init(&seeds, 0);
	put("planted/x", "");
	assert_int_equal(symlink("/etc/hostname", link), 0);
	script_dir_seeds(dir, &seeds);
	assert_int_equal(seeds.len, 0);
	assert_int_equal(unlink(link), 0);
	put("planted/.checkpatch-camelcase.date.5", "Snow\nFall; rm\n");
	script_dir_seeds(dir, &seeds);
	assert_int_equal(seeds.len, 0);
	put("planted/.checkpatch-camelcase.date.5", "Snow\nFall_2\n");
	script_dir_seeds(dir, &seeds);
	assert_string_equal(seeds.buf, "Snow\nFall_2\n");
}

static void without_a_script_it_is_skipped(void **state)
{
	auto_fixture struct fixture *f = patch_of("lib/firn.c");
	auto_free char *empty = xasprintf("%s/empty", scratch);
	const struct check_env none = {.series = f->set.series};
	const struct check_env bare = {.source_dir = empty, .series = f->set.series};
	struct check_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(checker_checkpatch_pl.run(&none, f->patch, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_SKIP);
	check_result_done(&r);
	assert_ok(checker_checkpatch_pl.run(&bare, f->patch, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_SKIP);
	assert_string_equal(r.reason, "the tree has no scripts/checkpatch.pl");
	check_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_is_read_in_its_three_forms),
		cmocka_unit_test(totals_may_have_no_checks),
		cmocka_unit_test(output_without_an_end_is_none),
		cmocka_unit_test(messages_have_no_control_characters),
		cmocka_unit_test(obsolete_files_are_known),
		cmocka_unit_test(script_sees_the_tree_and_the_patch),
		cmocka_unit_test(broken_script_is_an_error),
		cmocka_unit_test(planted_files_are_not_followed),
		cmocka_unit_test(without_a_script_it_is_skipped),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
