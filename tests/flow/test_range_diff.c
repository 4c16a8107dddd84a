// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changed between two versions, next to the real git: each round makes a series and a second
 * version of it (commits in another order, split, squashed, edited, said in other words, dropped,
 * added), writes both as mails with `git format-patch`, and compares the pairs and marks of
 * range_diff_make() with those of `git range-diff -s`, line by line.
 *
 * FIRN_RANGE_ROUNDS: how many rounds (60), from FIRN_RANGE_SEED (1) on. The numbers that it prints
 * are those of service/series/SERIES.md.
 */
#include "../unit/series/collate_help.h"

#include "base/fs.h"
#include "base/proc.h"
#include "intake/source.h"
#include "series/range_diff.h"
#include "series/range_text.h"

#define SKIPPED	    77
#define FILES	    4
#define LINES	    90
#define LINES_MAX   400
#define EDITS_MAX   40
#define COMMITS_MAX 24

struct line {
	unsigned id; /* stays the same when the text changes; 0 for new lines */
	unsigned text;
	bool gone;
};

struct tree {
	struct line line[FILES][LINES_MAX];
	unsigned n[FILES];
};

enum edit_kind { EDIT_REPLACE, EDIT_INSERT, EDIT_DELETE, EDIT_N };

struct edit {
	enum edit_kind kind;
	unsigned file, id, text;
};

struct commit {
	struct edit edit[EDITS_MAX];
	unsigned n;
	unsigned subject, words, author;
};

struct version {
	struct commit commit[COMMITS_MAX];
	unsigned n;
};

static char *scratch;
static uint32_t seed;
static unsigned fresh; /* numbers texts, subjects and words */

static unsigned pick(unsigned n)
{
	return random_next(&seed) % n;
}

static char *sh(const char *script)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct proc_spec spec = {.argv = argv, .cwd = scratch, .timeout_s = 60};
	struct proc_result result = {0};
	struct err err = ERR_INIT;
	char *out = NULL;

	assert_ok(proc_run(&spec, &result, &err), &err);
	if (result.end == PROC_EXITED && result.code == 0)
		out = xmemdup(result.output.buf, result.output.len);
	else
		print_message("%s\n", result.output.buf);
	proc_result_done(&result);
	return out;
}

static struct edit edit_new(void)
{
	return (struct edit){.kind = pick(5) ? (pick(2) ? EDIT_REPLACE : EDIT_INSERT) : EDIT_DELETE,
			     .file = pick(FILES),
			     .id = 1 + pick(LINES),
			     .text = ++fresh};
}

/* Edits near each other, as in real patches. */
static struct commit commit_new(void)
{
	struct commit c = {.n = 1 + pick(8), .subject = ++fresh, .author = pick(3)};
	struct edit first = edit_new();

	for (unsigned i = 0; i < c.n; i++) {
		c.edit[i] = edit_new();
		if (pick(4)) {
			c.edit[i].file = first.file;
			c.edit[i].id = 1 + (first.id + pick(9)) % LINES;
		}
	}
	return c;
}

static struct version version_new(void)
{
	struct version v = {.n = 1 + pick(9)};

	for (unsigned i = 0; i < v.n; i++)
		v.commit[i] = commit_new();
	return v;
}

static void commit_insert(struct version *v, unsigned at, struct commit c)
{
	if (v->n == COMMITS_MAX)
		return;
	memmove(&v->commit[at + 1], &v->commit[at], (v->n - at) * sizeof(c));
	v->commit[at] = c;
	v->n++;
}

static void commit_remove(struct version *v, unsigned at)
{
	v->n--;
	memmove(&v->commit[at], &v->commit[at + 1], (v->n - at) * sizeof(struct commit));
}

