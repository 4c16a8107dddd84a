/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a series says that it needs, and where that is in the input. Read from the cover letter and
 * the patches, wherever it stands at the beginning of a line:
 *
 *	base-commit: HEX		git-format-patch(1), BASE TREE INFORMATION
 *	prerequisite-patch-id: HEX	the same; and b4
 *	prerequisite-message-id: <ID>	b4
 *	prerequisite-change-id: ID:v2	b4
 *	Depends-on: <ID> or URL		Patchwork; also Based-on: (QEMU)
 */
#ifndef FIRN_SERIES_DEPENDS_H
#define FIRN_SERIES_DEPENDS_H

#include "series/thread.h"

enum dep_kind { DEP_BASE_COMMIT, DEP_PATCH_ID, DEP_MESSAGE_ID, DEP_CHANGE_ID, DEP_UNCLEAR };

struct dep {
	enum dep_kind kind;
	char *text;	  /* the line as it stands there, cut at 200 bytes */
	char *value;	  /* hex, Message-ID without <>, change-id; of DEP_UNCLEAR what follows the
			     colon */
	unsigned version; /* of a change-id; 0: the newest */
	const struct mail *mail;
};

/* More of them in one series are not looked at. */
#define DEPS_MAX 2000

struct deps {
	struct dep *item;
	size_t n, cap;
};

/* In the order in which they stand there, each once. */
void deps_read(const struct series *s, struct deps *ret_deps);
void deps_done(struct deps *d);

/* The Message-ID in a link to an archive: https://lore.kernel.org/r/ID/, .../patch/ID/; with %40
 * and the like decoded. NULL when there is none. The caller frees. */
char *dep_link_id(const char *url);

/* Everything that can be depended upon in one input. */
struct depends_index;
struct depends_index *depends_index_new(const struct threads *t, const struct series_set *set);
void depends_index_free(struct depends_index *index);

/* One series to be applied. */
struct depends_step {
	size_t series;	  /* index in the set */
	size_t n_patches; /* only the first so many: the others are not asked for */
};

enum depends_problem_kind {
	DEPENDS_MISSING, /* nothing in the input has that Message-ID, change-id or patch-id */
	DEPENDS_CYCLE,
	DEPENDS_UNCLEAR, /* a dependency that cannot be read, or a link that names no mail */
};

struct depends_problem {
	enum depends_problem_kind kind;
	char *text; /* a sentence that names the Message-IDs */
};

struct depends_plan {
	struct depends_step *step; /* in the order of application; the series itself is last */
	size_t n_steps, steps_cap;
	struct depends_problem *problem;
	size_t n_problems, problems_cap;
};

/* What must be applied for `series` (index in the set), over as many series as it takes. A missing
 * patch-id may well be in the base; the caller decides what a problem is worth. With a cycle the
 * steps are still in an order, each series once. */
void depends_plan_make(const struct depends_index *index, size_t series,
		       struct depends_plan *ret_plan);
void depends_plan_done(struct depends_plan *p);

#endif
