/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files include a header, by names alone, and which of them are near it. */
#ifndef FIRN_KERNEL_BUILDERS_HEADER_H
#define FIRN_KERNEL_BUILDERS_HEADER_H

#include <stdbool.h>
#include <stddef.h>

/* A header and the names that it is included by from anywhere: "linux/mm.h" of include/linux/mm.h,
 * "asm/page.h" of arch/powerpc/include/asm/page.h; none of what is private to a folder. */
struct header {
	const char *path;
	const char *name[2]; /* into `path`; NULL: none more */
};
struct header header_of(const char *path);

/* What a source includes, a line each: "<linux/mm.h" or "\"internal.h". The caller frees. */
char *header_includes(const char *text, size_t n);

/* Does the tree have this file? */
typedef bool header_has_fn(void *ctx, const char *path);

/* Is one of these includes of the file at `path` the header? Of a private one "core/x.h" may be
 * what a -I of the same part of the tree makes of it. */
bool header_is_included(const struct header *h, const char *path, const char *includes,
			header_has_fn *has, void *ctx);

/* The folder that is most likely to use it, with a slash, or "": the first that has() has. The
 * caller frees. */
char *header_home(const char *path, header_has_fn *has, void *ctx);

/* Is the file named like the header? */
bool header_is_namesake(const char *header, const char *path);

/* How far a source is from a header whose home is this: files that are named like it first, then by
 * the folders between. Less is nearer. */
unsigned header_distance(const char *header, const char *home, const char *path);

#endif
