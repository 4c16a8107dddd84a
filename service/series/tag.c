// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/tag.h"

#include <ctype.h>

/* What may follow a name, besides "-by". Cc: and To: in a reply are about the mail. */
static const char *const impersonal[] = {"Fixes", "Link", "Closes", "BugLink"};

static bool name_is_one_of(const struct tag *t, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(t->name, names[i]) == 0)
			return true;
	return false;
}

bool tag_is_personal(const struct tag *t)
{
	return !name_is_one_of(t, impersonal, array_size(impersonal));
}

bool tag_is_verdict(const struct tag *t)
{
	static const char *const names[] = {"Reviewed-by", "Acked-by", "Tested-by",
					    "Reviewed-and-tested-by", "Acked-and-tested-by"};

	return name_is_one_of(t, names, array_size(names));
}

bool tag_is_nack(const struct tag *t)
{
	static const char *const names[] = {"NACK", "Nacked-by", "Naked-by", "Nak-by"};

	return name_is_one_of(t, names, array_size(names));
}

int tag_cmp(const struct tag *a, const struct tag *b)
{
	int c = strcasecmp(a->name, b->name);

	if (!c)
		c = strcasecmp(a->who.email, b->who.email);
	if (!c && !*a->who.email)
		c = strcmp(a->value, b->value);
	return c;
}

void tag_copy(struct tag *ret_tag, const struct tag *t)
{
	*ret_tag = (struct tag){
		.name = xstrdup(t->name),
		.value = xstrdup(t->value),
		.who = {.name = xstrdup(t->who.name), .email = xstrdup(t->who.email)},
	};
}

void tag_done(struct tag *t)
{
	free(t->name);
	free(t->value);
	mail_addr_done(&t->who);
	*t = (struct tag){};
}

void tag_lines_done(struct tag_lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		tag_done(&l->item[i].tag);
	free(l->item);
	*l = (struct tag_lines){};
}

static void trim(struct reply_line *l)
{
	while (l->len && isspace((unsigned char)l->text[l->len - 1]))
		l->len--;
	while (l->len && isspace((unsigned char)*l->text)) {
		l->text++;
		l->len--;
	}
}

/* Length of the name before the colon; 0 when the line is no tag. */
static size_t name_len(const struct reply_line *l)
{
	size_t n = 0;

	if (!l->len || !isalpha((unsigned char)*l->text))
		return 0;
	while (n < l->len && (isalnum((unsigned char)l->text[n]) || l->text[n] == '-'))
		n++;
	if (n + 1 >= l->len || l->text[n] != ':' || !isspace((unsigned char)l->text[n + 1]))
		return 0;
	if (n > 3 && strncasecmp(l->text + n - 3, "-by", 3) == 0)
		return n;
	for (size_t i = 0; i < array_size(impersonal); i++)
		if (strlen(impersonal[i]) == n && strncasecmp(l->text, impersonal[i], n) == 0)
			return n;
	return 0;
}

/* "NACK", "NAK: breaks powerpc": in capitals, and the first word of its sentence. A line about
 * I2C's NACK goes on with other words. */
static bool is_nack(const struct reply_line *l)
{
	size_t n = 0;

	if (l->len >= 4 && memcmp(l->text, "NACK", 4) == 0)
		n = 4;
	else if (l->len >= 3 && memcmp(l->text, "NAK", 3) == 0)
		n = 3;
	return n && (n == l->len || strchr(".,:;!", l->text[n]) ||
		     (l->len >= n + 8 && memcmp(l->text + n, " from me", 8) == 0));
}

/* Without what is said after the address: "Acked-by: Ann <ann@example.org> # for the docs". */
static void who_read(struct tag *t)
{
	const char *close = strchr(t->value, '>'), *at = strchr(t->value, '@');
	auto_free char *address = NULL;

	if (!at || !tag_is_personal(t)) {
		t->who = (struct mail_addr){.name = xstrdup(""), .email = xstrdup("")};
		return;
	}
	if (close && close > at)
		address = xmemdup(t->value, (size_t)(close - t->value) + 1);
	else
		address = xmemdup(t->value, (size_t)(at - t->value) + strcspn(at, " \t#,;"));
	mail_addr_parse(address, &t->who);
}

/* The rest of a tag that was broken over two lines: an address alone, or the end of the title in
 * Fixes: 1234 ("...") */
static bool is_rest(const struct tag *t, const struct reply_line *next)
{
	if (next->len < 2 || name_len(next))
		return false;
	if (tag_is_personal(t))
		return !strchr(t->value, '@') && *next->text == '<' &&
		       memchr(next->text, '@', next->len) && next->text[next->len - 1] == '>';
	return strchr(t->value, '(') && !str_ends(t->value, ")") &&
	       next->text[next->len - 1] == ')';
}

static void rest_take(struct reply_lines *r, enum line_place place, struct tag *t)
{
	struct reply_lines ahead = *r;
	struct reply_line next;

	if (!reply_lines_next(&ahead, &next) || next.len > 1000)
		return;
	/* Mailers indent what they wrap. */
	if (next.place != place && !(place == LINE_PLAIN && next.place == LINE_INDENTED))
		return;
	if (place == LINE_QUOTED)
		reply_line_unquote(&next);
	trim(&next);
	if (!is_rest(t, &next))
		return;
	char *whole = xasprintf("%s %.*s", t->value, (int)next.len, next.text);

	free(t->value);
	t->value = whole;
	*r = ahead;
}

static bool tag_read(struct reply_lines *r, struct reply_line line, struct tag *ret_tag)
{
	enum line_place place = line.place;
	size_t n;

	if (place == LINE_QUOTED)
		reply_line_unquote(&line);
	trim(&line);
	n = name_len(&line);
	if (n) {
		struct reply_line value = {.text = line.text + n + 1, .len = line.len - n - 1};

		trim(&value);
		*ret_tag = (struct tag){.name = xmemdup(line.text, n),
					.value = xmemdup(value.text, value.len)};
		rest_take(r, place, ret_tag);
	} else if (place == LINE_PLAIN && is_nack(&line)) {
		*ret_tag = (struct tag){.name = xstrdup("NACK"),
					.value = xmemdup(line.text, line.len)};
	} else {
		return false;
	}
	who_read(ret_tag);
	return true;
}

void tags_read(const char *text, size_t n, struct tag_lines *ret_lines)
{
	struct tag_lines lines = {};
	struct reply_line line;
	struct reply_lines r;

	reply_lines_begin(&r, text, n);
	while (lines.n < TAGS_MAX && reply_lines_next(&r, &line)) {
		struct tag tag;

		if (!tag_read(&r, line, &tag))
			continue;
		arr_grow(lines.item, lines.n, lines.cap);
		lines.item[lines.n++] =
			(struct tag_line){.tag = tag, .place = line.place, .line = line.number};
	}
	*ret_lines = lines;
}
