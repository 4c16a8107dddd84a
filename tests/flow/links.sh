#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A series named by a link to Patchwork (the stand-in for it): run by hand, and tried again by the service.
: "${PATCHWORK:?path of patchwork-stand-in}"
# Of today: the service leaves alone what is older than its list.
today=$(date -u +%FT%TZ)
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
export GIT_AUTHOR_DATE=$today GIT_COMMITTER_DATE=$today
make_tree
replay
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
series
sed -i 's/\*\*\* SUBJECT HERE \*\*\*/doors and clocks/' "$T/series.mbox"
mkfifo "$T/stop" "$T/port"
"$PATCHWORK" --project demo "$T/series.mbox" <> "$T/stop" > "$T/port" 2> "$T/log" &
pid=$! waiter=
trap 'kill "$pid" $waiter 2> /dev/null || true; rm -rf "$T"' EXIT
read -r port < "$T/port"
pw=http://127.0.0.1:$port
id=$(sed -n 's/^Message-I[dD]: <\(.*\)>$/\1/p' "$T/series.mbox" | sed -n 3p)

echo "firn run: by patch, by series, by message ID"
for link in patch/1/ series/1/ "project/demo/list/?series=1" "project/demo/patch/$id/" api/1.2/patches/2/; do
	firn_run 0 "$pw/$link" --tree "$T/tree" --only apply
	step apply pass
	has '3 mails from http'
	has 'v1, 2 patches and a cover letter: doors and clocks'
done
firn_run 2 "$pw/series/99/" --tree "$T/tree" --only apply
has 'series/99'

echo "firn rerun: by a link to a server of the configuration, once the store knows it"
only=apply
conf
sed -i "s|https://patchwork.example.org/|$pw|; /lore =/d" "$T/conf"
ask() { # WANTED-EXIT-CODE COMMAND [ARGUMENT...]
	local want=$1 rc=0
	"$FIRN" "$2" --config "$T/conf" "${@:3}" > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: firn ${*:2}"
}
ask 0 intake --once
is "SELECT state || reason FROM posting" complete "posting"
ask 0 engine --once
is "$state" "finished pass" "trial"
n=1
for link in patch/2/ series/1/ "project/demo/patch/$id/"; do
	n=$((n + 1))
	"$FIRN" rerun --config "$T/conf" --wait "$pw/$link" > "$T/waited" 2>&1 &
	waiter=$!
	for _ in $(seq 100); do
		[ "$(sql "SELECT count(*) FROM request")" != $((n - 1)) ] || break
		sleep 0.1
	done
	ask 0 engine --once
	rc=0
	wait "$waiter" || rc=$?
	waiter=
	[ "$rc" = 0 ] || { cat "$T/waited"; fail "exit code $rc of firn rerun --wait $link"; }
	grep -q "^trial $n$" "$T/waited" || fail "no new trial: $(cat "$T/waited")"
	grep -q '^pass: ' "$T/waited" || fail "no verdict: $(cat "$T/waited")"
	is "SELECT state || ' ' || outcome || ' ' || replaces FROM trial WHERE id = $n" "finished pass $((n - 1))" "trial"
done
ask 0 log "$pw/patch/1/"
step apply pass
ask 2 rerun "$pw/patch/99/"
has 'the store does not know patch 99'
ask 64 rerun "http://127.0.0.1:9/patch/1/"
