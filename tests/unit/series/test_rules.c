// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ways to post a series that the lab keeps as mails (lore/mails/rules, one folder each), with
 * the right answer for each. The lab is in $FIRN_LAB, or beside the source; without it the test is
 * skipped.
 */
#include "collate_help.h"

#include "base/fs.h"
#include "intake/source.h"

#define SKIPPED 77
#define ROUNDS	5

static const struct rule {
	const char *folder;
	const char *want; /* as set_say() has it */
	size_t n_chains;
	const char *note; /* begins with this, in one of the series; NULL: none */
} rules[] = {
	{"a-shallow-cover", "v1 0 1 2 3 of 3", 1, NULL},
	{"b-deep-cover", "v1 0 1 2 3 of 3", 1, NULL},
	{"c-no-cover", "v1 1 2 3 of 3", 1, NULL},
	{"d-late-cover", "v1 0 1 2 3 of 3", 1, NULL},
	{"e-missing-patch", "v1 0 1 3 of 3", 1, NULL},
	{"f-v2-reply-to-v1-cover", "v1 0 1 2 of 2; v2 0 1 2 of 2 <- 1", 1, NULL},
	{"g-v2-each-reply-to-v1-same-thread-nocover", "v1 1 2 of 2; v2 1 2 of 2 <- 1", 1, NULL},
	{"h-v2-own-thread", "v1 0 1 2 of 2; v2 0 1 2 of 2 <- 1", 1, NULL},
	{"i-resend-reply", "v1 0 1 2 of 2; v1 0 1 2 of 2 <- 1", 1, NULL},
	{"j-resend-own-thread", "v1 0 1 2 of 2; v1 0 1 2 of 2 <- 1", 1, NULL},
	{"k-rfc-v2-of-7", "RFC v2 0 1 2 3 4 5 6 7 of 7", 1, NULL},
	{"l-unthreaded-nocover", "v1 1 2 3 of 3", 1, NULL},
	/* 3/3 may be the second 2/3, and may not: nobody knows */
	{"m-mixed-numbering", "v1 0 1 2 of 3", 1, "the numbers disagree: there are two 2/3"},
	/* is there a 4/4? */
	{"n-total-differs", "v1 0 1 2 3 of 4", 1, "the numbers disagree: 0/3 is in a series of 4"},
	{"o-single-patch-reroll", "v1 0 1 2 3 of 3; v2 0 1* 2 3* of 3 <- 1", 1, NULL},
	{"p-prefix-forms",
	 "v3 1 2 of 2; RFC v1 1 2 of 2; v3 1 2 of 2; v3 1 2 of 2; RFC v3 1 2 of 2; v3.1 1 2 of 2; "
	 "v3 1 2 of 2; v3 1 2 of 2; v3 1 2 of 2; v3 1 2 of 2; v1 1 2 of 2; v3 1 2 of 2; "
	 "v3 1 2 of 2; v1 1 2 of 2",
	 14, NULL},
	/* the reply's diff is an offer */
	{"q-diff-in-reply", "v1 1 of 1; v1 1 of 1", 2, NULL},
	{"r-flat-v2-has-more-patches", "v1 0 1 2 of 2; v2 1 2 3 of 3 <- 1", 1, NULL},
	{"s-v2-fills-hole-of-v1", "v1 0 1 3 of 3; v2 2 of 3 <- 1", 1, NULL},
	{"t-unthreaded-resend-10min", "v1 1 2 of 2; v1 1 2 of 2 <- 1", 1, NULL},
	{"u-two-unthreaded-interleaved", "v1 1 2 of 2; v1 1 2 of 2", 2, NULL},
	{"w-cover-same-name-as-older-cover", "v1 0 1 2 of 2; v1 0 1 2 of 2 <- 1", 1, NULL},
};

static char *lab;

/* Each series is from one posting: the ids of the lab's mails say which. */
static void ids_agree(const struct series *s)
{
	size_t n = strcspn(s->message_id, "@");

	while (n && s->message_id[n - 1] != '-')
		n--;
	for (size_t i = 0; i < s->n_patches; i++)
		if (!s->patch[i].borrowed &&
		    strncmp(s->patch[i].mail->message_id, s->message_id, n))
			fail_msg("%s is no part of %s", s->patch[i].mail->message_id,
				 s->message_id);
}

static void rule_run(const struct rule *r, uint32_t *seed)
{
	auto_free char *path = xasprintf("%s/lore/mails/rules/%s", lab, r->folder), *got = NULL;
	auto_made struct made m = {};
	struct err err = ERR_INIT;
	const char *note = NULL;

	assert_ok(source_read(path, &m.list, &err), &err);
	list_shuffle(&m.list, seed);
	made_collate(&m);
	got = set_say(&m.set);
	if (strcmp(got, r->want) != 0)
		fail_msg("%s: \"%s\", not \"%s\"", r->folder, got, r->want);
	assert_int_equal(m.set.n_chains, r->n_chains);
	for (size_t i = 0; i < m.set.n_series; i++) {
		ids_agree(&m.set.series[i]);
		note = m.set.series[i].note ? m.set.series[i].note : note;
	}
	if (r->note ? !note || !str_starts(note, r->note) : note != NULL)
		fail_msg("%s: note \"%s\"", r->folder, note ? note : "");
}

static void test_rules(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < array_size(rules); i++)
		for (int round = 0; round < ROUNDS; round++)
			rule_run(&rules[i], &seed);
}

/* All at once: each posting is what it is alone, though one person sent them all. */
static void test_together(void **state)
{
	auto_free char *path = xasprintf("%s/lore/mails/rules", lab);
	auto_made struct made m = {};
	struct err err = ERR_INIT;
	size_t chains = 0, series = 0;
	uint32_t seed = 5;

	(void)state;
	for (size_t i = 0; i < array_size(rules); i++) {
		auto_free char *folder = xasprintf("%s/%s", path, rules[i].folder);

		assert_ok(source_read(folder, &m.list, &err), &err);
		chains += rules[i].n_chains;
		for (const char *p = rules[i].want; p; p = strchr(p + 1, ';'))
			series++;
	}
	list_shuffle(&m.list, &seed);
	made_collate(&m);
	for (size_t i = 0; i < m.set.n_series; i++)
		ids_agree(&m.set.series[i]);
	assert_int_equal(m.set.n_series, series);
	assert_int_equal(m.set.n_chains, chains);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),
					   cmocka_unit_test(test_together)};
	const char *env = getenv("FIRN_LAB");
	auto_free char *folder = NULL;
	int rc;

	lab = xstrdup(env ? env : FIXTURES "/../../../shared/lab");
	folder = xasprintf("%s/lore/mails/rules", lab);
	if (!fs_exists(folder)) {
		printf("SKIP: %s is not there\n", folder);
		free(lab);
		return SKIPPED;
	}
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	free(lab);
	return rc;
}
