#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# web/openapi.json against the server: openapi.mjs, on a filled store; and the documents for KCIDB against KCIDB's own schema,
# where Python knows that (kcidb_io, which is no package of Debian's).
set -euo pipefail
: "${FIRN:?path of the firn program}" "${API_FILL:?path of api-fill}"
here=$(cd "$(dirname "$0")" && pwd)
for tool in node npm curl xmllint; do
	command -v "$tool" > /dev/null || { echo "SKIP: $tool is not installed"; exit 77; }
done

# ajv, outside of the checkout, by what the lock file says.
of=${FIRN_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-~}/.cache}/firn}/api-tests
mkdir -p "$of"
exec 9> "$of/lock"
flock 9
modules=$of/$(sha256sum < "$here/package-lock.json" | cut -c1-16)
[ -d "$modules" ] || (
	new=$(mktemp -d "$of/new-XXXXXX")
	trap 'rm -rf "$new"' EXIT
	cp "$here"/package*.json "$new"
	npm ci --prefix "$new" --ignore-scripts --no-audit --no-fund > "$new/log" 2>&1 || { tail "$new/log"; echo "FAIL: npm ci"; exit 1; }
	mv "$new" "$modules"
)
exec 9>&-

T=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server" 2> /dev/null || true; wait "$server" || true; }; rm -rf "$T"' EXIT
export XDG_CACHE_HOME=$T/cache XDG_CONFIG_HOME=$T/config
mkdir -p "$T/data"
echo 'ada 0123456789abcdef' > "$T/token"
chmod 600 "$T/token"
cat > "$T/conf" <<-END
	[data]
		dir = $T/data
	[web]
		port = 0
		url = https://firn.example.org/
		token-file = $T/token
		kcidb-origin = firn_test
	[list "demo"]
		lore = https://lore.example.org/demo/
		address = demo@lists.example.org
		tree = main
	[tree "main"]
		path = $T
		url = https://git.example.org/main.git
END
"$API_FILL" "$T/data/firn.db" "$T/data/work"
"$FIRN" web --config "$T/conf" > "$T/log" 2>&1 < /dev/null &
server=$!
for _ in $(seq 300); do
	! grep -q "http://127.0.0.1:.* (Ctrl-C" "$T/log" || break
	kill -0 "$server" || break
	sleep 0.1
done
at=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\)/ (Ctrl-C.*|\1|p' "$T/log")
[ -n "$at" ] || { cat "$T/log"; echo "FAIL: no web"; exit 1; }
FIRN_AT=$at FIRN_CONF=$T/conf FIRN_TOKEN=0123456789abcdef FIRN_API_MODULES=$modules node "$here/openapi.mjs" "$here/../../web"

echo "the feed is well-formed for xmllint"
curl -sf "$at/list/demo/feed.atom" | xmllint --noout -

if python3 -c 'import kcidb_io' 2> /dev/null; then
	echo "KCIDB's own schema takes the document"
	curl -sf "$at/api/v1/kcidb/trials/1" | python3 -c '
import json, sys
from kcidb_io.schema import V5_3
V5_3.validate_exactly(json.load(sys.stdin))'
else
	echo "kcidb_io is not installed: the KCIDB document is checked by openapi.json alone"
fi
! grep -E 'Sanitizer|runtime error:' "$T/log" || { cat "$T/log"; echo "FAIL: a sanitizer complains"; exit 1; }
