#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whole runs on a tiny tree with recorded boots: each way in which a series can end.
. "$(dirname "$0")/lib.sh"
make_tree

echo "a series that changes nothing passes, and its repeat line repeats it"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
series
replay
firn_run 0 "$T/series.mbox" --tree "$T/tree"
for s in intake series base apply build boot; do step "$s" pass; done
step bench-hot-add skip
has 'there is nothing to measure'
firn_run 0 "$T/series.mbox" --tree "$T/tree" --only check,bench-hot-add
for s in check build boot bench-hot-add; do step "$s" pass; done
has 'unchanged'
has 'both images are the same, byte for byte'
grep -q 'the code that the series changes: with this configuration' "$T/report.json" || fail "not said what was not tested"
grep -q '"schema": "firn-report"' "$T/report.json" || fail "no report in JSON"
grep -q '<html' "$T/report.html" || fail "no report in HTML"
cmp <(git -C "$T/tree" rev-parse start) <(sed -n 's/^ *"commit": "\(.*\)",$/\1/p' "$T/report.json" | tail -n 1) ||
	fail "the base in the report is not the commit"
repeat=$(sed -n 's/^Repeat: *firn //p' "$out")
rc=0
eval "$FIRN $repeat" > "$out" 2>&1 || rc=$?
[ "$rc" = 0 ] || fail "repeat: exit code $rc"
has 'from the cache'
step bench-hot-add pass

echo "several files are one series, in any order"
mkdir -p "$T/files"
git -C "$T/tree" mailsplit -o"$T/files" "$T/series.mbox" > /dev/null
firn_run 0 "$T/files/0003" "$T/files/0001" "$T/files/0002" --tree "$T/tree" --only apply
has '2 patches and a cover letter'
firn_run 0 "$T/files" --tree "$T/tree" --only apply
has '2 patches and a cover letter'
rc=0
"$FIRN" run - --tree "$T/tree" --only apply < "$T/series.mbox" > "$out" 2>&1 || rc=$?
[ "$rc" = 0 ] || fail "standard input: exit code $rc"
has 'standard input'

echo "a job folder is a step that anybody can repeat"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --only bench-hot-add --work "$T/kept"
for job in "$T"/kept/jobs/*; do
	rm "$job/result.json"
	"$FIRN" job "$job" > "$out" 2>&1 || fail "firn job $job"
	[ -e "$job/result.json" ] || fail "firn job $job: no result"
done

echo "the user's repository is not written to"
[ -z "$(git -C "$T/tree" for-each-ref refs/firn)" ] || fail "refs in the user's tree"
[ -z "$(git -C "$T/tree" status --porcelain)" ] || fail "files in the user's tree"

echo "slower is a warning with the size of the change"
replay '{"match": {"initramfs": "*/patched.cpio", "append": "*lmbs=16 *"}, "console": "hot-add-16-slower.console", "lmbs": 16}'
firn_run 0 "$T/series.mbox" --tree "$T/tree" --only bench-hot-add
step bench-hot-add warn
has 'slower'
has '+0.31 %'

echo "a panic twice is a fail, and the patch that brings it is found"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
series
replay '{"match": {"work_dir": "*-boot-patch-[23]"}, "console": "panic.console"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step boot fail
has 'patch 2/3'
has 'Kernel panic - not syncing'
step bench-hot-add skip

echo "a panic once is a warning"
replay '{"match": {"work_dir": "*/07-boot-patch-3"}, "console": "panic.console"}'
firn_run 0 "$T/series.mbox" --tree "$T/tree"
step boot warn
has 'in one of two boots'

echo "a hang is a fail"
replay '{"match": {"work_dir": "*-boot-patch-*"}, "console": "hang.console", "end": "silence"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step boot fail
has 'patch 1/3'

echo "a new stall is a warning"
replay '{"match": {"work_dir": "*-boot-patch-*"}, "console": "stall.console"}'
firn_run 0 "$T/series.mbox" --tree "$T/tree"
step boot warn
has 'new stall'

echo "a new warning of the kernel is a fail; one that the base has too is nothing"
replay '{"match": {"work_dir": "*-boot-patch-*"}, "console": "warn.console"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step boot fail
has 'new warn'
replay '{"match": {"work_dir": "*-boot-*"}, "console": "warn.console"}'
firn_run 0 "$T/series.mbox" --tree "$T/tree"
step boot pass

