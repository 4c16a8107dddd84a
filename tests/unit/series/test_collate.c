// SPDX-License-Identifier: GPL-2.0-or-later
#include "collate_help.h"

static void test_threads(void **state)
{
	(void)state;
	/* shallow, with a cover letter */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "c"}),
		 "v1 0 1 2 of 2");
	/* deep */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "a c"}),
		 "v1 0 1 2 of 2");
	/* none: the first patch is the top */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"}), "v1 1 2 of 2");
	/* its cover letter is not here */
	collates(SPECS({"[PATCH 1/2] a", "a", "c"}, {"[PATCH 2/2] b", "b", "c"}), "v1 1 2 of 2");
	/* a deep one with a hole */
	collates(SPECS({"[PATCH 1/3] a", "a"}, {"[PATCH 3/3] b", "b", "x a"}), "v1 1 3 of 3");
	/* by way of somebody's reply */
	collates(SPECS({"[PATCH] z", "z"}, {"[PATCH 1/2] a", "a"}, {"Re: [PATCH 1/2] a", "r", "a"},
		       {"[PATCH 2/2] b", "b", "r a"}),
		 "v1 1 of 1; v1 1 2 of 2");
	/* answers that go round in a ring */
	collates(SPECS({"[PATCH 1/2] a", "a", "b"}, {"[PATCH 2/2] b", "b", "a"}), "v1 1 2 of 2");
}

static void test_versions(void **state)
{
	(void)state;
	/* v2 has more patches, and all answer the cover letter of v1 */
	collates(SPECS({"[PATCH 0/1] c", "c", NULL, ""}, {"[PATCH 1/1] a", "a", "c"},
		       {"[PATCH v2 1/2] a", "a2", "c"}, {"[PATCH v2 2/2] b", "b2", "c"}),
		 "v1 0 1 of 1; v2 1 2 of 2 <- 1");
	/* one patch again does not fill the hole of another version */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH v2 2/2] b", "b", "c"}),
		 "v1 0 1 of 2; v2 2 of 2 <- 1");
	/* v2 patch by patch below v1 */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2 1/2] a", "a2", "a"}, {"[PATCH v2 2/2] b", "b2", "a2 a"}),
		 "v1 1 2 of 2; v2 1 2 of 2 <- 1");
	/* each patch of v2 and v3 answers the one it replaces */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2 1/2] a", "a2", "a"}, {"[PATCH v2 2/2] b", "b2", "b a"},
		       {"[PATCH v3 1/2] a", "a3", "a2"}, {"[PATCH v3 2/2] b", "b3", "b2"}),
		 "v1 1 2 of 2; v2 1 2 of 2 <- 1; v3 1 2 of 2 <- 2");
	/* sent again in the same thread, without a cover letter */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH RESEND 1/2] a", "a2", "a"}, {"[PATCH RESEND 2/2] b", "b2", "a"}),
		 "v1 1 2 of 2; v1 1 2 of 2 <- 1");
	/* the same without a word, below the first cover letter */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "c"}, {"[PATCH 1/2] a", "a2", "c"},
		       {"[PATCH 2/2] b", "b2", "c"}),
		 "v1 0 1 2 of 2; v1 1 2 of 2 <- 1");
	/* a second cover letter with the same name below the first */
	collates(SPECS({"[PATCH 0/1] c", "c", NULL, ""}, {"[PATCH 1/1] a", "a", "c"},
		       {"[PATCH 0/1] c", "c2", "c", ""}, {"[PATCH 1/1] a", "a2", "c2 c"}),
		 "v1 0 1 of 1; v1 0 1 of 1 <- 1");
}

static void test_numbers_disagree(void **state)
{
	(void)state;
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/3] b", "b", "c"}),
		 "v1 0 1 2 of 3");
	/* all patches agree, and the cover letter is wrong */
	collates(SPECS({"[PATCH 0/3] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "c"}),
		 "v1 0 1 2 of 2");
	/* a whole series of the same person in the thread is another one */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 1/1] user space", "u", "c"}),
		 "v1 0 1 of 2; v1 1 of 1");
	collates(SPECS({"[PATCH 5/3] a", "a"}), "v1 5 of 5");
	auto_made struct made m =
		made_of(SPECS({"[PATCH 0/3] c", "c", NULL, ""}, {"[PATCH 1/3] a", "a", "c"},
			      {"[PATCH 2/3] b", "b", "c"}, {"[PATCH 2/3] d", "d", "c"}),
			false);

	set_is(&m, "v1 0 1 2 of 3");
	assert_string_equal(m.set.series[0].note,
			    "the numbers disagree: there are two 2/3, mail 3 and mail 4");
}

