#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Guest instructions by function, on kernels that firn builds (or takes from its cache) for this.
. "$(dirname "$0")/lib.sh"

firn_run 0 hot-add-slower.mbox --only build
artifact() { sed -n 's/^ *"artifact": "\(.*\)",*$/\1/p' "$T"/work-1/jobs/*-build-"$1"/result.json; }
base=$(artifact base) patched=$(artifact patch-1)
[ -e "$base/vmlinux" ] && [ -e "$patched/vmlinux" ] || fail "no kernels at $base and $patched"
FIRN_TEST_KERNEL=$base/vmlinux FIRN_TEST_PATCHED_KERNEL=$patched/vmlinux FIRN_TEST_PAUSE_KO=$base/pause.ko "$1"
