#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The web with BENCH_SERIES series in the store, against nginx serving the same bytes as a file, on this machine in one run:
# requests a second and the times of the median and the slowest in a hundred, for BENCH_SECONDS each; then the memory that
# 1,000 event streams take, and how quick pages are meanwhile. Prints a table. BENCH_REPORT: a report.json for some trials.
set -euo pipefail
: "${FIRN:?}" "${WEB_FILL:?}" "${WEB_STREAMS:?}"
series=${BENCH_SERIES:-100000} seconds=${BENCH_SECONDS:-8} connections=${BENCH_CONNECTIONS:-16} streams=${BENCH_STREAMS:-1000}
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ ! -e "$T/log" ] || tail "$T/log"; exit 1; }
PATH=$PATH:/usr/sbin
for tool in nginx wrk curl; do command -v $tool > /dev/null || skip "$tool is not installed"; done

T=$(mktemp -d "${TMPDIR:-/var/tmp}/firn-bench-web-XXXXXX")
chmod 755 "$T" # nginx's worker enters it
pids=()
trap 'kill "${pids[@]}" 2> /dev/null || :; wait; rm -rf "$T"' EXIT
mkdir "$T/www" "$T/tmp"

began=$SECONDS
"$WEB_FILL" "$T/firn.db" "$series" ${BENCH_REPORT:+"$BENCH_REPORT"}
echo "store: $(($(stat -c %s "$T/firn.db") >> 20)) MiB, filled in $((SECONDS - began)) s"

XDG_CONFIG_HOME=$T "$FIRN" web --cache "$T" --port 0 > "$T/log" 2>&1 &
firn=$!
pids+=($firn)
at=
for _ in $(seq 200); do
	at=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\)/ (Ctrl-C.*|\1|p' "$T/log")
	[ -z "$at" ] || break
	sleep 0.1
done
[ -n "$at" ] || fail "no web"

nginx_start() {
	local port
	for port in $(seq 18080 18180); do
		cat > "$T/nginx.conf" <<-END
		daemon off;
		worker_processes 1;
		pid $T/nginx.pid;
		error_log $T/nginx.log;
		events { worker_connections 1024; }
		http {
			access_log off;
			sendfile on;
			tcp_nopush on;
			keepalive_requests 1000000;
			default_type text/html;
			client_body_temp_path $T/tmp;
			proxy_temp_path $T/tmp;
			fastcgi_temp_path $T/tmp;
			uwsgi_temp_path $T/tmp;
			scgi_temp_path $T/tmp;
			server { listen 127.0.0.1:$port; root $T/www; }
		}
		END
		nginx -p "$T" -c "$T/nginx.conf" 2> /dev/null &
		nginx=$!
		sleep 0.5
		if kill -0 $nginx 2> /dev/null; then
			pids+=($nginx)
			file=http://127.0.0.1:$port
			return
		fi
	done
	fail "nginx does not start"
}
nginx_start

rss() { awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }
# load URL [WRK-OPTION...]: into $rate, $p50, $p99. An answer that is no 2xx fails.
load() {
	wrk -t1 -c "$connections" -d "${seconds}s" --latency "${@:2}" "$1" > "$T/wrk"
	! grep -q 'Non-2xx' "$T/wrk" || { cat "$T/wrk"; fail "$1"; }
	rate=$(awk '/^Requests\/sec/ { print $2 }' "$T/wrk")
	p50=$(awk '$1 == "50%" { print $2 }' "$T/wrk")
	p99=$(awk '$1 == "99%" { print $2 }' "$T/wrk")
}
say() { printf '%-34s %9.0f /s   p50 %9s   p99 %9s   %s\n' "$1" "$rate" "$p50" "$p99" "${2:-}"; }
# compare NAME PATH: the page, and its bytes from nginx.
compare() {
	local theirs
	curl -sf "$at$2" -o "$T/www/page.html" || fail "$2"
	load "$file/page.html"
	theirs=$rate
	say "nginx, $1 ($(stat -c %s "$T/www/page.html") bytes)"
	load "$at$2"
	say "firn, $1" "$(echo "$theirs $rate" | awk '{ printf "nginx is %.2f times as fast", $1 / $2 }')"
}
# any NAME LUA: pages that nobody asked for yet, one after the other.
any() {
	printf 'math.randomseed(1)\nrequest = function() return wrk.format("GET", %s) end\n' "$2" > "$T/any.lua"
	load "$at" -s "$T/any.lua"
	say "$1"
}

echo "firn before the load: $(rss $firn) MiB; $connections connections, one client thread, one process each"
compare "front page" /
compare "series page" "/series/$((series - 1))"
any "firn, any of $series series pages" "\"/series/\" .. math.random($series)"
any "firn, front page before any series" "\"/?before=\" .. math.random($series)"
echo "firn after the load: $(rss $firn) MiB"

before=$(rss $firn)
mkfifo "$T/hold"
exec 8<> "$T/hold"
"$WEB_STREAMS" "${at##*:}" /events "$streams" < "$T/hold" > "$T/streams" 8>&- &
holder=$!
pids+=($holder)
for _ in $(seq 300); do
	! grep -q ^open "$T/streams" || break
	sleep 0.1
done
grep -qx "open $streams" "$T/streams" || { cat "$T/streams"; fail "$streams event streams are not opened"; }
echo "$streams event streams: $(rss $firn) MiB, $(($(rss $firn) - before)) more than without"
load "$at/"
say "firn, front page meanwhile"
exec 8>&-
wait $holder
grep -qx "alive $streams" "$T/streams" || { cat "$T/streams"; fail "not all event streams were kept"; }
