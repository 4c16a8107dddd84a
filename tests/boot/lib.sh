# SPDX-License-Identifier: GPL-2.0-or-later
# For the boot tests: real kernels from FIRN_TEST_TREE, kept in FIRN_TEST_CACHE.
set -euo pipefail

: "${FIRN:?path of the firn program}"
fixtures=$(cd "$(dirname "${BASH_SOURCE[0]}")/../fixtures/series" && pwd)

skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ ! -e "$out" ] || { echo "--- output:"; cat "$out"; }; exit 1; }

[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository (./quickstart test sets it)"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder to keep kernels in (./quickstart test sets it)"
for tool in qemu-system-ppc64 bwrap powerpc64le-linux-gnu-gcc; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done

T=$(mktemp -d "$FIRN_TEST_CACHE/test-XXXXXX") # where the build user can enter
chmod 755 "$T"
trap 'rm -rf "$T"' EXIT
out=$T/out
export NO_COLOR=1 XDG_CONFIG_HOME=$T/config
mkdir -p "$T/config/firn"
printf '[boot]\n\tsilence = 30\n[bench]\n\tlmbs = 16,64\n' > "$T/config/firn/config"

# firn_run WANTED-EXIT-CODE FIXTURE [ARGUMENT...]
firn_run() {
	local want=$1 series=$fixtures/$2 rc=0
	shift 2
	"$FIRN" run "$series" --tree "$FIRN_TEST_TREE" --cache "$FIRN_TEST_CACHE" --work "$T/work-$((n += 1))" "$@" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn run $series $*"
}
n=0

has() { grep -qE -- "$1" "$out" || fail "the output lacks: $1"; }
step() { grep -qE "^  $2 +$1 " "$out" || fail "step $1 is not $2"; }
