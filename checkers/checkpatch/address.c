// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/address.h"

#include "base/str.h"
#include <ctype.h>
#include <strings.h>

struct text {
	const char *s, *end;
};

static struct text trim(struct text t)
{
	while (t.s < t.end && isspace((unsigned char)*t.s))
		t.s++;
	while (t.s < t.end && isspace((unsigned char)t.end[-1]))
		t.end--;
	return t;
}

static char *text_copy(struct text t)
{
	return xmemdup(t.s, (size_t)(t.end - t.s));
}

/* Letters without a space, and an '@' with some on both sides. */
static bool is_email(struct text t)
{
	const char *at = NULL;

	for (const char *s = t.s; s < t.end; s++) {
		if (isspace((unsigned char)*s))
			return false;
		if (*s == '@' && s > t.s && s + 1 < t.end)
			at = s;
	}
	return at;
}

/* The last <email> in the text: its two brackets. */
static bool find_brackets(struct text t, struct text *ret)
{
	for (const char *open = t.end; open > t.s;) {
		const char *close;

		open = memrchr(t.s, '<', (size_t)(open - t.s));
		if (!open)
			return false;
		close = memrchr(open, '>', (size_t)(t.end - open));
		/* The last '>' that has no space before it. */
		while (close && !is_email((struct text){open + 1, close}))
			close = memrchr(open, '>', (size_t)(close - open));
		if (close) {
			*ret = (struct text){open, close};
			return true;
		}
	}
	return false;
}

/* "A (x) B": the name without the bracket, and what is in it. */
static void name_split(struct text name, struct address *a)
{
	const char *open, *close;

	name = trim(name);
	if (name.end - name.s > 1 && *name.s == '"' && name.end[-1] == '"') {
		name.s++;
		name.end--;
	}
	name = trim(name);
	open = memchr(name.s, '(', (size_t)(name.end - name.s));
	close = open ? memrchr(open, ')', (size_t)(name.end - open)) : NULL;
	if (!close) {
		a->name = text_copy(name);
		a->comment = xstrdup("");
		return;
	}
	struct text before = trim((struct text){name.s, open});
	struct text after = trim((struct text){close + 1, name.end});

	a->comment = text_copy((struct text){open, close + 1});
	a->name = xasprintf("%.*s%s%.*s", (int)(before.end - before.s), before.s,
			    before.s < before.end && after.s < after.end ? " " : "",
			    (int)(after.end - after.s), after.s);
}

static void email_tidy(struct text t, struct address *a)
{
	a->is_tidy = t.end[-1] != '.' && t.end[-1] != ',';
	if (!a->is_tidy)
		t.end--;
	a->email = text_copy(t);
}

bool address_parse(const char *s, size_t n, struct address *ret)
{
	struct text t = trim((struct text){s, s + n}), email, rest;

	if (find_brackets(t, &email)) {
		name_split((struct text){t.s, email.s}, ret);
		rest = (struct text){email.end + 1, t.end};
		email.s++;
	} else {
		for (email = (struct text){t.s, t.s}; email.end < t.end; email.end++)
			if (isspace((unsigned char)*email.end))
				break;
		rest = (struct text){email.end, t.end};
		if (!is_email(email) || *email.s == '<')
			return false;
		ret->name = xstrdup("");
		ret->comment = xstrdup("");
	}
	email_tidy(email, ret);
	ret->rest = text_copy(trim(rest));
	return true;
}

void address_done(struct address *a)
{
	free(a->name);
	free(a->email);
	free(a->comment);
	free(a->rest);
}

/* ada+linux@example.org is ada@example.org's. */
static bool same_mailbox(const char *a, const char *b)
{
	size_t user_a = strcspn(a, "+@"), user_b = strcspn(b, "+@");
	const char *host_a = strchr(a, '@'), *host_b = strchr(b, '@');

	return user_a == user_b && strncasecmp(a, b, user_a) == 0 && host_a && host_b &&
	       strcasecmp(host_a, host_b) == 0;
}

enum address_match address_compare(const struct address *a, const struct address *b)
{
	bool same_name = strcmp(a->name, b->name) == 0;

	if (strcasecmp(a->email, b->email) == 0) {
		if (!same_name)
			return ADDRESS_OTHER_NAME;
		return strcmp(a->email, b->email) == 0 && strcmp(a->comment, b->comment) == 0 &&
				       strcmp(a->rest, b->rest) == 0
			       ? ADDRESS_SAME
			       : ADDRESS_OTHER_COMMENT;
	}
	if (!same_name)
		return ADDRESS_OTHER;
	return same_mailbox(a->email, b->email) ? ADDRESS_OTHER_SUBADDRESS : ADDRESS_OTHER_EMAIL;
}
