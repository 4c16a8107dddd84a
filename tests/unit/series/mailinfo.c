// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle: what git-mailsplit(1), git-mailinfo(1) and git-stripspace(1) make of a mail is what
 * firn makes of it. With arguments: these files; without: the fixtures. Ends with 77 (skipped) when
 * there is no git.
 */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "intake/source.h"
#include "series/message.h"

#include <fcntl.h>

static char folder[] = "/tmp/firn-mailinfo-XXXXXX";

/* Runs git in the folder; its output is the caller's. */
static char *git_run(const char *const *argv, const char *input)
{
	struct proc_result result = {};
	struct err err = ERR_INIT;
	auto_free char *path = xasprintf("%s/%s", folder, input);
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct proc_spec spec = {.argv = argv, .cwd = folder, .stdin_fd = fd, .timeout_s = 20};
	char *out;

	assert_ok(proc_run(&spec, &result, &err), &err);
	if (result.end != PROC_EXITED || result.code != 0)
		fail_msg("%s %s: %s", argv[0], argv[1], result.output.buf);
	out = str_take(&result.output);
	proc_result_done(&result);
	return out;
}

static char *file_of(const char *name)
{
	auto_free char *path = xasprintf("%s/%s", folder, name);
	struct err err = ERR_INIT;
	struct str data;

	str_init(&data, 0);
	assert_ok(fs_read(path, MAIL_MAX, ERR_INPUT, &data, &err), &err);
	return str_take(&data);
}

static void file_write(const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", folder, name);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

/* The value of "Name: value" in what mailinfo printed; "" when it is not there. */
static char *info_get(const char *info, const char *name)
{
	auto_free char *key = xasprintf("\n%s: ", name);
	auto_free char *all = xasprintf("\n%s", info);
	const char *at = strstr(all, key);

	return at ? xmemdup(at + strlen(key), strcspn(at + strlen(key), "\n")) : xstrdup("");
}

/* As git-commit(1) would store a name and a date. */
static char *ident_of(const char *name, const char *email, const char *date)
{
	static const char *const argv[] = {"git", "var", "GIT_AUTHOR_IDENT", NULL};

	setenv("GIT_AUTHOR_NAME", name, 1);
	setenv("GIT_AUTHOR_EMAIL", email, 1);
	setenv("GIT_AUTHOR_DATE", *date ? date : "@0 +0000", 1);
	return git_run(argv, "mail");
}

static char *ident_text(const struct ident *id)
{
	int tz = id->tz_minutes < 0 ? -id->tz_minutes : id->tz_minutes;

	return xasprintf("%s <%s> %lld %c%02d%02d\n", id->name, id->email, (long long)id->time,
			 id->tz_minutes < 0 ? '-' : '+', tz / 60, tz % 60);
}

static void same_ident(const char *info, const struct patch *p)
{
	auto_free char *name = info_get(info, "Author"), *email = info_get(info, "Email");
	auto_free char *date = info_get(info, "Date");
	auto_free char *want = ident_of(name, email, date), *got = ident_text(&p->author);

	assert_string_equal(got, want);
}

static void same_message(const char *info, const struct patch *p)
{
	static const char *const argv[] = {"git", "stripspace", NULL};
	auto_free char *subject = info_get(info, "Subject"), *log = file_of("log");
	auto_free char *whole = xasprintf("%s\n\n%s", subject, log);

	assert_string_equal(p->subject.text, subject);
	file_write("whole", whole);
	auto_free char *want = git_run(argv, "whole");
	assert_string_equal(p->message, want);
}

/* git puts an empty line after an attachment; a diff has its length in itself. */
static void same_diff(const struct patch *p)
{
	auto_free char *want = file_of("patch"), *below = xstrdup(p->below);
	size_t n = p->diff_len, begin;
	const char *at;

	while (n && p->diff_text[n - 1] == '\n')
		n--;
	at = memmem(want, strlen(want), p->diff_text, n);
	assert_non_null(at);
	begin = str_starts(want, "---\n") ? 4 : 0;
	assert_memory_equal(want + begin, below, strlen(below));
	assert_int_equal((size_t)(at - want) - begin - strspn(want + begin + strlen(below), "\n"),
			 strlen(below));
	assert_int_equal(strspn(at + n, "\n"), strlen(at + n));
}

static void compare(const char *path)
{
	static const char *const split[] = {"git", "mailsplit", "-b", "-o.", "mail", NULL};
	static const char *const mailinfo[] = {"git", "mailinfo", "log", "patch", NULL};
	struct mail_list list = {};
	struct err err = ERR_INIT;
	struct patch p = {};
	auto_str struct str data;

	str_init(&data, 0);
	assert_ok(fs_read(path, MAIL_MAX, ERR_INPUT, &data, &err), &err);
	file_write("mail", data.buf);
	free(git_run(split, "mail"));
	auto_free char *info = git_run(mailinfo, "0001");
	auto_free char *split_path = xasprintf("%s/0001", folder);

	unlink(split_path); /* mailsplit does not overwrite */

	print_message("%s\n", path);
	assert_ok(source_read(path, &list, &err), &err);
	assert_int_equal(list.n, 1);
	subject_parse(list.item[0]->subject, &p.subject);
	patch_read(list.item[0], &p);
	same_ident(info, &p);
	same_message(info, &p);
	same_diff(&p);
	patch_done(&p);
	mail_list_done(&list);
}

static char **paths;

static void test_same_as_git(void **state)
{
	struct mail_list fixtures = {};
	struct err err = ERR_INIT;

	(void)state;
	for (char **p = paths; *p; p++)
		compare(*p);
	if (*paths)
		return;
	assert_ok(source_read(FIXTURES "/series/mailinfo", &fixtures, &err), &err);
	for (size_t i = 0; i < fixtures.n; i++)
		compare(fixtures.item[i]->origin);
	assert_true(fixtures.n > 10);
	mail_list_done(&fixtures);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_git)};
	static const char *const version[] = {"git", "--version", NULL};
	struct proc_spec spec = {.argv = version};
	struct proc_result result = {};
	struct err err = ERR_INIT;
	int rc = proc_run(&spec, &result, &err);

	(void)argc;
	paths = argv + 1;
	proc_result_done(&result);
	if (rc < 0) {
		printf("SKIP: %s\n", err.msg);
		return 77;
	}
	if (!mkdtemp(folder))
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	return fs_rmtree(folder, &err) < 0 ? 1 : rc;
}
