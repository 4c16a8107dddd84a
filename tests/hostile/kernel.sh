#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Linux itself: code in Kconfig, in a host program and in a Makefile, each in a patch of one series.
set -euo pipefail
: "${FIRN:?path of the firn program}"
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; [ ! -e "${out:-}" ] || cat "$out"; exit 1; }
[ -n "${FIRN_TEST_TREE:-}" ] || skip "FIRN_TEST_TREE names no kernel repository (./quickstart test sets it)"
[ -n "${FIRN_TEST_CACHE:-}" ] || skip "FIRN_TEST_CACHE names no folder to keep kernels in (./quickstart test sets it)"
for tool in git perl bwrap powerpc64le-linux-gnu-gcc; do command -v "$tool" > /dev/null || skip "$tool is not installed"; done

T=$(mktemp -d "$FIRN_TEST_CACHE/test-XXXXXX") # where the build user can enter
chmod 755 "$T"
trap 'rm -rf "$T"' EXIT
out=$T/out outside=$T/outside
mkdir -m 777 "$outside"
GIT_CONFIG_GLOBAL=$(cd "$(dirname "$0")/../fixtures" && pwd)/git.config
export NO_COLOR=1 XDG_CONFIG_HOME=$T/config HOME=$T GIT_CONFIG_GLOBAL
mkdir -p "$T/config" "$T/a" "$T/b"

# patch NUMBER FILE PERL: the file, changed by a perl program over all of it
patch() {
	mkdir -p "$T/a/$(dirname "$2")" "$T/b/$(dirname "$2")"
	git -C "$FIRN_TEST_TREE" show "HEAD:$2" > "$T/a/$2"
	perl -0pe "$3" "$T/a/$2" > "$T/b/$2"
	{
		printf 'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\nFrom: Mallory <mallory@example.org>\n'
		printf 'Date: Sun, 1 Mar 2026 10:00:0%d +0000\nMessage-Id: <hostile-%d@example.org>\n' "$1" "$1"
		[ "$1" = 1 ] || printf 'In-Reply-To: <hostile-1@example.org>\n'
		printf 'Subject: [PATCH %d/3] %s: a change\n\nSo that there is something to try.\n\nSigned-off-by: Mallory <mallory@example.org>\n---\n' "$1" "$2"
		(cd "$T" && git diff --no-index --no-prefix "a/$2" "b/$2") || true
		printf -- '--\n2.39.5\n\n'
	} >> "$T/series.mbox"
}
evil="touch $outside/KIND /src/KIND /stage/KIND /etc/KIND; setsid sh -c \"while :; do echo >> /build/beat; sleep 0.1; done\" > /dev/null 2>&1 & :"
export PROBE="${evil//KIND/kconfig}" SHELL_RULE="${evil//KIND/makefile}"
export HOST="
#include <fcntl.h>
#include <sys/socket.h>
#include <arpa/inet.h>
static void __attribute__((constructor)) evil(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s >= 0 || open(\"$outside/host\", O_CREAT | O_WRONLY, 0644) >= 0 || open(\"/src/host\", O_CREAT | O_WRONLY, 0644) >= 0)
		fprintf(stderr, \"ESCAPED\\n\");
	connect(s, (void *)&to, sizeof(to));
}
"
patch 1 init/Kconfig 's/\z/\nconfig FIRN_PROBE\n\tdef_bool \$(success,$ENV{PROBE})\n/'
patch 2 scripts/kallsyms.c 's/\z/$ENV{HOST}/'
patch 3 arch/powerpc/Makefile 's/\z/\nevil := \$(shell $ENV{SHELL_RULE})\n/'

printf '[bench]\n\trun = hot-add\n' > "$T/config/conf"
run() {
	rc=0
	"$FIRN" run "$T/series.mbox" --tree "$FIRN_TEST_TREE" --cache "$FIRN_TEST_CACHE" --work "$T/work" --only build \
		--config "$T/config/conf" --json "$T/report.json" > "$out" 2>&1 || rc=$?
}
kept() { find "$FIRN_TEST_CACHE"/objects/*/ppc64le-lean -printf '%p %s %T@ %m\n' | sort | sha256sum; }

# The base first, so that its folder is as it will be.
cp "$T/series.mbox" "$T/all.mbox"
before=$(kept)
run
cat "$out"
[ "$rc" = 0 ] || fail "exit code $rc"
[ "$before" = "$(kept)" ] || echo "NOTE: the base was built, too"
[ -z "$(ls "$outside")" ] || fail "it got out: $(ls "$outside")"
find "$FIRN_TEST_CACHE"/worktrees -maxdepth 3 \( -name kconfig -o -name makefile -o -name host \) -path '*/src/*' | grep -q . && fail "it wrote to the worktree"
! grep -rq ESCAPED "$T/work/jobs" || fail "a host program got out"
grep -rq 'FIRN_PROBE' "$T/report.json" || fail "the option that Kconfig's shell decides is not told"
[ -z "$(find "$FIRN_TEST_CACHE/objects" -name beat)" ] || fail "it wrote among the base's objects"
before=$(kept)
sleep 1
[ "$before" = "$(kept)" ] || fail "something goes on"
