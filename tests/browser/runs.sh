#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of one developer's runs in a real browser: `firn run` with a benchmark on recorded boots, and the real runs of
# FIRN_TEST_CACHE when it has any (quickstart makes one).
. "$(dirname "$0")/lib.sh"
real=${FIRN_TEST_CACHE:-}/firn.db
. "$browser/../flow/lib.sh"

cache=$T/cache/firn
mkdir -p "$cache"
[ ! -s "$real" ] || sqlite3 "$real" ".backup $cache/firn.db"
make_tree
replay '{"match": {"initramfs": "*/patched.cpio", "append": "*lmbs=16 *"}, "console": "hot-add-16-slower.console", "lmbs": 16}'
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
series
sed -i 's/\*\*\* SUBJECT HERE \*\*\*/clocks: tick twice/' "$T/series.mbox"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --work "$T/work"
step bench-hot-add warn

sql() { sqlite3 "$cache/firn.db" "$1"; }
mine=$(sql "SELECT max(id) FROM trial")
# Of the real ones: the newest with a benchmark, and the newest that failed, whose reports are still there, and will be: those of
# a test that runs beside this one go with it.
kept() { while IFS='|' read -r id report; do [ ! -s "$report" ] || [[ $report == */test-* ]] || { echo "$id"; break; }; done; }
measured=$(sql "SELECT DISTINCT t.id, t.report FROM trial t JOIN step s ON s.trial = t.id WHERE t.id < $mine AND t.report IS NOT NULL
	AND s.name LIKE 'bench-%' AND s.outcome IN ('pass', 'warn') ORDER BY t.id DESC" | kept)
failed=$(sql "SELECT id, report FROM trial WHERE id < $mine AND report IS NOT NULL AND outcome = 'fail' ORDER BY id DESC" | kept)
bench=$(sql "SELECT substr(name, 7) FROM step WHERE trial = ${measured:-0} AND name LIKE 'bench-%' AND outcome IN ('pass', 'warn') LIMIT 1")
cat > "$T/facts.json" <<-END
	{"mine": $mine, "measured": ${measured:-null}, "bench": "$bench", "failed": ${failed:-null}}
END
cat "$T/facts.json"

# A past for the history of the base: forty commits, and from the twentieth on it is slower. Their words have a name that no
# column has room for.
sql "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
	INSERT INTO trial (id, state, queued, started, finished, title, message_id, version, author, outcome, words)
	SELECT $mine + i, 'finished', 1790000000 + i, 1790000000 + i, 1790000100 + i, 'an older one', '', 1, '', 'pass',
		'good: __machine_initcall_pseries_proc_ppc64_create_ofdt_and_all_the_others_that_stand_behind_it+0x24/0x84' FROM n;
	INSERT INTO metric (trial, bench, name, title, unit, better, x, base_commit, base_commit_time, testbed, mode, base_median, patched_median, change, word)
	SELECT t.id, bench, name, m.title, unit, better, x, printf('%040x', t.id), 1768900000 + (t.id - $mine) * 86400, testbed, mode,
		base_median * (1 + (t.id >= $mine + 20) * 0.02) + t.id * 7919 % 50, patched_median, 0, 'unchanged'
	FROM trial t, metric m WHERE t.id > $mine AND m.trial = $mine"

"$FIRN" web --port 0 > "$T/web.log" 2>&1 < /dev/null &
web=$!
trap 'kill $web; wait $web || true; rm -rf "$T"' EXIT
served "$T/web.log" || fail "no web"
rc=0
topics runs runs || rc=1
echo "== text browsers"
reads / 'clocks: tick twice' || rc=1
wide=2000 reads "/trial/$mine" 'clocks: tick twice' 'build' 'bench-hot-add' || rc=1
wide=120 reads "/trial/$mine/bench/hot-add" 'hot-add' '16 LMBs' 'slower' || rc=1
reads /bench/hot-add 'hot-add of 16 LMBs' || rc=1
exit $rc
