// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/camelcase.h"

#include "base/fs.h"
#include "checkers/checkpatch/ctoken.h"
#include <fts.h>

#define HEADER_MAX ((size_t)16 << 20)

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_mixed(const char *s, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if ((is_lower(s[i - 1]) && is_upper(s[i])) ||
		    (is_upper(s[i - 1]) && is_lower(s[i])))
			return true;
	return false;
}

/* "PageDirty", "TestSetPageDirty". */
static bool is_page_flag(const char *s, size_t n)
{
	static const char *const before[] = {"TestClear", "TestSet", "Clear", "Set"};

	for (size_t i = 0; i < array_size(before); i++) {
		size_t len = strlen(before[i]);

		if (n > len && memcmp(s, before[i], len) == 0) {
			s += len;
			n -= len;
			break;
		}
	}
	return n > 4 && memcmp(s, "Page", 4) == 0 && is_upper(s[4]);
}

/* "BAR_Foo", "FIRN_BAR_Foo": capitals and underscores as far as the first small letter. */
static bool has_upper_prefix(const char *s, size_t n)
{
	size_t i = 0, end = 0;

	while (i < n && is_upper(s[i]))
		i++;
	while (end < n && (is_upper(s[end]) || s[end] == '_'))
		end++;
	return i && i + 1 < n && s[i] == '_' && is_upper(s[i + 1]) &&
	       (end == n || is_lower(s[end]));
}

/* All of one case, digits and underscores: how far. */
static size_t one_case(const char *s, size_t n, bool upper)
{
	size_t i = 0;

	while (i < n &&
	       (s[i] == '_' || is_digit(s[i]) || (upper ? is_upper(s[i]) : is_lower(s[i]))))
		i++;
	return i;
}

static bool is_suffix(const char *s, size_t n)
{
	return n == 0 ||
	       (n > 1 && s[0] == '_' && (one_case(s, n, true) == n || one_case(s, n, false) == n));
}

/* "foo_mV", "uA_max", "abC": a unit, with what is measured around it. */
static bool is_unit(const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (is_lower(s[i]) && is_upper(s[i + 1]) && is_suffix(s + i + 2, n - i - 2) &&
		    (one_case(s, i, true) == i || one_case(s, i, false) == i))
			return true;
	return false;
}

/* "foo_MHz", "kHz", "KiB". */
static bool is_frequency(const char *s, size_t n)
{
	size_t i = one_case(s, n, false);

	if (i < n && is_upper(s[i]) && n - i == 3)
		return memcmp(s + i + 1, "Hz", 2) == 0 || memcmp(s + i + 1, "iB", 2) == 0;
	return n - i == 2 && memcmp(s + i, "Hz", 2) == 0;
}

bool is_camelcase(const char *s, size_t n)
{
	return is_mixed(s, n) && !is_page_flag(s, n) && !has_upper_prefix(s, n) && !is_unit(s, n) &&
	       !is_frequency(s, n);
}

/* --- what a text defines --- */

/* Where names go: a set, and a list of them for the cache (NULL: none). */
struct names {
	struct word_set *set;
	struct str *list;
};

struct words {
	const char *at, *end;
};

static void skip_blanks(struct words *w)
{
	while (w->at < w->end && (*w->at == ' ' || *w->at == '\t'))
		w->at++;
}

static size_t word_here(struct words *w)
{
	size_t n = 0;

	skip_blanks(w);
	while (w->at + n < w->end && is_word_char(w->at[n]))
		n++;
	return n;
}

static bool take_word(struct words *w, const char *word)
{
	size_t n = word_here(w);

	if (n != strlen(word) || memcmp(w->at, word, n) != 0)
		return false;
	w->at += n;
	return true;
}

static bool followed_by(struct words w, const char *chars)
{
	skip_blanks(&w);
	return w.at < w.end && strchr(chars, *w.at);
}

static void add_word(struct names *names, struct words *w, const char *before)
{
	size_t n = word_here(w);
	struct words rest = {w->at + n, w->end};

	if (!n || !is_mixed(w->at, n) || (before && !followed_by(rest, before)) ||
	    word_set_has(names->set, w->at, n))
		return;
	word_set_add(names->set, w->at, n, NULL);
	if (names->list) {
		str_add(names->list, w->at, n);
		str_addc(names->list, '\n');
	}
}

static bool is_known_type(const char *s, size_t n)
{
	enum cword word = cword_of(s, n);

	return word == CW_ALIAS || word == CW_BOOL || (n > 2 && memcmp(s + n - 2, "_t", 2) == 0);
}

/* "unsigned long", "struct x", "u8": steps over it. */
static bool take_type(struct words *w)
{
	bool any = false;

	for (size_t n = word_here(w); n; n = word_here(w)) {
		enum cword word = cword_of(w->at, n);

		if (cword_is_modifier(word) || cword_is_storage(word) || word == CW_INLINE) {
			w->at += n;
		} else if (!any && cword_is_tag(word)) {
			w->at += n;
			w->at += word_here(w);
			any = true;
		} else if (word >= CW_VOID && word <= CW_BOOL) {
			w->at += n;
			any = true;
		} else if (!any && is_known_type(w->at, n)) {
			w->at += n;
			any = true;
		} else {
			break;
		}
	}
	return any;
}

