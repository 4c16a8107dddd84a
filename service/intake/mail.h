/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One mail, kept byte for byte, and what firn reads out of it. GMime is used behind this header and
 * nowhere else; everything here is plain C memory owned by the struct.
 */
#ifndef FIRN_INTAKE_MAIL_H
#define FIRN_INTAKE_MAIL_H

#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A larger mail is refused, with a message that says so: 32 MiB. The largest patches on lore are
 * about 5. */
#define MAIL_MAX ((size_t)32 << 20)

struct mail_addr {
	char *name;  /* UTF-8; "" when there is none. Never NULL */
	char *email; /* as written, without <>; "" when unreadable. Never NULL */
};

struct mail {
	char *raw; /* the message as it came (for mboxrd: unescaped), NUL after raw_len bytes */
	size_t raw_len;
	char *origin; /* where it came from, for messages: "series.mbox, message 3" */

	char *message_id;  /* without <>; NULL when the mail has none */
	char *in_reply_to; /* first id of In-Reply-To, without <>; NULL */
	char **references; /* ids without <>, oldest first */
	size_t n_references;
	char *subject; /* decoded (RFC 2047) and unfolded UTF-8; "" when there is none */
	struct mail_addr from, sender; /* RFC 5322 3.6.2 */
	struct mail_addr reply_to;     /* of several the one that is not the list's */
	struct mail_addr original;     /* who is meant by From: "A via LIST"; see mail_person() */
	/* Date:, else when the last server received the mail (git takes the time of its own run,
	 * which is another at each run): seconds since 1970 UTC. 0 when !has_date. */
	int64_t date;
	int tz_minutes; /* east of UTC is positive */
	bool has_date;	/* there is either, and it can be read */

	/* The readable text: transfer encoding undone; the text/plain parts and patch attachments
	 * in order, joined by a newline where one is missing; CRLF on the wire made LF, and what
	 * base64 and quoted-printable hold left as it is (git-mailinfo(1)); format=flowed joined
	 * (RFC 3676). `text` is converted to UTF-8 and holds no NUL, `bytes` is as the author's
	 * charset had it (diffs are applied from these). Both have the same lines, and are one
	 * buffer when they do not differ. NUL-terminated. */
	char *text;
	size_t text_len;
	char *bytes;
	size_t bytes_len;

	bool flowed_diff; /* a part with a hunk in it was sent as format=flowed */
	bool crlf_diff;	  /* the encoded text of a part with a hunk in it has CRLF, which stays */
};

/* Reads one RFC 5322 message of `n` bytes; copies them. `origin` is for messages and is copied.
 * ERR_INPUT when it is not a mail: binary junk, no header at all, ends inside its headers, over
 * MAIL_MAX. */
must_check int mail_parse(const char *data, size_t n, const char *origin, struct mail **ret_mail,
			  struct err *err);

/* NULL is fine. */
void mail_free(struct mail *m);

/*
 * Who sent the mail: From:, unless a list rewrote that against DMARC and calls the sender "A via
 * LIST", with the list's address. Then it is, in this order, who stands in X-Original-From: (Google
 * groups, b4), in X-Patchwork-Submitter:, in Reply-To: (Mailman), or in Cc: under the name A
 * (Mailman, where replies go to the list). False, and `*ret` untouched, when none of them tells.
 */
bool mail_person(const struct mail *m, struct mail_addr *ret);

/* For header lines that stand in a body, as git-am(1) allows for From:, Subject: and Date:. */

/* RFC 2047 decoded, unfolded, control characters made spaces, trimmed: valid UTF-8. The caller
 * frees. */
char *mail_header_decode(const char *value);
/* The address in a decoded From: line, taken apart as git-mailinfo(1) does it. `*ret` is
 * overwritten. */
void mail_addr_parse(const char *decoded, struct mail_addr *ret);
void mail_addr_done(struct mail_addr *a);
/* RFC 5322 3.3 and its obsolete forms, and "2026-11-30 14:00:00 +0100". Where a comment holds
 * another zone, that counts, as in git. False when it is neither. */
bool mail_date_parse(const char *value, int64_t *ret_date, int *ret_tz_minutes);

/* A growing list that owns its mails; a zeroed one is empty. */
struct mail_list {
	struct mail **item;
	size_t n, cap;
	char **note; /* what a source passed over, and why: "patches/series: not a mail" */
	size_t n_notes, notes_cap;
};
void mail_list_add(struct mail_list *list, struct mail *m);
void mail_list_note(struct mail_list *list, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void mail_list_done(struct mail_list *list);

#endif
