#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The commands of a report, where a series stands on others: in a plain clone, with mailbox files for the list.
. "$(dirname "$0")/lib.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
make_tree
replay

# posting NAME: what was committed since the tag of that name, as NAME.mbox; the tree goes on from there
posting() {
	git -C "$T/tree" format-patch -q --stdout --thread --cover-letter --signature= "$1.." |
		sed "s/cover\.[0-9]*\.git/cover.$1/g" > "$T/$1.mbox" # several in one second would have one ID
}
id_of() { sed -n 's/^Message-Id: <\(.*\)>/\1/Ip' "$1" | head -1; }
needs() { # FILE ID...: says so in the cover letter
	local file=$1 id
	shift
	for id; do sed -i "0,/^\*\*\* BLURB HERE \*\*\*/s//&\n\nDepends-on: <$id>/" "$file"; sed -i '0,/^\*\*\* BLURB HERE \*\*\*$/s//A blurb/' "$file"; done
}
git -C "$T/tree" tag first
commit drivers/clock.c '1i /* One */' 'clock: one'
commit drivers/clock.c '1i /* Two */' 'clock: two'
posting first
git -C "$T/tree" tag second
commit drivers/clock.c 's/Two/2/' 'clock: write two as a number'
posting second
git -C "$T/tree" tag third
commit drivers/clock.c 's/One/1/' 'clock: write one as a number'
commit drivers/door.c '1i /* The door */' 'door: say so'
posting third
git -C "$T/tree" reset -q --hard start
git -C "$T/tree" tag -d first second third > /dev/null
needs "$T/second.mbox" "$(id_of "$T/first.mbox")"
needs "$T/third.mbox" "$(id_of "$T/second.mbox")"
cat "$T/third.mbox" "$T/first.mbox" "$T/second.mbox" > "$T/all.mbox"

# b4 stands for the list: it gives the first patches of the posting that is asked for
mkdir "$T/bin"
cat > "$T/bin/b4" <<'END'
#!/bin/bash
# b4 am -o- [-P1-N] MESSAGE-ID
set -e
[ "$1 $2" = 'am -o-' ] || exit 64
last=99 id=$3
case $3 in -P1-*) last=${3#-P1-} id=$4 ;; esac
for box in first second third; do
	[ "$(sed -n 's/^Message-Id: <\(.*\)>/\1/Ip' "$LIST/$box.mbox" | head -1)" = "$id" ] || continue
	rm -rf "$LIST/split"
	mkdir "$LIST/split"
	git mailsplit -o"$LIST/split" "$LIST/$box.mbox" > /dev/null
	rm "$LIST/split/0001" # the cover letter
	ls "$LIST/split" | head -n "$last" | while read -r n; do cat "$LIST/split/$n"; done
	exit
done
exit 1
END
chmod +x "$T/bin/b4"

# A name that a shell would take apart.
mkdir "$T/a folder"
printf '[build]\n\teach = all\n[bench]\n\trun = hot-add\n[post]\n\tpassword-file = %s\n' "$T/password-of-mine" > "$T/a folder/it's.conf"
run() { # INPUT [ARGUMENT...]
	firn_run 0 "$@" --tree "$T/tree" --config "$T/a folder/it's.conf" --only build
}
report() { python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
print(eval(sys.argv[2], {"r": report}))' "$T/report.json" "$1"; }
commands() { # PATCH
	report "'\n'.join(next(b for b in r['builds'] if b['patch'] == $1)['commands'])"
}
repo=
tree_of() { # PATCH: of firn's own commit
	local commit
	commit=$(report "r['base']['start'] if $1 == 0 else r['series']['patches'][$1 - 1]['commit']")
	git -C "$repo" rev-parse "$commit^{tree}"
}
by_hand() { # PATCH: up to make, which builds.sh has
	rm -rf "$T/by-hand"
	git clone -q "$T/tree" "$T/by-hand"
	commands "$1" | grep -E '^(git|b4) ' > "$T/commands"
	(cd "$T/by-hand" && PATH=$T/bin:$PATH LIST=$T bash -e -o pipefail "$T/commands") > "$T/by-hand.log" 2>&1 ||
		fail "patch $1 by hand: $(cat "$T/commands" "$T/by-hand.log")"
	[ "$(git -C "$T/by-hand" rev-parse 'HEAD^{tree}')" = "$(tree_of "$1")" ] || fail "patch $1 by hand is another tree: $(cat "$T/commands")"
}

echo "a series on a series on a series: each line works for who has none of firn's commits"
run "$T/all.mbox" --series "$(id_of "$T/third.mbox")"
has 'on top of 2 series that it needs'
repo=$(ls -d "$T"/cache/firn/repos/*.git)
start=$(report "r['base']['start']")
[ "$start" != "$(report "r['base']['commit']")" ] || fail "nothing was needed"
! git -C "$T/tree" cat-file -e "$start" 2> /dev/null || fail "the tree has firn's commit"
[[ $(report "[b['commands'] for b in r['builds']]") != *"$start"* ]] || fail "a commit that firn alone has is named"
for patch in 0 1 2; do by_hand "$patch"; done
[ "$(grep -c '^b4 am' "$T/commands")" = 3 ] || fail "not three series: $(cat "$T/commands")"

echo "firn's own line names the configuration, and nothing that is secret"
repeat=$(sed -n 's/^Repeat: *firn //p' "$out")
case $repeat in *" --config '"*) ;; *) fail "no --config: $repeat" ;; esac
case $repeat in *password*) fail "a secret: $repeat" ;; esac
commits=$(report "[p['commit'] for p in r['series']['patches']]")
(cd / && eval "XDG_CONFIG_HOME=$T/none $FIRN $repeat --json '$T/report.json'") > "$out" 2>&1 || fail "the repeat line: exit code $?"
[ "$(report "[p['commit'] for p in r['series']['patches']]")" = "$commits" ] || fail "the repeat line comes to other commits"
[ "$(report "len([b for b in r['builds'] if b['row'] == 'ppc64le-lean'])")" = 3 ] || fail "the configuration was not read"

echo "mails without an ID: by their files"
sed '/^Message-Id:/Id; /^In-Reply-To:/Id; /^References:/Id' "$T/first.mbox" > "$T/nameless.mbox"
run "$T/nameless.mbox"
[ "$(commands 2 | grep -c '^git am -3 /.*/mails/0002.eml /')" = 1 ] || fail "not by file: $(commands 2)"
for patch in 1 2; do by_hand "$patch"; done
