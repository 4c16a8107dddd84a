#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The native rules beside the tree's checkpatch.pl, on the same patches in one run: CPU time of one process each and of
# one process for all, and what a patch and a line take. The corpus is that of tests/agreement (corpus.pl makes it):
# Debian's patches of the kernel, and files of the tree as patches that add them. `checkpatch.sh N`: every Nth patch, for
# the script's half of one process each (default 4: it takes a third of a second a patch).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP: $*"; exit 77; }
: "${CHECK:?path of firn-checkpatch}" "${RUN:?path of bench-checkpatch}"
corpus=${FIRN_TEST_CACHE:-}/agreement
[ -n "${FIRN_TEST_CACHE:-}" ] && [ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_CACHE or FIRN_TEST_TREE is not set"
command -v perl > /dev/null || skip "perl is not installed"
[ -d "$corpus/tree" ] || "$here/../agreement/corpus.pl" "$corpus" > /dev/null || skip "there is no corpus"
every=${1:-4}
bad=0

mapfile -t patches < <(find "$corpus/patches" -type f | sort)
mapfile -t files < <(find "$corpus/files" -type f | sort)
[ ${#patches[@]} -gt 50 ] || skip "there are only ${#patches[@]} patches"
sample=()
for ((i = 0; i < ${#patches[@]}; i += every)); do sample+=("${patches[i]}"); done
cd "$corpus/tree" # the script wants to be in the root
script=(perl scripts/checkpatch.pl --show-types --color=never --no-codespell --strict)

# cpu COMMAND...: user and system time in ms, of it and of its children.
cpu() {
	local TIMEFORMAT='%U %S' t
	t=$({ time "$@" > /dev/null 2>&1 || true; } 2>&1)
	echo "$t" | awk '{ printf "%.1f", 1000 * ($1 + $2) }'
}
each() { # each COMMAND... -- FILE...: a process a file
	local command=()
	while [ "$1" != -- ]; do command+=("$1"); shift; done
	shift
	for f; do "${command[@]}" "$f" || true; done
}
say() { # say WHAT N SCRIPT NATIVE AIM
	awk -v w="$1" -v n="$2" -v s="$3" -v o="$4" -v a="$5" 'BEGIN {
		printf "%s: script %.1f ms, firn %.2f ms a patch: %.0f times (aim %d)\n", w, s / n, o / n, s / o, a
		exit s / o < a }' || bad=1
}

# What the script makes once and keeps is not counted.
"${script[@]}" "${files[0]}" > /dev/null 2>&1 || true

n=${#sample[@]}
say "one process each, in the tree, $n patches" "$n" "$(cpu each "${script[@]}" -- "${sample[@]}")" \
	"$(cpu each "$CHECK" --strict -- "${sample[@]}")" 100
say "one process each, --no-tree, $n patches" "$n" "$(cpu each "${script[@]}" --no-tree -- "${sample[@]}")" \
	"$(cpu each "$CHECK" --strict --no-tree -- "${sample[@]}")" 100
n=${#patches[@]}
say "one process for all, --no-tree, $n patches" "$n" "$(cpu "${script[@]}" --no-tree "${patches[@]}")" \
	"$(cpu "$CHECK" --strict --no-tree "${patches[@]}")" 20
n=${#files[@]}
say "one process for all, --no-tree, $n files" "$n" "$(cpu "${script[@]}" --no-tree "${files[@]}")" \
	"$(cpu "$CHECK" --strict --no-tree "${files[@]}")" 20

patch_line=$("$RUN" --tree="$PWD" "${patches[@]}")
file_line=$("$RUN" --tree="$PWD" "${files[@]}")
printf 'patches: %s\nfiles: %s\n' "$patch_line" "$file_line"
awk -v p="$patch_line" -v f="$file_line" 'BEGIN {
	match(p, /median [0-9.]+/); median = substr(p, RSTART + 7, RLENGTH - 7)
	match(f, /[0-9.]+ us a line/); line = substr(f, RSTART, RLENGTH - 10)
	printf "median patch %.2f ms (aim 1), 1,000 lines %.1f ms (aim 15)\n", median, line
	exit median > 1 || line > 15 }' || bad=1
# Each shared library costs every run: these are all that are needed.
extra=$(ldd "$CHECK" | awk '{ print $1 }' | grep -vE 'linux-vdso|libc\.|libm\.|libglib|libpcre2|libjansson|ld-linux|asan|ubsan' || true)
[ -z "$extra" ] || { echo "$CHECK loads more than it needs: $extra"; bad=1; }
exit $bad
