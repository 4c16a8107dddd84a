// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The base that is guessed by blobs, next to the real git. `git fast-import` makes a history of
 * branches and merges; `git cat-file` says what every commit has at every path; a slow search of
 * that table, over the commits as `git rev-list --all` lists them, must give the commit that
 * base_pick() gives. The index is made from half of the history, and added to.
 *
 * FIRN_BASE_COMMITS (2000), FIRN_BASE_QUERIES (200), FIRN_BASE_SEED (1).
 */
#include "../unit/series/apply_help.h"

#include "base/proc.h"
#include "series/base_pick.h"

#include <fcntl.h>

#define SKIPPED	  77
#define N_FILES	  60
#define N_LINES	  4 /* branches that live side by side */
#define EPOCH	  1700000000
#define STEP	  1800 /* seconds between commits */
#define HEX	  GIT_OID_HEXSZ
#define FILES_MAX 4

static char *scratch;
static unsigned n_commits, n_queries;
static uint64_t dice;
/* The table: commits, the newest first, and what each has at each path ("" : nothing). */
static char (*commit_hex)[HEX + 1];
static char (*blob_hex)[N_FILES][HEX + 1];
static int64_t *commit_time;
static size_t n_listed;

static unsigned roll(unsigned n)
{
	dice = dice * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(dice >> 33) % n;
}

static unsigned setting(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);

	return value ? (unsigned)strtoul(value, NULL, 10) : otherwise;
}

static void path_of(unsigned i, char out[32])
{
	snprintf(out, 32, "d%u/e%u/f%u", i % 5, i % 3, i);
}

/* Runs a script in the scratch folder. */
static void sh(const char *script, struct proc_result *ret)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct proc_spec spec = {
		.argv = argv, .cwd = scratch, .timeout_s = 300, .output_max = (size_t)512 << 20};
	struct err err = ERR_INIT;

	assert_ok(proc_run(&spec, ret, &err), &err);
	if (ret->end != PROC_EXITED || ret->code)
		fail_msg("failed: %s: %s", script, ret->output.buf);
}

static void sh_must(const char *script)
{
	struct proc_result result = {0};

	sh(script, &result);
	proc_result_done(&result);
}

static void write_file(const char *name, const char *text, size_t n)
{
	auto_free char *path = xasprintf("%s/%s", scratch, name);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, text, n, &err), &err);
}

/* What each branch has: the file as of which commit, GONE or NEVER. */
enum { GONE = -1, NEVER = -2 };
static int state[N_LINES][N_FILES];
static unsigned tip[N_LINES]; /* fast-import's mark */

static void file_write(struct str *out, unsigned line, unsigned file, int version)
{
	char path[32], text[64];

	state[line][file] = version;
	path_of(file, path);
	if (version < 0) {
		str_addf(out, "D %s\n", path);
		return;
	}
	snprintf(text, sizeof(text), "file %u as of %d\n", file, version);
	str_addf(out, "M 100644 inline %s\ndata %zu\n%s\n", path, strlen(text), text);
}

/* The other side's files, but for a few. */
static void merge_write(struct str *out, unsigned line, unsigned from)
{
	str_addf(out, "merge :%u\n", tip[from]);
	for (unsigned k = 0; k < N_FILES; k++) {
		if (state[line][k] != state[from][k] && roll(4))
			file_write(out, line, k, state[from][k]);
	}
}

static void commit_write(struct str *out, unsigned i, bool *lives, unsigned line)
{
	unsigned from = roll(N_LINES), files = 1 + roll(3);

	str_addf(out,
		 "commit refs/heads/l%u\nmark :%u\ncommitter W <w@example.org> %d +0000\ndata "
		 "1\nc\n",
		 line, i + 1, EPOCH + (int)i * STEP);
	if (i && !lives[line]) {
		bool known = state[line][0] != NEVER;

		str_addf(out, "from :%u\n", tip[known ? line : 0]);
		if (!known)
			memcpy(state[line], state[0], sizeof(state[0]));
	} else if (i && from != line && state[from][0] != NEVER && lives[from] && roll(6) == 0) {
		merge_write(out, line, from);
	}
	lives[line] = true;
	tip[line] = i + 1;
	/* Changed, deleted, or as it was long before. */
	for (unsigned k = 0; k < (i ? files : N_FILES); k++)
		file_write(out, line, i ? roll(N_FILES) : k,
			   i && roll(40) == 0 ? GONE
			   : roll(8)	      ? (int)i
					      : (int)roll(3));
}

