// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "series/series.h"

#define DIFF "---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"

/* A mail has what its row names, and no more. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* One mail: what matters to collate(). NULL for what it does not have. */
struct spec {
	const char *subject, *id,
		*answers; /* answers: In-Reply-To, and after a space the older References */
	const char *body; /* NULL: a diff */
	const char *from; /* NULL: Astrid */
};

#define SPECS(...) ((const struct spec[]){__VA_ARGS__, {}})

struct made {
	struct mail_list list;
	struct series_set set;
};

static void made_cleanup(struct made *m)
{
	series_set_done(&m->set);
	mail_list_done(&m->list);
}
#define auto_made __attribute__((cleanup(made_cleanup)))

static void spec_add(struct mail_list *list, const struct spec *s, unsigned i)
{
	auto_str struct str text;
	auto_free char *origin = xasprintf("mail %u", i + 1);
	const char *older = s->answers ? strchr(s->answers, ' ') : NULL;
	struct err err = ERR_INIT;
	struct mail *m;

	str_init(&text, 0);
	str_addf(&text,
		 "From: %s@example.org\nSubject: %s\nDate: Tue, 3 Mar 2026 09:%02u:00 +0000\n",
		 s->from ? s->from : "astrid", s->subject, i);
	if (s->id)
		str_addf(&text, "Message-ID: <%s>\n", s->id);
	if (s->answers) {
		int n = older ? (int)(older - s->answers) : (int)strlen(s->answers);

		str_addf(&text, "In-Reply-To: <%.*s>\nReferences: <%s> <%.*s>\n", n, s->answers,
			 older ? older + 1 : "", n, s->answers);
	}
	str_addf(&text, "\nText.\n%s", s->body ? s->body : DIFF);
	assert_ok(mail_parse(text.buf, text.len, origin, &m, &err), &err);
	mail_list_add(list, m);
}

/* `backwards`: the mails come in the opposite order, with the same dates. */
static struct made made_of(const struct spec *specs, bool backwards)
{
	struct made m = {};
	struct err err = ERR_INIT;
	unsigned n = 0;

	while (specs[n].subject)
		n++;
	for (unsigned i = 0; i < n; i++) {
		unsigned at = backwards ? n - 1 - i : i;

		spec_add(&m.list, &specs[at], at);
	}
	assert_ok(collate(&m.list, &m.set, &err), &err);
	assert_int_equal(m.set.n_fates, n);
	return m;
}

static const char *fate_of(const struct made *m, const char *origin)
{
	for (size_t i = 0; i < m->set.n_fates; i++)
		if (strcmp(m->set.fate[i].mail->origin, origin) == 0)
			return m->set.fate[i].why;
	return "none";
}

/* "v1 0 1 3 of 3": the numbers that are there, 0 for a cover. */
static void series_is(const struct made *m, size_t i, const char *want)
{
	auto_str struct str got;

	str_init(&got, 0);
	if (i < m->set.n_series) {
		const struct series *s = &m->set.series[i];

		str_addf(&got, "v%u%s", s->version, s->cover ? " 0" : "");
		for (size_t p = 0; p < s->n_patches; p++)
			str_addf(&got, " %u", s->patch[p].subject.number);
		str_addf(&got, " of %u", s->total);
	}
	assert_string_equal(got.buf, want);
}

