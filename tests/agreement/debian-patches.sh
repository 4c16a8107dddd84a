#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# debian-patches.sh DIR [SERIES...]: the patches of Debian's newest 6.1 and 5.10 kernels below DIR, a few MB. Uses the
# system's own mirrors with a private apt state, so that nothing on the system changes. Of each series the newest version
# whose files can be had is taken: the index lists some that are gone.
set -euo pipefail
out=${1:?usage: debian-patches.sh DIR [SERIES...]}
shift
series=${*:-6.1 5.10}
mkdir -p "$out"
out=$(cd "$out" && pwd)
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
key=/usr/share/keyrings/debian-archive-keyring.gpg
for mirror in $(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null | grep -v '^ *#' |
	grep -oE 'https?://[^ ]+' | sort -u); do
	for suite in bookworm bullseye; do
		case $mirror in *security*) suite=$suite-security ;; esac
		echo "deb-src [signed-by=$key] $mirror $suite main"
	done
done > "$state/sources.list"
apt=(-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$state/lists"
	-o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root)
apt-get -q "${apt[@]}" update >/dev/null

fetch() {
	local version
	for version in $(apt-cache "${apt[@]}" showsrc linux | awk '/^Version:/ { print $2 }' | grep "^$1\.[0-9]*-[0-9]*$" |
		sort -Vru); do
		[ ! -e "$out/linux-$version" ] || return 0
		(cd "$state" && apt-get -qq "${apt[@]}" source --download-only --diff-only "linux=$version") >/dev/null 2>&1 || continue
		mkdir "$state/new"
		tar -C "$state/new" -xf "$state/linux_$version.debian.tar.xz" --wildcards 'debian/patches*'
		mv "$state/new" "$out/linux-$version"
		return 0
	done
	echo "no patches of Linux $1 could be had" >&2
	return 1
}
for s in $series; do
	fetch "$s"
done
