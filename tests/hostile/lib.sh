# SPDX-License-Identifier: GPL-2.0-or-later
# For the hostile suite, after flow/lib.sh: a place outside that nothing may reach, secrets that nothing may read, and the
# proof after each attack that the next build is what it would have been.
. "$(dirname "${BASH_SOURCE[0]}")/../flow/lib.sh"
for tool in perl python3; do command -v "$tool" > /dev/null || skip "$tool is not installed"; done

cache=$T/cache/firn
outside=$T/outside # everybody may write there, and a build that can see it does
leftover=sandbox-leftover-$$
secret=key-$$-$RANDOM$RANDOM
mkdir -m 777 "$outside"
mkdir -p "$T/home/.ssh"
echo "$secret" > "$T/home/.ssh/id_ed25519"
echo "$secret" > "$outside/token"
chmod -R a+rX "$T/home"
export HOME=$T/home FIRN_TOKEN=$secret # our own environment has it, too

# Small limits, so that bombs go off quickly. limits LINE...: others.
limits() {
	{
		printf '[bench]\n\trun = hot-add\n[build]\n'
		printf '\t%s\n' 'timeout = 60' 'jobs = 2' 'memory-max = 400' 'disk-max = 64' "$@"
	} > "$T/hostile.conf"
}
limits

# What a build runs: the commit's Makefile with a rule in front. rule TEXT SUBJECT
rule() {
	printf '%s\n' "$1" | cat - "$here/tree/Makefile" > "$T/tree/Makefile"
	git -C "$T/tree" add -A
	git -C "$T/tree" commit -q -m "${2:-hostile: a rule}" -m 'So that there is something to try.' -m 'Signed-off-by: Mallory <mallory@example.org>'
}

attempt() { # WANTED-EXIT-CODE [ARGUMENT...]
	local want=$1
	shift
	firn_run "$want" "$T/series.mbox" --tree "$T/tree" --only build --config "$T/hostile.conf" "$@"
	work=$(ls -td "$cache"/runs/*/ | head -n 1)
}

images() { find "$cache/kernels" -name vmlinux -exec sha256sum {} + | cut -d' ' -f1 | sort; }

honest() { # the same harmless series, with every kernel built anew in the folders that are there
	commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
	commit drivers/door.c 's/int open_now/int is_open/;s/open_now/is_open/' 'door: rename'
	series
	rm -rf "$cache/kernels" "$cache/failed"
	attempt 0
	step build pass
}

# Nothing got out, nothing was read, nothing runs, and the next build is clean.
clean() {
	local left
	left=$(find "$outside" -mindepth 1 ! -name token)
	[ -z "$left" ] || fail "$1 got out: $left"
	! grep -rqF "$secret" "$cache" "$T/report.json" "$T/report.html" "$out" || fail "$1 read a secret"
	! pgrep -f "$leftover" > /dev/null || fail "$1 is still running"
	[ -z "$(find "$cache" -perm /6000 -type f)" ] || fail "$1 left a file that runs as its owner"
	[ -z "$(find "$cache/slots" -mindepth 1 2> /dev/null)" ] || fail "$1 left its slot behind"
	[ -z "$(find "$cache" \( -type b -o -type c \))" ] || fail "$1 left a device"
	honest
	[ "$(images)" = "$reference" ] || fail "the build after $1 is another"
}

make_tree
honest
reference=$(images)
[ "$(wc -l <<< "$reference")" = 3 ] || fail "the honest series has other kernels than three: $reference"

# attack NAME WANTED-EXIT-CODE OUTCOME WORDS: a rule from standard input; WORDS are in the output. Then $hostile is its work folder.
attack() {
	echo "$1"
	rule "$(cat)"
	series
	attempt "$2"
	step build "$3"
	[ -z "$4" ] || has "$4"
	[ -z "${look:-}" ] || "$look" "$1"
	cp "$T/report.json" "$T/hostile.json"
	hostile=$work
	clean "$1"
}
has_groups() {
	"$FIRN" check-config "$T/hostile.conf" > "$T/limits" || fail "the configuration is wrong"
	grep -q 'limited by cgroup' "$T/limits"
}
