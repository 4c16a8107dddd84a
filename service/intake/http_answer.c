// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/http_answer.h"

#include "base/clock.h"
#include <ctype.h>
#include <curl/curl.h>
#include <math.h>

#define HEADER_MAX 8192

void http_response_done(struct http_response *r)
{
	if (r->body.buf)
		str_done(&r->body);
	free(r->content_type);
	free(r->location);
	free(r->next);
	*r = (struct http_response){.retry_after_s = -1};
}

/* The value of the header if the line is of this name; else NULL. The caller frees. */
static char *value_of(const char *line, size_t n, const char *name)
{
	size_t m = strlen(name);
	const char *p = line + m + 1, *end = line + n;

	if (n <= m || line[m] != ':' || strncasecmp(line, name, m) != 0)
		return NULL;
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return xmemdup(p, (size_t)(end - p));
}

/* RFC 9110 10.2.3: seconds, or a date. */
static double retry_after(const char *value)
{
	char *end;
	double s = strtod(value, &end);
	time_t date;

	if (end != value && !*end)
		return isfinite(s) && s >= 0 ? s : -1;
	date = curl_getdate(value, NULL);
	if (date < 0)
		return -1;
	return fmax(0, (double)date - (double)clock_wall());
}

/* Does one link's parameters say rel=next? */
static bool is_next(const char *params)
{
	for (const char *rel = params; (rel = strstr(rel, "rel=")) != NULL;) {
		rel += strlen("rel=");
		rel += *rel == '"';
		if (strncmp(rel, "next", 4) == 0 && !isalnum((unsigned char)rel[4]))
			return true;
	}
	return false;
}

/* RFC 8288: <URL>; rel="next", ... */
static char *link_next(const char *value)
{
	for (const char *p = value; (p = strchr(p, '<')) != NULL;) {
		const char *end = strchr(p, '>');
		auto_free char *params = NULL;

		if (!end)
			return NULL;
		params = xmemdup(end, strcspn(end, "<"));
		if (is_next(params))
			return xmemdup(p + 1, (size_t)(end - p) - 1);
		p = end;
	}
	return NULL;
}

static char *media_type(char *value)
{
	value[strcspn(value, "; \t")] = '\0';
	for (char *p = value; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return value;
}

void http_header_take(const char *line, size_t n, struct http_response *r)
{
	char *value;

	if (n > HEADER_MAX)
		return;
	if (n >= 5 && memcmp(line, "HTTP/", 5) == 0) { /* also after 100 Continue */
		free(r->content_type);
		free(r->location);
		free(r->next);
		r->content_type = r->location = r->next = NULL;
		r->retry_after_s = -1;
	} else if ((value = value_of(line, n, "Content-Type"))) {
		free(r->content_type);
		r->content_type = media_type(value);
	} else if ((value = value_of(line, n, "Location"))) {
		free(r->location);
		r->location = value;
	} else if ((value = value_of(line, n, "Retry-After"))) {
		r->retry_after_s = retry_after(value);
		free(value);
	} else if ((value = value_of(line, n, "Link"))) {
		free(r->next);
		r->next = link_next(value);
		free(value);
	}
}

static char *part_of(CURLU *u, CURLUPart part, unsigned flags)
{
	char *text = NULL, *copy;

	if (curl_url_get(u, part, &text, flags) != CURLUE_OK)
		return xstrdup("");
	copy = xstrdup(text);
	curl_free(text);
	return copy;
}

static bool same_part(CURLU *a, CURLU *b, CURLUPart part, unsigned flags)
{
	auto_free char *x = part_of(a, part, flags), *y = part_of(b, part, flags);

	return strcasecmp(x, y) == 0;
}

/* From http to https on the default ports is the same place. */
static bool is_upgrade(CURLU *from, CURLU *to)
{
	auto_free char *a = part_of(from, CURLUPART_SCHEME, 0),
		       *b = part_of(to, CURLUPART_SCHEME, 0),
		       *p = part_of(from, CURLUPART_PORT, CURLU_DEFAULT_PORT),
		       *q = part_of(to, CURLUPART_PORT, CURLU_DEFAULT_PORT);

	return strcmp(a, "http") == 0 && strcmp(b, "https") == 0 && strcmp(p, "80") == 0 &&
	       strcmp(q, "443") == 0;
}

char *http_redirect(const char *from, const char *location)
{
	CURLU *a = curl_url(), *b = curl_url();
	char *ret = NULL;

	/* A relative one is resolved against what is there already. */
	if (curl_url_set(a, CURLUPART_URL, from, 0) == CURLUE_OK &&
	    curl_url_set(b, CURLUPART_URL, from, 0) == CURLUE_OK &&
	    curl_url_set(b, CURLUPART_URL, location, 0) == CURLUE_OK &&
	    same_part(a, b, CURLUPART_HOST, 0) &&
	    (is_upgrade(a, b) || (same_part(a, b, CURLUPART_SCHEME, 0) &&
				  same_part(a, b, CURLUPART_PORT, CURLU_DEFAULT_PORT))))
		ret = part_of(b, CURLUPART_URL, 0);
	curl_url_cleanup(a);
	curl_url_cleanup(b);
	return ret;
}

static bool has_credentials(const struct http_request *req)
{
	for (const char *const *p = req->headers; p && *p; p++)
		if (strncasecmp(*p, "Authorization:", 14) == 0)
			return true;
	return false;
}

static enum err_kind kind_of(const struct http_request *req, unsigned status)
{
	if (status >= 500 || status < 400 || status == 408 || status == 425 || status == 429)
		return ERR_INFRA;
	/* Without credentials it is a wall that comes and goes. */
	return status == 403 && !has_credentials(req) ? ERR_INFRA : ERR_CONFIG;
}

static const char *advice(const struct http_request *req, unsigned status)
{
	switch (status) {
	case 401: return ": wants credentials";
	case 403: return has_credentials(req) ? ": the token has no right to this" : ": refused";
	case 404: return ": no such thing there";
	case 429: return ": we ask too often";
	default: return "";
	}
}

int http_check(const struct http_request *req, const struct http_response *r, struct err *err)
{
	if (r->status >= 200 && r->status < 300)
		return 0;
	return err_set(err, kind_of(req, r->status), "%s: HTTP status %u%s", req->url, r->status,
		       advice(req, r->status));
}

char *http_escape(const char *segment)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (const unsigned char *p = (const unsigned char *)segment; *p; p++) {
		if (isascii(*p) && (isalnum(*p) || strchr("-._~", *p)))
			str_addc(&s, (char)*p);
		else
			str_addf(&s, "%%%02X", *p);
	}
	return str_take(&s);
}

/* SplitMix64's finaliser (Steele, Lea, Flood 2014): the same seed waits equally long. */
static double jitter(uint64_t seed, unsigned failures)
{
	uint64_t z = (seed + failures) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / (double)(1ULL << 53);
}

double http_backoff(unsigned failures, double retry_after_s, uint64_t seed)
{
	double s = failures ? 30 * pow(2, fmin(failures - 1, 10)) : 0;

	s = fmin(s, 3600) * (1 + jitter(seed, failures) / 10);
	return fmax(s, retry_after_s);
}