/* Somebody else's series below a patch fills no hole. */
static void test_nested(void **state)
{
	(void)state;
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 1/2] x", "x", "a c", NULL, "bjarne"},
		       {"[PATCH 2/2] y", "y", "x a", NULL, "bjarne"}),
		 "v1 0 1 of 2; v1 1 2 of 2");
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", "c"}, {"[PATCH v2 0/2] c", "n", "c", "", "bjarne"},
		       {"[PATCH v2 1/2] a", "x", "n c", NULL, "bjarne"},
		       {"[PATCH v2 2/2] b", "y", "n c", NULL, "bjarne"}),
		 "v1 0 1 2 of 2; v2 0 1 2 of 2");
	/* the same person's, for user space, below the same cover letter */
	collates(SPECS({"[PATCH net 0/2] c", "c", NULL, ""}, {"[PATCH net 1/2] a", "a", "c"},
		       {"[PATCH net 2/2] b", "b", "c"}, {"[PATCH iproute2 1/2] x", "x", "c"},
		       {"[PATCH iproute2 2/2] y", "y", "c"}),
		 "v1 0 1 2 of 2; v1 1 2 of 2");
}

static void test_late(void **state)
{
	(void)state;
	/* the cover letter answers a patch, a day later */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH 0/2] c", "c", "a", "", NULL, 1}),
		 "v1 0 1 2 of 2");
	/* it answers nothing */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH 0/2] c", "c", NULL, "", NULL, 1}),
		 "v1 0 1 2 of 2");
	/* one patch lost its thread, and came weeks later */
	collates(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
		       {"[PATCH 2/2] b", "b", NULL, NULL, NULL, 25}),
		 "v1 0 1 2 of 2");
	collates(SPECS({"[PATCH 0/3] c", "c", NULL, ""}), "");
}

/* Tools number the ids of one run alike. */
static void test_runs(void **state)
{
	(void)state;
	/* two series at once, with a hole in each and mixed areas */
	collates(SPECS({"[PATCH 1/3] x: a", "20260303090000.11-1-astrid@example.org"},
		       {"[PATCH 1/3] x: c", "20260303090100.12-1-astrid@example.org"},
		       {"[PATCH 3/3] y: b", "20260303090000.11-3-astrid@example.org"},
		       {"[PATCH 2/3] z: b", "20260303090100.12-2-astrid@example.org"}),
		 "v1 1 3 of 3; v1 1 2 of 3");
	/* lost halves of two series */
	collates(SPECS({"[PATCH 1/2] x: a", "20260303-one-v1-1-0123456789ab@example.org"},
		       {"[PATCH 2/2] y: b", "20260303-two-v1-2-0123456789cd@example.org"}),
		 "v1 1 of 2; v1 2 of 2");
	/* files of git format-patch --thread: each From: is the commit's author */
	collates(SPECS({"[PATCH 0/2] c", "cover.1772528400.git.a@example.org", NULL, ""},
		       {"[PATCH 1/2] a", "0f3e.1772528400.git.a@example.org",
			"cover.1772528400.git.a@example.org", NULL, "bjarne"},
		       {"[PATCH 2/2] b", "0f3f.1772528400.git.a@example.org",
			"cover.1772528400.git.a@example.org"}),
		 "v1 0 1 2 of 2");
}

/* A list that hides who wrote. */
static void test_via(void **state)
{
	(void)state;
	const char *a = "\"Astrid via list\" <list@example.org>",
		   *b = "\"Bjarne via list\" <list@example.org>";

	collates(SPECS({"[PATCH 1/2] a", "a", NULL, NULL, a, 0,
			"Reply-To: Astrid <astrid@example.org>\n"},
		       {"[PATCH 2/2] b", "b", NULL, NULL, b, 0,
			"Reply-To: Bjarne <bjarne@example.org>\n"}),
		 "v1 1 of 2; v1 2 of 2");
	collates(SPECS({"[PATCH 0/1] a", "a", NULL, ""},
		       {"[PATCH 1/1] b", "b", "a", NULL, a, 0,
			"Reply-To: Astrid <astrid@example.org>\n"}),
		 "v1 0 1 of 1");
}

