#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The planted regression is seen with its size, and a comment is not.
. "$(dirname "$0")/lib.sh"

# metric NAME FIELD: of the JSON report.
metric() {
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); for (@{$r->{metrics}}) { print $_->{$ARGV[1]} if $_->{name} eq $ARGV[0] }' \
		"$1" "$2" < "$T/report.json"
}
# between LOW HIGH VALUE
between() { awk -v l="$1" -v h="$2" -v v="$3" 'BEGIN { exit !(v >= l && v <= h) }' || fail "$3 is not between $1 and $2"; }

echo "a lookup for each LMB is slower"
firn_run 0 hot-add-slower.mbox --only bench-hot-add --json "$T/report.json"
step bench-hot-add warn
[ "$(metric hot-add/16 word)" = slower ] || fail "16 LMBs: $(metric hot-add/16 word)"
[ "$(metric hot-add/64 word)" = slower ] || fail "64 LMBs: $(metric hot-add/64 word)"
grep -q "16 LMBs: slower, .*64 LMBs: slower" "$T/report.json" || fail "the reason does not name both sizes"
between 0.002 0.005 "$(metric hot-add/16 change)"
between 0.004 0.009 "$(metric hot-add/64 change)"

echo "a comment changes nothing"
firn_run 0 comment-only.mbox --only bench-hot-add --json "$T/report.json"
step bench-hot-add pass
[ "$(metric hot-add/16 word)" = unchanged ] || fail "16 LMBs: $(metric hot-add/16 word)"
[ "$(metric hot-add/64 word)" = unchanged ] || fail "64 LMBs: $(metric hot-add/64 word)"
