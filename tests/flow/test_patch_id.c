// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patch_id() against `git patch-id --stable`: on a history that is made here, with every kind of
 * change that git-format-patch(1) can write, and on the files given as arguments.
 */
#include "../unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "series/patch_id.h"
#include <fcntl.h>
#include <glob.h>

#define SKIPPED 77

static int n_files;
static char **files;

/* One commit after another: each line is one. */
static const char *const commits[] = {
	"printf 'a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\n' >one; printf 'x' >'two words'; ln -s one link",
	"sed -i s/d/D/ one; printf 'x\\ny' >'two words'",
	"git mv one three",
	"git mv three four; sed -i s/g/G/ four",
	"cp four copy; chmod +x four",
	"head -c 700 /dev/urandom >blob",
	"printf more >>blob; printf 'z\\n' >>four",
	"printf '\\0\\1\\2' >blob; chmod +x blob",
	"printf 'l1\\r\\nl2\\r\\n' >crlf",
	"printf 'l1\\r\\n l2 \\t\\f\\r\\n' >crlf",
	"git rm -q blob; >empty",
	"git rm -q empty 'two words'",
	"ln -sf four link; mkdir d; git mv crlf d/crlf; printf 'new\\n' >d/new",
	"chmod -x four; git mv four d/four; git mv d/new new",
	"printf -- '-- x\\n++ y\\n' >signs",
	"printf -- '-- z\\n++ y\\n' >signs; printf '\\303\\244\\n' >\"$(printf 'u\\303\\244')\"",
};

static void run(const char *dir, const char *script)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	const struct proc_spec spec = {.argv = argv, .cwd = dir};
	auto_proc_result struct proc_result r = {};
	struct err err = ERR_INIT;

	assert_ok(proc_run(&spec, &r, &err), &err);
	if (r.end != PROC_EXITED || r.code != 0)
		fail_msg("%s: %s", script, r.output.buf);
}

/* git's id for a file, "" when it has none. */
static void git_id(const char *path, char ret_hex[static PATCH_ID_HEX_MAX])
{
	static const char *const argv[] = {"git", "patch-id", "--stable", NULL};
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct proc_spec spec = {.argv = argv, .stdin_fd = fd};
	auto_proc_result struct proc_result r = {};
	struct err err = ERR_INIT;

	assert_true(fd > 0);
	assert_ok(proc_run(&spec, &r, &err), &err);
	assert_int_equal(r.code, 0);
	snprintf(ret_hex, PATCH_ID_HEX_MAX, "%s", r.output.buf);
}

static unsigned compare(const char *path)
{
	char ours[PATCH_ID_HEX_MAX] = "", theirs[PATCH_ID_HEX_MAX];
	auto_str struct str text;
	struct err err = ERR_INIT;

	str_init(&text, 0);
	assert_ok(fs_read(path, MAIL_MAX, ERR_INPUT, &text, &err), &err);
	if (!patch_id(text.buf, text.len, ours))
		*ours = '\0';
	git_id(path, theirs);
	if (strcmp(ours, theirs) == 0)
		return 0;
	print_message("%s: ours %s, git's %s\n", path, ours, theirs);
	return 1;
}

static void every_kind_of_change(void **state)
{
	char dir[] = "/tmp/firn-patch-id-XXXXXX";
	auto_free char *pattern = NULL;
	struct err err = ERR_INIT;
	unsigned wrong = 0;
	glob_t g;

	(void)state;
	assert_non_null(mkdtemp(dir));
	run(dir,
	    "git init -q . && git config user.name Ann && git config user.email ann@example.org && "
	    "git commit -q --allow-empty -m base");
	for (size_t i = 0; i < array_size(commits); i++) {
		auto_free char *script =
			xasprintf("%s\ngit add -A; git commit -q -m 'change %zu'", commits[i], i);

		run(dir, script);
	}
	run(dir, "git format-patch -q -M -C --find-copies-harder --root -o ../\"$(basename "
		 "\"$PWD\")\"/p");
	pattern = xasprintf("%s/p/*.patch", dir);
	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	assert_true(g.gl_pathc >= array_size(commits));
	for (size_t i = 0; i < g.gl_pathc; i++)
		wrong += compare(g.gl_pathv[i]);
	globfree(&g);
	assert_ok(fs_rmtree(dir, &err), &err);
	assert_int_equal(wrong, 0);
}

static void given_files(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (int i = 0; i < n_files; i++)
		wrong += compare(files[i]);
	if (n_files)
		print_message("%d files, %u differ\n", n_files, wrong);
	assert_int_equal(wrong, 0);
}

static bool git_is_there(void)
{
	static const char *const argv[] = {"git", "--version", NULL};
	const struct proc_spec spec = {.argv = argv};
	auto_proc_result struct proc_result r = {};
	struct err err = ERR_INIT;

	return proc_run(&spec, &r, &err) == 0 && r.code == 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_change),
		cmocka_unit_test(given_files),
	};

	if (!git_is_there()) {
		puts("SKIP: git is not installed");
		return SKIPPED;
	}
	n_files = argc - 1;
	files = argv + 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
