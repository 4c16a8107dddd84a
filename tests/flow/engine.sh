#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The engine role on a tiny tree with recorded boots: what is planned, tried, said, repeated, cancelled and thrown away.
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
make_tree
replay
engine() { # [ENVIRONMENT...]
	rc=0
	{ env "$@" "$FIRN" engine --once --config "$T/conf" > "$out" 2>&1; } 2> /dev/null || rc=$?
}
must() {
	engine "$@"
	[ "$rc" = 0 ] || fail "firn engine ends with $rc"
}
fresh() { rm -rf "$data" "$cache"; mkdir -p "$data" "$cache"; }
# What must be the same whether or not something crashed.
everything() {
	sql "SELECT id, state, outcome, words, base FROM trial ORDER BY id"
	sql "SELECT trial, name, state, outcome, reason FROM step ORDER BY trial, position" | sed -E 's/ in [0-9.]+ (s|min)[^,]*//g; s/from the cache/built/g; s/: base, patched$/: base built, patched built/'
	sql "SELECT trial, poster, target, context, want, revision, withdrawn FROM outbox ORDER BY trial, poster, target, context" | sed -E 's/ in [0-9.]+ (s|min)//g'
}

commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
series
cp "$T/series.mbox" "$T/good.mbox"
sed 's/^-\/\* Is it open? \*\//-\/* Is it shut? *\//; s/^ \/\* Is it open? \*\// \/* Is it shut? *\//; s/^-	open_now = 1;/-	open_now = 2;/; s/\.git\.ada@/.git.bad@/' "$T/good.mbox" > "$T/bad.mbox"

echo "a posting is planned, tried, and said to be good"
conf
feed mbox demo "$T/good.mbox"
must
is "$state" "finished pass" "trial"
is "SELECT count(*) FROM outbox WHERE context = 'firn-apply' AND json_extract(want, '\$.state') = 'success'" 2 "apply checks"
sql "SELECT want FROM outbox" | grep -q "Applied on demo/master ($(git -C "$T/tree" rev-parse --short=12 start))" || fail "the branch and commit are not said: $(sql 'SELECT want FROM outbox')"
sql "SELECT want FROM outbox" | grep -q 'https://firn.example.org/trial/1#apply' || fail "no link"
is "SELECT count(*) FROM outbox WHERE context = 'firn-boot'" 0 "a check for what is not asked for"
is "SELECT count(*) FROM outbox WHERE poster = 'mail'" 0 "mail about a good series"
[ -s "$data/trials/1/report.json" ] && [ -s "$data/trials/1/report.html" ] || fail "no report"
must
is "SELECT count(*) FROM trial" 1 "trials after a second look"

echo "a series that does not apply fails at its patch, by check and by mail"
feed mbox demo "$T/bad.mbox"
must
is "SELECT state || ' ' || outcome FROM trial WHERE id = 2" "finished fail" "trial"
is "SELECT json_extract(want, '\$.state') FROM outbox WHERE trial = 2 AND context = 'firn-apply' ORDER BY id" $'success\nfail' "checks of apply"
is "SELECT count(*) FROM outbox WHERE trial = 2 AND poster = 'mail'" 1 "mails"
sql "SELECT want FROM outbox WHERE poster = 'mail'" > "$out"
has '"to":["ada@example.org"]'
has '"subject":"Re: [PATCH 2/2] door: reword a comment"'
has '"cc":[]'
sql "SELECT target FROM outbox WHERE poster = 'mail'" | grep -qE '^firn\.2\.[0-9a-f]{12}@example\.org$' || fail "Message-ID: $(sql "SELECT target FROM outbox WHERE poster = 'mail'")"

echo "a rerun pins the base, replaces the result, and is answered once"
good=$(sql "SELECT message_id FROM posting WHERE id = 1")
git -C "$T/tree" commit -q --allow-empty -m 'the world goes on'
feed request rerun "$good" '{}'
feed request rerun nobody@example.org '{}'
must
is "SELECT good, trial FROM answer WHERE request = 1" "1|3" "answer"
is "SELECT good FROM answer WHERE request = 2" "0" "answer about what is not known"
is "SELECT replaces FROM trial WHERE id = 3" 1 "replaces"
is "SELECT count(DISTINCT base) FROM trial WHERE id IN (1, 3)" 1 "bases"
feed request rerun "$good" '{"unpin": true}'
must
is "SELECT count(DISTINCT base) FROM trial WHERE id IN (1, 4)" 2 "bases after unpin"
feed request rerun "$good" '{"base": "no-such-commit"}'
must
is "SELECT state || ' ' || outcome FROM trial WHERE id = 5" "finished error" "a base that is not there"
feed request rerun "$good" '{"only": "no-such-step"}'
must
is "SELECT good FROM answer WHERE request = 5" 0 "a step that is not there"
git -C "$T/tree" reset -q --hard start

