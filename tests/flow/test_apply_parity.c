// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From mails to trees, next to the real git: each case makes commits, writes them as mails with
 * `git format-patch`, and applies the mails to a base with `git am` and with apply_series(). Both
 * refuse, or both make the same trees with the same authors, dates and messages.
 *
 * FIRN_PARITY_ROUNDS: how many random series (40), from FIRN_PARITY_SEED (1) on.
 */
#include "../unit/series/apply_help.h"

#include "base/proc.h"
#include "intake/source.h"

#define SKIPPED 77

static char *scratch;

/* Runs a script in the scratch folder; its output, or NULL when it failed. */
static char *sh(const char *script)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct proc_spec spec = {.argv = argv, .cwd = scratch, .timeout_s = 60};
	struct proc_result result;
	struct err err = ERR_INIT;
	char *out = NULL;

	assert_ok(proc_run(&spec, &result, &err), &err);
	if (result.end == PROC_EXITED && result.code == 0)
		out = xmemdup(result.output.buf, result.output.len);
	str_done(&result.output);
	return out;
}

static void sh_must(const char *script)
{
	auto_free char *out = sh(script);

	if (!out)
		fail_msg("failed: %s", script);
}

/* `file` holds numbered lines, enough of them for hunks that do not touch; the others are one of
 * each kind. */
#define BASE                                                                                       \
	"rm -rf w cache mails; git init -q -b main w; cd w\n"                                      \
	"seq 1 60 > file; printf 'no newline' > cut; : > empty; printf 'a\\r\\nb\\r\\n' > crlf\n"  \
	"mkdir -p d/e; echo x > d/e/only; echo y > d/other; echo z > 'sp ace'; ln -s file link\n"  \
	"printf '#!/bin/sh\\n' > run; chmod +x run; head -c 3000 /dev/zero | tr '\\0' '\\1' > "    \
	"bin\n"                                                                                    \
	"printf 'b\\0' >> bin; printf '\\0\\001\\002' > bin2; echo q > 'quo\"te'; seq 100 160 > "  \
	"g\n"                                                                                      \
	"git add -A; git commit -qm base\n"

/* What is mailed is main..topic; what it is applied to is main after `move`. */
struct parity_case {
	const char *name;
	const char *change; /* makes commits on topic */
	const char *format; /* more arguments to format-patch */
	const char *move;   /* changes main first; NULL */
};

#define COMMIT "; git add -A; git commit -qm 'mm: change it'"

