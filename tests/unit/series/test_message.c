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
		cmocka_unit_test(test_parts),	cmocka_unit_test(test_body_headers_win),
		cmocka_unit_test(test_bytes),	cmocka_unit_test(test_author_crud),
		cmocka_unit_test(test_no_diff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