static void add_line(struct names *names, struct words w)
{
	struct words from;

	skip_blanks(&w);
	if (w.at < w.end && *w.at == '#') {
		w.at++;
		if (take_word(&w, "define"))
			add_word(names, &w, NULL);
		return;
	}
	from = w;
	if (take_word(&from, "typedef"))
		w = from;
	if (take_word(&from, "struct") || take_word(&from, "union") || take_word(&from, "enum"))
		add_word(names, &from, ";{");
	if (take_type(&w))
		add_word(names, &w, "([,;");
}

static void add_text(struct names *names, const char *text, size_t n)
{
	const char *end = text + n;

	for (const char *nl; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		nl = nl ? nl : end;
		if (is_mixed(text, (size_t)(nl - text)))
			add_line(names, (struct words){text, nl});
	}
}

void camelcase_add(struct word_set *set, const char *text, size_t n)
{
	struct names names = {.set = set};

	add_text(&names, text, n);
}

/* --- the tree --- */

static bool is_header(const char *name)
{
	return str_ends(name, ".h");
}

static void read_dir(struct word_set *set, const char *dir)
{
	auto_free char *path = xasprintf("%s/include", dir);
	char *const roots[] = {path, NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	for (FTSENT *e; fts && (e = fts_read(fts));) {
		struct err err = ERR_INIT;
		auto_str struct str text;

		str_init(&text, 0);
		if (e->fts_info == FTS_F && is_header(e->fts_name) &&
		    fs_read(e->fts_path, HEADER_MAX, ERR_INPUT, &text, &err) == 0)
			camelcase_add(set, text.buf, text.len);
	}
	if (fts)
		fts_close(fts);
}

struct walk {
	git_repository *repo;
	struct names names;
};

static int read_entry(const char *root, const git_tree_entry *entry, void *data)
{
	struct walk *w = data;
	git_blob *blob = NULL;

	(void)root;
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB ||
	    !is_header(git_tree_entry_name(entry)) ||
	    git_blob_lookup(&blob, w->repo, git_tree_entry_id(entry)) != 0)
		return 0;
	add_text(&w->names, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	git_blob_free(blob);
	return 0;
}

/* The tree object of include/, or NULL. */
static git_tree *include_of(const struct check_env *env, git_repository *repo)
{
	git_object *commit = NULL, *include = NULL;
	int rc;

	if (git_oid_is_zero(&env->base))
		rc = git_revparse_single(&commit, repo, "HEAD^{commit}");
	else
		rc = git_object_lookup(&commit, repo, &env->base, GIT_OBJECT_COMMIT);
	if (rc == 0) {
		git_object *root = NULL;

		if (git_object_peel(&root, commit, GIT_OBJECT_TREE) == 0)
			(void)git_object_lookup_bypath(&include, root, "include", GIT_OBJECT_TREE);
		git_object_free(root);
	}
	git_object_free(commit);
	return (git_tree *)include;
}

/* One word a line. */
static bool cache_read(struct word_set *set, const char *path)
{
	struct err err = ERR_INIT;
	auto_str struct str text;

	str_init(&text, 0);
	if (fs_read(path, HEADER_MAX, ERR_INPUT, &text, &err) != 0)
		return false;
	for (const char *at = text.buf, *nl; (nl = strchr(at, '\n')); at = nl + 1)
		word_set_add(set, at, (size_t)(nl - at), NULL);
	return true;
}

static void read_tree(struct word_set *set, const struct check_env *env, git_repository *repo,
		      git_tree *include)
{
	auto_free char *path = NULL;
	struct err err = ERR_INIT;
	auto_str struct str list;
	struct walk w = {repo, {set, &list}};

	str_init(&list, 0);
	if (env->cache_dir) {
		path = xasprintf("%s/checkpatch-camelcase-%s", env->cache_dir,
				 git_oid_tostr_s(git_tree_id(include)));
		if (cache_read(set, path))
			return;
	}
	(void)git_tree_walk(include, GIT_TREEWALK_PRE, read_entry, &w);
	/* That it cannot be kept costs time, no more. */
	if (path && fs_write_atomic(path, list.buf, list.len, &err) != 0)
		return;
}

const struct word_set *camelcase_of_tree(const struct check_env *env, struct tree *t)
{
	static struct word_set *set;
	static char *of; /* what it was read from */
	git_repository *repo = tree_repo(t);
	git_tree *include = repo ? include_of(env, repo) : NULL;
	char *key = include ? xstrdup(git_oid_tostr_s(git_tree_id(include)))
			    : xstrdup(tree_dir(t) ? tree_dir(t) : "");

	if (!of || strcmp(of, key) != 0) {
		word_set_free(set);
		set = word_set_new();
		if (include)
			read_tree(set, env, repo, include);
		else if (tree_dir(t))
			read_dir(set, tree_dir(t));
		free(of);
		of = xstrdup(key);
	}
	free(key);
	git_tree_free(include);
	return set;
}
