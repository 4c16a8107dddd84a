# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of the service: a real public-inbox, a stand-in for Patchwork, a real SMTP server, a tiny tree, and one
# configuration for all; the roles by hand; what must be true of the store and of what arrived.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
: "${PATCHWORK:?path of patchwork-stand-in}"
service=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in public-inbox-init public-inbox-netd perl sqlite3 curl; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done

# The folders of root's service are such that its builds may pass.
[ "$(id -u)" != 0 ] || umask 022
export HOME=$T/home PI_CONFIG=$T/pi.config LC_ALL=C.UTF-8 TZ=UTC
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
# The sanitizers of a test build need more than a crash is worth.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
mkdir -p "$T/home" "$T/sent" "$T/data"
mkfifo "$T/pw.stop"
conf=$T/firn.config data=$T/data db=$T/data/firn.db
declare -A running=()

# start NAME COMMAND...: in the background, ended with the test.
start() {
	local name=$1
	shift
	"$@" >> "$T/$name.log" 2>&1 < /dev/null &
	running[$name]=$!
}
stop() {
	[ -n "${running[$1]:-}" ] || return 0
	kill "${running[$1]}" 2> /dev/null || true
	wait "${running[$1]}" 2> /dev/null || true
	unset "running[$1]"
}
service_end() {
	[ -z "${FLOW_KEEP:-}" ] || cp -a "$T" "$FLOW_KEEP"
	for name in "${!running[@]}"; do stop "$name"; done
	rm -rf "$T"
}
trap service_end EXIT

