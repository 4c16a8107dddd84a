// SPDX-License-Identifier: GPL-2.0-or-later
/* The posting and patch tables. */
#include "store/mails.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

#define TWINS_MAX 64

static const char *const state_names[] = {
	[STORE_POSTING_INCOMPLETE] = "incomplete",
	[STORE_POSTING_COMPLETE] = "complete",
	[STORE_POSTING_LEFT_ALONE] = "left alone",
};

const char *store_posting_state_name(enum store_posting_state state)
{
	return state < array_size(state_names) ? state_names[state] : "unknown";
}

static enum store_posting_state state_parse(const char *name)
{
	for (size_t i = 0; i < array_size(state_names); i++)
		if (name && strcmp(name, state_names[i]) == 0)
			return (enum store_posting_state)i;
	return STORE_POSTING_LEFT_ALONE;
}

/* Postings of this version that have one of its mails: one, or several that turn out to be one.
 * Partial rerolls have mails of older versions too, hence the version. */
static int twins_find(struct store *s, const struct store_posting *p, int64_t *ret_ids,
		      size_t *ret_n, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	size_t n = 0;
	int rc = sql_prepare(s,
			     "SELECT posting.id FROM patch JOIN posting ON posting.id = posting"
			     " WHERE mail = :mail AND number = :number AND version = :version"
			     " AND minor = :minor ORDER BY posting.id",
			     &stmt, err);

	for (size_t i = 0; rc == 0 && i < p->n_patches && n < TWINS_MAX; i++) {
		int64_t id[TWINS_MAX];
		size_t found = 0;

		sqlite3_reset(stmt);
		sql_int(stmt, ":mail", p->patch[i].mail);
		sql_int(stmt, ":number", p->patch[i].number);
		sql_int(stmt, ":version", p->version);
		sql_int(stmt, ":minor", p->minor);
		rc = sql_ids(s, stmt, TWINS_MAX, id, &found, "looking for a posting", err);
		for (size_t k = 0; rc == 0 && k < found; k++) {
			size_t at = 0;

			while (at < n && ret_ids[at] != id[k])
				at++;
			if (at == n && n < TWINS_MAX)
				ret_ids[n++] = id[k];
		}
	}
	*ret_n = n;
	return rc;
}

static void bind_posting(sqlite3_stmt *stmt, const struct store_posting *p)
{
	sql_text(stmt, ":list", p->list);
	sql_text(stmt, ":message_id", p->message_id);
	sql_text(stmt, ":title", p->title);
	sql_text(stmt, ":author_name", p->author_name);
	sql_text(stmt, ":author_email", p->author_email);
	sql_int(stmt, ":version", p->version);
	sql_int(stmt, ":minor", p->minor);
	sql_int(stmt, ":total", p->total);
	sql_int(stmt, ":have", p->have);
	sql_int(stmt, ":date", p->date);
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":digest", p->digest);
	sql_text(stmt, ":state", store_posting_state_name(p->state));
	sql_text(stmt, ":reason", p->reason ? p->reason : "");
}

static int posting_insert(struct store *s, const struct store_posting *p, int64_t *ret_id,
			  struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"INSERT INTO posting (id, list, message_id, title, author_name, author_email,"
		" version, minor, total, have, date, seen, changed, digest, state, reason, chain)"
		" SELECT next, :list, :message_id, :title, :author_name, :author_email, :version,"
		" :minor, :total, :have, :date, :now, :now, :digest, :state, :reason, next FROM"
		" (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'posting'), 0) + 1"
		"  AS next)",
		&stmt, err);

	if (rc < 0)
		return rc;
	bind_posting(stmt, p);
	rc = sql_run(s, stmt, "noting a posting", err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

static int posting_update(struct store *s, int64_t id, const struct store_posting *p,
			  struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"UPDATE posting SET list = :list, message_id = :message_id, title = :title,"
		" author_name = :author_name, author_email = :author_email, version = :version,"
		" minor = :minor, total = :total, have = :have, date = :date,"
		" changed = CASE WHEN digest = :digest THEN changed ELSE :now END,"
		" digest = :digest, state = :state, reason = :reason WHERE id = :id",
		&stmt, err);

	if (rc < 0)
		return rc;
	bind_posting(stmt, p);
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "noting a posting", err);
}

static int patches_delete(struct store *s, int64_t id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "DELETE FROM patch WHERE posting = :id", &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "replacing patches", err);
}

static int patches_insert(struct store *s, int64_t id, const struct store_posting *p,
			  struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"INSERT OR REPLACE INTO patch (posting, number, message_id, mail, subject)"
		" VALUES (:posting, :number, :message_id, :mail, :subject)",
		&stmt, err);

	for (size_t i = 0; rc == 0 && i < p->n_patches; i++) {
		sqlite3_reset(stmt);
		sql_int(stmt, ":posting", id);
		sql_int(stmt, ":number", p->patch[i].number);
		sql_text(stmt, ":message_id", p->patch[i].message_id);
		sql_int(stmt, ":mail", p->patch[i].mail);
		sql_text(stmt, ":subject", p->patch[i].subject);
		rc = sql_run(s, stmt, "noting patches", err);
	}
	return rc;
}

