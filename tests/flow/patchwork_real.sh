#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The client against a real Patchwork. Patchwork is in no package: FIRN_PATCHWORK_SOURCE is a checkout of it (3.1.3 and
# the development branch were tried). It runs from a copy, on SQLite, with Debian's Django.
set -euo pipefail
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; tail -n 30 "$T/log"; exit 1; }

: "${PATCHWORK_REAL:?path of the test program}"
[ -n "${FIRN_PATCHWORK_SOURCE:-}" ] || skip "FIRN_PATCHWORK_SOURCE is not set: the path of a Patchwork checkout"
python=/usr/bin/python3
$python -c 'import django, rest_framework, django_filters' 2>/dev/null ||
	skip "python3-django, python3-djangorestframework or python3-django-filters is not installed"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

T=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$T"' EXIT
cp -r "$FIRN_PATCHWORK_SOURCE/." "$T"
cd "$T"
cat > firn_settings.py <<END
from patchwork.settings.base import *

SECRET_KEY = 'for a test on loopback'
ALLOWED_HOSTS = ['127.0.0.1']
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '$T/db'}}
ENABLE_REST_API = True
STATICFILES_STORAGE = 'django.contrib.staticfiles.storage.StaticFilesStorage'
END
cat > users.txt <<'END'
from django.contrib.auth.models import User
from patchwork.models import Project, UserProfile
from rest_framework.authtoken.models import Token

project = Project.objects.create(
    linkname='demo', name='demo', listid='demo.lists.example.org', listemail='demo@lists.example.org')
for name, maintains in (('mona', True), ('ci', True), ('otto', False), ('ada', False)):
    user = User.objects.create_user(name, name + '@example.org')
    Token.objects.filter(user=user).delete()
    Token.objects.create(user=user, key='token0' + name)
    if maintains:
        UserProfile.objects.get(user=user).maintainer_projects.add(project)

END
export DJANGO_SETTINGS_MODULE=firn_settings PYTHONPATH=$T PYTHONDONTWRITEBYTECODE=1
{
	$python manage.py migrate -v0
	$python manage.py shell < users.txt
	$python manage.py loaddata -v0 default_states default_tags
	$python manage.py parsearchive --list-id demo.lists.example.org "$here/patchwork/mails.mbox"
} > log 2>&1 || fail "Patchwork cannot be set up"

port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
$python manage.py runserver --noreload --insecure "127.0.0.1:$port" >> log 2>&1 &
server=$!
for ((i = 0; i < 300; i++)); do
	! (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
	kill -0 "$server" 2>/dev/null || fail "Patchwork does not start"
	sleep 0.1
done
FIRN_PATCHWORK_URL=http://127.0.0.1:$port/ "$PATCHWORK_REAL" || fail "against a real Patchwork"
