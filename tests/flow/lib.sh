# SPDX-License-Identifier: GPL-2.0-or-later
# For the flow tests: a scratch folder, a tiny tree that builds like a kernel, recorded boots, and assertions.
set -euo pipefail

: "${FIRN:?path of the firn program}"
fixtures=$(cd "$(dirname "${BASH_SOURCE[0]}")/../fixtures" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ -z "${out:-}" ] || { echo "--- output:"; cat "$out"; }; exit 1; }

for tool in git bwrap powerpc64le-linux-gnu-gcc; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done

T=$(mktemp -d)
chmod 755 "$T" # the build user enters it
trap 'rm -rf "$T"' EXIT
export XDG_CACHE_HOME=$T/cache XDG_CONFIG_HOME=$T/config GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME='Ada Example' GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME='Ada Example' GIT_COMMITTER_EMAIL=ada@example.org
export GIT_AUTHOR_DATE='2026-03-01T10:00:00Z' GIT_COMMITTER_DATE='2026-03-01T10:00:00Z' NO_COLOR=1
out=$T/out
mkdir -p "$T/config/firn"
printf '[bench]\n\trun = hot-add\n' > "$T/config/firn/config" # recorded is no other

# A repository whose Makefile answers as kbuild does to what the builder calls.
make_tree() {
	mkdir -p "$T/tree"
	cp -r "$here/tree/." "$T/tree"
	git -C "$T/tree" init -q -b master
	git -C "$T/tree" add .
	git -C "$T/tree" commit -q -m 'A tree'
	git -C "$T/tree" tag start
}

# commit FILE SED-SCRIPT SUBJECT: one more commit in the tree.
commit() {
	sed -i "$2" "$T/tree/$1"
	git -C "$T/tree" commit -q -a -m "$3" -m "So that there is something to try." -m 'Signed-off-by: Ada Example <ada@example.org>'
}

# series: what was committed since the first commit, as an mbox with a cover letter; the tree is back there.
series() {
	git -C "$T/tree" format-patch -q --stdout --thread --cover-letter --signature= start.. > "$T/series.mbox"
	git -C "$T/tree" reset -q --hard start
}

# replay JSON-ROW...: recorded boots; the last row always is a good boot, the ones before it a good hot-add.
replay() {
	mkdir -p "$T/replay"
	cp "$fixtures"/consoles/*.console "$T/replay"
	cp "$fixtures"/testbeds/replay/*.console "$T/replay"
	{
		echo '{"boots": ['
		[ $# = 0 ] || printf '%s,\n' "$@"
		echo '{"match": {"append": "*lmbs=16 *"}, "console": "hot-add-16.console", "lmbs": 16},'
		echo '{"console": "good.console"}]}'
	} > "$T/replay/replay.json"
}

# firn_run WANTED-EXIT-CODE [ARGUMENT...]: on the series, with the replay testbed.
firn_run() {
	local want=$1 rc=0
	shift
	"$FIRN" run "$@" --testbed "replay:$T/replay" --lmbs 16 --json "$T/report.json" --html "$T/report.html" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn run $*"
}

has() { grep -qF -- "$1" "$out" || fail "the output lacks: $1"; }
lacks() { ! grep -qF -- "$1" "$out" || fail "the output has: $1"; }
# step NAME OUTCOME: as the report has it.
step() { grep -qE "^  $2 +$1 " "$out" || fail "step $1 is not $2"; }
