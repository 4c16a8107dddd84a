// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/str.h"

#include <stdint.h>
#include <stdio.h>

static _Noreturn void out_of_memory(void)
{
	static const char msg[] = "firn: out of memory\n";

	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(2);
	_exit(2);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n ? n : 1, size ? size : 1);

	if (!q)
		out_of_memory();
	return q;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s));
}

char *xmemdup(const char *s, size_t n)
{
	char *p = xmalloc(n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	return s;
}

/* What an empty string points to: never written, since cap is 0. */
static char empty[1];

void str_init(struct str *s, size_t max)
{
	*s = (struct str){.buf = empty, .max = max ? max : STR_MAX_DEFAULT};
}

void str_done(struct str *s)
{
	if (s->cap)
		free(s->buf);
	*s = (struct str){.buf = empty, .max = s->max};
}

void str_reset(struct str *s)
{
	s->len = 0;
	s->truncated = false;
	if (s->cap)
		s->buf[0] = '\0';
}

static void str_reserve(struct str *s, size_t len)
{
	size_t cap = s->cap ? s->cap : 64;

	if (len < s->cap)
		return;
	while (cap <= len)
		cap *= 2;
	s->buf = xreallocarray(s->cap ? s->buf : NULL, cap, 1);
	s->buf[s->len] = '\0';
	s->cap = cap;
}

bool str_add(struct str *s, const void *data, size_t n)
{
	if (n > s->max - s->len) {
		n = s->max - s->len;
		s->truncated = true;
	}
	if (n) {
		str_reserve(s, s->len + n);
		memcpy(s->buf + s->len, data, n);
		s->len += n;
		s->buf[s->len] = '\0';
	}
	return !s->truncated;
}

bool str_adds(struct str *s, const char *z)
{
	return str_add(s, z, strlen(z));
}

bool str_addc(struct str *s, char c)
{
	return str_add(s, &c, 1);
}

bool str_vaddf(struct str *s, const char *fmt, va_list ap)
{
	char small[256];
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	if (n < (int)sizeof(small)) {
		va_end(again);
		return str_add(s, small, n > 0 ? (size_t)n : 0);
	}
	auto_free char *big = xmalloc((size_t)n + 1);
	vsnprintf(big, (size_t)n + 1, fmt, again);
	va_end(again);
	return str_add(s, big, (size_t)n);
}

bool str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = str_vaddf(s, fmt, ap);
	va_end(ap);
	return ok;
}

void str_drop(struct str *s, size_t n)
{
	if (!n)
		return;
	if (n > s->len)
		n = s->len;
	memmove(s->buf, s->buf + n, s->len - n + 1);
	s->len -= n;
}

char *str_take(struct str *s)
{
	char *p = s->cap ? s->buf : xstrdup("");

	*s = (struct str){.buf = empty, .max = s->max};
	return p;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* Bytes of the UTF-8 sequence at s, 0 when it is not one: RFC 3629 section 4. */
static size_t utf8_step(const unsigned char *s, size_t n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	uint32_t c;

	if (len == 1)
		return s[0] != 0;
	if (s[0] < 0xc2 || s[0] > 0xf4 || len > n)
		return 0;
	c = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c >= least[len] && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff) ? len : 0;
}

bool utf8_valid(const char *s, size_t n)
{
	for (size_t i = 0, step; i < n; i += step) {
		step = utf8_step((const unsigned char *)s + i, n - i);
		if (!step)
			return false;
	}
	return true;
}
