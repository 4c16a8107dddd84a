/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one file and splits it into messages, a piece at a time: no more than one message is in
 * memory. */
#ifndef FIRN_INTAKE_MBOX_SPLIT_H
#define FIRN_INTAKE_MBOX_SPLIT_H

#include "intake/mail.h"

/* For all files of one input together. */
#define INTAKE_BYTES_MAX ((size_t)512 << 20)
#define INTAKE_MAILS_MAX ((size_t)100000)

struct intake {
	struct mail_list *list;
	size_t bytes; /* read so far */
};

/*
 * Appends the mails of the open file `fd`. A file that begins with "From " is an mbox, any other is
 * one mail. The mbox is read as mboxrd (mbox(5), Debian package mutt): ">From " at the beginning of
 * a line loses one ">". A From_ line must look like one and come after an empty line; that of
 * git-format-patch(1) always counts. `name` is for messages. ERR_INPUT names the file and the
 * message; ERR_CANCELLED.
 */
must_check int mbox_split(struct intake *in, int fd, const char *name, struct err *err);

#endif
