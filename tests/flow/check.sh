#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# firn check and firn-checkpatch, as an editor, a git hook and a person use them.
set -euo pipefail
: "${FIRN:?path of the firn program}" "${CHECK:?path of firn-checkpatch}"
command -v git > /dev/null || { echo "SKIP: git is not installed"; exit 77; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME='Ada Firn' GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME='Ada Firn' GIT_COMMITTER_EMAIL=ada@example.org
out=$T/out
fail() { echo "FAIL: $*"; echo "--- output:"; cat "$out"; exit 1; }
# want CODE WORD...: of both programs, which say the same.
want() {
	local code=$1 rc=0
	shift
	"$CHECK" "$@" > "$out" 2>&1 < "${stdin:-/dev/null}" || rc=$?
	[ $rc = "$code" ] || fail "firn-checkpatch $*: exit code $rc, not $code"
	mv "$out" "$out.late"
	"$FIRN" check "$@" > "$out" 2>&1 < "${stdin:-/dev/null}" || rc=$?
	[ $rc = "$code" ] || fail "firn check $*: exit code $rc, not $code"
	diff "$out.late" "$out" || fail "firn check and firn-checkpatch differ: $*"
}
has() { grep -qF -- "$1" "$out" || fail "there is no \"$1\""; }
lacks() { ! grep -qF -- "$1" "$out" || fail "there is \"$1\""; }

# A tree of two commits, and patches of a third and fourth.
cd "$T"
git init -q -b master tree
cd tree
mkdir -p lib scripts net
printf 'int snow;\nint old; \nint water;\n' > lib/firn.c
printf 'recieve||receive\n' > scripts/spelling.txt
git add .
git commit -qm 'firn: begin'
first=$(git rev-parse --short=12 HEAD)
printf 'int snow;\nint old; \nint ice; \nint water;\n' > lib/firn.c
git commit -qam "firn: add ice

As commit $first (\"firn: begin\") did not. To recieve it.

Signed-off-by: Ada Firn <ada@example.org>"
printf 'int snow;\nint ice; \nint water;\nint old; \n' > lib/firn.c
git commit -qam 'firn: move what is old

A line goes down.

Signed-off-by: Ada Firn <ada@example.org>'
git format-patch -q -2 -o "$T"
git format-patch -q -2 --stdout > "$T/mbox"

want 1 --terse "$T/0001-firn-add-ice.patch"
has 'lib/firn.c:3: ERROR: TRAILING_WHITESPACE: '
lacks firn.c:2
has TYPO_SPELLING
lacks UNKNOWN_COMMIT_ID
want 1 --terse --no-tree "$T/0001-firn-add-ice.patch"
lacks TYPO_SPELLING
want 1 --types TRAILING_WHITESPACE "$T/0001-firn-add-ice.patch"
has '+int ice; '
has 'total: 1 errors, 0 warnings, '
want 0 --types TRAILING_WHITESPACE --ignore trailing_whitespace "$T/0001-firn-add-ice.patch"
want 1 --json --types TRAILING_WHITESPACE "$T/mbox"
has '"path": "lib/firn.c"'
has '"subject": "[PATCH 2/2] firn: move what is old"'
stdin=$T/mbox want 1 --terse --types TRAILING_WHITESPACE -
[ "$(wc -l < "$out")" = 2 ] || fail "a mailbox of two patches does not give two findings"

# A line that moved was there before.
want 1 --types TRAILING_WHITESPACE "$T/0002-firn-move-what-is-old.patch"
want 0 --types TRAILING_WHITESPACE --new-only "$T/0002-firn-move-what-is-old.patch"

# The lines of the file that was given, and those that git format-patch would give.
line=$(grep -n '^+int ice; $' "$T/0001-firn-add-ice.patch" | cut -d: -f1)
want 1 --types TRAILING_WHITESPACE "$T/0001-firn-add-ice.patch"
has "#$line: lib/firn.c:3:"
awk '{ print } /^---$/ { print "v2: better\n" }' "$T/0001-firn-add-ice.patch" > "$T/v2.patch"
want 1 --types TRAILING_WHITESPACE "$T/v2.patch"
has "#$((line + 2)): lib/firn.c:3:"
want 1 --types TRAILING_WHITESPACE --numbering format-patch "$T/v2.patch"
has "#$line: lib/firn.c:3:"

# Source files, CHECKs, and what cannot be read.
want 1 --terse -f lib/firn.c
has 'lib/firn.c:4: ERROR: TRAILING_WHITESPACE: '
cp lib/firn.c net/firn.c
want 0 --types AVOID_EXTERNS -f net/firn.c
want 2 "$T/nothing.patch"
want 64 --types NO_SUCH_TYPE "$T/mbox"
want 64 --no-such-option
want 64 --numbering other "$T/mbox"
want 64 --explain NO_SUCH_TYPE
want 0 --explain TRAILING_WHITESPACE
has 'git diff --check'
want 0 --list-types
has TRAILING_WHITESPACE
want 0 --help

# An encoded mail, which firn-checkpatch leaves to firn.
{ printf 'From: Ada Firn <ada@example.org>\nSubject: [PATCH] firn: add ice\nContent-Transfer-Encoding: base64\n'
  printf 'Content-Type: text/plain; charset=utf-8\n\n'
  sed '1,/^$/d' "$T/0001-firn-add-ice.patch" | base64; } > "$T/encoded"
"$FIRN" check --terse --types TRAILING_WHITESPACE "$T/encoded" > "$out" 2>&1 && fail "nothing was found"
has 'lib/firn.c:3: ERROR: TRAILING_WHITESPACE: '
"$CHECK" "$T/encoded" > "$out" 2>&1 && fail "firn-checkpatch read it"
has 'firn check'

# Starting is cheap: what links libgit2 or GMime in again needs a row in check_late.c.
ldd "$CHECK" > "$out"
lacks libgit2
lacks libgmime

# Text that would act on the terminal is written out.
printf -- '--- a/lib/f.c\n+++ b/lib/f.c\n@@ -0,0 +1 @@\n+\033[2J \n' > "$T/escape.patch"
want 1 "$T/escape.patch"
lacks $'\033'
echo "firn check: good"
