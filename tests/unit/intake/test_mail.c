// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "intake/mail.h"

#define HEAD                                                                                       \
	"From: Astrid Berg <astrid@example.org>\nSubject: [PATCH] cairn\nDate: Tue, 3 Mar 2026 "   \
	"09:00:00 +0100\n"

DEFINE_CLEANUP(struct mail *, mail, mail_free)
#define auto_mail auto_cleanup(mail)

static struct mail *mail_of(const char *text)
{
	struct err err = ERR_INIT;
	struct mail *m = NULL;

	assert_ok(mail_parse(text, strlen(text), "test", &m, &err), &err);
	return m;
}

static void refuses(const char *data, size_t n, const char *why)
{
	struct err err = ERR_INIT;
	struct mail *m = NULL;

	assert_err(mail_parse(data, n, "x.eml", &m, &err), &err, ERR_INPUT, why);
	assert_non_null(strstr(err.msg, "x.eml"));
	assert_null(m);
}

static void test_headers(void **state)
{
	(void)state;
	auto_mail struct mail *m = mail_of(
		"From: =?utf-8?q?J=C3=B6rg?= Berg <joerg@example.org>\nSender: <list@example.org>\n"
		"Reply-To: \"Berg, A.\" <a@example.org>\nSubject: [PATCH] a line\n that is "
		"=?utf-8?q?f=C3=B6lded?=\n"
		"Date: Tue, 3 Mar 2026 09:00:00 -0130\nmessage-id: <odd/id%20+=&amp;@example.org>\n"
		"In-Reply-To: Your mail of today <one@example.org>\n"
		"References: <zero@example.org>\n\t<one@exam\n ple.org>\n\nText.\n");

	assert_string_equal(m->from.name, "Jörg Berg");
	assert_string_equal(m->from.email, "joerg@example.org");
	assert_string_equal(m->sender.name, "");
	assert_string_equal(m->sender.email, "list@example.org");
	assert_string_equal(m->reply_to.name, "Berg, A.");
	assert_string_equal(m->subject, "[PATCH] a line that is földed");
	assert_true(m->has_date);
	assert_int_equal(m->date, 1772533800);
	assert_int_equal(m->tz_minutes, -90);
	assert_string_equal(m->message_id, "odd/id%20+=&amp;@example.org");
	assert_string_equal(m->in_reply_to, "one@example.org");
	assert_int_equal(m->n_references, 2);
	assert_string_equal(m->references[0], "zero@example.org");
	assert_string_equal(m->references[1], "one@example.org");
	assert_string_equal(m->text, "Text.\n");
}

static void test_headers_missing(void **state)
{
	(void)state;
	auto_mail struct mail *m = mail_of("Subject: only this\n\n");

	assert_string_equal(m->from.name, "");
	assert_string_equal(m->from.email, "");
	assert_null(m->message_id);
	assert_null(m->in_reply_to);
	assert_int_equal(m->n_references, 0);
	assert_false(m->has_date);
	assert_string_equal(m->text, "");
	assert_int_equal(m->bytes_len, 0);
}

/* A header never becomes two lines, whatever its encoded words hold. */
static void test_header_injection(void **state)
{
	(void)state;
	auto_mail struct mail *m =
		mail_of("From: a@example.org\nSubject: one=?utf-8?q?=0AX-Evil=3A_two=00?=\n\nb\n");

	assert_null(strpbrk(m->subject, "\r\n"));
	assert_non_null(strstr(m->subject, "X-Evil"));
}

