// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages for the wire, read back by GMime (intake/mail.h). */
#include "unit/unit.h"

#include "base/str.h"
#include "intake/mail.h"
#include "report/mail_message.h"

#define HUGE_LEN 10000

static json_t *want_make(const char *subject, const char *body)
{
	return json_pack("{s:[s], s:[s], s:s, s:s, s:[s,s], s:s}", "to",
			 "Ada Example <ada@example.org>", "cc", "list@lists.example.org", "subject",
			 subject, "in_reply_to", "2@example.org", "references", "1@example.org",
			 "2@example.org", "body", body);
}

static const struct mail_compose_options options = {
	.from = "firn, the tester <firn@example.org>",
	.message_id = "firn.17.abc@example.org",
	.date = 1796047200, /* 2026-11-30 14:00:00 */
	.trial = 17,
};

/* What every message must be, whatever went in. */
static void wire_check(const struct str *m)
{
	size_t line = 0;

	assert_int_equal(strlen(m->buf), m->len);
	for (size_t i = 0; i < m->len; i++) {
		unsigned char c = (unsigned char)m->buf[i];

		if (c == '\n') {
			assert_true(i && m->buf[i - 1] == '\r');
			line = 0;
			continue;
		}
		if (c == '\r')
			assert_int_equal(m->buf[i + 1], '\n');
		assert_true(c < 0x7f && (c >= ' ' || c == '\r' || c == '\t'));
		assert_in_range(++line, 1, 999);
	}
	assert_string_equal(m->buf + m->len - 2, "\r\n");
}

static size_t headers_count(const char *m)
{
	size_t n = 0;

	while (*m != '\r') {
		n += *m != ' ';
		m = strstr(m, "\r\n") + 2;
	}
	return n;
}

static bool has_bcc(const char *m)
{
	const char *bcc = strstr(m, "\nBcc");

	return bcc && bcc < strstr(m, "\r\n\r\n");
}

static struct mail *round_trip(const json_t *want, struct str *ret_wire)
{
	auto_mail_recipients struct mail_recipients to;
	struct err err = ERR_INIT;
	struct mail *m = NULL;

	mail_recipients_read(want, &to);
	str_init(ret_wire, 0);
	assert_ok(mail_compose(want, &to, &options, ret_wire, &err), &err);
	wire_check(ret_wire);
	assert_ok(mail_parse(ret_wire->buf, ret_wire->len, "wire", &m, &err), &err);
	return m;
}

static void a_message_is_as_it_should_be(void **state)
{
	auto_json json_t *want = want_make("Re: [PATCH 2/2] mm: tidy up", "One.\nTwo.\n");
	auto_str struct str wire;
	struct mail *m = round_trip(want, &wire);

	(void)state;
	assert_string_equal(wire.buf, "From: \"firn, the tester\" <firn@example.org>\r\n"
				      "To: Ada Example <ada@example.org>\r\n"
				      "Cc: list@lists.example.org\r\n"
				      "Subject: Re: [PATCH 2/2] mm: tidy up\r\n"
				      "Date: Mon, 30 Nov 2026 14:00:00 +0000\r\n"
				      "Message-ID: <firn.17.abc@example.org>\r\n"
				      "In-Reply-To: <2@example.org>\r\n"
				      "References: <1@example.org>\r\n"
				      " <2@example.org>\r\n"
				      "Auto-Submitted: auto-generated\r\n"
				      "X-Firn-Trial: 17\r\n"
				      "MIME-Version: 1.0\r\n"
				      "Content-Type: text/plain; charset=utf-8\r\n"
				      "Content-Transfer-Encoding: 7bit\r\n"
				      "\r\n"
				      "One.\r\nTwo.\r\n");
	assert_string_equal(m->in_reply_to, "2@example.org");
	assert_int_equal(m->n_references, 2);
	assert_int_equal(m->date, options.date);
	mail_free(m);
}

static void other_languages_come_through(void **state)
{
	static const char *const texts[] = {
		"Größe ‘x’ 日本語",
		"=?utf-8?q?=0D=0ABcc:_bo@example.org?=",
		"plain and long plain and long plain and long plain and long plain and long plain",
		"日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語",
		"a  b",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		auto_json json_t *want = want_make(texts[i], "x\n");
		auto_free char *to = xasprintf("%s <ada@example.org>", texts[i]);
		auto_str struct str wire;

		json_array_set_new(json_object_get(want, "to"), 0, json_string(to));
		struct mail *m = round_trip(want, &wire);
		assert_string_equal(m->subject, texts[i]);
		assert_int_equal(headers_count(wire.buf), 13);
		mail_free(m);
	}
}

static void bodies_come_through(void **state)
{
	static const char *const bodies[] = {
		"plain\n.\n..two\nFrom here\n\n  indented \n",
		"‘quoted’ = sign\n. dot\nFrom here\nblank at the end \n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(bodies); i++) {
		auto_json json_t *want = want_make("s", bodies[i]);
		auto_str struct str wire;
		struct mail *m = round_trip(want, &wire);
		auto_str struct str text;

		str_init(&text, 0);
		for (const char *p = m->text; *p; p++)
			if (*p != '\r')
				str_addc(&text, *p);
		assert_string_equal(text.buf, bodies[i]);
		mail_free(m);
	}
}

static void long_lines_are_encoded(void **state)
{
	auto_free char *line = xmalloc(HUGE_LEN + 1);
	auto_str struct str wire;

	(void)state;
	memset(line, 'x', HUGE_LEN);
	line[HUGE_LEN] = '\0';
	auto_json json_t *want = want_make(line, line);
	struct mail *m = round_trip(want, &wire);
	assert_non_null(strstr(wire.buf, "Content-Transfer-Encoding: quoted-printable\r\n"));
	assert_int_equal(headers_count(wire.buf), 13);
	mail_free(m);
}

