/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rules ask the tree: files of it, and the lists that it keeps for checkpatch. */
#ifndef FIRN_CHECKERS_CHECKPATCH_TREE_H
#define FIRN_CHECKERS_CHECKPATCH_TREE_H

#include "checkers/checker.h"
#include "checkers/checkpatch/word_set.h"

struct tree;

/* The tree of an env: its source_dir, else its repository at `base` (else HEAD). Without both it is
 * a tree that has no files. What was read is kept as long as the process lives: the next call with
 * the same tree is free. Never NULL. Keeps pointers of env only until the next call. */
struct tree *tree_of(const struct check_env *env);
/* Before the repository of the last tree_of() is freed. */
void tree_forget(void);
bool tree_is_there(const struct tree *t);
/* git_repository of the tree, or NULL. Rules ask here and not the env: it may be opened only now,
 * which costs more than looking at a patch does. */
git_repository *tree_repo(struct tree *t);
/* A folder with the files, or NULL. */
const char *tree_dir(const struct tree *t);
/* The file's text, kept; NULL when there is none (or it is over 16 MiB). NUL-terminated. */
const struct str *tree_file(struct tree *t, const char *path);
/* The text of all files in a folder and below it, one after the other, kept; NULL when there is
 * none. */
const struct str *tree_folder(struct tree *t, const char *path);
bool tree_has(struct tree *t, const char *path);
/* The pre-image of a file: the blob `id` (hex, perhaps abbreviated, NULL) when the repository has
 * it, else the file of the tree. Not kept: str_init()ed by the caller. */
bool tree_read_blob(struct tree *t, const char *id, const char *path, struct str *ret);

/* Misspellings of scripts/spelling.txt: wrong (lower case) to right. Empty without a tree. */
const struct word_set *tree_spelling(struct tree *t);
/* Names of scripts/const_structs.checkpatch. */
const struct word_set *tree_const_structs(struct tree *t);

/* The title of the commit with this id (hex, perhaps abbreviated): FOUND, and a string that lives
 * as long as the tree. Looked up once an id; after TREE_COMMITS_MAX ids of one tree no other is
 * found, since each that is not there costs a look at the folders of the repository. */
#define TREE_COMMITS_MAX 2000
bool tree_commit_title(struct tree *t, const char *id, const char **ret_title);

#endif