/* The same from either end: what comes out does not depend on the order of what comes in. */
static void collates(const struct spec *specs, const char *const *want)
{
	for (int backwards = 0; backwards < 2; backwards++) {
		auto_made struct made m = made_of(specs, backwards);
		size_t n = 0;

		for (; want[n]; n++)
			series_is(&m, n, want[n]);
		assert_int_equal(m.set.n_series, n);
		for (size_t i = 0; i < m.set.n_fates; i++)
			assert_non_null(m.set.fate[i].why);
	}
}
#define WANT(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_threads(void **state)
{
	(void)state;
	/* shallow, with a cover letter */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "c"}),
		 WANT("v1 0 1 2 of 2"));
	/* deep */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "a c"}),
		 WANT("v1 0 1 2 of 2"));
	/* none: the first patch is the top */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"}), WANT("v1 1 2 of 2"));
	/* its cover letter is not here */
	collates(SPECS({"[PATCH 1/2] a", "a", "c"}, {"[PATCH 2/2] b", "b", "c"}),
		 WANT("v1 1 2 of 2"));
	/* a deep one with a hole */
	collates(SPECS({"[PATCH 1/3] a", "a"}, {"[PATCH 3/3] b", "b", "x a"}), WANT("v1 1 3 of 3"));
	/* by way of somebody's reply */
	collates(SPECS({"[PATCH] z", "z"}, {"[PATCH 1/2] a", "a"}, {"Re: [PATCH 1/2] a", "r", "a"},
		       {"[PATCH 2/2] b", "b", "r a"}),
		 WANT("v1 1 of 1", "v1 1 2 of 2"));
	/* answers that go round in a ring */
	collates(SPECS({"[PATCH 1/2] a", "a", "b"}, {"[PATCH 2/2] b", "b", "a"}),
		 WANT("v1 1 2 of 2"));
}

static void test_versions(void **state)
{
	(void)state;
	/* v2 has more patches, and all answer the cover letter of v1 */
	collates(SPECS({"[PATCH 0/1] c", "c", NULL, ""}, {"[PATCH 1/1] a", "a", "c"},
		       {"[PATCH v2 1/2] a", "a2", "c"}, {"[PATCH v2 2/2] b", "b2", "c"}),
		 WANT("v1 0 1 of 1", "v2 1 2 of 2"));
	/* one patch again does not fill the hole of another version */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH v2 2/2] b", "b", "c"}),
		 WANT("v1 0 1 of 2", "v2 2 of 2"));
	/* v2 patch by patch below v1 */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2 1/2] a", "a2", "a"}, {"[PATCH v2 2/2] b", "b2", "a2 a"}),
		 WANT("v1 1 2 of 2", "v2 1 2 of 2"));
	/* sent again in the same thread, without a cover letter */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH RESEND 1/2] a", "a2", "a"}, {"[PATCH RESEND 2/2] b", "b2", "a"}),
		 WANT("v1 1 2 of 2", "v1 1 2 of 2"));
	/* a second cover letter with the same name below the first */
	collates(SPECS({"[PATCH 0/1] c", "c", NULL, ""}, {"[PATCH 1/1] a", "a", "c"},
		       {"[PATCH 0/1] c", "c2", "c", ""}, {"[PATCH 1/1] a", "a2", "c2 c"}),
		 WANT("v1 0 1 of 1", "v1 0 1 of 1"));
	/* numbers that disagree */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/3] b", "b", "c"}),
		 WANT("v1 0 1 of 2", "v1 2 of 3"));
}

static void test_loose(void **state)
{
	(void)state;
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b"}), WANT("v1 1 2 of 2"));
	/* somebody else's */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", NULL, NULL, "bjarne"}),
		 WANT("v1 1 of 2", "v1 2 of 2"));
	/* files of git-format-patch(1): no Message-ID, and each From: is the commit's author */
	collates(SPECS({"[PATCH 0/2] c", NULL, NULL, ""}, {"[PATCH 1/2] a"},
		       {"[PATCH 2/2] b", NULL, NULL, NULL, "bjarne"}),
		 WANT("v1 0 1 2 of 2"));
	/* for two trees */
	collates(SPECS({"[PATCH net 1/2] a", "a"}, {"[PATCH bpf 2/2] b", "b"}),
		 WANT("v1 1 of 2", "v1 2 of 2"));
	/* the same again later */
	collates(SPECS({"[PATCH 1/2] x: a", "a"}, {"[PATCH 2/2] x: b", "b"},
		       {"[PATCH 1/2] x: a", "c"}, {"[PATCH 2/2] x: b", "d"}),
		 WANT("v1 1 2 of 2", "v1 1 2 of 2"));
	/* without numbers each is alone */
	collates(SPECS({"[PATCH] a", "a"}, {"[PATCH] b", "b"}, {"[PATCH] c", "c", "a"}),
		 WANT("v1 1 of 1", "v1 1 of 1", "v1 1 of 1"));
}

