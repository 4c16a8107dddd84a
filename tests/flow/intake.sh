#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From an archive and a Patchwork to postings: each mail once, whichever has it, each in one state; a look that is
# killed anywhere and taken again ends as one that was not; nothing new is nothing to do; removals.
. "$(dirname "$0")/service/lib.sh"

make_tree
archive_init
mkdir "$T/mails"
"$service/mails.pl" --dir "$T/mails" --plain --seed 6 --rate 4 40
# One that the archive never gets.
lone=$(grep -lE '^Subject: \[PATCH[^]]*\] ' "$T"/mails/*.eml | tail -1)
lone_id=$(sed -n 's/^Message-I[dD]: <\(.*\)>$/\1/p' "$lone")
for mail in "$T"/mails/*.eml; do [ "$mail" = "$lone" ] || echo "$mail"; done | xargs -d '\n' "$here/lore_import.pl" demo 2>> "$T/import.log" ||
	{ cat "$T/import.log"; fail "import"; }
archive_serve
patchwork_start "$T"/mails/*.eml
conf_write

# What must be the same, however often it was begun.
facts() {
	sql "SELECT message_id, title, version, total, have, state, reason, digest FROM posting ORDER BY message_id"
	sql "SELECT m.message_id, m.state, m.number, p.message_id FROM mail m LEFT JOIN posting p ON p.id = m.posting ORDER BY 1, 2"
	sql "SELECT o.message_id, n.message_id FROM posting o JOIN posting n ON n.id = o.newer ORDER BY 1"
	sql "SELECT message_id, kind, number, series, url FROM patchwork ORDER BY 1"
	sql "SELECT source, value FROM cursor WHERE source NOT LIKE 'since %' ORDER BY 1"
}

echo "== once"
must intake "FIRN_FAULT_LOG=$T/points"
sound
facts > "$T/facts"
expect "mails" "SELECT count(*) FROM mail" "$(find "$T/mails" -name '*.eml' | wc -l)"
expect "mails that became nothing" "SELECT count(*) FROM mail WHERE state = 'new' OR reason = ''"
expect "the mail that only Patchwork has" "SELECT count(*) FROM mail JOIN mail_place ON mail = mail.id WHERE message_id = '$lone_id' AND source = 'patchwork pw demo'" 1
expect "mails from Patchwork that the archive has" "SELECT count(*) FROM mail_place WHERE source LIKE 'patchwork%'" 1
expect "patches without an address in Patchwork" "SELECT count(*) FROM patch WHERE number > 0 AND message_id NOT IN (SELECT message_id FROM patchwork)"
expect "patches whose series there is not known" "SELECT count(*) FROM patchwork WHERE kind = 'patch' AND series IS NULL"
[ "$(sql "SELECT count(*) FROM posting WHERE state = 'complete'")" -ge 5 ] || fail "few postings: $(sql 'SELECT * FROM posting')"
expect "postings that a version links" "SELECT count(*) > 0 FROM posting WHERE newer IS NOT NULL" 1

echo "== again: nothing"
before=$(sql "SELECT max(id) FROM mail")
must intake
facts | diff "$T/facts" - || fail "a second look changed something"
expect "new mails" "SELECT count(*) FROM mail WHERE id > $before"

echo "== killed at a dozen points, and taken again"
n=$(wc -l < "$T/points")
rm -rf "$data" && mkdir "$data"
killed=0
for at in $(seq 1 $((n / 12 + 1)) "$n"); do
	rm -rf "$data" && mkdir "$data"
	role intake "FIRN_FAULT=$at"
	[ "$rc" = 0 ] || killed=$((killed + 1))
	must intake
	sound
	facts | diff "$T/facts" - || fail "killed at point $at: something else came of it"
done
[ "$killed" -ge 5 ] || fail "killed $killed times only"

echo "== killed over and over, further on each time"
rm -rf "$data" && mkdir "$data"
for _ in $(seq 40); do
	role intake FIRN_FAULT=7
	[ "$rc" = 0 ] && break
done
must intake
sound
facts | diff "$T/facts" - || fail "killed over and over: something else came of it"

echo "== a removal"
first=$(grep -lE '^Subject: \[PATCH[^]]*\] ' "$T"/mails/*.eml | head -1)
id=$(sed -n 's/^Message-I[dD]: <\(.*\)>$/\1/p' "$first")
REMOVE=1 "$here/lore_import.pl" demo "$first" 2>> "$T/import.log" || fail "removal"
must intake
expect "the removed mail" "SELECT state FROM mail WHERE message_id = '$id'" removed
sound

echo "== the archive is down: said once, and Patchwork is read all the same"
stop lore
must intake
grep -q 'lore demo' "$T/intake.out" || fail "nothing is said: $(cat "$T/intake.out")"
expect "how the source is" "SELECT failures > 0 AND words IS NOT NULL FROM source WHERE name = 'lore demo'" 1
expect "how the other is" "SELECT failures FROM source WHERE name = 'patchwork pw demo'"
must intake
! grep -q 'lore demo' "$T/intake.out" || fail "it is said again: $(cat "$T/intake.out")"
archive_serve
must intake
grep -q 'answers again' "$T/intake.out" || fail "nothing is said: $(cat "$T/intake.out")"
