// SPDX-License-Identifier: GPL-2.0-or-later
#include "collate_help.h"

#define CHANGE(id) "change-id: " id "\n"

static void why_is(const struct made *m, size_t series, const char *want)
{
	assert_true(series < m->set.n_series);
	assert_string_equal(m->set.series[series].older_why, want);
}

static void composed_is(const struct made *m, size_t series, const char *want)
{
	assert_true(series < m->set.n_series);
	assert_string_equal(m->set.series[series].composed, want);
}

/* The newest of the whole input: by which words, and which mail begins it. */
static void newest_is(const struct made *m, const char *words, const char *id)
{
	auto_free char *why = NULL;
	const struct series *s = series_set_newest(&m->set, &why);

	assert_string_equal(why, words);
	if (id) {
		assert_non_null(s);
		assert_string_equal(s->message_id, id);
	} else {
		assert_null(s);
	}
}

static void test_change_id(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH v3 0/1] third name", "c3", NULL, CHANGE("20260303-hot-ab12"),
			       NULL, 5},
			      {"[PATCH v3 1/1] c", "p3", "c3", NULL, NULL, 5},
			      {"[PATCH v2 0/1] second name", "c2", NULL,
			       CHANGE("20260303-hot-ab12"), NULL, 3},
			      {"[PATCH v2 1/1] b", "p2", "c2", NULL, NULL, 3},
			      {"[PATCH 0/1] first name", "c1", NULL, CHANGE("20260303-hot-ab12")},
			      {"[PATCH 1/1] a", "p1", "c1"},
			      {"[PATCH v4 0/1] stolen", "c4", NULL, CHANGE("20260303-hot-ab12"),
			       "bjarne", 6},
			      {"[PATCH v4 1/1] d", "p4", "c4", NULL, "bjarne", 6}),
			false);

	set_is(&m, "v1 0 1 of 1; v2 0 1 of 1 <- 1; v3 0 1 of 1 <- 2; v4 0 1 of 1");
	why_is(&m, 2, "same change-id");
	assert_string_equal(m.set.series[0].change_id, "20260303-hot-ab12");
	assert_int_equal(m.set.n_chains, 2);
	newest_is(&m, "2 postings", NULL);
}

static void test_subject(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH 0/1] c", "c1", NULL, ""}, {"[PATCH 1/1] a", "p1", "c1"},
			      {"[PATCH v3 0/1] c", "c3", NULL, "", NULL, 20},
			      {"[PATCH v3 1/1] b", "p3", "c3", NULL, NULL, 20}),
			true);

	set_is(&m, "v1 0 1 of 1; v3 0 1 of 1 <- 1");
	why_is(&m, 1, "same author and subject");
	newest_is(&m, "v3, the newest of 2 versions", "c3");
	/* somebody else's of the same name */
	collates(SPECS({"[PATCH 0/1] c", "c1", NULL, ""}, {"[PATCH 1/1] a", "p1", "c1"},
		       {"[PATCH v2 0/1] c", "c2", NULL, "", "bjarne"},
		       {"[PATCH v2 1/1] a", "p2", "c2", NULL, "bjarne"}),
		 "v1 0 1 of 1; v2 0 1 of 1");
	/* the same version and name, but other patches */
	collates(SPECS({"[PATCH 0/1] fixes", "c1", NULL, ""}, {"[PATCH 1/1] a", "p1", "c1"},
		       {"[PATCH 0/1] fixes", "c2", NULL, ""}, {"[PATCH 1/1] b", "p2", "c2"}),
		 "v1 0 1 of 1; v1 0 1 of 1");
}

static void test_thread(void **state)
{
	(void)state;
	auto_made struct made m = made_of(
		SPECS({"[RFC PATCH v2] a", "r2", "r1", NULL, NULL, 1}, {"[RFC PATCH] a", "r1"},
		      {"[PATCH] renamed", "p1", "r2", NULL, NULL, 2},
		      {"[PATCH v2] renamed", "p2", "p1 r2", NULL, NULL, 3}),
		false);

	set_is(&m, "RFC v1 1 of 1; RFC v2 1 of 1 <- 1; v1 1 of 1 <- 2; v2 1 of 1 <- 3");
	why_is(&m, 2, "answers it");
	why_is(&m, 3, "answers it, same author and subject");
	newest_is(&m, "v2, the newest of 4 versions", "p2");
	/* a patch in answer to one of a series is no new version of the series */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2] quite another", "c", "b a"}),
		 "v1 1 2 of 2; v2 1 of 1");
}

static void test_newest(void **state)
{
	(void)state;
	auto_made struct made hole =
		made_of(SPECS({"[PATCH] a", "a"}, {"[PATCH v2 1/2] a", "a2", "a"}), false);
	auto_made struct made two =
		made_of(SPECS({"[PATCH 0/2] c", "c", NULL, ""}, {"[PATCH 1/2] a", "a", "c"},
			      {"[PATCH 2/2] b", "b", "c"}, {"[PATCH v2 0/1] x", "x", "c", ""},
			      {"[PATCH v2 1/1] a", "x1", "x c"}, {"[PATCH v2 0/1] y", "y", "c", ""},
			      {"[PATCH v2 1/1] b", "y1", "y c"}),
			false);
	auto_made struct made one = made_of(SPECS({"[PATCH v7] a", "a"}), false);
	auto_made struct made none = made_of(SPECS({}), false);

	newest_is(&hole, "v1, the newest complete one of 2 versions: v2 has 1 of 2 patches", "a");
	newest_is(&two, "two series are v2 of one posting: <y> and <x>", NULL);
	newest_is(&one, "v7", "a");
	newest_is(&none, "0 postings", NULL);
}

