#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Applying a long series to a kernel-size tree: `git am -3` and firn, on the same mails in one run. FIRN_TEST_TREE and
# FIRN_TEST_PATCHES are those of tests/flow/apply_debian.sh; the series is patches-rt (70 patches for 6.1), on a base that
# has Debian's other patches already. git works on a lean work tree with only the touched files on disk, which is faster
# than a whole one: the ratios are no larger than a user would see.
set -eu
. "$(dirname "$0")/../flow/apply_lib.sh"

[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository"
[ -d "${FIRN_TEST_PATCHES:-}/patches-rt" ] || skip "FIRN_TEST_PATCHES names no folder with patches-rt"
command -v git > /dev/null || skip "there is no git to compare with"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/firn-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
git_environment "$scratch"

# No path of these has a space in it.
set -- $(series_list "$FIRN_TEST_PATCHES/patches-rt")
lean_tree "$scratch/w" "$FIRN_TEST_TREE" HEAD "$@"
cd "$scratch/w"
base=$(git rev-parse HEAD)

milliseconds() {
	echo $(($(date +%s%N) / 1000000))
}

began=$(milliseconds)
git am -q -3 "$@" > ../am.log 2>&1 || { tail -3 ../am.log; exit 1; }
git_ms=$(($(milliseconds) - began))
git_tree=$(git rev-parse 'HEAD^{tree}')
# What git has written would not be written again: firn gets a repository without it.
git init -q --bare ../ours
cp .git/objects/info/alternates ../ours/objects/info/alternates
cd ../ours

# run REF MAIL...: milliseconds and KiB of the fastest of five.
run() {
	ref=$1
	shift
	for i in 1 2 3 4 5; do
		# Objects that are there already would not be written again.
		rm -rf objects/pack/*
		"$APPLY_RUN" . "$base" "$ref" "$@" > ../firn.log
		cut -f 6,7 ../firn.log
	done | sort -n | head -1
}
memory=$(run - "$@")
firn_tree=$(cut -f 2 ../firn.log)
disk=$(run refs/firn/bench "$@")

echo "$# patches, tree $git_tree"
[ "$git_tree" = "$firn_tree" ] || { echo "firn: tree $firn_tree"; exit 1; }
echo "$git_ms $memory $disk" | awk '{
	printf "git am -3          %8.0f ms\n", $1
	printf "firn in memory     %8.0f ms   %.1f times as fast, peak %.0f MiB\n", $2, $1 / $2, $3 / 1024
	printf "firn, written      %8.0f ms   %.1f times as fast, peak %.0f MiB\n", $4, $1 / $4, $5 / 1024
}'
