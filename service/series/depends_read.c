// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/depends.h"

#include "series/reply_lines.h"
#include <ctype.h>

#define HEX_LEN	 40
#define TEXT_MAX 200

enum form { FORM_COMMIT, FORM_PATCH_ID, FORM_MESSAGE_ID, FORM_CHANGE_ID };

static const struct {
	const char *name;
	enum form form;
} words[] = {
	{"base-commit:", FORM_COMMIT},
	{"prerequisite-patch-id:", FORM_PATCH_ID},
	{"prerequisite-message-id:", FORM_MESSAGE_ID},
	{"prerequisite-change-id:", FORM_CHANGE_ID},
	{"Depends-on:", FORM_MESSAGE_ID},
	{"Based-on:", FORM_MESSAGE_ID},
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One part of a path, with %40 and the like decoded; NULL when that gives a NUL. */
static char *segment_decode(const char *p, size_t n)
{
	char *out = xmalloc(n + 1), *o = out;

	for (size_t i = 0; i < n; i++) {
		bool coded = p[i] == '%' && i + 2 < n && hex_digit(p[i + 1]) >= 0 &&
			     hex_digit(p[i + 2]) >= 0;

		*o = coded ? (char)(hex_digit(p[i + 1]) * 16 + hex_digit(p[i + 2])) : p[i];
		if (!*o++) {
			free(out);
			return NULL;
		}
		i += coded ? 2 : 0;
	}
	*o = '\0';
	return out;
}

static bool is_message_id(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at > s && at[1] && !strpbrk(s, " \t<>");
}

char *dep_link_id(const char *url)
{
	const char *host = strstr(url, "://"), *end, *p;

	if (!host)
		return NULL;
	end = host + strcspn(host, " \t\n<>?#");
	p = memchr(host + 3, '/', (size_t)(end - host - 3));
	while (p && p < end) {
		size_t n = strcspn(++p, "/");
		char *id;

		if (n > (size_t)(end - p))
			n = (size_t)(end - p);
		id = segment_decode(p, n);
		if (id && is_message_id(id))
			return id;
		free(id);
		p += n;
	}
	return NULL;
}

/* "<a@b>", "a@b (its title)" or a link. */
static char *message_id_read(const char *value)
{
	const char *open = strchr(value, '<');
	char *id;

	if (strstr(value, "://"))
		return dep_link_id(value);
	if (open)
		id = xmemdup(open + 1, strcspn(open + 1, ">"));
	else
		id = xmemdup(value, strcspn(value, " \t,;"));
	if (is_message_id(id))
		return id;
	free(id);
	return NULL;
}

static char *hex_read(const char *value)
{
	size_t n = strspn(value, "0123456789abcdefABCDEF");
	char *hex;

	if (n != HEX_LEN || (value[n] && !isspace((unsigned char)value[n])))
		return NULL;
	hex = xmemdup(value, n);
	for (char *p = hex; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return hex;
}

/* "20261130-topic-0123456789ab:v2" */
static char *change_id_read(const char *value, unsigned *ret_version)
{
	size_t n = strcspn(value, " \t:");
	unsigned version = 0;

	if (!n)
		return NULL;
	if (value[n] == ':' && value[n + 1] == 'v')
		for (const char *p = value + n + 2; isdigit((unsigned char)*p) && version < 10000;
		     p++)
			version = version * 10 + (unsigned)(*p - '0');
	*ret_version = version;
	return xmemdup(value, n);
}

static void value_read(struct dep *d, enum form form, const char *value)
{
	switch (form) {
	case FORM_COMMIT:
		d->kind = DEP_BASE_COMMIT;
		d->value = hex_read(value);
		break;
	case FORM_PATCH_ID:
		d->kind = DEP_PATCH_ID;
		d->value = hex_read(value);
		break;
	case FORM_MESSAGE_ID:
		d->kind = DEP_MESSAGE_ID;
		d->value = message_id_read(value);
		break;
	case FORM_CHANGE_ID:
		d->kind = DEP_CHANGE_ID;
		d->value = change_id_read(value, &d->version);
		break;
	}
	if (!d->value) {
		d->kind = DEP_UNCLEAR;
		d->value = xmemdup(value, strnlen(value, TEXT_MAX));
	}
}

static bool dep_is_known(const struct deps *deps, const struct dep *d)
{
	for (size_t i = 0; i < deps->n; i++)
		if (deps->item[i].kind == d->kind && deps->item[i].version == d->version &&
		    strcmp(deps->item[i].value, d->value) == 0)
			return true;
	return false;
}

static void dep_done(struct dep *d)
{
	free(d->text);
	free(d->value);
}

static void line_read(struct deps *deps, const struct reply_line *l, const struct mail *m)
{
	for (size_t i = 0; i < array_size(words); i++) {
		size_t n = strlen(words[i].name), end = l->len;
		auto_free char *value = NULL;
		struct dep d = {.mail = m};

		if (l->len <= n || strncasecmp(l->text, words[i].name, n) != 0)
			continue;
		while (n < end && isspace((unsigned char)l->text[n]))
			n++;
		while (end > n && isspace((unsigned char)l->text[end - 1]))
			end--;
		value = xmemdup(l->text + n, end - n);
		value_read(&d, words[i].form, value);
		d.text = xmemdup(l->text, end < TEXT_MAX ? end : TEXT_MAX);
		if (dep_is_known(deps, &d)) {
			dep_done(&d);
		} else {
			arr_grow(deps->item, deps->n, deps->cap);
			deps->item[deps->n++] = d;
		}
		return;
	}
}

static void mail_read(struct deps *deps, const struct mail *m)
{
	struct reply_line l;
	struct reply_lines r;

	reply_lines_begin(&r, m->text, m->text_len);
	while (deps->n < DEPS_MAX && reply_lines_next(&r, &l))
		if (l.place == LINE_PLAIN || l.place == LINE_PATCH)
			line_read(deps, &l, m);
}

void deps_read(const struct series *s, struct deps *ret_deps)
{
	struct deps deps = {};

	if (s->cover)
		mail_read(&deps, s->cover);
	for (size_t i = 0; i < s->n_patches; i++)
		mail_read(&deps, s->patch[i].mail);
	*ret_deps = deps;
}

void deps_done(struct deps *d)
{
	for (size_t i = 0; i < d->n; i++)
		dep_done(&d->item[i]);
	free(d->item);
	*d = (struct deps){};
}
