#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SOAK_SECONDS of `firn serve` while mails arrive and kill -9 hits its processes at random, itself among them; then all is as
# it must be.
. "$(dirname "$0")/lib.sh"
seconds=${SOAK_SECONDS:-300}
RANDOM=${SOAK_SEED:-$$}

make_tree
archive_init
touch "$T/to_archive"
mkdir "$T/mails"
"$service/mails.pl" --dir "$T/mails" --plain --seed 21 --rate 20 $((seconds / 3 + 30))
archive_serve
patchwork_start
smtp_start
conf_write

serve() { start serve "$FIRN" serve --config "$conf"; }
# family: the service's processes, itself included.
family() {
	local p="${running[serve]}" all
	all=$p
	while p=$(ps -o pid= --ppid "$(echo $p | tr ' ' ',')" | tr -d ' ' | tr '\n' ' ') && [ -n "${p// /}" ]; do all="$all $p"; done
	echo $all
}

serve
declare -A hit=()
n=0 kills=0 starts=1
files=("$T"/mails/*.eml)
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
	for _ in 1 2; do
		[ $n -lt ${#files[@]} ] || break
		archive_add "${files[n]}"
		curl -sf -o /dev/null --data-binary "@${files[n]}" "$pw/control/mail/demo" || true
		n=$((n + 1))
	done
	sleep "$((RANDOM % 4)).$((RANDOM % 10))"
	pids=($(family))
	victim=${pids[RANDOM % ${#pids[@]}]}
	[ $((RANDOM % 6)) != 0 ] || victim=${running[serve]}
	name=$(tr '\0' ' ' < "/proc/$victim/cmdline" 2> /dev/null | awk '{ print $2 }') || continue
	kill -9 "$victim" 2> /dev/null || continue
	kills=$((kills + 1))
	hit[${name:-gone}]=$((${hit[${name:-gone}]:-0} + 1))
	if [ "$victim" = "${running[serve]}" ]; then
		wait "$victim" 2> /dev/null || true
		starts=$((starts + 1))
		serve
	fi
done
while [ $n -lt ${#files[@]} ]; do
	archive_add "${files[n]}"
	curl -sf -o /dev/null --data-binary "@${files[n]}" "$pw/control/mail/demo"
	n=$((n + 1))
done
echo "$n mails, $kills kills, $starts starts:$(for k in "${!hit[@]}"; do printf ' %s %s' "$k" "${hit[$k]}"; done)"
kill -0 "${running[serve]}" 2> /dev/null || { out=$T/serve.log; fail "the service ended"; }
[ "$kills" -gt $((seconds / 20)) ] || fail "too few kills"
pids=($(family))
stop serve
for p in "${pids[@]}"; do ! kill -0 "$p" 2> /dev/null || fail "process $p goes on without its supervisor"; done

idle() { [ "$(sql "SELECT (SELECT count(*) FROM trial WHERE state IN ('waiting', 'running')) + (SELECT count(*) FROM delivery WHERE state IN ('sending', 'retry'))")" = 0 ]; }
for _ in 1 2 3 4 5 6; do
	time_passes
	must intake
	must engine
	must post
	idle && [ "$(archive_ids | wc -l)" = "$(sql 'SELECT count(*) FROM mail')" ] && break
done
sound
all_mails
all_sent
expect "trials that did not come to an end" "SELECT count(*) FROM trial WHERE state NOT IN ('finished', 'cancelled')"
expect "no trial" "SELECT count(*) > 3 FROM trial WHERE state = 'finished'" 1
# Killed by us is no fault of a trial: it is run again until it is through, or given up as our error.
sql "SELECT outcome, count(*), max(attempts) FROM trial GROUP BY 1"
echo "postings $(sql 'SELECT count(*) FROM posting'), checks $(wc -l < "$T/checks"), mails sent $(sent | wc -l)"
