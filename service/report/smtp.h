/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handing a mail to a server (RFC 5321) by libcurl: one mail a connection. What came of it is told
 * so finely because a mail must not be sent twice, nor be lost.
 */
#ifndef FIRN_REPORT_SMTP_H
#define FIRN_REPORT_SMTP_H

#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>

enum smtp_tls {
	SMTP_PLAIN,
	SMTP_STARTTLS, /* required: a server that has none gets no mail */
	SMTP_TLS,      /* from the first byte (RFC 8314) */
};

struct smtp_server {
	const char *host_port; /* "mail.example.org:587", "[::1]:25" */
	enum smtp_tls tls;
	const char *user;	   /* NULL: no AUTH */
	const char *password_file; /* read at each use; others must not be able to read it */
	const char *ca_file;	   /* NULL: the system's */
	double timeout_s;	   /* of a whole mail; 0: 300 */
	/* At least once a second while waiting; may be NULL. */
	void (*on_tick)(void *ctx);
	/* The last bytes are about to go out: from here on the server may have taken the mail. When
	 * this fails the connection is cut before it has. */
	int (*on_handing)(void *ctx);
	void *ctx;
};

enum smtp_end {
	SMTP_SENT,
	SMTP_RETRY,	/* was not taken: try again later */
	SMTP_RECIPIENT, /* was not taken: `refused` cannot be written to, the others perhaps can */
	SMTP_FAILED,	/* was refused for good */
	SMTP_UNKNOWN,	/* all of it went out, and no answer came: it may have been taken */
};
struct smtp_result {
	enum smtp_end end;
	size_t refused;	 /* of SMTP_RECIPIENT: its place in `to` */
	char words[512]; /* the server's answer, else what went wrong; printable ASCII */
};

/* `message` has CRLF. ERR_CONFIG: no such server address, no password, AUTH without encryption to
 * another machine; ERR_CANCELLED: it was not taken; nothing else: the rest is in `ret`. */
must_check int smtp_send(const struct smtp_server *server, const char *from, const char *const *to,
			 const struct str *message, struct smtp_result *ret, struct err *err);
/* The configuration is good, as far as can be said without a server. */
must_check int smtp_check(const struct smtp_server *server, struct err *err);

#endif
