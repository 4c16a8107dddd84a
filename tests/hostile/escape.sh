#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Series that try to get out: to write elsewhere, to read what is not theirs, to reach somebody.
. "$(dirname "$0")/lib.sh"

# Who connects is written down. TCP and an abstract socket, as long as this runs.
perl -MIO::Socket::INET -MIO::Socket::UNIX -MIO::Select -e '
	my ($dir, $name) = @ARGV;
	my $tcp = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die;
	my $unix = IO::Socket::UNIX->new(Local => "\0$name", Listen => 5) or die;
	my $s = IO::Select->new($tcp, $unix);
	open(P, ">", "$dir.port"); print P $tcp->sockport; close(P); rename("$dir.port", "$dir.ready");
	while (my @r = $s->can_read) { $_->accept and do { open(W, ">", "$dir/connected"); close(W) } for @r }' \
	"$outside" "firn-hostile-$$" &
listener=$!
trap 'kill $listener; rm -rf "$T"' EXIT
for _ in $(seq 100); do [ -s "$outside.ready" ] && break; sleep 0.1; done
port=$(cat "$outside.ready")
perl -MIO::Socket::INET -e 'exit !IO::Socket::INET->new("127.0.0.1:$ARGV[0]")' "$port" || fail "the listener does not listen"
for _ in $(seq 100); do [ -e "$outside/connected" ] && break; sleep 0.1; done
rm "$outside/connected" || fail "the listener does not tell"

attack 'writing outside by a Makefile' 0 pass '' <<END
x := \$(shell touch $outside/a $T/a /src/a /stage/a /usr/a /etc/a /dev/a /proc/sys/kernel/a ../a ../../a ../../../../a 2>&1)
END
[ ! -e "$T/a" ] || fail "it wrote to the folder above"
find "$cache/worktrees" -name a | grep -q . && fail "it wrote to the worktree"

attack 'writing to the cache and other slots' 0 pass '' <<END
x := \$(shell for d in $cache $cache/kernels $cache/objects $cache/worktrees $cache/slots; do mkdir -p \$\$d && touch \$\$d/evil; done 2>&1)
END
find "$cache" -name evil | grep -q . && fail "it wrote to the cache"

attack 'a generated script' 0 pass '' <<END
x := \$(shell printf '\#!/bin/sh\ntouch $outside/b /src/b\n' > /build/gen.sh; chmod +x /build/gen.sh; /build/gen.sh 2>&1)
END

attack 'a host program' 0 pass '' <<END
x := \$(shell printf '\#include <fcntl.h>\nint main(void) { open("$outside/c", O_CREAT | O_WRONLY, 0644); open("/src/c", O_CREAT | O_WRONLY, 0644); return 0; }' > /build/h.c; gcc -o /build/h /build/h.c && /build/h)
END

