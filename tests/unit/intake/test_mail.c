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
	/* "one\r\ntwo\r\n" and "+one\r\n context\n". */
	auto_mail struct mail *canonical = mail_of(HEAD CTE "base64\n\nb25lDQp0d28NCg==\n");
	auto_mail struct mail *mixed = mail_of(HEAD CTE "base64\n\nK29uZQ0KIGNvbnRleHQK\n");

	assert_string_equal(wire->text, "one\ntwo\rthree\n");
	assert_string_equal(canonical->text, "one\r\ntwo\r\n");
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

	assert_string_equal(mixed->text, "Text.\n-int a;\nlog\n\n");
	assert_string_equal(alternative->text, "yes\n\n");
	assert_string_equal(signature->text, "signed text\n\n");
	assert_string_equal(cut->text, "one\ntwo\n\n");
	assert_string_equal(html->text, "");
}

/* A mail of one part may have any type but HTML. */
static void test_types(void **state)
{
	(void)state;
	auto_mail struct mail *binary =
		mail_of(HEAD "Content-Type: application/octet-stream\n\none\n");
	auto_mail struct mail *source = mail_of(HEAD "Content-Type: text/x-csrc\n\none\n");
	auto_mail struct mail *empty = mail_of(HEAD "Content-Type: text/plain\n\n");
	auto_mail struct mail *unbounded = mail_of(HEAD "Content-Type: multipart/mixed\n\none\n");

	assert_string_equal(binary->text, "one\n");
	assert_string_equal(source->text, "one\n");
	assert_string_equal(empty->text, "");
	assert_string_equal(unbounded->text, "one\n");
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
	assert_false(m->flowed_diff);
}

static void test_damage(void **state)
{
	(void)state;
	auto_mail struct mail *flowed = mail_of(
		HEAD "Content-Type: text/plain; format=flowed\n\n--- a\n+++ b\n@@ -1 +1 @@\n");
	/* "a\r\n@@ -1 +1 @@\r\n" */
	auto_mail struct mail *crlf = mail_of(HEAD CTE "base64\n\nYQ0KQEAgLTEgKzEgQEANCg==\n");

	assert_true(flowed->flowed_diff);
	assert_false(flowed->crlf_diff);
	assert_true(crlf->crlf_diff);
	assert_false(crlf->flowed_diff);
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
	assert_true(mail_date_parse("Tue, 3 Mar 2026 10:30:00 +0000 (+0100)", &date, &tz));
	assert_int_equal(date, 1772530200);
	assert_int_equal(tz, 60);
	assert_true(mail_date_parse("1 Jan 99 00:00 EST", &date, &tz));
	assert_int_equal(date, 915166800);
	assert_false(mail_date_parse("3 Mar 2026", &date, &tz));
	assert_false(mail_date_parse("3 Mar 1926 10:30:00 GMT", &date, &tz));
	assert_false(mail_date_parse("99999999999999999999:99:99 2026 Mar 3", &date, &tz));
}

/* A mail whose clock is broken, or that has none, came when its last server says. */
static void test_date_missing(void **state)
{
	(void)state;
	auto_mail struct mail *none = mail_of(
		"From: a@example.org\nReceived: from a by b;\n\tTue, 3 Mar 2026 10:30:00 GMT\n"
		"Received: from c by d; 1 Jan 2001 00:00:00 GMT\n\nText.\n");
	auto_mail struct mail *odd = mail_of("From: a@example.org\nDate: soon\n\nText.\n");

	assert_true(none->has_date);
	assert_int_equal(none->date, 1772533800);
	assert_false(odd->has_date);
	assert_int_equal(odd->date, 0);
}

static void decodes(const char *header, const char *want)
{
	auto_free char *got = mail_header_decode(header);

	assert_string_equal(got, want);
}

