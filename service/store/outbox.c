// SPDX-License-Identifier: GPL-2.0-or-later
/* The outbox and delivery tables, for those who write them. */
#include "store/outbox.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

int store_outbox_put(struct store *s, const struct store_post_new *post, int64_t *ret_id,
		     struct err *err)
{
	auto_free char *want = sql_json_text(post->want);
	auto_stmt sqlite3_stmt *stmt = NULL;
	/* What has not changed keeps its revision: it is not said twice. */
	int rc = sql_prepare(
		s,
		"INSERT INTO outbox (trial, poster, target, context, want, held, written)"
		" VALUES (:trial, :poster, :target, :context, :want, :held, :now)"
		" ON CONFLICT (trial, poster, target, context) DO UPDATE SET"
		" revision = revision + (want <> :want), held = :held,"
		" written = CASE WHEN want = :want THEN written ELSE :now END, want = :want"
		" RETURNING id",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", post->trial);
	sql_text(stmt, ":poster", post->poster);
	sql_text(stmt, ":target", post->target);
	sql_text(stmt, ":context", post->context);
	sql_text(stmt, ":want", want);
	sql_int(stmt, ":held", post->held);
	sql_int(stmt, ":now", clock_wall());
	rc = sql_step(s, stmt, "writing to the outbox", err);
	if (rc < 0)
		return rc;
	*ret_id = sqlite3_column_int64(stmt, 0);
	/* A statement that returns rows has done its work only at its end. */
	return sql_run(s, stmt, "writing to the outbox", err);
}

int store_outbox_withdraw(struct store *s, int64_t trial, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "UPDATE outbox SET withdrawn = 1 WHERE trial = :trial"
			     " AND context NOT LIKE 'request %'",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	return sql_run(s, stmt, "withdrawing from the outbox", err);
}

int store_delivery_tell(struct store *s, int64_t outbox, unsigned revision,
			enum store_delivery_state state, int64_t not_before, const char *words,
			struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	/* Tries are those of one revision. */
	int rc = sql_prepare(
		s,
		"INSERT INTO delivery (outbox, revision, state, tries, not_before, at, words)"
		" VALUES (:outbox, :revision, :state, :sending, :not_before, :now, :words)"
		" ON CONFLICT (outbox) DO UPDATE SET"
		" tries = :sending + CASE WHEN revision = :revision THEN tries ELSE 0 END,"
		" revision = :revision, state = :state, not_before = :not_before, at = :now,"
		" words = :words",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":outbox", outbox);
	sql_int(stmt, ":revision", revision);
	sql_text(stmt, ":state", store_delivery_state_name(state));
	sql_int(stmt, ":sending", state == STORE_DELIVERY_SENDING);
	sql_int(stmt, ":not_before", not_before);
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":words", words ? words : "");
	return sql_run(s, stmt, "noting a delivery", err);
}

int store_suppress(struct store *s, const char *address, const char *words, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT OR IGNORE INTO suppression (address, since, words)"
			     " VALUES (lower(:address), :now, :words)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":address", address);
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":words", words);
	return sql_run(s, stmt, "suppressing an address", err);
}

int store_allow(struct store *s, const char *address, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "DELETE FROM suppression WHERE address = lower(:address)", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":address", address);
	return sql_run(s, stmt, "allowing an address", err);
}

int store_is_suppressed(struct store *s, const char *address, bool *ret_is, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT 1 FROM suppression WHERE address = lower(:address)", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":address", address);
	rc = sql_step(s, stmt, "looking for a suppressed address", err);
	if (rc < 0)
		return rc;
	*ret_is = rc > 0;
	return 0;
}
