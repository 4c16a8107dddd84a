#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One benchmark on two kernels, and the patch of a series that changes a number, on recorded boots.
. "$(dirname "$0")/lib.sh"
make_tree

# bench WANTED-EXIT-CODE [ARGUMENT...]
bench() {
	local want=$1 rc=0
	shift
	"$FIRN" bench "$@" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn bench $*"
}

echo "wrong arguments are named"
bench 64
has 'takes one BENCH'
bench 64 hot-add ipi --base a --patched b
bench 64 dance --base a --patched b
has 'no benchmark "dance"'
bench 64 hot-add --patched b
has 'needs --base'
bench 64 hot-add --base a
has 'needs --patched'
bench 64 hot-add --base a --patched b
has 'a revision needs --tree'
bench 64 hot-add --base a --patched b --lmbs 0
has '0 is not between'
bench 64 hot-add --base a --patched b --sizes many
bench 64 node-offline --base a --patched b --sizes 4
has 'node-offline has none'
bench 64 hot-add --base a --patched b --profile maybe
bench 2 hot-add --base a --patched b --testbed moon
has 'no testbed "moon"'
bench 2 hot-add --base a --patched b --mode slow
has 'neither count nor clock'
bench 2 hot-add --base no-such-revision --patched start --tree "$T/tree"
has 'neither a folder with a vmlinux nor a revision'
bench 2 hot-add --base start --patched start --tree "$T"
bench 0 --help
for b in hot-add node-offline http; do has "$b"; done
has 'needs a testbed that can'
rc=0
printf '[bench]\n\tmode = slow\n\trun = hot-add,dance\n' > "$T/bad.conf"
"$FIRN" check-config "$T/bad.conf" > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "check-config: exit code $rc"
has 'bad.conf:2: bench.mode: "slow" is neither count nor clock'
has 'bad.conf:3: bench.run: no benchmark "dance"'

echo "two revisions are built and compared"
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
git -C "$T/tree" tag two
git -C "$T/tree" reset -q --hard start
replay '{"match": {"initramfs": "*/patched.cpio", "append": "*lmbs=16 *"}, "console": "hot-add-16-slower.console", "lmbs": 16}'
on=(--tree "$T/tree" --testbed "replay:$T/replay" --sizes 16)
bench 0 hot-add --base start --patched two "${on[@]}" --json "$T/bench.json" --html "$T/bench.html" --work "$T/work"
has 'slower'
has '+0.31 %'
has 'base start ('
grep -q '"schema": "firn-report"' "$T/bench.json" || fail "no report in JSON"
grep -q "\"commit\": \"$(git -C "$T/tree" rev-parse start)\"" "$T/bench.json" || fail "the base is not named"
grep -q '<html' "$T/bench.html" || fail "no report in HTML"
cmp "$T/bench.json" "$T/work/report.json" || fail "the work folder has another report"
for job in base-build patched-build bench; do
	rm "$T/work/$job/result.json"
	"$FIRN" job "$T/work/$job" > "$out" 2>&1 || fail "firn job $job"
done

echo "the repeat line repeats it, from the cache"
bench 0 hot-add --base start --patched two "${on[@]}"
repeat=$(sed -n 's/^Repeat: *firn //p' "$out")
eval "$FIRN $repeat" > "$out" 2>&1 || fail "repeat: exit code $?"
has '+0.31 %'

echo "folders of kernels need no tree"
kernel=$(grep -l "$(git -C "$T/tree" rev-parse start)" "$T"/cache/firn/kernels/*/build.json | head -n 1)
bench 0 hot-add --base "$(dirname "$kernel")" --patched "$(dirname "$kernel")" --testbed "replay:$T/replay" --lmbs 16 --brief
has 'slower' # as it was recorded

echo "a kernel that does not build is the author's fault, if it is not the base"
commit drivers/door.c 's/open_now = 1;/open_now = one;/' 'door: open wide'
git -C "$T/tree" tag broken
git -C "$T/tree" reset -q --hard start
bench 1 hot-add --base start --patched broken "${on[@]}"
has 'does not build'
bench 2 hot-add --base broken --patched start "${on[@]}"

echo "nothing is left of what did not come to an end"
[ -z "$(ls -A "$T/cache/firn/slots" 2>/dev/null)" ] || fail "slots: $(ls "$T/cache/firn/slots")"
before=$(ls "$T/cache/firn/runs")
replay '{"match": {"append": "*lmbs=16 *"}, "console": "hot-add-16.console", "lmbs": 16, "delay_s": 30}'
"$FIRN" bench hot-add --base start --patched two "${on[@]}" > "$out" 2>&1 &
pid=$!
for _ in $(seq 100); do
	[ "$(ls "$T/cache/firn/runs")" = "$before" ] || break
	sleep 0.1
done
sleep 1
rc=0
kill -INT "$pid"
wait "$pid" || rc=$?
[ "$rc" = 130 ] || fail "interrupted: exit code $rc"
[ "$(ls "$T/cache/firn/runs")" = "$before" ] || fail "a work folder is left"

git -C "$T/tree" tag -d broken two > /dev/null

echo "--attribute finds the patch that makes it slower"
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
commit drivers/clock.c 's/ticks += 2/ticks += 3/' 'clock: tick three times'
commit drivers/clock.c 's/ticks += 3/ticks += 4/' 'clock: tick four times'
series
# A folder is named after how many patches its kernel has.
slower='{"match": {"initramfs": "*/patched.cpio", "append": "*lmbs=16 *"}, "console": "hot-add-16-slower.console", "lmbs": 16}'
part() { echo "{\"match\": {\"initramfs\": \"*-bench-hot-add-patch-$1/patched.cpio\", \"append\": \"*lmbs=16 *\"}, \"console\": \"hot-add-16.console\", \"lmbs\": 16}"; }
replay "$(part '[1]')" "$slower"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --attribute
step bench-hot-add warn
has 'patch 2/3: '
has 'patch 2/3 is the first with "hot-add of 16 LMBs" slower'
has ' --attribute'
grep -q '"patch": 2' "$T/report.json" || fail "the report names no patch"
replay "$(part '[12]')" "$slower"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --attribute
has 'patch 3/3: '

echo "without --attribute nobody is named; with one patch it can only be that one"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --work "$T/plain"
step bench-hot-add warn
lacks 'patch 3/3: hot-add'
[ "$(ls "$T/plain/jobs" | grep -c bench)" = 1 ] || fail "more than one benchmark was run"
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
series
replay "$slower"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --attribute --work "$T/single"
grep -q '"patch": 1' "$T/report.json" || fail "the only patch is not named"
[ "$(ls "$T/single/jobs" | grep -c bench)" = 1 ] || fail "more than one benchmark was run"

echo "which benchmarks run"
printf '[bench]\n\trun = node-offline\n' > "$T/other.conf"
replay
firn_run 0 "$T/series.mbox" --tree "$T/tree" --only boot --config "$T/other.conf"
step boot pass
"$FIRN" run "$T/series.mbox" --tree "$T/tree" --testbed "replay:$T/replay" --only bench-dance > "$out" 2>&1 && fail "--only bench-dance"
has 'no step "bench-dance"'
firn_run 0 "$T/series.mbox" --tree "$T/tree" --only bench-http
step bench-http skip
has 'cannot have network cards'
