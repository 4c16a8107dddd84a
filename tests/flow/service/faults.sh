#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# faults.sh NAME: one thing goes wrong, and is mended later. Meanwhile a line says what it is; nothing is lost, nothing is
# repeated, and nobody has to help.
fault=${1:?which fault}
case $fault in
disk-full | read-only)
	if [ -z "${FAULT_MOUNTS:-}" ]; then
		mounts=(unshare -m)
		[ "$(id -u)" = 0 ] || mounts=(unshare --user --map-current-user --keep-caps -m)
		"${mounts[@]}" true 2> /dev/null || { echo "SKIP: mounts need root, or namespaces for ordinary users"; exit 77; }
		exec env FAULT_MOUNTS=1 "${mounts[@]}" "$0" "$@"
	fi ;;
esac
. "$(dirname "$0")/lib.sh"

# The right to mount is for this script alone: what firn starts must not have it.
if [ -n "${FAULT_MOUNTS:-}" ] && [ "$(id -u)" != 0 ]; then
	printf '#!/bin/sh\nexec setpriv --ambient-caps=-all --inh-caps=-all "%s" "$@"\n' "$FIRN" > "$T/firn"
	chmod +x "$T/firn"
	FIRN=$T/firn
fi
trap '! mountpoint -q "$data" || umount "$data"; service_end' EXIT
make_tree
archive_init
# mails FROM-SEED N [OPTION...]: files in $T/mails.SEED.
mails() {
	local seed=$1 n=$2
	shift 2
	mkdir "$T/mails.$seed"
	"$service/mails.pl" --dir "$T/mails.$seed" --plain --seed "$seed" --prefix "s$seed-" --rate 4 "$@" "$n"
}
mails 2 "${FAULT_MAILS:-30}"
case $fault in many | busy) ;; *) archive_add "$T"/mails.2/*.eml ;; esac
archive_serve
patchwork_start "$T"/mails.2/*.eml
conf_write

# says WORDS-REGEX ROLE: in what the role wrote.
says() { grep -qiE -- "$1" "$T/$2.out" || { out=$T/$2.out; fail "$2 does not say: $1"; }; }
# All the way, when nothing is wrong.
through() {
	[ -n "${running[smtp]:-}" ] || smtp_start "$@"
	must intake
	must engine
	must post
	for _ in 1 2 3; do
		[ "$(sql "SELECT count(*) FROM delivery WHERE state IN ('sending', 'retry')")" = 0 ] && break
		time_passes
		must post
	done
	sound
	all_mails
	all_sent
	expect "finished trials" "SELECT count(*) > 1 FROM trial WHERE state = 'finished'" 1
}
# post_twice WORDS: the first time it goes wrong, and is put off with these words.
post_badly() {
	role post
	[ "$rc" = 0 ] || { out=$T/post.out; fail "post ends with $rc"; }
	says "$1" post
	expect "nothing is put off" "SELECT count(*) > 0 FROM delivery WHERE state IN ('retry', 'sending')" 1
}

disk_full() {
	rmdir "$data"
	mkdir "$data"
	mount -t tmpfs -o size="$1",mode=755 none "$data"
	role intake
	[ "$1" = 700k ] || says 'no space|full' intake
	mount -o remount,size=100m "$data"
	time_passes
	must intake
	all_mails
	dd if=/dev/zero of="$data/filler" bs=64k status=none 2> /dev/null || true
	role engine
	says 'no space|full' engine
	rm "$data/filler"
	time_passes
	must engine
	smtp_start
	dd if=/dev/zero of="$data/filler" bs=4k status=none 2> /dev/null || true
	role post
	says 'no space|full' post
	rm "$data/filler"
	time_passes
	through
	umount "$data"
}

read_only() {
	mount -t tmpfs -o mode=755 none "$data"
	mount -o remount,ro "$data"
	role intake
	[ "$rc" != 0 ] || fail "intake is content with a read-only folder"
	says 'read-only|readonly' intake
	mount -o remount,rw "$data"
	must intake
	mount -o remount,ro "$data"
	for r in engine post; do
		role "$r"
		says 'read-only|readonly' "$r"
	done
	mount -o remount,rw "$data"
	time_passes
	through
	umount "$data"
}

# Somebody else writes for 20 s while the service runs.
busy() {
	smtp_start
	must intake
	start serve "$FIRN" serve --config "$conf"
	{ echo 'BEGIN IMMEDIATE;'; sleep 20; echo 'ROLLBACK;'; } | sqlite3 "$db" > "$T/holder.log" 2>&1 &
	sleep 1
	archive_add "$T"/mails.2/*.eml
	wait_for 100 finished_and_sent || { out=$T/serve.log; fail "not all was done"; }
	stop serve
	grep -qiE 'locked|busy' "$T/serve.log" || { out=$T/serve.log; fail "no word about the lock"; }
	through
}
finished_and_sent() {
	[ "$(sql "SELECT (SELECT count(*) > 1 FROM trial) AND NOT EXISTS (SELECT 1 FROM mail WHERE state = 'new')
		AND NOT EXISTS (SELECT 1 FROM trial WHERE state IN ('waiting', 'running'))
		AND NOT EXISTS (SELECT 1 FROM outbox o LEFT JOIN delivery d ON d.outbox = o.id AND d.revision = o.revision WHERE d.state IS NOT 'sent')")" = 1 ]
}

# The clock is wrong by years, each way, while things go wrong; then right again.
clock() {
	command -v faketime > /dev/null || skip "faketime is not installed"
	local so
	# There are folders that not everybody may read.
	so=$({ find /usr/lib -name libfaketime.so.1 2> /dev/null || true; } | head -1)
	local fake="LD_PRELOAD=$so" asan="ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"
	smtp_start
	stop lore
	role intake "$fake" "$asan" FAKETIME=+1000d
	archive_serve
	must intake
	all_mails
	must engine "$fake" "$asan" FAKETIME=-1h
	stop smtp
	role post "$fake" "$asan" FAKETIME=+1000d
	role engine "$fake" "$asan" FAKETIME=+1000d
	smtp_start
	mails 12 8
	archive_add "$T"/mails.12/*.eml
	through
}

smtp_later() {
	smtp_start stand-in
	must intake
	must engine
	echo later > "$T/smtp.mode"
	post_badly '451|try again'
	[ -z "$(sent)" ] || fail "something arrived"
	echo busy > "$T/smtp.mode"
	time_passes
	post_badly '421|too busy'
	echo good > "$T/smtp.mode"
	time_passes
	through
}

smtp_cut() {
	touch "$T/to_archive"
	smtp_start stand-in
	must intake
	must engine
	echo cut > "$T/smtp.mode"
	role post
	[ -n "$(sent)" ] || fail "nothing arrived"
	time_passes
	role post
	echo good > "$T/smtp.mode"
	time_passes
	through
}

smtp_cut_before() {
	smtp_start stand-in
	must intake
	must engine
	echo cut-before > "$T/smtp.mode"
	role post
	[ -z "$(sent)" ] || fail "something arrived"
	echo good > "$T/smtp.mode"
	time_passes
	through
}

# It takes them and says 500: they are looked up, not said again. Or it does not take them.
patchwork_500() {
	must intake
	must engine
	smtp_start
	patchwork_fault check-500=3
	patchwork_fault check-500-before=2
	must post
	says 'is there|500' post
	time_passes
	through
}

dns() {
	lore_url=http://lore.invalid/demo/ pw_url=http://patchwork.invalid conf_write
	role intake
	[ "$rc" = 0 ] || { out=$T/intake.out; fail "intake ends with $rc"; }
	says 'lore\.invalid' intake
	conf_write
	time_passes
	must intake
	must engine
	smtp=mail.invalid:25 pw_url=http://patchwork.invalid conf_write
	post_badly 'mail\.invalid'
	says 'patchwork\.invalid' post
	conf_write
	time_passes
	through
}

tls() {
	local port
	port=$(free_port)
	command -v openssl > /dev/null || skip "openssl is not installed"
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
		-keyout "$T/key" -out "$T/cert" 2> /dev/null
	start tls openssl s_server -accept "127.0.0.1:$port" -cert "$T/cert" -key "$T/key" -www
	wait_for 10 bash -c "exec 3<> /dev/tcp/127.0.0.1/$port"
	lore_url=https://127.0.0.1:$port/demo/ pw_url=https://127.0.0.1:$port conf_write
	role intake
	says 'certificate|self.signed' intake
	conf_write
	time_passes
	must intake
	must engine
	smtp=127.0.0.1:$port tls=tls pw_url=https://127.0.0.1:$port conf_write
	post_badly 'certificate|self.signed'
	# A server without STARTTLS where it is asked for: nothing goes out in the clear.
	smtp_start
	tls=starttls conf_write
	time_passes
	role post
	says 'starttls|tls' post
	[ -z "$(sent)" ] || fail "a mail went out in the clear"
	conf_write
	time_passes
	through
}

# Many mails in one fetch.
many() {
	local n=${FAULT_MANY:-1500} s=$SECONDS
	archive_fill --seed 5 "$n"
	stop lore
	archive_serve
	must intake
	echo "$n mails in $((SECONDS - s)) s"
	sound
	expect "not all mails" "SELECT count(*) FROM mail WHERE id IN (SELECT mail FROM mail_place WHERE source LIKE 'lore%')" "$n"
	expect "mails that became nothing" "SELECT count(*) FROM mail WHERE state = 'new'"
	must intake
	expect "not all mails, the second time" "SELECT count(*) FROM mail_place WHERE source LIKE 'lore%'" "$n"
}

case $fault in
disk-full) for size in 400k 700k; do disk_full $size; mkdir -p "$data"; stop smtp; rm -rf "$T/sent"; mkdir "$T/sent"; stop patchwork; patchwork_start "$T"/mails.2/*.eml; done ;;
*) declare -F "${fault//-/_}" > /dev/null || fail "no fault is called $fault"; "${fault//-/_}" ;;
esac
