// SPDX-License-Identifier: GPL-2.0-or-later
/* The people of a mail, also where a list hides them. */
#include "intake/mail_internal.h"

/* More addresses than this in one header are not looked at. */
#define ADDRS_MAX 200

/* Takes the quotes off quoted strings, and the backslashes out of these and of comments: RFC
 * 5322 3.2.4. */
static char *addr_unquote(const char *s)
{
	char *out = xmalloc(strlen(s) + 1), *o = out;
	bool quoted = false;
	unsigned comment = 0;

	for (; *s; s++) {
		if (*s == '"' && !comment) {
			quoted = !quoted;
			continue;
		}
		if (*s == '\\' && (quoted || comment) && s[1])
			s++;
		else if (!quoted && *s == '(')
			comment++;
		else if (comment && *s == ')')
			comment--;
		*o++ = *s;
	}
	*o = '\0';
	return out;
}

/* Trims, and makes one space of several. */
static char *spaces_clean(char *s)
{
	char *o = s;

	for (const char *p = s; *p; p++)
		if (!mail_is_space(*p) || (o > s && o[-1] != ' '))
			*o++ = mail_is_space(*p) ? ' ' : *p;
	while (o > s && o[-1] == ' ')
		o--;
	*o = '\0';
	return s;
}

/* Takes off parentheses round the whole: "john@example.org (John Doe)". */
static char *name_clean(char *s)
{
	size_t n = strlen(spaces_clean(s));

	if (n >= 2 && s[0] == '(' && s[n - 1] == ')') {
		memmove(s, s + 1, n - 2);
		s[n - 2] = '\0';
	}
	return s;
}

/* "John Doe <johndoe>", as it stands. */
static void addr_without_at(const char *decoded, struct mail_addr *ret)
{
	const char *begin = strchr(decoded, '<'), *end = begin ? strchr(begin, '>') : NULL;

	ret->email = end ? xmemdup(begin + 1, (size_t)(end - begin - 1)) : xstrdup("");
	ret->name = end ? spaces_clean(xmemdup(decoded, (size_t)(begin - decoded))) : xstrdup("");
}

void mail_addr_parse(const char *decoded, struct mail_addr *ret)
{
	auto_free char *s = addr_unquote(decoded);
	char *at = strchr(s, '@'), *begin = at, *end;

	*ret = (struct mail_addr){};
	if (!at) {
		addr_without_at(decoded, ret);
		return;
	}
	while (begin > s && !mail_is_space(begin[-1]) && begin[-1] != '<')
		begin--;
	end = at + strcspn(at, " \n\t\r\v\f>");
	ret->email = xmemdup(begin, (size_t)(end - begin));
	if (*end)
		end++;
	if (begin > s && begin[-1] == '<')
		begin[-1] = ' ';
	memmove(begin, end, strlen(end) + 1);
	ret->name = xstrdup(name_clean(s));
}

/* The next address of a list of them, still encoded: commas in quotes, comments and <> do not end
 * it. NULL at the end. */
static char *addr_next(const char **p)
{
	const char *begin = *p + strspn(*p, ", \t\r\n"), *q;
	bool quoted = false;
	int depth = 0;

	for (q = begin; *q && (*q != ',' || quoted || depth > 0); q++) {
		if (*q == '\\' && q[1])
			q++;
		else if (*q == '"')
			quoted = !quoted;
		else if (!quoted && (*q == '(' || *q == '<'))
			depth++;
		else if (!quoted && (*q == ')' || *q == '>'))
			depth--;
	}
	*p = q;
	return q > begin ? xmemdup(begin, (size_t)(q - begin)) : NULL;
}

/* The length of A in "A via LIST"; 0 when the name is not like that. Google groups put A in ''. */
static size_t via_len(const char *name)
{
	const char *via = NULL;

	for (const char *p = name; (p = strstr(p, " via")); p++)
		if (p[4] == ' ' || p[4] == '\0')
			via = p;
	return via ? (size_t)(via - name) : 0;
}

/* A of "A via LIST", without the quotes that it may have. */
static char *via_name(const char *name)
{
	size_t n = via_len(name);

	if (n >= 2 && name[0] == '\'' && name[n - 1] == '\'')
		return xmemdup(name + 1, n - 2);
	return xmemdup(name, n);
}

struct search {
	const char *name;     /* who is looked for */
	const char *not_this; /* the list's address */
	bool name_only;	      /* another name will not do */
};

/* Takes the best address of one header: that of the right name, else the first that is not the
 * list's. */
static bool addr_search(GMimeMessage *msg, const char *header, const struct search *search,
			struct mail_addr *ret)
{
	const char *p = mail_header_raw(msg, header, false);
	bool found = false, named = false;
	char *one;

	for (int i = 0; p && !named && i < ADDRS_MAX && (one = addr_next(&p)); i++) {
		auto_free char *decoded = mail_header_decode(one);
		struct mail_addr addr;

		mail_addr_parse(decoded, &addr);
		free(one);
		named = *search->name && strcasecmp(addr.name, search->name) == 0;
		if (*addr.email && strcasecmp(addr.email, search->not_this) != 0 &&
		    (named || (!found && !search->name_only))) {
			mail_addr_done(ret);
			*ret = addr;
			addr = (struct mail_addr){};
			found = true;
		} else {
			named = false;
		}
		mail_addr_done(&addr);
	}
	return found;
}

static void original_read(struct mail *m, GMimeMessage *msg)
{
	static const char *const headers[] = {"X-Original-From", "X-Patchwork-Submitter",
					      "Reply-To", "Cc"};
	auto_free char *name = via_name(m->from.name);
	struct search search = {.name = name, .not_this = m->from.email};

	for (size_t i = 0; i < array_size(headers); i++) {
		search.name_only = i == array_size(headers) - 1;
		if (addr_search(msg, headers[i], &search, &m->original))
			break;
	}
	if (!m->original.email)
		return;
	if (!*m->original.name || via_len(m->original.name)) {
		free(m->original.name);
		m->original.name = take(name);
	}
}

static void addr_read(GMimeMessage *msg, const char *name, struct mail_addr *ret)
{
	const char *raw = mail_header_raw(msg, name, true);
	auto_free char *text = raw ? mail_header_decode(raw) : xstrdup("");

	mail_addr_parse(text, ret);
}

static void addr_never_null(struct mail_addr *a)
{
	if (!a->email)
		*a = (struct mail_addr){xstrdup(""), xstrdup("")};
}

void mail_addrs_read(struct mail *m, GMimeMessage *msg)
{
	addr_read(msg, "From", &m->from);
	addr_read(msg, "Sender", &m->sender);
	auto_free char *name = via_name(m->from.name);
	struct search search = {.name = name, .not_this = m->from.email};

	if (!addr_search(msg, "Reply-To", &search, &m->reply_to))
		addr_read(msg, "Reply-To", &m->reply_to);
	if (via_len(m->from.name))
		original_read(m, msg);
	addr_never_null(&m->original);
}

bool mail_person(const struct mail *m, struct mail_addr *ret)
{
	const struct mail_addr *who = via_len(m->from.name) ? &m->original : &m->from;

	if (who == &m->original && (!who->email || !*who->email))
		return false;
	*ret = (struct mail_addr){xstrdup(who->name), xstrdup(who->email)};
	return true;
}