echo "who gave a command that is not obeyed is told so, alone"
feed refused eve@example.net "$good" 'you may not'
must
is "SELECT words FROM answer WHERE request = 6" "you may not" "answer"
"$FIRN" post --once --config "$T/conf" > "$out" 2>&1 || fail "firn post"
tr -d '\r' < "$data/outbox/$(sql "SELECT id FROM outbox WHERE context = 'request 6'").eml" > "$out"
[ "$(sed -n '2,3p' "$out")" = $'To: eve@example.net\nSubject: Re: a series' ] || fail "not to him alone"
lacks 'Cc:'
has 'In-Reply-To: <command@example.net>'
has 'Auto-Submitted: auto-generated'
[ "$(sed '1,/^$/d' "$out" | head -n 3)" = "$(printf 'Not done: you may not\n\n-- ')" ] || fail "not one line"

echo "a new version cancels the old one's trial and takes back what was not sent"
fresh
feed mbox demo "$T/good.mbox"
feed mbox demo "$T/bad.mbox"
engine FIRN_FAULT=1:trial-taken
[ "$rc" = 137 ] || fail "not killed: $rc"
feed newer "$good" "$(sql "SELECT message_id FROM posting WHERE id = 2")"
must
is "$state" $'cancelled \nfinished fail' "trials"
is "SELECT count(*) FROM outbox WHERE trial = 1 AND NOT withdrawn" 0 "what is still to be said"

echo "Patchwork may come to know a patch later"
fresh
FEED_NO_PATCHWORK=1 feed mbox demo "$T/good.mbox"
must
is "SELECT count(*) FROM outbox" 0 "checks"
feed mbox demo "$T/good.mbox"
must
is "SELECT count(*) FROM outbox WHERE context = 'firn-apply'" 2 "late checks"

echo "a tree that is not there: trials wait, and it is said once"
fresh
mv "$T/tree" "$T/hidden"
feed mbox demo "$T/good.mbox"
feed mbox demo "$T/bad.mbox"
must
is "$state" $'waiting \nwaiting ' "trials"
is "SELECT DISTINCT attempts FROM trial" 0 "tries that count"
[ "$(grep -c 'waits: ' "$out")" = 1 ] || fail "not said once"
mv "$T/hidden" "$T/tree"
sql "UPDATE trial SET not_before = 0"
must
is "$state" $'finished pass\nfinished fail' "trials"

echo "kill -9 at each kind of point (ENGINE_POINTS=all: at all of them): the same end, nothing twice"
only=build,check
conf
fresh
feed mbox demo "$T/good.mbox"
feed mbox demo "$T/bad.mbox"
cp -a "$data" "$T/before"
must FIRN_FAULT_LOG="$T/points"
everything > "$T/wanted"
grep -q '^finished\|finished|pass\|finished|warn' "$T/wanted" || fail "nothing was done: $(cat "$T/wanted")"
n=$(wc -l < "$T/points")
[ "$n" -gt 30 ] || fail "only $n points"
for point in $(sort -u "$T/points"); do
	times=$(grep -cx "$point" "$T/points")
	ks=$(((times + 1) / 2))
	[ "${ENGINE_POINTS:-}" != all ] || ks=$(seq "$times")
	for k in $ks; do
		rm -rf "$data" "$cache"
		cp -a "$T/before" "$data"
		mkdir "$cache"
		engine FIRN_FAULT="$k:$point"
		for _ in 1 2 3 4; do
			[ "$(sql "SELECT count(*) FROM trial WHERE state IN ('waiting', 'running')")" = 0 ] && [ "$(sql "SELECT count(*) FROM trial")" = 2 ] && break
			sql "UPDATE trial SET not_before = 0, attempts = 0"
			must
		done
		everything > "$T/got"
		diff "$T/wanted" "$T/got" > "$out" || fail "killed at $k:$point"
	done
done