/* Two series at once, one mail of each in turn. */
static void test_loose_interleaved(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH 1/2] x: a", "xa"}, {"[PATCH 1/2] y: a", "ya"},
			      {"[PATCH 2/2] x: b", "xb"}, {"[PATCH 2/2] y: b", "yb"}),
			false);

	assert_int_equal(m.set.n_series, 2);
	series_is(&m, 0, "v1 1 2 of 2");
	assert_string_equal(m.set.series[0].patch[1].mail->message_id, "xb");
	assert_string_equal(m.set.series[1].patch[1].mail->message_id, "yb");
}

static void test_fates(void **state)
{
	(void)state;
	auto_made struct made m = made_of(
		SPECS({"[PATCH 1/2] a", "a"}, {"Re: [PATCH 1/2] a", "r", "a"}, {"a diff", "d", "a"},
		      {"[PATCH 2/2] b", "b", "a", "no diff\n"}, {"[PATCH 1/2] a", "a"},
		      {"[PATCH 1/2] other", "o", "a"}, {"[GIT PULL] c", "p"},
		      {"words", "w", NULL, "words\n"}, {"[PATCH 0/9] lone", "l", NULL, ""},
		      {"[PATCH] words", "pw", NULL, "words\n"}, {"no bracket", "n"}),
		false);

	assert_string_equal(fate_of(&m, "mail 1"), "patch 1/2 of series 1");
	assert_string_equal(fate_of(&m, "mail 2"), "a reply");
	assert_string_equal(fate_of(&m, "mail 3"), "a reply");
	assert_string_equal(fate_of(&m, "mail 4"), "calls itself patch 2/2, but holds no diff");
	assert_string_equal(fate_of(&m, "mail 5"),
			    "a second mail with the Message-ID <a>; mail 1 is the one that counts");
	assert_string_equal(fate_of(&m, "mail 6"),
			    "a second 1/2 of series 1; mail 1 is the one that counts");
	assert_string_equal(fate_of(&m, "mail 7"), "a pull request");
	assert_string_equal(fate_of(&m, "mail 8"), "not a patch: holds no diff");
	assert_string_equal(fate_of(&m, "mail 9"), "cover letter 0/9 without any of its patches");
	assert_string_equal(fate_of(&m, "mail 10"), "calls itself a patch, but holds no diff");
	assert_string_equal(fate_of(&m, "mail 11"), "patch 1/1 of series 2");
	assert_int_equal(m.set.n_series, 2);
}

static void test_series_fields(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH v3 0/4] the cover", "c", NULL,
			       "base-commit: 0123456789abcdef0123456789abcdef0123456\n"
			       "> base-commit: 1111111111111111111111111111111111111111\n"},
			      {"[PATCH v3 4/4] d", "d", "c",
			       DIFF "\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n"},
			      {"[PATCH v3 2/4] b", "b", "c"}),
			false);
	const struct series *s = &m.set.series[0];

	assert_int_equal(m.set.n_series, 1);
	series_is(&m, 0, "v3 0 2 4 of 4");
	assert_string_equal(s->title, "the cover");
	assert_string_equal(s->message_id, "c");
	assert_string_equal(s->author.email, "astrid@example.org");
	assert_int_equal(s->n_missing, 2);
	assert_int_equal(s->missing[0], 1);
	assert_int_equal(s->missing[1], 3);
	assert_string_equal(s->base_commit, "0123456789abcdef0123456789abcdef01234567");
}

static void test_missing_bounded(void **state)
{
	(void)state;
	auto_made struct made m = made_of(SPECS({"[PATCH 9999/9999] a"}), false);

	assert_int_equal(m.set.series[0].n_missing, SERIES_MISSING_MAX);
	assert_string_equal(m.set.series[0].message_id, "");
	assert_string_equal(m.set.series[0].title, "a");
}

static void test_empty(void **state)
{
	(void)state;
	auto_made struct made m = made_of(SPECS({}), false);

	assert_int_equal(m.set.n_series, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_loose),		cmocka_unit_test(test_loose_interleaved),
		cmocka_unit_test(test_fates),		cmocka_unit_test(test_series_fields),
		cmocka_unit_test(test_missing_bounded), cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
