// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * agreement-native [--strict] --tree=DIR|--no-tree FILE...: what the native rules find in patches,
 * for agreement.pl:
 *
 *	= FILE
 *	F LEVEL TYPE line-of-the-patch path:line	("-" without a place)
 *	T errors warnings checks lines
 */
#include "base/fs.h"
#include "checkers/checkpatch/checkpatch.h"

#include <getopt.h>
#include <stdio.h>

#define PATCH_MAX ((size_t)256 << 20)

/* A tree that is checked out, with its repository. */
static int tree_open(const char *dir, struct check_env *env, struct err *err)
{
	int rc = git_repository_open(&env->repo, dir);

	rc = rc ? rc : git_reference_name_to_id(&env->base, env->repo, "HEAD");
	env->source_dir = dir;
	return rc ? err_git(err, ERR_CONFIG, "open %s", dir) : 0;
}

static void print_finding(const struct finding *f)
{
	printf("F %s %s %u ", finding_level_name(f->level), f->type, f->patch_line);
	if (f->path && f->line)
		printf("%s:%u\n", f->path, f->line);
	else
		printf("-\n");
}

static void print_result(const char *path, const struct check_result *r)
{
	struct check_counts c = {0};

	check_counts_add(&c, r);
	printf("= %s\n", path);
	for (size_t i = 0; i < r->n; i++)
		if (r->finding[i].level != FINDING_NOTE)
			print_finding(&r->finding[i]);
	printf("T %u %u %u %u\n", c.errors, c.warnings, c.checks, c.lines);
}

static int check_file(const struct check_env *env, const struct checkpatch_options *o,
		      const char *path, struct err *err)
{
	struct check_result r = {0};
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	rc = fs_read(path, PATCH_MAX, ERR_INPUT, &text, err);
	rc = rc ? rc : checkpatch_text(env, o, text.buf, text.len, &r, err);
	if (rc == 0)
		print_result(path, &r);
	check_result_done(&r);
	return rc;
}

static int check_files(char *const *path, const char *tree, bool strict, struct err *err)
{
	const struct checkpatch_options o = {.strict = strict};
	struct check_env env = {0};
	int rc = tree ? tree_open(tree, &env, err) : 0;

	for (; *path && rc == 0; path++)
		rc = check_file(&env, &o, *path, err);
	git_repository_free(env.repo);
	return rc;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"strict", no_argument, NULL, 's'},
		{"tree", required_argument, NULL, 't'},
		{"no-tree", no_argument, NULL, 'n'},
		{0},
	};
	struct err err = ERR_INIT;
	const char *tree = NULL;
	bool strict = false;
	int rc;

	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
		if (c == '?')
			return 2;
		strict |= c == 's';
		tree = c == 't' ? optarg : tree;
	}
	git_libgit2_init();
	rc = check_files(argv + optind, tree, strict, &err);
	if (rc)
		fprintf(stderr, "%s\n", err.msg);
	git_libgit2_shutdown();
	return rc ? 1 : 0;
}
