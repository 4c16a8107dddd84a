// SPDX-License-Identifier: GPL-2.0-or-later
#include "base_help.h"

/*
 *	r1 --- m2 --- m4 --- M6 --- m8	main
 *	  \         /
 *	   n3 --- n5 --- n7		net-next (a remote branch)
 */
struct world {
	char *dir, *cache;
	git_repository *repo, *ours;
	git_oid r1, m2, n3, m4, n5, M6, n7, m8;
};

#define FILES(a, b, c)                                                                             \
	{                                                                                          \
		F("mm/a.c", "a" a "\n"), F("net/b.c", "b" b "\n"), F("Makefile", "c" c "\n")       \
	}
static const struct file_spec r1[] = FILES("1", "1", "1"), m2[] = FILES("2", "1", "1"),
			      n3[] = FILES("1", "3", "1"), m4[] = FILES("2", "1", "4"),
			      n5[] = FILES("1", "5", "1"), M6[] = FILES("2", "5", "4"),
			      n7[] = FILES("1", "7", "1"),
			      m8[] = {F("mm/a.c", "a2\n"), F("net/b.c", "b5\n"),
				      F("Makefile", "c4\n"), F("mm/new.c", "new\n")};

static void history_make(struct world *w)
{
	const char *main = "refs/heads/main", *net = "refs/remotes/davem/net-next";
	const struct {
		git_oid *id;
		struct commit_spec spec;
	} row[] = {
		{&w->r1, {main, 1, r1, 3, {NULL}}},  {&w->m2, {main, 2, m2, 3, {&w->r1}}},
		{&w->n3, {net, 3, n3, 3, {&w->r1}}}, {&w->m4, {main, 4, m4, 3, {&w->m2}}},
		{&w->n5, {net, 5, n5, 3, {&w->n3}}}, {&w->M6, {main, 6, M6, 3, {&w->m4, &w->n5}}},
		{&w->n7, {net, 7, n7, 3, {&w->n5}}}, {&w->m8, {main, 8, m8, 4, {&w->M6}}},
	};

	for (size_t i = 0; i < array_size(row); i++)
		*row[i].id = commit_on(w->repo, &row[i].spec);
	assert_int_equal(git_repository_set_head(w->repo, main), 0);
}

static int setup(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));
	git_repository *made, *again;
	struct err err = ERR_INIT;
	auto_free char *tree = NULL;

	w->dir = scratch_new();
	w->cache = xasprintf("%s/cache", w->dir);
	tree = xasprintf("%s/tree.git", w->dir);
	assert_int_equal(git_repository_init(&made, tree, 1), 0);
	w->repo = made;
	history_make(w);
	assert_ok(repo_open(tree, w->cache, &w->ours, &again, &err), &err);
	git_repository_free(again);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	git_repository_free(w->repo);
	git_repository_free(w->ours);
	scratch_drop(w->dir);
	free(w->cache);
	free(w);
	return 0;
}

/* A series of these diffs, mailed on a day. */
struct posting {
	const char *diff[4];
	int day;
	const char *prefixes;
	const char *base_commit;
};

static struct base_choice pick(struct world *w, const struct posting *p)
{
	struct mail mail = {.date = ON(p->day), .has_date = true};
	struct base_choice c = {0};
	struct err err = ERR_INIT;
	struct series s;
	size_t n = 0;

	while (n < 4 && p->diff[n])
		n++;
	series_make(&s, p->diff, n);
	for (size_t i = 0; i < n; i++) {
		s.patch[i].mail = &mail;
		s.patch[i].subject.prefixes = (char *)p->prefixes;
	}
	s.base_commit = (char *)p->base_commit;
	assert_ok(base_pick(&(struct base_request){.user = w->repo, .ours = w->ours, .series = &s},
			    &c, &err),
		  &err);
	series_drop(&s);
	return c;
}

