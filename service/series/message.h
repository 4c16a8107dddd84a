/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one mail to what `git am` would commit: git-mailinfo(1) says what becomes of which line. */
#ifndef FIRN_SERIES_MESSAGE_H
#define FIRN_SERIES_MESSAGE_H

#include "series/series.h"

/* The subject line without leading Re: and [...], white space made single. The caller frees. */
char *subject_clean(const char *line);

/* Fills everything in `ret`; `ret->subject` must be parsed already, and the mail must outlive the
 * patch. A diff that cannot be parsed is in `diff_error`. */
void patch_read(const struct mail *mail, struct patch *ret);
void patch_done(struct patch *p);

/* True when the mail has at least one file to change, or a diff that is broken. */
bool patch_has_diff(const struct patch *p);

void ident_done(struct ident *id);
/* The sender of a mail, as git would name an author. */
void ident_from_mail(const struct mail *mail, struct ident *ret);

#endif
