# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's kernel for virtual machines: unpacked, never installed. It has drivers for NVMe disks, ext4 and serial lines
# built in, so that it needs neither modules nor an initramfs.

# Newest first; an index may list some that are gone.
kernel_packages() { apt-cache show linux-image-cloud-amd64 2>/dev/null | sed -n 's/^Depends: \(linux-image-[^ ]*\).*/\1/p' | sort -Vru; }

# guest_kernel FOLDER: prints the path of a vmlinuz in it.
guest_kernel() {
	local dir=$1 package tmp
	if ! compgen -G "$dir/vmlinuz-*" > /dev/null; then
		tmp=$(mktemp -d "$T/kernel-XXXXXX")
		for package in $(kernel_packages); do
			! (cd "$tmp" && apt-get -q -o "APT::Sandbox::User=$(id -un)" download "$package") > "$tmp/log" 2>&1 || break
		done
		compgen -G "$tmp/*.deb" > /dev/null || skip "the package linux-image-cloud-amd64 cannot be had (apt-get update?)" >&2
		dpkg-deb -x "$tmp"/*.deb "$tmp/root"
		mkdir -p "$dir"
		mv "$tmp"/root/boot/vmlinuz-* "$dir"
		rm -rf "$tmp"
	fi
	compgen -G "$dir/vmlinuz-*" | sort -V | tail -n 1
}
