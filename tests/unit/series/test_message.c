// SPDX-License-Identifier: GPL-2.0-or-later
/* What git-mailinfo(1) makes of the same mails is compared in mailinfo.c; here is what it has no
 * word for. */
#include "unit/unit.h"

#include "series/message.h"

#define HEAD                                                                                       \
	"From: Astrid Berg <astrid@example.org>\nSubject: [PATCH] cairn: a\nDate: Tue, 3 Mar "     \
	"2026 09:00:00 +0100\n"
#define DIFF "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"

struct made {
	struct mail *mail;
	struct patch patch;
};

static void made_cleanup(struct made *m)
{
	patch_done(&m->patch);
	mail_free(m->mail);
}
#define auto_made __attribute__((cleanup(made_cleanup)))

static struct made patch_of(const char *text)
{
	struct err err = ERR_INIT;
	struct made m = {};

	assert_ok(mail_parse(text, strlen(text), "test", &m.mail, &err), &err);
	subject_parse(m.mail->subject, &m.patch.subject);
	patch_read(m.mail, &m.patch);
	return m;
}

static void test_parts(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of(HEAD "\nText.\n---\nv2: more\n\n x | 2 +-\n\n" DIFF "-- \n2.39.5\n");

	assert_string_equal(m.patch.message, "cairn: a\n\nText.\n");
	assert_string_equal(m.patch.below, "v2: more\n\n x | 2 +-\n\n");
	assert_true(str_starts(m.patch.diff_text, DIFF));
	assert_string_equal(m.patch.author.name, "Astrid Berg");
	assert_int_equal(m.patch.author.time, 1772524800);
	assert_int_equal(m.patch.author.tz_minutes, 60);
	assert_true(patch_has_diff(&m.patch));
	assert_int_equal(m.patch.diff->n_files, 1);
}

static void test_body_headers_win(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of(HEAD "\nFrom: Bjarne <b@example.org>\nSubject: [x] cairn: b\n"
			      "Date: 2026-03-03 09:00:00 +0000\n\nText.\n\n" DIFF);

	assert_string_equal(m.patch.author.name, "Bjarne");
	assert_string_equal(m.patch.author.email, "b@example.org");
	assert_int_equal(m.patch.author.time, 1772528400);
	assert_string_equal(m.patch.subject.text, "cairn: b");
	assert_string_equal(m.patch.message, "cairn: b\n\nText.\n");
	assert_string_equal(m.patch.below, "");
}

/* git does so with --scissors; what comes above is for people. */
static void test_scissors(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of(HEAD "\nFrom: x@example.org\n\nHello.\n\n-- >8 --\n"
			      "From: Bjarne <b@example.org>\n\nText.\n---\n" DIFF);
	auto_made struct made small = patch_of(HEAD "\nText.\n- >8 and a lot of words\n---\n" DIFF);

	assert_string_equal(m.patch.author.email, "b@example.org");
	assert_string_equal(m.patch.message, "cairn: a\n\nText.\n");
	assert_string_equal(small.patch.message, "cairn: a\n\nText.\n- >8 and a lot of words\n");
}

/* Headers in the body belong to a patch; a cover letter may quote some. */
static void test_body_headers_alone(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of(HEAD "\nFrom: Bjarne <b@example.org>\nSubject: b\n\nText.\n");

	assert_string_equal(m.patch.author.email, "astrid@example.org");
	assert_string_equal(m.patch.subject.text, "cairn: a");
}

static void test_attached_file(void **state)
{
	(void)state;
	auto_made struct made m = patch_of(
		"From: List <l@example.org>\nSubject: my patch\nContent-Type: multipart/mixed; "
		"boundary=b\n\n"
		"--b\n\nHello.\n--b\nContent-Type: text/x-patch\n\n"
		"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n" HEAD
		"Cc: c@example.org\n\nText.\n---\n" DIFF "--b--\n");

	assert_string_equal(m.patch.author.name, "Astrid Berg");
	assert_string_equal(m.patch.message, "cairn: a\n\nText.\n");
	assert_int_equal(m.patch.author.time, 1772524800);
}