static bool tried(const struct base_choice *c, const char *words)
{
	for (size_t i = 0; i < c->n_tried; i++) {
		if (strstr(c->tried[i], words))
			return true;
	}
	return false;
}

/* The commit, these words in `why`, and as many blobs as there are. */
static void expect_all(struct world *w, const struct posting *p, const git_oid *want,
		       const char *words)
{
	struct base_choice c = pick(w, p);

	if (!git_oid_equal(&c.commit, want) || !strstr(c.why, words))
		fail_msg("%s: %s", git_oid_tostr_s(&c.commit), c.why);
	assert_int_equal(c.n_matched, c.n_blobs);
	assert_null(c.warning);
	base_choice_done(&c);
}

static void one_blob(struct world *w, const char *path, const char *text, int day,
		     const git_oid *want)
{
	for (int digits = 7; digits <= GIT_OID_HEXSZ; digits += 11) {
		auto_free char *diff = diff_of(path, text, digits);

		expect_all(w, &(struct posting){.diff = {diff}, .day = day}, want,
			   "matches 1 of 1 blob");
	}
}

static void newest_before_the_mail(void **state)
{
	struct world *w = *state;

	one_blob(w, "mm/a.c", "a1\n", 20, &w->n7);
	one_blob(w, "mm/a.c", "a2\n", 20, &w->m8);
	one_blob(w, "mm/a.c", "a2\n", 6, &w->M6);
	one_blob(w, "Makefile", "c1\n", 4, &w->n5);
	/* The parent of the commit that replaces it, on either side of the merge. */
	one_blob(w, "net/b.c", "b1\n", 20, &w->m4);
	one_blob(w, "net/b.c", "b3\n", 20, &w->n3);
	one_blob(w, "net/b.c", "b5\n", 20, &w->m8);
	one_blob(w, "net/b.c", "b5\n", 5, &w->M6);
	one_blob(w, "net/b.c", "b5\n", 4, &w->n5);
}

static void all_blobs_together(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b1\n", 12),
		       *c = diff_of("Makefile", "c1\n", 40);

	expect_all(w, &(struct posting){.diff = {a, b, c}, .day = 20}, &w->m2,
		   "the newest commit before the mail that matches 3 of 3 blobs");
	expect_all(w, &(struct posting){.diff = {a, b}, .day = 20}, &w->m4, "2 of 2 blobs");
}

static void head_is_called_so(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b3\n", 9);
	struct base_choice c;

	expect_all(w, &(struct posting){.diff = {a}, .day = 20}, &w->m8,
		   "matches 1 of 1 blob (head of main)");
	c = pick(w, &(struct posting){.diff = {b}, .day = 20});
	assert_true(tried(&c, "head of main matches 0 of 1 blob"));
	base_choice_done(&c);
}

static void later_patches_build_on_earlier_ones(void **state)
{
	struct world *w = *state;
	auto_free char *first = diff_of("mm/a.c", "a2\n", 9),
		       *second = diff_of("mm/a.c", "made by the first\n", 9),
		       *third = diff_of("Makefile", "c1\n", 9);

	expect_all(w, &(struct posting){.diff = {first, second, third}, .day = 20}, &w->m2,
		   "2 of 2 blobs");
}

static void created_files_must_not_be_there(void **state)
{
	static const char create[] = "diff --git a/mm/new.c b/mm/new.c\nnew file mode 100644\n"
				     "index 0000000..1234567\n--- /dev/null\n+++ b/mm/new.c\n"
				     "@@ -0,0 +1 @@\n+x\n";
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9);

	expect_all(w, &(struct posting){.diff = {a, create}, .day = 20}, &w->M6, "1 of 1 blob");
}