echo "a base that does not boot is an error"
replay '{"match": {"work_dir": "*-boot-base"}, "console": "panic.console"}'
firn_run 2 "$T/series.mbox" --tree "$T/tree"
step boot error
has 'the base does not boot'

echo "an emulator that is killed is an error"
replay '{"match": {"work_dir": "*-boot-*"}, "console": "good.console", "end": "killed"}'
firn_run 2 "$T/series.mbox" --tree "$T/tree"
step boot error

echo "a series must bisect: a patch in the middle that panics is a fail, and the one that mends it is named"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
commit drivers/clock.c 's/ticks += 2/ticks += 3/' 'clock: tick three times'
commit drivers/clock.c 's/ticks += 3/ticks += 4/' 'clock: tick four times'
series
replay '{"match": {"work_dir": "*-boot-patch-[12]"}, "console": "panic.console"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree" --work "$T/each"
step build pass
has 'and after each of the 3 patches before the last'
step boot fail
has 'patch 2/4: panic'
has 'mended by patch 3/4'
[ ! -e "$(echo "$T"/each/jobs/*-boot-patch-1)" ] || fail "a comment makes the same image: it was booted again"
replay '{"match": {"work_dir": "*-boot-patch-[23]"}, "console": "panic.console"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree"
has 'patch 2/4: panic'
has 'mended by patch 4/4'
replay '{"match": {"work_dir": "*-boot-patch-3-empty-node0"}, "console": "panic.console"}' \
	'{"match": {"work_dir": "*-boot-patch-[24]-empty-node0"}, "console": "warn.console"}'
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step boot fail
has 'empty node 0'
has 'patch 2/4'
replay '{"match": {"work_dir": "*-boot-patch-2"}, "console": "panic.console"}'
printf '[boot]\n\teach = 3\n[bench]\n\trun = hot-add\n' > "$T/short.conf"
firn_run 0 "$T/series.mbox" --tree "$T/tree" --config "$T/short.conf"
step boot pass
grep -q 'the patches before the last are built and not booted' "$T/report.json" || fail "not said that the middle was not tried"

echo "a patch in the middle that does not build is a fail, though a later one mends it"
commit drivers/door.c 's/open_now = 1;/open_now = one;/' 'door: open wide'
commit drivers/door.c 's/open_now = one;/open_now = 1; \/* wide *\//' 'door: open as wide as it goes'
series
replay
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step build fail
has 'patch 1/2 does not build, mended by patch 2/2'
has 'drivers/door.c:8'
step boot skip

echo "a compiler error is a fail with its lines, attributed to its patch"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/open_now = 1;/open_now = one;/' 'door: open wide'
commit drivers/clock.c 's/Counts the ticks/Counts all ticks/' 'clock: reword it again'
series
replay
firn_run 1 "$T/series.mbox" --tree "$T/tree"
step build fail
has 'patch 2/3'
has "drivers/door.c:8"
step boot skip

echo "a base that does not build is an error"
sed -i 's/int door_open/int door_open(/' "$T/tree/drivers/door.c"
git -C "$T/tree" commit -q -am 'break it'
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
git -C "$T/tree" format-patch -q --stdout --signature= HEAD~ > "$T/one.mbox"
git -C "$T/tree" reset -q --hard HEAD~
firn_run 2 "$T/one.mbox" --tree "$T/tree"
step build error
has 'the base does not build'
git -C "$T/tree" reset -q --hard start

echo "a patch that does not apply is a fail that names file, hunk and lines"
sed 's/^-\/\* Is it open? \*\//-\/* Is it shut? *\//; s/^ \/\* Is it open? \*\// \/* Is it shut? *\//; s/^-	open_now = 1;/-	open_now = 2;/' "$T/series.mbox" > "$T/other.mbox"
firn_run 1 "$T/other.mbox" --tree "$T/tree"
step apply fail
has 'patch 2/3'
has 'hunk 1 of drivers/door.c'
step check pass

echo "nothing of all this is left in the slots"
[ -z "$(ls -A "$T/cache/firn/slots" 2>/dev/null)" ] || fail "slots: $(ls "$T/cache/firn/slots")"
