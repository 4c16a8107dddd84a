#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds beside plain make, in one run, in turn and in pairs, on the lean configuration: nothing to do, one file, a series
# by a loop of `git checkout` and make, the sandbox alone, and ccache where that is installed. The first run makes two clean builds, which are kept in
# FIRN_TEST_CACHE/bench-build. build.sh [PAIRS [PATCHES]]: 3 and 10.
# CPU time is that of a control group (cpuacct, or cgroup v2), since what runs in a sandbox is nobody's waited-for child;
# where none can be had, wall time is compared.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP: $*"; exit 77; }
: "${BUILD_RUN:?path of build-run}"
[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder to keep kernels in"
for tool in git bwrap make powerpc64le-linux-gnu-gcc; do command -v "$tool" > /dev/null || skip "$tool is not installed"; done
pairs=${1:-3} patches=${2:-10} jobs=${JOBS:-$(nproc)} bad=0
dir=$FIRN_TEST_CACHE/bench-build
src=$dir/hand/src build=$dir/hand/build cache=$dir/cache row=ppc64le-lean
mkdir -p "$build" "$cache"

# usage: microseconds of CPU time so far
group=
old=$(awk -F: '$2 ~ /(^|,)cpuacct(,|$)/ { print $3 }' /proc/self/cgroup)
own=$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)
if mkdir "/sys/fs/cgroup/cpuacct/firn-bench-$$" 2> /dev/null; then
	group=/sys/fs/cgroup/cpuacct/firn-bench-$$
	echo $$ > "$group/cgroup.procs"
	trap 'echo $$ > "/sys/fs/cgroup/cpuacct$old/cgroup.procs"; rmdir "$group" || true' EXIT
	usage() { echo $(($(< "$group/cpuacct.usage") / 1000)); }
elif grep -q usage_usec "/sys/fs/cgroup$own/cpu.stat" 2> /dev/null; then
	usage() { awk '$1 == "usage_usec" { print $2 }' "/sys/fs/cgroup$own/cpu.stat"; }
else
	echo "no control group to count CPU time in: wall time"
	usage() { echo $(($(date +%s%N) / 1000)); }
fi
cpu=0 wall=0
timed() { # COMMAND...: its seconds in $cpu and $wall
	local u t
	u=$(usage) t=$(date +%s%N)
	"$@" > "$dir/out" 2>&1 || { tail -5 "$dir/out"; echo "FAIL: $*"; exit 1; }
	cpu=$(awk -v a="$u" -v b="$(usage)" 'BEGIN { printf "%.3f", (b - a) / 1e6 }')
	wall=$(awk -v a="$t" -v b="$(date +%s%N)" 'BEGIN { printf "%.3f", (b - a) / 1e9 }')
}

export GIT_CONFIG_GLOBAL=$here/../fixtures/git.config GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.org
export GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.org
[ -d "$src" ] || git clone -q -s "$FIRN_TEST_TREE" "$src"
fixed=(--no-print-directory --output-sync=target LOCALVERSION= "KBUILD_BUILD_TIMESTAMP=Wed Jan  1 00:00:00 UTC 2020" KBUILD_BUILD_USER=firn
	KBUILD_BUILD_HOST=firn KBUILD_BUILD_VERSION=1 ARCH=powerpc CROSS_COMPILE=powerpc64le-linux-gnu- "-j$jobs")
by_hand() { make -C "$src" O="$build" "${fixed[@]}" "$@"; }
firn() { "$BUILD_RUN" -j "$jobs" "$@"; }
stamp=$(date +%s)
# commit_on PARENT FILE TEXT: the same with a line more, without touching the work tree
commit_on() {
	local blob tree
	export GIT_INDEX_FILE=$dir/index
	git -C "$src" read-tree "$1"
	blob=$({ git -C "$src" cat-file blob "$1:$2"; printf '%s\n' "$3"; } | git -C "$src" hash-object -w --stdin)
	git -C "$src" update-index --add --cacheinfo "100644,$blob,$2"
	tree=$(git -C "$src" write-tree)
	unset GIT_INDEX_FILE
	git -C "$src" commit-tree -p "$1" -m "A line more in $2" "$tree"
}

base=$(git -C "$src" rev-parse 'origin/HEAD^{commit}')
git -C "$src" checkout -q --detach "$base"
if [ ! -e "$dir/hand/clean" ]; then
	cp "$here/../../kernel-builders/configs/pseries-lean.config" "$build/firn.config"
	by_hand KCONFIG_ALLCONFIG=firn.config allnoconfig > /dev/null
	timed by_hand vmlinux modules
	echo "$cpu $wall" > "$dir/hand/clean"
fi
read -r clean_cpu clean_wall < "$dir/hand/clean"
timed firn "$src" "$cache" "$row" "$base"
echo "clean build by hand: $clean_cpu s CPU, $clean_wall s; firn's base: $cpu s CPU, $wall s ($(cut -f 3 "$dir/out"))"

