#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests over virtio-net: base against itself is unchanged, a longer path for each packet is slower. Needs a kernel of its
# own, which takes minutes to build the first time: only with FIRN_TEST_NET=1.
. "$(dirname "$0")/lib.sh"

[ "${FIRN_TEST_NET:-}" = 1 ] || skip "FIRN_TEST_NET=1 is not set: it builds a kernel with a network"
report=$T/report.json
# metric NAME FIELD
metric() {
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); for (@{$r->{metrics}}) { print $_->{$ARGV[1]} if $_->{name} eq $ARGV[0] }' \
		"$1" "$2" < "$report"
}

echo "a comment changes nothing"
firn_run 0 comment-only.mbox --only bench-http --json "$report"
step bench-http pass
for n in 16 128; do
	[ "$(metric "http/$n/time-per-request" word)" = unchanged ] || fail "$n connections: $(metric "http/$n/time-per-request" word)"
done

echo "a longer path for each packet is slower"
firn_run 0 http-slower.mbox --only bench-http --json "$report"
step bench-http warn
for n in 16 128; do
	[ "$(metric "http/$n/time-per-request" word)" = slower ] || fail "$n connections: $(metric "http/$n/time-per-request" word)"
done
has 'start_xmit'