echo "what jobs found is not found out twice"
rm -rf "$data" "$cache"
cp -a "$T/before" "$data"
mkdir "$cache"
sql "DELETE FROM patch WHERE posting = 2"
sql "DELETE FROM posting WHERE id = 2"
engine FIRN_FAULT=1:trial-report # the trial's process, at its very end
is "SELECT attempts FROM trial" 1 "tries"
before=$(stat -c '%n %Y %i' "$data"/trials/1/jobs/*/result.json)
[ -n "$before" ] || fail "no jobs"
sql "UPDATE trial SET not_before = 0"
must
[ "$before" = "$(stat -c '%n %Y %i' "$data"/trials/1/jobs/*/result.json)" ] || fail "jobs were run again"
is "SELECT state || ' ' || attempts FROM trial" "finished 2" "trial"

echo "a trial that never comes to its end is given up, and said not to be known"
rm -rf "$data" "$cache"
cp -a "$T/before" "$data"
mkdir "$cache"
conf '[serve]' $'\ttries = 2'
sql "DELETE FROM patch WHERE posting = 2"
sql "DELETE FROM posting WHERE id = 2"
engine FIRN_FAULT=1:trial-begun
sql "UPDATE trial SET not_before = 0"
engine FIRN_FAULT=1:trial-begun
is "SELECT state || ' ' || outcome FROM trial" "finished error" "trial"
sql "SELECT words FROM trial" | grep -q 'begun 2 times' || fail "words: $(sql "SELECT words FROM trial")"
is "SELECT DISTINCT json_extract(want, '\$.state') FROM outbox" warning "checks"

echo "a testbed that fails with the base's kernel is out: boots wait, nothing is said about the series"
fresh
only=boot
conf
replay '{"match": {"work_dir": "*-boot-*"}, "console": "good.console", "end": "killed"}'
feed mbox demo "$T/good.mbox"
must
is "$state" "waiting " "trial"
is "SELECT state FROM testbed" out "testbed"
is "SELECT attempts FROM trial" 0 "tries that count"
is "SELECT json_extract(want, '\$.state') FROM outbox WHERE context = 'firn-boot'" $'pending\npending' "checks"
replay
sql "UPDATE trial SET not_before = 0"
sql "UPDATE testbed SET checked = checked - 7200, since = since - 7200"
must
is "$state" "finished pass" "trial"
is "SELECT state, boots > 2, failed FROM testbed" "good|1|1" "testbed"

echo "a boot that fails under the series is tried again, then it is an error of ours"
fresh
conf '[serve]' $'\ttries = 2'
replay '{"match": {"work_dir": "*-boot-patch-*"}, "console": "good.console", "end": "killed"}'
feed mbox demo "$T/good.mbox"
must
is "$state" "waiting " "trial"
sql "UPDATE trial SET not_before = 0"
must
is "$state" "finished error" "trial"
is "SELECT DISTINCT json_extract(want, '\$.state') FROM outbox WHERE context = 'firn-boot'" warning "checks"
is "SELECT count(*) FROM outbox WHERE poster = 'mail'" 0 "mails about our own errors"

echo "what is old goes, evidence of open findings stays, the budget is kept"
replay
only=build
conf
fresh
feed mbox demo "$T/good.mbox"
feed mbox demo "$T/bad.mbox"
must
[ -n "$(ls "$cache"/kernels)" ] || fail "no kernels"
sql "UPDATE trial SET finished = finished - 3000000"
touch -d '3 days ago' "$cache"/kernels/*/*
sed -i 's/^\[data\]/[serve]\n\tdisk = 1\n&/' "$T/conf"
mkdir -p "$cache/slots/trial-1/x" "$cache/kernels/big"
fallocate -l 1100M "$cache/kernels/big/vmlinux"
touch -d '3 days ago' "$cache/kernels/big/vmlinux"
"$FIRN" engine --config "$T/conf" > "$out" 2>&1 &
pid=$!
for _ in $(seq 100); do
	[ -e "$data/trials/1" ] || [ -e "$cache/kernels/big" ] || break
	sleep 0.1
done
kill "$pid"
rc=0
wait "$pid" || rc=$?
[ "$rc" = 0 ] || fail "SIGTERM: exit code $rc"
[ ! -e "$data/trials/1" ] || fail "an old trial is kept"
[ -e "$data/trials/2" ] || fail "the evidence of an open finding is gone"
[ ! -e "$cache/slots/trial-1" ] || fail "a dead slot is kept"
[ ! -e "$cache/kernels/big" ] || fail "the budget is not kept"
is "SELECT count(*) FROM trial WHERE work_dir IS NULL" 1 "forgotten"
[ -z "$(git -C "$cache"/repos/*.git for-each-ref refs/firn/trial-1)" ] || fail "refs are left"