attack 'reading keys' 0 pass '' <<END
x := \$(shell { env; cat $outside/token $T/home/.ssh/* /root/.ssh/* /home/*/.ssh/* /etc/shadow /proc/*/environ /proc/*/cmdline; cat $T/config/firn/config; ls -la / /root /home /var; } > /build/loot 2>&1; tr '\0' '\n' < /build/loot >&2)
END

attack 'connecting by TCP, UDP, abstract socket, netlink, vsock' 0 pass '' <<END
x := \$(shell perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) and connect(S, sockaddr_in($port, inet_aton("127.0.0.1"))); socket(U, AF_INET, SOCK_DGRAM, 0) and print STDERR "made-udp"; socket(A, AF_UNIX, SOCK_STREAM, 0) and connect(A, pack("Sxa*", AF_UNIX, "firn-hostile-$$")) and print STDERR "made-abstract"; for (16, 17, 38, 40) { socket(N, \$\$_, SOCK_RAW, 0) and print STDERR "made-\$\$_" }'; bash -c 'exec 3<>/dev/tcp/127.0.0.1/$port')
END
grep -rqE 'made-(udp|abstract|[0-9])' "$hostile/jobs" && fail "a socket was made"

attack 'calls into the kernel: ptrace, keys, io_uring, bpf, perf, namespaces, mount, chroot' 0 pass '' <<'END'
x := $(shell perl -e 'for ([ptrace => 101], [keyctl => 250], [add_key => 248], [io_uring_setup => 425], [bpf => 321], [perf_event_open => 298], [userfaultfd => 323], [unshare => 272], [mount => 165], [chroot => 161], [pivot_root => 155], [setns => 308], [process_vm_readv => 310], [kexec_load => 246], [init_module => 175], [open_by_handle_at => 304]) { my ($$n, $$c) = @$$_; $$! = 0; syscall($$c, 0x10000000, 0, 0, 0, 0, 0); print STDERR "call-$$n: $$!\n" }')
END
if [ "$(uname -m)" = x86_64 ]; then
	[ "$(grep -rh 'call-.*: Operation not permitted' "$hostile/jobs" | sort -u | wc -l)" = 16 ] || fail "not all calls are refused: $(grep -rh 'call-' "$hostile/jobs" | sort -u)"
fi

attack 'devices, setuid files, core dumps' 0 pass '' <<'END'
x := $(shell cd /build; mknod sda b 8 0; mknod null c 1 3; cp /usr/bin/true s; chmod 4755 s; chmod 2755 s; chmod u+s s; perl -e 'use Fcntl; sysopen(F, "t", O_CREAT|O_WRONLY, 06755)'; ulimit -c unlimited; sh -c 'kill -SEGV $$$$'; ls core* s t sda null >&2; find . -perm /6000 | sed 's/^/made-/' >&2)
END
grep -rqE 'made-|^core' "$hostile/jobs" && fail "one of them was made"

attack 'killing everybody' 2 error 'the build ended by signal 9' <<'END'
x := $(shell kill -9 -1; kill -9 1; kill -9 $$PPID)
END

attack 'an image that is a link to something' 2 error 'cannot keep vmlinux' <<END
.PHONY: evil
vmlinux: evil
evil: \$(O)/vmlinux ; @ln -sf /etc/shadow /build/vmlinux; ln -sf $outside/token /build/System.map
END

attack 'a configuration and a map that are links to something' 2 error 'cannot keep' <<END
.PHONY: evil
vmlinux: evil
evil: \$(O)/vmlinux ; @rm -f /build/.config /build/System.map; ln -s $outside/token /build/.config; ln -s $outside/new /build/System.map
END

attack 'a FIFO for an image' 2 error 'cannot keep vmlinux' <<'END'
.PHONY: evil
vmlinux: evil
evil: $(O)/vmlinux ; @rm -rf /build/vmlinux; mkfifo /build/vmlinux; echo > /build/System.map
END

attack 'an image that is one large hole' 2 error 'cannot keep vmlinux' <<'END'
.PHONY: evil
vmlinux: evil
evil: $(O)/vmlinux ; @rm -rf /build/vmlinux; truncate -s 3G /build/vmlinux; echo > /build/System.map
END

attack 'links in the folder of objects that lead out' 1 fail '' <<END
x := \$(shell rm -rf /build/drivers; ln -s $outside /build/drivers; ln -s / /build/root; ln -s ../../.. /build/up)
END

echo 'a source that is a link to something'
rm "$T/tree/drivers/clock.c"
ln -s /etc/shadow "$T/tree/drivers/clock.c"
ln -s ../../../../../../../.. "$T/tree/up"
git -C "$T/tree" add -A
git -C "$T/tree" commit -q -m 'hostile: links' -m 'Signed-off-by: Mallory <mallory@example.org>'
series
attempt 1
step build fail
grep -rq 'root:' "$out" "$T/report.json" "$work" && fail "it read /etc/shadow"
clean 'a link in the tree'

echo 'a patch of a path that leads out'
commit drivers/clock.c 's/ticks;/ticks_now;/' 'clock: a path'
series
sed -i "s|\([ab]\)/drivers/clock.c|\1/../../../../../../../..$outside/d|g" "$T/series.mbox"
rc=0
"$FIRN" run "$T/series.mbox" --tree "$T/tree" --only build --config "$T/hostile.conf" --json "$T/report.json" --html "$T/report.html" > "$out" 2>&1 || rc=$?
[ "$rc" != 0 ] || fail "it was taken"
clean 'a path that leads out'
