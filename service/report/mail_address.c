// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom a mail goes to. */
#include "report/mail_message.h"

#define LOCAL_MAX  64  /* RFC 5321 4.5.3.1.1 */
#define LABEL_MAX  63  /* RFC 1035 2.3.4 */
#define EMAIL_MAX  254 /* RFC 5321 4.5.3.1.3, without <> */
#define MAILBOX_IN 4096

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* RFC 5322 3.2.3 */
static bool is_atext(char c)
{
	return is_alnum(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

static bool local_ok(const char *s, size_t n)
{
	if (n == 0 || n > LOCAL_MAX || s[0] == '.' || s[n - 1] == '.' || s[0] == '-')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_atext(s[i]) && (s[i] != '.' || s[i + 1] == '.'))
			return false;
	return true;
}

static bool label_ok(const char *s, size_t n)
{
	if (n == 0 || n > LABEL_MAX || s[0] == '-' || s[n - 1] == '-')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_alnum(s[i]) && s[i] != '-')
			return false;
	return true;
}

static bool domain_ok(const char *s)
{
	size_t labels = 0;

	for (;; s++) {
		size_t n = strcspn(s, ".");

		if (!label_ok(s, n))
			return false;
		labels++;
		s += n;
		if (!*s)
			return labels > 1;
	}
}

bool mail_address_ok(const char *email)
{
	const char *at = strchr(email, '@');

	return at && strlen(email) <= EMAIL_MAX && local_ok(email, (size_t)(at - email)) &&
	       domain_ok(at + 1);
}

/* "NAME <ADDRESS>" or "ADDRESS". The name is what stands before, quotes around it taken off. */
static void mailbox_split(const char *text, char **ret_name, char **ret_email)
{
	size_t n = strlen(text);
	const char *open = n && text[n - 1] == '>' ? strrchr(text, '<') : NULL;
	size_t end = open ? (size_t)(open - text) : 0;

	while (end && (text[end - 1] == ' ' || text[end - 1] == '\t'))
		end--;
	if (end > 1 && text[0] == '"' && text[end - 1] == '"') {
		*ret_name = xmemdup(text + 1, end - 2);
	} else {
		*ret_name = xmemdup(text, end);
	}
	*ret_email = open ? xmemdup(open + 1, n - (size_t)(open - text) - 2) : xstrdup(text);
}

static bool is_there(const struct mail_recipients *l, const char *email)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcasecmp(l->item[i].email, email) == 0)
			return true;
	return false;
}

static void recipient_add(struct mail_recipients *l, const json_t *value, bool cc)
{
	/* A string with an inner NUL would be cut there, and be another address. */
	bool whole = json_is_string(value) && json_string_length(value) < MAILBOX_IN &&
		     strlen(json_string_value(value)) == json_string_length(value);
	struct mail_recipient r = {.cc = cc};

	mailbox_split(whole ? json_string_value(value) : "", &r.name, &r.email);
	if (is_there(l, r.email)) {
		free(r.name);
		free(r.email);
		return;
	}
	if (!mail_address_ok(r.email))
		r.dropped = xstrdup("not an address that firn writes to");
	else if (l->n >= MAIL_RECIPIENTS_MAX)
		r.dropped = xstrdup("too many recipients");
	arr_grow(l->item, l->n, l->cap);
	l->item[l->n++] = r;
}

static void recipients_add(struct mail_recipients *l, const json_t *list, bool cc)
{
	const json_t *value;
	size_t i;

	json_array_foreach (list, i, value) {
		/* The rest is not even looked at: it is nothing that a policy asked for. */
		if (l->n > MAIL_RECIPIENTS_MAX)
			break;
		recipient_add(l, value, cc);
	}
}

void mail_recipients_read(const json_t *want, struct mail_recipients *ret)
{
	*ret = (struct mail_recipients){0};
	recipients_add(ret, json_object_get(want, "to"), false);
	recipients_add(ret, json_object_get(want, "cc"), true);
}

void mail_recipient_drop(struct mail_recipient *r, const char *why)
{
	if (!r->dropped)
		r->dropped = xstrdup(why);
}

size_t mail_recipients_left(const struct mail_recipients *l)
{
	size_t left = 0;

	for (size_t i = 0; i < l->n; i++)
		left += !l->item[i].dropped;
	return left;
}

char *mail_recipients_words(const struct mail_recipients *l)
{
	auto_str struct str words;

	str_init(&words, 1024);
	for (size_t i = 0; i < l->n; i++)
		if (l->item[i].dropped)
			str_addf(&words, "%s%.100s: %s", words.len ? "; " : "", l->item[i].email,
				 l->item[i].dropped);
	return str_take(&words);
}

void mail_recipients_done(struct mail_recipients *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->item[i].name);
		free(l->item[i].email);
		free(l->item[i].dropped);
	}
	free(l->item);
	*l = (struct mail_recipients){0};
}

int mail_from_address(const char *from, char **ret_email, struct err *err)
{
	auto_free char *name = NULL, *email = NULL;

	if (!from)
		return err_set(err, ERR_CONFIG, "post.from is not set: mails have no sender");
	mailbox_split(from, &name, &email);
	if (!mail_address_ok(email))
		return err_set(err, ERR_CONFIG, "post.from: \"%s\" is no mail address", from);
	*ret_email = take(email);
	return 0;
}
