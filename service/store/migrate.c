// SPDX-License-Identifier: GPL-2.0-or-later
/* From each schema version to the newest one, in one transaction (that of the caller). */
#include "store/migrate.h"

#include "base/str.h"

/* Version 1 had trial and step alone, and no state: what is not finished is running, or was. */
static const char from_1_before[] = "DROP INDEX step_duration;"
				    "ALTER TABLE trial RENAME TO trial_1;"
				    "ALTER TABLE step RENAME TO step_1;";
static const char from_1_after[] =
	"INSERT INTO trial (id, state, queued, started, finished, title, message_id, version,"
	" author, base, outcome, words, work_dir, report, boot_id, pid, pid_start, attempts)"
	" SELECT id, CASE WHEN finished IS NULL THEN 'running' ELSE 'finished' END, started,"
	" started, finished, title, message_id, version, author, base, outcome, words, work_dir,"
	" report, boot_id, pid, pid_start, 1 FROM trial_1;"
	"INSERT INTO step (trial, position, name, state, outcome, reason, started, seconds, cached)"
	" SELECT trial, position, name, state, outcome, reason, started, seconds, cached"
	" FROM step_1;"
	"DROP TABLE step_1;"
	"DROP TABLE trial_1;";

static int migrate_1(struct store *s, const char *schema, struct err *err)
{
	int rc = sql_exec(s, from_1_before, "bringing the store up to date", err);

	if (rc == 0)
		rc = sql_exec(s, schema, "bringing the store up to date", err);
	return rc < 0 ? rc : sql_exec(s, from_1_after, "bringing the store up to date", err);
}

/* Version 2 had no files, texts and numbers of their own, and steps said nothing while they ran.
 * The new tables and indices are those of the schema. */
static const char from_2_before[] = "ALTER TABLE step ADD COLUMN note TEXT NOT NULL DEFAULT '';"
				    "ALTER TABLE step ADD COLUMN done INTEGER NOT NULL DEFAULT 0;"
				    "ALTER TABLE step ADD COLUMN total INTEGER NOT NULL DEFAULT 0;"
				    "ALTER TABLE step ADD COLUMN log TEXT;"
				    "DROP INDEX IF EXISTS outbox_held;";
/* What was left to do then: from here on triggers keep it. */
static const char from_2_after[] =
	"INSERT INTO to_plan SELECT id FROM posting WHERE state = 'complete' AND newer IS NULL"
	" AND NOT EXISTS (SELECT 1 FROM trial WHERE trial.posting = posting.id"
	"  AND trial.digest = posting.digest);"
	"INSERT INTO to_say SELECT outbox.id FROM outbox"
	" LEFT JOIN delivery ON delivery.outbox = outbox.id"
	" WHERE state IS NULL OR delivery.revision < outbox.revision"
	" OR state IN ('approved', 'sending', 'retry');";

static int migrate_2(struct store *s, const char *schema, struct err *err)
{
	int rc = sql_exec(s, from_2_before, "bringing the store up to date", err);

	if (rc == 0)
		rc = sql_exec(s, schema, "bringing the store up to date", err);
	return rc < 0 ? rc : sql_exec(s, from_2_after, "bringing the store up to date", err);
}

int store_migrate(struct store *s, int64_t version, const char *schema, struct err *err)
{
	switch (version) {
	case 1: return migrate_1(s, schema, err);
	case 2: return migrate_2(s, schema, err);
	default: return 0;
	}
}
