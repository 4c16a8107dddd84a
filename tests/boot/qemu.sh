#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The QEMU testbed by itself, on a kernel that firn builds (or takes from its cache) for this.
. "$(dirname "$0")/lib.sh"

firn_run 0 comment-only.mbox --only build
artifact=$(sed -n 's/^ *"artifact": "\(.*\)",*$/\1/p' "$T"/work-1/jobs/*-build-base/result.json)
[ -e "$artifact/vmlinux" ] || fail "no kernel at $artifact"
FIRN_TEST_KERNEL=$artifact/vmlinux FIRN_TEST_PAUSE_KO=$artifact/pause.ko "$1"
