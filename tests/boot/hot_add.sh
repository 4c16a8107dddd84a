#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Planted regressions of hot-add are seen as what they are, and a comment is not.
. "$(dirname "$0")/lib.sh"

# metric NAME FIELD: of the JSON report.
metric() {
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); for (@{$r->{metrics}}) { print $_->{$ARGV[1]} if $_->{name} eq $ARGV[0] }' \
		"$1" "$2" < "$T/report.json"
}
# between LOW HIGH VALUE
between() { awk -v l="$1" -v h="$2" -v v="$3" 'BEGIN { exit !(v >= l && v <= h) }' || fail "$3 is not between $1 and $2"; }
# word NAME WORD
word() { [ "$(metric "$1" word)" = "$2" ] || fail "$1: $(metric "$1" word), not $2"; }

echo "a lookup for each LMB is slower"
firn_run 0 hot-add-slower.mbox --only bench-hot-add --json "$T/report.json"
step bench-hot-add warn
for n in 16 64; do
	for m in hot-add hot-add-again; do word $m/$n slower; done
	word memory-init/$n unchanged
done
between 0.002 0.005 "$(metric hot-add/16 change)"
between 0.004 0.009 "$(metric hot-add/64 change)"

echo "memory in the wrong node is that, and not faster"
firn_run 1 hot-add-misplaced.mbox --only bench-hot-add --lmbs 16 --json "$T/report.json"
step bench-hot-add fail
has 'hot-add-node: memory plugged into node 1 landed in node 0'

echo "a search for each memory block is slower at boot, the more blocks the more"
firn_run 0 hot-add-linear-blocks.mbox --only bench-hot-add --json "$T/report.json"
step bench-hot-add warn
for n in 16 64; do word memory-init/$n slower; done
awk -v a="$(metric memory-init/16 change)" -v b="$(metric memory-init/64 change)" 'BEGIN { exit !(b > 1.5 * a) }' ||
	fail "the change does not grow with the blocks"

echo "a comment changes nothing"
firn_run 0 comment-only.mbox --only bench-hot-add --lmbs 16 --json "$T/report.json"
step bench-hot-add pass
for m in hot-add hot-add-again hot-remove memory-init; do word $m/16 unchanged; done
