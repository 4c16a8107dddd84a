#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The post role against a real mail server (msmtpd of the package msmtp-mta) and the stand-in for Patchwork. It is killed
# (SIGKILL) at every point at which others can see what it does, and run again: each mail and each check arrives once.
set -euo pipefail

: "${FIRN:?}" "${POST_FEED:?}" "${PATCHWORK:?}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ ! -e "$T/log" ] || tail -n 30 "$T/log"; exit 1; }
for tool in msmtpd curl; do
	command -v "$tool" > /dev/null || skip "$tool is not installed"
done

T=$(mktemp -d) pids=()
trap 'kill "${pids[@]}" 2> /dev/null || :; rm -rf "$T"' EXIT
export XDG_CACHE_HOME=$T/cache XDG_CONFIG_HOME=$T/config

# port COMMAND...: starts a server that prints its port; in $port.
port() {
	rm -f "$T/port"
	mkfifo "$T/port"
	"$@" <> "$T/stop" > "$T/port" 2>> "$T/log" &
	pids+=($!)
	read -r port < "$T/port"
}

mkfifo "$T/stop"
mkdir "$T/sent" "$T/config"
# msmtpd hands on what it has when a connection is cut in the middle of a mail, where a server must not (RFC 5321 3.3):
# a line that it adds itself, since the role was killed before it gave the first byte.
cat > "$T/deliver" <<END
#!/bin/sh
f=\$(mktemp "$T/sent/XXXXXXXX") && cat > "\$f" && grep -q ^Message-ID: "\$f" && printf '%s\n' "\$*" > "\$f.to" && mv "\$f" "\$f.eml"
END
chmod +x "$T/deliver"
port "$POST_FEED" smtp "$T/sent" "exec msmtpd --inetd --command='\"$T/deliver\" %F --'"
smtp=$port
port "$POST_FEED" archive "$T/sent"
archive=$port
port "$PATCHWORK" --project demo "$here/patchwork/mails.mbox"
pw=http://127.0.0.1:$port
(umask 077 && echo token0ci > "$T/token")

# configure DATA
configure() {
	cat > "$T/conf" <<-END
	[data]
		dir = $1
	[post]
		mode = live
		from = \"firn, the tester\" <firn@example.org>
		smtp = 127.0.0.1:$smtp
		tls = none
	[list "demo"]
		lore = http://127.0.0.1:$archive/demo/
		address = demo@lists.example.org
		tree = x
	[tree "x"]
		path = /
	[patchwork "pw"]
		url = $pw
		token-file = $T/token
	END
}
post() { env "$@" "$FIRN" post --once --config "$T/conf" >> "$T/log" 2>&1; }
# finish DATA: until nothing is open.
finish() {
	local i
	for i in 1 2 3 4; do
		post X= || fail "the role ends with $?"
		"$POST_FEED" states "$1" | grep -qE '^[a-z]+ (not looked at|sending|retry|approved)' || return 0
		"$POST_FEED" pass "$1"
	done
	"$POST_FEED" states "$1"
	fail "it does not come to an end"
}
checks() { # of one patch and context
	curl -sf "$pw/api/1.2/patches/$1/checks/?per_page=250" | grep -o "\"context\": *\"$2\"" | wc -l
}
mails() { find "$T/sent" -name '*.eml' | wc -l; }

# What goes out, and how often.
configure "$T/plain"
"$POST_FEED" fill "$T/plain" 2 good
FIRN_FAULT_LOG=$T/points finish "$T/plain"
[ "$(mails)" = 2 ] || fail "$(mails) mails, not 2"
for context in firn-apply firn-checkpatch; do
	[ "$(checks 1 $context)" = 1 ] || fail "$(checks 1 $context) checks $context, not 1"
done
eml=$(find "$T/sent" -name '*.eml' | head -n 1)
grep -q '^From: "firn, the tester" <firn@example.org>' "$eml" || fail "From: $(cat "$eml")"
grep -q '^Auto-Submitted: auto-generated' "$eml" || fail "it does not say that it is automatic"
grep -qx 'firn@example.org -- ada@example.org demo@lists.example.org' "${eml%.eml}.to" || fail "recipients: $(cat "${eml%.eml}.to")"
for point in mail-before mail-before-handing mail-handing mail-after check-before check-after delivery-before delivery-after; do
	grep -qx "$point" "$T/points" || fail "$point is not passed"
done

# Killed at each point of one mail and two checks. The checks of patch 1 add up: one of each kind a round.
rounds=1
for n in $(seq 1 100); do
	rm -rf "$T/sent"
	mkdir "$T/sent"
	configure "$T/kill$n"
	"$POST_FEED" fill "$T/kill$n" 1 "round $n"
	before=$(checks 1 firn-apply)
	rc=0
	{ post FIRN_FAULT="$n" || rc=$?; } 2> /dev/null
	[ "$rc" != 0 ] || break
	[ "$rc" = 137 ] || fail "the role ends with $rc at point $n"
	finish "$T/kill$n"
	[ "$(mails)" = 1 ] || fail "$(mails) mails after a crash at point $n"
	for context in firn-apply firn-checkpatch; do
		[ "$(checks 1 $context)" = $((before + 1)) ] || fail "$(($(checks 1 $context) - before)) checks $context after a crash at point $n"
	done
	rounds=$n
	rm -rf "$T/kill$n"
done
[ "$rounds" -ge 15 ] || fail "only $rounds points"
! grep -qE 'Sanitizer|runtime error:' "$T/log" || fail "a sanitizer complains"
echo "killed at $rounds points: each mail and check came once"
