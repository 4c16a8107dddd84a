/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: what was said on the wire, by libcurl's debug callback. libcurl itself tells the
 * last code only, and not which command it answered. */
#ifndef FIRN_REPORT_SMTP_TRACE_H
#define FIRN_REPORT_SMTP_TRACE_H

#include "base/str.h"
#include <curl/curl.h>

struct smtp_trace {
	char verb[8];	 /* of the last command: "RCPT"; "" before the first */
	size_t rcpts;	 /* RCPT commands so far */
	bool over;	 /* QUIT was said: what comes now is not about the mail */
	bool handed;	 /* the last bytes of the mail were given to libcurl */
	bool answered;	 /* and a whole answer came after them */
	unsigned code;	 /* of the last whole answer; 0: none */
	char words[300]; /* its last line */
	struct str line; /* a line that is not whole yet */
};
void smtp_trace_init(struct smtp_trace *t);
void smtp_trace_done(struct smtp_trace *t);

/* CURLOPT_DEBUGFUNCTION, with a struct smtp_trace as its data. Keeps nothing of what is sent but
 * the first word: a password is among it. */
int smtp_trace_debug(CURL *curl, curl_infotype type, char *data, size_t n, void *ctx);

#endif
