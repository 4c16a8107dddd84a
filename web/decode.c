// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/decode.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One character of the source; returns how many bytes it took, 0 when it is none. */
static size_t decode_one(const char *s, size_t n, bool plus, char *ret)
{
	if (*s != '%') {
		*ret = plus && *s == '+' ? ' ' : *s;
		return 1;
	}
	if (n < 3 || hex_digit(s[1]) < 0 || hex_digit(s[2]) < 0)
		return 0;
	*ret = (char)(hex_digit(s[1]) << 4 | hex_digit(s[2]));
	return 3;
}

bool percent_decode(struct str *out, const char *s, size_t n, bool plus)
{
	size_t before = out->len;

	for (size_t i = 0, took; i < n; i += took) {
		char c = 0;

		took = decode_one(s + i, n - i, plus, &c);
		if (!took || !str_addc(out, c))
			return false;
	}
	return utf8_valid(out->buf + before, out->len - before);
}

void percent_encode(struct str *out, const char *s, bool slashes)
{
	for (; *s; s++) {
		bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
			     (*s >= '0' && *s <= '9') || strchr("-._~", *s) ||
			     (slashes && *s == '/');

		if (plain)
			str_addc(out, *s);
		else
			str_addf(out, "%%%02X", (unsigned char)*s);
	}
}

static char *decoded(const char *s, size_t n, size_t max)
{
	auto_str struct str out;

	str_init(&out, max);
	return percent_decode(&out, s, n, true) ? str_take(&out) : NULL;
}

static bool pair_read(struct pairs *ret, const char *s, size_t n)
{
	const char *equals = memchr(s, '=', n);
	size_t n_key = equals ? (size_t)(equals - s) : n;
	size_t begin = equals ? n_key + 1 : n;
	auto_free char *key = decoded(s, n_key, PAIR_KEY_MAX);
	auto_free char *value = decoded(s + begin, n - begin, PAIR_VALUE_MAX);

	if (!key || !value || ret->n == PAIRS_MAX)
		return false;
	ret->pair[ret->n++] = (struct pair){.key = take(key), .value = take(value)};
	return true;
}

bool pairs_read(struct pairs *ret, const char *s, size_t n)
{
	while (n) {
		const char *end = memchr(s, '&', n);
		size_t len = end ? (size_t)(end - s) : n;

		if (len && !pair_read(ret, s, len))
			return false;
		s += end ? len + 1 : len;
		n -= end ? len + 1 : len;
	}
	return true;
}

void pairs_done(struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->pair[i].key);
		free(p->pair[i].value);
	}
	p->n = 0;
}

const char *pairs_get(const struct pairs *p, const char *key)
{
	for (size_t i = 0; p && i < p->n; i++)
		if (strcmp(p->pair[i].key, key) == 0)
			return p->pair[i].value;
	return "";
}
