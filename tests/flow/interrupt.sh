#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C in the middle of a build, and the machine failing us: no process and no half-written result stays; an error is not a fail.
. "$(dirname "$0")/lib.sh"
make_tree
commit Makefile 's/^vmlinux: .*/&\n\t@sleep 321/' 'Makefile: take a nap'
series
replay

firn_processes() { # those of this scratch folder; only the shell's own words, since grep would find itself
	local p line
	for p in /proc/[0-9]*; do
		[ "$p" != "/proc/$$" ] && line=$(tr '\0' ' ' 2>/dev/null < "$p/cmdline") && [[ $line == *"$T"* ]] && echo "$line"
	done
	return 0
}

echo "Ctrl-C"
"$FIRN" run "$T/series.mbox" --tree "$T/tree" --testbed "replay:$T/replay" > "$out" 2>&1 &
pid=$!
for _ in $(seq 200); do
	pgrep -f 'sleep 321' > /dev/null && break
	sleep 0.1
done
pgrep -f 'sleep 321' > /dev/null || fail "the build did not get to its nap"
kill -INT "$pid"
rc=0; wait "$pid" || rc=$?
[ "$rc" = 130 ] || fail "exit code $rc, not 130"
for _ in $(seq 50); do
	pgrep -f 'sleep 321' > /dev/null || break
	sleep 0.1
done
! pgrep -f 'sleep 321' > /dev/null || fail "the build goes on"
[ -z "$(firn_processes | grep -v interrupt.sh)" ] || fail "left running: $(firn_processes)"
[ -z "$(ls -A "$T/cache/firn/runs")" ] || fail "a work folder is left"
[ -z "$(ls -A "$T/cache/firn/slots" 2>/dev/null)" ] || fail "a slot is left"
[ -z "$(find "$T/cache/firn" -name '*.tmp*')" ] || fail "half-written files are left"

[ "$(id -u)" = 0 ] || skip "the rest needs root, to take away the compiler and the disk"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
series
unshare -m true 2>/dev/null || skip "no mount namespaces here"

echo "no cross compiler"
rc=0
unshare -m bash -c 'mount --bind /dev/null "$(readlink -f "$(command -v powerpc64le-linux-gnu-gcc)")" && exec "$@"' - \
	"$FIRN" run "$T/series.mbox" --tree "$T/tree" --testbed "replay:$T/replay" --cache "$T/fresh" > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "no compiler: exit code $rc, not 2"
step build error
has 'gcc-powerpc64le-linux-gnu'

echo "a full disk"
for size in 200k 600k 1m; do
	rm -rf "$T/small"
	mkdir "$T/small"
	rc=0
	unshare -m bash -c 'mount -t tmpfs -o size='$size',mode=755 none "$1" && shift && exec "$@"' - "$T/small" \
		"$FIRN" run "$T/series.mbox" --tree "$T/tree" --testbed "replay:$T/replay" --cache "$T/small" > "$out" 2>&1 || rc=$?
	[ "$rc" = 2 ] || fail "disk of $size: exit code $rc, not 2"
	grep -qiE 'no space|disk' "$out" || fail "disk of $size: the message does not say so"
done