static void renames_and_binaries_have_blobs(void **state)
{
	struct world *w = *state;
	char hex[GIT_OID_HEXSZ + 1];
	auto_free char *rename = xasprintf(
		"diff --git a/mm/a.c b/mm/z.c\nsimilarity index 50%%\nrename from mm/a.c\n"
		"rename to mm/z.c\nindex %.7s..1234567 100644\n--- a/mm/a.c\n+++ b/mm/z.c\n"
		"@@ -1 +1 @@\n-a\n+b\n",
		blob_hex("a1\n", hex));
	auto_free char *binary = xasprintf(
		"diff --git a/net/b.c b/net/b.c\nindex %s..1234567890123456789012345678901234567890"
		" 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n",
		blob_hex("b3\n", hex));

	expect_all(w, &(struct posting){.diff = {rename}, .day = 20}, &w->n7, "1 of 1 blob");
	expect_all(w, &(struct posting){.diff = {rename, binary}, .day = 20}, &w->n3,
		   "2 of 2 blobs");
}

static void modes_alone_say_nothing(void **state)
{
	static const char mode[] = "diff --git a/mm/a.c b/mm/a.c\nold mode 100644\n"
				   "new mode 100755\n";
	struct world *w = *state;

	expect_all(w, &(struct posting){.diff = {mode}, .day = 20}, &w->m8,
		   "head of main; the series names no base");
}

static void newer_than_the_mail_when_nothing_else(void **state)
{
	struct world *w = *state;
	auto_free char *b = diff_of("net/b.c", "b7\n", 9), *a = diff_of("mm/a.c", "a1\n", 9);

	expect_all(w, &(struct posting){.diff = {b}, .day = 2}, &w->n7, "newer than the mail");
	expect_all(w, &(struct posting){.diff = {a}, .day = 500}, &w->n7, "long before the mail");
}

static void unknown_blobs_are_named(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b1\n", 9),
		       *c = diff_of("Makefile", "not here\n", 7);
	char hex[GIT_OID_HEXSZ + 1];
	auto_free char *words =
		xasprintf("no commit here has all blobs; the newest that has the "
			  "most matches 2 of 3; Makefile at %.7s is in no commit known here",
			  blob_hex("not here\n", hex));
	struct base_choice got = pick(w, &(struct posting){.diff = {a, b, c}, .day = 20});

	assert_true(git_oid_equal(&got.commit, &w->m4));
	assert_string_equal(got.why, words);
	assert_null(got.warning);
	assert_int_equal(got.n_blobs, 3);
	assert_int_equal(got.n_matched, 2);
	assert_true(tried(&got,
			  "none of 8 commits since 400 days before the mail matches all 3 blobs"));
	base_choice_done(&got);
}

static void known_but_never_together(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("Makefile", "c4\n", 9), *b = diff_of("net/b.c", "b3\n", 9);
	struct base_choice c = pick(w, &(struct posting){.diff = {a, b}, .day = 20});

	assert_true(git_oid_equal(&c.commit, &w->m8));
	assert_non_null(strstr(c.why, "matches 1 of 2 (head of main); net/b.c at"));
	assert_non_null(strstr(c.why, "is in other commits"));
	base_choice_done(&c);
}

static void no_blob_is_known(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "nowhere\n", 9);
	struct base_choice c = pick(w, &(struct posting){.diff = {a}, .day = 20});

	assert_true(git_oid_equal(&c.commit, &w->m8));
	assert_string_equal(c.why,
			    "head of main; none of the series' 1 blob is in a commit known here");
	assert_null(c.warning);
	base_choice_done(&c);
}

static void subject_names_a_tree(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a1\n", 9), *c = diff_of("Makefile", "c1\n", 9),
		       *m = diff_of("Makefile", "c4\n", 9);
	struct base_choice got;

	expect_all(w, &(struct posting){.diff = {c}, .day = 20, .prefixes = "RFC main"}, &w->n5,
		   "of main, which the subject names (main), before the mail that");
	expect_all(w, &(struct posting){.diff = {a}, .day = 6, .prefixes = "net-next,v2"}, &w->n7,
		   "of davem/net-next");
	got = pick(w, &(struct posting){.diff = {m}, .day = 20, .prefixes = "net-next"});
	assert_true(git_oid_equal(&got.commit, &w->m8));
	assert_int_equal(got.reason, BASE_BLOBS);
	assert_true(tried(&got, "davem/net-next (the subject names net-next): no commit"));
	base_choice_done(&got);
}

