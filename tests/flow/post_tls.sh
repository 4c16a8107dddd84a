#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The post role against exim: STARTTLS, a certificate that is checked, AUTH. The package exim4-daemon-light cannot be installed
# beside msmtp-mta; $EXIM may name a program that was unpacked from it.
set -euo pipefail

: "${FIRN:?}" "${POST_FEED:?}"
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; cat "$T/log" "$T"/exim/* 2> /dev/null | tail -n 30; exit 1; }
exim=${EXIM:-$(command -v exim4 || echo /usr/sbin/exim4)}
[ -x "$exim" ] || skip "exim4 is not installed"
command -v openssl > /dev/null || skip "openssl is not installed"

T=$(mktemp -d) pid=
trap 'kill $pid 2> /dev/null || :; rm -rf "$T"' EXIT
chmod 755 "$T"
export XDG_CACHE_HOME=$T/cache XDG_CONFIG_HOME=$T/config
mkdir -m 777 "$T/sent" "$T/spool" "$T/exim"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$T/key.pem" -out "$T/cert.pem" -days 2 -subj /CN=127.0.0.1 \
	-addext subjectAltName=IP:127.0.0.1 2> /dev/null
chmod 644 "$T/key.pem" # of a test, for the user that exim becomes
cat > "$T/exim.conf" <<END
primary_hostname = mail.example.org
spool_directory = $T/spool
log_file_path = $T/exim/%s
exim_user = Debian-exim
exim_group = Debian-exim
never_users =
tls_advertise_hosts = *
tls_certificate = $T/cert.pem
tls_privatekey = $T/key.pem
acl_smtp_rcpt = rcpt
acl_smtp_data = data
begin acl
rcpt:
	deny !encrypted = *
	deny !authenticated = *
	deny local_parts = bo
	accept
data:
	# Taken is what counts here: it is written down and not delivered.
	warn logwrite = TAKEN \$h_message-id:
	discard
begin authenticators
plain:
	driver = plaintext
	public_name = PLAIN
	server_prompts = :
	server_condition = \${if and{{eq{\$auth2}{firn}}{eq{\$auth3}{a word}}}}
	server_set_id = \$auth2
	server_advertise_condition = \${if def:tls_in_cipher}
END
mkfifo "$T/port"
"$POST_FEED" smtp "$T/sent" "exec $exim -C $T/exim.conf -bs" > "$T/port" 2>> "$T/log" &
pid=$!
read -r smtp < "$T/port"

# send NAME [LINE...]: one mail with these lines in [post]; the states in $T/states.
send() {
	local name=$1
	shift
	cat > "$T/conf" <<-END
	[data]
		dir = $T/$name
	[post]
		mode = live
		from = firn@example.org
		smtp = 127.0.0.1:$smtp
		user = firn
		password-file = $T/password
	$(printf '\t%s\n' "$@")
	END
	"$POST_FEED" fill "$T/$name" 1 x
	"$FIRN" post --once --config "$T/conf" >> "$T/log" 2>&1 || fail "the role ends with $?"
	"$POST_FEED" states "$T/$name" > "$T/states"
}
state() { grep -qE "^mail $1" "$T/states" || fail "not $1: $(cat "$T/states")"; }
taken() { cat "$T"/exim/* 2> /dev/null | grep -c TAKEN || :; }

(umask 077 && echo 'a word' > "$T/password")
send unknown
state 'retry: .*certificate'
[ "$(taken)" = 0 ] || fail "a server whose certificate is unknown got a mail"
send good "ca-file = $T/cert.pem"
state 'sent: 250'
[ "$(taken)" = 1 ] || fail "$(taken) mails were taken, not 1"
echo 'another word' > "$T/password"
send denied "ca-file = $T/cert.pem"
state 'retry: 535'
[ "$(taken)" = 1 ] || fail "a mail was taken without a password"
send plain "tls = none"
state '(retry|failed|dropped)'
[ "$(taken)" = 1 ] || fail "a mail was taken without encryption"
! grep -qE 'Sanitizer|runtime error:' "$T/log" || fail "a sanitizer complains"
! grep -rqF 'a word' "$T/log" "$T/states" || fail "the password is in the log"
echo "STARTTLS, certificate and AUTH: as they should be"
