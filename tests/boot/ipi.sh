#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One IPI line for all nodes is seen by its line, a longer path by the rate, and code that merely lies elsewhere not at all. One
# machine (XIVE, four CPUs in two nodes) of the bench's four.
. "$(dirname "$0")/lib.sh"

artifact() { sed -n 's/^ *"artifact": "\(.*\)",*$/\1/p' "$T/work-$n/jobs"/*-"$1"/result.json; }
# bench SERIES: the base against it; leaves the report in $T/report.json.
bench() {
	local rc=0
	firn_run 0 "$1" --only build
	"$FIRN" bench ipi --base "$(artifact build-base)" --patched "$(artifact build-patch-1)" --sizes 4 --only ipi/xive/one-to-many/4 \
		--samples 8 --budget 0 --profile false --cache "$FIRN_TEST_CACHE" --work "$T/bench-$n" --json "$T/report.json" > "$out" 2>&1 || rc=$?
	[ "$rc" -lt 2 ] || fail "exit code $rc: firn bench ipi, $1"
}
# report LIST NAME FIELD: of the row of that name, wherever it is in the report.
report() {
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); my ($list, $name, $field) = @ARGV;
		sub walk { my $x = shift; my $k = shift // "";
			if (ref $x eq "ARRAY") { for (@$x) {
				if ($k eq $list && ref eq "HASH" && ($_->{name} // "") eq $name) { print $_->{$field}; exit } walk($_, "") } }
			walk($x->{$_}, $_) for ref $x eq "HASH" ? sort keys %$x : () }
		walk($r)' "$@" < "$T/report.json"
}
metric() { report metrics ipi/xive/one-to-many/4 "$1"; }
lines() { report facts ipi/xive/lines "$1"; }
same() { [ "$1" = "$2" ] || fail "$3: \"$1\", not \"$2\""; }

echo "code that lies elsewhere changes nothing"
bench layout-only.mbox
same "$(metric word)" unchanged "one to many"
same "$(lines base)" "IPI-0: CPUs 0-1; IPI-1: CPUs 2-3" "lines"
same "$(lines patched)" "$(lines base)" "lines"

echo "one line for all nodes is seen by the line, not by the rate"
bench ipi-one-line.mbox
same "$(metric word)" unchanged "one to many"
same "$(lines patched)" "IPI-0: CPUs 0-3" "lines"
has 'more CPUs share an IPI line'

echo "a load more for each IPI is slower by about 1 %"
bench ipi-slower.mbox
same "$(metric word)" slower "one to many"
metric change | awk '{ exit !($1 < -0.006 && $1 > -0.018) }' || fail "slower by $(metric change)"
