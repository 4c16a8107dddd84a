/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: percent-encoding (RFC 3986, 2.1) and what is made of it: the words of a path, and
 * the pairs of a query or a form. All of it comes from strangers. */
#ifndef FIRN_WEB_DECODE_H
#define FIRN_WEB_DECODE_H

#include "base/err.h"
#include "base/str.h"

/* Appends the n bytes decoded. False when a % is not followed by two hex digits, when the result is
 * not UTF-8, has a NUL, or does not fit into `out`. With `plus` a + is a blank. */
must_check bool percent_decode(struct str *out, const char *s, size_t n, bool plus);
/* Appends the bytes so that they are one word of a path or a value of a query: what is not
 * unreserved is encoded; with `slashes` a / stays. */
void percent_encode(struct str *out, const char *s, bool slashes);

#define PAIRS_MAX      32
#define PAIR_VALUE_MAX 1024
#define PAIR_KEY_MAX   32

/* The pairs of "a=1&b=2". A key that comes twice has its first value. */
struct pairs {
	struct pair {
		char *key, *value;
	} pair[PAIRS_MAX];
	size_t n;
};

/* False when there are too many, one is too long or badly encoded. `ret` is zeroed, and to be
 * freed in any case. */
must_check bool pairs_read(struct pairs *ret, const char *s, size_t n);
void pairs_done(struct pairs *p);
/* "" when it is not there, also for p NULL. */
const char *pairs_get(const struct pairs *p, const char *key);

#endif