static const char *const nasty[] = {
	"a\r\nBcc: bo@example.org",
	"a\nBcc: bo@example.org",
	"a\rBcc: bo@example.org",
	"a\r\n\r\nbody",
	"\xff\xfe\x80",
	"a\xe2\x80\xa8 b",
	"\x1b[31m",
	"=?utf-8?b?DQpCY2M6IGJvQGV4YW1wbGUub3Jn?= =?utf-8?q?=0A?=",
	"",
	" ",
	"\"\\\"",
	"a, b: c; <d> (e) @f [g]",
};

/* Each field with each of them: never a header more, never another recipient. */
static void nothing_adds_a_header(void **state)
{
	static const char *const fields[] = {"subject", "in_reply_to", "body"};

	(void)state;
	for (size_t i = 0; i < array_size(nasty); i++)
		for (size_t f = 0; f < array_size(fields) + 2; f++) {
			auto_json json_t *want = want_make("s", "b\n");
			auto_free char *to = xasprintf("%s <ada@example.org>", nasty[i]);
			auto_str struct str wire;

			if (f < array_size(fields))
				json_object_set_new(
					want, fields[f],
					json_stringn_nocheck(nasty[i], strlen(nasty[i])));
			else if (f == array_size(fields))
				json_array_set_new(json_object_get(want, "to"), 0,
						   json_stringn_nocheck(to, strlen(to)));
			else
				json_array_set_new(
					json_object_get(want, "references"), 0,
					json_stringn_nocheck(nasty[i], strlen(nasty[i])));
			struct mail *m = round_trip(want, &wire);
			assert_false(has_bcc(wire.buf));
			assert_in_range(headers_count(wire.buf), 12, 13);
			assert_string_equal(m->from.email, "firn@example.org");
			mail_free(m);
		}
}

static void a_nul_hides_nothing(void **state)
{
	auto_json json_t *want = want_make("s", "b\n");
	auto_mail_recipients struct mail_recipients to;
	auto_str struct str wire;

	(void)state;
	json_array_append_new(json_object_get(want, "to"),
			      json_stringn("bo@example.org\0.evil.example.net", 30));
	json_object_set_new(want, "subject", json_stringn("a\0b", 3));
	json_object_set_new(want, "body", json_stringn("a\0b\n", 4));
	mail_recipients_read(want, &to);
	assert_int_equal(to.n, 3);
	assert_non_null(to.item[1].dropped);
	struct mail *m = round_trip(want, &wire);
	assert_string_equal(m->text, "a\\x00b\n");
	mail_free(m);
}

static void addresses_are_judged(void **state)
{
	static const struct {
		const char *email;
		bool ok;
	} cases[] = {
		{"ada@example.org", true},
		{"a.b+c=d@x-y.example.org", true},
		{"o'neil@example.org", true},
		{"", false},
		{"ada", false},
		{"ada@localhost", false},
		{"@example.org", false},
		{"ada@", false},
		{"ada@example..org", false},
		{"ada@-x.org", false},
		{".ada@example.org", false},
		{"a..b@example.org", false},
		{"-oProxyCommand@example.org", false},
		{"ada@example.org ", false},
		{"ada@example.org\r\nRCPT TO:<bo@example.org>", false},
		{"ada@example.org>,<bo@example.org", false},
		{"ada@example.org,bo@example.org", false},
		{"\"a b\"@example.org", false},
		{"ada(comment)@example.org", false},
		{"group:ada@example.org;", false},
		{"@relay.example.net:ada@example.org", false},
		{"ada@[127.0.0.1]", false},
		{"ada@b\xc3\xbc"
		 "cher.example.org",
		 false},
		{"ad\xc3\xa1@example.org", false},
		{"ada@example.org@example.net", false},
		{"ada%example.org@relay.example.net", true},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++)
		if (mail_address_ok(cases[i].email) != cases[i].ok)
			fail_msg("\"%s\" is judged wrongly", cases[i].email);
}

static void who_cannot_be_written_to_is_named(void **state)
{
	auto_json json_t *want = json_pack("{s:[s,s,s,i], s:[s]}", "to", "ada@example.org",
					   "undisclosed-recipients:;", "ADA@example.org", 7, "cc",
					   "Ada <ada@example.org>");
	auto_mail_recipients struct mail_recipients to;
	struct err err = ERR_INIT;
	auto_str struct str wire;

	(void)state;
	mail_recipients_read(want, &to);
	assert_int_equal(mail_recipients_left(&to), 1);
	auto_free char *words = mail_recipients_words(&to);
	assert_non_null(strstr(words, "undisclosed-recipients:;: not an address"));
	mail_recipient_drop(&to.item[0], "wants no mail");
	str_init(&wire, 0);
	assert_err(mail_compose(want, &to, &options, &wire, &err), &err, ERR_INPUT,
		   "nobody is left");
}

static void bad_configuration_is_told(void **state)
{
	static const char *const bad[] = {NULL, "", "firn", "firn <firn@example.org", "<a b@c.d>"};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		struct err err = ERR_INIT;
		char *email = NULL;

		assert_err(mail_from_address(bad[i], &email, &err), &err, ERR_CONFIG, "post.from");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_as_it_should_be),
		cmocka_unit_test(other_languages_come_through),
		cmocka_unit_test(bodies_come_through),
		cmocka_unit_test(long_lines_are_encoded),
		cmocka_unit_test(nothing_adds_a_header),
		cmocka_unit_test(a_nul_hides_nothing),
		cmocka_unit_test(addresses_are_judged),
		cmocka_unit_test(who_cannot_be_written_to_is_named),
		cmocka_unit_test(bad_configuration_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
