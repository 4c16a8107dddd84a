#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Series that go on after their build, and series that spoil the next one.
. "$(dirname "$0")/lib.sh"

# Writes into its folder for as long as it lives.
beats() {
	local f
	f=$(find "$cache" -name beat 2> /dev/null | head -n 1)
	[ -n "$f" ] && stat -c %s "$f" || echo 0
}
dead() {
	local before
	before=$(beats)
	sleep 0.5
	[ "$(beats)" = "$before" ] || fail "something goes on"
}
daemon="setsid sh -c '(trap \"\" TERM HUP INT; exec 1>&- 2>&-; : $leftover; while :; do echo >> /build/beat; sleep 0.05; done) &'; while [ ! -s /build/beat ]; do sleep 0.01; done"

attack 'a daemon that outlives make' 0 pass '' <<END
x := \$(shell $daemon)
END
dead

limits 'timeout = 10'
attack 'a daemon that outlives the time-out' 2 error 'time-out' <<END
x := \$(shell $daemon; sleep 100)
END
dead
limits

echo 'a daemon when firn itself is killed'
rule "x := \$(shell $daemon; sleep 100)"
series
"$FIRN" run "$T/series.mbox" --tree "$T/tree" --only build --config "$T/hostile.conf" > "$out" 2>&1 &
pid=$!
for _ in $(seq 300); do [ "$(beats)" -gt 3 ] && break; sleep 0.1; done
[ "$(beats)" -gt 3 ] || fail "the daemon did not start"
kill -9 $pid
wait $pid || true
for _ in $(seq 100); do before=$(beats); sleep 0.3; [ "$(beats)" = "$before" ] && break; done
dead
rm -rf "$cache/slots"
clean 'a daemon of a killed firn'

# Leaves an object of its own that make takes for newer than all sources.
spoil='.PHONY: evil
vmlinux modules: evil
evil: $(O)/vmlinux
	@echo "char evil[] = \"from another series\";" | $(CC) -c -x c -o $(O)/drivers/clock.o - && touch -d 2099-01-01 $(O)/drivers/clock.o && rm $(O)/vmlinux && $(LD) -r -o $(O)/vmlinux $(objs) && touch -d 2099-01-01 $(O)/vmlinux'
spoiled() { grep -rlF 'from another series' "$cache/kernels" | grep -c vmlinux || true; }

echo 'objects that are spoiled for the next patch are not those of the next series'
rm -rf "$cache/kernels"
rule "$spoil" 'hostile: spoil the objects'
cp "$here/tree/Makefile" "$T/tree/Makefile"
git -C "$T/tree" commit -q -a -m 'hostile: hide it' -m 'Signed-off-by: Mallory <mallory@example.org>'
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/int open_now/int is_open/;s/open_now/is_open/' 'door: rename'
series
attempt 0
# Of its own kernels most are: that is its own affair. Three of them have trees that honest ones have, too.
[ "$(spoiled)" -ge 2 ] || fail "the attack does not work, so it proves nothing: $(spoiled)"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/int open_now/int is_open/;s/open_now/is_open/' 'door: rename'
series
attempt 0
for artifact in $(find "$work" -path '*build*/result.json' -exec grep -ho '"artifact": "[^"]*"' {} + | cut -d'"' -f4); do
	! grep -qF 'from another series' "$artifact/vmlinux" || fail "an honest series was given $artifact"
done
clean 'a spoiled folder of objects'

echo 'a bisection that goes back over a hostile patch begins anew'
limits 'each = off'
rm -rf "$cache/kernels"
commit drivers/clock.c 's/unsigned long ticks/unsigned long all_ticks/;s/++ticks/++all_ticks/' 'clock: rename'
rule 'x := $(shell echo "char evil[] = \"from another series\";" | powerpc64le-linux-gnu-gcc -c -x c -o /build/drivers/clock.o - && touch -d 2099-01-01 /build/drivers/clock.o)' 'hostile: spoil'
echo 'int bad = ;' >> "$T/tree/drivers/door.c"
git -C "$T/tree" commit -q -a --amend --no-edit
cp "$here/tree/Makefile" "$T/tree/Makefile"
git -C "$T/tree" commit -q -a -m 'hostile: hide it' -m 'Signed-off-by: Mallory <mallory@example.org>'
commit drivers/door.c '$a int more;' 'door: more'
series
attempt 1
has 'patch 2/4'
one=$(find "$work" -path '*build-patch-1/result.json' -exec grep -ho '"artifact": "[^"]*"' {} + | cut -d'"' -f4)
[ -n "$one" ] || fail "patch 1 was not built"
! grep -qF 'from another series' "$one/vmlinux" || fail "patch 1 was built among what patch 2 left"
limits
clean 'a bisection'