static void test_charsets(void **state)
{
	(void)state;
	auto_mail struct mail *declared =
		mail_of(HEAD "Content-Type: text/plain; charset=iso-8859-1\n\nGr\xf6\xdf"
			     "e\n");
	auto_mail struct mail *silent = mail_of(HEAD "\nGr\xf6\xdf"
						     "e\n");
	auto_mail struct mail *utf8 = mail_of(HEAD "\nGröße\n");
	auto_mail struct mail *wrong =
		mail_of(HEAD "Content-Type: text/plain; charset=utf-8\n\nGr\xf6 \n");
	auto_mail struct mail *unknown =
		mail_of(HEAD "Content-Type: text/plain; charset=klingon\n\nGröße\n");

	assert_string_equal(declared->text, "Größe\n");
	assert_memory_equal(declared->bytes, "Gr\xf6\xdf", 4);
	assert_int_equal(declared->bytes_len, 6);
	assert_string_equal(silent->text, "Größe\n");
	assert_string_equal(utf8->text, "Größe\n");
	assert_ptr_equal(utf8->text, utf8->bytes);
	assert_string_equal(wrong->text, "Gr\xef\xbf\xbd \n");
	assert_string_equal(unknown->text, "Größe\n");
}

#define CTE                                                                                        \
	"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "

static void test_encodings(void **state)
{
	(void)state;
	auto_mail struct mail *qp = mail_of(HEAD CTE "quoted-printable\n\n-in=\nt a =3D 1;\n");
	auto_mail struct mail *base64 = mail_of(HEAD CTE "base64\n\nLWludCBhOwo=\n");
	auto_mail struct mail *broken = mail_of(HEAD CTE "base64\n\nLWl!udCBhO\n");
	auto_mail struct mail *unknown = mail_of(HEAD CTE "x-none\n\nplain\n");

	assert_string_equal(qp->text, "-int a = 1;\n");
	assert_string_equal(base64->text, "-int a;\n");
	assert_true(str_starts(broken->text, "-int a"));
	assert_string_equal(unknown->text, "plain\n");
}

static void test_line_ends(void **state)
{
	(void)state;
	auto_mail struct mail *wire =
		mail_of("From: a@example.org\r\nSubject: s\r\n\r\none\r\ntwo\rthree\r\n");
	/* "one\r\ntwo\r\n" and "+one\r\n context\n": the second is a patch to a file with CRs. */
	auto_mail struct mail *canonical = mail_of(HEAD CTE "base64\n\nb25lDQp0d28NCg==\n");
	auto_mail struct mail *mixed = mail_of(HEAD CTE "base64\n\nK29uZQ0KIGNvbnRleHQK\n");

	assert_string_equal(wire->text, "one\ntwo\rthree\n");
	assert_string_equal(canonical->text, "one\ntwo\n");
	assert_string_equal(mixed->text, "+one\r\n context\n");
}

static void test_nul(void **state)
{
	static const char text[] = HEAD "\na\0b\n";
	struct err err = ERR_INIT;
	auto_mail struct mail *m = NULL;

	(void)state;
	assert_ok(mail_parse(text, sizeof(text) - 1, "nul", &m, &err), &err);
	assert_int_equal(m->raw_len, sizeof(text) - 1);
	assert_memory_equal(m->raw, text, sizeof(text));
	assert_int_equal(m->bytes_len, 4);
	assert_memory_equal(m->bytes, "a\0b\n", 5);
	assert_int_equal(strlen(m->text), m->text_len);
}

#define MULTI(subtype)                                                                             \
	"MIME-Version: 1.0\nContent-Type: multipart/" subtype "; boundary=b\n\npreamble\n"

static void test_multipart(void **state)
{
	(void)state;
	auto_mail struct mail *mixed = mail_of(HEAD MULTI(
		"mixed") "--b\n\nText.\n--b\n"
			 "Content-Type: application/octet-stream; "
			 "name=a.patch\nContent-Transfer-Encoding: base64\n"
			 "\nLWludCBhOwo=\n--b\nContent-Type: image/png\n\nPNG\n--b\n"
			 "Content-Type: text/plain; name=log.txt\n\nlog\n--b--\nepilogue\n");
	auto_mail struct mail *alternative = mail_of(HEAD MULTI(
		"alternative") "--b\nContent-Type: text/html\n\n<p>no\n"
			       "--b\nContent-Type: text/plain\n\nyes\n--b\nContent-Type: "
			       "text/plain\n\nagain\n--b--\n");
	auto_mail struct mail *signature = mail_of(
		HEAD MULTI("signed") "--b\n\nsigned text\n--b\n"
				     "Content-Type: application/pgp-signature\n\nPGP\n--b--\n");
	auto_mail struct mail *cut =
		mail_of(HEAD MULTI("mixed") "--b\n\none\n--b\nContent-Type: text/x-diff\n\ntwo");
	auto_mail struct mail *html = mail_of(HEAD "Content-Type: text/html\n\n<p>no</p>\n");

	assert_string_equal(mixed->text, "Text.\n-int a;\nlog");
	assert_string_equal(alternative->text, "yes");
	assert_string_equal(signature->text, "signed text");
	assert_string_equal(cut->text, "one\ntwo");
	assert_string_equal(html->text, "");
}