/* Copies of one mail from two lists. */
static void test_copies(void **state)
{
	(void)state;
#define FOOT "\n-- \n2.39.5\n"
	for (int backwards = 0; backwards < 2; backwards++) {
		auto_made struct made m =
			made_of(SPECS({"[PATCH] a", "a", NULL, DIFF FOOT},
				      {"[PATCH] a", "a", NULL, DIFF FOOT "____\nA list\n"},
				      {"[PATCH] a", "a", NULL, "Words.\n" DIFF FOOT}),
				backwards);

		set_is(&m, "v1 1 of 1");
		assert_string_equal(fate_of(&m, "mail 1"), "patch 1/1 of series 1");
		assert_string_equal(fate_of(&m, "mail 2"),
				    "a second mail with the Message-ID <a>; mail 1 is the one that "
				    "counts, and they differ below the signature only");
		assert_string_equal(fate_of(&m, "mail 3"),
				    "a second mail with the Message-ID <a>; mail 1 is the one that "
				    "counts, and their texts differ");
	}
#undef FOOT
}

/* Any order gives the same series, links and fates. */
static void test_shuffled(void **state)
{
	const struct spec *specs = SPECS(
		{"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] x: a", "a", "c"},
		{"[PATCH 2/2] x: b", "b", "a c"}, {"Re: [PATCH 1/2] x: a", "r", "a c", "Fine.\n"},
		{"[PATCH v2 2/2] x: b", "b2", "b c", NULL, NULL, 2}, {"[PATCH 1/2] y: a", "ya"},
		{"[PATCH 1/2] z: a", "za"}, {"[PATCH 2/2] y: b", "yb"}, {"[PATCH 2/2] z: b", "zb"},
		{"[PATCH v2 1/3] y: a", "y1", "ya", NULL, NULL, 1},
		{"[PATCH v2 3/3] y: d", "y3", "ya", NULL, NULL, 1},
		{"[PATCH 1/2] x: a", "n1", "a", NULL, "bjarne"},
		{"[PATCH v2 2/3] y: b", "y2", "ya", NULL, NULL, 9},
		{"[PATCH 2/2] x: b", "n2", "n1", NULL, "bjarne"}, {"[PATCH] q: a", "q"},
		{"[PATCH RESEND] q: a", "q2", NULL, NULL, NULL, 4}, {"[PATCH 3/4] c", "o", "c"});
	auto_made struct made first = made_of(specs, false);
	uint32_t seed = 7;

	(void)state;
	set_is(&first, "v1 0 1 2 3 of 4; v1 1 2 of 2; v1 1 2 of 2; v1 1 2 of 2; v1 1 of 1; "
		       "v2 1 2 3 of 3 <- 2; v2 0 1* 2 3* of 4 <- 1; v1 1 of 1 <- 5");
	for (int round = 0; round < 50; round++) {
		auto_made struct made m = {};
		auto_free char *want = set_say(&first.set), *got = NULL;

		for (unsigned i = 0; i < specs_count(specs); i++)
			spec_add(&m.list, &specs[i], i);
		list_shuffle(&m.list, &seed);
		made_collate(&m);
		got = set_say(&m.set);
		assert_string_equal(got, want);
		for (size_t i = 0; i < m.set.n_series; i++)
			assert_string_equal(m.set.series[i].message_id,
					    first.set.series[i].message_id);
		for (size_t i = 0; i < first.set.n_fates; i++) {
			const char *origin = first.set.fate[i].mail->origin;

			assert_string_equal(fate_of(&m, origin), first.set.fate[i].why);
		}
	}
}

/* Mails that refer to each other at random. */
static struct mail_list list_random(uint32_t *seed, uint32_t order)
{
	static const char *const people[] = {"astrid", "bjarne"};
	struct mail_list list = {};
	unsigned n = 2 + random_next(seed) % 14;

