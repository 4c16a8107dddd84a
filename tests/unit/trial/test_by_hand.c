// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines that repeat a run: firn's own, and those for who has no firn. */
#include "unit/unit.h"

#include "trial/by_hand.h"

#define N 3

struct stand {
	struct trial t;
	struct trial_options opt;
	struct conf conf;
	struct series series[N];
	struct patch patch[N][3];
	struct mail mail[N * 3];
	struct mail *mails[N * 3];
	struct depends_step step[N];
};

/* Three series of three patches, and a plan that has but the last one. */
static void stand_make(struct stand *s)
{
	static const char *const ids[N] = {"one@example.org", "two@example.org",
					   "it's@example.org"};

	for (size_t i = 0; i < N; i++) {
		for (size_t k = 0; k < 3; k++) {
			s->patch[i][k] = (struct patch){.mail = &s->mail[i * 3 + k],
							.subject.number = (unsigned)k + 1};
			s->mails[i * 3 + k] = &s->mail[i * 3 + k];
		}
		s->series[i] = (struct series){
			.message_id = (char *)ids[i], .patch = s->patch[i], .n_patches = 3};
	}
	s->step[0] = (struct depends_step){.series = 2, .n_patches = 3};
	s->t = (struct trial){.opt = &s->opt,
			      .series = &s->series[2],
			      .set = {.series = s->series, .n_series = N},
			      .mails = {.item = s->mails, .n = N * 3},
			      .plan = {.step = s->step, .n_steps = 1},
			      .work_dir = (char *)"/the work"};
	s->opt.conf = &s->conf;
}

/* All lines of the first `k` patches, between a checkout and a make, in one string. */
static char *lines(const struct stand *s, size_t k)
{
	auto_json json_t *list = json_pack("[s, s]", "git checkout", "make");
	struct str all;
	const json_t *line;
	size_t i;

	by_hand_apply(&s->t, k, list);
	str_init(&all, 0);
	json_array_foreach (list, i, line)
		str_addf(&all, "%s\n", json_string_value(line));
	return str_take(&all);
}

static void check(const struct stand *s, size_t k, const char *want)
{
	auto_free char *got = lines(s, k);

	assert_string_equal(got, want);
}

static void a_series_by_its_message_id(void **state)
{
	struct stand s = {0};

	(void)state;
	stand_make(&s);
	check(&s, 0, "git checkout\nmake\n");
	check(&s, 2, "git checkout\nb4 am -o- -P1-2 'it'\\''s@example.org' | git am -3\nmake\n");
	check(&s, 3, "git checkout\nb4 am -o- 'it'\\''s@example.org' | git am -3\nmake\n");
}

/* The base of such a series is what it needs, and nothing of its own. */
static void what_it_needs_comes_first_and_in_order(void **state)
{
	struct stand s = {0};

	(void)state;
	stand_make(&s);
	s.step[0] = (struct depends_step){.series = 1, .n_patches = 3};
	s.step[1] = (struct depends_step){.series = 0, .n_patches = 2};
	s.step[2] = (struct depends_step){.series = 2, .n_patches = 3};
	s.t.plan.n_steps = 3;
	check(&s, 0,
	      "git checkout\nb4 am -o- two@example.org | git am -3\n"
	      "b4 am -o- -P1-2 one@example.org | git am -3\nmake\n");
	check(&s, 1,
	      "git checkout\nb4 am -o- two@example.org | git am -3\n"
	      "b4 am -o- -P1-2 one@example.org | git am -3\n"
	      "b4 am -o- -P1-1 'it'\\''s@example.org' | git am -3\nmake\n");
}

static void mails_without_an_id_by_their_files(void **state)
{
	struct stand s = {0};

	(void)state;
	stand_make(&s);
	s.series[2].message_id = (char *)"";
	check(&s, 2,
	      "git checkout\ngit am -3 '/the work/mails/0007.eml' '/the work/mails/0008.eml'\n"
	      "make\n");
}

/* What firn made of the series that it needs is in its own repository alone. */
static void the_commit_is_one_that_others_have(void **state)
{
	struct stand s = {0};

	(void)state;
	stand_make(&s);
	memset(s.t.base.commit.id, 1, sizeof(s.t.base.commit.id));
	memset(s.t.start.id, 2, sizeof(s.t.start.id));
	assert_true(git_oid_equal(by_hand_base(&s.t), &s.t.base.commit));
}

static char *repeat_of(const struct stand *s)
{
	static const char *const inputs[] = {"it's.mbox", NULL};
	struct trial t = s->t;
	struct trial_options opt = s->opt;
	auto_json json_t *report = NULL;

	opt.inputs = inputs;
	opt.tree = "tree";
	t.opt = &opt;
	t.series = NULL;
	report = report_make(&t);
	return xstrdup(json_get_str(report, "repeat", ""));
}

static void the_configuration_is_named_and_nothing_of_it(void **state)
{
	struct stand s = {0};
	auto_free char *without = NULL, *with = NULL;

	(void)state;
	stand_make(&s);
	without = repeat_of(&s);
	assert_null(strstr(without, "--config"));
	assert_non_null(strstr(without, "firn run 'it'\\''s.mbox' --tree tree"));
	s.conf.path = (char *)"/etc/firn/my config";
	s.conf.value[CONF_POST_PASSWORD] = (char *)"/etc/firn/password";
	with = repeat_of(&s);
	assert_non_null(strstr(with, " --config '/etc/firn/my config' "));
	assert_null(strstr(with, "password"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_series_by_its_message_id),
		cmocka_unit_test(what_it_needs_comes_first_and_in_order),
		cmocka_unit_test(mails_without_an_id_by_their_files),
		cmocka_unit_test(the_commit_is_one_that_others_have),
		cmocka_unit_test(the_configuration_is_named_and_nothing_of_it),
	};

	return cmocka_run_group_tests_name("by-hand", tests, NULL, NULL);
}
