/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what somebody typed or pasted into the search box. */
#ifndef FIRN_WEB_LINK_PARSE_H
#define FIRN_WEB_LINK_PARSE_H

#include "base/str.h"
#include <stdint.h>

enum link_kind {
	LINK_WORDS,	/* none of these */
	LINK_MESSAGE,	/* a Message-ID, alone or in a link to an archive or a Patchwork */
	LINK_PATCH,	/* a link to a patch of a Patchwork, by its number there */
	LINK_PW_SERIES, /* to a series */
};
struct link_parsed {
	enum link_kind kind;
	char *message_id; /* of LINK_MESSAGE */
	int64_t number;	  /* of LINK_PATCH and LINK_PW_SERIES */
	char *host;	  /* of a link, with its port; NULL */
};
/* `ret` is overwritten. */
void link_parse(const char *text, struct link_parsed *ret);
void link_parsed_done(struct link_parsed *l);

#endif
