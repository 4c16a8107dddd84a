// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The base by blobs, next to `git log --find-object`: for patches as they lie in a history of the
 * kernel's length, how long it takes to find the commit that they were made on.
 *
 *	bench-base [REPOSITORY [BRANCH]]
 *
 * Without a repository, one of 80,000 commits in 400 days is made by `git fast-import`, once, in
 * the cache folder. The patches are commits of the last 30 days. FIRN_BASE_COMMITS and
 * FIRN_BASE_QUERIES change the numbers.
 */
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/str.h"
#include "series/base_search.h"
#include "series/repo.h"

#define SKIPPED	  77
#define EPOCH	  1700000000
#define DAY	  ((int64_t)24 * 3600)
#define N_FOLDERS 70
#define N_EACH	  40
#define N_LINES	  12 /* branches side by side */
#define N_PEER	  5  /* queries that git answers, too */

static uint64_t dice = 1;

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

static int fail(const struct err *err)
{
	fprintf(stderr, "%s\n", err->msg);
	return 1;
}

/* Runs a script; its seconds, or below 0. */
static double sh(const char *script, struct str *out)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct proc_spec spec = {.argv = argv, .timeout_s = 1800};
	auto_proc_result struct proc_result r = {0};
	struct err err = ERR_INIT;

	if (proc_run(&spec, &r, &err) || r.end != PROC_EXITED || r.code) {
		fprintf(stderr, "failed: %s: %s%s\n", script, err.msg,
			r.output.buf ? r.output.buf : "");
		return -1;
	}
	if (out)
		str_add(out, r.output.buf, r.output.len);
	return r.seconds;
}

/* One commit in twelve is a merge; the others change one to four files. */
static void commit_write(FILE *f, unsigned i, unsigned n, unsigned *tip)
{
	unsigned line = i ? roll(N_LINES) : 0, from = roll(N_LINES), files = i ? 1 + roll(4) : 1;

	fprintf(f, "commit refs/heads/l%u\nmark :%u\ncommitter W <w@example.org> %lld +0000\n",
		line, i + 1, (long long)(EPOCH + (int64_t)i * 400 * DAY / n));
	fprintf(f, "data 1\nc\n");
	if (i)
		fprintf(f, "from :%u\n", tip[line] ? tip[line] : tip[0]);
	if (i && tip[from] && tip[line] && from != line && roll(12) == 0)
		fprintf(f, "merge :%u\n", tip[from]);
	tip[line] = i + 1;
	for (unsigned k = 0; k < (i ? files : N_FOLDERS * N_EACH); k++) {
		unsigned file = i ? roll(N_FOLDERS * N_EACH) : k;
		auto_free char *text = xasprintf("file %u as of %u\n", file, i);

		fprintf(f, "M 100644 inline s%u/d%u/f%u\ndata %zu\n%s\n", file % 7,
			file % N_FOLDERS, file, strlen(text), text);
	}
}

static int history_make(const char *repo, unsigned n)
{
	auto_free char *stream = xasprintf("%s.stream", repo);
	auto_free char *script =
		xasprintf("rm -rf '%s.new'; git init -q --bare '%s.new'; git -C '%s.new' "
			  "symbolic-ref HEAD refs/heads/l0; git -C '%s.new' fast-import --quiet < "
			  "'%s'; rm '%s'; mv '%s.new' '%s'",
			  repo, repo, repo, repo, stream, stream, repo, repo);
	unsigned tip[N_LINES] = {0};
	FILE *f = fopen(stream, "w");

	if (!f)
		return -1;
	for (unsigned i = 0; i < n; i++)
		commit_write(f, i, n, tip);
	if (fclose(f))
		return -1;
	return sh(script, NULL) < 0 ? -1 : 0;
}

/* A patch as it was made: commits of the last 30 days, and one file that each changed. */
struct sample {
	char path[4096], blob[41];
};

static size_t samples_read(const char *repo, const char *branch, struct sample **ret_samples)
{
	auto_free char *script = xasprintf(
		"cd '%s'; t=$(git log -1 --format=%%ct %s); git log --no-merges --raw --no-abbrev "
		"--no-renames --diff-filter=M --format= --since=$((t - 30 * 86400)) %s",
		repo, branch, branch);
	auto_str struct str out;
	struct sample *sample = NULL;
	size_t n = 0, cap = 0;
	char *rest, *row;

	str_init(&out, 0);
	if (sh(script, &out) < 0)
		return 0;
	for (rest = out.buf; (row = strsep(&rest, "\n"));) {
		struct sample s;

		if (sscanf(row, ":%*s %*s %40s %*s M %4095s", s.blob, s.path) != 2)
			continue;
		arr_grow(sample, n, cap);
		sample[n++] = s;
	}
	*ret_samples = sample;
	return n;
}

/* The first one opens the packs: `most` is of the others. */
struct times {
	double sum, first, most;
	unsigned n, found;
};

static void times_add(struct times *t, double seconds, bool found)
{
	t->sum += seconds;
	if (t->n++ == 0)
		t->first = seconds;
	else if (seconds > t->most)
		t->most = seconds;
	t->found += found;
}

