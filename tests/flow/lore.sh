#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Archives: following a list and fetching threads, from Debian's public-inbox on loopback. See lore_client.c.
. "$(dirname "$0")/lib.sh"
: "${LORE_CLIENT:?path of lore_client}"
for tool in public-inbox-init public-inbox-netd public-inbox-purge perl; do
	command -v "$tool" >/dev/null || skip "$tool is not installed (public-inbox)"
done

export HOME=$T/home PI_CONFIG=$T/pi.config LC_ALL=C.UTF-8 TZ=UTC
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
mkdir -p "$T/home" "$T/mails"
server='' faults=''
trap '[ -z "$server" ] || kill "$server"; exec 9>&- ; rm -rf "$T"' EXIT

free_port() { perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport'; }
port=$(free_port)
url=http://127.0.0.1:$port

serve() {
	public-inbox-netd -W0 -l "$url" >> "$T/netd.log" 2>&1 &
	server=$!
	for _ in $(seq 100); do
		"$LORE_CLIENT" has "$url/demo/" nobody@example.org > /dev/null 2>&1 && return
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	cat "$T/netd.log"
	fail "public-inbox-netd did not start"
}

unserve() {
	kill "$server"
	wait "$server" || true
	server=''
}

# mail ID SECONDS [IN-REPLY-TO]: a file in $T/mails, and its path.
mail() {
	local file
	file=$(mktemp "$T/mails/XXXXXX")
	{
		printf 'From: Ada Example <ada@example.org>\nTo: demo@lists.example.org\nSubject: mail %s\n' "$1"
		printf 'Date: %s\nMessage-ID: <%s>\n' "$(date -ud "@$2" -R)" "$1"
		[ -z "${3:-}" ] || printf 'In-Reply-To: <%s>\n' "$3"
		printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nText of %s.\n\nFrom here on it is quiet.\n>From there too.\n' "$1"
	} > "$file"
	printf '%s\n' "$file"
}
import() { timeout 60 "$here/lore_import.pl" "$@" 2>> "$T/import.log" || { cat "$T/import.log"; fail "import"; }; }
# Later commits have a later date, whatever their mails say.
now=1790000000

# follow WANTED-EXIT-CODE [URL]: into $out.
follow() {
	local want=$1 rc=0
	"$LORE_CLIENT" follow "${2:-$url/demo/}" "$T/${copy:-copy}" "${since:-0}" "$T/${copy:-copy}.cursor" ${quit:-} > "$out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] || fail "exit code $rc, not $want: follow ${2:-}"
}
# count WORD N: so many events of the kind.
count() { [ "$(grep -c "^$1 " "$out" || true)" = "$2" ] || fail "not $2 events \"$1\""; }
sound() { git -C "$T/${copy:-copy}/$1.git" fsck --no-dangling > "$T/fsck" 2>&1 || { cat "$T/fsck"; fail "git fsck of epoch $1"; }; }

public-inbox-init -V2 -L full demo "$T/demo" "$url/demo/" demo@lists.example.org < /dev/null 2>> "$T/import.log"
for i in $(seq 30); do mail "old-$i@example.org" $((now - 86400 * 30 + i * 60)); done > "$T/list"
for i in $(seq 10); do mail "new-$i@example.org" $((now - 3600 + i * 60)) "${first:-}"; first=new-1@example.org; done >> "$T/list"
mapfile -t files < "$T/list"
import demo "${files[@]}"
serve

echo "== the first time: all, since a date, nothing twice"
follow 0
count mail 40
grep -q '^mail 0 .* old-1@example.org$' "$out" || fail "no old mail"
follow 0
count mail 0
copy=recent since=$((now - 86400)) follow 0
count mail 10
[ "$(grep '^mail' "$out" | head -1 | awk '{ print $6 }')" = new-1@example.org ] || fail "not the oldest first"
copy=recent sound 0

echo "== stopped in the middle, and on"
copy=part quit=7 follow 1
count mail 7
copy=part follow 0
count mail 33
grep -q 'new-10@example.org' "$out" || fail "the last mail is missing"

echo "== later mails, byte for byte"
import demo "$(mail 'later+1/%?x@example.org' $((now + 60)) new-1@example.org)" "$(mail later-2@example.org $((now + 61)) new-1@example.org)"
follow 0
count mail 2
blob=$(awk '/later-2/ { print $4 }' "$out")
git -C "$T/copy/0.git" cat-file blob "$blob" > "$T/blob"
git -C "$T/demo/git/0.git" cat-file blob "$blob" | cmp - "$T/blob" || fail "not the bytes of the archive"
copy=recent since=$((now - 86400)) follow 0
count mail 2
sound 0

echo "== threads"
"$LORE_CLIENT" thread "$url/demo/" new-4@example.org > "$out"
count mail 12
"$LORE_CLIENT" thread "$url/demo/" 'later+1/%?x@example.org' > "$out"
has 'later+1/%?x@example.org'
rc=0; "$LORE_CLIENT" thread "$url/demo/" nobody@example.org > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "a missing thread ends with $rc"
has 'input: '
[ "$("$LORE_CLIENT" has "$url/demo/" 'later+1/%?x@example.org')" = yes ] || fail "a mail that is there"
[ "$("$LORE_CLIENT" has "$url/demo/" nobody@example.org)" = no ] || fail "a mail that is not there"
"$FIRN" run --explain "$url/demo/new-4@example.org/T/#u" > "$out" 2>&1 || fail "firn run LINK"
has 'mail new-10@example.org'
FIRN_ARCHIVE=$url/demo/ "$FIRN" run --explain later-2@example.org > "$out" 2>&1 || fail "firn run ID"
has 'mail new-10@example.org'

echo "== taken back"
REMOVE=1 import demo "${files[34]}"
follow 0
count removed 1
removed=$(awk '/^removed/ { print $4 }' "$out")
git -C "$T/copy/0.git" log --format=%H --reverse -- m | while read -r c; do git -C "$T/copy/0.git" rev-parse -q --verify "$c:m" || true; done > "$T/blobs"
grep -q "$removed" "$T/blobs" || fail "the removal is of an unknown blob"

echo "== purged: history is rewritten"
purged_blob=$(git -C "$T/copy/0.git" log --format=%H -- m | while read -r c; do git -C "$T/copy/0.git" ls-tree "$c" m | awk '{ print $3 }'; done |
	while read -r b; do git -C "$T/copy/0.git" cat-file blob "$b" | grep -q '^Message-ID: <new-7@' && echo "$b"; done | head -1 || true)
unserve
public-inbox-purge "$T/demo" < "${files[36]}" >> "$T/import.log" 2>&1 || { cat "$T/import.log"; fail "purge"; }
import demo "$(mail after-purge@example.org $((now + 120)))"
serve
follow 0
count purged 1
grep -q "^purged 0 [0-9a-f]* $purged_blob " "$out" || fail "not the purged mail"
grep -q 'after-purge@example.org' "$out" || fail "the mail after the purge is missing"
! grep -q '^mail.* new-7@example.org' "$out" || fail "the purged mail came again"
copy=recent since=$((now - 86400)) follow 0
count purged 1
count removed 1
grep -q 'after-purge@example.org' "$out" || fail "the mail after the purge is missing from a cut copy"
follow 0
count mail 0

echo "== a second epoch"
ROTATE=1 import demo "$(mail second-1@example.org $((now + 180)))"
[ -d "$T/demo/git/1.git" ] || fail "no second epoch was made"
unserve
serve
follow 0
grep -q '^mail 1 .* second-1@example.org' "$out" || fail "the second epoch was not begun"
count mail 1
copy=fresh since=$((now + 100)) follow 0
count mail 2
[ "$(sed 's/:[0-9a-f]*//g' "$T/fresh.cursor")" = "0 1" ] || fail "the cursor is $(cat "$T/fresh.cursor")"
copy=fresh2 since=$((now + 300)) follow 0
count mail 0
import demo "$(mail second-2@example.org $((now + 181)))"
copy=fresh2 since=$((now + 300)) follow 0
count mail 1

echo "== the copy is lost, or damaged"
rm -rf "$T/copy/1.git"
import demo "$(mail second-3@example.org $((now + 182)))"
follow 0
count mail 2
find "$T/copy/1.git" \( -name '*.pack' -o -name '*.idx' \) -delete
import demo "$(mail second-4@example.org $((now + 183)))"
follow 2
has 'infra: '
follow 0
grep -q 'second-4@example.org' "$out" || fail "not mended"

echo "== set back from a backup: nothing is purged"
cp -r "$T/demo/git/1.git" "$T/backup"
import demo "$(mail second-5@example.org $((now + 184)))"
follow 0
count mail 1
unserve
rm -rf "$T/demo/git/1.git"
mv "$T/backup" "$T/demo/git/1.git"
serve
follow 0
count purged 0

echo "== many small fetches"
copy=small since=$((now + 150)) follow 0
for i in $(seq 56); do
	git -C "$T/demo/git/1.git" fast-import --quiet <<-EOF
	commit refs/heads/master
	committer Ada Example <ada@example.org> $((now + 200 + i)) +0000
	data 1
	x
	from refs/heads/master^0
	M 100644 inline m
	data <<END
	Message-ID: <small-$i@example.org>
	From: Ada Example <ada@example.org>

	$i
	END
	EOF
	copy=small since=$((now + 150)) follow 0
	count mail 1
done
packs=$(find "$T/small/1.git/objects/pack" -name '*.pack' | wc -l)
[ "$packs" -lt 20 ] || fail "$packs packs"
copy=small sound 1

echo "== the server is down, and back"
unserve
follow 2
has 'infra: '
serve
follow 0

echo "== a server with faults"
mkfifo "$T/stop"
exec 9<> "$T/stop"
echo pass > "$T/mode"
"$here/lore_faults.pl" "$port" "$T/mode" <&9 > "$T/fault.port" &
faults=$!
for _ in $(seq 50); do [ -s "$T/fault.port" ] && break; sleep 0.1; done
bad=http://127.0.0.1:$(cat "$T/fault.port")/demo/
for mode in html 403 429 503 500 garbage cut damage; do
	echo "$mode" > "$T/mode"
	copy=fault follow 2 "$bad"
	grep -q '^infra: .*following' "$out" || fail "$mode is not told well"
	[ ! -s "$T/fault.cursor" ] || fail "$mode moved the cursor"
	[ -z "$(find "$T/fault" -name 'pack_git2_*' -o -name '*.pack')" ] || fail "$mode left something half"
	grep "^infra" "$out" | cut -c1-150
done
echo 404 > "$T/mode"
copy=fault follow 2 "$bad"
has 'config: '
echo silent > "$T/mode"
LORE_TIMEOUT=2 copy=fault follow 2 "$bad"
has 'infra: '
( LORE_TIMEOUT=50 copy=fault "$LORE_CLIENT" follow "$bad" "$T/fault" 0 "$T/fault.cursor" > "$T/cancelled" 2>&1 & p=$!; sleep 1; kill "$p"; rc=0; wait "$p" || rc=$?; echo "$rc" > "$T/rc" )
[ "$(cat "$T/rc")" = 130 ] || fail "a cancel ends with $(cat "$T/rc")"
echo pass > "$T/mode"
copy=fault follow 0 "$bad"
count mail $(($(git -C "$T/demo/git/0.git" rev-list --count HEAD) + $(git -C "$T/demo/git/1.git" rev-list --count HEAD) - 2))
echo stop >&9
wait "$faults" || true

echo "== ${LORE_MAILS:=3000} mails in one fetch, twice"
bulk() { # FROM TO
	perl -e '
		my ($from, $to) = @ARGV;
		for my $i ($from .. $to) {
			my $m = "Message-ID: <bulk-$i\@example.org>\nFrom: Ada Example <ada\@example.org>\nSubject: [PATCH] bulk $i\n\n" . join("", map { "+\tline $_ of mail $i is " . ($i * $_ % 977) . "\n" } 1 .. 60);
			printf "commit refs/heads/master\ncommitter Ada Example <ada\@example.org> %d +0000\ndata 1\nx\n", 1790000000 + $i;
			print "from refs/heads/master^0\n" if $i == $from && $from > 1;
			printf "M 100644 inline m\ndata %d\n%s\n", length $m, $m;
		}' "$1" "$2" | git -C "$T/bulk/git/0.git" fast-import --quiet
}
public-inbox-init -V2 -L basic bulk "$T/bulk" "$url/bulk/" bulk@lists.example.org < /dev/null 2>> "$T/import.log"
[ -d "$T/bulk/git/0.git" ] || git init -q --bare "$T/bulk/git/0.git"
git -C "$T/bulk/git/0.git" symbolic-ref HEAD refs/heads/master
bulk 1 "$LORE_MAILS"
unserve
serve
export LORE_QUIET=1
copy=bulk follow 0 "$url/bulk/"
has "events $LORE_MAILS,"
tail -1 "$out"
bulk $((LORE_MAILS + 1)) $((2 * LORE_MAILS))
copy=bulk follow 0 "$url/bulk/"
has "events $LORE_MAILS,"
tail -1 "$out"
copy=bulk2 since=$((now + 2 * LORE_MAILS - 99)) follow 0 "$url/bulk/"
has "events 100,"
tail -1 "$out"
du -sh "$T/bulk/git/0.git" "$T/bulk2/0.git" | sed "s,$T/,,"
echo ok
