#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# agreement.sh sample|all: agreement.pl as a test. The sample is every 20th patch in the tree with --strict, some seconds
# when the script's output is kept; all is every patch in all configurations, with the patches of another Debian kernel
# when there is a mirror.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP: $*"; exit 77; }
: "${NATIVE:?path of agreement-native}"
[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no git repository of Linux"
[ -n "${FIRN_TEST_PATCHES:-}" ] || skip "FIRN_TEST_PATCHES names no folder of patches"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder to keep a tree in"
command -v perl >/dev/null || skip "perl is not installed"
case $1 in
sample)
	exec "$here/agreement.pl" --sample=20 --show --differences="$FIRN_TEST_CACHE/agreement/differences.sample"
	;;
all)
	if [ ! -e "$FIRN_TEST_CACHE/agreement/patches" ]; then
		"$here/debian-patches.sh" "$FIRN_TEST_CACHE/agreement/debian" || echo "only the patches that are here"
	fi
	exec "$here/agreement.pl" --config=all --show
	;;
esac
