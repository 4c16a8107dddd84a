// SPDX-License-Identifier: GPL-2.0-or-later
/* A copy of the store while others write to it: SQLite's online backup. */
#include "store/store.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/str.h"
#include "store/sql.h"

#define PAGES_AT_ONCE 1000

static int copy_pages(struct store *s, sqlite3 *to, const char *path, struct err *err)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", s->db, "main");
	int code = SQLITE_OK;

	if (!b)
		return err_set(err, ERR_INFRA, "%s: %s", path, sqlite3_errmsg(to));
	while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED) {
		if (cancel_requested())
			break;
		code = sqlite3_backup_step(b, PAGES_AT_ONCE);
		if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
			sqlite3_sleep(100);
	}
	sqlite3_backup_finish(b);
	if (cancel_requested())
		return err_cancelled(err);
	return code == SQLITE_DONE ? 0
				   : err_set(err, ERR_INFRA, "%s: %s", path, sqlite3_errstr(code));
}

static int copy_to(struct store *s, const char *path, struct err *err)
{
	sqlite3 *to = NULL;
	int rc = 0;

	if (sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
	    SQLITE_OK)
		rc = err_set(err, ERR_INFRA, "%s: %s", path, sqlite3_errmsg(to));
	if (rc == 0)
		rc = copy_pages(s, to, path, err);
	/* One file and nothing beside it. */
	if (rc == 0 &&
	    sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK)
		rc = err_set(err, ERR_INFRA, "%s: %s", path, sqlite3_errmsg(to));
	sqlite3_close(to);
	return rc;
}

int store_backup(struct store *s, const char *path, struct err *err)
{
	auto_free char *aside = xasprintf("%s.part", path);
	int rc;

	if (fs_exists(path))
		return err_set(err, ERR_CONFIG, "%s is there already", path);
	unlink(aside);
	rc = copy_to(s, aside, err);
	if (rc == 0 && rename(aside, path) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot rename %s", aside);
	if (rc < 0)
		unlink(aside);
	return rc;
}
