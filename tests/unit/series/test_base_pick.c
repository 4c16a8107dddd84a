// SPDX-License-Identifier: GPL-2.0-or-later
#include "base_help.h"

#include "series/base_pick.h"

struct place_of_work {
	char *dir;
	git_repository *repo;
	git_oid head, other; /* `other` is on no branch */
};

static const struct file_spec one[] = {F("f", "1\n")}, two[] = {F("f", "2\n")};

static int setup(void **state)
{
	struct place_of_work *w = xcalloc(1, sizeof(*w));

	w->dir = scratch_new();
	assert_int_equal(git_repository_init(&w->repo, w->dir, 1), 0);
	w->other = commit_make(w->repo, NULL, "other", one, 1);
	w->head = commit_make(w->repo, "refs/heads/next", "mm: the head", two, 1);
	assert_int_equal(git_repository_set_head(w->repo, "refs/heads/next"), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct place_of_work *w = *state;

	git_repository_free(w->repo);
	scratch_drop(w->dir);
	free(w);
	return 0;
}

static struct base_choice pick(struct place_of_work *w, const char *trailer, const char *given)
{
	struct series s = {.base_commit = (char *)trailer};
	struct err err = ERR_INIT;
	struct base_choice c = {0};

	assert_ok(base_pick(&(struct base_request){.user = w->repo, .series = &s, .given = given},
			    &c, &err),
		  &err);
	return c;
}

static void refuse(struct place_of_work *w, const char *given, const char *words)
{
	struct series s = {0};
	struct err err = ERR_INIT;
	struct base_choice c = {0};

	assert_err(base_pick(&(struct base_request){.user = w->repo, .series = &s, .given = given},
			     &c, &err),
		   &err, ERR_CONFIG, words);
	assert_null(c.why);
}

static void given_revision_wins(void **state)
{
	struct place_of_work *w = *state;
	char hex[GIT_OID_HEXSZ + 1];
	struct base_choice c;

	git_oid_tostr(hex, sizeof(hex), &w->other);
	c = pick(w, hex, "next^{commit}");
	assert_true(git_oid_equal(&c.commit, &w->head));
	assert_string_equal(c.why, "--base next^{commit}");
	assert_string_equal(c.subject, "mm: the head");
	assert_null(c.warning);
	base_choice_done(&c);
	c = pick(w, NULL, hex);
	assert_true(git_oid_equal(&c.commit, &w->other));
	base_choice_done(&c);
}

static void tags_are_peeled(void **state)
{
	struct place_of_work *w = *state;
	auto_git(object) git_object *target = NULL;
	git_signature *who;
	git_oid id;
	struct base_choice c;

	assert_int_equal(git_object_lookup(&target, w->repo, &w->other, GIT_OBJECT_COMMIT), 0);
	assert_int_equal(git_signature_new(&who, "W", "w@example.org", 0, 0), 0);
	assert_int_equal(git_tag_create(&id, w->repo, "v6.1", target, who, "v6.1", 0), 0);
	git_signature_free(who);
	c = pick(w, NULL, "v6.1");
	assert_true(git_oid_equal(&c.commit, &w->other));
	base_choice_done(&c);
}

static void unknown_revision_is_the_operators(void **state)
{
	refuse(*state, "v9.9", "--base v9.9");
	refuse(*state, "next:f", "is not a commit");
	refuse(*state, "", "--base");
}

static void trailer_comes_next(void **state)
{
	struct place_of_work *w = *state;
	char hex[GIT_OID_HEXSZ + 1];
	struct base_choice c;

	git_oid_tostr(hex, sizeof(hex), &w->other);
	c = pick(w, hex, NULL);
	assert_true(git_oid_equal(&c.commit, &w->other));
	assert_string_equal(c.why, "the series names it (base-commit:)");
	base_choice_done(&c);
	hex[12] = '\0';
	c = pick(w, hex, NULL);
	assert_true(git_oid_equal(&c.commit, &w->other));
	base_choice_done(&c);
}

static void unknown_trailer_is_a_warning(void **state)
{
	static const char *const trailer[] = {"0123456789012345678901234567890123456789", "next",
					      "012", "HEAD", "../../x"};
	struct place_of_work *w = *state;

	for (size_t i = 0; i < array_size(trailer); i++) {
		struct base_choice c = pick(w, trailer[i], NULL);

		assert_true(git_oid_equal(&c.commit, &w->head));
		assert_string_equal(c.why, "head of next; the series' own base is not here");
		assert_non_null(strstr(c.warning, trailer[i]));
		base_choice_done(&c);
	}
}

/* A base-commit: that names a tree or a blob names no base. */
static void trailer_must_be_a_commit(void **state)
{
	struct place_of_work *w = *state;
	git_oid tree = tree_make(w->repo, one, 1);
	char hex[GIT_OID_HEXSZ + 1];
	struct base_choice c = pick(w, git_oid_tostr(hex, sizeof(hex), &tree), NULL);

	assert_true(git_oid_equal(&c.commit, &w->head));
	assert_non_null(c.warning);
	base_choice_done(&c);
}

static void head_is_the_last_resort(void **state)
{
	struct place_of_work *w = *state;
	struct base_choice c = pick(w, NULL, NULL);

	assert_true(git_oid_equal(&c.commit, &w->head));
	assert_string_equal(c.why, "head of next; the series names no base");
	assert_null(c.warning);
	base_choice_done(&c);
	assert_int_equal(git_repository_set_head_detached(w->repo, &w->other), 0);
	c = pick(w, NULL, NULL);
	assert_true(git_oid_equal(&c.commit, &w->other));
	assert_non_null(strstr(c.why, "on no branch"));
	base_choice_done(&c);
}

static void tree_without_a_commit_is_refused(void **state)
{
	struct place_of_work *w = *state;

	assert_int_equal(git_repository_set_head(w->repo, "refs/heads/unborn"), 0);
	refuse(w, NULL, "has no commit on its branch yet");
}

#define unit(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(given_revision_wins),
		unit(tags_are_peeled),
		unit(unknown_revision_is_the_operators),
		unit(trailer_comes_next),
		unit(unknown_trailer_is_a_warning),
		unit(trailer_must_be_a_commit),
		unit(head_is_the_last_resort),
		unit(tree_without_a_commit_is_refused),
	};

	scratch_in_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
