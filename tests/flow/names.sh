#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Readers of reports, pages, mails and checks are told names of trees and testbeds, never where these are on this machine.
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
command -v curl > /dev/null || skip "curl is not installed"
make_tree
replay
# Names that are nowhere else.
mv "$T/tree" "$T/zz-tree"
mv "$T/replay" "$T/zz-boots"
ln -s zz-tree "$T/tree"
ln -s zz-boots "$T/replay"
data=$T/zz-data cache=$T/zz-cache
mkdir "$data" "$cache"
only=apply,check,build,boot,bench-hot-add conf
sed -i "s|$T/tree|$T/zz-tree|; s|$T/replay|$T/zz-boots|; s|url = https://firn.example.org/|&\n\tport = 0|" "$T/conf"
sed -i 's/only = .*/&\n\tmail = always/' "$T/conf"

# What is told is words of trials, steps, testbeds and requests, outcomes good and bad.
engine() { "$FIRN" engine --once --config "$T/conf" > "$T/log" 2>&1 || { cat "$T/log"; fail "firn engine"; }; }
# posting NAME FILE SED-SCRIPT: a patch alone, with ids of its own.
posting() {
	git -C "$T/zz-tree" reset -q --hard start
	commit "$2" "$3" "$1: change it"
	git -C "$T/zz-tree" format-patch -q --stdout --signature= start.. | sed "s/^From: /Message-ID: <$1@example.org>\n&/" > "$T/$1.mbox"
	git -C "$T/zz-tree" reset -q --hard start
	feed mbox demo "$T/$1.mbox"
}

echo "trials that pass, that do not apply, that do not build, whose boots fail"
posting good drivers/clock.c 's/Counts ticks/Counts the ticks/'
posting broken drivers/door.c 's/open_now = 1;/open_now = ;/'
posting apart drivers/door.c 's/open_now = 1;/open_now = 2;/'
sed 's/^-	open_now = 1;/-	open_now = 7;/; s/apart@/apart2@/' "$T/apart.mbox" > "$T/apart2.mbox"
feed mbox demo "$T/apart2.mbox"
engine
is "SELECT group_concat(outcome, ' ') FROM trial WHERE id IN (1, 2, 4)" "pass fail fail" "trials"

echo "a recording that does not fit, a testbed that is out, a tree that is gone"
echo '{"boots": [{"match": {"append": "*nothing*"}, "console": "good.console"}]}' > "$T/zz-boots/replay.json"
posting unfit drivers/clock.c 's/Counts ticks/Counts all the ticks/'
engine
rm "$T/zz-boots/replay.json"
sql "UPDATE testbed SET checked = 0" # it is asked once an hour
posting out drivers/clock.c 's/Counts ticks/Counts all of the ticks/'
engine
[[ $(sql "SELECT words FROM testbed") == *replay/replay.json* ]] || fail "what the testbed said: $(sql 'SELECT * FROM testbed')"
mv "$T/zz-tree" "$T/zz-away"
feed mbox demo <(sed 's/good@/gone@/; s/the ticks/ticks that went/' "$T/good.mbox")
engine
mv "$T/zz-away" "$T/zz-tree"
is "SELECT words FROM trial WHERE id = 7" "cannot open demo: No such file or directory" "why it waits"

echo "a run by hand"
replay
cp "$T/good.mbox" "$T/zz-mails"
"$FIRN" run "$T/zz-mails" --cache "$cache" --tree "$T/zz-tree" --testbed "replay:$T/zz-boots" --only apply,build,boot > "$T/run" 2>&1 ||
	{ cat "$T/run"; fail "firn run"; }
grep -q "$T/zz-mails" "$T/run" || fail "a developer is not told the path"

server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$T"' EXIT
web() { # OPTION...: `at` becomes its address
	"$FIRN" web "$@" > "$T/web.log" 2>&1 < /dev/null &
	server=$!
	for _ in $(seq 300); do
		! grep -q "(Ctrl-C" "$T/web.log" || break
		sleep 0.1
	done
	at=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\)/ (Ctrl-C.*|\1|p' "$T/web.log")
	[ -n "$at" ] || { cat "$T/web.log"; fail "no web"; }
}
get() { # PATH
	curl -s -o "$T/said/$(printf %s "$server$1" | tr / _)" "$at$1"
	printf '%s\n' "$1" >> "$T/asked"
}
# crawl OPTION...: everything that a web links to, and what the API says of it.
crawl() {
	web "$@"
	: > "$T/asked"
	printf '%s\n' / /lists /testbeds /ledger /outbox /bench /metrics /list/demo /list/demo/feed.atom \
		/api/v1/{health,queue,series,trials,benches,mails,testbeds,lists,outbox,requests} > "$T/ask"
	while [ -s "$T/ask" ]; do
		while read -r path; do get "$path"; done < "$T/ask"
		{
			grep -hoE '(href|src)="/[^"#]*' "$T"/said/"$server"* | sed 's/^[a-z]*="//; s/&amp;/\&/g' | grep -vE '^/(assets|login|rerun)' || true
			sed -n 's|^/trial/\([0-9]*\)$|/api/v1/trials/\1\n/api/v1/trials/\1/report\n/api/v1/kcidb/trials/\1|p; s|^/series/[0-9]*$|/api/v1&|p' "$T/asked"
		} | sort -u | grep -vxFf "$T/asked" > "$T/ask" || true
	done
	kill "$server"
	wait "$server" || true
	server=
	[ "$(wc -l < "$T/asked")" -ge "$least" ] || fail "only $(wc -l < "$T/asked") pages were found"
}

echo "no page, answer, report, mail or check has a path of this machine"
mkdir "$T/said"
sql "SELECT * FROM outbox" > "$T/said/outbox"
sql "SELECT * FROM answer" > "$T/said/answer"
cp "$data"/trials/1/report.html "$T/said/"
least=100 crawl --config "$T/conf"
grep -rnoE ".{0,70}(zz-|$T).{0,40}" "$T/said" > "$out" || true
[ ! -s "$out" ] || fail "paths are told"

echo "of a run by hand the last part of what was given"
least=20 crawl --cache "$cache" --port 0
grep -q 'firn run zz-mails --tree zz-tree' "$T"/said/*_api_v1_trials_1_report || fail "no command that repeats it"
grep -rnoE ".{0,70}(/zz-|zz-cache|$T).{0,40}" "$T/said" > "$out" || true
[ ! -s "$out" ] || fail "paths are told"
