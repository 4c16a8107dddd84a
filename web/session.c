// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/session.h"

#include "web/token.h"
#include <glib.h>
#include <microhttpd.h>
#include <sys/random.h>

#define COOKIES_TRIED 8 /* of our name; a browser sends one */

static void mac(const struct session_key *key, const char *what, const char *value,
		char ret[static SESSION_MAC_MAX])
{
	auto_free char *text = xasprintf("%s %s", what, value);
	char *hex = g_compute_hmac_for_data(G_CHECKSUM_SHA256, key->bytes, sizeof(key->bytes),
					    (const guchar *)text, strlen(text));

	snprintf(ret, SESSION_MAC_MAX, "%s", hex);
	g_free(hex);
}

int session_key_make(struct session_key *ret, struct err *err)
{
	if (getrandom(ret->bytes, sizeof(ret->bytes), 0) != sizeof(ret->bytes))
		return err_sys(err, ERR_INFRA, "no random bytes");
	return 0;
}

void session_key_of(const struct token *token, struct session_key *ret)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize n = sizeof(ret->bytes);

	g_checksum_update(sum, (const guchar *)"firn session\n", -1);
	g_checksum_update(sum, (const guchar *)token->name, -1);
	g_checksum_update(sum, (const guchar *)" ", 1);
	g_checksum_update(sum, (const guchar *)token->secret, -1);
	g_checksum_get_digest(sum, ret->bytes, &n);
	g_checksum_free(sum);
}

static bool is_https(const struct request *q)
{
	return q->opt->url && strncasecmp(q->opt->url, "https://", 8) == 0;
}

/* With the prefix no other server of the domain can set it (RFC 6265bis). */
static const char *cookie_name(const struct request *q)
{
	return is_https(q) ? "__Host-firn" : "firn";
}

char *session_cookie(const struct request *q, const struct token *token, int64_t until)
{
	const char *secure = is_https(q) ? "; Secure" : "";
	auto_free char *value = NULL;
	struct session_key key;
	char sum[SESSION_MAC_MAX];

	if (!token)
		return xasprintf("%s=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict%s",
				 cookie_name(q), secure);
	value = xasprintf("%s.%lld", token->name, (long long)until);
	session_key_of(token, &key);
	mac(&key, "cookie", value, sum);
	return xasprintf("%s=%s.%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s",
			 cookie_name(q), value, sum, SESSION_S, secure);
}

/* Was it signed with one of the tokens of that name? */
static bool is_signed(const struct tokens *tokens, const char *who, const char *value,
		      const char *sum, struct session_key *ret_key)
{
	for (size_t i = 0; i < tokens->n; i++) {
		struct session_key key;
		char right[SESSION_MAC_MAX];

		if (strcmp(tokens->token[i].name, who) != 0)
			continue;
		session_key_of(&tokens->token[i], &key);
		mac(&key, "cookie", value, right);
		if (!token_is(sum, right))
			continue;
		*ret_key = key;
		return true;
	}
	return false;
}

/* NAME.UNTIL.MAC, where NAME may have dots; NULL when it is none of ours. */
static char *value_who(const struct tokens *tokens, char *value, int64_t now,
		       struct session_key *ret_key)
{
	char *sum = strrchr(value, '.'), *until;
	auto_free char *who = NULL;

	if (!sum)
		return NULL;
	*sum++ = '\0';
	until = strrchr(value, '.');
	if (!until || !token_name_valid(value, (size_t)(until - value)) ||
	    strtoll(until + 1, NULL, 10) <= now)
		return NULL;
	who = xmemdup(value, (size_t)(until - value));
	return is_signed(tokens, who, value, sum, ret_key) ? take(who) : NULL;
}

char *session_cookie_who(const struct request *q, const char *cookies, int64_t now,
			 struct session_key *ret_key)
{
	const char *name = cookie_name(q);
	size_t n_name = strlen(name), tries = 0;

	for (const char *s = cookies && q->tokens ? cookies : ""; *s;) {
		size_t n = strcspn(s, ";");

		if (n > n_name && s[n_name] == '=' && strncmp(s, name, n_name) == 0 &&
		    tries++ < COOKIES_TRIED) {
			auto_free char *value = xmemdup(s + n_name + 1, n - n_name - 1);
			char *who = value_who(q->tokens, value, now, ret_key);

			if (who)
				return who;
		}
		s += n;
		s += strspn(s, "; \t");
	}
	return NULL;
}

const char *session_csrf(const struct session_key *key, const char *who,
			 char ret[static SESSION_MAC_MAX])
{
	mac(key, "csrf", who, ret);
	return ret;
}

/* "https://firn.example.org" of "https://firn.example.org/a", up to n bytes. */
static size_t origin_length(const char *url)
{
	const char *host = strstr(url, "://");

	return host ? (size_t)(host + 3 - url) + strcspn(host + 3, "/?#") : 0;
}

static bool origin_is_host(const char *origin, const char *host)
{
	const char *rest = strstr(origin, "://");

	return rest && host && (str_starts(origin, "http:") || str_starts(origin, "https:")) &&
	       strcasecmp(rest + 3, host) == 0;
}

bool session_origin_is_ours(const struct request *q)
{
	const char *url = q->opt->url;
	size_t n = url ? origin_length(url) : 0;

	if (q->fetch_site)
		return strcmp(q->fetch_site, "same-origin") == 0;
	if (!q->origin || origin_is_host(q->origin, q->host))
		return true;
	return n && strlen(q->origin) == n && strncasecmp(q->origin, url, n) == 0;
}

bool session_form_is_ours(const struct request *q, struct response *r)
{
	if (q->who && *q->csrf && token_is(form(q, "csrf"), q->csrf))
		return true;
	respond_error(q, r, MHD_HTTP_FORBIDDEN,
		      "The form is not one that was made for you, or it is an old one: go back, "
		      "load the page again and send it from there.");
	return false;
}

const char *session_return(const char *to)
{
	if (to[0] != '/' || to[1] == '/' || to[1] == '\\')
		return "/";
	for (const char *s = to; *s; s++)
		if (*s <= ' ' || *s > '~' || strchr("\\\"<>", *s))
			return "/";
	return to;
}
