#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Input that is no series: a clear message, exit code 2, and nothing left behind.
. "$(dirname "$0")/lib.sh"
make_tree
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
commit drivers/clock.c 's/Counts the ticks/Counts all ticks/' 'clock: reword it again'
series
replay

bad() { # bad INPUT MESSAGE
	firn_run 2 "$1" --tree "$T/tree"
	has "$2"
	[ -z "$(ls -A "$T/cache/firn/runs" 2>/dev/null)" ] || fail "a work folder is left: $1"
}

echo "an empty file"
: > "$T/empty"
bad "$T/empty" 'is empty'
echo "a file that is not there"
bad "$T/nothing" "$T/nothing"
echo "binary junk"
head -c 100000 /dev/urandom > "$T/junk"
bad "$T/junk" "$T/junk"
echo "a mail that ends in its header"
printf 'From ada@example.org Mon Sep 17 00:00:00 2001\nFrom: Ada Example <ada@example.org>\nSubj' > "$T/cut"
bad "$T/cut" "$T/cut"
echo "a mail of 200 MB"
{ printf 'From: Ada Example <ada@example.org>\nSubject: [PATCH] large\n\n'; head -c 209715200 /dev/zero | tr '\0' 'x'; } > "$T/large"
bad "$T/large" "$T/large"
rm "$T/large"
echo "an mbox without a patch"
printf 'From ada@example.org Mon Sep 17 00:00:00 2001\nFrom: Ada Example <ada@example.org>\nSubject: Re: lunch\nMessage-ID: <lunch@example.org>\nIn-Reply-To: <x@example.org>\n\nYes.\n' > "$T/lunch"
bad "$T/lunch" 'holds no patch'
echo "two series"
cp "$T/series.mbox" "$T/two.mbox"
commit drivers/door.c 's/Is it open?/Open or not?/' 'door: ask otherwise'
git -C "$T/tree" format-patch -q --stdout --thread --signature= start.. >> "$T/two.mbox"
git -C "$T/tree" reset -q --hard start
bad "$T/two.mbox" '--series MESSAGE-ID'
echo "patch 2 of 3 is missing"
awk '/^From [0-9a-f]+ Mon / { n++ } n != 3' "$T/series.mbox" > "$T/gap.mbox"
bad "$T/gap.mbox" 'waiting for 2/3'
has '2 of 3 patches'
echo "no repository"
firn_run 2 "$T/series.mbox" --tree "$T"
has 'not a git repository'
echo "a base that is not there"
firn_run 2 "$T/series.mbox" --tree "$T/tree" --base v9.9
has 'v9.9'

usage() { # usage MESSAGE ARGUMENT...
	local want=$1 rc=0
	shift
	"$FIRN" "$@" > "$out" 2>&1 || rc=$?
	[ "$rc" = 64 ] || fail "exit code $rc, not 64: firn $*"
	has "$want"
}
echo "wrong usage"
usage 'no command "dance"' dance
usage 'needs --tree' run "$T/series.mbox"
usage 'needs a SERIES' run --tree "$T/tree"
usage 'no step "tea"' run "$T/series.mbox" --tree "$T/tree" --only check,tea
usage '--samples' run "$T/series.mbox" --tree "$T/tree" --samples 1001
usage 'no option --frobnicate' run "$T/series.mbox" --frobnicate
usage 'needs an argument' run "$T/series.mbox" --tree
for c in run job web check-config; do
	[[ $("$FIRN" "$c" --help) == *"Usage: firn $c"* ]] || fail "no help for $c"
done

echo "a report that cannot be written is an error, and is shown all the same"
rc=0
"$FIRN" run "$T/series.mbox" --tree "$T/tree" --only apply --html /nonexistent/report.html > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "exit code $rc, not 2"
has 'Verdict: pass'
has '/nonexistent/report.html'

echo "a configuration with mistakes"
mkdir -p "$T/config/firn"
printf '[bench]\n\tsamples = none\n[testbed]\n\tname = moon\n[x]\n\ty = 1\n' > "$T/config/firn/config"
rc=0; "$FIRN" check-config > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "check-config: exit code $rc"
has 'config:2: bench.samples'
has 'config:4: testbed.name'
has 'config:6: unknown key x.y'
