// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_cursor.h"

#include <ctype.h>

static int place_read(const char *p, const char **ret_end, struct lore_cursor *c)
{
	char *colon;
	unsigned long epoch = strtoul(p, &colon, 10);
	git_oid id;

	if (!isdigit((unsigned char)*p) || *colon != ':' || epoch >= LORE_EPOCHS_MAX ||
	    strnlen(colon + 1, GIT_OID_HEXSZ) < GIT_OID_HEXSZ ||
	    git_oid_fromstrn(&id, colon + 1, GIT_OID_HEXSZ) < 0)
		return -1;
	cursor_put(c, (unsigned)epoch, &id);
	*ret_end = colon + 1 + GIT_OID_HEXSZ;
	return 0;
}

int cursor_read(const char *text, struct lore_cursor *ret, struct err *err)
{
	struct lore_cursor c = {};
	const char *p = text;

	while (*p) {
		if (place_read(p, &p, &c) < 0 || (*p && *p != ' ')) {
			cursor_done(&c);
			return err_set(err, ERR_INFRA, "\"%s\" is no place in an archive", text);
		}
		p += *p == ' ';
	}
	*ret = c;
	return 0;
}

void cursor_done(struct lore_cursor *c)
{
	free(c->place);
	*c = (struct lore_cursor){};
}

const git_oid *cursor_get(const struct lore_cursor *c, unsigned epoch)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->place[i].epoch == epoch)
			return &c->place[i].commit;
	return NULL;
}

void cursor_put(struct lore_cursor *c, unsigned epoch, const git_oid *commit)
{
	size_t i = 0;

	while (i < c->n && c->place[i].epoch < epoch)
		i++;
	if (i == c->n || c->place[i].epoch != epoch) {
		arr_grow(c->place, c->n, c->cap);
		memmove(c->place + i + 1, c->place + i, (c->n - i) * sizeof(*c->place));
		c->n++;
	}
	c->place[i] = (struct lore_place){.epoch = epoch, .commit = *commit};
}

char *cursor_text(const struct lore_cursor *c)
{
	auto_str struct str s;
	char hex[GIT_OID_HEXSZ + 1];

	str_init(&s, 0);
	for (size_t i = 0; i < c->n; i++)
		str_addf(&s, "%s%u:%s", i ? " " : "", c->place[i].epoch,
			 git_oid_tostr(hex, sizeof(hex), &c->place[i].commit));
	return str_take(&s);
}
