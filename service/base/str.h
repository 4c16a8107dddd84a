/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that cannot fail, and a growable byte string with a cap.
 *
 * The x-functions end the process with a message when memory runs out: a job that cannot allocate
 * a few bytes has no better answer, and its parent reports it as an infra error.
 *
 * A `struct str` is for text of unknown length. Each has a cap, since most of what firn reads is
 * written by strangers: what goes over the cap is dropped and `truncated` is set. `buf` is always
 * NUL-terminated (the NUL is not counted in `len`), and never NULL.
 */
#ifndef FIRN_BASE_STR_H
#define FIRN_BASE_STR_H

#include "base/cleanup.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void *xmalloc(size_t n) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *p, size_t n, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull, nonnull));
/* Copies n bytes and adds a NUL. Bytes after an inner NUL are copied too. */
char *xmemdup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* Makes room for one more element in a growing array: arr_grow(list->item, list->n, list->cap). */
#define arr_grow(arr, n, cap)                                                                      \
	do {                                                                                       \
		if ((n) == (cap)) {                                                                \
			(cap) = (cap) ? (cap)*2 : 8;                                               \
			(arr) = xreallocarray((arr), (cap), sizeof(*(arr)));                       \
		}                                                                                  \
	} while (0)

/* The cap of a string whose owner named none: 64 MiB. */
#define STR_MAX_DEFAULT ((size_t)64 << 20)

struct str {
	char *buf;
	size_t len; /* bytes, without the closing NUL */
	size_t cap; /* bytes allocated; 0 while buf points to a constant "" */
	size_t max; /* len never goes over this */
	bool truncated;
};

/* `max` 0 means STR_MAX_DEFAULT. */
void str_init(struct str *s, size_t max);
void str_done(struct str *s);
/* Forgets the contents and keeps the memory and the cap. */
void str_reset(struct str *s);
/* Append. Return false when something did not fit (and `truncated` is set). */
bool str_add(struct str *s, const void *data, size_t n);
bool str_adds(struct str *s, const char *z);
bool str_addc(struct str *s, char c);
bool str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool str_vaddf(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Removes `n` bytes at the front. */
void str_drop(struct str *s, size_t n);
/* Gives the memory to the caller (free()), and leaves the string empty. */
char *str_take(struct str *s) __attribute__((returns_nonnull));

static inline void str_cleanup(struct str *s)
{
	str_done(s);
}
/* auto_str struct str s; str_init(&s, 0); */
#define auto_str __attribute__((cleanup(str_cleanup)))

static inline bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix);

/* True when the n bytes are valid UTF-8 without NUL (RFC 3629). */
bool utf8_valid(const char *s, size_t n);

#endif
