#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the machine, as root, before there is a manager.
. /guest/say.sh
groups=/sys/fs/cgroup

# cmocka_run NAME COMMAND...: nothing may be left out.
cmocka_run() {
	local name=$1
	shift
	"$@" > /tmp/log 2>&1 || { cat /tmp/log; fail "$name: $(grep -m 3 -E 'FAILED|\[ +LINE|rror' /tmp/log | tr '\n' ' ')"; }
	cat /tmp/log
	! grep -q SKIPPED /tmp/log || fail "$name: $(grep -m 1 SKIPPED /tmp/log)"
	say "$name: $(grep -c '  OK \]' /tmp/log) tests"
}

say "root, no manager; $(uname -r), controllers $(cat $groups/cgroup.controllers)"
printf '[data]\n\tdir = /var/lib/firn\n' > /tmp/config
firn check-config /tmp/config > /tmp/log 2>&1 || true
grep -q 'limited by cgroup-v2' /tmp/log || fail "check-config says: $(cat /tmp/log)"
say "check-config: $(grep limited /tmp/log)"
cmocka_run 'groups of root, at the top' env FIRN_TEST_PLACE=$groups /guest/test-cgroup2
cmocka_run 'sandboxes of root, at the top' /guest/test-guard

# within GROUP COMMAND...: as a session's shell would start it.
within() { (echo $BASHPID > "$groups/$1/cgroup.procs" && exec "${@:2}"); }
as_firn=(setpriv --reuid firn --regid firn --clear-groups)

# Root in a group that is somebody else's.
mkdir $groups/session
cmocka_run 'groups of root, in a session' within session env FIRN_TEST_PLACE=$groups/firn /guest/test-cgroup2
[ -z "$(ls -d $groups/session/*/ 2>/dev/null)" ] || fail "root made a group in somebody else's"
rmdir $groups/session $groups/firn || fail "something is left in a group"

# A group that was given to an ordinary user as a manager would; and one without the right to hand on controllers.
mkdir $groups/given $groups/half
echo '+memory +pids +cpu' > $groups/cgroup.subtree_control
chown firn: $groups/given $groups/given/cgroup.{procs,subtree_control,threads} $groups/half
cmocka_run 'groups of an ordinary user' within given "${as_firn[@]}" env FIRN_TEST_PLACE=$groups/given /guest/test-cgroup2
# The kernel takes nobody into a group that hands on.
cmocka_run 'sandboxes of an ordinary user' within given/firn-main "${as_firn[@]}" /guest/test-guard
within half "${as_firn[@]}" firn check-config /tmp/config > /tmp/log 2>&1 || true
grep -q 'rlimits only.*not delegated' /tmp/log || fail "in a group that is half ours: $(cat /tmp/log)"
say 'a group whose cgroup.subtree_control is not ours: rlimits'
rmdir $groups/given/firn-main $groups/given || fail "something is left in a group"
[ -z "$(find $groups -name 'firn-box-*')" ] || fail "a group is left: $(find $groups -name 'firn-box-*')"
