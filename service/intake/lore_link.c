// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore.h"

#include <ctype.h>

#define LINK_MAX 4096
#define ID_MAX	 998 /* a header line, RFC 5322 2.1.1 */

/* Hosts that only point at lore. */
static const struct {
	const char *place, *base;
} pointers[] = {
	{"patch.msgid.link/", "https://lore.kernel.org/all/"},
	{"msgid.link/", "https://lore.kernel.org/all/"},
	{"lkml.kernel.org/r/", "https://lore.kernel.org/all/"},
};

static int hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* NULL when it does not decode to a message id. */
static char *id_decode(const char *s, size_t n)
{
	auto_str struct str id;

	str_init(&id, ID_MAX);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '%' && i + 2 < n && isxdigit((unsigned char)s[i + 1]) &&
		    isxdigit((unsigned char)s[i + 2])) {
			c = (unsigned char)(hex(s[i + 1]) << 4 | hex(s[i + 2]));
			i += 2;
		}
		if (c <= ' ' || c == 0x7f || !str_addc(&id, (char)c))
			return NULL;
	}
	if (id.len > 2 && id.buf[0] == '<' && id.buf[id.len - 1] == '>') {
		id.buf[--id.len] = '\0';
		str_drop(&id, 1);
	}
	return strchr(id.buf, '@') ? str_take(&id) : NULL;
}

/* What public-inbox serves below a mail's address. */
static bool is_view(const char *s, size_t n)
{
	static const char *const views[] = {"",	       "/",	  "/T",	       "/T/",
					    "/t",      "/t/",	  "/raw",      "/raw/",
					    "/t.atom", "/t.mbox", "/t.mbox.gz"};

	for (size_t i = 0; i < array_size(views); i++)
		if (strlen(views[i]) == n && strncmp(s, views[i], n) == 0)
			return true;
	return false;
}

/* Patchwork has ids in its addresses too. */
static bool is_patchwork(const char *path, const char *id)
{
	const char *project = strstr(path, "/project/");

	return project && project < id &&
	       ((id - path > 7 && strncmp(id - 7, "/patch/", 7) == 0) ||
		(id - path > 7 && strncmp(id - 7, "/cover/", 7) == 0));
}

/* The segment with the id in it, "@" plain or escaped; NULL. */
static const char *id_segment(const char *path, const char *end, size_t *ret_n)
{
	for (const char *p = path; p < end; p++) {
		size_t n = strcspn(p + 1, "/");
		auto_free char *id = NULL;

		if (p + 1 + n > end)
			n = (size_t)(end - p - 1);
		id = id_decode(p + 1, n);
		if (id) {
			*ret_n = n;
			return p + 1;
		}
		p += n;
	}
	return NULL;
}

static char *base_of(const char *link, const char *place, const char *id)
{
	size_t n = (size_t)(id - place);

	for (size_t i = 0; i < array_size(pointers); i++)
		if (strlen(pointers[i].place) == n && strncasecmp(pointers[i].place, place, n) == 0)
			return xstrdup(pointers[i].base);
	/* "/r/" is short for all inboxes. */
	if (n > 3 && strncmp(id - 3, "/r/", 3) == 0)
		return xasprintf("%.*sall/", (int)(id - link) - 2, link);
	return xmemdup(link, (size_t)(id - link));
}

bool lore_link_parse(const char *link, char **ret_base, char **ret_message_id)
{
	const char *place = link + strcspn(link, ":") + 3, *path, *end, *id;
	size_t n;

	if (strlen(link) > LINK_MAX ||
	    (strncasecmp(link, "https://", 8) != 0 && strncasecmp(link, "http://", 7) != 0))
		return false;
	path = place + strcspn(place, "/?#");
	end = path + strcspn(path, "?#");
	/* Nobody's password is sent on. */
	if (memchr(place, '@', (size_t)(path - place)))
		return false;
	id = id_segment(path, end, &n);
	if (!id || !is_view(id + n, (size_t)(end - id) - n) || is_patchwork(path, id))
		return false;
	*ret_base = base_of(link, place, id);
	*ret_message_id = id_decode(id, n);
	return true;
}