static void test_resend(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH v2 1/2] a", "a"}, {"[PATCH v2 2/2] b", "b", "a"},
			      {"[PATCH v2 RESEND 1/2] a", "a2", NULL, NULL, NULL, 9},
			      {"[PATCH v2 RESEND 2/2] b", "b2", "a2", NULL, NULL, 9}),
			false);
	auto_made struct made half =
		made_of(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
			      {"[PATCH RESEND 1/2] a", "a2", NULL, NULL, NULL, 9}),
			false);

	set_is(&m, "v2 1 2 of 2; v2 1 2 of 2 <- 1");
	newest_is(&m, "v2 as sent again, the newest of 2 versions", "a2");
	assert_string_equal(fate_of(&m, "mail 2"),
			    "patch 2/2 of series 1, which was sent again as series 2");
	set_is(&half, "v1 1 2 of 2; v1 1 of 2 <- 1");
	newest_is(&half, "v1, the newest complete one of 2 versions: v1 has 1 of 2 patches", "a");
	assert_string_equal(fate_of(&half, "mail 1"),
			    "patch 1/2 of series 1, which was sent again incompletely as series 2");
}

static void test_composed(void **state)
{
	(void)state;
	auto_made struct made m =
		made_of(SPECS({"[PATCH 0/3] c", "c", NULL, CHANGE("id-1")},
			      {"[PATCH 1/3] a", "a", "c"}, {"[PATCH 2/3] b", "b", "c"},
			      {"[PATCH 3/3] d", "d", "c"}, {"[PATCH v2 3/3] d", "d2", "d c"},
			      {"[PATCH v3 1/3] a", "a3", "a c"}, {"[PATCH v3 2/3] b", "b3", "b c"}),
			true);

	set_is(&m, "v1 0 1 2 3 of 3; v2 0 1* 2* 3 of 3 <- 1; v3 0 1 2 3* of 3 <- 2");
	composed_is(&m, 1, "v1 with v2 of patch 3");
	composed_is(&m, 2, "v1 with v2 of patch 3 with v3 of patches 1, 2");
	assert_string_equal(m.set.series[2].title, "c");
	assert_string_equal(m.set.series[2].change_id, "id-1");
	assert_string_equal(m.set.series[2].patch[2].mail->message_id, "d2");
	newest_is(&m, "v3, the newest of 3 versions", "a3");
}

static void test_composed_kinds(void **state)
{
	(void)state;
	/* under a number like v5.1, in answer to the cover letter or to the patch */
	collates(SPECS({"[PATCH v5 0/2] c", "c", NULL, ""}, {"[PATCH v5 1/2] a", "a", "c"},
		       {"[PATCH v5 2/2] b", "b", "c"}, {"[PATCH v5.1 2/2] b", "b1", "c"}),
		 "v5 0 1 2 of 2; v5.1 0 1* 2 of 2 <- 1");
	/* without a number, in answer to the patch of that name; twice */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2] b", "b2", "b a"}, {"[PATCH v2] a", "a2", "a"}),
		 "v1 1 2 of 2; v2 1* 2 of 2 <- 1; v2 1 2* of 2 <- 2");
	/* somebody else's is none, nor is a whole v5.1 */
	collates(SPECS({"[PATCH 1/2] a", "a"}, {"[PATCH 2/2] b", "b", "a"},
		       {"[PATCH v2 2/2] b", "b2", "b a", NULL, "bjarne"}),
		 "v1 1 2 of 2; v2 2 of 2");
	collates(SPECS({"[PATCH v5.1 1/2] a", "a"}, {"[PATCH v5.1 2/2] b", "b", "a"}),
		 "v5.1 1 2 of 2");
	/* what the older version lacks is still missing */
	collates(SPECS({"[PATCH 1/3] a", "a"}, {"[PATCH 3/3] b", "b", "a"},
		       {"[PATCH v2 3/3] b", "b2", "b a"}),
		 "v1 1 3 of 3; v2 1* 3 of 3 <- 1");
}

/* Many rerolls of a large series: bounded. */
static void test_composed_bounded(void **state)
{
	auto_made struct made m = {};
	auto_free struct spec *spec = xcalloc(4000, sizeof(*spec));

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		bool first = i < 1000;
		unsigned number = i % 1000 + 1;

		spec[i].subject = first ? xasprintf("[PATCH %u/1000] a", number)
					: xasprintf("[PATCH v%u %u/1000] a", i, number);
		spec[i].id = xasprintf("%s%u", first ? "p" : "q", number);
		spec[i].answers = xasprintf("p%u", first ? 1 : number);
		spec_add(&m.list, &spec[i], first ? 0 : i / 40);
		free((char *)spec[i].subject);
		free((char *)spec[i].id);
		free((char *)spec[i].answers);
	}
	made_collate(&m);
	assert_int_equal(m.set.n_series, 1001);
	assert_non_null(m.set.series[1].composed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change_id),      cmocka_unit_test(test_subject),
		cmocka_unit_test(test_thread),	       cmocka_unit_test(test_newest),
		cmocka_unit_test(test_resend),	       cmocka_unit_test(test_composed),
		cmocka_unit_test(test_composed_kinds), cmocka_unit_test(test_composed_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
