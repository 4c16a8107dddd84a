#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every row that firn comes with, for real: its base, and a patch that brings a warning where the row has it. In order of
# what it costs: rows.sh [ROW...]. A row whose packages are missing is named. Objects are kept in FIRN_TEST_CACHE/rows.
set -euo pipefail
skip() { echo "SKIP: $*"; exit 77; }
: "${BUILD_RUN:?path of build-run}"
[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository (./quickstart test sets it)"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder (./quickstart test sets it)"
for tool in git bwrap make; do command -v "$tool" > /dev/null || skip "$tool is not installed"; done
rows=("$@")
[ $# -gt 0 ] || rows=(ppc64le-w1 ppc64le-sparse ppc64-touched ppc64le-lean ppc64le-lean-net ppc64le-clang ppc32-pmac ppc64e ppc64-pseries ppc64le-defconfig)
T=$FIRN_TEST_CACHE/rows
mkdir -p "$T"
GIT_CONFIG_GLOBAL=$(cd "$(dirname "$0")/../fixtures" && pwd)/git.config
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.org
export GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.org
[ -d "$T/tree" ] || git clone -q -s "$FIRN_TEST_TREE" "$T/tree"
cd "$T/tree"
git checkout -q -f --detach origin/HEAD
# Debian's source is without some files of which it is not clear whether they are free; these patches of Debian's take out
# what refers to them (nvidiafb is in pmac32_defconfig). The same commit in each run.
for patch in "${FIRN_TEST_PATCHES:-}"/patches/debian/dfsg/*.patch; do
	[ ! -e "$patch" ] || git apply --index "$patch" || { echo "FAIL: $patch does not apply"; exit 1; }
done
GIT_AUTHOR_DATE='1767225600 +0000' GIT_COMMITTER_DATE='1767225600 +0000' git commit -q --allow-empty -m 'Without what Debian left out'
base=$(git rev-parse HEAD)
# New in each run, so that it is built.
printf 'static int firn_unused_%s(void) { return 0; }\n' "$(date +%s)" >> mm/memory.c
git commit -q -a -m 'A function that nobody calls'
patched=$(git rev-parse HEAD)
git checkout -q --detach "$base"
bad=0 ran=0
for row in "${rows[@]}"; do
	rc=0
	"$BUILD_RUN" -t mm/memory.c "$T/tree" "$T/cache" "$row" "$base" "$patched" > "$T/out" 2> "$T/err" || rc=$?
	if [ "$rc" != 0 ]; then
		echo "$row: $(cat "$T/err")"
		grep -q 'apt-get install' "$T/err" || bad=1
		continue
	fi
	ran=$((ran + 1))
	awk -F '\t' -v r="$row" '{ print r ": " (NR == 1 ? "base" : "patch") ", " $2 ", " $3 ", " $4 " s; " $6 }' "$T/out"
	[ "$(grep -c 'pass' "$T/out")" = 2 ] || bad=1
	grep -q 'firn_unused_' "$T/cache/$patched.log" || { echo "$row: the new warning is not in the log"; bad=1; }
done
[ "$ran" -gt 0 ] || skip "no row has what it needs"
exit $bad
