#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's kernel patches, all of one folder after the other, on the kernel that they are for: `git am -3` and firn end in
# the same tree. FIRN_TEST_TREE is a git repository whose HEAD is that kernel, FIRN_TEST_PATCHES a folder with patches and
# patches-rt, as debian/ of the source package has them.
set -eu
. "$(dirname "$0")/apply_lib.sh"

[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository"
[ -n "${FIRN_TEST_PATCHES:-}" ] || skip "FIRN_TEST_PATCHES names no folder with patches and patches-rt"
[ -d "$FIRN_TEST_PATCHES/patches-rt" ] || skip "there is no $FIRN_TEST_PATCHES/patches-rt"
command -v git > /dev/null || skip "there is no git to compare with"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/firn-debian-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
git_environment "$scratch"

{
	series_list "$FIRN_TEST_PATCHES/patches"
	series_list "$FIRN_TEST_PATCHES/patches-rt"
} > "$scratch/all"
# A few have a diff without a mail's headers; git am takes no such file.
xargs grep -l '^Subject:' < "$scratch/all" | xargs grep -l '^From:' > "$scratch/list"
echo "$(wc -l < "$scratch/list") of $(wc -l < "$scratch/all") files are mails"
# No path of these has a space in it.
set -- $(cat "$scratch/list")
lean_tree "$scratch/w" "$FIRN_TEST_TREE" HEAD "$@"
cd "$scratch/w"
base=$(git rev-parse HEAD)

# How far each gets, one patch at a time for git: mails that are no mailbox to it are none to firn either.
git_patches=0
for patch; do
	git am -q -3 "$patch" > ../am.log 2>&1 || break
	git_patches=$((git_patches + 1))
done
git_tree=$(git rev-parse 'HEAD^{tree}')

rest=$#
"$APPLY_RUN" . "$base" - "$@" > ../firn.log
read -r verdict tree count merged skipped ms kib < ../firn.log
if [ "$git_patches" -lt "$rest" ]; then
	echo "git am -3 stops at patch $((git_patches + 1)) of $rest: $(tail -1 ../am.log)"
	head -1 ../firn.log
	[ "$verdict" = refused ] && [ "$tree" = $((git_patches + 1)) ] || exit 1
	# Up to there.
	set -- $(head -"$git_patches" "$scratch/list")
	"$APPLY_RUN" . "$base" - "$@" > ../firn.log
	read -r verdict tree count merged skipped ms kib < ../firn.log
fi
echo "git am -3: $git_patches of $rest patches, tree $git_tree"
echo "firn:      $count patches ($merged merged, $skipped already in), tree $tree, $ms ms, $kib KiB"
[ "$tree" = "$git_tree" ]
