// SPDX-License-Identifier: GPL-2.0-or-later
/* What people paste into the search box. */
#include "unit/unit.h"

#include "web/link_parse.h"

static const struct {
	const char *text;
	enum link_kind kind;
	const char *id, *host;
	int64_t number;
} cases[] = {
	{"tidy up", LINK_WORDS, .id = NULL},
	{"", LINK_WORDS, .id = NULL},
	{"@", LINK_WORDS, .id = NULL},
	{"a@b c@d", LINK_WORDS, .id = NULL},
	{" <20261130.1-1-ada@example.org> ", LINK_MESSAGE, .id = "20261130.1-1-ada@example.org"},
	{"Message-ID: <a@b>", LINK_MESSAGE, .id = "a@b"},
	{"a/b@c", LINK_MESSAGE, .id = "a/b@c"},
	{"https://lore.kernel.org/linuxppc-dev/a@b/", LINK_MESSAGE, .id = "a@b",
	 .host = "lore.kernel.org"},
	{"https://lore.kernel.org/all/a%2Fb%40c/T/#u", LINK_MESSAGE, .id = "a/b@c",
	 .host = "lore.kernel.org"},
	{"https://lore.kernel.org/r/a@b", LINK_MESSAGE, .id = "a@b", .host = "lore.kernel.org"},
	{"https://lore.kernel.org/all/", LINK_WORDS, .host = "lore.kernel.org"},
	{"https://lore.kernel.org/all/%00a@b/", LINK_WORDS, .host = "lore.kernel.org"},
	{"https://lore.kernel.org/all/%ffa@b/", LINK_WORDS, .host = "lore.kernel.org"},
	{"https://lore.kernel.org/all/a%0d%0a@b/", LINK_WORDS, .host = "lore.kernel.org"},
	{"http://127.0.0.1:8080/project/demo/patch/a@b/", LINK_MESSAGE, .id = "a@b",
	 .host = "127.0.0.1:8080"},
	{"https://pw.example.org/project/demo/patch/a%252Fb@c/", LINK_MESSAGE, .id = "a/b@c",
	 .host = "pw.example.org"},
	{"https://pw.example.org/patch/123/", LINK_PATCH, .host = "pw.example.org", .number = 123},
	{"https://pw.example.org/api/1.2/patches/123/", LINK_PATCH, .host = "pw.example.org",
	 .number = 123},
	{"https://pw.example.org/series/9/mbox/", LINK_PW_SERIES, .host = "pw.example.org",
	 .number = 9},
	{"https://pw.example.org/project/demo/list/?series=9&state=*", LINK_PW_SERIES,
	 .host = "pw.example.org", .number = 9},
	{"https://pw.example.org/project/demo/list/?state=*&series=9", LINK_PW_SERIES,
	 .host = "pw.example.org", .number = 9},
	{"https://pw.example.org/patch/12x/", LINK_WORDS, .host = "pw.example.org"},
	{"https://pw.example.org/patch/99999999999999999999/", LINK_WORDS,
	 .host = "pw.example.org"},
	{"https://", LINK_WORDS, .host = ""},
	{"https://x?", LINK_WORDS, .host = "x"},
};

static void assert_same(const char *text, const char *got, const char *want)
{
	if (!got != !want || (got && strcmp(got, want) != 0))
		fail_msg("%s: \"%s\", not \"%s\"", text, got ?: "NULL", want ?: "NULL");
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct link_parsed l;

		link_parse(cases[i].text, &l);
		if (l.kind != cases[i].kind || l.number != cases[i].number)
			fail_msg("%s: kind %d, number %lld", cases[i].text, l.kind,
				 (long long)l.number);
		assert_same(cases[i].text, l.message_id, cases[i].id);
		assert_same(cases[i].text, l.host, cases[i].host);
		link_parsed_done(&l);
	}
}

/* No header line is longer than 998 bytes, and neither is an id. */
static void test_long(void **state)
{
	auto_str struct str s;
	struct link_parsed l;

	(void)state;
	str_init(&s, 0);
	for (int i = 0; i < 998; i++)
		str_addc(&s, 'a');
	str_adds(&s, "@b");
	link_parse(s.buf, &l);
	assert_int_equal(l.kind, LINK_WORDS);
	link_parsed_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),
					   cmocka_unit_test(test_long)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
