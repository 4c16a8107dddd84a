// SPDX-License-Identifier: GPL-2.0-or-later
/* The mail table, for who reads it. */
#include "store/mail_read.h"

#include "base/str.h"
#include <zlib.h>

static void mail_done(struct store_mail *m)
{
	free(m->message_id);
	free(m->subject);
	free(m->from_name);
	free(m->from_email);
	free(m->state);
	free(m->reason);
	free(m->list);
	free(m->raw);
}

void store_mail_list_done(struct store_mail_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		mail_done(&l->mail[i]);
	free(l->mail);
	*l = (struct store_mail_list){0};
}

static int raw_read(struct store *s, sqlite3_stmt *stmt, struct store_mail *m, struct err *err)
{
	const void *data = sqlite3_column_blob(stmt, RAW_COLUMN);
	uLongf n = m->raw_len;

	if (!data)
		return 0; /* purged */
	m->raw = xmalloc(m->raw_len + 1);
	if (uncompress((Bytef *)m->raw, &n, data, (uLong)sqlite3_column_bytes(stmt, RAW_COLUMN)) !=
		    Z_OK ||
	    n != m->raw_len)
		return err_set(err, ERR_INFRA, "%s: mail %lld is damaged", s->path,
			       (long long)m->id);
	m->raw[n] = '\0';
	return 0;
}

static void mail_read(sqlite3_stmt *stmt, struct store_mail *m)
{
	*m = (struct store_mail){
		.id = sqlite3_column_int64(stmt, 0),
		.date = sqlite3_column_int64(stmt, 1),
		.received = sqlite3_column_int64(stmt, 2),
		.thread = sqlite3_column_int64(stmt, 3),
		.posting = sqlite3_column_int64(stmt, 4),
		.message_id = sql_column_text(stmt, 5),
		.subject = sql_column_text(stmt, 6),
		.from_name = sql_column_text(stmt, 7),
		.from_email = sql_column_text(stmt, 8),
		.state = sql_column_text(stmt, 9),
		.reason = sql_column_text(stmt, 10),
		.number = (unsigned)sqlite3_column_int64(stmt, 11),
		.raw_len = (size_t)sqlite3_column_int64(stmt, 12),
		.list = sql_column_text(stmt, 13),
	};
}

int mail_list_fill(struct store *s, sqlite3_stmt *stmt, unsigned limit, bool raw,
		   struct store_mail_list *ret, struct err *err)
{
	auto_store_mail_list struct store_mail_list l = {0};
	int rc;

	while ((rc = sql_step(s, stmt, "listing mails", err)) > 0) {
		if (l.n == limit) {
			l.more = true;
			break;
		}
		arr_grow(l.mail, l.n, l.cap);
		mail_read(stmt, &l.mail[l.n++]);
		rc = raw ? raw_read(s, stmt, &l.mail[l.n - 1], err) : 0;
		if (rc < 0)
			return rc;
	}
	if (rc < 0)
		return rc;
	*ret = l;
	l = (struct store_mail_list){0};
	return 0;
}

int store_mail_list_new(struct store *s, unsigned limit, struct store_mail_list *ret,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " MAIL_COLUMNS " FROM mail WHERE state = 'new' ORDER BY id"
			     " LIMIT :limit + 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", limit);
	return mail_list_fill(s, stmt, limit, false, ret, err);
}

static int by_date(const void *a, const void *b)
{
	const struct store_mail *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

int store_mail_list_around(struct store *s, int64_t mail, int64_t window_s, unsigned limit,
			   struct store_mail_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct store_mail_list l = {0};
	int rc = sql_prepare(
		s,
		"WITH it AS (SELECT * FROM mail WHERE id = :id)"
		" SELECT " MAIL_COLUMNS ", mail.raw FROM mail, it WHERE mail.state <> 'removed'"
		" AND mail.thread IN (SELECT it.thread FROM it UNION SELECT other.thread FROM mail "
		"other, it WHERE other.from_email = it.from_email"
		" AND other.date BETWEEN it.date - :window AND it.date + :window)"
		" ORDER BY abs(mail.date - it.date), abs(mail.id - it.id), mail.id"
		" LIMIT :limit + 1",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", mail);
	sql_int(stmt, ":window", window_s);
	sql_int(stmt, ":limit", limit);
	rc = mail_list_fill(s, stmt, limit, true, &l, err);
	if (rc < 0)
		return rc;
	if (l.n)
		qsort(l.mail, l.n, sizeof(*l.mail), by_date);
	*ret = l;
	return 0;
}

int store_mail_list_by_id(struct store *s, const char *message_id, struct store_mail_list *ret,
			  struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " MAIL_COLUMNS
			     ", mail.raw FROM mail WHERE message_id = :message_id ORDER BY id",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	return mail_list_fill(s, stmt, 100, true, ret, err);
}

int store_mail_get(struct store *s, int64_t id, struct store_mail_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT " MAIL_COLUMNS " FROM mail WHERE id = :id", &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	rc = mail_list_fill(s, stmt, 1, false, ret, err);
	if (rc == 0 && ret->n == 0)
		return err_set(err, ERR_INPUT, "%s: there is no mail %lld", s->path, (long long)id);
	return rc;
}

int store_mail_list_ledger(struct store *s, const char *list, unsigned limit, unsigned offset,
			   struct store_mail_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT " MAIL_COLUMNS " FROM mail WHERE :list IS NULL OR EXISTS"
		" (SELECT 1 FROM mail_place p WHERE p.mail = mail.id AND p.list = :list)"
		" ORDER BY id DESC LIMIT :limit + 1 OFFSET :offset",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":list", list);
	sql_int(stmt, ":limit", limit);
	sql_int(stmt, ":offset", offset);
	return mail_list_fill(s, stmt, limit, false, ret, err);
}