static void times_print(const char *what, const struct times *t)
{
	printf("%-36s %8.2f ms mean, %8.2f ms first, %8.2f ms most of the others, %u of %u found\n",
	       what, 1e3 * t->sum / (t->n ? t->n : 1), 1e3 * t->first, 1e3 * t->most, t->found,
	       t->n);
}

static int query(git_repository *user, const struct base_index *ix, const struct sample *s,
		 const struct base_span *span, struct times *t, struct err *err)
{
	struct diff_file file = {
		.op = DIFF_MODIFY, .old_path = (char *)s->path, .new_path = (char *)s->path};
	struct diff diff = {.file = &file, .n_files = 1};
	struct patch patch = {.diff = &diff};
	struct series series = {.patch = &patch, .n_patches = 1};
	auto_base_search struct base_search *search = NULL;
	struct base_wants wants;
	struct base_match match;
	double began = clock_mono();
	int rc;

	memcpy(file.old_id, s->blob, 12); /* abbreviated, as in mails */
	base_wants_make(&series, &wants);
	rc = base_search_new(user, ix, &wants, &search, err);
	if (!rc)
		rc = base_search_all(search, span, &match, err);
	times_add(t, clock_mono() - began, rc == 1);
	base_search_free(take(search));
	base_wants_done(&wants);
	return rc < 0 ? rc : 0;
}

static int index_time(git_repository *user, const char *file, int64_t from,
		      struct base_index **ret_index, struct err *err)
{
	struct base_index_request request = {.user = user, .file = file, .from = from};
	double began = clock_mono(), built;
	const struct base_index_facts *f;
	int rc;

	unlink(file);
	rc = base_index_open(&request, ret_index, err);
	if (rc)
		return rc;
	built = clock_mono() - began;
	f = base_index_facts(*ret_index);
	printf("index: %zu commits, %zu entries, %.1f MB, built in %.2f s\n", f->commits,
	       f->entries, (double)f->bytes / 1e6, built);
	base_index_free(take(*ret_index));
	began = clock_mono();
	rc = base_index_open(&request, ret_index, err);
	if (!rc)
		printf("opened again in %.2f ms\n", 1e3 * (clock_mono() - began));
	return rc;
}

static double peer(const char *repo, const struct sample *s, int64_t from)
{
	auto_free char *script =
		xasprintf("git -C '%s' log --all --find-object=%s --since=%lld --format=%%H", repo,
			  s->blob, (long long)from);

	return sh(script, NULL);
}

static int bench(const char *repo, const char *branch, git_repository *user, const char *file,
		 struct err *err)
{
	unsigned n = setting("FIRN_BASE_QUERIES", 200);
	struct times month = {0}, year = {0}, git = {0};
	auto_free struct sample *sample = NULL;
	size_t n_samples = samples_read(repo, branch, &sample);
	auto_base_index struct base_index *ix = NULL;
	auto_git(object) git_object *tip = NULL;
	struct base_span span = {0};
	int rc = 0;

	if (!n_samples || git_revparse_single(&tip, user, branch) < 0 ||
	    git_object_type(tip) != GIT_OBJECT_COMMIT)
		return err_set(err, ERR_CONFIG, "%s has no commits to try", repo);
	span.to = git_commit_time((git_commit *)tip) + DAY;
	rc = index_time(user, file, span.to - BASE_WINDOW_DAYS * DAY, &ix, err);
	for (unsigned i = 0; i < n && !rc; i++) {
		const struct sample *s = &sample[roll((unsigned)n_samples)];

		span.from = span.to - 31 * DAY;
		rc = query(user, ix, s, &span, &month, err);
		span.from = span.to - BASE_WINDOW_DAYS * DAY;
		if (!rc)
			rc = query(user, ix, s, &span, &year, err);
		if (!rc && i < N_PEER)
			times_add(&git, peer(repo, s, span.to - 31 * DAY), true);
	}
	if (rc)
		return rc;
	times_print("firn, 30 days", &month);
	times_print("firn, 400 days", &year);
	times_print("git log --all --find-object, 30 days", &git);
	printf("ratio: %.0f\n", git.sum / git.n / (month.sum / month.n));
	return 0;
}

int main(int argc, char **argv)
{
	unsigned n = setting("FIRN_BASE_COMMITS", 80000);
	auto_free char *cache = fs_cache_dir(), *dir = xasprintf("%s/bench", cache);
	auto_free char *repo = argc > 1 ? xstrdup(argv[1]) : xasprintf("%s/base-%u.git", dir, n);
	auto_free char *file = xasprintf("%s/base-index-%ld", dir, (long)getpid());
	auto_git(repository) git_repository *user = NULL;
	struct err err = ERR_INIT;
	int rc;

	repo_setup();
	if (sh("git --version", NULL) < 0) {
		printf("SKIP: git is not installed\n");
		return SKIPPED;
	}
	if (fs_mkdirs(dir, &err))
		return fail(&err);
	if (!fs_exists(repo) && history_make(repo, n))
		return 1;
	if (git_repository_open(&user, repo) < 0) {
		fprintf(stderr, "cannot open %s\n", repo);
		return 1;
	}
	rc = bench(repo, argc > 2 ? argv[2] : "HEAD", user, file, &err);
	unlink(file);
	return rc ? fail(&err) : 0;
}