static void commit_split(struct version *v, unsigned at)
{
	struct commit *c = &v->commit[at], rest = {.subject = ++fresh, .author = c->author};

	if (c->n < 2 || v->n == COMMITS_MAX)
		return;
	rest.n = c->n / 2;
	c->n -= rest.n;
	memcpy(rest.edit, c->edit + c->n, rest.n * sizeof(struct edit));
	commit_insert(v, at + 1, rest);
}

static void commit_squash(struct version *v, unsigned at)
{
	struct commit *a = &v->commit[at], *b = &v->commit[at + 1];

	if (at + 1 >= v->n || a->n + b->n > EDITS_MAX)
		return;
	memcpy(a->edit + a->n, b->edit, b->n * sizeof(struct edit));
	a->n += b->n;
	commit_remove(v, at + 1);
}

static void commit_edit(struct commit *c)
{
	for (unsigned i = 1 + pick(3); i > 0; i--) {
		if (pick(2) && c->n < EDITS_MAX)
			c->edit[c->n++] = edit_new();
		else if (pick(2) && c->n > 1)
			c->n--;
		else
			c->edit[pick(c->n)].text = ++fresh;
	}
}

static void version_change(struct version *v)
{
	unsigned at = pick(v->n), to = pick(v->n);
	struct commit c = v->commit[at];

	switch (pick(8)) {
	case 0:
		commit_remove(v, at);
		commit_insert(v, to < v->n ? to : v->n, c);
		break;
	case 1:
		if (v->n > 1)
			commit_remove(v, at);
		break;
	case 2: commit_insert(v, at, commit_new()); break;
	case 3: commit_split(v, at); break;
	case 4: commit_squash(v, at); break;
	case 5: v->commit[at].words = ++fresh; break;
	case 6: v->commit[at].author = pick(3); break;
	default: commit_edit(&v->commit[at]); break;
	}
}

static void tree_init(struct tree *t)
{
	*t = (struct tree){};
	for (unsigned f = 0; f < FILES; f++)
		for (t->n[f] = 0; t->n[f] < LINES; t->n[f]++)
			t->line[f][t->n[f]] = (struct line){.id = t->n[f] + 1};
}

static void tree_edit(struct tree *t, const struct edit *e)
{
	struct line *line = t->line[e->file];
	unsigned at = 0, *n = &t->n[e->file];

	while (at < *n && line[at].id != e->id)
		at++;
	if (at == *n || line[at].gone)
		return;
	if (e->kind == EDIT_REPLACE) {
		line[at].text = e->text;
	} else if (e->kind == EDIT_DELETE) {
		line[at].gone = true;
	} else if (*n < LINES_MAX) {
		memmove(&line[at + 1], &line[at], (*n - at) * sizeof(*line));
		line[at] = (struct line){.text = e->text};
		++*n;
	}
}

/* Functions, so that hunks have a section. */
static void file_say(const struct tree *t, unsigned f, struct str *out)
{
	for (unsigned i = 0; i < t->n[f]; i++) {
		const struct line *l = &t->line[f][i];

		if (l->gone)
			continue;
		if (l->text)
			str_addf(out, "\tchanged(%u);\n", l->text);
		else if (l->id % 15 == 1)
			str_addf(out, "int f%u_%u(void)\n", f, l->id);
		else
			str_addf(out, "\tcall(%u, %u);\n", f, l->id % 40);
	}
}

static void tree_say(const struct tree *t, struct str *out)
{
	for (unsigned f = 0; f < FILES; f++) {
		auto_str struct str file;

		str_init(&file, 0);
		file_say(t, f, &file);
		str_addf(out, "M 100644 inline file%u.c\ndata %zu\n%s\n", f, file.len, file.buf);
	}
}

static void commit_say(const struct tree *t, const struct commit *c, const char *branch,
		       struct str *out)
{
	auto_free char *words = c->words ? xasprintf("\nFor reason %u.\n", c->words) : xstrdup("");
	auto_free char *message =
		xasprintf("x: subject %u\n\nWhat it does.\n%s", c->subject, words);

