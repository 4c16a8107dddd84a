// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of Patchwork's pages (its urls.py). */
#include "intake/patchwork.h"

#include <ctype.h>
#include <curl/curl.h>

#define PARTS_MAX 12
#define ID_MAX	  990

/* A path cut at its slashes: words of it, from the left. */
struct parts {
	char *word[PARTS_MAX];
	size_t n;
};

static void parts_split(char *path, struct parts *ret)
{
	for (char *p = path, *save = NULL; ret->n < PARTS_MAX; p = NULL) {
		char *word = strtok_r(p, "/", &save);

		if (!word)
			break;
		ret->word[ret->n++] = word;
	}
}

static int64_t number_of(const char *word)
{
	char *end;
	long long n;

	if (!word || !isdigit((unsigned char)*word))
		return 0;
	errno = 0;
	n = strtoll(word, &end, 10);
	return errno || *end || n <= 0 ? 0 : n;
}

/* Django has escaped what Patchwork wrote, and Patchwork has escaped slashes before. */
static char *message_id_of(const char *word)
{
	int n = 0;
	char *raw = curl_easy_unescape(NULL, word, 0, &n);
	auto_str struct str id;

	str_init(&id, 0);
	for (const char *p = raw ?: ""; *p; p++) {
		if (strncasecmp(p, "%2F", 3) == 0) {
			str_addc(&id, '/');
			p += 2;
		} else if (isascii((unsigned char)*p) && isgraph((unsigned char)*p) &&
			   !strchr("<>", *p)) {
			str_addc(&id, *p);
		} else {
			str_reset(&id);
			break;
		}
	}
	curl_free(raw);
	return id.len && id.len <= ID_MAX && strchr(id.buf, '@') ? str_take(&id) : NULL;
}

struct link {
	char *message_id;
	int64_t patch, series;
	size_t at; /* the part at which Patchwork's own path begins */
};

static bool is_word(const struct parts *p, size_t i, const char *word)
{
	return i < p->n && strcmp(p->word[i], word) == 0;
}

/* Without a number behind it, "patch" is a word of a prefix or of another site. */
static bool by_number(const struct parts *p, size_t i, struct link *ret)
{
	int64_t n = i + 1 < p->n ? number_of(p->word[i + 1]) : 0;

	ret->at = i;
	if (is_word(p, i, "api")) {
		bool versioned = i + 1 < p->n && isdigit((unsigned char)p->word[i + 1][0]);

		return (is_word(p, i + 1 + versioned, "patches") ||
			is_word(p, i + 1 + versioned, "series")) &&
		       by_number(p, i + 1 + versioned, ret) && ((ret->at = i), true);
	}
	if (n && (is_word(p, i, "patch") || is_word(p, i, "patches")))
		ret->patch = n;
	else if (n && is_word(p, i, "series"))
		ret->series = n;
	return ret->patch || ret->series;
}

/* series=N among the parameters. */
static int64_t series_of(const char *query)
{
	for (const char *p = query; p; p = strchr(p, '&')) {
		auto_free char *value = NULL;

		p += *p == '&';
		if (!str_starts(p, "series="))
			continue;
		p += strlen("series=");
		value = xmemdup(p, strcspn(p, "&"));
		return number_of(value);
	}
	return 0;
}

static bool by_project(const struct parts *p, size_t i, const char *query, struct link *ret)
{
	ret->at = i;
	if (i + 2 >= p->n)
		return false;
	if (is_word(p, i + 2, "list"))
		ret->series = series_of(query);
	else if ((is_word(p, i + 2, "patch") || is_word(p, i + 2, "cover")) && i + 3 < p->n)
		ret->message_id = message_id_of(p->word[i + 3]);
	return ret->series || ret->message_id;
}

static bool find(const struct parts *p, const char *query, struct link *ret)
{
	for (size_t i = 0; i < p->n; i++) {
		if (is_word(p, i, "project"))
			return by_project(p, i, query, ret);
		if (by_number(p, i, ret))
			return true;
	}
	return false;
}

static char *part_of(CURLU *u, CURLUPart part)
{
	char *text = NULL, *copy;

	if (curl_url_get(u, part, &text, 0) != CURLUE_OK)
		return NULL;
	copy = xstrdup(text);
	curl_free(text);
	return copy;
}

/* What stands before Patchwork's own path. */
static char *base_of(CURLU *u, const struct parts *p, size_t n)
{
	auto_str struct str path;

	str_init(&path, 0);
	str_addc(&path, '/');
	for (size_t i = 0; i < n; i++)
		str_addf(&path, "%s/", p->word[i]);
	curl_url_set(u, CURLUPART_PATH, path.buf, 0);
	curl_url_set(u, CURLUPART_QUERY, NULL, 0);
	curl_url_set(u, CURLUPART_FRAGMENT, NULL, 0);
	return part_of(u, CURLUPART_URL);
}

bool patchwork_link_parse(const char *link, char **ret_base, char **ret_message_id,
			  int64_t *ret_patch, int64_t *ret_series)
{
	CURLU *u;
	auto_free char *path = NULL, *query = NULL, *user = NULL;
	struct parts parts = {0};
	struct link l = {0};
	char *base = NULL;

	if (!str_starts(link, "http://") && !str_starts(link, "https://"))
		return false;
	u = curl_url();
	if (curl_url_set(u, CURLUPART_URL, link, 0) == CURLUE_OK) {
		path = part_of(u, CURLUPART_PATH);
		query = part_of(u, CURLUPART_QUERY);
		user = part_of(u, CURLUPART_USER);
		parts_split(path ?: (path = xstrdup("")), &parts);
		if (!user && find(&parts, query, &l))
			base = base_of(u, &parts, l.at);
	}
	curl_url_cleanup(u);
	if (!base) {
		free(l.message_id);
		return false;
	}
	*ret_base = base;
	*ret_message_id = l.message_id;
	*ret_patch = l.patch;
	*ret_series = l.series;
	return true;
}
