#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The engine role in the middle of a build: it is told to end, or the trial is not wanted any more. And how people follow a trial: firn log -f,
# firn rerun --wait.
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
engine_pid= follow= nap=$((100000 + $$)) # a sleep that is no other's
end() {
	[ -z "$engine_pid$follow" ] || kill -9 $engine_pid $follow 2> /dev/null || true
	pkill -9 -f "sleep $nap" || true
	rm -rf "$T"
}
trap end EXIT

engine_begin() {
	"$FIRN" engine --config "$T/conf" > "$T/log" 2>&1 &
	engine_pid=$!
}
engine_end() { # within 10 s, and well
	local began=$SECONDS
	kill -TERM "$engine_pid"
	rc=0
	wait "$engine_pid" || rc=$?
	engine_pid=
	[ "$rc" = 0 ] || fail "exit code $rc of the engine: $(cat "$T/log")"
	[ $((SECONDS - began)) -le 10 ] || fail "it took $((SECONDS - began)) s to end"
}
wait_for() { # SECONDS COMMAND
	for _ in $(seq "$(($1 * 10))"); do
		if eval "$2"; then return 0; fi
		sleep 0.1
	done
	fail "waited in vain for: $2; log of the engine: $(cat "$T/log")"
}
ask() { # WANTED-EXIT-CODE COMMAND [ARGUMENT...]
	local want=$1 rc=0
	"$FIRN" "$2" --config "$T/conf" "${@:3}" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn ${*:2}"
}
naps() { pgrep -f "^sleep $nap" > /dev/null; }
wake() { pkill -f "^sleep $nap"; } # not the shell that waits for it
processes() { # those of this scratch folder; only the shell's own words, since grep would find itself
	local p line
	for p in /proc/[0-9]*; do
		[ "$p" != "/proc/$$" ] && line=$(tr '\0' ' ' 2> /dev/null < "$p/cmdline") && [[ $line == *"$T"* ]] && echo "$line"
	done
	return 0
}
nobody_is_left() {
	! naps || fail "the build goes on"
	[ -z "$(processes)" ] || fail "left running: $(processes)"
	[ -z "$(find "$data" "$cache" -name '*.tmp*')" ] || fail "half-written files are left"
}
results() { stat -c '%n %Y %i' "$data/trials/$1"/jobs/*/result.json; }
with_nap() { # NAME SED-SCRIPT SUBJECT: a series of two patches, NAME.mbox; the second one's build naps
	commit "drivers/$1.c" "$2" "$3"
	commit Makefile 's,^vmlinux: .*,&\n\t@echo "  NAP of '"$1"'"; sleep '"$nap"' || true,' 'Makefile: take a nap'
	series
	# Covers of the same second would have the same id.
	sed "s/\.git\.ada@/.git.$1@/" "$T/series.mbox" > "$T/$1.mbox"
}
make_tree
replay
only=build
conf
with_nap clock 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
with_nap door 's/Is it open?/Is the door open?/' 'door: reword a comment'

echo "SIGTERM in the middle of a build: nobody is left, the trial waits, and this try does not count"
feed mbox demo "$T/clock.mbox"
clock=$(sql "SELECT message_id FROM posting WHERE id = 1")
engine_begin
wait_for 60 naps
is "$state" "running " "trial"
engine_end
nobody_is_left
is "SELECT state || ' ' || attempts || ' ' || (not_before > strftime('%s')) FROM trial" "waiting 0 0" "trial"
is "SELECT count(*) FROM step WHERE state = 'running'" 0 "steps that run"
is "SELECT count(*) FROM outbox WHERE withdrawn" 0 "what was taken back"

echo "it goes on where it was, and is followed to its end"
results 1 > "$T/before"
[ -s "$T/before" ] || fail "no job had ended"
engine_begin
wait_for 60 naps
results 1 | diff "$T/before" - > "$out" || fail "jobs were run again"
ask 0 log 1
grep -qE '^ +running +build ' "$out" || fail "the build is not said to run"
ask 0 log 1 build
has '==> 03-build-patch-2'
has 'CC      drivers/clock'
lacks 'NAP of' # make holds back what a rule prints until the rule ends
ask 2 log -f 1 apply # has ended, and ran no tools
has 'has no log of apply'
"$FIRN" log --config "$T/conf" -f "$clock" build > "$T/followed" 2>&1 &
follow=$!
"$FIRN" rerun --config "$T/conf" --wait "$clock" > "$T/waited" 2>&1 &
wait_for 10 'grep -q "trial 1" "$T/waited"'
is "SELECT count(*) FROM trial" 1 "trials: a rerun of what runs is no new one"
wait_for 10 'grep -q "CC      drivers/clock" "$T/followed"'
kill -0 "$follow" || fail "firn log -f did not wait"
wake
rc=0
wait $! || rc=$?
out=$T/waited
[ "$rc" = 0 ] || fail "exit code $rc of firn rerun --wait, not 0"
grep -qE '^  pass +build ' "$out" || fail "the step is not there"
grep -q '^pass: ' "$out" || fail "the verdict is not there"
wait_for 10 '! kill -0 "$follow" 2> /dev/null'
rc=0
wait "$follow" || rc=$?
follow= out=$T/followed
[ "$rc" = 0 ] || fail "exit code $rc of firn log -f"
[ "$(grep -c 'NAP of' "$out")" = 1 ] || fail "the end of the build is not there once"
[ "$(grep -c '^==> 01-build-base' "$out")" = 1 ] || fail "the base's build is not there once"
out=$T/out

echo "a request to cancel in the middle of a build"
feed mbox demo "$T/door.mbox"
door=$(sql "SELECT message_id FROM posting WHERE id = 2")
wait_for 60 naps
ask 0 cancel "$door"
has 'trial 2 is cancelled'
wait_for 10 '! naps && [ -z "$(pgrep -P "$engine_pid")" ]'
is "SELECT state FROM trial WHERE id = 2" cancelled "trial"
sql "SELECT words FROM trial WHERE id = 2" | grep -q 'asked for it' || fail "words: $(sql "SELECT words FROM trial WHERE id = 2")"
is "SELECT count(*) FROM outbox WHERE trial = 2 AND NOT withdrawn" 0 "what is still to be said"
is "SELECT count(*) FROM step WHERE trial = 2 AND state <> 'done'" 0 "steps that did not end"
ask 1 cancel "$door"
has 'no trial of'

echo "a rerun of it is another trial, which a newer version does not end: somebody asked for it"
feed request rerun "$door" '{}'
wait_for 60 naps
is "SELECT state || ' ' || replaces FROM trial WHERE id = 3" "running 2" "trial"
sed 's/\.git\.door@/.git.two@/; s/\[PATCH /[PATCH v2 /; s/|| true/|| exit 1/' "$T/door.mbox" > "$T/newer.mbox"
feed mbox demo "$T/newer.mbox"
newer=$(sql "SELECT message_id FROM posting WHERE id = 3")
feed newer "$door" "$newer"
wait_for 10 '[ "$(sql "SELECT count(*) FROM trial")" = 4 ]'
wake
wait_for 60 '[ "$(sql "SELECT state FROM trial WHERE id = 3")" = finished ]'
is "SELECT outcome FROM trial WHERE id = 3" pass "trial"

echo "a verdict that is bad is the exit code of --wait"
"$FIRN" rerun --config "$T/conf" --wait "$newer" > "$T/waited" 2>&1 &
follow=$!
wait_for 10 'grep -q "trial 4" "$T/waited"'
wait_for 60 'wake || true; ! kill -0 "$follow" 2> /dev/null' # a build that fails is tried twice
rc=0
wait "$follow" || rc=$?
follow= out=$T/waited
[ "$rc" = 1 ] || fail "exit code $rc of firn rerun --wait, not 1"
grep -q '^fail: ' "$out" || fail "the verdict is not there"
engine_end
nobody_is_left