static void test_words(void **state)
{
	(void)state;
	decodes("=?utf-8?b?QQ==?= =?utf-8?b?Qg==?=", "AB");
	decodes("=?utf-8?q?A=C3?=\n =?UTF-8?q?=BC?= B", "Aü B");
	decodes("a =?utf-8?q?b?=c =?utf-8*de?q?d_e?=", "a bc d e");
	decodes("=?x-klingon?q?b?= =?utf-8?q?=FF?=", "b\xef\xbf\xbd");
	decodes("a =? b ?= =?utf-8?x?c?= =?utf-8?q?d", "a =? b ?= =?utf-8?x?c?= =?utf-8?q?d");
	decodes("=?utf-8?q?=4?= =?utf-8?b?Q?= =?", "=4 =?");
	decodes("Gr\xfc\xdf"
		"e =?iso-8859-1?q?=FC?=",
		"Grüße ü");
	decodes("=?=?=?=?", "=?=?=?=?");
}

static void decodes_many(const char *piece)
{
	auto_str struct str s;
	auto_free char *decoded = NULL;

	str_init(&s, 0);
	while (s.len < 1000000)
		str_adds(&s, piece);
	decoded = mail_header_decode(s.buf);
	assert_true(utf8_valid(decoded, strlen(decoded)));
	assert_true(strlen(decoded) > 200000);
}

/* Words that are not closed, and of a charset that nobody knows: not in quadratic time. */
static void test_words_hostile(void **state)
{
	(void)state;
	decodes_many("=?a?q?x");
	decodes_many("=?a?q?b?= c");
}

static void test_last_counts(void **state)
{
	(void)state;
	auto_mail struct mail *m =
		mail_of("Subject: one\nFrom: a@example.org\nSubject: two\n\nText.\n");

	assert_string_equal(m->subject, "two");
}

static void person_is(const char *headers, const char *name, const char *email)
{
	auto_free char *text = xasprintf("%s\n\nText.\n", headers);
	auto_mail struct mail *m = mail_of(text);
	struct mail_addr who;

	if (!email) {
		assert_false(mail_person(m, &who));
		return;
	}
	assert_true(mail_person(m, &who));
	assert_string_equal(who.name, name);
	assert_string_equal(who.email, email);
	mail_addr_done(&who);
}

#define VIA(name) "From: \"" name "\" <list@example.org>\n"

static void test_person(void **state)
{
	(void)state;
	person_is("From: Astrid Berg <a@example.org>\nReply-To: b@example.org", "Astrid Berg",
		  "a@example.org");
	person_is(VIA("Astrid Berg via the-list") "Reply-To: Astrid Berg <a@example.org>",
		  "Astrid Berg", "a@example.org");
	person_is(VIA("Astrid Berg via the-list") "Reply-To: a@example.org", "Astrid Berg",
		  "a@example.org");
	person_is(VIA("Astrid Berg via the-list") "Reply-To: The list <list@example.org>,\n"
						  " \"B, C\" <b@example.org>, Astrid Berg "
						  "<a@example.org>",
		  "Astrid Berg", "a@example.org");
	person_is(VIA("'Astrid Berg' via group") "X-Original-From: Astrid Berg <a@example.org>\n"
						 "Reply-To: b@example.org",
		  "Astrid Berg", "a@example.org");
	person_is(VIA("Astrid Berg via B4 Relay") "X-Patchwork-Submitter: Astrid <a@example.org>",
		  "Astrid", "a@example.org");
	person_is(VIA("Astrid Berg via the-list") "Reply-To: list@example.org\n"
						  "Cc: b@example.org, Astrid Berg <a@example.org>",
		  "Astrid Berg", "a@example.org");
	person_is(VIA("Astrid Berg via the-list") "Cc: Other Person <a@example.org>", NULL, NULL);
	person_is(VIA("Astrid Berg via") "Reply-To: a@example.org", "Astrid Berg", "a@example.org");
	person_is("From: Astrid Avia Berg <a@example.org>", "Astrid Avia Berg", "a@example.org");
	person_is("From: ", "", "");
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
		cmocka_unit_test(test_date_missing),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_words_hostile),
		cmocka_unit_test(test_last_counts),
		cmocka_unit_test(test_person),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
