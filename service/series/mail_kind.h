/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of mail a mail is that is no part of a series, as far as it says itself. */
#ifndef FIRN_SERIES_MAIL_KIND_H
#define FIRN_SERIES_MAIL_KIND_H

#include "intake/mail.h"

/* The subject calls it a patch, or a version or part of one, and not an answer to that. */
bool mail_is_tagged(const struct mail *m);

/* The first line of the sender's own that begins with "firn:", at most 200 bytes of it; NULL when
 * there is none. What stands in it is no business of this part. The caller frees. */
char *mail_command(const struct mail *m);

/* Asks to pull from a repository: "[GIT PULL]", or what git-request-pull(1) writes. */
bool mail_is_pull(const struct mail *m);

/* Sent by a program: says so (RFC 3834, Auto-Submitted), or the sender's name or address does:
 * "bot", "robot", "CI", "noreply". */
bool mail_is_robot(const struct mail *m);

#endif
