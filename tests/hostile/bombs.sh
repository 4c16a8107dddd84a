#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Series that take all there is: processes, memory, disk, inodes, output, time. With FIRN_LIMITS=rlimits without groups.
. "$(dirname "$0")/lib.sh"

if has_groups; then
	grep -q '"limits": "cgroup' "$T/report.json" || fail "the report does not say what the limits were"
	lacks 'rlimits only'
	attack 'a fork bomb' 2 error 'more than 288 processes' <<'END'
x := $(shell i=0; while [ $$i -lt 2000 ]; do sleep 30 & i=$$((i + 1)); done; wait)
END
	attack 'a memory bomb of many small processes' 2 error 'more than 0.4 GiB of memory' <<'END'
x := $(shell for i in 1 2 3 4 5 6 7 8; do perl -e '$$x = "a" x (100 << 20); sleep 3' & done; wait)
END
	attack 'memory by files in /tmp' 2 error 'more than 0.4 GiB of memory' <<'END'
x := $(shell head -c 900000000 /dev/zero > /tmp/x)
END
else
	echo 'there are rlimits only'
	grep -q '"limits": "rlimits"' "$T/report.json" || fail "the report does not say what the limits were"
	has 'rlimits only'
	attack 'a fork bomb' 0 pass '' <<'END'
x := $(shell i=0; while [ $$i -lt 2000 ]; do sleep 1 & i=$$((i + 1)); done; echo "made $$i" >&2)
END
	grep -rqE 'made 2000' "$hostile/jobs" && fail "2000 processes"
fi
[ "${BOMBS:-all}" = all ] || exit 0 # boot/cgroup2 wants those that need groups

attack 'one process that takes all memory' 2 error 'the build' <<'END'
.PHONY: evil
vmlinux modules: evil
evil: ; @perl -e '$$x = "a" x (9 << 30)' || { echo 'Cannot allocate memory'; exit 1; }
END

attack 'a disk bomb' 2 error 'on the disk' <<'END'
x := $(shell i=0; while [ $$i -lt 300 ]; do head -c 1000000 /dev/zero > /build/fill$$i || break; i=$$((i + 1)); done)
END

attack 'a disk bomb that is over before anybody looks' 2 error 'on the disk' <<'END'
x := $(shell head -c 100000000 /dev/zero > /build/fill)
END

attack 'very many empty files' 2 error 'on the disk' <<'END'
x := $(shell perl -e 'for (1 .. 15000) { open(F, ">", "/build/f$$_") or last; close(F) }')
END

attack 'folders in folders without end' 2 error 'on the disk' <<'END'
x := $(shell perl -e 'chdir("/build"); for (1 .. 12000) { mkdir("d"); chdir("d") }')
END

attack 'a file of a size that no disk has' 0 pass '' <<'END'
x := $(shell truncate -s 5T /build/hole; fallocate -l 100G /build/real)
END

attack 'a line that does not end' 0 pass '' <<'END'
x := $(shell head -c 30000000 /dev/zero | tr '\0' x >&2)
END

attack 'a hundred thousand warnings' 0 warn '' <<'END'
x := $(shell perl -e 'for (1 .. 100000) { print STDERR "drivers/clock.c:$$_:1: warning: number $$_ [-Wall]\n" }')
END
[ "$(stat -c %s "$T/hostile.json")" -lt 4000000 ] || fail "the report is as long as the log"

limits 'timeout = 10'
attack 'output without end' 2 error 'the build' <<'END'
x := $(shell yes 'a line that goes on and on' >&2)
END

attack 'output without end that goes round make' 2 error 'time-out' <<'END'
.PHONY: evil
vmlinux: evil
evil: ; +@yes 'a line that goes on and on'
END
find "$cache" -name log -size +70M | grep -q . && fail "the log is not capped"

attack 'a build that does not end' 2 error 'time-out' <<'END'
x := $(shell trap '' TERM HUP INT; while :; do sleep 1; done)
END
