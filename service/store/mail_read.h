/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside store/: rows of the mail table, for the queries that list them. */
#ifndef FIRN_STORE_MAIL_READ_H
#define FIRN_STORE_MAIL_READ_H

#include "store/mails.h"
#include "store/sql.h"

/* mail_place has no rowid: the first of a mail is the first by name, which is always the same. */
#define MAIL_COLUMNS                                                                               \
	"mail.id, mail.date, mail.received, mail.thread, mail.posting, mail.message_id,"           \
	" mail.subject, mail.from_name, mail.from_email, mail.state, mail.reason, mail.number,"    \
	" mail.raw_len, (SELECT min(list) FROM mail_place WHERE mail_place.mail = mail.id)"
/* Behind them, where it is asked for. */
#define RAW_COLUMN 14

/* All rows of the statement, at most `limit`: `more` is set then. */
must_check int mail_list_fill(struct store *s, sqlite3_stmt *stmt, unsigned limit, bool raw,
			      struct store_mail_list *ret, struct err *err);

#endif
