/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message for the wire (RFC 5322) out of what the outbox wants said. Nothing that goes in can add
 * a header line: values are checked or encoded, and the result is 7-bit, CRLF, with no line over
 * 998 bytes.
 */
#ifndef FIRN_REPORT_MAIL_MESSAGE_H
#define FIRN_REPORT_MAIL_MESSAGE_H

#include "base/err.h"
#include "base/str.h"
#include <jansson.h>
#include <stdint.h>

/* More are not written to: a mail of ours goes to an author and a list or two. */
#define MAIL_RECIPIENTS_MAX 20

struct mail_recipient {
	char *name;  /* UTF-8; "" */
	char *email; /* checked by mail_address_ok(), unless dropped */
	bool cc;
	char *dropped; /* why no mail goes there; NULL: it does */
};
struct mail_recipients {
	struct mail_recipient *item;
	size_t n, cap;
};

/* LOCAL@DOMAIN as nearly all of them are: dot-atom of ASCII, domain with a dot, at most 254 bytes.
 * No quotes, comments, groups, routes or address literals. */
bool mail_address_ok(const char *email);

/* "to" and "cc" of `want`: arrays of "ADDRESS" or "NAME <ADDRESS>". Those that cannot be written to
 * are in the list with the reason, one that is there already is left out. */
void mail_recipients_read(const json_t *want, struct mail_recipients *ret);
/* Marks one as dropped; the first reason stays. */
void mail_recipient_drop(struct mail_recipient *r, const char *why);
size_t mail_recipients_left(const struct mail_recipients *l);
/* "ada@example.org: wants no mail; ..." of those that were dropped; "" when none was. */
char *mail_recipients_words(const struct mail_recipients *l);
void mail_recipients_done(struct mail_recipients *l);
#define auto_mail_recipients __attribute__((cleanup(mail_recipients_done)))

struct mail_compose_options {
	const char *from;	/* "ADDRESS" or "NAME <ADDRESS>": post.from */
	const char *message_id; /* without <> */
	int64_t date;
	int64_t trial; /* 0: none */
};
/* ERR_CONFIG: `from` is no address. ERR_INPUT: the id is none, or nobody is left to write to.
 * `ret` initialised by the caller. */
must_check int mail_compose(const json_t *want, const struct mail_recipients *to,
			    const struct mail_compose_options *opt, struct str *ret,
			    struct err *err);
/* The address in "NAME <ADDRESS>"; ERR_CONFIG. The caller frees. */
must_check int mail_from_address(const char *from, char **ret_email, struct err *err);

/* Inside: "Name: value" with RFC 2047 where it is needed, folded (RFC 5322 2.2.3). `text` any
 * bytes. */
void mail_header_text(struct str *out, const char *name, const char *text);
/* Breaks a value at its blanks; `column` is where it begins. No line end after it. */
void mail_fold(struct str *out, size_t column, const char *value);
/* "NAME <ADDRESS>" for an address header. */
char *mail_mailbox(const char *name, const char *email);
/* A body with LF as 7bit or quoted-printable, whichever it needs; returns the name of the encoding.
 */
const char *mail_body_encode(struct str *out, const char *body);

#endif
