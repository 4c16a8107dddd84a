#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What people ask of the service.
. "$(dirname "$0")/serve_lib.sh"

# Before there is a service.
firn_do 2 status
has "firn serve makes it"

service_start
wait_for '"$FIRN" status --config "$T/config" > "$out" 2>&1 && grep -q "bad   lore l" "$out"'
has "firn serve: process $serve, posting is dry-run"
has "outbox: 0 open, 0 held, 0 failed"
firn_do 0 status --json
has "\"pid\": $serve"
firn_do 0 status --metrics
has 'firn_source_failures{source="lore l"}'
has '# TYPE firn_trial_outcomes_total counter'
firn_do 0 queue
has "the queue is empty"
firn_do 0 queue --json
has '"queue": []'
firn_do 0 ledger l
firn_do 0 ledger l --json
has '"mails": []'
firn_do 0 outbox --json
has '"posts": []'
firn_do 0 outbox --held
has "nothing is held"
firn_do 0 approve all

# Requests are answered, refusals too.
firn_do 1 rerun '<nobody@example.org>'
has "nobody@example.org"
firn_do 1 rerun https://lore.kernel.org/l/nobody@example.org/T/#u --wait
firn_do 64 rerun 'not an id'
firn_do 64 rerun https://pw.example.org/patch/12/
firn_do 1 approve 77
firn_do 64 approve 7x
firn_do 0 suppress Ada@example.org
firn_do 0 allow ada@example.org
firn_do 64 suppress 'a@b, c@d'
firn_do 2 log 99
firn_do 2 log nobody@example.org

# A copy is a store of its own, and is not overwritten.
firn_do 0 backup "$T/copy.db"
firn_do 2 backup "$T/copy.db"
mkdir "$T/other"
cp "$T/copy.db" "$T/other/firn.db"
firn_do 0 status --data "$T/other"
has "firn serve: does not run"

# Without the service a request waits.
kill "$serve"; wait "$serve" || true; serve=
firn_do 0 suppress late@example.org
has "waits"
firn_do 0 post --once