free_port() { perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport'; }
wait_for() { # SECONDS COMMAND...
	local n=$(($1 * 10))
	shift
	while ! "$@" > /dev/null 2>&1; do
		[ $((n -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

# ---- the archive

lore_port=$(free_port) lore=http://127.0.0.1:$lore_port
archive_init() {
	public-inbox-init -V2 -L "${1:-basic}" demo "$T/archive" "$lore/demo/" demo@lists.example.org < /dev/null 2>> "$T/import.log"
	[ -d "$T/archive/git/0.git" ] || git init -q --bare "$T/archive/git/0.git"
	git -C "$T/archive/git/0.git" symbolic-ref HEAD refs/heads/master
}
# archive_fill MAILS.PL-ARGUMENT...: past public-inbox's index: only git sees them.
archive_fill() { "$service/mails.pl" "$@" | git -C "$T/archive/git/0.git" fast-import --quiet; }
# archive_add FILE...: through it.
archive_add() { "$here/lore_import.pl" demo "$@" 2>> "$T/import.log" || { tail "$T/import.log"; fail "import"; }; }
archive_serve() {
	start lore public-inbox-netd -W0 -l "$lore"
	wait_for 15 curl -sf -o /dev/null "$lore/demo/manifest.js.gz" || { tail "$T/lore.log"; fail "public-inbox-netd did not start"; }
}
# archive_ids: the Message-IDs in it, sorted; with a line for each mail.
archive_ids() {
	git -C "$T/archive/git/0.git" rev-list --reverse master | sed 's/$/:m/' | git -C "$T/archive/git/0.git" cat-file --batch |
		sed -n 's/^Message-I[dD]: <\(.*\)>$/\1/p' | sort
}

# ---- Patchwork

pw_port=$(free_port) pw=http://127.0.0.1:$pw_port
patchwork_start() { # [FILE...]
	start patchwork sh -c 'exec "$@" <> "$0"' "$T/pw.stop" "$PATCHWORK" --port "$pw_port" --project demo "$@"
	wait_for 15 curl -sf -o /dev/null "$pw/api/1.2/projects/" || { tail "$T/patchwork.log"; fail "the stand-in for Patchwork did not start"; }
}
patchwork_fault() { curl -sf -o /dev/null "$pw/control/fault/$1" || fail "the stand-in does not know the fault $1"; }
# checks: "MESSAGE-ID CONTEXT STATE DESCRIPTION" a line, in the order in which they arrived for each patch.
checks() { "$service/checks.pl" "$pw" demo; }

# ---- SMTP

smtp_port=$(free_port)
smtp_start() { # [stand-in]: a mail server that misbehaves as $T/smtp.mode says, else msmtpd (package msmtp-mta) if it is there
	# MAIL FROM, then the recipients. Mail to the list comes to its archive.
	cat > "$T/deliver" <<-END
	#!/bin/bash
	f=\$(mktemp "$T/sent/\$(date +%s%N).XXXX") && { printf 'X-Envelope: %s\n' "\$*"; cat; } > "\$f" || exit 75
	mv "\$f" "\$f.eml"
	if [ -e "$T/to_archive" ] && [[ " \$* " = *' demo@lists.example.org '* ]]; then
		tail -n +2 "\$f.eml" > "\$f.list" && "$here/lore_import.pl" demo "\$f.list" 2>> "$T/import.log"
	fi
	exit 0
	END
	chmod +x "$T/deliver"
	if [ "${1:-}" = stand-in ] || ! command -v msmtpd > /dev/null; then
		start smtp "$service/smtp.pl" "$smtp_port" "$T/smtp.mode" "$T/deliver"
	else
		start smtp msmtpd --port="$smtp_port" --interface=127.0.0.1 --command="'$T/deliver' %F --"
	fi
	wait_for 10 bash -c "exec 3<> /dev/tcp/127.0.0.1/$smtp_port" || fail "the mail server did not start"
}
# sent: Message-IDs of the mails that arrived, one a line, sorted.
sent() { find "$T/sent" -name '*.eml' -exec sed -n '/^$/q; s/^Message-I[dD]: *<\(.*\)>.*/\1/p' {} \; | sort; }

# ---- the service

# conf_write [LINE-OF-[list "demo"]...]
conf_write() {
	(umask 077 && echo token0ci > "$T/token")
	cat > "$conf" <<-END
	[data]
		dir = $data
	[post]
		mode = ${mode:-live}
		from = firn@ci.example.org
		smtp = ${smtp:-127.0.0.1:$smtp_port}
		tls = ${tls:-none}
	[serve]
		poll = ${poll:-1}
	[web]
		url = http://firn.example.org
		port = 0
	[tree "small"]
		path = $T/tree
		branches = master
	[patchwork "pw"]
		url = ${pw_url:-$pw}
		token-file = $T/token
	[list "demo"]
		lore = ${lore_url:-$lore/demo/}
		address = demo@lists.example.org
		patchwork = pw
		project = demo
		tree = small
		only = ${only:-apply,check}
		since-days = 3650
		mail = always
		mail-list = true
	$(printf '\t%s\n' "$@")
	END
}

# role NAME [VARIABLE=VALUE...]: once; its exit code in $rc.
role() {
	local name=$1
	shift
	rc=0
	# The shell's own "Killed" is nothing to look at.
	{ env "$@" "$FIRN" "$name" --once --config "$conf" > "$T/$name.out" 2>&1; } 2> /dev/null || rc=$?
	cat "$T/$name.out" >> "$T/roles.log"
	! grep -qE 'Sanitizer|runtime error:' "$T/$name.out" || { out=$T/$name.out; fail "a sanitizer complains about $name"; }
}
must() { # NAME: to its end
	role "$@"
	[ "$rc" = 0 ] || { out=$T/$1.out; fail "$1 ends with $rc"; }
}
sql() { sqlite3 -cmd '.timeout 30000' -separator ' ' "$db" "$1"; }
# What is not sent yet, for people.
outbox_open() { sql "SELECT o.id, o.poster, o.target, o.context, o.revision, d.revision, d.state, d.tries, d.words FROM outbox o LEFT JOIN delivery d ON d.outbox = o.id WHERE d.state IS NOT 'sent' OR d.revision != o.revision"; }
# What waits for a later time may be done now.
time_passes() {
	sql "UPDATE trial SET not_before = 0 WHERE state = 'waiting';
		UPDATE delivery SET not_before = 0 WHERE state IN ('sending', 'retry');
		UPDATE source SET not_before = 0;"
}

# ---- what must be true

# expect WHAT SQL [WANTED]: one value.
expect() {
	local is
	is=$(sql "$2") || fail "SQL: $2"
	[ "$is" = "${3:-0}" ] || fail "$1: $is, not ${3:-0}"
}

# Of a store at any moment at which nothing runs.
sound() {
	expect "damage" "PRAGMA integrity_check" ok
	[ -z "$(sql 'PRAGMA foreign_key_check')" ] || fail "rows that refer to nothing: $(sql 'PRAGMA foreign_key_check')"
	expect "mails twice" "SELECT count(*) FROM (SELECT 1 FROM mail GROUP BY message_id, hash HAVING count(*) > 1)"
	expect "mails without a place" "SELECT count(*) FROM mail WHERE id NOT IN (SELECT mail FROM mail_place)"
	expect "patches in two postings" "SELECT count(*) FROM (SELECT 1 FROM patch GROUP BY mail HAVING count(*) > 1)"
	expect "postings with patches missing" "SELECT count(*) FROM posting p WHERE have != (SELECT count(*) FROM patch WHERE posting = p.id AND number > 0)"
	expect "two trials of one thing" "SELECT count(*) FROM (SELECT 1 FROM trial WHERE request IS NULL GROUP BY posting, digest HAVING count(*) > 1)"
	expect "postings that were tried twice" "SELECT count(*) FROM (SELECT 1 FROM trial WHERE request IS NULL AND state = 'finished' GROUP BY posting HAVING count(*) > 1)"
	expect "one series, two postings" "SELECT count(*) FROM (SELECT 1 FROM patch GROUP BY message_id HAVING count(DISTINCT posting) > 1)"
	expect "finished trials with open steps" "SELECT count(*) FROM step JOIN trial ON trial.id = step.trial WHERE trial.state = 'finished' AND step.state != 'done'"
	expect "deliveries of the future" "SELECT count(*) FROM delivery d JOIN outbox o ON o.id = d.outbox WHERE d.revision > o.revision"
}

# Everything of the archive is in the store, once, and has become something.
all_mails() {
	archive_ids > "$T/ids.archive"
	# What Patchwork brought before the archive is there with other bytes: it decodes.
	sql "SELECT message_id FROM mail WHERE id IN (SELECT mail FROM mail_place WHERE source LIKE 'lore%')" | sort > "$T/ids.store"
	diff "$T/ids.archive" "$T/ids.store" > "$T/ids.diff" || { head "$T/ids.diff"; fail "the archive and the store differ"; }
	expect "mails that became nothing" "SELECT count(*) FROM mail WHERE state = 'new'"
	grep -qF "$(git -C "$T/archive/git/0.git" rev-parse master)" <(sql "SELECT value FROM cursor") || fail "the cursor is not at the tip"
}

# Nothing arrived twice, and what the store calls sent did arrive.
all_sent() {
	[ -z "$(sent | uniq -d)" ] || fail "mails that arrived twice: $(sent | uniq -d)"
	checks > "$T/checks"
	[ -z "$(sort "$T/checks" | uniq -d)" ] || fail "checks that arrived twice: $(sort "$T/checks" | uniq -d)"
	outbox_open > "$out"
	expect "what is not sent" "SELECT count(*) FROM outbox o LEFT JOIN delivery d ON d.outbox = o.id AND d.revision = o.revision WHERE d.state IS NOT 'sent'"
	diff <(sql "SELECT target FROM outbox WHERE poster = 'mail'" | tr -d '<>' | sort) <(sent) > "$T/sent.diff" || { cat "$T/sent.diff"; fail "the outbox and the mails that arrived differ"; }
}

# What came of it all, without ids and times: equal after equal work.
summary() {
	sql "SELECT 'mail', m.message_id, m.hash, m.state, m.reason, m.number, p.message_id, p.version FROM mail m LEFT JOIN posting p ON p.id = m.posting ORDER BY 2, 3;
		SELECT 'posting', p.list, p.message_id, p.version, p.total, p.have, p.digest, p.state, p.reason, n.message_id FROM posting p LEFT JOIN posting n ON n.id = p.newer ORDER BY 3, 4;
		SELECT 'patch', p.message_id, a.number, a.message_id, a.subject FROM patch a JOIN posting p ON p.id = a.posting ORDER BY 2, 3;
		SELECT 'patchwork', server, kind, number, message_id, series FROM patchwork ORDER BY 2, 3, 4;
		SELECT 'trial', t.message_id, t.version, t.state, t.outcome, t.words FROM trial t ORDER BY 2, 3, t.digest;
		SELECT 'step', t.message_id, t.version, s.name, s.state, s.outcome, s.reason FROM step s JOIN trial t ON t.id = s.trial ORDER BY 2, 3, t.digest, s.position;
		SELECT 'outbox', t.message_id, o.poster, o.context, o.held, o.withdrawn, json_remove(o.want, '\$.url') FROM outbox o JOIN trial t ON t.id = o.trial ORDER BY 2, 3, o.target, 4;"
}
