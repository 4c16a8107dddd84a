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

/* What may have happened to the diff on its way, in words; NULL when nothing is to be seen. The
 * caller frees. */
char *patch_damage(const struct mail *mail, const char *diff_text, size_t n);

void ident_done(struct ident *id);
/* Who sent a mail, see mail_person(), as git would name an author. The time is the mail's, 0 when
 * it tells none. Name and address are both "" when From: cannot be read: git refuses such a commit.
 */
void ident_from_mail(const struct mail *mail, struct ident *ret);
/* Name and address alone. */
void ident_from_addr(const struct mail_addr *addr, struct ident *ret);

#endif
