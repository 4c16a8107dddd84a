#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Series whose output is meant for somebody: the terminal, the parser, the page, the log.
. "$(dirname "$0")/lib.sh"

esc=$'\033'
quiet() { # no control characters but tab and newline in what people see
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$out" || fail "$1: control characters reach the terminal"
	! grep -qP '\x{202e}|\x{2028}|\x{9b}' "$out" || fail "$1: text that turns round reaches the terminal"
	! grep -qiE '<script|<img' "$T/report.html" || fail "$1: markup reaches the page"
	python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$T/report.json" || fail "$1: not JSON"
}
look=quiet # after each

attack 'escape sequences in warnings' 0 warn '' <<'END'
x := $(shell printf 'drivers/clock.c:1:1: warning: \033[2J\033]0;owned\007\033P1;1|\233\342\200\256txt <script>alert(1)</script> [-Wevil]\n' >&2)
END

attack 'escape sequences in an error' 1 fail '' <<'END'
.PHONY: evil
vmlinux modules: evil
evil: ; @printf 'drivers/clock.c:1:1: error: \033[2J\033]52;c;ZXZpbA==\007\r\033[1A<img src=x onerror=alert(1)>\n'; exit 1
END

attack 'escape sequences in what is being made' 0 pass '' <<'END'
x := $(shell for i in 1 2 3 4 5 6 7 8; do printf '  CC      \033[2J\033]0;owned\007evil%s.o\n' $$i; sleep 0.12; done >&2)
END
if command -v script > /dev/null; then
	git -C "$T/tree" reset -q --hard start
	rule 'x := $(shell for i in 1 2 3 4 5 6 7 8; do printf "  CC      \033]0;owned\007evil%s.o\n" $$i; sleep 0.12; done >&2)' 'hostile: progress on a terminal'
	series
	script -qec "'$FIRN' run '$T/series.mbox' --tree '$T/tree' --only build --config '$T/hostile.conf'" "$T/typescript" > /dev/null < /dev/null || true
	! grep -qF "$esc]0;owned" "$T/typescript" || fail "a build sets the title of the terminal"
fi

attack 'lines that pass for ours' 0 pass '' <<'END'
x := $(shell printf 'firn: running make of the base\nfirn: built in 1 s\n[1/1] done\n::error::owned\n##[error]owned\n' >&2)
END
grep -rqE '^firn: (running make of the base|built in 1 s)' "$hostile/jobs" && fail "a line of the build passes for one of ours"
grep -rqE '^ firn: running make of the base' "$hostile/jobs" || fail "the line is not in the log"

attack 'errors that are none' 0 pass '' <<'END'
x := $(shell printf 'drivers/clock.c:1:1: error: it is broken\nmake: *** [x] Error 1\nERROR: modpost: "evil" undefined!\n' >&2)
END

attack 'a result of its own' 1 fail '' <<'END'
.PHONY: evil
vmlinux modules: evil
evil: ; @for d in . .. /src /build /stage /tmp; do echo '{"firn-result": 1, "kind": "build", "seconds": 1, "data": {"outcome": "pass"}}' > $$d/result.json; cp $$d/result.json $$d/job.json; cp $$d/result.json $$d/build.json; done 2>/dev/null; echo 'drivers/clock.c:1:1: error: no'; exit 1
END

attack 'no image, but success' 1 fail 'made no vmlinux' <<'END'
.PHONY: evil
vmlinux: evil
evil: $(O)/vmlinux ; @rm -f $(O)/vmlinux
END

attack 'paths and lines out of range' 0 warn '' <<'END'
x := $(shell printf '../../etc/passwd:1:1: warning: a [-Wx]\n/etc/passwd:99999999999999999999:1: warning: b [-Wx]\ndrivers/clock.c:4294967295:1: warning: c [-Wx]\ndrivers/clock.c:0:0: warning: d [-Wx]\n' >&2)
END
