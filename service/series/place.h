/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding where a hunk goes in a file, as git-apply(1) does: every context and removed line must be
 * there exactly; on the stated line, else at the nearest offset, looking forward and backward in
 * turn. Never with fuzz.
 */
#ifndef FIRN_SERIES_PLACE_H
#define FIRN_SERIES_PLACE_H

#include "series/bytes.h"
#include "series/diff.h"

struct image_line {
	const char *text; /* points into the file or into the patch */
	uint32_t len;	  /* without the newline */
	bool newline;	  /* one follows */
	bool patched;	  /* written by an earlier hunk: another may not change it again */
};

/* A file as lines, with a gap where the last hunk went, so that hunks in order cost no more than
 * the file is long. */
struct image {
	struct image_line *line; /* `gap` lines, `room` unused ones, the others */
	size_t n;		 /* lines, without the gap */
	size_t gap, room;
	uint64_t *budget; /* work units that are left, shared by all files of a series */
};

/* Work units for a series: a few seconds. One unit is a line that was looked at; real series of
 * hundreds of patches take a few million. */
#define PLACE_BUDGET UINT64_C(200000000)

/* Splits `data`, which must outlive the image, and leaves room for `grow` more lines. */
void image_init(struct image *img, struct bytes data, size_t grow, uint64_t *budget);
void image_done(struct image *img);
const struct image_line *image_at(const struct image *img, size_t i);
/* Appends the image to `out`. */
void image_text(const struct image *img, struct str *out);

enum place_end {
	PLACE_FOUND,
	PLACE_NOWHERE,
	PLACE_GAVE_UP, /* the budget is used up: no real patch comes near */
};

struct place {
	size_t line; /* 0-based, in the image as it is now */
	bool moved;  /* not where the hunk says */
};

/* Where the old side of the hunk is, or the new side when `new_side` (then it was applied before).
 */
enum place_end place_find(const struct image *img, const struct diff_hunk *h, bool new_side,
			  struct place *ret_place);
/* Puts the new side in the place of the old one, which place_find() found at `line`. */
void place_apply(struct image *img, const struct diff_hunk *h, size_t line);

/* Where a hunk that is nowhere comes closest: the place with the most text in common, the stated
 * one when there is nothing to choose. 0-based. */
size_t place_closest(const struct image *img, const struct diff_hunk *h);

#endif
