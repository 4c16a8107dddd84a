// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_manifest.h"

#include "intake/gunzip.h"
#include "intake/lore_cursor.h"
#include <ctype.h>
#include <glib.h>

#define PACKED_MAX   ((size_t)1 << 20)
#define MANIFEST_MAX ((size_t)16 << 20)

/* "/linuxppc-dev/git/0.git" */
static bool number_of(const char *path, unsigned *ret_number)
{
	const char *name = strrchr(path, '/');
	char *end;
	unsigned long n;

	name = name ? name + 1 : path;
	n = strtoul(name, &end, 10);
	if (!isdigit((unsigned char)*name) || strcmp(end, ".git") != 0 || n >= LORE_EPOCHS_MAX)
		return false;
	*ret_number = (unsigned)n;
	return true;
}

static void epoch_add(struct lore_manifest *m, unsigned number, const char *fingerprint)
{
	struct lore_manifest_epoch *e;

	for (size_t i = 0; i < m->n; i++)
		if (m->epoch[i].number == number)
			return;
	arr_grow(m->epoch, m->n, m->cap);
	e = &m->epoch[m->n++];
	*e = (struct lore_manifest_epoch){.number = number};
	if (fingerprint && strlen(fingerprint) < sizeof(e->fingerprint))
		memcpy(e->fingerprint, fingerprint, strlen(fingerprint) + 1);
}

static int epoch_order(const void *a, const void *b)
{
	const struct lore_manifest_epoch *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static int manifest_read(const char *url, const struct str *text, struct lore_manifest *m,
			 struct err *err)
{
	json_error_t why;
	auto_json json_t *root = json_loadb(text->buf, text->len, JSON_REJECT_DUPLICATES, &why);
	const char *path;
	json_t *row;
	unsigned number;

	if (!json_is_object(root))
		return err_set(err, ERR_INFRA, "%s: not a manifest", url);
	json_object_foreach (root, path, row) {
		if (number_of(path, &number))
			epoch_add(m, number,
				  json_string_value(json_object_get(row, "fingerprint")));
	}
	if (m->n)
		qsort(m->epoch, m->n, sizeof(*m->epoch), epoch_order);
	m->there = true;
	return 0;
}

int manifest_get(struct http *http, const char *list_url, struct lore_manifest *ret,
		 struct err *err)
{
	auto_free char *url =
		xasprintf("%s%smanifest.js.gz", list_url, str_ends(list_url, "/") ? "" : "/");
	auto_http_response struct http_response r = {};
	auto_str struct str text;
	struct http_request req = {.url = url, .max = PACKED_MAX};
	int rc = http_run(http, &req, &r, err);

	str_init(&text, MANIFEST_MAX);
	if (rc < 0)
		return rc;
	/* 500: public-inbox 1.9 for a list without epochs. */
	if (r.status == 404 || r.status == 500)
		return 0;
	rc = http_check(&req, &r, err);
	if (rc == 0 && gunzip(r.body.buf, r.body.len, &text, err) < 0)
		return err_wrap(err, "%s: answered %s", url, r.content_type ? r.content_type : "");
	return rc < 0 ? rc : manifest_read(url, &text, ret, err);
}

void manifest_done(struct lore_manifest *m)
{
	free(m->epoch);
	*m = (struct lore_manifest){};
}

/* The fingerprint is the SHA-1 of what git-show-ref(1) prints. */
bool manifest_is_at(const struct lore_manifest_epoch *e, const git_oid *commit)
{
	char hex[GIT_OID_HEXSZ + 1];
	auto_free char *refs =
		xasprintf("%s refs/heads/master\n", git_oid_tostr(hex, sizeof(hex), commit));
	char *ours = g_compute_checksum_for_string(G_CHECKSUM_SHA1, refs, -1);
	bool same = strcmp(ours, e->fingerprint) == 0;

	g_free(ours);
	return same;
}
