#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A store of an older schema under the service of today; a backup that is made while the service writes, brought back.
. "$(dirname "$0")/lib.sh"
make_tree
archive_init
mkdir -p "$T/mails"
"$service/mails.pl" --dir "$T/mails" --plain --seed 2 --rate 4 30
archive_add "$T"/mails/*.eml
archive_serve
patchwork_start "$T"/mails/*.eml
smtp_start
conf_write

echo "== schema 1"
sqlite3 "$db" <<END
$(cat "$fixtures/store/schema-1.sql")
PRAGMA application_id = 1718186606;
PRAGMA user_version = 1;
INSERT INTO trial (started, finished, title, message_id, version, author, outcome, words, boot_id, pid, pid_start)
	VALUES (1, 2, 'old', 'old@example.org', 1, 'Ada', 'pass', 'as it was', 'b', 1, 1);
INSERT INTO step (trial, position, name, state, outcome, seconds) VALUES (1, 1, 'apply', 'done', 'pass', 1);
END
done_all() { [ "$(sql "SELECT (SELECT count(*) > 2 FROM trial WHERE state = 'finished') AND NOT EXISTS (SELECT 1 FROM trial WHERE state IN ('waiting', 'running')) AND (SELECT count(*) > 3 FROM delivery WHERE state = 'sent')
	AND NOT EXISTS (SELECT 1 FROM outbox o LEFT JOIN delivery d ON d.outbox = o.id AND d.revision = o.revision WHERE d.state IS NOT 'sent')")" = 1 ]; }
start serve "$FIRN" serve --config "$conf"
wait_for 90 done_all || { out=$T/serve.log; fail "the service does not work on a store of schema 1"; }
stop serve
expect "the old trial" "SELECT words FROM trial WHERE message_id = 'old@example.org'" 'as it was'
sound
all_mails
all_sent

echo "== a backup while others write"
"$service/mails.pl" --dir "$T/mails" --plain --seed 12 --prefix n --rate 300 100
archive_add "$T"/mails/*.eml 2> /dev/null || true
start intake "$FIRN" intake --once --config "$conf"
for i in 1 2 3; do
	"$FIRN" backup --config "$conf" "$T/backup.$i" > "$out" 2>&1 || fail "backup ends with $?"
	[ "$(sqlite3 "$T/backup.$i" 'PRAGMA integrity_check')" = ok ] || fail "backup $i is damaged"
	sleep 0.3
done
wait "${running[intake]}" || { out=$T/intake.log; fail "intake beside a backup"; }
unset 'running[intake]'
sound
all_mails
echo "== the first one brought back: $(sqlite3 "$T/backup.1" 'SELECT count(*) FROM mail') mails in it"
rm -rf "$data" "$T/cache"
mkdir "$data"
cp "$T/backup.1" "$db"
must intake
must engine
must post
sound
all_mails
all_sent
