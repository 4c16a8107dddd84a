// SPDX-License-Identifier: GPL-2.0-or-later
#include "base_help.h"

#include "series/base_search.h"

static const struct file_spec a1[] = {F("d/f", "1\n"), F("g", "x\n")},
			      a2[] = {F("d/f", "2\n"), F("g", "x\n")},
			      a3[] = {F("d/f", "3\n"), F("g", "y\n")};

struct world {
	char *dir, *file;
	git_repository *repo;
	git_oid c1, c2, c3;
};

static int setup(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->dir = scratch_new();
	w->file = xasprintf("%s/index", w->dir);
	assert_int_equal(git_repository_init(&w->repo, w->dir, 1), 0);
	w->c1 = commit_on(w->repo, &(struct commit_spec){NULL, 1, a1, 2, {NULL}});
	w->c2 = commit_on(w->repo, &(struct commit_spec){"refs/heads/main", 2, a2, 2, {&w->c1}});
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	git_repository_free(w->repo);
	scratch_drop(w->dir);
	free(w->file);
	free(w);
	return 0;
}

static struct base_index_facts facts(const struct world *w, int since)
{
	auto_base_index struct base_index *ix = NULL;
	struct err err = ERR_INIT;

	assert_ok(base_index_open(&(struct base_index_request){.user = w->repo,
							       .file = w->file,
							       .from = ON(since)},
				  &ix, &err),
		  &err);
	return *base_index_facts(ix);
}

static void commit_third(struct world *w)
{
	w->c3 = commit_on(w->repo, &(struct commit_spec){"refs/heads/main", 3, a3, 2, {&w->c2}});
}

/* Which commit has this text in d/f? All zeros: none. */
static git_oid newest_with(const struct world *w, const char *text)
{
	auto_base_index struct base_index *ix = NULL;
	auto_base_search struct base_search *search = NULL;
	auto_free char *diff = diff_of("d/f", text, 12);
	const char *const diffs[] = {diff};
	struct base_span span = {INT64_MIN, INT64_MAX, NULL};
	struct base_match m = {0};
	struct base_wants wants;
	struct series s;
	struct err err = ERR_INIT;

	series_make(&s, diffs, 1);
	base_wants_make(&s, &wants);
	assert_ok(base_index_open(&(struct base_index_request){.user = w->repo,
							       .file = w->file,
							       .from = ON(0)},
				  &ix, &err),
		  &err);
	assert_ok(base_search_new(w->repo, ix, &wants, &search, &err), &err);
	assert_ok(base_search_all(search, &span, &m, &err), &err);
	base_search_free(take(search));
	base_wants_done(&wants);
	series_drop(&s);
	return m.commit;
}

static void is_made_once(void **state)
{
	struct base_index_facts first = facts(*state, 0), again = facts(*state, 0);

	assert_true(first.rebuilt);
	assert_int_equal(first.commits, 2);
	assert_int_equal(first.fresh, 2);
	/* d/f of the first commit, which the second replaces. */
	assert_int_equal(first.entries, 1);
	assert_false(again.rebuilt);
	assert_int_equal(again.fresh, 0);
	assert_int_equal(again.bytes, first.bytes);
}

static void grows_with_the_refs(void **state)
{
	struct world *w = *state;
	struct base_index_facts f;
	git_oid found;

	facts(w, 0);
	commit_third(w);
	f = facts(w, 0);
	assert_false(f.rebuilt);
	assert_int_equal(f.fresh, 1);
	assert_int_equal(f.commits, 3);
	assert_int_equal(f.entries, 3);
	found = newest_with(w, "2\n");
	assert_true(git_oid_equal(&found, &w->c2));
}

static void forgets_what_no_ref_holds(void **state)
{
	struct world *w = *state;
	git_oid found;

	commit_third(w);
	found = newest_with(w, "3\n");
	assert_true(git_oid_equal(&found, &w->c3));
	/* The branch is rewound. */
	w->c2 = commit_on(w->repo, &(struct commit_spec){"refs/heads/main", 4, a2, 2, {&w->c1}});
	found = newest_with(w, "3\n");
	assert_true(git_oid_is_zero(&found));
	found = newest_with(w, "2\n");
	assert_true(git_oid_equal(&found, &w->c2));
	assert_int_equal(facts(w, 0).commits, 2);
}

static void older_mail_makes_it_anew(void **state)
{
	struct world *w = *state;

	facts(w, 0);
	/* There is some room. */
	assert_false(facts(w, -100).rebuilt);
	assert_true(facts(w, -1000).rebuilt);
	assert_false(facts(w, 0).rebuilt);
}

