#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The supervisor with the real roles, on a list whose archive does not answer.
. "$(dirname "$0")/serve_lib.sh"

service_start
pid_of() { pgrep -P "$serve" -f "^/proc/self/exe $1|firn $1" | head -n 1; }
for role in intake engine post web; do [ -n "$(pid_of $role)" ] || fail "the role $role does not run"; done

# A second one says who runs.
rc=0
"$FIRN" serve --config "$T/config" > "$out" 2>&1 || rc=$?
[ "$rc" = 78 ] || fail "exit code $rc of a second serve, not 78"
has "process $serve"
rc=0
"$FIRN" engine --once --config "$T/config" > "$out" 2>&1 || rc=$?
[ "$rc" = 2 ] || fail "a second engine ran"
has "another firn engine"

# Only the post role and the status pages know where secrets are; none sees the manager's socket or strange tokens.
# What post has, root alone can read: not even other processes of its user.
for role in intake engine post web; do
	environ=/proc/$(pid_of $role)/environ
	if [ $role = post ] && [ "$(id -u)" != 0 ]; then
		[ ! -r "$environ" ] || fail "everybody of this user can look into the post role"
		continue
	fi
	tr '\0' '\n' < "$environ" > "$T/env.$role"
done
! grep -q SECRET_TOKEN "$T"/env.* || fail "a role has what is none of its business"
[ ! -e "$T/env.post" ] || grep -q CREDENTIALS_DIRECTORY "$T/env.post" || fail "the post role has no credentials"
! grep -q CREDENTIALS_DIRECTORY "$T/env.intake" "$T/env.engine" || fail "intake or engine has credentials"

# A role that dies comes back.
for role in intake engine post web; do
	old=$(pid_of $role)
	kill -9 "$old"
	wait_for "[ -n \"\$(pid_of $role)\" ] && [ \"\$(pid_of $role)\" != $old ]"
done
wait_for '[ "$(grep -c "ended: signal 9" "$T/log")" = 4 ]'

# SIGHUP: a bad configuration is not taken, a good one is.
old=$(pid_of engine)
cp "$T/config" "$T/good"
printf '[serve]\n\ttrials = many\n' >> "$T/config"
kill -HUP "$serve"
wait_for 'grep -q "the configuration is not taken" "$T/log"'
[ "$(pid_of engine)" = "$old" ] || fail "a bad configuration ended a role"
cp "$T/good" "$T/config"
kill -HUP "$serve"
wait_for '[ "$(grep -c "serve: ready" "$T/log")" = 2 ]'

# SIGTERM: within 10 s, and nobody is left.
began=$SECONDS
kill "$serve"
rc=0
wait "$serve" || rc=$?
[ "$rc" = 0 ] || fail "exit code $rc of serve"
[ $((SECONDS - began)) -le 10 ] || fail "it took more than 10 s to end"
! pgrep -f -- "--data $T/data" >/dev/null || fail "a role is left"
out=$T/log
lacks SECRET
serve=

# A mistake is said with file and line, before anything starts.
printf '[serve]\n\ttrials = many\n' >> "$T/config"
rc=0
out=$T/out
"$FIRN" serve --config "$T/config" > "$out" 2>&1 || rc=$?
[ "$rc" = 78 ] || fail "exit code $rc with a bad configuration, not 78"
has "$T/config:$(wc -l < "$T/config"): serve.trials"
