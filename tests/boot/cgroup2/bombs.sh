#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In the machine, as root: the series of tests/hostile/bombs.sh that need groups.
. /guest/say.sh
BOMBS=groups FIRN=/usr/bin/firn /guest/tests/hostile/bombs.sh > /tmp/log 2>&1 || { cat /tmp/log; fail "bombs: $(grep -m 1 FAIL /tmp/log)"; }
cat /tmp/log
grep -q 'a fork bomb' /tmp/log && grep -q 'small processes' /tmp/log || fail "the bombs that need groups were not tried"
say "bombs in builds, as root: $(paste -sd, /tmp/log)"
