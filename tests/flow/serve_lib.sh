# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of the service and its commands: a configuration in $T, and `firn serve` on it.
set -euo pipefail
: "${FIRN:?path of the firn program}"
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ -z "${out:-}" ] || { echo "--- output:"; cat "$out"; }; [ ! -e "$T/log" ] || { echo "--- log:"; cat "$T/log"; }; exit 1; }
has() { grep -qF -- "$1" "$out" || fail "the output lacks: $1"; }
lacks() { ! grep -qF -- "$1" "$out" || fail "the output has: $1"; }
for tool in git pgrep; do command -v "$tool" >/dev/null || skip "$tool is not installed"; done

T=$(mktemp -d)
serve=
stop() { [ -z "$serve" ] || { kill "$serve" 2>/dev/null || true; wait "$serve" || true; }; rm -rf "$T"; }
trap stop EXIT
export XDG_CONFIG_HOME=$T/none XDG_CACHE_HOME=$T/cache GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null NO_COLOR=1
out=$T/out
mkdir "$T/data"
git init -q -b master "$T/tree"
git -C "$T/tree" -c user.name='Ada Example' -c user.email=ada@example.org commit -q --allow-empty -m 'A tree'
# Port 9 (discard) of this machine: nobody answers.
cat > "$T/config" <<-END
	[data]
		dir = $T/data
	[cache]
		dir = $T/cache
	[web]
		port = 0
	[tree "t"]
		path = $T/tree
	[list "l"]
		lore = http://127.0.0.1:9/l/
		tree = t
END

# wait_for COMMAND: at most 20 s.
wait_for() {
	for _ in $(seq 200); do
		if eval "$1"; then return 0; fi
		sleep 0.1
	done
	fail "waited in vain for: $1"
}
service_start() {
	SECRET_TOKEN=SECRET CREDENTIALS_DIRECTORY=$T "$FIRN" serve --config "$T/config" > "$T/log" 2>&1 < /dev/null &
	serve=$!
	wait_for 'grep -q "serve: ready" "$T/log"'
}
# firn_do WANTED-EXIT-CODE COMMAND [ARGUMENT...]
firn_do() {
	local want=$1 rc=0
	shift
	"$FIRN" "$1" --config "$T/config" "${@:2}" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn $*"
}
