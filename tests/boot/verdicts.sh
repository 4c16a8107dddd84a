#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Real kernels: what breaks a series is found, and laid at the right patch.
. "$(dirname "$0")/lib.sh"

echo "a patch that does not apply"
firn_run 1 no-apply.mbox --only check,apply
step apply fail
has 'patch 2/2'
has 'hotplug-memory.c'

echo "the checkers see an extern prototype with an unnamed parameter"
firn_run 0 extern-prototype.patch --only check
has 'topology.h:[0-9]+: CHECK:AVOID_EXTERNS'
has 'topology.h:[0-9]+: WARNING:FUNCTION_ARGUMENTS'
has '^total: [0-9]+ errors, [0-9]+ warnings, [0-9]+ checks, [0-9]+ lines checked$'

echo "a patch that does not compile"
firn_run 1 no-build.mbox --only build
step build fail
has 'patch 2/3'
has 'power.c:[0-9]+'

echo "a patch that panics at boot"
firn_run 1 panic.mbox --only boot
step boot fail
has 'patch 2/3'
has 'example: no ofdt for you'

echo "a patch that hangs at boot"
firn_run 1 hang.mbox --only boot
step boot fail
has 'patch 2/3'

echo "a patch that warns at boot"
firn_run 1 warn.mbox --only boot
step boot fail
has 'patch 2/3'
has 'proc_ppc64_create_ofdt'

echo "a series that boots as a whole, and not after its first patch"
firn_run 1 mended.mbox --only boot
step build pass
step boot fail
has 'patch 1/3: .*panic'
has 'example: ofdt before its time'
has 'mended by patch 3/3'

echo "an emulator that is killed, every time, is an error and no fail"
(
	exec 2>/dev/null
	descendants() { local p; for p in $(pgrep -P "$1"); do echo "$p"; descendants "$p"; done; }
	while sleep 0.2; do
		for p in $(descendants $$); do
			[ "$(cat "/proc/$p/comm")" != qemu-system-ppc ] || kill -KILL "$p"
		done
	done
) &
killer=$!
firn_run 2 comment-only.mbox --only boot
kill "$killer"
step boot error