	str_addf(out,
		 "commit refs/heads/%s\nauthor A%u <a%u@example.org> 1772528400 +0000\n"
		 "committer C <c@example.org> 1772528400 +0000\ndata %zu\n%s\n",
		 branch, c->author, c->author, strlen(message), message);
	tree_say(t, out);
}

static void version_say(const struct version *v, const char *branch, struct str *out)
{
	struct tree *t = xcalloc(1, sizeof(*t));

	tree_init(t);
	str_addf(out, "reset refs/heads/%s\nfrom refs/heads/base\n\n", branch);
	for (unsigned i = 0; i < v->n; i++) {
		for (unsigned e = 0; e < v->commit[i].n; e++)
			tree_edit(t, &v->commit[i].edit[e]);
		commit_say(t, &v->commit[i], branch, out);
	}
	free(t);
}

static void stream_write(const struct version *a, const struct version *b)
{
	auto_free char *path = xasprintf("%s/stream", scratch);
	struct tree *t = xcalloc(1, sizeof(*t));
	struct commit first = {.subject = 0};
	struct err err = ERR_INIT;
	auto_str struct str out;

	str_init(&out, 0);
	tree_init(t);
	commit_say(t, &first, "base", &out);
	free(t);
	version_say(a, "a", &out);
	version_say(b, "b", &out);
	assert_ok(fs_write_atomic(path, out.buf, out.len, &err), &err);
}

/* One line a pair, "2 ! 3". */
static char *git_marks(void)
{
	auto_free char *out = sh("git -C r range-diff --no-color -s base..a base..b");
	struct str marks;

	assert_non_null(out);
	str_init(&marks, 0);
	for (char *save = NULL, *line = strtok_r(out, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char older[16], newer[16], mark;

		assert_int_equal(sscanf(line, " %15[0-9-]: %*s %c %15[0-9-]:", older, &mark, newer),
				 3);
		str_addf(&marks, "%s %c %s\n", older, mark, newer);
	}
	return str_take(&marks);
}

static void series_read(const char *name, struct made *m)
{
	auto_free char *path = xasprintf("%s/%s.mbox", scratch, name);
	struct err err = ERR_INIT;

	assert_ok(source_read(path, &m->list, &err), &err);
	made_collate(m);
	assert_int_equal(m->set.n_series, 1);
}

static char *our_marks(const struct series *a, const struct series *b)
{
	struct range_diff rd = {};
	struct err err = ERR_INIT;
	struct str marks;

	str_init(&marks, 0);
	assert_ok(range_diff_make(a, b, &rd, &err), &err);
	assert_null(rd.limited);
	for (size_t i = 0; i < rd.n; i++) {
		auto_free char *line = range_pair_line(&rd.pair[i], a, b);

		str_addf(&marks, "%.*s\n", (int)strcspn(line, ":"), line);
	}
	range_diff_done(&rd);
	return str_take(&marks);
}

/* What git minimises: lines that differ of a pair, 60 % of the lines of what stands alone. */
static long pair_cost(const struct patch *a, const struct patch *b)
{
	struct range_text x, y;
	long cost;

	range_text_make(a ? a : b, &x);
	range_text_make(b ? b : a, &y);
	cost = a && b ? (long)range_text_cost(&x, &y) : (long)(x.weight * 60 / 100);
	range_text_done(&x);
	range_text_done(&y);
	return cost;
}

static long marks_cost(const char *marks, const struct series *a, const struct series *b)
{
	long cost = 0;

	for (const char *p = marks; *p; p = strchr(p, '\n') + 1) {
		unsigned long older = *p == '-' ? 0 : strtoul(p, NULL, 10);
		const char *q = strpbrk(p, "=!<>") + 2;
		unsigned long newer = *q == '-' ? 0 : strtoul(q, NULL, 10);

		cost += pair_cost(older ? &a->patch[older - 1] : NULL,
				  newer ? &b->patch[newer - 1] : NULL);
	}
	return cost;
}

/* A commit without a change would be no patch. */
static bool all_change(const struct version *v)
{
	struct tree *t = xcalloc(2, sizeof(*t));
	bool change = true;

	tree_init(&t[0]);
	for (unsigned i = 0; i < v->n && change; i++) {
		change = false;
		for (unsigned e = 0; e < v->commit[i].n; e++) {
			t[1] = t[0];
			tree_edit(&t[0], &v->commit[i].edit[e]);
			change |= memcmp(&t[0], &t[1], sizeof(*t)) != 0;
		}
	}
	free(t);
	return change;
}

struct tally {
	unsigned rounds, same_rounds, ties, lines, same_lines;
};

static void lines_count(const char *ours, const char *theirs, struct tally *t)
{
	for (const char *p = theirs; *p; p = strchr(p, '\n') + 1) {
		auto_free char *line = xmemdup(p, strcspn(p, "\n") + 1);
		const char *hit = strstr(ours, line);

		t->lines++;
		t->same_lines += hit && (hit == ours || hit[-1] == '\n');
	}
}

static void marks_compare(const struct series *a, const struct series *b, struct tally *t)
{
	auto_free char *ours = our_marks(a, b), *theirs = git_marks();
	long we = marks_cost(ours, a, b), git = marks_cost(theirs, a, b);

	t->rounds++;
	lines_count(ours, theirs, t);
	if (strcmp(ours, theirs) == 0) {
		t->same_rounds++;
		return;
	}
	t->ties += we == git;
	if (we != git)
		print_message("ours, %ld:\n%sgit's, %ld:\n%s", we, ours, git, theirs);
}

static void round_run(struct tally *t)
{
	struct version *v = xcalloc(2, sizeof(*v));
	auto_made struct made a = {}, b = {};
	auto_free char *made = NULL;

	do {
		v[0] = version_new();
		v[1] = v[0];
		for (unsigned i = pick(5); i > 0; i--)
			version_change(&v[1]);
	} while (!all_change(&v[0]) || !all_change(&v[1]));
	stream_write(&v[0], &v[1]);
	free(v);
	made = sh("rm -rf r; git init -q r; cd r; git fast-import --quiet < ../stream\n"
		  "git format-patch --stdout base..a > ../a.mbox\n"
		  "git format-patch --stdout base..b > ../b.mbox");
	assert_non_null(made);
	series_read("a", &a);
	series_read("b", &b);
	marks_compare(&a.set.series[0], &b.set.series[0], t);
}

static unsigned env_number(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);

	return value ? (unsigned)strtoul(value, NULL, 10) : otherwise;
}

