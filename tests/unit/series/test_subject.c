// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "series/series.h"

struct row {
	const char *line;
	bool reply, patch, numbered;
	unsigned version, number, total;
	const char *prefixes, *text;
};

static const struct row rows[] = {
	{"[PATCH] mm: a", 0, 1, 0, 1, 1, 1, "", "mm: a"},
	{"[PATCHv3 1/2] a", 0, 1, 1, 3, 1, 2, "", "a"},
	{"[PATCH-v3] a", 0, 1, 0, 3, 1, 1, "", "a"},
	{"[RFC PATCH v2 net-next 02/10] a", 0, 1, 1, 2, 2, 10, "RFC net-next", "a"},
	{"[PATCH v5.1 10/12] a", 0, 1, 1, 5, 10, 12, "", "a"},
	{"[PATCH 6.1 000/150] 6.1.30-rc1 review", 0, 1, 1, 1, 0, 150, "6.1", "6.1.30-rc1 review"},
	{"[linux-next][PATCH] a", 0, 1, 0, 1, 1, 1, "linux-next", "a"},
	{"[PATCH 0/3] a", 0, 1, 1, 1, 0, 3, "", "a"},
	{"[v2,3/5] a", 0, 0, 1, 2, 3, 5, "", "a"},
	{"[PATCH,v3,1/2] a", 0, 1, 1, 3, 1, 2, "", "a"},
	{"[RESEND PATCH] a", 0, 1, 0, 1, 1, 1, "RESEND", "a"},
	{"[PATCH1/2] a", 0, 1, 1, 1, 1, 2, "", "a"},
	{"[PATCHv3-1/2] a", 0, 0, 0, 1, 1, 1, "PATCHv3-1/2", "a"},
	{"[PATCH/RFC 1/2] a", 0, 1, 1, 1, 1, 2, "RFC", "a"},
	{"[RFC/PATCH v2] a", 0, 1, 0, 2, 1, 1, "RFC", "a"},
	{"[PATCH -v2 1/2] a", 0, 1, 1, 2, 1, 2, "", "a"},
	{"[PATCHSET 0/2] a", 0, 1, 1, 1, 0, 2, "", "a"},
	{"[PATCH v2 1/2 RESEND] a", 0, 1, 1, 2, 1, 2, "RESEND", "a"},
	{"[PATCH 5.15.y v4l 1/2] a", 0, 1, 1, 1, 1, 2, "5.15.y v4l", "a"},
	{"[RFCv2 1/2] a", 0, 0, 1, 2, 1, 2, "RFC", "a"},
	{"[PATCH v3 1 of 2] a", 0, 1, 1, 3, 1, 2, "", "a"},
	{"[PATCH 1/2] [v3] a", 0, 1, 1, 3, 1, 2, "", "a"},
	{"[PATCH powerpc/next 01/2] a", 0, 1, 1, 1, 1, 2, "powerpc/next", "a"},
	{"[PATCH 4/3] a", 0, 1, 1, 1, 4, 3, "", "a"},
	{"PATCH 1/2: demo: a", 0, 1, 1, 1, 1, 2, "", "PATCH 1/2: demo: a"},
	{"Re: [PATCH v2 1/2] a", 1, 1, 1, 2, 1, 2, "", "a"},
	{"RE: Fwd: [PATCH] a", 1, 1, 0, 1, 1, 1, "", "Fwd: [PATCH] a"},
	{"AW: [PATCH] a", 1, 1, 0, 1, 1, 1, "", "AW: [PATCH] a"},
	{"[list] Re: [PATCH] a", 1, 1, 0, 1, 1, 1, "list", "a"},
	{"Re[2]: a", 1, 0, 0, 1, 1, 1, "", "Re[2]: a"},
	{"[PATCH 1/3] re: a", 0, 1, 1, 1, 1, 3, "", "a"},
	{"[PATCH] resend: a", 0, 1, 0, 1, 1, 1, "", "resend: a"},
	{"reiserfs: a [1/2]", 0, 0, 0, 1, 1, 1, "", "reiserfs: a [1/2]"},
	{"[GIT PULL] a", 0, 0, 0, 1, 1, 1, "GIT PULL", "a"},
	{"[PATCH  a   b\t c", 0, 0, 0, 1, 1, 1, "", "[PATCH a b c"},
	{"[PATCH 1/0] a", 0, 1, 0, 1, 1, 1, "1/0", "a"},
	{"[PATCH 1/99999] a", 0, 1, 0, 1, 1, 1, "1/99999", "a"},
	{"[PATCH v99999999999] a", 0, 1, 0, 1, 1, 1, "v99999999999", "a"},
	{"[] [ , ,] a", 0, 0, 0, 1, 1, 1, "", "a"},
	{"", 0, 0, 0, 1, 1, 1, "", ""},
	{"Re:", 1, 0, 0, 1, 1, 1, "", ""},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct row *r = &rows[i];
		struct subject s;

		subject_parse(r->line, &s);
		if (s.is_reply != r->reply || s.is_patch != r->patch || s.numbered != r->numbered ||
		    s.version != r->version || s.number != r->number || s.total != r->total ||
		    strcmp(s.prefixes, r->prefixes) != 0 || strcmp(s.text, r->text) != 0)
			fail_msg("\"%s\": reply %d patch %d numbered %d v%u %u/%u {%s} \"%s\"",
				 r->line, s.is_reply, s.is_patch, s.numbered, s.version, s.number,
				 s.total, s.prefixes, s.text);
		subject_done(&s);
	}
}

static void test_minor(void **state)
{
	static const struct {
		const char *line;
		unsigned version, minor;
		bool resend;
	} minors[] = {
		{"[PATCH v5.1 10/12] a", 5, 1, false}, {"[PATCH v5 10/12] a", 5, 0, false},
		{"[RESEND PATCH v2] a", 2, 0, true},   {"[PATCH v2 REPOST] a", 2, 0, true},
		{"[PATCH] resend: a", 1, 0, false},    {"[PATCH v5.1.2] a", 1, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < array_size(minors); i++) {
		struct subject s;

		subject_parse(minors[i].line, &s);
		assert_int_equal(s.version, minors[i].version);
		assert_int_equal(s.minor, minors[i].minor);
		assert_int_equal(s.resend, minors[i].resend);
		subject_done(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
					   cmocka_unit_test(test_minor)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