ratios=()
pair_add() { # WHAT HAND-CPU HAND-WALL: beside $cpu and $wall of firn
	echo "  $1: by hand $2 s CPU, $3 s; firn $cpu s CPU, $wall s"
	ratios+=("$(awk -v f="$cpu" -v h="$2" 'BEGIN { printf "%.3f", f / h }')")
}
median() { printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
say() { # WHAT AIM: the median ratio of the pairs
	local r
	r=$(median "${ratios[@]}")
	echo "$1: $r times the plain command (aim $2)"
	awk -v r="$r" -v a="$2" 'BEGIN { exit r > a }' || bad=1
	ratios=()
}

# The slot is a copy of the base's objects, made once for each trial.
at=$(commit_on "$base" Documentation/index.rst "$stamp")
by_hand vmlinux modules > /dev/null # to be told apart from what a checkout of other times leaves to do
timed firn -k "$src" "$cache" "$row" "$base" "$at"
echo "first patch of a trial, nothing to do, with its copy of the objects: $cpu s CPU, $wall s"
for i in $(seq "$pairs"); do
	timed by_hand vmlinux modules
	h=("$cpu" "$wall")
	at=$(commit_on "$at" Documentation/index.rst "$stamp $i")
	timed firn -k "$src" "$cache" "$row" "$base" "$at"
	pair_add "nothing to do" "${h[@]}"
done
say "nothing to do" 1.1

for i in $(seq "$pairs"); do
	at=$(commit_on "$at" arch/powerpc/mm/numa.c "int firn_bench_${stamp}_$i;")
	git -C "$src" checkout -q --detach "$at"
	timed by_hand vmlinux modules
	h=("$cpu" "$wall")
	timed firn -k "$src" "$cache" "$row" "$base" "$at"
	pair_add "one file" "${h[@]}"
done
say "one file" 1.1

files=(mm/memory.c arch/powerpc/mm/numa.c mm/mmap.c kernel/fork.c mm/page_alloc.c arch/powerpc/mm/mem.c kernel/smp.c mm/slub.c lib/string.c kernel/exit.c)
series=() at=$base
for i in $(seq "$patches"); do
	at=$(commit_on "$at" "${files[i % 10]}" "int firn_bench_series_${stamp}_$i;")
	series+=("$at")
done
loop() {
	local c
	for c in "${series[@]}"; do
		git -C "$src" checkout -q --detach "$c"
		by_hand vmlinux modules
	done
}
git -C "$src" checkout -q --detach "$base"
by_hand vmlinux modules > /dev/null
timed loop
h=("$cpu" "$wall")
timed firn "$src" "$cache" "$row" "$base" "${series[@]}"
[ "$(grep -c 'pass.built' "$dir/out")" = "$patches" ] || { cat "$dir/out"; exit 1; }
pair_add "series of $patches" "${h[@]}"
say "series of $patches, against git checkout and make" 1.1
# The same object in both ways of building is the same kernel in both.
echo "a patch of it: $(awk -v c="$clean_cpu" -v f="$cpu" -v n="$patches" 'BEGIN { printf "%.1f s CPU, %.0f times faster than a clean build (aim 5)", f / n, c * n / f }')"
awk -v c="$clean_cpu" -v f="$cpu" -v n="$patches" 'BEGIN { exit c * n / f < 5 }' || bad=1

# The same objects made in the sandbox and outside of it.
objects=$dir/objects
rm -rf "$objects"
cp -a "$cache/objects/src/$row" "$objects"
part=kernel/time
inside() { "$BUILD_RUN" sandbox "$cache/worktrees/src/src" "$objects" make -C /src O=/build "${fixed[@]}" "$part/"; }
inside > /dev/null
by_hand "$part/" > /dev/null
for i in $(seq "$pairs"); do
	rm -f "$build/$part"/*.o "$objects/$part"/*.o
	timed by_hand "$part/"
	h=("$cpu" "$wall")
	timed inside
	pair_add "sandbox" "${h[@]}"
done
say "the sandbox" 1.1
git -C "$src" checkout -q --detach "$base"

# What would do without kept objects: ccache, all hits, into a new folder for each build. No aim: it is why objects are kept.
if ! command -v ccache > /dev/null; then
	echo "ccache is not installed: not measured"
	exit $bad
fi
export CCACHE_DIR=$dir/ccache CCACHE_BASEDIR=$src
cached() {
	local into=$dir/hand/cached
	rm -rf "$into"
	mkdir -p "$into"
	cp "$build/firn.config" "$into"
	make -C "$src" O="$into" "${fixed[@]}" CC="ccache powerpc64le-linux-gnu-gcc" KCONFIG_ALLCONFIG=firn.config allnoconfig
	make -C "$src" O="$into" "${fixed[@]}" CC="ccache powerpc64le-linux-gnu-gcc" vmlinux modules
}
timed cached
echo "ccache, first build into a new folder: $cpu s CPU, $wall s"
for i in $(seq "$pairs"); do
	timed cached
	echo "ccache, the same again into a new folder: $cpu s CPU, $wall s; hits: $(ccache --print-stats | awk '$1 ~ /^(direct|preprocessed)_cache_hit$/ { n += $2 } END { print n }')"
done
exit $bad