/* Where two pairings cost the same, git and we may choose differently; nowhere else. */
static void test_rounds(void **state)
{
	unsigned rounds = env_number("FIRN_RANGE_ROUNDS", 60);
	struct tally t = {};

	(void)state;
	seed = env_number("FIRN_RANGE_SEED", 1);
	for (unsigned i = 0; i < rounds; i++)
		round_run(&t);
	print_message("%u of %u series and %u of %u lines as git range-diff has them; %u series "
		      "paired in another way of the same cost\n",
		      t.same_rounds, t.rounds, t.same_lines, t.lines, t.ties);
	assert_int_equal(t.same_rounds + t.ties, t.rounds);
	assert_true(t.same_lines * 100 >= t.lines * 97);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounds)};
	char folder[] = "/tmp/firn-range-diff-XXXXXX";
	auto_free char *version = NULL;
	struct err err = ERR_INIT;
	int rc;

	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	scratch = mkdtemp(folder);
	assert_non_null(scratch);
	version = sh("command -v git >/dev/null && git range-diff -h >/dev/null || [ $? = 129 ]");
	if (!version) {
		printf("SKIP: no git with range-diff\n");
		return rmdir(scratch) == 0 ? SKIPPED : 1;
	}
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	if (fs_rmtree(scratch, &err) < 0)
		printf("%s\n", err.msg);
	return rc;
}
