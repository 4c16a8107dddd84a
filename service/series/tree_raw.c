// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/tree_raw.h"

bool tree_next(struct bytes *rest, struct tree_entry *ret_entry)
{
	const char *p = rest->data, *end = p + rest->len,
		   *nul = rest->len ? memchr(p, '\0', rest->len) : NULL;
	struct tree_entry e = {0};

	if (!nul || end - nul < 1 + GIT_OID_RAWSZ)
		return false;
	for (; *p >= '0' && *p <= '7'; p++)
		e.mode = e.mode << 3 | (uint32_t)(*p - '0');
	if (*p++ != ' ' || !e.mode)
		return false;
	e.name = p;
	e.len = (size_t)(nul - p);
	memcpy(e.id.id, nul + 1, GIT_OID_RAWSZ);
	rest->data = nul + 1 + GIT_OID_RAWSZ;
	rest->len = (size_t)(end - rest->data);
	*ret_entry = e;
	return true;
}

void tree_entry_add(struct str *out, const struct tree_entry *e)
{
	str_addf(out, "%o ", e->mode);
	str_add(out, e->name, e->len);
	str_addc(out, '\0');
	str_add(out, e->id.id, GIT_OID_RAWSZ);
}

/* The character behind the name, as the order sees it. */
static unsigned char closing(const struct tree_entry *e, size_t at)
{
	if (at < e->len)
		return (unsigned char)e->name[at];
	return e->mode == TREE_MODE_FOLDER ? '/' : '\0';
}

int tree_entry_cmp(const struct tree_entry *a, const struct tree_entry *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int c = memcmp(a->name, b->name, n);

	return c ? c : closing(a, n) - closing(b, n);
}
