/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of base_pick(). Only base_*.c includes this. */
#ifndef FIRN_SERIES_BASE_PICK_RUN_H
#define FIRN_SERIES_BASE_PICK_RUN_H

#include "series/base_hint.h"
#include "series/base_pick.h"
#include "series/base_search.h"

struct base_pick_run {
	const struct base_request *rq;
	struct base_wants wants;
	struct base_hint hint;
	struct base_search *search; /* of single trees; base_guess() has one with an index */
	struct base_choice c;
};

/* Sets the commit, and how many blobs it has. False when there is no such commit. */
bool base_choice_set(struct base_pick_run *r, const git_oid *commit, enum base_reason reason);
void base_tried(struct base_pick_run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void base_warn(struct base_pick_run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* HEAD, and what to call it ("head of next"; the caller frees).
 * ERR_CONFIG when there is none. */
struct base_head {
	git_oid commit;
	char *name;
};
must_check int base_head_get(git_repository *user, struct base_head *ret_head, struct err *err);

/* base_guess.c: by the blobs, and the subject's tree. 1 when it has chosen, else 0. */
must_check int base_guess(struct base_pick_run *r, struct err *err);
/* base_branch.c: HEAD, or the first branch that has all files. */
must_check int base_branch(struct base_pick_run *r, struct err *err);

#endif
