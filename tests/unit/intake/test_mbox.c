// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/fs.h"
#include "intake/source.h"

#include <sys/stat.h>

static char folder[] = "/tmp/firn-mbox-XXXXXX";

static void mail_list_cleanup(struct mail_list *list)
{
	mail_list_done(list);
}
#define auto_list __attribute__((cleanup(mail_list_cleanup)))

#define FROM_ "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
#define MAIL  "From: a@example.org\nSubject: s\n\ntext\n"

static char *file_make(const char *name, const char *data, size_t n)
{
	struct err err = ERR_INIT;
	char *path = xasprintf("%s/%s", folder, name);

	assert_ok(fs_write_atomic(path, data, n, &err), &err);
	return path;
}

static void refuses(const char *name, const char *data, size_t n, const char *why)
{
	auto_free char *path = file_make(name, data, n);
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	assert_err(source_read(path, &list, &err), &err, ERR_INPUT, why);
	assert_non_null(strstr(err.msg, path));
	unlink(path);
}

static void test_mboxrd(void **state)
{
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(source_read(FIXTURES "/intake/mboxrd.mbox", &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.item[0]->message_id, "one@example.org");
	assert_non_null(strstr(list.item[0]->origin, "mboxrd.mbox, message 1"));
	assert_non_null(
		strstr(list.item[0]->text, "\nFrom the first stone\n>From quoted\nFrom prose"));
	assert_non_null(strstr(list.item[0]->raw, "\n\nFrom prose after an empty line"));
	assert_string_equal(list.item[1]->message_id, "two@example.org");
	assert_true(str_starts(list.item[1]->raw, "From: Astrid"));
}

static void test_folder(void **state)
{
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(source_read(FIXTURES "/intake/folder/", &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.item[0]->subject, "[PATCH 1/2] cairn: 1");
	assert_string_equal(list.item[0]->origin, FIXTURES "/intake/folder/0001-one.patch");
	assert_string_equal(list.item[1]->subject, "[PATCH 2/2] cairn: 2");
	assert_int_equal(list.n_notes, 1);
	assert_string_equal(list.note[0],
			    FIXTURES "/intake/folder/series: not a mail, passed over");
}

static void test_folder_bad_file(void **state)
{
	auto_free char *good = file_make("1.patch", MAIL, strlen(MAIL));
	auto_free char *bad = file_make("2.patch", "diff --git a/x b/x\n", 19);
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(source_read(folder, &list, &err), &err, ERR_INPUT, "2.patch is not a mail");
	assert_int_equal(list.n, 1);
	unlink(good);
	unlink(bad);
}

static void test_maildir(void **state)
{
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(source_read(FIXTURES "/intake/maildir", &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.item[0]->subject, "[PATCH 1/2] cairn: one");
	assert_string_equal(list.item[1]->subject, "[PATCH 2/2] cairn: two");
}

static void test_split(void **state)
{
	/* The second is not preceded by an empty line; git-format-patch(1)'s needs none. */
	static const char text[] = FROM_ MAIL FROM_
		"more\n\n" FROM_ MAIL
		"From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n" MAIL;
	auto_free char *path = file_make("split.mbox", text, sizeof(text) - 1);
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(source_read(path, &list, &err), &err);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.item[0]->text, "text\n" FROM_ "more\n\n");
	assert_string_equal(list.item[1]->raw, MAIL);
	assert_string_equal(list.item[2]->raw, MAIL);
	unlink(path);
}

/* A line that is longer than the buffer, and a From_ line across its end. */
static void test_long_lines(void **state)
{
	auto_str struct str s;
	auto_free char *path = NULL;
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	str_init(&s, 0);
	str_adds(&s, FROM_ "From: a@example.org\nSubject: s\n\n");
	for (int i = 0; i < 20000; i++)
		str_adds(&s, "0123456789");
	str_adds(&s, "From x\n\n" FROM_ MAIL);
	path = file_make("long.mbox", s.buf, s.len);
	assert_ok(source_read(path, &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.item[0]->text_len, 200000 + strlen("From x\n\n"));
	unlink(path);
}

static void test_refused(void **state)
{
	static const char cut[] = FROM_ MAIL "\n" FROM_ "From: a@example.org\nSubj";

	(void)state;
	refuses("empty.mbox", "", 0, "is empty");
	refuses("junk.mbox",
		"\x7f"
		"ELF\0\1",
		6, "binary data");
	refuses("words.patch", "words\n", 6, "is not a mail");
	refuses("cut.mbox", cut, sizeof(cut) - 1, "cut.mbox, message 2 ends inside its headers");
}

static void test_not_there(void **state)
{
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(source_read("/nonexistent/x", &list, &err), &err, ERR_INPUT, "/nonexistent/x");
	assert_err(source_read("gopher://example.org", &list, &err), &err, ERR_INPUT,
		   "gopher://example.org");
	assert_err(source_read(folder, &list, &err), &err, ERR_INPUT, "holds no mail");
}

/* A sparse file of 200 MB costs no disk; it is refused after one mail's worth. */
static void test_too_large(void **state)
{
	static const char head[] = FROM_ "From: a@example.org\nSubject: s\n\n";
	auto_free char *path = file_make("big.mbox", head, sizeof(head) - 1);
	auto_list struct mail_list list = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(truncate(path, 200000000), 0);
	assert_err(source_read(path, &list, &err), &err, ERR_INPUT,
		   "message 1, is larger than the limit of 33554432");
	assert_non_null(strstr(err.msg, "the file has 200000000 bytes"));
	assert_int_equal(list.n, 0);
	unlink(path);
}

static int folder_make(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return fs_rmtree(folder, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mboxrd),		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_folder_bad_file), cmocka_unit_test(test_maildir),
		cmocka_unit_test(test_split),		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_refused),		cmocka_unit_test(test_not_there),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
