/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails made by rule, for the comparison with git-mailinfo(1). */
#ifndef FIRN_TESTS_MAILINFO_GEN_H
#define FIRN_TESTS_MAILINFO_GEN_H

#include "base/str.h"

struct made {
	struct str mail;
	struct str oracle; /* what git is given; the mail itself when `why` is NULL */
	const char *why;   /* why firn makes of `mail` what git makes of `oracle` */
	char label[160];   /* which rules it was made by */
};

/* The n-th mail; always the same one. */
void made_random(struct made *ret, unsigned n);
/* The n-th deliberate difference; false when there are no more. */
bool made_deliberate(struct made *ret, unsigned n);
void made_done(struct made *m);

/* Of mailinfo_mime.c: adds the encoded text. */
enum { ENCODE_NONE, ENCODE_8BIT, ENCODE_QP, ENCODE_BASE64, ENCODE_BINARY, ENCODES };
extern const char *const encode_name[ENCODES];
void encode_add(struct str *out, int how, const char *text, size_t n);
/* An RFC 2047 word for UTF-8 text, 'q' or 'b'. */
void encode_word(struct str *out, const char *charset, char how, const char *utf8);
/* From UTF-8; the test ends where that is not possible. */
void charset_add(struct str *out, const char *charset, const char *utf8, size_t n);
/* Every LF becomes CRLF. */
void crlf_add(struct str *out, const char *text, size_t n);

#endif