/* What was taken for a posting of its own is part of another one. */
static int posting_give_up(struct store *s, int64_t id, int64_t to, struct err *err)
{
	auto_free char *reason = xasprintf("it is part of posting %lld", (long long)to);
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = patches_delete(s, id, err);

	if (rc == 0)
		rc = store_posting_files(s, id, NULL, 0, err);
	if (rc == 0)
		rc = sql_prepare(s,
				 "UPDATE posting SET state = 'left alone', reason = :reason,"
				 " newer = :to WHERE id = :id",
				 &stmt, err);
	if (rc < 0)
		return rc;
	sql_text(stmt, ":reason", reason);
	sql_int(stmt, ":to", to);
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "joining postings", err);
}

int store_posting_put(struct store *s, const struct store_posting *p, int64_t *ret_id,
		      struct err *err)
{
	int64_t twin[TWINS_MAX], id = 0;
	size_t n = 0;
	int rc = twins_find(s, p, twin, &n, err);

	if (rc == 0 && n)
		id = twin[0];
	if (rc == 0)
		rc = n ? posting_update(s, id, p, err) : posting_insert(s, p, &id, err);
	for (size_t i = 1; i < n && rc == 0; i++)
		rc = posting_give_up(s, twin[i], id, err);
	if (rc == 0)
		rc = patches_delete(s, id, err);
	if (rc == 0)
		rc = patches_insert(s, id, p, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

int store_posting_link(struct store *s, int64_t older, int64_t newer, struct err *err)
{
	auto_stmt sqlite3_stmt *link = NULL, *chain = NULL;
	int rc = sql_prepare(s, "UPDATE posting SET newer = :newer WHERE id = :older", &link, err);

	if (rc == 0)
		rc = sql_prepare(
			s,
			"UPDATE posting SET chain = (SELECT min(chain) FROM posting"
			" WHERE id IN (:older, :newer)) WHERE chain IN (SELECT chain FROM posting"
			" WHERE id IN (:older, :newer))",
			&chain, err);
	if (rc < 0)
		return rc;
	sql_int(link, ":older", older);
	sql_int(link, ":newer", newer);
	rc = sql_run(s, link, "linking versions", err);
	if (rc < 0)
		return rc;
	sql_int(chain, ":older", older);
	sql_int(chain, ":newer", newer);
	return sql_run(s, chain, "linking versions", err);
}

void store_posting_done(struct store_posting *p)
{
	for (size_t i = 0; i < p->n_patches; i++) {
		free(p->patch[i].message_id);
		free(p->patch[i].subject);
	}
	free(p->patch);
	free(p->list);
	free(p->message_id);
	free(p->title);
	free(p->author_name);
	free(p->author_email);
	free(p->digest);
	free(p->reason);
	*p = (struct store_posting){0};
}

static void posting_read(sqlite3_stmt *stmt, struct store_posting *p)
{
	*p = (struct store_posting){
		.id = sqlite3_column_int64(stmt, 0),
		.date = sqlite3_column_int64(stmt, 1),
		.seen = sqlite3_column_int64(stmt, 2),
		.changed = sqlite3_column_int64(stmt, 3),
		.chain = sqlite3_column_int64(stmt, 4),
		.newer = sqlite3_column_int64(stmt, 5),
		.list = sql_column_text(stmt, 6),
		.message_id = sql_column_text(stmt, 7),
		.title = sql_column_text(stmt, 8),
		.author_name = sql_column_text(stmt, 9),
		.author_email = sql_column_text(stmt, 10),
		.digest = sql_column_text(stmt, 11),
		.reason = sql_column_text(stmt, 12),
		.version = (unsigned)sqlite3_column_int64(stmt, 13),
		.minor = (unsigned)sqlite3_column_int64(stmt, 14),
		.total = (unsigned)sqlite3_column_int64(stmt, 15),
		.have = (unsigned)sqlite3_column_int64(stmt, 16),
		.state = state_parse((const char *)sqlite3_column_text(stmt, 17)),
	};
}

static int patches_read(struct store *s, struct store_posting *p, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	int rc = sql_prepare(s,
			     "SELECT number, message_id, subject, mail FROM patch"
			     " WHERE posting = :id ORDER BY number",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", p->id);
	while ((rc = sql_step(s, stmt, "reading patches", err)) > 0) {
		arr_grow(p->patch, p->n_patches, cap);
		p->patch[p->n_patches++] = (struct store_posting_patch){
			.number = (unsigned)sqlite3_column_int64(stmt, 0),
			.message_id = sql_column_text(stmt, 1),
			.subject = sql_column_text(stmt, 2),
			.mail = sqlite3_column_int64(stmt, 3),
		};
	}
	return rc;
}

int store_posting_get(struct store *s, int64_t id, struct store_posting *ret, struct err *err)
{
	auto_store_posting struct store_posting p = {0};
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_row(
		s,
		"SELECT id, date, seen, changed, chain, newer, list, message_id, title,"
		" author_name, author_email, digest, reason, version, minor, total, have, state"
		" FROM posting WHERE id = :id",
		"posting", id, &stmt, err);

	if (rc < 0)
		return rc;
	posting_read(stmt, &p);
	rc = patches_read(s, &p, err);
	if (rc < 0)
		return rc;
	*ret = p;
	p = (struct store_posting){0};
	return 0;
}

int store_posting_find(struct store *s, const char *message_id, int64_t *ret_id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT posting FROM patch WHERE message_id = :message_id"
			     " UNION ALL SELECT posting FROM mail WHERE message_id = :message_id"
			     " AND posting IS NOT NULL ORDER BY posting DESC LIMIT 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	rc = sql_step(s, stmt, "looking for a posting", err);
	if (rc == 0)
		return err_set(err, ERR_INPUT, "no series with a mail <%s> is known", message_id);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_column_int64(stmt, 0);
	return 0;
}
