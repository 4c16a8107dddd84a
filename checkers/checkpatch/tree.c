// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/tree.h"

#include "base/fs.h"
#include "checkers/history.h"
#include <ctype.h>
#include <sys/stat.h>

#define FILE_MAX     ((size_t)16 << 20)
#define FOLDER_MAX   ((size_t)64 << 20)
#define FOLDER_DEPTH 16

struct kept_file {
	char *path;
	struct str text;
	bool is_there;
};

struct folder {
	git_repository *repo;
	struct str *text;
};

struct tree {
	git_repository *repo;
	char *repo_path; /* NULL: none to open */
	bool repo_is_ours, repo_tried;
	git_oid base;	/* zero: HEAD */
	char *dir;	/* NULL */
	git_tree *root; /* of the commit; NULL until it is looked for, or there is none */
	bool root_tried;
	struct kept_file **kept;
	size_t n_kept, kept_cap;
	struct word_set *spelling, *const_structs;
	struct word_set *commits; /* by id: '+' and the title, or "-" */
};

static struct tree *current;

static void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->n_kept; i++) {
		free(t->kept[i]->path);
		str_done(&t->kept[i]->text);
		free(t->kept[i]);
	}
	free(t->kept);
	free(t->dir);
	free(t->repo_path);
	if (t->root)
		git_tree_free(t->root);
	if (t->repo_is_ours)
		git_repository_free(t->repo);
	word_set_free(t->spelling);
	word_set_free(t->const_structs);
	word_set_free(t->commits);
	free(t);
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool tree_is_of(const struct tree *t, const struct check_env *env)
{
	return same(t->dir, env->source_dir) && same(t->repo_path, env->repo_path) &&
	       (t->repo_is_ours ? NULL : t->repo) == env->repo &&
	       memcmp(&t->base, &env->base, sizeof(t->base)) == 0;
}

struct tree *tree_of(const struct check_env *env)
{
	if (current && tree_is_of(current, env))
		return current;
	tree_forget();
	current = xcalloc(1, sizeof(*current));
	current->repo = env->repo;
	current->repo_path = env->repo_path ? xstrdup(env->repo_path) : NULL;
	current->base = env->base;
	current->dir = env->source_dir ? xstrdup(env->source_dir) : NULL;
	return current;
}

void tree_forget(void)
{
	if (current)
		tree_free(current);
	current = NULL;
}

git_repository *tree_repo(struct tree *t)
{
	if (t->repo || !t->repo_path || t->repo_tried)
		return t->repo;
	t->repo_tried = true;
	git_libgit2_init();
	/* Whoever owns the repository: nothing is run out of it, and nothing written (repo.c). */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	t->repo_is_ours = git_repository_open(&t->repo, t->repo_path) == 0;
	return t->repo;
}

const char *tree_dir(const struct tree *t)
{
	return t->dir;
}

bool tree_is_there(const struct tree *t)
{
	return t->dir || t->repo || t->repo_path;
}

