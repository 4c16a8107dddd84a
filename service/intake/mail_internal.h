/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the mail_*.c files share. Nobody else includes this. */
#ifndef FIRN_INTAKE_MAIL_INTERNAL_H
#define FIRN_INTAKE_MAIL_INTERNAL_H

#include "intake/mail.h"
#include <gmime/gmime.h>

/* A larger block of headers is no mail that a person sent. */
#define MAIL_HEADERS_MAX ((size_t)1 << 20)
/* GMime takes 1.3 kB for each part, and a part can be five bytes long. */
#define MAIL_PARTS_MAX 1000

/* Where things are in the bytes of a message. */
struct mail_layout {
	size_t headers, headers_end; /* without a From_ line before and the blank line after */
	size_t body;
	bool has_blank; /* an empty line ends the headers */
	bool is_mail;	/* has at least one of From, Subject, Date, Message-ID */
};

/* One pass over the header block. A line that is no header ends it, and is the first of the body,
 * as git-mailinfo(1) has it. */
void mail_layout_scan(const char *data, size_t n, struct mail_layout *ret);

/* The bytes up to and including the next newline, or all that is left. */
static inline size_t mail_line_len(const char *p, size_t n)
{
	const char *nl = memchr(p, '\n', n);

	return nl ? (size_t)(nl - p) + 1 : n;
}

/* What git takes for white space, whatever the locale. */
static inline bool mail_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* True for a line "Name:...", RFC 5322 3.6.8. */
bool mail_line_is_header(const char *line, size_t n);

/* False when there are more than MAIL_PARTS_MAX lines that may begin a part. */
bool mail_parts_bounded(const char *data, size_t n);

/* Once in the process. */
GMimeParserOptions *mail_gmime(void);

/* UTF-8 of the bytes, whatever they are: in `charset`, NULL when none is named; g_free() it. */
char *mail_to_utf8(const char *p, size_t n, const char *charset);

/* A header as it stands in the mail, folded; NULL when there is none. Of several the first, or the
 * last: that is git's choice for From:, Subject: and Date:. */
const char *mail_header_raw(GMimeMessage *msg, const char *name, bool last);

/* Fill the fields of `m` that come from the headers, those of them that are people, and those that
 * come from the body. */
void mail_headers_read(struct mail *m, GMimeMessage *msg);
void mail_addrs_read(struct mail *m, GMimeMessage *msg);
void mail_text_read(struct mail *m, GMimeMessage *msg);

#endif
