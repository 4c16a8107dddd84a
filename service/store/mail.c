// SPDX-License-Identifier: GPL-2.0-or-later
/* The mail table, for who writes it. */
#include "store/mails.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/str.h"
#include "store/sql.h"
#include <zlib.h>

/* A mail may name anybody's: more ids than this help nobody find its thread. */
#define REFS_MAX    500
#define THREADS_MAX 1000

static int mail_find(struct store *s, const struct store_mail_new *m, const char *hash,
		     int64_t *ret_id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT id FROM mail WHERE message_id = :id AND hash = :hash",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":id", m->message_id);
	sql_text(stmt, ":hash", hash);
	rc = sql_step(s, stmt, "looking for a mail", err);
	*ret_id = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	return rc < 0 ? rc : 0;
}

static int place_add(struct store *s, int64_t mail, const struct store_mail_new *m, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT OR IGNORE INTO mail_place (mail, list, source, place)"
			     " VALUES (:mail, :list, :source, :place)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":mail", mail);
	sql_text(stmt, ":list", m->list);
	sql_text(stmt, ":source", m->source);
	sql_text(stmt, ":place", m->place);
	return sql_run(s, stmt, "noting where a mail is", err);
}

static int row_insert(struct store *s, const struct store_mail_new *m, const char *hash,
		      int64_t *ret_id, struct err *err)
{
	uLongf n = compressBound(m->raw_len);
	auto_free Bytef *data = xmalloc(n);
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"INSERT INTO mail (message_id, hash, raw, raw_len, received, date, subject,"
		" from_name, from_email, thread, state) VALUES (:message_id, :hash, :raw, :raw_len,"
		" :received, :date, :subject, :from_name, lower(:from_email), 0, 'new')",
		&stmt, err);

	if (rc < 0)
		return rc;
	if (compress(data, &n, m->raw, m->raw_len) != Z_OK)
		return err_set(err, ERR_INFRA, "cannot compress mail <%s>", m->message_id);
	sql_text(stmt, ":message_id", m->message_id);
	sql_text(stmt, ":hash", hash);
	sql_blob(stmt, ":raw", data, n);
	sql_int(stmt, ":raw_len", (int64_t)m->raw_len);
	sql_int(stmt, ":received", clock_wall());
	sql_int(stmt, ":date", m->date);
	sql_text(stmt, ":subject", m->subject);
	sql_text(stmt, ":from_name", m->from_name);
	sql_text(stmt, ":from_email", m->from_email);
	rc = sql_run(s, stmt, "keeping a mail", err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

static int refs_insert(struct store *s, int64_t mail, const struct store_mail_new *m,
		       struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT OR IGNORE INTO mail_ref (message_id, mail)"
			     " VALUES (:message_id, :mail)",
			     &stmt, err);

	for (size_t i = 0; rc == 0 && m->refs && m->refs[i] && i < REFS_MAX; i++) {
		sqlite3_reset(stmt);
		sql_text(stmt, ":message_id", m->refs[i]);
		sql_int(stmt, ":mail", mail);
		rc = sql_run(s, stmt, "noting what a mail refers to", err);
	}
	return rc;
}

/*
 * The threads that the mail connects: of the mails that it names, of those that name it, and of
 * those that name what it names (what they all answer may not have come).
 */
static const char threads_sql[] =
	"SELECT DISTINCT thread FROM mail WHERE thread <> 0 AND id IN ("
	" SELECT id FROM mail WHERE message_id <> '' AND message_id = :message_id"
	" UNION SELECT mail.id FROM mail_ref own JOIN mail USING (message_id) WHERE own.mail = :id"
	" UNION SELECT mail FROM mail_ref WHERE message_id = :message_id"
	" UNION SELECT other.mail FROM mail_ref own JOIN mail_ref other USING (message_id)"
	"  WHERE own.mail = :id)"
	" ORDER BY thread";

static int thread_set(struct store *s, int64_t old, int64_t new, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "UPDATE mail SET thread = :new WHERE thread = :old", &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":old", old);
	sql_int(stmt, ":new", new);
	return sql_run(s, stmt, "joining threads", err);
}

/* The mail's own thread is 0 until now. */
static int threads_join(struct store *s, int64_t mail, const struct store_mail_new *m,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int64_t thread[THREADS_MAX];
	size_t n = 0;
	int rc = sql_prepare(s, threads_sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", m->message_id);
	sql_int(stmt, ":id", mail);
	rc = sql_ids(s, stmt, THREADS_MAX, thread, &n, "looking for threads", err);
	sqlite3_reset(stmt);
	if (rc == 0)
		rc = thread_set(s, 0, n ? thread[0] : mail, err);
	for (size_t i = 1; i < n && rc == 0; i++)
		rc = thread_set(s, thread[i], thread[0], err);
	return rc;
}

int store_mail_add(struct store *s, const struct store_mail_new *mail, int64_t *ret_id,
		   bool *ret_new, struct err *err)
{
	char hash[HASH_HEX_MAX];
	int64_t id = 0;
	bool new;
	int rc;

	hash_hex(mail->raw, mail->raw_len, hash);
	rc = mail_find(s, mail, hash, &id, err);
	new = rc == 0 && id == 0;
	if (new) {
		rc = row_insert(s, mail, hash, &id, err);
		if (rc == 0)
			rc = refs_insert(s, id, mail, err);
		if (rc == 0)
			rc = threads_join(s, id, mail, err);
	}
	if (rc == 0)
		rc = place_add(s, id, mail, err);
	if (rc == 0) {
		*ret_id = id;
		*ret_new = new;
	}
	return rc;
}

int store_mail_settle(struct store *s, int64_t mail, const char *state, const char *reason,
		      int64_t posting, unsigned number, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE mail SET state = :state, reason = :reason, posting = :posting,"
			     " number = :number WHERE id = :id AND state <> 'removed'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", mail);
	sql_text(stmt, ":state", state);
	sql_text(stmt, ":reason", reason);
	sql_id(stmt, ":posting", posting);
	sql_int(stmt, ":number", number);
	return sql_run(s, stmt, "noting what became of a mail", err);
}

int store_mail_remove(struct store *s, const char *source, const char *place, bool purge,
		      struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"UPDATE mail SET state = 'removed', raw = CASE WHEN :purge THEN NULL ELSE raw END,"
		" reason = CASE WHEN :purge THEN 'the archive purged it'"
		"  ELSE 'the archive removed it' END"
		" WHERE id IN (SELECT mail FROM mail_place WHERE source = :source AND place = "
		":place)",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":source", source);
	sql_text(stmt, ":place", place);
	sql_int(stmt, ":purge", purge);
	return sql_run(s, stmt, "removing a mail", err);
}