static void test_flowed(void **state)
{
	(void)state;
	auto_mail struct mail *m =
		mail_of(HEAD "Content-Type: text/plain; format=flowed\n\nfolded \nhere\n"
			     "  stuffed\n-- \nname\n");
	auto_mail struct mail *delsp =
		mail_of(HEAD "Content-Type: text/plain; format=flowed; delsp=yes\n\nfol \nded\n");

	assert_string_equal(m->text, "folded here\n stuffed\n-- \nname\n");
	assert_string_equal(delsp->text, "folded\n");
}

/* The body begins where git-mailinfo(1) lets it begin. */
static void test_body_begins(void **state)
{
	(void)state;
	auto_mail struct mail *odd = mail_of(HEAD "no header\n\nText.\n");
	auto_mail struct mail *from =
		mail_of("\n\nFrom abc Mon Sep 17 00:00:00 2001\n" HEAD "Bug: 1\n\nText.\n");

	assert_string_equal(odd->text, "no header\n\nText.\n");
	assert_string_equal(odd->from.name, "Astrid Berg");
	assert_string_equal(from->text, "Text.\n");
	assert_string_equal(from->from.name, "Astrid Berg");
}

static void test_refused(void **state)
{
	static const char nuls[] = "\x7f"
				   "ELF\0\0\0";

	(void)state;
	refuses("", 0, "is empty");
	refuses(nuls, sizeof(nuls), "binary data");
	refuses("\x1f\x8b\x08\0", 4, "gzip");
	refuses("just words\n", 11, "is not a mail");
	refuses("diff --git a/x b/x\n", 19, "git-format-patch(1)");
	refuses("Index: x\n--- x\n+++ x\n", 21, "git-format-patch(1)");
	refuses("From: a@example.org\nSubj", 24, "cut off");
	refuses("From: a@example.org\n", 20, "cut off");
}

static void test_refused_large(void **state)
{
	static const char head[] = "From: a@example.org\n\n";
	auto_free char *big = xmalloc(MAIL_MAX + 1);

	(void)state;
	memset(big, 0x78, MAIL_MAX + 1);
	memcpy(big, head, sizeof(head) - 1);
	refuses(big, MAIL_MAX + 1, "33554433 bytes: more than the limit of 33554432");
}

static void test_refused_parts(void **state)
{
	auto_str struct str s;

	(void)state;
	str_init(&s, 0);
	str_adds(&s, HEAD MULTI("mixed"));
	for (int i = 0; i < 1001; i++)
		str_adds(&s, "--b\n\n");
	refuses(s.buf, s.len, "more than 1000 MIME parts");
}

static void test_dates(void **state)
{
	int64_t date = 1;
	int tz = 1;

	(void)state;
	assert_false(mail_date_parse("some day", &date, &tz));
	assert_int_equal(date, 1);
	assert_true(mail_date_parse("2026-03-03 09:00:00 -0130", &date, &tz));
	assert_int_equal(date, 1772533800);
	assert_int_equal(tz, -90);
	assert_true(mail_date_parse("3 Mar 26 10:30 GMT", &date, &tz));
	assert_int_equal(date, 1772533800);
	assert_int_equal(tz, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_headers_missing),
		cmocka_unit_test(test_header_injection),
		cmocka_unit_test(test_charsets),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_multipart),
		cmocka_unit_test(test_flowed),
		cmocka_unit_test(test_body_begins),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_refused_large),
		cmocka_unit_test(test_refused_parts),
		cmocka_unit_test(test_dates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
