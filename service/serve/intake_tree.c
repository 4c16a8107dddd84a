// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a patch for the list's tree? */
#include "serve/intake.h"

#include "series/repo.h"
#include <fnmatch.h>

/* More files of a series are not looked at. */
#define FILES_MAX 500

/* Where there is no tree to look into: what stands at the top of the kernel's. */
static const char *const kernel_folders[] = {
	"Documentation", "LICENSES",	  "arch",	 "block",    "certs",
	"crypto",	 "drivers",	  "fs",		 "include",  "init",
	"io_uring",	 "ipc",		  "kernel",	 "lib",	     "mm",
	"net",		 "rust",	  "samples",	 "scripts",  "security",
	"sound",	 "tools",	  "usr",	 "virt",     "Makefile",
	"Kconfig",	 "Kbuild",	  "MAINTAINERS", "CREDITS",  "README",
	"COPYING",	 ".clang-format", ".gitignore",	 ".mailmap", ".get_maintainer.ignore",
};

bool path_matches(const char *pattern, const char *path)
{
	size_t n = strlen(pattern);

	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, path, 0) == 0;
	return strncmp(pattern, path, n) == 0 &&
	       (n == 0 || pattern[n - 1] == '/' || path[n] == '/' || path[n] == '\0');
}

static int tree_open(const char *path, const char *branch, struct list_tree *ret)
{
	auto_git(repository) git_repository *repo = NULL;
	auto_git(object) git_object *obj = NULL;
	auto_free char *spec = xasprintf("%s^{tree}", branch);

	repo_setup();
	if (git_repository_open(&repo, path) != 0 || git_revparse_single(&obj, repo, spec) != 0)
		return -1;
	ret->repo = take(repo);
	ret->tree = (git_tree *)take(obj);
	return 0;
}

void list_tree_open(const struct conf *conf, const struct conf_section *list, struct list_tree *ret)
{
	auto_free char **trees = conf_section_words(list, CONF_LIST_TREE);
	const struct conf_section *sec =
		trees && trees[0] ? conf_section_find(conf, CONF_SECTION_TREE, trees[0]) : NULL;
	auto_free char **branches = sec ? conf_section_words(sec, CONF_TREE_BRANCHES) : NULL;
	const char *path = sec ? conf_section_str(sec, CONF_TREE_PATH) : NULL;

	if (!path || (branches && branches[0] && tree_open(path, branches[0], ret) == 0))
		return;
	if (tree_open(path, "HEAD", ret) < 0)
		*ret = (struct list_tree){0};
}

void list_tree_done(struct list_tree *t)
{
	git_tree_free(t->tree);
	git_repository_free(t->repo);
	*t = (struct list_tree){0};
}

static bool tree_has(const git_tree *tree, const char *path)
{
	git_tree_entry *entry = NULL;
	bool has = git_tree_entry_bypath(&entry, tree, path) == 0;

	git_tree_entry_free(entry);
	return has;
}

static bool usual_has(const char *path)
{
	size_t n = strcspn(path, "/");

	for (size_t i = 0; i < array_size(kernel_folders); i++)
		if (strlen(kernel_folders[i]) == n && strncmp(kernel_folders[i], path, n) == 0)
			return true;
	return false;
}

/* A file that is made may be anywhere below a folder that is there, or at the top beside others. */
static bool folder_is_there(const git_tree *tree, const char *path)
{
	auto_free char *top = xmemdup(path, strcspn(path, "/"));

	return path[strlen(top)] == '/' && tree_has(tree, top);
}

static bool file_fits(const git_tree *tree, const struct diff_file *f)
{
	const char *path = f->old_path ? f->old_path : f->new_path;

	if (!path)
		return false;
	if (!tree)
		return usual_has(path);
	if (f->op != DIFF_CREATE && f->old_path && tree_has(tree, f->old_path))
		return true;
	return (f->op == DIFF_CREATE || f->may_create) && folder_is_there(tree, path);
}

bool tree_may_have(const git_tree *tree, const struct series *s)
{
	size_t looked = 0;

	for (size_t i = 0; i < s->n_patches; i++) {
		const struct diff *d = s->patch[i].diff;

		for (size_t k = 0; d && k < d->n_files; k++)
			if (looked++ >= FILES_MAX || file_fits(tree, &d->file[k]))
				return true;
	}
	/* Nothing could be read: that is for the trial to say. */
	return looked == 0;
}