static void history_write(unsigned from, unsigned to, const char *name)
{
	bool lives[N_LINES] = {false};
	auto_str struct str out;

	str_init(&out, (size_t)256 << 20);
	for (unsigned i = from; i < to; i++)
		commit_write(&out, i, lives, i < 10 ? 0 : roll(N_LINES));
	write_file(name, out.buf, out.len);
}

static void table_commits(void)
{
	struct proc_result r = {0};
	char *rest, *row;

	sh("git -C r rev-list --all --timestamp", &r);
	commit_hex = xcalloc(n_commits + 1, sizeof(*commit_hex));
	blob_hex = xcalloc(n_commits + 1, sizeof(*blob_hex));
	commit_time = xcalloc(n_commits + 1, sizeof(*commit_time));
	n_listed = 0;
	rest = r.output.buf;
	while ((row = strsep(&rest, "\n")) && *row) {
		char *hex;

		assert_true(n_listed < n_commits);
		commit_time[n_listed] = strtoll(row, &hex, 10);
		memcpy(commit_hex[n_listed++], hex + 1, HEX);
	}
	proc_result_done(&r);
}

static void table_blobs(void)
{
	struct proc_result r = {0};
	auto_str struct str ask;
	char *rest, *row;

	str_init(&ask, (size_t)512 << 20);
	for (size_t i = 0; i < n_listed; i++) {
		for (unsigned k = 0; k < N_FILES; k++) {
			char path[32];

			path_of(k, path);
			str_addf(&ask, "%s:%s\n", commit_hex[i], path);
		}
	}
	write_file("ask", ask.buf, ask.len);
	sh("git -C r cat-file --batch-check='%(objectname)' < ask", &r);
	rest = r.output.buf;
	for (size_t i = 0; i < n_listed * N_FILES; i++) {
		row = strsep(&rest, "\n");
		assert_non_null(row);
		if (strlen(row) == HEX)
			memcpy(blob_hex[i / N_FILES][i % N_FILES], row, HEX);
	}
	proc_result_done(&r);
}

struct query {
	unsigned file[FILES_MAX];
	const char *blob[FILES_MAX];
	unsigned digits;
	size_t n;
	int64_t date;
};

static bool has_all(size_t commit, const struct query *q)
{
	for (size_t k = 0; k < q->n; k++) {
		const char *have = blob_hex[commit][q->file[k]];

		if (*q->blob[k] ? strncmp(have, q->blob[k], q->digits) : *have)
			return false;
	}
	return true;
}

/* The newest by the table that is at most a day younger than the mail; else the newest of all. */
static size_t slow_search(const struct query *q)
{
	for (size_t i = 0; i < n_listed; i++) {
		if (commit_time[i] <= q->date + 24 * 3600 && has_all(i, q))
			return i;
	}
	for (size_t i = 0; i < n_listed; i++) {
		if (has_all(i, q))
			return i;
	}
	return n_listed;
}

/* The blobs of some commit, which then is one answer; or, one time in ten, of two commits. */
static struct query query_make(void)
{
	size_t at = roll((unsigned)n_listed), other = roll(10) ? at : roll((unsigned)n_listed);
	struct query q = {.digits = 7 + roll(34), .n = 1 + roll(FILES_MAX)};

	for (size_t k = 0; k < q.n; k++) {
		q.file[k] = roll(N_FILES);
		q.blob[k] = blob_hex[k ? at : other][q.file[k]];
	}
	q.date = commit_time[at] + (roll(4) ? (int64_t)roll(90 * 24 * 3600) : 0);
	return q;
}

