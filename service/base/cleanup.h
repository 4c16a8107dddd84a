/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cleanup attributes: a variable that frees itself when it goes out of scope.
 *
 *	auto_free char *path = xasprintf("%s/log", dir);
 *	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
 *	...
 *	*ret_path = take(path);		// hands it over: the variable is NULL from here on
 */
#ifndef FIRN_BASE_CLEANUP_H
#define FIRN_BASE_CLEANUP_H

#include <dirent.h>
#include <errno.h>
#include <git2.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Defines NAME_cleanup(TYPE *) which calls FN on the value when it is not NULL. */
#define DEFINE_CLEANUP(type, name, fn)                                                             \
	static inline void name##_cleanup(type *p)                                                 \
	{                                                                                          \
		if (*p)                                                                            \
			fn(*p);                                                                    \
	}

static inline void free_cleanup(void *p)
{
	free(*(void **)p);
}

static inline void fd_cleanup(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

DEFINE_CLEANUP(FILE *, file, fclose)
DEFINE_CLEANUP(DIR *, dir, closedir)
DEFINE_CLEANUP(json_t *, json, json_decref)
DEFINE_CLEANUP(git_repository *, git_repository, git_repository_free)
DEFINE_CLEANUP(git_commit *, git_commit, git_commit_free)
DEFINE_CLEANUP(git_tree *, git_tree, git_tree_free)
DEFINE_CLEANUP(git_blob *, git_blob, git_blob_free)
DEFINE_CLEANUP(git_object *, git_object, git_object_free)
DEFINE_CLEANUP(git_diff *, git_diff, git_diff_free)
DEFINE_CLEANUP(git_revwalk *, git_revwalk, git_revwalk_free)

#define auto_cleanup(name) __attribute__((cleanup(name##_cleanup)))

#define auto_free auto_cleanup(free)
#define auto_fd	  auto_cleanup(fd)
#define auto_file auto_cleanup(file)
#define auto_dir  auto_cleanup(dir)
#define auto_json auto_cleanup(json)
/* auto_git(commit) git_commit *c = NULL; */
#define auto_git(type) auto_cleanup(git_##type)

/* Hands a pointer over: yields its value and leaves NULL behind, so that cleanup does nothing. */
#define take(p)                                                                                    \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

/* Hands a file descriptor over: yields it and leaves -1. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#define array_size(a) (sizeof(a) / sizeof((a)[0]))

#endif
