// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a mail's From: is who it says, by what a trusted receiver noted (RFC 8601); and mails
 * that are never obeyed. */
#include "serve/command_mail.h"

#include "series/mail_kind.h"
#include <ctype.h>

#define HEADER_MAX ((size_t)64 << 10)

static size_t line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl ? (size_t)(nl + 1 - p) : (size_t)(end - p);
}

static void line_add(struct str *out, const char *p, size_t n)
{
	while (n && (p[n - 1] == '\n' || p[n - 1] == '\r'))
		n--;
	str_add(out, p, n);
}

char *header_next(const struct mail *m, const char *name, size_t *pos)
{
	const char *p = m->raw + *pos, *end = m->raw + m->raw_len;
	size_t len = strlen(name);
	struct str value;

	while (p < end && *p != '\n' && *p != '\r') {
		size_t n = line_len(p, end);
		bool hit = n > len && strncasecmp(p, name, len) == 0 && p[len] == ':';

		str_init(&value, HEADER_MAX);
		if (hit)
			line_add(&value, p + len + 1, n - len - 1);
		for (p += n; p < end && (*p == ' ' || *p == '\t'); p += n) {
			n = line_len(p, end);
			if (hit)
				line_add(&value, p, n);
		}
		if (hit) {
			*pos = (size_t)(p - m->raw);
			return str_take(&value);
		}
		str_done(&value);
	}
	*pos = (size_t)(p - m->raw);
	return NULL;
}

bool command_signs_for(const char *domain, const char *address)
{
	const char *at = strrchr(address, '@');
	size_t n = strlen(domain), m = at ? strlen(at + 1) : 0;

	/* A top-level domain signs for nobody. */
	if (!at || !n || !strchr(domain, '.') || m < n)
		return false;
	return strcasecmp(at + 1 + m - n, domain) == 0 && (m == n || at[m - n] == '.');
}

/* Takes comments out, and quotation marks off; false when they are not closed. */
static bool comments_drop(char *s)
{
	unsigned depth = 0;
	bool quoted = false;
	char *out = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1] && (quoted || depth)) {
			s++;
			if (!depth && *s != ';')
				*out++ = *s;
		} else if (*s == '"' && !depth) {
			quoted = !quoted;
		} else if (quoted) {
			/* What separates results must not come out of a quoted string. */
			*out++ = *s == ';' || isspace((unsigned char)*s) ? '_' : *s;
		} else if (*s == '(') {
			depth++;
		} else if (*s == ')' && depth) {
			depth--;
		} else if (!depth) {
			*out++ = *s;
		}
	}
	*out = '\0';
	return !quoted && !depth;
}

/* "dkim=pass header.d=example.org": the domain is one that signs for the address. */
static bool result_passes(char *result, const char *address)
{
	char *save = NULL, *word = strtok_r(result, " \t\r\n", &save);
	bool signs = false;

	if (!word || strcasecmp(word, "dkim=pass") != 0)
		return false;
	while ((word = strtok_r(NULL, " \t\r\n", &save))) {
		if (strncasecmp(word, "header.d=", 9) == 0)
			signs |= command_signs_for(word + 9, address);
		else if (strncasecmp(word, "header.i=", 9) == 0 && strrchr(word, '@'))
			signs |= command_signs_for(strrchr(word, '@') + 1, address);
	}
	return signs;
}

static bool from_is_one(const struct mail *m)
{
	size_t pos = 0;
	auto_free char *one = header_next(m, "From", &pos);
	auto_free char *two = one ? header_next(m, "From", &pos) : NULL;

	return one && !two;
}

void command_auth_results(const struct mail *m, const struct command_auth *how, char **ret_why)
{
	size_t pos = 0;
	auto_free char *header = header_next(m, "Authentication-Results", &pos);
	char *save = NULL, *part;
	size_t n;

	*ret_why = NULL;
	if (!from_is_one(m)) {
		*ret_why = xstrdup("it has not exactly one From:");
		return;
	}
	/* Those below were there when our receiver got the mail: anybody may have written them. */
	if (!header || !comments_drop(header) || !(part = strtok_r(header, ";", &save))) {
		*ret_why = xstrdup("no receiver noted that it checked the sender");
		return;
	}
	part += strspn(part, " \t");
	n = strcspn(part, " \t");
	if (!how->authserv || strlen(how->authserv) != n ||
	    strncasecmp(part, how->authserv, n) != 0) {
		*ret_why = xasprintf("the newest Authentication-Results are not %s's",
				     how->authserv ? how->authserv : "anybody");
		return;
	}
	while ((part = strtok_r(NULL, ";", &save)))
		if (result_passes(part, m->from.email))
			return;
	*ret_why = xasprintf("%s found no DKIM signature of the sender's domain", how->authserv);
}

static bool header_has(const struct mail *m, const char *name, const char *const *words)
{
	size_t pos = 0;
	char *value;
	bool has = false;

	while (!has && (value = header_next(m, name, &pos))) {
		const char *p = value + strspn(value, " \t");

		for (const char *const *w = words; *w && !has; w++)
			has = strncasecmp(p, *w, strlen(*w)) == 0;
		free(value);
	}
	return has;
}

static bool has_header(const struct mail *m, const char *name)
{
	size_t pos = 0;
	auto_free char *value = header_next(m, name, &pos);

	return value != NULL;
}

static bool is_ours(const struct conf *conf, const struct mail *m)
{
	const char *from = conf_str(conf, CONF_POST_FROM);
	auto_free char *own = NULL;
	struct mail_addr addr;
	bool ours;

	if (has_header(m, "X-Firn-Trial"))
		return true;
	if (!from)
		return false;
	own = mail_header_decode(from);
	mail_addr_parse(own, &addr);
	ours = strcasecmp(addr.email, m->from.email) == 0 ||
	       (m->message_id && str_starts(m->message_id, "firn.") && strchr(addr.email, '@') &&
		str_ends(m->message_id, strchr(addr.email, '@')));
	mail_addr_done(&addr);
	return ours;
}

char *command_loop(const struct conf *conf, const struct mail *m)
{
	static const char *const junk[] = {"junk", "auto_reply", NULL};
	static const char *const bulk[] = {"bulk", NULL};
	static const char *const mailers[] = {"firn",	"patchwork", "lkp",
					      "syzbot", "patchbot",  NULL};

	if (is_ours(conf, m))
		return xstrdup("it is one of our own mails");
	if (mail_is_robot(m) || header_has(m, "X-Mailer", mailers) ||
	    header_has(m, "User-Agent", mailers))
		return xstrdup("a program sent it");
	/* Some list servers (vger) mark all that they pass on as bulk. */
	if (header_has(m, "Precedence", junk) ||
	    (header_has(m, "Precedence", bulk) && !has_header(m, "List-Id")))
		return xstrdup("it is marked as bulk");
	return NULL;
}