static char *diff_make(const struct query *q)
{
	struct str d;

	str_init(&d, 0);
	for (size_t k = 0; k < q->n; k++) {
		char path[32];
		bool twice = false;

		for (size_t i = 0; i < k; i++)
			twice |= q->file[i] == q->file[k];
		if (twice)
			continue;
		path_of(q->file[k], path);
		if (*q->blob[k])
			str_addf(&d,
				 "diff --git a/%s b/%s\nindex %.*s..1234567 100644\n--- a/%s\n+++ "
				 "b/%s\n@@ -1 +1 @@\n-a\n+b\n",
				 path, path, (int)q->digits, q->blob[k], path, path);
		else
			str_addf(&d,
				 "diff --git a/%s b/%s\nnew file mode 100644\nindex "
				 "0000000..1234567\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+b\n",
				 path, path, path);
	}
	return str_take(&d);
}

static void query_try(git_repository *user, git_repository *ours, const struct query *q)
{
	auto_free char *diff = diff_make(q);
	const char *const diffs[] = {diff};
	struct mail mail = {.date = q->date, .has_date = true};
	struct series s;
	struct base_choice c = {0};
	struct err err = ERR_INIT;
	char got[HEX + 1];
	size_t want = slow_search(q);

	series_make(&s, diffs, 1);
	s.patch[0].mail = &mail;
	assert_ok(base_pick(&(struct base_request){.user = user, .ours = ours, .series = &s}, &c,
			    &err),
		  &err);
	git_oid_tostr(got, sizeof(got), &c.commit);
	if (want < n_listed && strcmp(got, commit_hex[want]))
		fail_msg("%s, not %s: %s\n%s", got, commit_hex[want], c.why, diff);
	if (want == n_listed && c.n_blobs && c.n_matched == c.n_blobs && !strstr(diff, "/dev/null"))
		fail_msg("%s has all, by the table none has: %s", got, diff);
	base_choice_done(&c);
	series_drop(&s);
}

static void round_of_queries(void)
{
	auto_git(repository) git_repository *user = NULL, *ours = NULL;
	auto_free char *tree = xasprintf("%s/r", scratch), *cache = xasprintf("%s/cache", scratch);
	struct err err = ERR_INIT;
	unsigned full = 0;

	table_commits();
	table_blobs();
	assert_ok(repo_open(tree, cache, &ours, &user, &err), &err);
	for (unsigned i = 0; i < n_queries; i++) {
		struct query q = query_make();
		bool any = false;

		for (size_t k = 0; k < q.n; k++)
			any |= *q.blob[k] != '\0';
		if (!any)
			continue;
		full += slow_search(&q) < n_listed;
		query_try(user, ours, &q);
	}
	/* Most are to be found, and some are not. */
	assert_true(full > n_queries / 2 && full < n_queries);
	free(commit_hex);
	free(blob_hex);
	free(commit_time);
}

static void same_as_a_slow_search(void **unused)
{
	(void)unused;
	for (unsigned k = 0; k < N_LINES; k++)
		state[k][0] = NEVER;
	history_write(0, n_commits / 2, "first");
	history_write(n_commits / 2, n_commits, "second");
	sh_must("git init -q --bare r; git -C r symbolic-ref HEAD refs/heads/l0");
	sh_must("git -C r fast-import --quiet --export-marks=../marks < first");
	round_of_queries();
	sh_must("git -C r fast-import --quiet --import-marks=../marks < second");
	round_of_queries();
	/* Two branches go, and what only they held. */
	sh_must("git -C r update-ref -d refs/heads/l2; git -C r update-ref -d refs/heads/l3");
	round_of_queries();
}

static int have_git(void)
{
	const char *const argv[] = {"git", "--version", NULL};
	struct proc_spec spec = {.argv = argv, .timeout_s = 60};
	auto_proc_result struct proc_result result = {0};
	struct err err = ERR_INIT;

	return proc_run(&spec, &result, &err) == 0 && result.code == 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_a_slow_search)};
	int rc;

	if (!have_git()) {
		printf("SKIP: git is not installed\n");
		return SKIPPED;
	}
	n_commits = setting("FIRN_BASE_COMMITS", 2000);
	n_queries = setting("FIRN_BASE_QUERIES", 200);
	dice = setting("FIRN_BASE_SEED", 1);
	scratch = scratch_new();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	scratch_drop(scratch);
	return rc;
}
