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

echo "== schema 2: what it lacks is filled in, though the roles are killed on the way"
texts() { sql "SELECT posting, path FROM posting_file ORDER BY 1, 2; SELECT * FROM posting_text ORDER BY 1; SELECT trial, name, log FROM step ORDER BY 1, 2"; }
texts > "$T/texts.before"
old=$T/old.db
sqlite3 "$old" < "$fixtures/store/schema-2.sql"
{
	echo "PRAGMA foreign_keys = OFF; ATTACH '$db' AS new; BEGIN;"
	for table in $(sqlite3 "$old" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"); do
		columns=$(sqlite3 "$old" "SELECT group_concat('\"' || name || '\"') FROM pragma_table_info('$table')")
		echo "INSERT INTO main.$table ($columns) SELECT $columns FROM new.$table;"
	done
	echo "COMMIT; PRAGMA application_id = 1718186606; PRAGMA user_version = 2;"
} > "$T/old.sql"
sqlite3 -bail "$old" < "$T/old.sql"
rm -f "$db"*
mv "$old" "$db"
kills=0
for name in intake engine; do
	role "$name" FIRN_FAULT=2:fill
	while [ "$rc" = 137 ]; do
		kills=$((kills + 1))
		[ "$kills" -lt 100 ] || fail "$name does not get on"
		role "$name" FIRN_FAULT=2:fill
	done
	[ "$rc" = 0 ] || { out=$T/$name.out; fail "$name ends with $rc"; }
done
[ "$kills" -ge 3 ] || fail "only $kills kills"
texts > "$T/texts.after"
[ "$(wc -l < "$T/texts.before")" -gt 20 ] || fail "there was nothing to fill in"
diff "$T/texts.before" "$T/texts.after" > "$T/texts.diff" || { head "$T/texts.diff"; fail "what was filled in differs"; }
expect "what is left" "SELECT (SELECT count(*) FROM to_fill_posting) + (SELECT count(*) FROM to_fill_trial)"
grep -q 'files and texts of series: all' "$T/roles.log" || fail "the log does not say so"
sound
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
