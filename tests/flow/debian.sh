#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the Debian package, unpacks it aside, and tries what is in it. Nothing is installed.
set -euo pipefail
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }
here=$(cd "$(dirname "$0")/../.." && pwd)
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
for tool in dpkg-buildpackage dh git; do command -v "$tool" >/dev/null || skip "$tool is not installed"; done
(cd "$here" && dpkg-checkbuilddeps) 2> "$T/deps" || skip "$(cat "$T/deps")"

mkdir "$T/firn"
(cd "$here" && git ls-files -co --exclude-standard -z | while IFS= read -r -d '' f; do [ ! -e "$f" ] || printf '%s\0' "$f"; done |
	tar -c --null -T - -f -) | tar -x -C "$T/firn"
(cd "$T/firn" && nice dpkg-buildpackage -b -us -uc -j2) > "$T/log" 2>&1 || { tail -n 40 "$T/log"; fail "dpkg-buildpackage"; }
deb=$(echo "$T"/firn_*.deb)
dpkg-deb -x "$deb" "$T/root"
dpkg-deb -e "$deb" "$T/control"

for f in usr/bin/firn lib/systemd/system/firn.service usr/share/doc/firn/examples/config usr/share/man/man1/firn.1.gz \
	usr/share/man/man5/firn.conf.5.gz usr/share/firn/kernel-builders/configs; do
	[ -e "$T/root/$f" ] || { dpkg-deb -c "$deb"; fail "the package lacks $f"; }
done
[ -z "$(find "$T/root" -path '*/etc/*' -type f)" ] || fail "the package has a configuration, so that the service would start"
sh -n "$T/control/postinst" || fail postinst
grep -q 'adduser.* firn$' "$T/control/postinst" || fail "postinst makes no user"
"$T/root/usr/bin/firn" --version | grep -q '^firn ' || fail "the program does not run"

# The example is good once its repository is there.
git init -q --bare "$T/linux.git"
sed "s|/var/lib/firn/linux.git|$T/linux.git|" "$T/root/usr/share/doc/firn/examples/config" > "$T/config"
"$T/root/usr/bin/firn" check-config "$T/config" || fail "the example configuration"
if command -v systemd-analyze >/dev/null; then
	sed "s|/usr/bin/firn|$T/root/usr/bin/firn|" "$T/root/lib/systemd/system/firn.service" > "$T/firn.service"
	systemd-analyze verify --man=no "$T/firn.service" > "$T/verify" 2>&1 || { cat "$T/verify"; fail "the unit"; }
	! grep -q "^$T/firn.service" "$T/verify" || { cat "$T/verify"; fail "the unit"; }
fi