	for (unsigned i = 0; i < n; i++) {
		unsigned total = 1 + random_next(seed) % 3, kind = random_next(seed) % 8;
		auto_free char *numbers =
			kind ? xasprintf(" %u/%u", random_next(seed) % (total + 1), total)
			     : xstrdup("");
		auto_free char *subject = xasprintf(
			"%s[PATCH%s%s%s] %c: %c", kind == 1 ? "Re: " : "",
			random_next(seed) % 6 ? "" : " RESEND", random_next(seed) % 3 ? "" : " v2",
			numbers, 'k' + (int)(random_next(seed) % 2),
			'a' + (int)(random_next(seed) % 3));
		auto_free char *id = xasprintf("%u", i);
		auto_free char *up = xasprintf("%u %u", random_next(seed) % (n + 2),
					       random_next(seed) % (n + 2));
		struct spec spec = {.subject = subject,
				    .id = id,
				    .answers = random_next(seed) % 3 ? up : NULL,
				    .from = people[random_next(seed) % 5 == 0],
				    .day = random_next(seed) % 3};

		spec_add(&list, &spec, i % 4);
		free(list.item[i]->origin);
		list.item[i]->origin = xstrdup(id);
	}
	if (order)
		list_shuffle(&list, &order);
	return list;
}

/* Each mail's fate, in the order of their names, and what came of all. */
static char *made_say(const struct made *m)
{
	auto_free char *all = set_say(&m->set);
	struct str out;

	str_init(&out, 0);
	str_adds(&out, all);
	for (unsigned i = 0; i < m->list.n; i++) {
		auto_free char *id = xasprintf("%u", i);

		str_addf(&out, "\n%s: %s", id, fate_of(m, id));
	}
	return str_take(&out);
}

static void test_random(void **state)
{
	(void)state;
	for (uint32_t round = 1; round <= 400; round++) {
		auto_free char *want = NULL;

		for (uint32_t order = 0; order < 3; order++) {
			uint32_t seed = round;
			auto_made struct made m = {.list = list_random(&seed, order)};
			auto_free char *got = NULL;

			made_collate(&m);
			got = made_say(&m);
			if (!want)
				want = take(got);
			else if (strcmp(got, want) != 0)
				fail_msg("round %u: %s\n--- in another order:\n%s", round, want,
					 got);
		}
	}
}

static void test_loose(void **state)
{
	(void)state;
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b"}), "v1 1 2 of 2");
	/* somebody else's */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", NULL, NULL, "bjarne"}),
		 "v1 1 of 2; v1 2 of 2");
	/* files of git-format-patch(1): no Message-ID, and each From: is the commit's author */
	collates(SPECS({"[PATCH 0/2] c", NULL, NULL, ""}, {"[PATCH 1/2] a"},
		       {"[PATCH 2/2] b", NULL, NULL, NULL, "bjarne"}),
		 "v1 0 1 2 of 2");
	/* for two trees */
	collates(SPECS({"[PATCH net 1/2] a", "a"}, {"[PATCH bpf 2/2] b", "b"}),
		 "v1 1 of 2; v1 2 of 2");
	/* the same again later */
	collates(SPECS({"[PATCH 1/2] x: a", "a"}, {"[PATCH 2/2] x: b", "b"},
		       {"[PATCH 1/2] x: a", "c"}, {"[PATCH 2/2] x: b", "d"}),
		 "v1 1 2 of 2; v1 1 2 of 2 <- 1");
	/* without numbers each is alone */
	collates(SPECS({"[PATCH] a", "a"}, {"[PATCH] b", "b"}, {"[PATCH] c", "c", "a"}),
		 "v1 1 of 1; v1 1 of 1; v1 1 of 1");
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
	set_is(&m, "v1 1 2 of 2; v1 1 2 of 2");
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
			       "base-commit: 012345\n"
			       "> base-commit: 1111111111111111111111111111111111111111\n"},
			      {"[PATCH v3 4/4] d", "d", "c",
			       DIFF "\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n"},
			      {"[PATCH v3 2/4] b", "b", "c"}),
			false);
	const struct series *s = &m.set.series[0];

	assert_int_equal(m.set.n_series, 1);
	set_is(&m, "v3 0 2 4 of 4");
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
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_numbers_disagree),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_via),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_shuffled),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_loose),
		cmocka_unit_test(test_loose_interleaved),
		cmocka_unit_test(test_fates),
		cmocka_unit_test(test_series_fields),
		cmocka_unit_test(test_missing_bounded),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
