// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a mail was seen. */
#include "store/mails.h"

#include "base/hash.h"
#include "base/str.h"
#include "store/sql.h"

int store_mail_is_elsewhere(struct store *s, const struct store_mail_new *mail, bool *ret_is,
			    struct err *err)
{
	char hash[HASH_HEX_MAX];
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT 1 FROM mail WHERE message_id = :message_id AND hash = :hash"
			     " AND NOT EXISTS (SELECT 1 FROM mail_place"
			     "  WHERE mail = mail.id AND list = :list)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	hash_hex(mail->raw, mail->raw_len, hash);
	sql_text(stmt, ":message_id", mail->message_id);
	sql_text(stmt, ":hash", hash);
	sql_text(stmt, ":list", mail->list);
	rc = sql_step(s, stmt, "looking where a mail is", err);
	if (rc < 0)
		return rc;
	*ret_is = rc > 0;
	return 0;
}

int store_mail_is_known(struct store *s, const char *message_id, bool *ret_is, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT 1 FROM mail WHERE message_id = :message_id LIMIT 1", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	rc = sql_step(s, stmt, "looking for a mail", err);
	if (rc < 0)
		return rc;
	*ret_is = rc > 0;
	return 0;
}

int store_mail_is_on(struct store *s, int64_t mail, const char *list, bool *ret_is, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT 1 FROM mail_place WHERE mail = :mail AND list = :list LIMIT 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":mail", mail);
	sql_text(stmt, ":list", list);
	rc = sql_step(s, stmt, "looking where a mail is", err);
	if (rc < 0)
		return rc;
	*ret_is = rc > 0;
	return 0;
}
