# SPDX-License-Identifier: GPL-2.0-or-later
# For the tests of the engine role, after lib.sh: a data folder, a configuration on the tiny tree, and looks into the store.
: "${ENGINE_FEED:?path of the engine-feed program}"
# The folders of root's service are such that its builds may pass.
[ "$(id -u)" != 0 ] || umask 022
data=$T/data cache=$T/firn
mkdir -p "$data" "$cache"

conf() { # [LINE...]: the usual configuration, and lines more
	cat > "$T/conf" <<-END
		[data]
			dir = $data
		[cache]
			dir = $cache
		[testbed]
			name = replay:$T/replay
		[bench]
			run = hot-add
			lmbs = 16
		[post]
			from = firn@example.org
		[web]
			url = https://firn.example.org/
		[patchwork "pw"]
			url = https://patchwork.example.org/
		[tree "demo"]
			path = $T/tree
			branches = master
		[list "demo"]
			lore = http://127.0.0.1:9/demo/
			tree = demo
			patchwork = pw
			project = demo
			only = ${only:-apply,check}
	END
	[ $# = 0 ] || printf '%s\n' "$@" >> "$T/conf"
}
feed() { "$ENGINE_FEED" "$data" "$@" || fail "engine-feed $*"; }
sql() { feed sql "$1"; }
is() { # QUERY WANTED WHAT
	local got
	got=$(sql "$1")
	[ "$got" = "$2" ] || fail "$3: \"$got\", not \"$2\""
}
state="SELECT state || ' ' || coalesce(outcome, '') FROM trial ORDER BY id"
