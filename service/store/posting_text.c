// SPDX-License-Identifier: GPL-2.0-or-later
/* The posting_file and posting_text tables: what is known of a posting for who looks at it. */
#include "store/mails.h"

#include "base/str.h"
#include "store/sql.h"

static int files_delete(struct store *s, int64_t posting, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "DELETE FROM posting_file WHERE posting = :posting", &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	return sql_run(s, stmt, "noting the files of a posting", err);
}

int store_posting_files(struct store *s, int64_t posting, const char *const *paths, size_t n,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = files_delete(s, posting, err);

	if (rc == 0)
		rc = sql_prepare(s,
				 "INSERT OR IGNORE INTO posting_file (posting, path)"
				 " VALUES (:posting, :path)",
				 &stmt, err);
	for (size_t i = 0; rc == 0 && i < n && i < STORE_FILES_MAX; i++) {
		sqlite3_reset(stmt);
		sql_int(stmt, ":posting", posting);
		sql_text(stmt, ":path", paths[i]);
		rc = sql_run(s, stmt, "noting the files of a posting", err);
	}
	return rc;
}

/* Not inside of a character. */
static size_t cut(const char *text, size_t max)
{
	size_t n = strlen(text);

	if (n <= max)
		return n;
	for (n = max; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

int store_posting_cover(struct store *s, int64_t posting, const char *cover, struct err *err)
{
	auto_free char *text = xmemdup(cover, cut(cover, STORE_TEXT_MAX));
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO posting_text (posting, cover) VALUES (:posting, :cover)"
			     " ON CONFLICT (posting) DO UPDATE SET cover = :cover",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	sql_text(stmt, ":cover", text);
	return sql_run(s, stmt, "noting the text of a posting", err);
}

int store_posting_since(struct store *s, int64_t posting, const char *since, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO posting_text (posting, cover, since)"
			     " VALUES (:posting, '', :since)"
			     " ON CONFLICT (posting) DO UPDATE SET since = :since",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	sql_text(stmt, ":since", since);
	return sql_run(s, stmt, "noting what changed in a posting", err);
}