static void subject_without_blobs_means_the_tip(void **state)
{
	static const char plain[] = "--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n";
	struct world *w = *state;
	struct posting p = {.diff = {plain}, .day = 20, .prefixes = "davem/net-next"};

	expect_all(w, &p, &w->n7, "head of davem/net-next, which the subject names");
}

/* Words that are no branch, or only look like one. */
static void other_words_are_no_tree(void **state)
{
	static const char *const word[] = {
		"RFC",	 "mm",	   "../heads/main", "main^{tree}", "ma*", "-",
		"/main", "m[a]in", "refs/heads/x",  "HEAD~1",	   ""};
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a1\n", 9);

	for (size_t i = 0; i < array_size(word); i++)
		expect_all(w, &(struct posting){.diff = {a}, .day = 20, .prefixes = word[i]},
			   &w->n7, "the newest commit before the mail");
}

static void named_base_says_how_well_it_fits(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b5\n", 9);
	char hex[GIT_OID_HEXSZ + 1];
	struct base_choice c =
		pick(w, &(struct posting){.diff = {a, b},
					  .day = 20,
					  .base_commit = git_oid_tostr(hex, sizeof(hex), &w->m4)});

	assert_string_equal(c.why, "the series names it (base-commit:); matches 1 of 2 blobs");
	base_choice_done(&c);
	c = pick(w, &(struct posting){.diff = {a, b}, .day = 20, .base_commit = "0123456789ab"});
	assert_true(git_oid_equal(&c.commit, &w->m8));
	assert_non_null(strstr(c.warning, "base-commit: 0123456789ab"));
	assert_int_equal(c.n_matched, 2);
	base_choice_done(&c);
}

struct numbered {
	uint32_t head;
	unsigned n;
};

static int numbered_cmp(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->head > y->head) - (x->head < y->head);
}

static const char *text_of(unsigned n, char out[16])
{
	snprintf(out, 16, "%u\n", n);
	return out;
}

/* Two texts whose blobs share their first seven digits: among 60,000 there are some. */
static void collide(char one[16], char other[16])
{
	enum { N = 60000 };
	auto_free struct numbered *all = xcalloc(N, sizeof(*all));

	for (unsigned i = 0; i < N; i++) {
		git_oid id;

		text_of(i, one);
		assert_int_equal(git_odb_hash(&id, one, strlen(one), GIT_OBJECT_BLOB), 0);
		all[i] = (struct numbered){(uint32_t)id.id[0] << 20 | (uint32_t)id.id[1] << 12 |
						   (uint32_t)id.id[2] << 4 | id.id[3] >> 4,
					   i};
	}
	qsort(all, N, sizeof(*all), numbered_cmp);
	for (unsigned i = 1; i < N; i++) {
		if (all[i].head == all[i - 1].head) {
			text_of(all[i].n, one);
			text_of(all[i - 1].n, other);
			return;
		}
	}
	fail_msg("no two are alike");
}

static void ambiguous_ids_are_told_apart_by_path(void **state)
{
	struct world *w = *state;
	char one[16], other[16];
	git_oid c1, c2, c3;

	collide(one, other);
	const struct file_spec f1[] = {F("x", one)}, f2[] = {F("x", "-\n"), F("y", other)},
			       f3[] = {F("x", "-\n"), F("y", "-\n")};
	c1 = commit_on(w->repo, &(struct commit_spec){NULL, 10, f1, 1, {&w->m8}});
	c2 = commit_on(w->repo, &(struct commit_spec){NULL, 11, f2, 2, {&c1}});
	c3 = commit_on(w->repo, &(struct commit_spec){"refs/heads/x", 12, f3, 2, {&c2}});
	(void)c3;
	one_blob(w, "x", one, 20, &c1);
	one_blob(w, "y", other, 20, &c2);
}

