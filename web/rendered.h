/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: an answer in the forms that it is sent in: as it is, compressed, or as "you have it
 * already". Each is made when it is first asked for, and may be sent any number of times. */
#ifndef FIRN_WEB_RENDERED_H
#define FIRN_WEB_RENDERED_H

#include "web/server.h"

#define ETAG_MAX 48

enum rendered_form { RENDERED_PLAIN, RENDERED_GZIP, RENDERED_SAME, RENDERED_N };

struct rendered {
	struct response r;   /* owned */
	char etag[ETAG_MAX]; /* without quotes; "": it has none */
	bool secret;	     /* made for somebody who is signed in */
	struct MHD_Response *form[RENDERED_N];
};

/* Takes what is in `r`, which is empty then. With `tagged` it can be asked for again by its tag. */
void rendered_init(struct rendered *d, struct response *r, bool tagged, bool secret);
void rendered_done(struct rendered *d);
/* In the form that the reader takes. */
enum MHD_Result rendered_send(struct rendered *d, struct call *c);

/* The headers that every answer has, and those of this one. */
void rendered_headers(struct MHD_Response *m, const struct response *r);

#endif
