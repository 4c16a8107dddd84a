/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What collate.c and collate_group.c share. Nobody else includes this. */
#ifndef FIRN_SERIES_COLLATE_H
#define FIRN_SERIES_COLLATE_H

#include "series/message.h"

enum role {
	ROLE_REPLY,
	ROLE_PULL,    /* a pull request */
	ROLE_NO_DIFF, /* calls itself a patch, and holds none */
	ROLE_OTHER,
	ROLE_DUPLICATE, /* another mail has its Message-ID */
	ROLE_COVER,
	ROLE_PATCH,
};

struct item {
	const struct mail *mail;
	size_t index; /* in the input */
	enum role role;
	bool resend;	    /* RESEND or REPOST in the brackets */
	struct patch patch; /* the subject always; the rest of ROLE_PATCH */
	size_t up;    /* union-find: the place of another item of the group; its own in the root */
	size_t group; /* after items_group(): groups are numbered from 0 in order of their first
			 item */
	const struct item *other; /* ROLE_DUPLICATE: the one that was kept */
};

/* Covers and patches are what a series is made of. */
static inline bool item_is_part(const struct item *it)
{
	return it->role == ROLE_COVER || it->role == ROLE_PATCH;
}

/* A total order that does not depend on the order of the input, as long as dates, numbers or ids
 * differ. */
int item_order(const void *a, const void *b);

/* Marks duplicates and sets `group` of every part. `items` must be sorted by item_order(). */
void items_group(struct item *items, size_t n);

#endif
