// SPDX-License-Identifier: GPL-2.0-or-later
/* What Patchwork takes as a check. */
#include "intake/patchwork_api.h"

#include "base/json.h"
#include <arpa/inet.h>
#include <ctype.h>

#define CONTEXT_MAX 255
#define URL_MAX	    200

static bool is_label(const char *p, size_t n)
{
	if (n == 0 || n > 63 || p[0] == '-' || p[n - 1] == '-')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isascii((unsigned char)p[i]) || (!isalnum((unsigned char)p[i]) && p[i] != '-'))
			return false;
	return true;
}

/* Labels, at least two of them, or an IPv4 address. */
static bool host_fits(const char *host)
{
	struct in_addr addr;
	const char *p = host, *dot;
	size_t n = 0;

	if (strspn(host, "0123456789.") == strlen(host))
		return inet_pton(AF_INET, host, &addr) == 1;
	for (;; p = dot + 1) {
		dot = strchrnul(p, '.');
		if (!is_label(p, (size_t)(dot - p)))
			return false;
		n++;
		if (!*dot)
			return n >= 2 && strlen(p) >= 2 && !isdigit((unsigned char)*p);
	}
}

/* What stands between "://" and the path. libcurl would make an address out of "1.2". */
static bool authority_fits(const char *p)
{
	size_t n = strcspn(p, ":/?#"), digits = 0;
	auto_free char *host = xmemdup(p, n);

	p += n;
	if (*p == ':') {
		digits = strspn(p + 1, "0123456789");
		if (digits == 0 || digits > 5)
			return false;
		p += 1 + digits;
	}
	return (!*p || strchr("/?#", *p)) && host_fits(host);
}

bool patchwork_url_fits(const char *url)
{
	if (!str_starts(url, "http://") && !str_starts(url, "https://"))
		return false;
	for (const char *p = url; *p; p++)
		if (p - url >= URL_MAX || !isascii((unsigned char)*p) ||
		    !isgraph((unsigned char)*p))
			return false;
	return authority_fits(strstr(url, "://") + 3);
}

/* Bytes of the character at `p`, whose text is valid UTF-8. */
static size_t char_len(const char *p)
{
	size_t n = 1;

	while (((unsigned char)p[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* White space and control characters become one space, none at the ends. */
static char *one_line(const char *text)
{
	auto_str struct str line;

	str_init(&line, 0);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p > ' ' && *p != 0x7f)
			str_addc(&line, (char)*p);
		else if (line.len && line.buf[line.len - 1] != ' ')
			str_addc(&line, ' ');
	}
	while (line.len && line.buf[line.len - 1] == ' ')
		line.buf[--line.len] = '\0';
	return str_take(&line);
}

json_t *patchwork_line(const char *text, size_t max)
{
	auto_json json_t *whole = json_text(text);
	auto_free char *line = one_line(json_string_value(whole));
	const char *p = line, *cut = line;
	size_t n = 0;

	for (; *p; p += char_len(p), n++)
		if (n + 3 == max)
			cut = p;
	if (n <= max)
		return json_text(line);
	memset(line + (cut - line), '.', 3);
	return json_text_n(line, (size_t)(cut - line) + 3);
}

json_t *patchwork_check_body(const struct patchwork_check *check)
{
	json_t *body = json_object(), *description = NULL;

	if (check->description)
		description = patchwork_line(check->description, PATCHWORK_DESCRIPTION_MAX);
	if (description && !*json_string_value(description)) {
		json_decref(description);
		description = NULL;
	}
	json_object_set_new(body, "state", json_text(check->state));
	json_object_set_new(body, "context", json_text(check->context));
	json_object_set_new(body, "description", description ?: json_null());
	json_object_set_new(body, "target_url",
			    check->url && patchwork_url_fits(check->url) ? json_text(check->url)
									 : json_null());
	return body;
}

static bool is_context(const char *text)
{
	size_t n = strlen(text);

	for (const char *p = text; *p; p++)
		if (!isascii((unsigned char)*p) ||
		    (!isalnum((unsigned char)*p) && *p != '-' && *p != '_'))
			return false;
	return n > 0 && n <= CONTEXT_MAX;
}

static bool is_state(const char *text)
{
	static const char *const states[] = {"pending", "success", "warning", "fail", NULL};

	for (const char *const *s = states; *s; s++)
		if (strcmp(*s, text) == 0)
			return true;
	return false;
}

int patchwork_check_fits(const struct patchwork_check *check, struct err *err)
{
	if (!is_context(check->context))
		return err_set(err, ERR_INPUT,
			       "\"%s\" is no context of a check: letters, digits, - and _",
			       check->context);
	if (!is_state(check->state))
		return err_set(err, ERR_INPUT, "\"%s\" is no state of a check", check->state);
	return 0;
}