static void keeps_old_commits_out(void **state)
{
	struct world *w = *state;
	const git_oid *tip = &w->c2;
	git_oid c[20];

	/* The walk goes on for a few generations, since clocks are wrong; not for ever. */
	for (int i = 0; i < 20; i++) {
		c[i] = commit_on(
			w->repo,
			&(struct commit_spec){
				"refs/heads/main", i < 19 ? 3 : 2000, i % 2 ? a1 : a2, 2, {tip}});
		tip = &c[i];
	}
	assert_int_equal(facts(w, 1900).commits, 1 + 6);
}

static void write_bytes(const char *file, const char *bytes, size_t n)
{
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(file, bytes, n, &err), &err);
}

/* Any byte that is wrong, and any length. */
static void broken_file_is_made_again(void **state)
{
	struct world *w = *state;
	struct base_index_facts good = facts(w, 0);
	auto_str struct str bytes;
	struct err err = ERR_INIT;

	str_init(&bytes, 0);
	assert_ok(fs_read(w->file, 1 << 20, ERR_INFRA, &bytes, &err), &err);
	for (size_t i = 0; i < bytes.len; i += 29) {
		bytes.buf[i] ^= 0x10;
		write_bytes(w->file, bytes.buf, bytes.len);
		bytes.buf[i] ^= 0x10;
		if (!facts(w, 0).rebuilt)
			fail_msg("byte %zu of %zu", i, bytes.len);
	}
	for (size_t n = 0; n < bytes.len; n += 61) {
		write_bytes(w->file, bytes.buf, n);
		if (!facts(w, 0).rebuilt)
			fail_msg("%zu of %zu bytes", n, bytes.len);
	}
	write_bytes(w->file, bytes.buf, bytes.len);
	assert_false(facts(w, 0).rebuilt);
	assert_int_equal(facts(w, 0).commits, good.commits);
}

static void no_place_to_keep_it_is_no_failure(void **state)
{
	struct world *w = *state;

	free(w->file);
	w->file = xasprintf("%s/no/such/folder/index", w->dir);
	assert_true(facts(w, 0).unsaved);
	assert_int_equal(facts(w, 0).commits, 2);
}

/* As in a shallow clone. */
static void missing_history_ends_it(void **state)
{
	struct world *w = *state;
	char hex[GIT_OID_HEXSZ + 1];
	auto_free char *object = NULL;

	git_oid_tostr(hex, sizeof(hex), &w->c1);
	object = xasprintf("%s/objects/%.2s/%s", w->dir, hex, hex + 2);
	assert_int_equal(unlink(object), 0);
	git_repository_free(w->repo);
	assert_int_equal(git_repository_open_bare(&w->repo, w->dir), 0);
	assert_int_equal(facts(w, 0).commits, 1);
}

static void repository_without_commits(void **state)
{
	struct world *w = *state;
	git_reference *ref;

	assert_int_equal(git_reference_lookup(&ref, w->repo, "refs/heads/main"), 0);
	assert_int_equal(git_reference_delete(ref), 0);
	git_reference_free(ref);
	assert_int_equal(facts(w, 0).commits, 0);
	assert_false(facts(w, 0).rebuilt);
}

/* Hundreds of files in one change are not entered, and its parent is found all the same. */
static void wide_changes_are_not_entered(void **state)
{
	enum { N = 600 };
	struct world *w = *state;
	struct file_spec *file = xcalloc(N + 1, sizeof(*file));
	git_oid found;

	for (int i = 0; i < N; i++)
		file[i] = (struct file_spec)F(xasprintf("w/%d", i), "wide\n");
	file[N] = (struct file_spec)F("d/f", "3\n");
	w->c3 = commit_on(w->repo,
			  &(struct commit_spec){"refs/heads/main", 3, file, N + 1, {&w->c2}});
	assert_int_equal(facts(w, 0).entries, 1);
	found = newest_with(w, "2\n");
	assert_true(git_oid_equal(&found, &w->c2));
	for (int i = 0; i < N; i++)
		free((char *)file[i].path);
	free(file);
}

#define unit(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(is_made_once),
		unit(grows_with_the_refs),
		unit(forgets_what_no_ref_holds),
		unit(older_mail_makes_it_anew),
		unit(keeps_old_commits_out),
		unit(broken_file_is_made_again),
		unit(no_place_to_keep_it_is_no_failure),
		unit(missing_history_ends_it),
		unit(repository_without_commits),
		unit(wide_changes_are_not_entered),
	};

	scratch_in_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
