-- SPDX-License-Identifier: GPL-2.0-or-later
-- The store, schema version 1. Times are seconds since 1970 UTC. A change here needs a new STORE_SCHEMA_VERSION
-- (store.c) and a step from the version before.

-- One series on one base with one plan of steps. Written by whoever runs it; while `finished` is null, boot_id, pid and
-- pid_start say which process that is, so that a trial whose process is gone is known as interrupted.
CREATE TABLE trial (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	started    INTEGER NOT NULL,
	finished   INTEGER,
	title      TEXT NOT NULL,
	message_id TEXT NOT NULL,
	version    INTEGER NOT NULL,
	author     TEXT NOT NULL,
	base       TEXT,	-- commit, hex
	outcome    TEXT CHECK (outcome IN ('skip', 'pass', 'warn', 'error', 'fail')),
	words      TEXT,	-- the verdict in one line
	work_dir   TEXT,
	report     TEXT,	-- path of report.json
	boot_id    TEXT NOT NULL,	-- /proc/sys/kernel/random/boot_id
	pid        INTEGER NOT NULL,
	pid_start  INTEGER NOT NULL,	-- field 22 of /proc/PID/stat
	CHECK ((finished IS NULL) = (outcome IS NULL))
) STRICT;

CREATE TABLE step (
	trial    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
	position INTEGER NOT NULL,	-- order in the plan
	name     TEXT NOT NULL,
	state    TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done')),
	outcome  TEXT CHECK (outcome IN ('skip', 'pass', 'warn', 'error', 'fail')),
	reason   TEXT,
	started  INTEGER,
	seconds  REAL,
	cached   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (trial, name),
	CHECK ((state = 'done') = (outcome IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- For the time that a step is expected to take.
CREATE INDEX step_duration ON step (name, cached, trial) WHERE outcome IN ('pass', 'warn');
