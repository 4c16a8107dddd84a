/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where mails come from. One file and one row of the table a kind of source.
 */
#ifndef FIRN_INTAKE_SOURCE_H
#define FIRN_INTAKE_SOURCE_H

#include "intake/mail.h"

struct source {
	const char *name;
	const char *summary; /* what `spec` may be, for --help */
	/* True when this source reads such a spec. Looks, does not open. */
	bool (*accepts)(const char *spec);
	/* Appends every mail to `list`, in the source's order. ERR_INPUT for what is unreadable,
	 * naming the file and the message; the list then holds what was read before it. */
	int (*read)(const char *spec, struct mail_list *list, struct err *err);
};

/* mbox.c: an mbox (mboxrd, mboxo, or one From-less mail), a Maildir, .patch and .eml files, a
 * folder of them sorted by name, "-" for standard input. */
extern const struct source source_mbox;

/* source_link.c: a thread by message id ("ID@HOST", when there is no such file) or by a link to a
 * public-inbox; a series by a link to a Patchwork. Ids are looked up in $FIRN_ARCHIVE, else in
 * https://lore.kernel.org/all/. */
extern const struct source source_link;

/* All sources, NULL at the end. */
extern const struct source *const sources[];

/* Reads through the first source that accepts `spec`. ERR_INPUT when there is none, when a read
 * fails, and when there is no mail at all ("... is empty"). */
must_check int source_read(const char *spec, struct mail_list *list, struct err *err);

#endif