static const struct parity_case cases[] = {
	{"one line", "sed -i s/^30$/thirty/ file" COMMIT, "", NULL},
	{"first and last line", "sed -i '1s/.*/one/;$s/.*/last/' file" COMMIT, "", NULL},
	{"three patches",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^31$/next/ file" COMMIT
	 "; echo n > n" COMMIT,
	 "", NULL},
	{"new files",
	 "mkdir -p n/m; echo a > n/m/a; : > n/e; printf x > n/cut; echo b > d/b" COMMIT, "", NULL},
	{"deleted files", "git rm -q file empty d/e/only cut link bin" COMMIT, "--binary", NULL},
	{"rename", "git mv file d/file" COMMIT, "-M", NULL},
	{"rename and change", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT, "-M", NULL},
	{"copy and change",
	 "cp file copy; sed -i s/^9$/nine/ copy; sed -i s/^30$/thirty/ file" COMMIT,
	 "-C --find-copies-harder", NULL},
	{"rename to a name that was taken", "git mv -f file g" COMMIT, "-M -B", NULL},
	{"names swapped", "mv file t; mv g file; mv t g" COMMIT, "-M -B", NULL},
	{"rewritten", "seq 200 260 > file" COMMIT, "-B", NULL},
	{"modes", "chmod +x file; chmod -x run" COMMIT, "", NULL},
	{"mode and contents", "chmod +x file; sed -i s/^30$/thirty/ file" COMMIT, "", NULL},
	{"links", "ln -sf g link; ln -s nowhere link2" COMMIT, "", NULL},
	{"link becomes a file", "rm link; echo file > link" COMMIT, "", NULL},
	{"file becomes a link", "rm g; ln -s file g" COMMIT, "", NULL},
	{"file becomes a folder", "rm g; mkdir g; echo a > g/a" COMMIT, "", NULL},
	{"folder becomes a file", "rm -r d; echo d > d" COMMIT, "", NULL},
	{"binary delta", "printf more >> bin" COMMIT, "--binary", NULL},
	{"binary literal", "printf '\\3\\0\\2\\1' > bin2; printf '\\0\\7' > new" COMMIT, "--binary",
	 NULL},
	{"binary deleted and renamed", "git rm -q bin2; git mv bin bin3" COMMIT, "--binary -M",
	 NULL},
	{"binary on another base", "printf more >> bin" COMMIT, "--binary",
	 "printf less >> bin" COMMIT},
	{"newline at the end", "echo >> cut; printf 'no more' > d/other" COMMIT, "", NULL},
	{"odd names",
	 "echo 1 > 'a b  c'; echo 2 > \"t\tab\"; echo 3 > 'gr\303\274n'; echo 4 >> 'quo\"te'; "
	 "chmod +x 'sp ace';"
	 "git mv link 'new link'" COMMIT,
	 "-M", NULL},
	{"empty file grows, another shrinks", "echo 1 > empty; : > g" COMMIT, "", NULL},
	{"carriage returns", "printf 'a\\r\\nc\\r\\n' > crlf" COMMIT, "", NULL},
	{"new file with carriage returns", "printf 'a\\r\\n' > crlf2" COMMIT, "", NULL},
	{"lines like a diff",
	 "printf -- '-- a\\n++ b\\n@@ -1 +1 @@\\n' > like; printf -- '- x\\n+ y\\n' >> file" COMMIT
	 "; printf -- '-- c\\n' > like" COMMIT,
	 "", NULL},
	{"no context", "sed -i s/^30$/thirty/ file" COMMIT, "-U0", NULL},
	{"no context at the end", "echo 61 >> file" COMMIT, "-U0", NULL},
	{"one line of context", "sed -i 's/^30$/thirty/;s/^40$/forty/' file" COMMIT, "-U1", NULL},
	{"much context", "sed -i 's/^30$/thirty/;s/^40$/forty/' file" COMMIT, "-U200", NULL},
	{"no prefix", "sed -i s/^30$/thirty/ file" COMMIT, "--no-prefix", NULL},
	{"other prefixes", "sed -i s/^30$/thirty/ file" COMMIT,
	 "--src-prefix=old/ --dst-prefix=new/", NULL},
	{"moved down", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i '1i\\0' file; sed -i 10,12d file" COMMIT},
	{"moved far", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "seq 1000 3000 | cat - file > t; mv t file" COMMIT},
	{"start moved", "sed -i s/^1$/one/ file" COMMIT, "", "sed -i '1i\\0' file" COMMIT},
	{"end moved", "sed -i s/^60$/sixty/ file" COMMIT, "", "echo 61 >> file" COMMIT},
	{"context changed", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^32$/XXXII/ file" COMMIT},
	{"in already", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^30$/thirty/ file" COMMIT},
	{"file is gone", "sed -i s/^30$/thirty/ file" COMMIT, "", "git rm -q file" COMMIT},
	{"file is there", "echo 1 > n" COMMIT, "", "echo 1 > n" COMMIT},
	{"mode differs", "sed -i s/^30$/thirty/ file" COMMIT, "", "chmod +x file" COMMIT},
	{"type differs", "sed -i s/^130$/thirty/ g" COMMIT, "", "rm g; ln -s file g" COMMIT},
	{"second patch fails",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^50$/fifty/ file" COMMIT, "",
	 "sed -i s/^51$/LI/ file" COMMIT},
	{"attached", "sed -i s/^30$/thirty/ file" COMMIT "; echo u >> g" COMMIT, "--attach", NULL},
	{"inlined", "sed -i s/^30$/thirty/ file" COMMIT, "--inline", NULL},
	{"cover and versions", "echo 1 > n" COMMIT "; echo 2 >> n" COMMIT,
	 "--cover-letter -v3 --rfc --thread", NULL},
	{"long message",
	 "echo 1 > n; git add n; printf 'mm/x: a subject that is so long that format-patch has to "
	 "fold it when it "
	 "writes the mail header\\n\\nBody \303\274ber alles.\\n\\n  indented\\n---not a "
	 "cut\\nSigned-off-by: W "
	 "<w@example.org>\\n' | git commit -qF -",
	 "", NULL},
	{"author with a name",
	 "echo 1 > n; git add n; git commit -qm x --author='J\303\266rg \"X\" M. <j@example.org>' "
	 "--date='2024-02-29T12:00:00 -0330'",
	 "--from='Somebody Else <e@example.org>'", NULL},
};

static void make_mails(const struct parity_case *c)
{
	auto_free char *script = xasprintf(
		BASE
		"git checkout -q -b topic; %s\n"
		"git format-patch -q -o ../mails %s main > /dev/null\ngit checkout -q main\n%s\n",
		c->change, c->format, c->move ? c->move : ":");

	sh_must(script);
}

#define LOG "git log --reverse --format='%T%n%an <%ae> %ad%n%B' --date=raw"

/* What git am makes of the mails: a line of each commit; NULL when it refuses. */
static char *by_git(void)
{
	return sh("cd w; git branch -f base; set --\n"
		  "for f in ../mails/*; do case $f in *0000-cover*) ;; *) set -- \"$@\" \"$f\";; "
		  "esac; done\n"
		  "git am -q --no-3way \"$@\" > /dev/null 2>&1; " LOG " base..main");
}

static int apply_mails(git_repository *ours, git_repository *user, struct apply_result *ret,
		       struct err *err)
{
	auto_free char *spec = xasprintf("%s/mails", scratch);
	struct mail_list mails = {0};
	struct series_set set = {0};
	git_oid base;
	int rc;

	assert_int_equal(git_reference_name_to_id(&base, user, "refs/heads/base"), 0);
	assert_ok(source_read(spec, &mails, err), err);
	assert_ok(collate(&mails, &set, err), err);
	assert_int_equal(set.n_series, 1);
	assert_int_equal(set.series[0].n_missing, 0);
	rc = apply_series(ours, &base, &set.series[0], "refs/firn/parity", ret, err);
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}

/* The same of firn's. */
static char *by_firn(struct err *err)
{
	auto_free char *tree = xasprintf("%s/w", scratch), *cache = xasprintf("%s/cache", scratch);
	auto_free char *script = NULL;
	auto_git(repository) git_repository *ours = NULL, *user = NULL;
	struct apply_result result = {0};
	char base[GIT_OID_HEXSZ + 1];
	git_oid id;
	int rc;

	assert_ok(repo_open(tree, cache, &ours, &user, err), err);
	rc = apply_mails(ours, user, &result, err);
	apply_result_done(&result);
	if (rc) {
		assert_int_equal(rc, ERR_PATCH);
		return NULL;
	}
	assert_int_equal(git_reference_name_to_id(&id, user, "refs/heads/base"), 0);
	git_oid_tostr(base, sizeof(base), &id);
	script = xasprintf("export GIT_DIR=%s\ngit fsck --strict --no-dangling > /dev/null 2>&1\n"
			   "%s %s..refs/firn/parity",
			   git_repository_path(ours), LOG, base);
	return sh(script);
}

/* NULL when both agree, else what differs. */
static char *compare(void)
{
	struct err err = ERR_INIT;
	auto_free char *git = by_git(), *firn = by_firn(&err);

	if (!git && !firn)
		return NULL;
	if (!git)
		return xstrdup("git am refuses, firn applies");
	if (!firn)
		return xasprintf("git am applies, firn refuses: %s", err.msg);
	return strcmp(git, firn) == 0 ? NULL : xasprintf("git am:\n%s\nfirn:\n%s", git, firn);
}

static void cases_agree(void **state)
{
	size_t differ = 0;

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_free char *why = NULL;

		make_mails(&cases[i]);
		why = compare();
		if (why)
			print_message("%s: %s\n", cases[i].name, why);
		differ += why != NULL;
	}
	assert_int_equal(differ, 0);
}

/* xorshift: the same numbers everywhere. */
static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % n;
}

/* Few different lines, so that a hunk has many places where it could go. */
static void random_text(struct str *text, uint32_t lines)
{
	for (uint32_t i = 0; i < lines; i++)
		str_addf(text, "%.*s\n", (int)random_below(3), &"{}\t}"[random_below(3)]);
}

static void random_edit(struct str *text)
{
	auto_str struct str next;
	uint32_t at = random_below((uint32_t)text->len + 1), cut = random_below(12);

	str_init(&next, 0);
	while (at && text->buf[at - 1] != '\n')
		at--;
	if (cut > text->len - at)
		cut = (uint32_t)text->len - at;
	while (cut && text->buf[at + cut - 1] != '\n')
		cut--;
	str_add(&next, text->buf, at);
	random_text(&next, random_below(4));
	str_add(&next, text->buf + at + cut, text->len - at - cut);
	str_reset(text);
	str_add(text, next.buf, next.len);
}

static void file_write(const char *name, const struct str *text)
{
	auto_free char *path = xasprintf("%s/w/%s", scratch, name);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, text->buf, text->len, &err), &err);
}

