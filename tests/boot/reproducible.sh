#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The same tree gives the same vmlinux: from nothing, after another tree in the same objects and back, and by the commands
# of the report in a plain shell in another folder; by gcc and by clang. A small configuration, three builds a compiler.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*" >&2; exit 1; }
: "${BUILD_RUN:?path of build-run}"
[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository (./quickstart test sets it)"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder (./quickstart test sets it)"
for tool in git bwrap make powerpc64le-linux-gnu-gcc; do command -v "$tool" > /dev/null || skip "$tool is not installed"; done
config=$here/../fixtures/kernel-builders/tiny.config

T=$(mktemp -d "$FIRN_TEST_CACHE/test-XXXXXX")
chmod 755 "$T"
trap 'rm -rf "$T"' EXIT
export GIT_CONFIG_GLOBAL=$here/../fixtures/git.config GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.org
export GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.org
git clone -q -s "$FIRN_TEST_TREE" "$T/tree"
base=$(git -C "$T/tree" rev-parse HEAD)
# Another version of a header that much is made from, and of a source.
printf '#define FIRN_OTHER 1\n' >> "$T/tree/include/linux/list.h"
printf 'int firn_other = 1;\n' >> "$T/tree/mm/memory.c"
git -C "$T/tree" commit -q -a -m 'Another tree'
other=$(git -C "$T/tree" rev-parse HEAD)

# built CACHE ROW COMMIT: as a base; prints the folder of the kernel
built() {
	"$BUILD_RUN" -c "$config" "$T/tree" "$T/$1" "$2" "$3" > "$T/line" || fail "$2 of $3"
	grep -q 'pass.built' "$T/line" || fail "$2 of $3: $(cat "$T/line")"
	cut -f 5 "$T/line"
}
one() { # ROW
	local nothing back
	nothing=$(built nothing "$1" "$base")
	built back "$1" "$other" > /dev/null
	back=$(built back "$1" "$base")
	cmp "$nothing/vmlinux" "$back/vmlinux" || fail "$1: after another tree and back it is another kernel"
	rm -rf "$T/build"
	"$BUILD_RUN" -p -c "$config" "$T/tree" "$T/nothing" "$1" "$base" > "$T/commands"
	(cd "$T/tree" && MAKEFLAGS=-j$(nproc) bash -e "$T/commands") > "$T/log" 2>&1 || fail "$1 by hand: $(tail -3 "$T/log")"
	cmp "$nothing/vmlinux" "$T/build/vmlinux" || fail "$1: by hand it is another kernel"
	echo "$1: the same vmlinux three times, $(sha256sum < "$nothing/vmlinux" | cut -c 1-16)"
}
one ppc64le-lean
if command -v clang > /dev/null; then one ppc64le-clang; else echo "clang is not installed: gcc only"; fi
