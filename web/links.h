/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: where a mail can be read elsewhere. */
#ifndef FIRN_WEB_LINKS_H
#define FIRN_WEB_LINKS_H

#include "store/mails.h"
#include "web/html.h"

/* Links of a <dd>: the list's archive as the configuration has it, and what Patchwork calls the
 * mail. False, and nothing is written, when there is none. */
bool links_write(struct str *out, const struct request *q, struct store *s, const char *list,
		 const char *message_id);
/* The same mail in the archive of each list that is followed, for who has only its id: links.
 * False, and nothing is written, when no list has an archive. */
bool links_archives(struct str *out, const struct request *q, const char *message_id);
/* The address of a mail in its list's archive; NULL: not known. The caller frees. */
char *link_lore(const struct request *q, const char *list, const char *message_id);
/* http or https, so that a link does what it says. */
bool link_is_web(const char *url);

#endif
