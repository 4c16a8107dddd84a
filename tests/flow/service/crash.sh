#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 at every point at which somebody else can see what was done (base/fault.h): each role is killed at its first, second,
# third ... point, run again to its end, and everything is as if nothing had happened: no mail lost, none kept twice, no
# check and no mail sent twice. `crash.sh all` tries every point; without it a handful of each role.
. "$(dirname "$0")/lib.sh"
which=${1:-some}
roles=${CRASH_ROLES:-intake engine post}

make_tree
archive_init
mkdir "$T/mails"
"$service/mails.pl" --dir "$T/mails" --truth "$T/truth" --plain --seed "${CRASH_SEED:-2}" --rate 4 "${CRASH_MAILS:-30}"
archive_add "$T"/mails/*.eml
archive_serve
patchwork_start "$T"/mails/*.eml
smtp_start
conf_write

save() { # STATE
	rm -rf "$T/state.$1"
	mkdir "$T/state.$1" "$T/cache" -p
	cp -a "$data" "$T/cache" "$T/state.$1"
}
restore() {
	rm -rf "$data" "$T/cache"
	cp -a "$T/state.$1/data" "$T/state.$1/cache" "$T"
}
# The servers as they were before anything was said to them.
servers() {
	stop patchwork
	stop lore
	rm -rf "$T/sent" "$T/archive"
	mkdir "$T/sent"
	cp -a "$T/archive.before" "$T/archive"
	archive_serve
	patchwork_start "$T"/mails/*.eml
}
# To the end: what was put off is done too.
settle() { # ROLE
	must "$1"
	for _ in 1 2 3 4; do
		[ "$(sql "SELECT (SELECT count(*) FROM trial WHERE state IN ('waiting', 'running')) + (SELECT count(*) FROM delivery WHERE state IN ('sending', 'retry'))")" = 0 ] && break
		[ "$1" = intake ] && break
		time_passes
		must "$1"
	done
}
arrived() { checks | sort; sent; }

echo "== without a crash"
cp -a "$T/archive" "$T/archive.before"
touch "$T/to_archive"
declare -A points
before=0
for role in intake engine post; do
	save $((before++))
	: > "$T/points"
	role "$role" "FIRN_FAULT_LOG=$T/points"
	[ "$rc" = 0 ] || { out=$T/$role.out; fail "$role ends with $rc"; }
	points[$role]=$(wc -l < "$T/points")
	echo "$role: $(sort "$T/points" | uniq -c | awk '{ printf "%s %s, ", $1, $2 }' | sed 's/, $//')"
	sound
	summary > "$T/summary.$role"
done
arrived > "$T/arrived"
all_sent
expect "no posting" "SELECT count(*) > 1 FROM posting WHERE state = 'complete'" 1
expect "no trial" "SELECT count(*) > 1 FROM trial WHERE state = 'finished'" 1
[ -s "$T/arrived" ] || fail "nothing arrived"
# Our own mails have come to the archive.
must intake
all_mails
servers

# crash ROLE N STATE: false when it ran through.
crash() {
	local role=$1 n=$2 killed=1
	restore "$3"
	[ "$role" != post ] || servers
	: > "$T/points"
	role "$role" "FIRN_FAULT=$n" "FIRN_FAULT_LOG=$T/points"
	case $rc in
	137) ;;
	0) [ "$role" = engine ] && grep -q . "$T/points" && [ "$(sql "SELECT count(*) FROM trial WHERE state != 'finished' OR attempts > 1")" != 0 ] || killed=0 ;;
	*) out=$T/$role.out; fail "$role, killed at point $n, ends with $rc" ;;
	esac
	at="point $n of $role ($(tail -1 "$T/points"))"
	[ ! -e "$db" ] || sqlite3 "$db" 'PRAGMA integrity_check' | grep -qx ok || fail "$at: the store is damaged"
	settle "$role"
	sound
	summary > "$T/summary"
	diff "$T/summary.$role" "$T/summary" > "$T/diff" || { out=$T/diff; fail "$at: it came out otherwise"; }
	[ "$role" != post ] || { all_sent; arrived | diff "$T/arrived" - > "$T/diff" || { out=$T/diff; fail "$at: other things arrived"; }; }
	[ "$killed" = 1 ]
}

state=-1
for role in intake engine post; do
	state=$((state + 1))
	[[ " $roles " = *" $role "* ]] || continue
	step=1
	# The engine's are those of several processes.
	[ "$role" != engine ] || points[engine]=$((points[engine] / 4))
	[ "$which" = all ] || step=$((points[$role] / ${CRASH_KILLS:-5} + 1))
	echo "== $role, killed at each ${step}. of about ${points[$role]} points"
	n=1 kills=0
	while crash "$role" "$n" "$state"; do
		kills=$((kills + 1))
		n=$((n + step))
	done
	echo "$role: $kills kills"
	[ "$kills" -gt 2 ] || fail "$role was hardly killed"
done
