// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * firn-checkpatch: `firn check` as a program of its own, for editors and hooks. Starting firn costs
 * 15 ms for the 70 shared libraries that its other commands need, and libgit2 alone 8 ms; looking
 * at a patch takes one. So this program loads libgit2 when a rule first asks for a commit, and
 * leaves mails with a transfer encoding to firn.
 */
#include "base/log.h"
#include "base/str.h"
#include "commands/check_input.h"
#include "commands/command.h"

#include <dlfcn.h>
#include <git2.h>

#define SONAME2(major, minor) "libgit2.so." #major "." #minor
#define SONAME1(major, minor) SONAME2(major, minor)
#define SONAME		      SONAME1(LIBGIT2_VER_MAJOR, LIBGIT2_VER_MINOR)

static void *late_symbol(const char *name)
{
	static void *library;
	void *symbol;

	if (!library)
		library = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);
	symbol = library ? dlsym(library, name) : NULL;
	if (!symbol) {
		log_error("cannot load %s: %s", SONAME, dlerror());
		exit(err_exit_code(ERR_CONFIG));
	}
	return symbol;
}

/* A function of libgit2 that finds the real one when it is first called. */
#define LATE(type, name, parameters, arguments)                                                    \
	type name parameters                                                                       \
	{                                                                                          \
		static type(*real) parameters;                                                     \
		if (!real)                                                                         \
			*(void **)(void *)&real = late_symbol(#name);                              \
		return real arguments;                                                             \
	}
#define LATE_VOID(name, parameters, arguments)                                                     \
	void name parameters                                                                       \
	{                                                                                          \
		static void(*real) parameters;                                                     \
		if (!real)                                                                         \
			*(void **)(void *)&real = late_symbol(#name);                              \
		real arguments;                                                                    \
	}

/* Those that what is linked here calls. */
LATE(int, git_libgit2_init, (void), ())
LATE(const git_error *, git_error_last, (void), ())
LATE_VOID(git_blob_free, (git_blob * blob), (blob))
LATE(int, git_blob_lookup, (git_blob * *blob, git_repository *repo, const git_oid *id),
     (blob, repo, id))
LATE(int, git_blob_lookup_prefix,
     (git_blob * *blob, git_repository *repo, const git_oid *id, size_t len), (blob, repo, id, len))
LATE(const void *, git_blob_rawcontent, (const git_blob *blob), (blob))
LATE(git_object_size_t, git_blob_rawsize, (const git_blob *blob), (blob))
LATE_VOID(git_commit_free, (git_commit * commit), (commit))
LATE(int, git_commit_lookup_prefix,
     (git_commit * *commit, git_repository *repo, const git_oid *id, size_t len),
     (commit, repo, id, len))
LATE(const char *, git_commit_summary, (git_commit * commit), (commit))
LATE(int, git_config_foreach,
     (const git_config *cfg, git_config_foreach_cb callback, void *payload),
     (cfg, callback, payload))
LATE_VOID(git_config_free, (git_config * cfg), (cfg))
LATE(int, git_config_open_ondisk, (git_config * *out, const char *path), (out, path))
LATE(int, git_config_parse_bool, (int *out, const char *value), (out, value))
LATE_VOID(git_object_free, (git_object * object), (object))
LATE(int, git_object_lookup,
     (git_object * *object, git_repository *repo, const git_oid *id, git_object_t type),
     (object, repo, id, type))
LATE(int, git_object_peel,
     (git_object * *peeled, const git_object *object, git_object_t target_type),
     (peeled, object, target_type))
LATE(int, git_oid_fromstrn, (git_oid * out, const char *str, size_t length), (out, str, length))
LATE(int, git_oid_is_zero, (const git_oid *id), (id))
LATE_VOID(git_repository_free, (git_repository * repo), (repo))
LATE(int, git_repository_open, (git_repository * *out, const char *path), (out, path))
LATE(int, git_revparse_single, (git_object * *out, git_repository *repo, const char *spec),
     (out, repo, spec))
LATE_VOID(git_revwalk_free, (git_revwalk * walk), (walk))
LATE(int, git_revwalk_new, (git_revwalk * *out, git_repository *repo), (out, repo))
LATE(int, git_revwalk_next, (git_oid * out, git_revwalk *walk), (out, walk))
LATE(int, git_revwalk_push, (git_revwalk * walk, const git_oid *id), (walk, id))
LATE(int, git_tree_entry_bypath, (git_tree_entry * *out, const git_tree *root, const char *path),
     (out, root, path))
LATE_VOID(git_tree_entry_free, (git_tree_entry * entry), (entry))
LATE(const git_oid *, git_tree_entry_id, (const git_tree_entry *entry), (entry))
LATE(git_object_t, git_tree_entry_type, (const git_tree_entry *entry), (entry))
LATE_VOID(git_tree_free, (git_tree * tree), (tree))
LATE(int, git_object_lookup_bypath,
     (git_object * *out, const git_object *treeish, const char *path, git_object_t type),
     (out, treeish, path, type))
LATE(char *, git_oid_tostr_s, (const git_oid *oid), (oid))
LATE(const char *, git_tree_entry_name, (const git_tree_entry *entry), (entry))
LATE(const git_oid *, git_tree_id, (const git_tree *tree), (tree))
LATE(int, git_tree_lookup, (git_tree * *out, git_repository *repo, const git_oid *id),
     (out, repo, id))
LATE(int, git_tree_walk,
     (const git_tree *tree, git_treewalk_mode mode, git_treewalk_cb callback, void *payload),
     (tree, mode, callback, payload))

/* Of its options, the ones that take a number. */
int git_libgit2_opts(int option, ...)
{
	static int (*real)(int option, ...);
	va_list ap;
	int value;

	if (!real)
		*(void **)(void *)&real = late_symbol("git_libgit2_opts");
	va_start(ap, option);
	value = va_arg(ap, int);
	va_end(ap);
	return real(option, value);
}

/* GMime's table of odd names, for encoded words in a header: the usual names are their own. */
const char *g_mime_charset_iconv_name(const char *charset);
const char *g_mime_charset_iconv_name(const char *charset)
{
	return charset;
}

int check_piece_decode(const struct check_input *in, struct check_piece *p, struct err *err)
{
	return err_set(err, ERR_INPUT,
		       "%s:%u: the mail is encoded (quoted-printable, base64 or multipart): use "
		       "`firn check`",
		       in->name, p->first_line);
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int rc;

	rc = command_check.run(&command_check, argc, argv, &err);
	if (rc < 0)
		log_error("%s", err.msg);
	return rc < 0 ? err_exit_code((enum err_kind)rc) : rc;
}
