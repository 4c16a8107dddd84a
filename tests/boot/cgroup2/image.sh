# SPDX-License-Identifier: GPL-2.0-or-later
# A root file system of packages that are installed here, without what only people read. Nothing of /etc, /home, /var and
# /root of this machine gets in, but for what the dynamic linker and the alternatives say.

image_packages=(base-files bash bc bison bubblewrap coreutils dash diffutils findutils flex gcc
	gcc-powerpc64le-linux-gnu git grep gzip hostname libc6-dev login make mawk mount perl procps python3-minimal sed systemd tar util-linux)

# They and all that they depend on. apt-cache also names what could stand for a dependency, and is not here.
image_closure() {
	apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
		"${image_packages[@]}" | grep '^[a-z]' | sort -u | while read -r p; do
		[ "$(dpkg-query -Wf '${db:Status-Status}' "$p" 2>/dev/null)" != installed ] || echo "$p"
	done
}

# Paths without the first slash.
image_paths() {
	image_closure | xargs dpkg -L |
		grep -E '^/(bin|sbin|lib|lib64|usr)/' |
		grep -vE '^/usr/(share/(doc|man|locale|info|lintian|bash-completion|zsh|gitweb|git-core/contrib|i18n|zoneinfo)|lib/udev)(/|$)' |
		sed 's,^/,,' | sort -u
	printf '%s\n' usr/bin/awk usr/bin/which etc/alternatives etc/ld.so.cache etc/ld.so.conf etc/ld.so.conf.d
}

# What a program of ours is linked with: it need not be in a package.
image_program() { # PROGRAM PATH-IN-IMAGE
	install -D "$1" "$root/$2"
	ldd "$1" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | while read -r lib; do
		[ -e "$root/usr/${lib#/usr}" ] || [ -e "$root/$lib" ] || install -D "$(readlink -f "$lib")" "$root/$lib"
	done
}

image_users() {
	cat > "$root/etc/passwd" <<-END
		root:x:0:0:root:/root:/bin/bash
		firn:x:990:990:firn service:/var/lib/firn:/usr/sbin/nologin
		firn-build:x:991:991:firn builds:/nonexistent:/usr/sbin/nologin
		nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
	END
	printf '%s\n' root:x:0: tty:x:5: firn:x:990: firn-build:x:991: systemd-journal:x:992: nogroup:x:65534: > "$root/etc/group"
	printf '%s\n' 'passwd: files' 'group: files' 'hosts: files' > "$root/etc/nsswitch.conf"
	echo '127.0.0.1 localhost' > "$root/etc/hosts"
	echo 'cgroup2' > "$root/etc/hostname"
	printf '%032d\n' 7 > "$root/etc/machine-id"
}

image_ours() {
	mkdir -p "$root/guest/tests/flow" "$root/usr/share/firn/kernel-builders" "$root/usr/share/firn/testbeds/bench"
	image_program "$FIRN" usr/bin/firn
	image_program "$ENGINE_FEED" guest/engine-feed
	image_program "$TEST_CGROUP2" guest/test-cgroup2
	image_program "$TEST_GUARD" guest/test-guard
	cp -r "$top/kernel-builders/configs" "$root/usr/share/firn/kernel-builders"
	cp -r "$top/testbeds/guest" "$root/usr/share/firn/testbeds"
	cp -r "$top/testbeds/bench/planted" "$root/usr/share/firn/testbeds/bench"
	mkdir -p "$root/usr/local/share"
	ln -s /usr/share/firn "$root/usr/local/share/firn"
	cp -r "$top/tests/hostile" "$top/tests/fixtures" "$root/guest/tests"
	cp -r "$top"/tests/flow/{lib.sh,engine_lib.sh,tree} "$root/guest/tests/flow"
	install "$here"/cgroup2/{init,plain,bombs,say,unit}.sh "$root/guest"
	install -m 644 -D "$top/debian/firn.service" "$root/usr/lib/systemd/system/firn.service"
	install -m 644 -D "$here/cgroup2/firn-test.service" "$root/usr/lib/systemd/system/firn-test.service"
	mkdir -p "$root/etc/systemd/journald.conf.d"
	printf '[Journal]\nStorage=volatile\nForwardToConsole=yes\nMaxLevelConsole=info\n' > "$root/etc/systemd/journald.conf.d/test.conf"
}

# image_make SCRATCH FILE
image_make() {
	local root=$1 d
	mkdir -p "$root"/{usr/{bin,sbin,lib,lib64},etc,dev,proc,sys,run,tmp,root,var/{lib,cache,log,tmp},guest}
	for d in bin sbin lib lib64; do ln -s "usr/$d" "$root/$d"; done
	image_paths | tar -C / --no-recursion --ignore-failed-read -cf - -T - 2>/dev/null \
		--transform 's,^\(bin\|sbin\|lib\|lib64\)/,usr/\1/,rSh' | tar -C "$root" -xf - --no-same-owner
	cp -a /etc/alternatives /etc/ld.so.conf.d "$root/etc"
	image_users
	image_ours
	/sbin/mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$root" "$2" 4G > "$T/mke2fs"
}
