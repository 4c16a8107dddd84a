#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What does not differ is called unchanged, and +1 % is seen, on real kernels.
. "$(dirname "$0")/lib.sh"

# calibrate WANTED-EXIT-CODE [ARGUMENT...]
calibrate() {
	local want=$1 rc=0
	shift
	"$FIRN" calibrate --bench hot-add --sizes 16 --only hot-add/16 --samples 2 --budget 0 \
		--tree "$FIRN_TEST_TREE" --cache "$FIRN_TEST_CACHE" "$@" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn calibrate $*"
}
# number COMPARISON METRIC FIELD: of the JSON result; METRIC "" for what belongs to the comparison.
number() {
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); my ($c, $m, $f) = @ARGV;
		for (grep { $_->{name} eq $c } @{$r->{comparisons}}) {
			my @of = $m eq "" ? $_ : grep { $_->{name} eq $m } @{$_->{metrics}};
			my $v = $of[0]; $v = $v->{$_} for split /\//, $f; print $v }' "$@" < "$T/result.json"
}
small() { [ -n "$1" ] && awk -v v="$1" 'BEGIN { exit !(v > -0.0001 && v < 0.0001) }'; }
same() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; }

echo "two runs: no false alarm, +1 % is seen every time, and is +1 %"
calibrate 0 --runs 2 --planted null-function,slower-1 --json "$T/result.json"
for c in same null-function; do
	same "$(number $c "" runs)" 2 "runs of $c"
	same "$(number $c "" hits)" 0 "false alarms of $c"
	for end in least most; do # a microsecond or two of forty thousand, from where code lies
		small "$(number $c hot-add/16 change/$end)" || fail "$c changes hot-add/16 by $(number $c hot-add/16 change/$end)"
	done
done
same "$(number slower-1 hot-add/16 slower)" 2 "times that +1 % was seen"
number slower-1 hot-add/16 change/median | awk '{ exit !($1 > 0.0095 && $1 < 0.0105) }' ||
	fail "+1 % was measured as $(number slower-1 hot-add/16 change/median)"
has '^  open   at most 1 % false alarms: 0 of 4, '
has '^  open   at least 95 % of \+1 % seen in hot-add/16: 2 of 2, '

echo "an interrupted calibration says what it knows, and leaves nothing behind"
"$FIRN" calibrate --bench hot-add --sizes 16 --only hot-add/16 --samples 2 --budget 0 --runs 1000 --planted none --tree "$FIRN_TEST_TREE" \
	--cache "$FIRN_TEST_CACHE" > "$out" 2>&1 &
pid=$!
work=
for _ in $(seq 600); do # until its first boot has ended
	sleep 0.5
	work=$(find "$FIRN_TEST_CACHE/runs" -maxdepth 1 -name 'calibrate-*' -newer "$T/result.json" | head -n 1)
	[ -z "$work" ] || [ -z "$(find "$work" -name '*.console')" ] || break
done
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
same "$rc" 130 "exit code"
has '^Interrupted after [0-9]+ of 1000 runs\.$'
has '^  same +any '
[ ! -e "$work" ] || fail "$work was left behind"

echo "a folder is no base for planted series"
rc=0
"$FIRN" calibrate --bench hot-add --base "$T" --planted slower-1 > "$out" 2>&1 || rc=$?
same "$rc" 64 "exit code"
has 'needs --tree TREE'
