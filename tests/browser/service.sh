#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages of a service in a real browser: a list's day (mailing_list_lib.sh) goes through intake, engine on recorded boots and a
# post role that holds its mails; then `firn serve` runs, and topics/ look at every page, ask for reruns, and moderate.
. "$(dirname "$0")/lib.sh"
. "$browser/../flow/service/lib.sh"
. "$browser/mailing_list_lib.sh"

make_tree
replay
two_versions
wrong_in_some_way
hostile
what_is_no_patch
mapfile -t first < <(in_order "$mails"/doors-v1-*.eml "$mails"/review.eml "$mails"/tested.eml)
mapfile -t then < <(in_order "$mails"/*.eml | grep -vxFf <(printf '%s\n' "${first[@]}"))
archive_init
archive_add "${first[@]}"
archive_serve
patchwork_start "${first[@]}"
smtp_start
mode=moderated
only=apply,check,build,boot,bench-hot-add conf_write
token=correct-horse-battery
(umask 077 && echo "${WEB_NAME-ada }$token" > "$T/web.token")
sed -i "s|url = http://firn.example.org|&\n\ttoken-file = $T/web.token|" "$conf"
printf '[testbed]\n\tname = replay:%s\n[bench]\n\trun = hot-add\n\tlmbs = 16\n[cache]\n\tdir = %s\n' "$T/replay" "$T/cache" >> "$conf"
must intake
must engine
archive_add "${then[@]}"
for mail in "${then[@]}"; do curl -sf -o /dev/null --data-binary "@$mail" "$pw/control/mail/demo"; done
for role in intake engine post; do must $role; done
expect "trials that are not finished" "SELECT count(*) FROM trial WHERE state != 'finished'"
expect "outcomes" "SELECT group_concat(outcome) FROM (SELECT DISTINCT outcome FROM trial ORDER BY 1)" fail,pass,warn

sql "SELECT json_object('token', '$token', 'patchwork', '$pw/', 'lore', '$lore/demo/',
	'posting', (SELECT json_group_object(message_id, id) FROM posting),
	'trial', (SELECT json_group_object(message_id, id) FROM (SELECT message_id, max(id) id FROM trial GROUP BY 1)),
	'held', (SELECT json_group_array(id) FROM (SELECT id FROM outbox WHERE held AND poster = 'mail'
		AND trial NOT IN (SELECT id FROM trial WHERE message_id = 'style-1@example.org') ORDER BY id)),
	'patch', (SELECT json_group_object(message_id, number) FROM patchwork))" > "$T/facts.json"
start serve "$FIRN" serve --config "$conf"
served "$T/serve.log" || fail "no web"
fact() { node -p "JSON.parse(require('fs').readFileSync('$T/facts.json'))$1"; }
text() {
	local v2 build good rc=0
	v2=$(fact ".posting['doors-v2-0@example.org']") build=$(fact ".trial['build-0@example.org']") good=$(fact ".trial['doors-v2-0@example.org']")
	reads / 'Latest verdicts' 'doors remember' 'doors and clocks' || rc=1
	reads "/series/$v2" 'doors and clocks' 'clock: reword a comment' 'door: reword a comment' 'Comments say what is meant' || rc=1
	reads "/series/$v2/patch/2" 'door: reword a comment' 'drivers/door.c' 'Is the door open?' || rc=1
	wide=2000 reads "/trial/$build/step/build" 'build' 'open_then' || rc=1
	wide=120 reads "/trial/$good/bench/hot-add" 'hot-add' '16 LMBs' 'unchanged' || rc=1
	reads /ledger 'doors-v2' || rc=1
	wide=400 reads /outbox 'held' || rc=1
	return $rc
}
live() {
	slow
	# It is posted when the page that is to show it is open.
	(until [ -e "$T/watched" ]; do sleep 0.1; done; archive_add "$mails"/slow-*.eml) &
	WATCHED=$T/watched topics service live
}
# BROWSER_TOPICS: only these; BROWSER_STAY: then one may look around.
rc=0
for topic in ${BROWSER_TOPICS:-pages hostile search filters builds rerun moderation text live}; do
	echo "== $topic"
	case $topic in
	text | live) $topic || rc=1 ;;
	*) topics service "$topic" || rc=1 ;;
	esac
done
[ -z "${BROWSER_STAY:-}" ] || { echo "$at/ until Ctrl-C; token $token; $T"; wait; }
! grep -E 'Sanitizer|runtime error:' "$T/serve.log" || { out=$T/serve.log; fail "a sanitizer complains"; }
exit $rc
