/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of git object ids: 20 bytes each, for chains of a hundred thousand commits. */
#ifndef FIRN_INTAKE_OIDS_H
#define FIRN_INTAKE_OIDS_H

#include "base/str.h"

struct oids {
	git_oid *item;
	size_t n, cap;
};

static inline int oid_order(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

static inline void oids_add(struct oids *l, const git_oid *id)
{
	arr_grow(l->item, l->n, l->cap);
	l->item[l->n++] = *id;
}

static inline void oids_sort(struct oids *l)
{
	if (l->n)
		qsort(l->item, l->n, sizeof(*l->item), oid_order);
}

/* In a sorted list. */
static inline bool oids_have(const struct oids *l, const git_oid *id)
{
	return l->n && bsearch(id, l->item, l->n, sizeof(*l->item), oid_order);
}

static inline void oids_done(struct oids *l)
{
	free(l->item);
	*l = (struct oids){};
}
#define auto_oids __attribute__((cleanup(oids_done)))

#endif
