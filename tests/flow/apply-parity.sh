#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# apply-parity.sh REPO N [REV]: applies topic branches of a real repository to the commit that they were merged into,
# with `git am -3` and with firn, and prints how often the two agree. A topic branch is what a two-parent merge brought
# in: its commits, without merges, at most 40 of them. The newest N merges of REV's first-parent history that qualify.
# APPLY_RUN names the program apply-run (build/*/tests/apply-run). Nothing is written to REPO.
set -eu

repo=$(realpath "$1") want=$2 rev=${3:-HEAD}
: "${APPLY_RUN:?names the program apply-run}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/firn-parity-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export HOME="$scratch" GIT_CONFIG_NOSYSTEM=1 GIT_NO_LAZY_FETCH=1 GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@example.org
git config --global --add safe.directory '*'
git config --global gc.auto 0
git config --global advice.detachedHead false

objects=$(cd "$repo" && realpath "$(git rev-parse --git-path objects)")
git init -q "$scratch/w"
cd "$scratch/w"
echo "$objects" > .git/objects/info/alternates
tip=$(git --git-dir="$(git -C "$repo" rev-parse --absolute-git-dir)" rev-parse "$rev")

# One line a series: what git says, what firn says. git: a tree, or "refused".
one_series() {
	rm -rf ../mails
	git format-patch -q -o ../mails "$1^1..$1^2" || return 1
	git reset -q --hard "$1^1" && git clean -qfdx
	if git am -q -3 ../mails/* > ../am.log 2>&1; then
		git_says=$(git rev-parse 'HEAD^{tree}')
	else
		git_says=refused
		git am -q --abort > /dev/null 2>&1 || git am -q --quit
	fi
	"$APPLY_RUN" . "$1^1" - ../mails/* > ../firn.log 2>&1 || echo "error $(cat ../firn.log)" > ../firn.log
	read -r verdict tree rest < ../firn.log
	[ "$verdict" = applied ] && firn_says=$tree || firn_says=$verdict
	merged=$(awk 'NR == 1 && $1 == "applied" { if ($4) m = "merged"; if ($5) m = m "skipped"; print m }' ../firn.log)
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$(git rev-list --count "$1^1..$1^2")" "$git_says" "$firn_says" "$merged"
}

n=0
git log --first-parent --min-parents=2 --max-parents=2 --format=%H "$tip" > ../merges
while [ "$n" -lt "$want" ] && read -r merge; do
	commits=$(git rev-list --count "$merge^1..$merge^2")
	[ "$commits" -gt 0 ] && [ "$commits" -le 40 ] || continue
	[ "$(git rev-list --min-parents=2 --count "$merge^1..$merge^2")" = 0 ] || continue
	one_series "$merge" || continue
	n=$((n + 1))
done < ../merges > ../table

awk -F '\t' '
	{ n++; patches += $2; git += $3 != "refused"; firn += $4 != "refused" && $4 != "error" }
	$5 ~ /merged/ { merged++ }
	$5 ~ /skipped/ { skipped++ }
	($3 == "refused") == ($4 == "refused") && $4 != "error" { same++ }
	$3 != "refused" && $4 != "refused" { both++; trees += $3 == $4 }
	($3 == "refused") != ($4 == "refused") || ($3 != "refused" && $3 != $4) { print "differs: " $0 > "/dev/stderr" }
	END {
		printf "| series | patches | git am -3 applies | firn applies | by 3-way merge | with a patch already in | same verdict | same tree where both apply |\n"
		printf "|---|---|---|---|---|---|---|---|\n"
		printf "| %d | %d | %d | %d | %d | %d | %d (%.2f %%) | %d of %d |\n", n, patches, git, firn, merged, skipped, same, n ? 100 * same / n : 0, trees, both
	}' ../table