static void random_commit(const char *branch, struct str *text, uint32_t edits)
{
	auto_free char *script = xasprintf("cd w; git checkout -q %s", branch);

	sh_must(script);
	for (uint32_t i = 0; i < edits; i++)
		random_edit(text);
	file_write("f", text);
	sh_must("cd w; git add -A; git diff --cached --quiet || git commit -q -m 'mm: change it'");
}

/* False when chance made no patch. */
static bool random_series(void)
{
	auto_str struct str text, other;
	auto_free char *format = NULL;

	str_init(&text, 0);
	str_init(&other, 0);
	sh_must("rm -rf w cache mails; git init -q -b main w");
	random_text(&text, 20 + random_below(40));
	str_add(&other, text.buf, text.len);
	file_write("f", &text);
	sh_must("cd w; git add -A; git commit -qm base; git branch topic");
	for (uint32_t i = 0; i <= random_below(3); i++)
		random_commit("topic", &text, 1 + random_below(3));
	random_commit("main", &other, random_below(3));
	format = xasprintf(
		"cd w; git format-patch -q -U%u -o ../mails $(git merge-base main topic)..topic; "
		"ls ../mails/*",
		1 + random_below(4));
	auto_free char *made = sh(format);
	return made != NULL;
}

static uint32_t env_number(const char *name, uint32_t dflt)
{
	const char *value = getenv(name);

	return value ? (uint32_t)strtoul(value, NULL, 10) : dflt;
}

static void random_series_agree(void **state)
{
	uint32_t rounds = env_number("FIRN_PARITY_ROUNDS", 40),
		 seed = env_number("FIRN_PARITY_SEED", 1);
	uint32_t differ = 0;

	(void)state;
	for (uint32_t i = seed; i < seed + rounds; i++) {
		auto_free char *why = NULL;

		random_state = i * 2654435761u + 1;
		why = random_series() ? compare() : NULL;
		if (why)
			print_message("seed %u: %s\n", i, why);
		differ += why != NULL;
	}
	assert_int_equal(differ, 0);
}

/* A git of its own: the user's configuration has no say. */
static void environment_set(void)
{
	setenv("HOME", scratch, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "Wilma Example", 1);
	setenv("GIT_AUTHOR_EMAIL", "wilma@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Carl Committer", 1);
	setenv("GIT_COMMITTER_EMAIL", "carl@example.org", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_agree),
		cmocka_unit_test(random_series_agree),
	};
	int rc = SKIPPED;

	scratch = scratch_new();
	environment_set();
	auto_free char *version = sh("git --version");
	if (version)
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	else
		printf("SKIP: there is no git to compare with\n");
	scratch_drop(scratch);
	return rc;
}
