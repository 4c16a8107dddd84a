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

/* Version 3 had all but the lists of what is to be filled in. */
static int migrate_3(struct store *s, const char *schema, struct err *err)
{
	return sql_exec(s, schema, "bringing the store up to date", err);
}

/* Testbeds were called what the configuration has, "replay:DIR": pages are to have the name. What
 * it said goes too: it may name the folder, and is said again. */
static const char testbeds_rename[] =
	"DELETE FROM testbed WHERE instr(name, ':') AND EXISTS (SELECT 1 FROM testbed AS other"
	" WHERE other.name = substr(testbed.name, 1, instr(testbed.name, ':') - 1)"
	" OR (other.name > testbed.name AND substr(other.name, 1, instr(other.name, ':'))"
	"  = substr(testbed.name, 1, instr(testbed.name, ':'))));"
	"UPDATE testbed SET name = substr(name, 1, instr(name, ':') - 1), words = ''"
	" WHERE instr(name, ':');";

/* What came before version 3 has no files, no text, no numbers and no logs of steps, also where
 * version 3 went on with it. */
static const char to_fill[] =
	"INSERT INTO to_fill_posting SELECT id FROM posting"
	" WHERE NOT EXISTS (SELECT 1 FROM posting_file WHERE posting_file.posting = posting.id)"
	" AND NOT EXISTS (SELECT 1 FROM posting_text"
	"  WHERE posting_text.posting = posting.id AND cover <> '');"
	"INSERT INTO to_fill_trial SELECT id FROM trial"
	" WHERE state = 'finished' AND report IS NOT NULL"
	" AND NOT EXISTS (SELECT 1 FROM metric WHERE metric.trial = trial.id)"
	" AND NOT EXISTS (SELECT 1 FROM step WHERE step.trial = trial.id AND log IS NOT NULL);";

int store_migrate(struct store *s, int64_t version, const char *schema, struct err *err)
{
	static int (*const steps[])(struct store *, const char *,
				    struct err *) = {NULL, migrate_1, migrate_2, migrate_3};
	int rc;

	if (version < 1 || version >= (int64_t)array_size(steps))
		return 0;
	rc = steps[version](s, schema, err);
	if (rc == 0)
		rc = sql_exec(s, testbeds_rename, "naming testbeds", err);
	return rc < 0 ? rc : sql_exec(s, to_fill, "noting what is to be filled in", err);
}
