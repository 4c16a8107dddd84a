#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The service: mails a second into the store and the memory that takes (BENCH_MAILS mails, invented, at a real list's mix); and
# how long after a mail's arrival its first check is at Patchwork (BENCH_POSTINGS postings, one at a time), with the memory of
# each process of `firn serve`. Prints lines of "name value unit".
. "$(dirname "$0")/../flow/service/lib.sh"
mails=${BENCH_MAILS:-10000} postings=${BENCH_POSTINGS:-20} poll=${BENCH_POLL:-20}

# peak NAME COMMAND...: runs it; its largest resident size in $peak, MiB; its seconds in $took.
peak() {
	local began=$EPOCHREALTIME kib
	"${@:2}" > "$T/$1.out" 2>&1 &
	local pid=$!
	kib=0
	while kill -0 $pid 2> /dev/null; do
		kib=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)
		[ -z "$kib" ] || peak=$((kib / 1024))
		sleep 0.05
	done
	wait $pid || { cat "$T/$1.out"; fail "$1"; }
	took=$(echo "$EPOCHREALTIME $began" | awk '{ print $1 - $2 }')
}

make_tree
archive_init
archive_fill --start $(($(date +%s) - mails * 576)) "$mails"
archive_serve
conf_write
sed -i '/patchwork = pw/d; /project = demo/d' "$conf"
peak intake "$FIRN" intake --once --config "$conf"
[ "$(sql "SELECT count(*) FROM mail WHERE state != 'new'")" = "$mails" ] || fail "not all mails are in the store"
echo "$took $mails" | awk '{ printf "intake of %d mails         %8.0f mails/s (%.1f s)\n", $2, $2 / $1, $1 }'
echo "intake, largest size        $peak MiB"
echo "store                       $(($(stat -c %s "$db") / 1048576)) MiB, archive $(du -sm "$T/archive/git" | cut -f1) MiB, copy $(du -sm "$data/lore" | cut -f1) MiB"
peak intake "$FIRN" intake --once --config "$conf"
echo "intake, nothing new         $took s, $peak MiB"

[ "$postings" -gt 0 ] || exit 0
echo "== first check"
stop lore
rm -rf "$data" "$T/archive" "$T/cache"
mkdir "$data" "$T/mails"
archive_init
archive_serve
patchwork_start
smtp_start
conf_write
"$service/mails.pl" --dir "$T/mails" --plain --seed 31 --rate 150 --start $(($(date +%s) - 86400)) --truth "$T/truth" $((postings * 5))
start serve "$FIRN" serve --config "$conf"
wait_for 30 test -e "$db"
sleep 5
# Mails of one posting come within seconds; then it is quiet. In the archive and in Patchwork at once.
posting='' n=0
for f in "$T"/mails/*.eml; do
	if grep -qE '^Subject: \[PATCH[^]]*( 1/|\])' "$f" && ! grep -q '^Subject: \[PATCH.* [0-9]*[1-9]/' "$f" || grep -qE '^Subject: \[PATCH[^]]* 0*0/' "$f"; then
		n=$((n + 1))
		[ $n -le "$postings" ] || break
		[ $n = 1 ] || sleep "${BENCH_GAP:-7}.$((RANDOM % 100))"
	fi
	archive_add "$f"
	curl -sf -o /dev/null --data-binary "@$f" "$pw/control/mail/demo"
	echo "$(sed -n 's/^Message-ID: <\(.*\)>$/\1/p' "$f") $EPOCHREALTIME" >> "$T/came"
done
sleep $((poll + 20))
"$service/checks.pl" "$pw" demo date > "$T/checks"
# Of each patch: its first check of any kind, and its first result.
perl -e '
	use strict; use warnings; use Time::Local;
	my (%came, %first, %result);
	open my $c, "<", $ARGV[0]; while (<$c>) { my ($id, $t) = split; $came{$id} = $t }
	open my $k, "<", $ARGV[1]; while (<$k>) {
		my ($id, $date, $context, $state) = split;
		my ($y, $mo, $d, $h, $mi, $s) = $date =~ /(\d+)-(\d+)-(\d+)T(\d+):(\d+):([\d.]+)/;
		my $t = timegm(0, $mi, $h, $d, $mo - 1, $y) + $s - $came{$id};
		$first{$id} //= $t;
		$result{$id} //= $t if $state ne "pending";
	}
	for my $w (["any check", \%first], ["a result", \%result]) {
		my @t = sort { $a <=> $b } values %{ $w->[1] };
		next unless @t;
		printf "first check (%s)%s median %.1f s, p95 %.1f s, worst %.1f s, of %d patches\n", $w->[0], " " x (12 - length $w->[0]), $t[@t / 2], $t[int(@t * 0.95)], $t[-1], scalar @t;
	}' "$T/came" "$T/checks"
echo "serve.poll                  $poll s"
for p in ${running[serve]} $(ps -o pid= --ppid "${running[serve]}"); do
	printf 'largest size of %-11s %s MiB\n' "$(tr '\0' ' ' < /proc/$p/cmdline | awk '{ print $2 }')" "$(awk '/^VmHWM/ { print int($2 / 1024) }' /proc/$p/status)"
done
stop serve
all_mails
