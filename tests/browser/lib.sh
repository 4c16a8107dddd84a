# SPDX-License-Identifier: GPL-2.0-or-later
# For the browser tests, before the libraries of ../flow: what they need that is not ours, and how topics are run.
set -euo pipefail
: "${FIRN:?path of the firn program}" "${SHOTS:?folder for pictures}"
browser=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
chromium=${FIRN_CHROMIUM:-chromium}
export LC_ALL=C.UTF-8
for tool in node npm "$chromium" w3m lynx sqlite3 curl; do
	command -v "$tool" > /dev/null || { echo "SKIP: $tool is not installed"; exit 77; }
done
chromium=$(command -v "$chromium")

# playwright-core and axe-core, outside of the checkout, by what the lock file says.
modules() {
	local of
	of=${FIRN_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-~}/.cache}/firn}/browser-tests
	mkdir -p "$of"
	exec 9> "$of/lock"
	flock 9
	modules=$of/$(sha256sum < "$browser/package-lock.json" | cut -c1-16)
	[ -d "$modules" ] || (
		new=$(mktemp -d "$of/new-XXXXXX")
		trap 'rm -rf "$new"' EXIT
		cp "$browser"/package*.json "$new"
		npm ci --prefix "$new" --ignore-scripts --no-audit --no-fund > "$new/log" 2>&1 || { tail "$new/log"; echo "FAIL: npm ci"; exit 1; }
		mv "$new" "$modules"
	)
	exec 9>&-
}
modules

# Is the program's server up? Its address in $at, from LOG.
served() { # LOG
	for _ in $(seq 300); do
		at=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\)/ (Ctrl-C.*|\1|p' "$1" | tail -n 1)
		[ -z "$at" ] || return 0
		sleep 0.1
	done
	cat "$1"
	return 1
}
# topics NAME TOPIC...: on the server at $at, with $T/facts.json; pictures go to $SHOTS/NAME.
topics() {
	FIRN_AT=$at FIRN_FACTS=$T/facts.json FIRN_SHOTS=$SHOTS/$1 FIRN_BROWSER_MODULES=$modules FIRN_CHROMIUM=$chromium \
		HOME=$T node "$browser/run.mjs" "${@:2}"
}
# reads PATH WORD...: w3m and lynx show the words in this order, no line wider than 100 columns (or what \$wide says, where a log or a command is shown), and neither tag nor script.
reads() {
	local where=$1 tool words=("${@:2}")
	w3m -dump -cols 100 "$at$where" > "$T/dump.w3m" || return 1
	lynx -dump -nolist -width=100 "$at$where" > "$T/dump.lynx" || return 1
	for tool in w3m lynx; do
		perl -CSA -0777 -e '
			$_ = <STDIN>;
			s/[\s\x{2500}-\x{257f}|]+/ /g;
			my $at = 0;
			for my $word (@ARGV) {
				my $found = index $_, $word, $at;
				print("lacks \"$word\" where it should be\n") && exit 1 if $found < 0;
				$at = $found + length $word;
			}' "${words[@]}" < "$T/dump.$tool" || { cat "$T/dump.$tool"; echo "FAIL: $tool $where"; return 1; }
		! grep -nE "^.{$((${wide:-100} + 1))}" "$T/dump.$tool" || { echo "FAIL: $tool $where: lines are wider than 100 columns"; return 1; }
		! grep -nE '<(div|span|td|p|table|section)[ >]|&(amp|lt|gt|quot);|function *\(' "$T/dump.$tool" || { echo "FAIL: $tool $where: markup is left over"; return 1; }
	done
	echo "ok    $where in w3m and lynx"
}
