#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9: the next run throws away what a killed one left, and nothing of one that is under way.
. "$(dirname "$0")/lib.sh"
nap=$((100000 + $$ % 100000)).25 # seconds, and a name of our own
make_tree
commit Makefile "s/^vmlinux: .*/&\\n\\t@sleep $nap/" 'Makefile: take a nap'
series
mv "$T/series.mbox" "$T/nap.mbox"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
series
replay
cache=$T/cache/firn

in_time() { # COMMAND...: until it is true, ten seconds
	for _ in $(seq 100); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
naps() { pgrep -f "sleep $nap" > /dev/null; }
wakes() { ! naps; }
begin() { # a run that gets to its nap: $pid
	"$FIRN" run "$T/nap.mbox" --tree "$T/tree" --testbed "replay:$T/replay" > "$T/nap.out" 2>&1 &
	pid=$!
	in_time naps || fail "the build did not get to its nap: $(cat "$T/nap.out")"
}
quick() { firn_run 0 "$T/series.mbox" --tree "$T/tree" --only "${only:-check}" "$@"; }
count() { ls -A "$cache/$1" 2> /dev/null | wc -l; }
reported() { find "$cache/runs" -name report.json | wc -l; }

echo "a run that is under way loses nothing to others"
begin
slot=$(ls "$cache/slots")
export only=apply # to check, it would wait for the folder that the other one builds in
quick & first=$!
quick & second=$!
wait "$first"
wait "$second"
unset only
[ "$(ls "$cache/slots")" = "$slot" ] || fail "slots: $(ls "$cache/slots")"
[ -d "$cache/slots/$slot/ppc64le-lean" ] || fail "the slot is empty"
[ "$(count runs)" = 3 ] || fail "runs: $(ls "$cache/runs")"

echo "after kill -9 all of it is there still, and the next run sweeps it"
kill -9 "$pid"
wait "$pid" 2> /dev/null || true
in_time wakes || fail "the build goes on"
[ "$(count slots)" = 1 ] || fail "nothing was left to sweep"
quick
[ "$(count slots)" = 0 ] || fail "a slot is left: $(ls -R "$cache/slots")"
[ "$(count runs)" = 4 ] && [ "$(reported)" = 3 ] || fail "runs: $(ls "$cache/runs")"

echo "its logs are there for a day"
aged() { find "${1:-$cache}/runs" -mindepth 1 -maxdepth 1 -exec touch -d '2 days ago' {} +; }
aged
quick
[ "$(count runs)" = 4 ] && [ "$(reported)" = 4 ] || fail "runs: $(ls "$cache/runs")"

echo "the same of a slot that was locked up, half a kernel, and what was written aside"
begin
chmod 0 "$cache"/slots/*/ppc64le-lean
kill -9 "$pid"
wait "$pid" 2> /dev/null || true
in_time wakes || fail "the build goes on"
worktree=$(ls -d "$cache"/worktrees/*)
objects=$(ls -d "$cache"/objects/*)
repo=$(ls -d "$cache"/repos/*.git)
mkdir -p "$worktree/artifact" "$cache/repos/x.git.tmp-12/objects" "$cache/guest/abc.tmp-1" "$cache/runs/calibrate-abcdef"
for file in "$worktree/artifact/vmlinux" "$worktree/state.json.tmp-1" "$objects/ppc64le-lean.json.tmp-77" "$cache/limits.tmp-3" \
	"$repo/firn-base-index.tmp-4" "$repo/objects/info/alternates.tmp-5" "$cache/guest/abc.tmp-1/init.c"; do
	echo half > "$file"
done
mkdir -p "$repo/objects/pack"
aged
echo half | tee "$repo/objects/pack/pack_git2_aaaaaa" > "$repo/objects/pack/pack_git2_bbbbbb"
touch -d '2 days ago' "$repo/objects/pack/pack_git2_aaaaaa"
quick
[ "$(count slots)" = 0 ] || fail "a slot is left: $(ls -R "$cache/slots")"
left=$(find "$cache" -name '*.tmp-*' -o -name artifact -o -name 'calibrate-*' -o -name '*_aaaaaa')
[ -z "$left" ] || fail "left: $left"
[ -e "$repo/objects/pack/pack_git2_bbbbbb" ] || fail "a pack that may be being written is gone"
[ "$(count runs)" = "$(reported)" ] || fail "runs: $(ls "$cache/runs")"

echo "a run that is killed wherever something is written"
for point in 4:written 1:written 3:write 1:write; do # the last is in the middle of a file
	{ FIRN_FAULT=$point "$FIRN" run "$T/series.mbox" --tree "$T/tree" --only check --cache "$T/part" > /dev/null 2>&1 || true; } 2> /dev/null
done
[ -n "$(find "$T/part" -name '*.tmp-*')" ] || fail "nothing was left to sweep"
aged "$T/part"
quick --cache "$T/part"
[ -z "$(find "$T/part" -name '*.tmp-*')" ] || fail "half-written files are left: $(find "$T/part" -name '*.tmp-*')"

echo "the work folder that was asked for is the user's"
mkdir "$T/mine"
{ FIRN_FAULT=2:write "$FIRN" run "$T/series.mbox" --tree "$T/tree" --only check --work "$T/mine" > /dev/null 2>&1 || true; } 2> /dev/null
quick
[ -n "$(ls "$T/mine")" ] || fail "it is gone"
