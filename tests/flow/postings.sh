#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What lies between mails and commits: versions, tags, offers, dependencies, the base, and merges.
. "$(dirname "$0")/lib.sh"
make_tree
replay

# post NAME [FORMAT-PATCH-OPTION...]: what was committed since `start`, with Message-IDs NAME-0, NAME-1, ...; the tree is back.
post() {
	local name=$1
	shift
	git -C "$T/tree" format-patch -q --stdout --thread --cover-letter --signature= "$@" start.. |
		perl -pe 's/<([^<>\@]*\.git\.ada\@example\.org)>/my $k = $1; $n{$k} = scalar(keys %n) unless exists $n{$k}; "<'"$name"'-$n{$k}\@example.org>"/ge;
			s/\*\*\* SUBJECT HERE \*\*\*/doors and clocks/; s/\*\*\* BLURB HERE \*\*\*/'"${blurb:-Words.}"'/' > "$T/$name.mbox"
	git -C "$T/tree" reset -q --hard start
}

# answer TO FROM BODY: one more mail for an mbox.
answer() {
	printf '\nFrom mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: %s\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: Re: [PATCH] something\nMessage-ID: <answer-%d@example.org>\nIn-Reply-To: <%s>\n\n%s\n\n' \
		"$2" "$((answers += 1))" "$1" "$3"
}
answers=0

commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
post v1
GIT_COMMITTER_DATE='2026-03-03T10:00:00Z'
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
commit drivers/door.c 's/Is it open?/Is this door open?/' 'door: reword a comment'
post v2 -v2 --in-reply-to='<v1-0@example.org>'
{
	cat "$T/v1.mbox"
	answer v1-1@example.org 'Rob Example <rob@example.org>' 'Reviewed-by: Rob Example <rob@example.org>'
	answer v1-2@example.org 'Tess Example <tess@example.org>' '> Reviewed-by: Nobody <nobody@example.org>'
	cat "$T/v2.mbox"
} > "$T/both.mbox"

echo "of two versions the newest is tried, with what changed and the tags that carry over"
firn_run 0 "$T/both.mbox" --tree "$T/tree" --only apply
has 'newest of 2 versions'
has 'since v1'
grep -q 'Reviewed-by: Rob Example' "$T/report.json" || fail "no tag of Rob"
! grep -q 'Reviewed-by: Nobody' "$T/report.json" || fail "a quoted tag counts"
firn_run 0 "$T/both.mbox" --tree "$T/tree" --only apply --series v1-0@example.org
lacks 'since v1'

echo "every mail is in the ledger"
"$FIRN" run --explain "$T/both.mbox" > "$out"
[ "$(grep -cE '^ *[0-9]+ ' "$out")" = "$(grep -c '^Message-I[Dd]:' "$T/both.mbox")" ] || fail "not every mail has a line"
has 'answers patch 1/2 of series 1: Reviewed-by'

echo "a diff in a reply is an offer, tried on request"
{
	cat "$T/v1.mbox"
	answer v1-1@example.org 'Rob Example <rob@example.org>' 'What about this?

--- a/drivers/clock.c
+++ b/drivers/clock.c
@@ -1,4 +1,4 @@
 // SPDX-License-Identifier: GPL-2.0-or-later
 
-/* Counts the ticks. */
+/* How many ticks there were. */
 static unsigned long ticks;
'
} > "$T/offer.mbox"
firn_run 0 "$T/offer.mbox" --tree "$T/tree" --only apply
has '--offer'
firn_run 0 "$T/offer.mbox" --tree "$T/tree" --only build,check --offer "answer-$answers@example.org"
step build pass
grep -q 'offer: ' "$T/report.json" || fail "the offer is not in the report"
firn_run 2 "$T/offer.mbox" --tree "$T/tree" --offer nobody@example.org
has 'no offer with message ID nobody@example.org'

echo "what a series depends on is applied first"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
git -C "$T/tree" tag -f first > /dev/null
post first
git -C "$T/tree" checkout -q first
commit drivers/clock.c 's/Counts the ticks/Counts all the ticks/' 'clock: reword it again'
git -C "$T/tree" format-patch -q --stdout --signature= first.. | sed 's/^Subject:/Message-ID: <second-1@example.org>\n&/; s/^---$/&\nDepends-on: <first-0@example.org>/' > "$T/second.mbox"
git -C "$T/tree" checkout -q master
cat "$T/first.mbox" "$T/second.mbox" > "$T/chain.mbox"
firn_run 0 "$T/chain.mbox" --tree "$T/tree" --only build --series second-1@example.org --base start --work "$T/chain"
grep -q '"is_base": false' "$T"/chain/jobs/*-build-base/job.json || fail "strangers' patches are built among the kept objects"
step apply pass
has 'on top of 1 series that it needs'
firn_run 1 "$T/second.mbox" --tree "$T/tree" --only apply --base start
has 'first-0@example.org'

echo "the base is the newest commit that has the files as the patch knows them"
commit drivers/clock.c 's/++ticks/ticks += 2/' 'clock: tick twice'
commit drivers/door.c 's/Is it open?/Is the door open?/' 'door: reword a comment'
git -C "$T/tree" branch -q -f later
git -C "$T/tree" reset -q --hard start
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
git -C "$T/tree" format-patch -q --stdout --signature= start.. > "$T/old.mbox"
git -C "$T/tree" reset -q --hard later
firn_run 0 "$T/old.mbox" --tree "$T/tree" --only apply
has "$(git -C "$T/tree" rev-parse --short=12 start)"
has '1 of 1 blob'

echo "a hunk whose place has changed goes in by a 3-way merge"
git -C "$T/tree" reset -q --hard start
commit drivers/door.c 's/^\/\* Is it open.*/&\n#define OPEN 1/' 'door: a name for it'
git -C "$T/tree" branch -q -f later
git -C "$T/tree" reset -q --hard start
commit drivers/door.c 's/open_now = 0;/open_now = !1;/' 'door: close otherwise'
git -C "$T/tree" format-patch -q -U12 --stdout --signature= start.. > "$T/wide.mbox"
git -C "$T/tree" reset -q --hard later
firn_run 0 "$T/wide.mbox" --tree "$T/tree" --only apply --base later
has '1 file by 3-way merge'

echo "a patch that is in already is said to be"
git -C "$T/tree" reset -q --hard start
commit drivers/door.c 's/open_now = 0;/open_now = !1;/' 'door: close otherwise'
has=$(git -C "$T/tree" rev-parse --short=12 HEAD)
firn_run 0 "$T/wide.mbox" --tree "$T/tree" --only apply --base master
step apply warn
grep -qF "already in, as $has" "$out" || fail "not said to be in as $has"
