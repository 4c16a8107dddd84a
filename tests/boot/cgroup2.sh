#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine whose controllers are those of cgroup v2, with Debian's kernel and systemd: our groups as root, bombs in builds,
# then the packaged unit with `firn serve` and builds in it. cgroup2/plain.sh and cgroup2/unit.sh run inside. Needs no KVM.
#
# Arguments are the stages: plain, bombs, unit. FIRN_TEST_ARTIFACTS: where the console goes on failure, if somebody wants it.
set -euo pipefail
: "${FIRN:?path of the firn program}" "${ENGINE_FEED:?}" "${TEST_CGROUP2:?}" "${TEST_GUARD:?}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
stages=${*:-plain bombs unit}
stages=${stages// /,}
skip() { echo "SKIP: $*"; exit 77; }
say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder to keep the kernel in (./quickstart test sets it)"
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || skip "this is no Debian for amd64"
# Package, and a file of it.
while read -r package file; do
	command -v "$file" >/dev/null || [ -e "$file" ] || skip "$package is not installed"
done <<-END
	qemu-system-x86 qemu-system-x86_64
	e2fsprogs /sbin/mke2fs
	systemd /lib/systemd/systemd
	bubblewrap bwrap
	git git
	perl perl
	python3 python3
	procps pgrep
	gcc-powerpc64le-linux-gnu powerpc64le-linux-gnu-gcc
END

T=$(mktemp -d "$FIRN_TEST_CACHE/test-XXXXXX")
qemu=
trap '[ -z "$qemu" ] || kill $qemu 2>/dev/null || true; rm -rf "$T"' EXIT
. "$here/cgroup2/kernel.sh"
. "$here/cgroup2/image.sh"
fail() {
	echo "FAIL: $*"
	tr -d '\r' < "$T/results" || true
	echo "--- the end of the console:"
	tail -n 60 "$T/console" 2>/dev/null | tr -d '\r' || true
	if [ -n "${FIRN_TEST_ARTIFACTS:-}" ]; then
		mkdir -p "$FIRN_TEST_ARTIFACTS"
		cp "$T/console" "$FIRN_TEST_ARTIFACTS/cgroup2-$stages.console"
	fi
	exit 1
}

kernel=$(guest_kernel "$FIRN_TEST_CACHE/guest-kernel")
say "kernel ${kernel##*/vmlinuz-}"
image_make "$T/root" "$T/disk"
rm -rf "$T/root"
say "disk of $(du -m "$T/disk" | cut -f1) MiB"

# The second serial line is the test's own.
machine() { # ACCELERATOR
	: > "$T/results"
	timeout -k 5 1500 qemu-system-x86_64 -M pc -accel "$1" -cpu max,la57=off -smp 2 -m 2048 \
		-nodefaults -display none -no-reboot -serial "file:$T/console" -serial "file:$T/results" \
		-drive "file=$T/disk,if=none,id=disk,format=raw,cache=unsafe" -device nvme,drive=disk,serial=firn \
		-kernel "$kernel" \
		-append "root=/dev/nvme0n1 rw console=ttyS0 quiet panic=-1 mitigations=off audit=0 init=/guest/init.sh firn.stages=$stages" \
		> "$T/qemu" 2>&1 < /dev/null &
	qemu=$!
	for _ in $(seq 600); do
		[ ! -s "$T/results" ] && kill -0 $qemu 2>/dev/null || break
		sleep 0.1
	done
	[ -s "$T/results" ]
}
ended() { kill $qemu 2>/dev/null || true; wait $qemu || true; }

# There may be a /dev/kvm that does not work: it has a minute to say a word.
if [ -w /dev/kvm ] && machine kvm 2> /dev/null; then say "with KVM"
else
	[ -z "$qemu" ] || ended 2>/dev/null
	say "no KVM: emulated"
	machine tcg,thread=multi || true
fi
rc=0
wait $qemu || rc=$?
qemu=
case $rc in
0) ;;
124 | 137) fail "the machine did not end within 25 minutes" ;;
*) cat "$T/qemu"; fail "qemu-system-x86_64 ends with $rc" ;;
esac
! grep -q '^FAIL' "$T/results" || fail "in the machine"
grep -q '^all is done' "$T/results" || fail "the machine ended before its tests did"
tr -d '\r' < "$T/results"
say "the machine is off"
