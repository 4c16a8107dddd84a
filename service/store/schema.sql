-- SPDX-License-Identifier: GPL-2.0-or-later
-- The store, schema version 4. Times are seconds since 1970 UTC. A change here needs a new STORE_SCHEMA_VERSION
-- (store.c) and a step from the version before (migrate.c); what is new there is made by this file again, hence IF NOT EXISTS.
-- Each table has one writer, named above it; `request` alone is appended to by everybody.

-- intake --------------------------------------------------------------------------------------------------------

-- Where a source has been read up to. Moves in the transaction that keeps the mails before it.
CREATE TABLE IF NOT EXISTS cursor (
	source  TEXT PRIMARY KEY,	-- 'lore linuxppc-dev 0', 'patchwork ozlabs linuxppc-dev'
	value   TEXT NOT NULL,		-- commit; date of an event, opaque
	updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How a source is: for `firn status`, and when it may be asked again.
CREATE TABLE IF NOT EXISTS source (
	name       TEXT PRIMARY KEY,
	tried      INTEGER,
	good       INTEGER,		-- last time that it answered well
	failures   INTEGER NOT NULL DEFAULT 0,	-- since then
	not_before INTEGER NOT NULL DEFAULT 0,
	words      TEXT			-- of the last failure
) STRICT, WITHOUT ROWID;

-- Every mail that came, byte for byte, and what became of it.
CREATE TABLE IF NOT EXISTS mail (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	message_id TEXT NOT NULL,	-- without <>; '' when it has none
	hash       TEXT NOT NULL,	-- of the bytes
	raw        BLOB,		-- zlib (RFC 1950); null: the archive purged it
	raw_len    INTEGER NOT NULL,
	received   INTEGER NOT NULL,	-- by us
	date       INTEGER NOT NULL,
	subject    TEXT NOT NULL,
	from_name  TEXT NOT NULL,
	from_email TEXT NOT NULL,
	thread     INTEGER NOT NULL,	-- mails that are connected by References share it: the least id of them
	state      TEXT NOT NULL,	-- 'new', then a word of MAIL_STATES (series/ledger.h), 'removed'
	reason     TEXT NOT NULL DEFAULT '',
	posting    INTEGER,		-- that it is a part of, or answers
	number     INTEGER,		-- of the patch; 0: the cover letter
	UNIQUE (message_id, hash)
) STRICT;
CREATE INDEX IF NOT EXISTS mail_thread ON mail (thread);
CREATE INDEX IF NOT EXISTS mail_author ON mail (from_email, date);
CREATE INDEX IF NOT EXISTS mail_new ON mail (id) WHERE state = 'new';
CREATE INDEX IF NOT EXISTS mail_state ON mail (state, id);

-- The ids that a mail names (References, In-Reply-To): what comes later finds its thread by them.
CREATE TABLE IF NOT EXISTS mail_ref (
	message_id TEXT NOT NULL,
	mail       INTEGER NOT NULL REFERENCES mail (id) ON DELETE CASCADE,
	PRIMARY KEY (message_id, mail)
) STRICT, WITHOUT ROWID;

-- Where a mail was seen: one mail may be on several lists and come from several sources.
CREATE TABLE IF NOT EXISTS mail_place (
	mail   INTEGER NOT NULL REFERENCES mail (id) ON DELETE CASCADE,
	list   TEXT NOT NULL,		-- name of the [list]
	source TEXT NOT NULL,
	place  TEXT NOT NULL,		-- commit of the epoch; URL in Patchwork
	PRIMARY KEY (mail, list, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mail_place_list ON mail_place (list, mail);

-- One version of one posting.
CREATE TABLE IF NOT EXISTS posting (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	list         TEXT NOT NULL,	-- whose rules hold for it
	message_id   TEXT NOT NULL,	-- of the cover letter, else of the first patch that came
	title        TEXT NOT NULL,
	author_name  TEXT NOT NULL,
	author_email TEXT NOT NULL,
	version      INTEGER NOT NULL,
	minor        INTEGER NOT NULL DEFAULT 0,
	total        INTEGER NOT NULL,
	have         INTEGER NOT NULL,	-- patches that came
	date         INTEGER NOT NULL,
	seen         INTEGER NOT NULL,	-- when its first mail came
	changed      INTEGER NOT NULL,	-- when its last part came
	digest       TEXT NOT NULL,	-- over its patches: another one is another thing to try
	state        TEXT NOT NULL CHECK (state IN ('incomplete', 'complete', 'left alone')),
	reason       TEXT NOT NULL DEFAULT '',
	chain        INTEGER NOT NULL,	-- versions of one posting share it: the least id of them
	newer        INTEGER REFERENCES posting (id)	-- the version that replaces it
) STRICT;
CREATE INDEX IF NOT EXISTS posting_message ON posting (message_id);
CREATE INDEX IF NOT EXISTS posting_chain ON posting (chain);
CREATE INDEX IF NOT EXISTS posting_list ON posting (list, id);
CREATE INDEX IF NOT EXISTS posting_state ON posting (state, id);

CREATE TABLE IF NOT EXISTS patch (
	posting    INTEGER NOT NULL REFERENCES posting (id) ON DELETE CASCADE,
	number     INTEGER NOT NULL,	-- 0: the cover letter
	message_id TEXT NOT NULL,
	mail       INTEGER NOT NULL REFERENCES mail (id),
	subject    TEXT NOT NULL,
	PRIMARY KEY (posting, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS patch_message ON patch (message_id);

-- The files that a posting touches.
CREATE TABLE IF NOT EXISTS posting_file (
	posting INTEGER NOT NULL REFERENCES posting (id) ON DELETE CASCADE,
	path    TEXT NOT NULL,
	PRIMARY KEY (posting, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS posting_file_path ON posting_file (path, posting);

-- What is shown of a posting as text: decoded and UTF-8, at most 64 KiB.
CREATE TABLE IF NOT EXISTS posting_text (
	posting INTEGER PRIMARY KEY REFERENCES posting (id) ON DELETE CASCADE,
	cover   TEXT NOT NULL,	-- the cover letter; of a patch alone its message; '': none
	since   TEXT		-- JSON: what changed since the version before, "since" of report/SCHEMA.md; null: no such version
) STRICT;

-- What Patchwork calls a mail.
CREATE TABLE IF NOT EXISTS patchwork (
	server     TEXT NOT NULL,	-- name of the [patchwork]
	kind       TEXT NOT NULL CHECK (kind IN ('patch', 'cover')),
	number     INTEGER NOT NULL,	-- its id there
	message_id TEXT NOT NULL,
	series     INTEGER,		-- id there
	url        TEXT NOT NULL,
	PRIMARY KEY (server, kind, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS patchwork_message ON patchwork (message_id);
CREATE INDEX IF NOT EXISTS patchwork_series ON patchwork (server, series);

-- engine --------------------------------------------------------------------------------------------------------

-- One series on one base with one plan of steps. `firn run` writes rows too, without posting.
CREATE TABLE IF NOT EXISTS trial (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	state      TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'cancelled')),
	posting    INTEGER REFERENCES posting (id),
	list       TEXT NOT NULL DEFAULT '',
	digest     TEXT NOT NULL DEFAULT '',	-- of the posting when it was planned
	priority   INTEGER NOT NULL DEFAULT 1,	-- 0 rerun, 1 new, 2 backlog
	plan       TEXT NOT NULL DEFAULT '{}',	-- JSON: base, only, configuration that is pinned; see queue.h
	request    INTEGER,			-- that asked for it
	replaces   INTEGER REFERENCES trial (id),	-- whose result it takes the place of
	queued     INTEGER NOT NULL,
	not_before INTEGER NOT NULL DEFAULT 0,
	attempts   INTEGER NOT NULL DEFAULT 0,
	started    INTEGER,
	finished   INTEGER,
	title      TEXT NOT NULL,
	message_id TEXT NOT NULL,
	version    INTEGER NOT NULL,
	author     TEXT NOT NULL,
	base       TEXT,	-- commit, hex
	outcome    TEXT CHECK (outcome IN ('skip', 'pass', 'warn', 'error', 'fail')),
	words      TEXT,	-- the verdict in one line; of a cancelled one: why
	work_dir   TEXT,
	report     TEXT,	-- path of report.json
	boot_id    TEXT,	-- /proc/sys/kernel/random/boot_id of who runs it
	pid        INTEGER,
	pid_start  INTEGER,	-- field 22 of /proc/PID/stat
	CHECK ((state = 'finished') = (outcome IS NOT NULL))
) STRICT;
CREATE INDEX IF NOT EXISTS trial_waiting ON trial (priority, queued) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS trial_running ON trial (id) WHERE state = 'running';
CREATE INDEX IF NOT EXISTS trial_posting ON trial (posting);
CREATE INDEX IF NOT EXISTS trial_message ON trial (message_id);
-- Newest verdicts first: all, of an outcome, of a list. And when a list was served last.
CREATE INDEX IF NOT EXISTS trial_finished ON trial (finished) WHERE state = 'finished';
CREATE INDEX IF NOT EXISTS trial_outcome ON trial (outcome, finished) WHERE state = 'finished';
CREATE INDEX IF NOT EXISTS trial_list ON trial (list, finished) WHERE state = 'finished';
CREATE INDEX IF NOT EXISTS trial_cancelled ON trial (id) WHERE state = 'cancelled';
CREATE INDEX IF NOT EXISTS trial_served ON trial (list, started) WHERE posting IS NOT NULL;

CREATE TABLE IF NOT EXISTS step (
	trial    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
	position INTEGER NOT NULL,	-- order in the plan
	name     TEXT NOT NULL,
	state    TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done')),
	outcome  TEXT CHECK (outcome IN ('skip', 'pass', 'warn', 'error', 'fail')),
	reason   TEXT,
	started  INTEGER,
	seconds  REAL,
	cached   INTEGER NOT NULL DEFAULT 0,
	note     TEXT NOT NULL DEFAULT '',	-- what it is doing, while it runs
	done     INTEGER NOT NULL DEFAULT 0,	-- of so many; 0 of 0: not known
	total    INTEGER NOT NULL DEFAULT 0,
	log      TEXT,				-- relative to the work folder, once it ended
	PRIMARY KEY (trial, name),
	CHECK ((state = 'done') = (outcome IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- For the time that a step is expected to take.
CREATE INDEX IF NOT EXISTS step_duration ON step (name, cached, trial) WHERE outcome IN ('pass', 'warn');

-- The numbers of a finished trial: for their history.
CREATE TABLE IF NOT EXISTS metric (
	trial       INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
	bench       TEXT NOT NULL,	-- 'hot-add'
	name        TEXT NOT NULL,	-- 'hot-add/16'
	title       TEXT NOT NULL,
	unit        TEXT NOT NULL,
	better      TEXT NOT NULL,	-- 'lower', 'higher'
	x           REAL,		-- the size that it is measured at
	base_commit TEXT,		-- hex
	base_commit_time INTEGER,
	testbed     TEXT NOT NULL,
	mode        TEXT NOT NULL,	-- 'count', 'clock'
	base_median REAL,
	patched_median REAL,
	change      REAL,
	word        TEXT NOT NULL,
	PRIMARY KEY (trial, bench, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS metric_history ON metric (bench, name, trial);

CREATE TABLE IF NOT EXISTS testbed (
	name    TEXT PRIMARY KEY,
	state   TEXT NOT NULL CHECK (state IN ('good', 'out')),
	since   INTEGER NOT NULL,
	checked INTEGER NOT NULL,
	words   TEXT NOT NULL,
	boots   INTEGER NOT NULL DEFAULT 0,
	failed  INTEGER NOT NULL DEFAULT 0	-- of them by the testbed's own fault
) STRICT, WITHOUT ROWID;

-- What is to be said, the newest of it: a row is written anew when there is more to say (revision).
CREATE TABLE IF NOT EXISTS outbox (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	trial    INTEGER NOT NULL REFERENCES trial (id),
	poster   TEXT NOT NULL CHECK (poster IN ('patchwork', 'mail')),
	target   TEXT NOT NULL,		-- 'ozlabs 12345': server and patch; a mail's Message-ID
	context  TEXT NOT NULL,		-- 'firn-apply'; of a mail '', or 'request 12' that it answers
	revision INTEGER NOT NULL DEFAULT 1,
	want     TEXT NOT NULL,		-- JSON, see outbox.h
	held     INTEGER NOT NULL,	-- waits for somebody's approval
	withdrawn INTEGER NOT NULL DEFAULT 0,	-- it is not to be said any more
	written  INTEGER NOT NULL,
	UNIQUE (trial, poster, target, context)
) STRICT;
-- A mail by its Message-ID; what is newer about the same thing.
CREATE INDEX IF NOT EXISTS outbox_target ON outbox (target, id);

-- What became of a request.
CREATE TABLE IF NOT EXISTS answer (
	request INTEGER PRIMARY KEY REFERENCES request (id),
	at      INTEGER NOT NULL,
	good    INTEGER NOT NULL,
	words   TEXT NOT NULL,
	trial   INTEGER
) STRICT;

-- post ----------------------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS delivery (
	outbox     INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
	revision   INTEGER NOT NULL,	-- that `state` is about
	state      TEXT NOT NULL CHECK (state IN ('approved', 'sending', 'sent', 'retry', 'failed', 'dropped', 'dry run')),
	tries      INTEGER NOT NULL DEFAULT 0,
	not_before INTEGER NOT NULL DEFAULT 0,
	at         INTEGER NOT NULL,
	words      TEXT NOT NULL DEFAULT ''	-- the server's answer
) STRICT;
CREATE INDEX IF NOT EXISTS delivery_open ON delivery (not_before) WHERE state IN ('sending', 'retry');
CREATE INDEX IF NOT EXISTS delivery_state ON delivery (state, outbox);

-- Addresses that want no mail from us.
CREATE TABLE IF NOT EXISTS suppression (
	address TEXT PRIMARY KEY,	-- lower case
	since   INTEGER NOT NULL,
	words   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- what is left to do --------------------------------------------------------------------------------------------

-- So that nobody looks for it among all that is done. Kept by triggers, in the transaction of whoever writes.

-- Postings that are to be tried and have no trial as they are now.
CREATE TABLE IF NOT EXISTS to_plan (
	posting INTEGER PRIMARY KEY REFERENCES posting (id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER IF NOT EXISTS to_plan_come AFTER INSERT ON posting
	WHEN NEW.state = 'complete' AND NEW.newer IS NULL
BEGIN
	INSERT INTO to_plan VALUES (NEW.id);
END;
CREATE TRIGGER IF NOT EXISTS to_plan_changed AFTER UPDATE OF state, newer, digest ON posting
BEGIN
	DELETE FROM to_plan WHERE posting = NEW.id;
	INSERT INTO to_plan SELECT NEW.id WHERE NEW.state = 'complete' AND NEW.newer IS NULL
		AND NOT EXISTS (SELECT 1 FROM trial WHERE trial.posting = NEW.id AND trial.digest = NEW.digest);
END;
CREATE TRIGGER IF NOT EXISTS to_plan_planned AFTER INSERT ON trial WHEN NEW.posting IS NOT NULL
BEGIN
	DELETE FROM to_plan WHERE posting = NEW.posting
		AND NEW.digest = (SELECT digest FROM posting WHERE posting.id = NEW.posting);
END;

-- Rows of the outbox that nobody looked at, that say more than was sent, or that are being sent.
CREATE TABLE IF NOT EXISTS to_say (
	outbox INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER IF NOT EXISTS to_say_come AFTER INSERT ON outbox
BEGIN
	INSERT INTO to_say VALUES (NEW.id);
END;
CREATE TRIGGER IF NOT EXISTS to_say_changed AFTER UPDATE OF revision ON outbox WHEN NEW.revision <> OLD.revision
BEGIN
	DELETE FROM to_say WHERE outbox = NEW.id;
	INSERT INTO to_say VALUES (NEW.id);
END;
CREATE TRIGGER IF NOT EXISTS to_say_looked_at AFTER INSERT ON delivery
BEGIN
	DELETE FROM to_say WHERE outbox = NEW.outbox;
	INSERT INTO to_say SELECT id FROM outbox WHERE id = NEW.outbox
		AND (NEW.revision < revision OR NEW.state IN ('approved', 'sending', 'retry'));
END;
CREATE TRIGGER IF NOT EXISTS to_say_told AFTER UPDATE ON delivery
BEGIN
	DELETE FROM to_say WHERE outbox = NEW.outbox;
	INSERT INTO to_say SELECT id FROM outbox WHERE id = NEW.outbox
		AND (NEW.revision < revision OR NEW.state IN ('approved', 'sending', 'retry'));
END;

-- What a store of before schema 3 lacks, and is still to be filled in (fill.h): files and texts of these postings, by intake;
CREATE TABLE IF NOT EXISTS to_fill_posting (
	posting INTEGER PRIMARY KEY REFERENCES posting (id) ON DELETE CASCADE
) STRICT;
-- numbers and logs of these trials, out of their reports, by the engine.
CREATE TABLE IF NOT EXISTS to_fill_trial (
	trial INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE
) STRICT;

-- everybody appends ---------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS request (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	at         INTEGER NOT NULL,
	kind       TEXT NOT NULL CHECK (kind IN ('rerun', 'cancel', 'approve', 'drop', 'suppress', 'allow')),
	message_id TEXT NOT NULL,	-- of what it is about; '' for an outbox row
	arguments  TEXT NOT NULL,	-- JSON, see request.h
	who        TEXT NOT NULL,	-- user or address
	via        TEXT NOT NULL CHECK (via IN ('command', 'web', 'mail')),
	mail       INTEGER REFERENCES mail (id)
) STRICT;
