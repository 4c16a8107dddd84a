# SPDX-License-Identifier: GPL-2.0-or-later
# For the comparisons with `git am -3` on a tree of a kernel's size, without a checkout of it: only the files that the
# patches touch are on disk, the others are marked skip-worktree. git am reads and writes nothing else.

skip() {
	echo "SKIP: $*"
	exit 77
}

# series_list FOLDER: the patches of a quilt folder, in order, else its *.patch files.
series_list() {
	if [ -f "$1/series" ]; then
		sed 's/#.*//; s/[[:space:]].*//; /^$/d' "$1/series" | sed "s,^,$1/,"
	else
		find "$1" -maxdepth 1 -name '*.patch' | sort
	fi
}

# The paths that patches name, on both sides.
touched_paths() {
	sed -n 's,^--- [^/	]*/\([^	]*\).*,\1,p; s,^+++ [^/	]*/\([^	]*\).*,\1,p; s,^rename from ,,p; s,^rename to ,,p; s,^copy from ,,p' "$@" |
		sort -u
}

# lean_tree DIR REPO BASE PATCH...: a repository that borrows REPO's objects, with HEAD and index at BASE.
lean_tree() {
	dir=$1 repo=$2 base=$3
	shift 3
	objects=$(cd "$repo" && realpath "$(git rev-parse --git-path objects)")
	base=$(git -C "$repo" rev-parse --verify "$base^{commit}")
	git init -q "$dir"
	echo "$objects" > "$dir/.git/objects/info/alternates"
	touched_paths "$@" > "$dir.touched"
	(
		cd "$dir"
		git config gc.auto 0
		git update-ref HEAD "$base"
		git read-tree "$base"
		git ls-files > "$dir.all"
		git update-index --skip-worktree --stdin < "$dir.all"
		LC_ALL=C sort "$dir.all" > "$dir.all.sorted"
		LC_ALL=C sort "$dir.touched" | LC_ALL=C comm -12 - "$dir.all.sorted" > "$dir.here"
		git update-index --no-skip-worktree --stdin < "$dir.here"
		git checkout-index -q -f -u --stdin < "$dir.here"
	)
}

git_environment() {
	export HOME="$1" GIT_CONFIG_NOSYSTEM=1 GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@example.org LC_ALL=C.UTF-8
	git config --global --add safe.directory '*'
}