/* A child with a clock that is late is still the newer one. */
static void clocks_go_wrong(void **state)
{
	static const struct file_spec f1[] = {F("x", "1\n")}, f2[] = {F("x", "1\n"), F("y", "2\n")};
	struct world *w = *state;
	git_oid c1 = commit_on(w->repo, &(struct commit_spec){NULL, 10, f1, 1, {&w->m8}});
	git_oid c2 = commit_on(w->repo, &(struct commit_spec){"refs/heads/x", 9, f2, 2, {&c1}});

	one_blob(w, "x", "1\n", 20, &c2);
}

static void incomplete_series_ends_at_the_gap(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b3\n", 9);
	const char *const diffs[] = {a, b};
	struct base_choice c = {0};
	struct err err = ERR_INIT;
	struct series s;

	series_make(&s, diffs, 2);
	s.total = 3;
	s.patch[1].subject.number = 3;
	assert_ok(base_pick(&(struct base_request){.user = w->repo, .series = &s}, &c, &err), &err);
	assert_int_equal(c.n_blobs, 1);
	base_choice_done(&c);
	series_drop(&s);
}

/* Without index lines, the branch that has the files. */
static void branch_with_the_files(void **state)
{
	static const char plain[] = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
	static const struct file_spec f[] = {F("x", "1\n")};
	struct world *w = *state;
	git_oid x = commit_on(w->repo, &(struct commit_spec){"refs/heads/x", 3, f, 1, {NULL}});
	struct base_choice c = pick(w, &(struct posting){.diff = {plain}, .day = 20});

	assert_true(git_oid_equal(&c.commit, &x));
	assert_string_equal(c.why, "head of x; the series names no base");
	assert_true(tried(&c, "head of main has 0 of 1 files"));
	base_choice_done(&c);
}

/* A tree that was imported as one commit, long after the mail. */
static void one_commit(void **state)
{
	struct world *w = *state;
	auto_free char *a = diff_of("mm/a.c", "a2\n", 9), *b = diff_of("net/b.c", "b1\n", 9),
		       *c = diff_of("Makefile", "c4\n", 9);
	auto_free char *dir = xasprintf("%s/one", w->dir);
	git_oid root;

	git_repository_free(w->repo);
	assert_int_equal(git_repository_init(&w->repo, dir, 1), 0);
	root = commit_on(w->repo, &(struct commit_spec){"refs/heads/master", 300, m4, 3, {NULL}});
	assert_int_equal(git_repository_set_head(w->repo, "refs/heads/master"), 0);
	expect_all(w, &(struct posting){.diff = {a, b, c}, .day = 20}, &root,
		   "matches 3 of 3 blobs (head of master)");
}

#define unit(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(newest_before_the_mail),
		unit(all_blobs_together),
		unit(head_is_called_so),
		unit(later_patches_build_on_earlier_ones),
		unit(created_files_must_not_be_there),
		unit(renames_and_binaries_have_blobs),
		unit(modes_alone_say_nothing),
		unit(newer_than_the_mail_when_nothing_else),
		unit(unknown_blobs_are_named),
		unit(known_but_never_together),
		unit(no_blob_is_known),
		unit(subject_names_a_tree),
		unit(subject_without_blobs_means_the_tip),
		unit(other_words_are_no_tree),
		unit(named_base_says_how_well_it_fits),
		unit(ambiguous_ids_are_told_apart_by_path),
		unit(clocks_go_wrong),
		unit(incomplete_series_ends_at_the_gap),
		unit(branch_with_the_files),
		unit(one_commit),
	};

	scratch_in_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
