#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the machine, under systemd: the packaged unit as it is, with a list whose archive does not answer and two series that
# are there already. One is harmless; the other's Makefile is a memory bomb.
export PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C
. /guest/say.sh
group=/sys/fs/cgroup/system.slice/firn.service
data=/var/lib/firn

# wait_for SECONDS WHAT COMMAND
wait_for() {
	local end=$(($(cut -d. -f1 /proc/uptime) + $1))
	until eval "$3"; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt "$end" ] || { journalctl -u firn -n 40 --no-pager; fail "waited in vain for $2"; }
		sleep 0.2
	done
}
as_firn() { setpriv --reuid firn --regid firn --clear-groups env HOME=$data "$@"; }
sql() { as_firn /guest/engine-feed $data sql "$1"; }
is() { [ "$1" = "$2" ] || fail "$3: \"$1\", not \"$2\""; }

# The folders as the package makes them, a tree, and two series in mailboxes.
prepare() {
	install -d -o firn -g firn $data /var/cache/firn
	install -d -g firn -m 750 /etc/firn
	export FIRN=/usr/bin/firn TMPDIR=/tmp
	. /guest/tests/flow/lib.sh
	. /guest/say.sh # its own words
	make_tree
	mv "$T/tree" $data/tree
	ln -s $data/tree "$T/tree"
	commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
	series
	mv "$T/series.mbox" $data/good.mbox
	bomb='x := $(shell for i in 1 2 3 4 5 6 7 8; do perl -e '"'"'$$x = "a" x (100 << 20); sleep 3'"'"' & done; wait)'
	printf '%s\n' "$bomb" | cat - /guest/tests/flow/tree/Makefile > $data/tree/Makefile
	commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: a bomb'
	sleep 1 # the cover letter's Message-ID has the time in it
	series
	mv "$T/series.mbox" $data/bomb.mbox
	chown -R firn: $data
	cat > /etc/firn/config <<-END
		[data]
			dir = $data
		[cache]
			dir = /var/cache/firn
		[build]
			memory-max = 400
			jobs = 2
		[web]
			port = 8080
		[tree "demo"]
			path = $data/tree
			branches = master
		[list "demo"]
			lore = http://127.0.0.1:9/demo/
			tree = demo
			only = apply,build
	END
}

prepare
trap - EXIT
as_firn firn check-config /etc/firn/config || fail "the configuration"
# As intake would have left them: the archive does not answer, and it has nothing to do.
for series in good bomb; do as_firn /guest/engine-feed $data mbox demo $data/$series.mbox || fail engine-feed; done
sql "UPDATE mail SET state = 'patch'"

systemctl start firn || { journalctl -u firn -n 40 --no-pager; fail "systemctl start firn"; }
is "$(systemctl is-active firn)" active 'the unit'
main=$(systemctl show -P MainPID firn)
is "$(stat -c %U /proc/"$main")" firn 'the user that the service runs as'
say "systemd $(systemctl --version | sed -n '1s/[^0-9]*\([0-9]*\).*/\1/p'): the unit is up"

wait_for 60 'the move into firn-main' '[ -n "$(cat $group/firn-main/cgroup.procs 2>/dev/null)" ]'
wait_for 10 'an empty group of the unit' '[ -z "$(cat $group/cgroup.procs)" ]'
grep -qx "$main" $group/firn-main/cgroup.procs || fail "the main process is not in firn-main"
is "$(cat $group/cgroup.subtree_control)" 'cpu memory pids' 'what the unit hands on'
status() { as_firn firn status --config /etc/firn/config > /tmp/status || fail "firn status: $(cat /tmp/status)"; }
status
grep -q "firn serve: process $main" /tmp/status || fail "firn status: $(cat /tmp/status)"
log() { journalctl -u firn -o cat --no-pager; }
log | grep 'builds are limited by cgroup-v2' > /dev/null || fail 'the engine does not say what limits builds have'
say "firn status answers; $(wc -l < $group/firn-main/cgroup.procs) processes in firn-main"

limits='' want='419430400 288 1 50 '
look() { # a build's group, while it is there; its maker needs a moment to fill it
	local n got
	for n in $(seq 20); do
		[ "$limits" != "$want" ] || break
		got=$(cd $group/firn-box-*/ 2>/dev/null && cat memory.max pids.max memory.oom.group cpu.weight 2>/dev/null | tr '\n' ' ')
		limits=${got:-$limits}
		sleep 0.05
	done
	! log | grep 'trial 1 waits' > /tmp/waits || fail "$(cat /tmp/waits)"
	[ "$(sql 'SELECT state FROM trial WHERE id = 1')" = finished ]
}
wait_for 400 'the trial of a harmless series' look
is "$(sql 'SELECT outcome FROM trial WHERE id = 1')" pass 'the harmless series'
grep -q '"limits": *"cgroup-v2"' $data/trials/1/report.json || fail "limits of its report: $(grep -m 1 '"limits"' $data/trials/1/report.json)"
is "$limits" "$want" 'memory, processes, end of all and weight of a build'
status # it knows from the first build
grep -q 'builds: limited by cgroup-v2' /tmp/status || fail "firn status: $(cat /tmp/status)"
say "bubblewrap works in the unit: a series was built, $(sql 'SELECT count(*) FROM step') steps"

# It is tried again later, or not: both are ends.
bomb_end() {
	sql "SELECT coalesce(reason, '') FROM step WHERE trial = 2 AND name = 'build'" > /tmp/reason
	log | grep -E 'trial 2 waits|trial 2: (error|fail|pass)' >> /tmp/reason || true
	grep -q . /tmp/reason
}
wait_for 400 'the end of a bomb' bomb_end
grep -q 'more than 0.4 GiB of memory' /tmp/reason || fail "the bomb: $(cat /tmp/reason)"
is "$(systemctl show -P MainPID firn)" "$main" 'the main process after a bomb'
[ -z "$(ls -d $group/firn-box-* 2>/dev/null)" ] || fail "a group is left: $(ls -d $group/firn-box-*)"
say "a memory bomb in the unit: $(grep -o 'more than.*' /tmp/reason | head -n 1); the service goes on"

systemctl reload firn || fail "systemctl reload firn"
wait_for 60 'a second "ready"' '[ "$(log | grep -c "serve: ready")" -ge 2 ]'
is "$(systemctl is-active firn)" active 'the unit after a reload'
say 'systemctl reload: ready again'

# A crash in the middle: what comes after it finds its place again, in a group that has firn-main already, or anew.
kill -9 "$main"
wait_for 60 'a restart' '[ "$(systemctl show -P MainPID firn)" != "$main" ] && [ "$(systemctl is-active firn)" = active ]'
main=$(systemctl show -P MainPID firn)
wait_for 60 'the second move into firn-main' 'grep -qx "$main" $group/firn-main/cgroup.procs && [ -z "$(cat $group/cgroup.procs)" ]'
say 'killed: systemd started it again, and it moved again'

began=$(date +%s%N)
systemctl stop firn || fail "systemctl stop firn"
took=$((($(date +%s%N) - began) / 1000000))
is "$(systemctl show -P Result firn)" success 'the result of the unit'
[ $took -lt 15000 ] || fail "systemctl stop took $took ms"
[ ! -e $group ] || fail "the group of the unit is still there"
[ -z "$(ps -o pid= -u firn)" ] || fail "processes are left: $(ps -u firn)"
say "systemctl stop: $took ms, nothing is left"
printf 'all is done\n' > /dev/ttyS1
