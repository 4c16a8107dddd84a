#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# firn.conf.5.scd out of what `firn check-config --help` says, so that the two cannot differ.
#	conf.sh FIRN > firn.conf.5.scd
set -eu
cat <<'HEAD'
firn.conf(5) "firn" "File Formats"

# NAME

firn.conf - configuration of firn

# DESCRIPTION

_/etc/firn/config_, or _$XDG_CONFIG_HOME/firn/config_, or what *--config* names. The syntax is that of *git-config*(1). A key that
is none of these is a mistake; *firn check-config* finds all of them, with file and line. Defaults stand in brackets.
/usr/share/doc/firn/examples/config is an example with comments.

# KEYS

HEAD
"$1" check-config --help | awk '
	function esc(s) { gsub(/[\\*_#~<>[]/, "\\\\&", s); return s }
	/^Keys:/ { on = 1; next }
	!on { next }
	/^\[/ { print "# " esc($0) "\n"; next }
	/^  [a-z]/ { key = $1; sub(/^ +[^ ]+ +/, ""); printf "*%s*\n\t%s\n\n", esc(key), esc($0) }'
cat <<'TAIL'
# SEE ALSO

*firn*(1), *git-config*(1)
TAIL
