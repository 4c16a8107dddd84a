#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes, CPUs and memory blocks, on a base and on one that leaves node 0 online. Both are built here, or taken from the cache.
. "$(dirname "$0")/lib.sh"

firn_run 0 node0-online.mbox --only build
artifact() { sed -n 's/^ *"artifact": "\(.*\)",*$/\1/p' "$T"/work-1/jobs/*-"$1"/result.json; }
FIRN_TEST_BASE=$(artifact build-base)
FIRN_TEST_PATCHED=$(artifact build-patch-1)
export FIRN_TEST_BASE FIRN_TEST_PATCHED
for kernel in "$FIRN_TEST_BASE" "$FIRN_TEST_PATCHED"; do
	[ -e "$kernel/vmlinux" ] || fail "no kernel at $kernel"
done
"$1"
