#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ten runs of the base against itself, with every core of the host loaded, give ten times "unchanged".
. "$(dirname "$0")/lib.sh"

load=()
for _ in $(seq "$(nproc)"); do
	timeout 3000 sh -c 'while :; do :; done' &
	load+=($!)
done
trap 'kill "${load[@]}" 2>/dev/null || true; rm -rf "$T"' EXIT

for i in $(seq 10); do
	firn_run 0 comment-only.mbox --only bench-hot-add --lmbs 16 --seed "$i"
	step bench-hot-add pass
	[ "$(grep -c '  unchanged  ' "$out")" = 4 ] || fail "run $i: not unchanged four times"
	echo "run $i: $(grep -E '^ +hot-add of' "$out" | tr -s ' ' | tr '\n' ';')"
done
