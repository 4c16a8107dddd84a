#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first process of the machine: the tests that want no manager; then systemd takes its place.
export PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C FIRN_DATA_DIR=/usr/share/firn
# Whoever made the disk owns what is on it.
[ "$(stat -c %u /usr)" = 0 ] || chown -hR 0:0 /
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
hostname cgroup2
stty -F /dev/ttyS1 raw

has_stage() { grep -qE "firn\.stages=([a-z,]*,)?$1(,| |\$)" /proc/cmdline; }
off() { sync; echo o > /proc/sysrq-trigger; sleep 60; }
for stage in plain bombs; do
	! has_stage $stage || /guest/$stage.sh || off
done
if ! has_stage unit; then
	echo 'all is done' > /dev/ttyS1
	off
fi
umount /sys/fs/cgroup /run
exec /lib/systemd/systemd --unit=firn-test.service
