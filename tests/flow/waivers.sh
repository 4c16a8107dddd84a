#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a list, a tree and the configuration waive is not told in a trial: one series, once with each of them.
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
make_tree
replay
only=apply,check

# An error and a warning of the native rules.
commit drivers/door.c 's/^static int open_now;/static int open_now; \nextern int shut_now;/' 'door: make it worse'
git -C "$T/tree" diff --quiet start && fail "the series changes nothing"
series

told() { # "TYPE TYPE ": which of the two a trial tells
	local report got
	rm -rf "$data" "$cache"
	mkdir -p "$data" "$cache"
	feed mbox demo "$T/series.mbox"
	"$FIRN" engine --once --config "$T/conf" > "$out" 2>&1 || fail "firn engine"
	report=$data/trials/1/report.json
	cp "$report" "$out"
	got=$({ grep -oE '"type": "(TRAILING_WHITESPACE|AVOID_EXTERNS)"' "$report" || true; } | cut -d'"' -f4 | sort -u | tr '\n' ' ')
	[ "$got" = "$1" ] || fail "told: \"$got\", not \"$1\""
}

echo "without waivers both are told"
conf
told "AVOID_EXTERNS TRAILING_WHITESPACE "

echo "a waiver of the configuration"
conf "[checkpatch]" "	ignore = AVOID_EXTERNS"
told "TRAILING_WHITESPACE "

echo "a waiver of the list"
conf "[list \"demo\"]" "	checkpatch-ignore = TRAILING_WHITESPACE"
told "AVOID_EXTERNS "

echo "a waiver of the tree"
conf "[tree \"demo\"]" "	checkpatch-ignore = AVOID_EXTERNS"
told "TRAILING_WHITESPACE "

echo "all together"
conf "[checkpatch]" "	ignore = AVOID_EXTERNS" "[list \"demo\"]" "	checkpatch-ignore = TRAILING_WHITESPACE"
told ""

echo "of another tree, none"
conf "[tree \"other\"]" "	path = $T/other" "	checkpatch-ignore = AVOID_EXTERNS,TRAILING_WHITESPACE"
told "AVOID_EXTERNS TRAILING_WHITESPACE "
echo "waivers: good"
