/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the lines of one tree's files are in another. */
#ifndef FIRN_KERNEL_BUILDERS_LINE_MAP_H
#define FIRN_KERNEL_BUILDERS_LINE_MAP_H

#include "base/err.h"
#include <git2.h>
#include <stdbool.h>

/* As in "@@ -a,b +c,d @@" of a diff without context. */
struct line_hunk {
	unsigned old_start, old_count, new_start, new_count;
};

struct line_file {
	char *old_path, *new_path; /* either NULL: the file comes or goes */
	struct line_hunk *hunk;	   /* in order */
	size_t n, cap;
};

struct line_map {
	struct line_file *file;
	size_t n, cap;
};

/* A file that has another name in the new tree. */
struct line_rename {
	const char *old_path, *new_path;
};

struct line_map_spec {
	git_repository *repo;
	git_oid old_tree, new_tree;
	const struct line_rename *rename;
	size_t n_renames;
};

/* `ret` must be zeroed and goes to line_map_done() in any case. */
must_check int line_map_make(const struct line_map_spec *spec, struct line_map *ret,
			     struct err *err);
void line_map_done(struct line_map *m);
static inline void line_map_cleanup(struct line_map *m)
{
	line_map_done(m);
}
#define auto_line_map __attribute__((cleanup(line_map_cleanup)))

/* A hunk of a map that is put together by hand. */
void line_map_add(struct line_map *m, const char *old_path, const char *new_path,
		  const struct line_hunk *hunk);

/* Where line `line` of `path` is in the new tree: its line there, and its path, which belongs to
 * the map or is `path`. 0: it is gone. Line 0 (a file as a whole) stays 0 with a path, or NULL when
 * the file is gone. */
unsigned line_map_forward(const struct line_map *m, const char *path, unsigned line,
			  const char **ret_path);

#endif
