#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A rerun asked for over HTTP: from the request to the engine's answer.
. "$(dirname "$0")/lib.sh"
. "$here/engine_lib.sh"
command -v curl > /dev/null || skip "curl is not installed"
make_tree
replay
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
series
conf
sed -i "s|url = https://firn.example.org/|&\n\tport = 0\n\ttoken-file = $T/token|" "$T/conf"
feed mbox demo "$T/series.mbox"
good=$(sql "SELECT message_id FROM posting")

server=
stop() { [ -z "$server" ] || { kill "$server" 2> /dev/null || true; wait "$server" || true; }; server=; }
trap 'stop; rm -rf "$T"' EXIT
start() { # COMMAND...: `at` becomes its address
	"$FIRN" "$@" > "$T/log" 2>&1 < /dev/null &
	server=$!
	for _ in $(seq 300); do
		! grep -q "http://127.0.0.1:.* (Ctrl-C" "$T/log" || break
		sleep 0.1
	done
	at=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\)/ (Ctrl-C.*|\1|p' "$T/log")
	[ -n "$at" ] || { cat "$T/log"; fail "no web"; }
}
post() { # WANTED-STATUS BODY [CURL-OPTION...]
	local got
	got=$(curl -s -o "$out" -w '%{http_code}' -H 'Content-Type: application/json' -d "$2" "${@:3}" "$at/api/v1/rerun")
	[ "$got" = "$1" ] || fail "status $got, not $1"
}
engine() { "$FIRN" engine --once --config "$T/conf" > "$out" 2>&1 || fail "firn engine"; }

echo "a token that everybody can read is refused"
echo correct-horse-battery > "$T/token"
chmod 644 "$T/token"
rc=0
"$FIRN" web --config "$T/conf" > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "exit code $rc"
has "everybody can read"
chmod 600 "$T/token"

echo "who has the token asks, and the engine answers"
engine
start web --config "$T/conf"
body="{\"message_id\": \"$good\", \"unpin\": true}"
token=(-H 'Authorization: Bearer correct-horse-battery')
post 401 "$body"
post 401 "$body" -H 'Authorization: Bearer correct-horse-batteries'
post 404 '{"message_id": "nobody@example.org"}' "${token[@]}"
post 421 "$body" "${token[@]}" -H 'Host: evil.example'
post 202 "$body" "${token[@]}" -H 'Host: firn.example.org'
has '"url": "/api/v1/requests/1"'
curl -s "$at/api/v1/requests/1" > "$out"
has '"state": "waiting"'
engine
curl -s "$at/api/v1/requests/1" > "$out"
has '"state": "answered"'
has '"good": true'
has '"words": "queued as trial 2"'
has '"trial": 2'
is "SELECT count(*) || ' ' || who || ' ' || via FROM request" "1 api web" "requests"
is "SELECT state || ' ' || replaces FROM trial WHERE id = 2" "finished 1" "trial"

echo "who signs in asks by a form"
login() { curl -s -o "$out" -w '%{http_code}' -c "$T/jar" --data-urlencode "token=$1" -d to=/login "$at/login"; }
[ "$(login wrong-horse-battery)" = 401 ] || fail "a wrong token signs in"
[ "$(login correct-horse-battery)" = 303 ] || fail "the token does not sign in"
curl -s -b "$T/jar" "$at/login" > "$out"
has 'signed in as <bdi>api</bdi>'
csrf=$(sed -n 's/.*name="csrf" value="\([0-9a-f]*\)".*/\1/p' "$out" | head -n 1)
form() { # WANTED-STATUS CSRF [CURL-OPTION...]
	local got
	got=$(curl -s -o "$out" -D "$T/head" -w '%{http_code}' -b "$T/jar" -d "csrf=$2" --data-urlencode "message_id=$good" -d unpin=on "${@:3}" "$at/rerun")
	[ "$got" = "$1" ] || fail "status $got, not $1"
}
form 403 "$(printf '%064d' 0)"
form 403 "$csrf" -H 'Origin: http://evil.example'
form 303 "$csrf" -H "Origin: $at"
grep -q '^Location: /requests/2' "$T/head" || fail "sent on to somewhere else"
curl -s "$at/requests/2" > "$out"
has 'This page reloads itself'
curl -sN -m 30 "$at/events" > "$T/heard" &
listener=$!
heard() { # N: so many events of the queue have come
	for _ in $(seq 50); do
		[ "$(grep -c '^event: queue' "$T/heard")" -lt "$1" ] || return 0
		sleep 0.1
	done
	return 1
}
heard 1 || fail "the stream says nothing"
engine
curl -s "$at/requests/2" > "$out"
has 'href="/trial/3"'
heard 2 || fail "the stream told nothing new"
stop
wait "$listener" || fail "the stream did not end with the server"
! grep -q correct-horse "$T/log" || fail "the token is in the log"

echo "firn serve hands its configuration on"
mkdir "$T/data2"
printf '[data]\n\tdir = %s\n[web]\n\tport = 0\n\ttoken-file = %s\n[tree "t"]\n\tpath = %s\n' "$T/data2" "$T/token" "$T/tree" > "$T/conf2"
start serve --config "$T/conf2"
post 401 "$body"
post 404 "$body" "${token[@]}"
stop
