/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: telling what happened in an epoch. */
#ifndef FIRN_INTAKE_LORE_WALK_H
#define FIRN_INTAKE_LORE_WALK_H

#include "intake/lore_cursor.h"
#include "intake/lore_epoch.h"

struct lore_walk {
	struct lore_cursor at; /* moves on with each event */
	int64_t since;	       /* older mails are passed over; 0: none are */
	lore_event_fn *on_event;
	void *ctx;
};
/* From where `at` stands in this epoch to its tip, and `at` with it. */
must_check int walk_epoch(struct lore_walk *w, struct lore_epoch *e, struct err *err);

#endif
