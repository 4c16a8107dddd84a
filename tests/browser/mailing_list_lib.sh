# SPDX-License-Identifier: GPL-2.0-or-later
# For the browser tests, after ../flow/service/lib.sh: what a list got today. A series in two versions with replies, one that
# checkpatch complains about, one that does not build, one that does not apply, one that is not whole, one whose words are an
# attack on whoever shows them, a pull request, a robot and talk.
mails=$T/mails
mkdir -p "$mails"
now=$(($(date +%s) - 3600))

# by NAME ADDRESS: who commits and posts from here on, a minute later than what was before.
by() {
	export GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL=$2 GIT_COMMITTER_NAME=$1 GIT_COMMITTER_EMAIL=$2
	now=$((now + 60))
	export GIT_AUTHOR_DATE="@$now +0000" GIT_COMMITTER_DATE="@$now +0000"
	git -C "$T/tree" checkout -q -B work start
}
# change FILE SED-SCRIPT SUBJECT [BODY]
change() {
	sed -i "$2" "$T/tree/$1"
	git -C "$T/tree" commit -q -a -m "$3" -m "${4:-So that there is something to try.}" \
		-m "Signed-off-by: $GIT_AUTHOR_NAME <$GIT_AUTHOR_EMAIL>"
}
# posts NAME [FORMAT-PATCH-OPTION...]: what was changed, as mails NAME-0000.eml ... with Message-IDs NAME-N@example.org.
posts() {
	local name=$1 dir=$T/posts.$1 f n
	shift
	git -C "$T/tree" format-patch -q -o "$dir" --thread --signature= "$@" start..work
	git -C "$T/tree" checkout -q master
	for f in "$dir"/*.patch; do
		n=${f##*/}
		n=${n#v?-}
		sed "1d; s/^\(Message-I[dD]: <\)cover[^>]*>/\1$name-0@example.org>/; s/<cover\.[^>]*>/<$name-0@example.org>/" "$f" |
			sed -E "/^Message-I[dD]: <$name-0@/! s/^(Message-I[dD]: <)[^>]*>/\1$name-$((10#${n%%-*}))@example.org>/" |
			sed -e 's/\*\*\* SUBJECT HERE \*\*\*/'"${title:-A series}"'/' -e "s/\*\*\* BLURB HERE \*\*\*/${blurb:-A few small things.}/" \
				-e "1i To: demo@lists.example.org" > "$mails/$name-${n%%-*}.eml"
	done
}
# mail NAME SUBJECT [HEADER]: its body is the standard input.
mail() {
	now=$((now + 60))
	{
		printf 'From: %s <%s>\nTo: demo@lists.example.org\nSubject: %s\nDate: %s\nMessage-ID: <%s@example.org>\n' \
			"$GIT_AUTHOR_NAME" "$GIT_AUTHOR_EMAIL" "$2" "$(date -u -R -d "@$now")" "$1"
		[ $# -lt 3 ] || printf '%s\n' "$3"
		printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n'
		cat
	} > "$mails/$1.eml"
}
# in_order FILE...: as they were sent: patches come after their cover letter.
in_order() { for f in "$@"; do printf '%s %s\n' "$(date -d "$(sed -n 's/^Date: //p' "$f" | head -n 1)" +%s)" "$f"; done | sort -s -n -k 1,1 | cut -d' ' -f2-; }

two_versions() {
	by 'Ada Example' ada@example.org
	change drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
	change drivers/door.c 's/Is it open?/Is the door opn?/' 'door: reword a comment'
	title='doors and clocks' blurb='Comments say what is meant: a door, and the ticks of a clock.'
	posts doors-v1 --cover-letter
	by 'Bert Sample' bert@example.org
	mail review 'Re: [PATCH 2/2] door: reword a comment' $'In-Reply-To: <doors-v1-2@example.org>\nReferences: <doors-v1-0@example.org> <doors-v1-2@example.org>' <<-'END'
	> +/* Is the door opn? */

	opn is no word.
	END
	mail tested 'Re: [PATCH 1/2] clock: reword a comment' $'In-Reply-To: <doors-v1-1@example.org>\nReferences: <doors-v1-0@example.org> <doors-v1-1@example.org>' <<-'END'
	Reviewed-by: Bert Sample <bert@example.org>
	END
	by 'Ada Example' ada@example.org
	change drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
	change drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
	posts doors-v2 --cover-letter --reroll-count=2 --in-reply-to='<doors-v1-0@example.org>'
}

wrong_in_some_way() {
	by 'Bert Sample' bert@example.org
	change drivers/door.c 's/open_now = 1;/if(open_now==0){ open_now = 1; }   /' 'door: open it once' 'Opening it twice makes a noise.'
	posts style
	by 'Cleo Model' cleo@example.org
	change drivers/clock.c 's/Counts ticks/Counts all ticks/' 'clock: say which ticks'
	change drivers/door.c 's/return open_now;/return open_then;/' 'door: return what it was'
	title='doors remember' blurb='The second one is not tried out.'
	posts build --cover-letter
	by 'Dora Pattern' dora@example.org
	change drivers/clock.c 's/return ++ticks/return ++ticks + 0/' 'clock: add nothing'
	posts apply
	sed -i 's/^-.*ticks;/-\treturn ++hours;/; s/^index .*//' "$mails/apply-0001.eml"
	by 'Emil Case' emil@example.org
	change drivers/clock.c 's/Counts ticks/Counts ticks and tocks/' 'clock: tocks, too'
	change drivers/door.c 's/Is it open?/Is it open or shut?/' 'door: or shut'
	title='tocks' blurb='One of these gets lost.'
	posts lost --cover-letter
	rm "$mails/lost-0002.eml"
}

hostile() {
	by 'Eve <script>window.pwned="name"</script>' eve@example.net
	change drivers/door.c 's|Is it open?|</pre><script>window.pwned="diff"</script><img src=x onerror="window.pwned=1">|' \
		'door: <img src=x onerror=window.pwned="subject"> reword' \
		$'\u202eretne esaelp\u202c "><svg/onload=window.pwned="body"> & <b>bold</b> javascript:alert(1)'
	posts hostile
	sed -i 's/^From: .*/From: "Eve <script>window.pwned=\\"name\\"<\/script>" <eve@example.net>/; s/^Subject: \(.*\)/Subject: \1 '$'\u202e''evil/' "$mails"/hostile-*.eml
	sed -i '0,/^$/s/^$/MIME-Version: 1.0\nContent-Type: text\/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n/' "$mails"/hostile-*.eml
}

what_is_no_patch() {
	by 'Fay Form' fay@example.org
	mail pull '[GIT PULL] clock changes' <<-'END'
	Hi,

	The following changes since commit 1111111111111111111111111111111111111111:

	  before

	are available in the Git repository at:

	  https://git.example.org/tree.git tags/clock-1

	for you to fetch changes up to 2222222222222222222222222222222222222222:

	  after
	END
	mail robot '[tree:branch] build success' 'Auto-Submitted: auto-generated' <<< 'branch HEAD: fine'
	mail talk 'What about the doors?' <<< 'It came up today, and nobody knew.'
}

# Many targets: make hands on what one says when it is done.
slow() {
	by 'Gus Type' gus@example.org
	sed -i -e 's|^vmlinux: $(O)/vmlinux|waits := $(foreach i,$(shell seq 40),$(O)/wait-$i)\n$(waits):\n	@echo "  WAIT    $(@F)"; sleep 0.4\n\n&|' \
		-e 's|^$(O)/vmlinux: $(objs)|& $(waits)|' "$T/tree/Makefile"
	change drivers/clock.c 's/Counts ticks/Counts slow ticks/; s/return ++ticks/return ++ticks + 0/' 'clock: one that takes its time'
	posts slow
}