/* Paths come out of patches. */
static bool path_is_inside(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
		if (*at == '/' || *at == '\0' ||
		    (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0')))
			return false;
	return true;
}

static git_tree *root_of(struct tree *t)
{
	static const git_oid none;
	git_object *commit = NULL, *tree = NULL;

	if (t->root || t->root_tried || !tree_repo(t))
		return t->root;
	t->root_tried = true;
	if (memcmp(&t->base, &none, sizeof(none)) == 0
		    ? git_revparse_single(&commit, t->repo, "HEAD") < 0
		    : git_object_lookup(&commit, t->repo, &t->base, GIT_OBJECT_ANY) < 0)
		return NULL;
	if (git_object_peel(&tree, commit, GIT_OBJECT_TREE) == 0)
		t->root = (git_tree *)tree;
	git_object_free(commit);
	return t->root;
}

static bool blob_take(git_blob *blob, struct str *ret)
{
	git_object_size_t n = git_blob_rawsize(blob);
	bool fits = n <= FILE_MAX;

	if (fits)
		str_add(ret, git_blob_rawcontent(blob), (size_t)n);
	git_blob_free(blob);
	return fits;
}

static bool read_from_git(struct tree *t, const char *path, struct str *ret)
{
	git_tree_entry *entry = NULL;
	git_blob *blob = NULL;
	git_tree *root = root_of(t);

	if (!root || git_tree_entry_bypath(&entry, root, path) < 0)
		return false;
	if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
		(void)!git_blob_lookup(&blob, t->repo, git_tree_entry_id(entry));
	git_tree_entry_free(entry);
	return blob && blob_take(blob, ret);
}

static bool read_from_dir(const struct tree *t, const char *path, struct str *ret)
{
	auto_free char *full = xasprintf("%s/%s", t->dir, path);
	struct err ignored = ERR_INIT;
	struct stat st;

	return stat(full, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size <= FILE_MAX &&
	       fs_read(full, FILE_MAX, ERR_INFRA, ret, &ignored) == 0;
}

static bool file_read(struct tree *t, const char *path, struct str *ret)
{
	str_init(ret, FILE_MAX + 1);
	if (!path_is_inside(path))
		return false;
	return t->dir ? read_from_dir(t, path, ret) : read_from_git(t, path, ret);
}

static struct kept_file *kept_find(const struct tree *t, const char *path)
{
	for (size_t i = 0; i < t->n_kept; i++)
		if (strcmp(t->kept[i]->path, path) == 0)
			return t->kept[i];
	return NULL;
}

static struct kept_file *kept_add(struct tree *t, const char *path)
{
	struct kept_file *k = xcalloc(1, sizeof(*k));

	arr_grow(t->kept, t->n_kept, t->kept_cap);
	t->kept[t->n_kept++] = k;
	k->path = xstrdup(path);
	return k;
}

const struct str *tree_file(struct tree *t, const char *path)
{
	struct kept_file *k = kept_find(t, path);

	if (!k) {
		k = kept_add(t, path);
		k->is_there = file_read(t, path, &k->text);
	}
	return k->is_there ? &k->text : NULL;
}

static int folder_add_entry(const char *root, const git_tree_entry *entry, void *payload)
{
	struct folder *f = payload;
	git_blob *blob = NULL;

	(void)root;
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB ||
	    git_blob_lookup(&blob, f->repo, git_tree_entry_id(entry)) < 0)
		return 0;
	blob_take(blob, f->text);
	return 0;
}

static void folder_read_git(struct tree *t, const char *path, struct str *ret)
{
	struct folder f = {t->repo, ret};
	git_tree_entry *entry = NULL;
	git_tree *folder = NULL;

	if (!root_of(t) || git_tree_entry_bypath(&entry, t->root, path) < 0)
		return;
	if (git_tree_lookup(&folder, t->repo, git_tree_entry_id(entry)) == 0)
		(void)git_tree_walk(folder, GIT_TREEWALK_PRE, folder_add_entry, &f);
	git_tree_free(folder);
	git_tree_entry_free(entry);
}

static void folder_add_file(const char *path, struct str *ret)
{
	struct err ignored = ERR_INIT;
	auto_str struct str text;

	str_init(&text, 0);
	if (fs_read(path, FILE_MAX, ERR_INFRA, &text, &ignored) == 0)
		str_add(ret, text.buf, text.len);
}

/* Adds what is in the folder's files, and in those of the folders in it. */
static void folder_read_dir(const char *path, struct str *ret, unsigned depth)
{
	auto_dir DIR *d = opendir(path);
	struct stat st;

	for (struct dirent *e; d && depth < FOLDER_DEPTH && (e = readdir(d));) {
		auto_free char *full = xasprintf("%s/%s", path, e->d_name);

		if (*e->d_name == '.' || lstat(full, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			folder_read_dir(full, ret, depth + 1);
		else if (S_ISREG(st.st_mode))
			folder_add_file(full, ret);
	}
}

const struct str *tree_folder(struct tree *t, const char *path)
{
	auto_free char *name = xasprintf("%s/", path);
	struct kept_file *k = kept_find(t, name);

	if (!k) {
		k = kept_add(t, name);
		str_init(&k->text, FOLDER_MAX);
		if (t->dir) {
			auto_free char *full = xasprintf("%s/%s", t->dir, path);

			folder_read_dir(full, &k->text, 0);
		} else {
			folder_read_git(t, path, &k->text);
		}
		k->is_there = k->text.len;
	}
	return k->is_there ? &k->text : NULL;
}

bool tree_has(struct tree *t, const char *path)
{
	git_tree_entry *entry = NULL;

	if (!path_is_inside(path))
		return false;
	if (t->dir) {
		auto_free char *full = xasprintf("%s/%s", t->dir, path);

		return fs_exists(full);
	}
	if (!root_of(t) || git_tree_entry_bypath(&entry, t->root, path) < 0)
		return false;
	git_tree_entry_free(entry);
	return true;
}

static bool read_by_id(struct tree *t, const char *id, struct str *ret)
{
	git_blob *blob = NULL;
	size_t n = id ? strlen(id) : 0;
	git_oid oid;

	if (n < 7 || n > GIT_OID_HEXSZ || strspn(id, "0") == n || !tree_repo(t) ||
	    git_oid_fromstrn(&oid, id, n) < 0 ||
	    git_blob_lookup_prefix(&blob, t->repo, &oid, n) < 0)
		return false;
	return blob_take(blob, ret);
}

bool tree_read_blob(struct tree *t, const char *id, const char *path, struct str *ret)
{
	str_init(ret, FILE_MAX + 1);
	if (read_by_id(t, id, ret))
		return true;
	str_done(ret);
	return file_read(t, path, ret);
}

/* Calls fn for each line that is neither empty nor a comment, without spaces around it. */
static void lines_each(const struct str *text, struct word_set *set,
		       void (*fn)(struct word_set *set, const char *s, size_t n))
{
	const char *end = text ? text->buf + text->len : NULL;

	for (const char *at = text ? text->buf : NULL, *nl; at < end; at = nl + 1) {
		size_t n;

		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		n = (size_t)(nl - at);
		while (n && isspace((unsigned char)at[n - 1]))
			n--;
		while (n && isspace((unsigned char)*at)) {
			at++;
			n--;
		}
		if (n && *at != '#')
			fn(set, at, n);
	}
}

/* "wrong||right" */
static void add_spelling(struct word_set *set, const char *s, size_t n)
{
	const char *bars = memmem(s, n, "||", 2);

	if (bars) {
		auto_free char *right = xmemdup(bars + 2, (size_t)(s + n - bars - 2));

		word_set_add(set, s, (size_t)(bars - s), right);
	}
}

static void add_word(struct word_set *set, const char *s, size_t n)
{
	word_set_add(set, s, n, NULL);
}

const struct word_set *tree_spelling(struct tree *t)
{
	if (!t->spelling) {
		t->spelling = word_set_new();
		lines_each(tree_file(t, "scripts/spelling.txt"), t->spelling, add_spelling);
	}
	return t->spelling;
}

const struct word_set *tree_const_structs(struct tree *t)
{
	if (!t->const_structs) {
		t->const_structs = word_set_new();
		lines_each(tree_file(t, "scripts/const_structs.checkpatch"), t->const_structs,
			   add_word);
	}
	return t->const_structs;
}

/* '+' and its title, or "-". The caller frees. */
static char *commit_look_up(struct tree *t, const char *id)
{
	git_repository *repo = tree_repo(t);
	struct err ignored = ERR_INIT;
	enum found found = FOUND_NONE;
	git_commit *commit = NULL;
	char *answer;

	if (!repo || commit_find(repo, id, &found, &commit, &ignored) < 0 || found != FOUND)
		return xstrdup("-");
	answer = xasprintf("+%s", git_commit_summary(commit) ? git_commit_summary(commit) : "");
	git_commit_free(commit);
	return answer;
}

bool tree_commit_title(struct tree *t, const char *id, const char **ret_title)
{
	const char *known;

	if (!t->commits)
		t->commits = word_set_new();
	known = word_set_find(t->commits, id, strlen(id));
	if (!known) {
		auto_free char *answer = NULL;

		if (word_set_count(t->commits) >= TREE_COMMITS_MAX)
			return false;
		answer = commit_look_up(t, id);
		word_set_add(t->commits, id, strlen(id), answer);
		known = word_set_find(t->commits, id, strlen(id));
	}
	if (*known != '+')
		return false;
	*ret_title = known + 1;
	return true;
}