static void test_via(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of("From: Astrid Berg via list <list@example.org>\nReply-To: a@example.org\n"
			 "Subject: s\n\nt\n" DIFF);

	assert_string_equal(m.patch.author.name, "Astrid Berg");
	assert_string_equal(m.patch.author.email, "a@example.org");
}

static void damaged(const char *text, const char *damage, const char *error)
{
	auto_made struct made m = patch_of(text);

	assert_non_null(m.patch.damage);
	assert_non_null(strstr(m.patch.damage, damage));
	if (error) {
		assert_non_null(m.patch.diff_error);
		assert_true(str_starts(m.patch.diff_error, m.patch.damage));
		assert_non_null(strstr(m.patch.diff_error, error));
	} else {
		assert_null(m.patch.diff_error);
	}
}

#define FILES "---\n--- a/x\n+++ b/x\n"

static void test_damage(void **state)
{
	(void)state;
	damaged(HEAD "Content-Type: text/plain; format=flowed\n\n" FILES
		     "@@ -1,2 +1,2 @@\n one \n-two\n+three\n",
		"format=flowed", "");
	damaged(HEAD "\n" FILES "@@ -1,3 +1,3 @@\n one\n-two\n+three and\nfour\n five\n",
		"line 7 of the diff", "");
	damaged(HEAD "\n" FILES "@@ -1,3 +1,3 @@\n  \tone\n-two\n+\tthree\n  \tfour\n",
		"one space too many", NULL);
	damaged(HEAD "Content-Transfer-Encoding: quoted-printable\n\n---\n--- a/x=0D\n+++ b/x=0D\n"
		     "@@ -1 +1 @@=0D\n-a=0D\n+b=0D\n",
		"--quoted-cr=strip", NULL);
	auto_made struct made good =
		patch_of(HEAD "\n" FILES "@@ -1,2 +1,2 @@\n  one\n-two\n+three\n");

	assert_null(good.patch.damage);
}

/* The commit message is UTF-8, the diff stays as it was written. */
static void test_bytes(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of(HEAD "Content-Type: text/plain; charset=iso-8859-1\n\nGr\xf6\xdf"
			      "e\n---\n"
			      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\xe4\n+b\n");

	assert_string_equal(m.patch.message, "cairn: a\n\nGröße\n");
	assert_non_null(memmem(m.patch.diff_text, m.patch.diff_len, "\n-\xe4\n", 4));
}

/* git leaves these characters out at the ends of a name, and <> anywhere. */
static void test_author_crud(void **state)
{
	(void)state;
	auto_made struct made m =
		patch_of("From: \"Berg, A.\" <a@example.org>\nSubject: s\n\nt\n" DIFF);
	auto_made struct made none = patch_of("Subject: s\n\nt\n" DIFF);

	assert_string_equal(m.patch.author.name, "Berg, A");
	assert_string_equal(none.patch.author.name, "");
	assert_int_equal(none.patch.author.time, 0);
}

static void test_no_diff(void **state)
{
	(void)state;
	auto_made struct made words = patch_of(HEAD "\nText.\n-- \nAstrid\n");
	auto_made struct made index = patch_of(HEAD "\nText.\nIndex: of first lines\n");
	auto_made struct made broken =
		patch_of(HEAD "\nText.\n---\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n");

	assert_false(patch_has_diff(&words.patch));
	assert_int_equal(words.patch.diff_len, 0);
	assert_false(patch_has_diff(&index.patch));
	assert_true(patch_has_diff(&broken.patch));
	assert_non_null(broken.patch.diff_error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_body_headers_win),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_author_crud),
		cmocka_unit_test(test_no_diff),
		cmocka_unit_test(test_scissors),
		cmocka_unit_test(test_body_headers_alone),
		cmocka_unit_test(test_attached_file),
		cmocka_unit_test(test_via),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
