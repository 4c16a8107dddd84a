// SPDX-License-Identifier: GPL-2.0-or-later
/* /api/v1/kcidb/trials/ID: a trial's report as KCIDB has it. */
#include "report/kcidb.h"

#include "base/conf_section.h"
#include "base/json.h"
#include "web/absolute.h"
#include "web/trial_read.h"
#include "web/work_file.h"
#include <glib.h>
#include <microhttpd.h>

#define PATCH_MAX (8 << 20)
#define ALL_MAX	  ((int64_t)64 << 20) /* of a series that is hashed for one answer */

struct digests {
	char hex[KCIDB_PATCHES][KCIDB_DIGEST];
	size_t n;
};

/* Of a patch as the trial kept it; false when it is not there. */
static bool digest_of(const struct store_trial *t, const char *name, int64_t *left,
		      char ret[static KCIDB_DIGEST])
{
	int64_t size = 0;
	auto_fd int fd = str_starts(name, "patches/") ? work_open(t->work_dir, name, &size) : -1;
	auto_str struct str text;
	char *sum;

	str_init(&text, PATCH_MAX);
	if (fd < 0 || size > PATCH_MAX || size > *left)
		return false;
	*left -= size;
	if (!work_read(fd, 0, (size_t)size, &text))
		return false;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text.buf, text.len);
	snprintf(ret, KCIDB_DIGEST, "%s", sum);
	g_free(sum);
	return true;
}

/* All, or none: what is hashed is the patchset. */
static void digests_read(const struct store_trial *t, const json_t *report, struct digests *ret)
{
	const json_t *patches = json_object_get(json_object_get(report, "series"), "patches");
	const json_t *patch;
	int64_t left = ALL_MAX;
	size_t i;

	ret->n = 0;
	if (!t->work_dir || json_array_size(patches) > KCIDB_PATCHES)
		return;
	json_array_foreach (patches, i, patch)
		if (!digest_of(t, json_get_str(patch, "text", ""), &left, ret->hex[i]))
			return;
	ret->n = json_array_size(patches);
}

/* "powerpc/merge": a [tree] and a branch of it. The caller frees the name. */
static char *tree_find(const struct request *q, const json_t *report, struct kcidb_facts *f)
{
	const char *name = json_get_str(json_object_get(report, "base"), "name", NULL);
	const char *slash = name ? strchr(name, '/') : NULL;
	const struct conf_section *tree;
	char *tree_name;

	if (!name)
		return NULL;
	tree_name = xmemdup(name, slash ? (size_t)(slash - name) : strlen(name));
	tree = q->opt->conf ? conf_section_find(q->opt->conf, CONF_SECTION_TREE, tree_name) : NULL;
	f->tree_name = tree_name;
	f->branch = slash ? slash + 1 : NULL;
	f->tree_url = tree ? conf_section_str(tree, CONF_TREE_URL) : NULL;
	return tree_name;
}

static void answer(const struct request *q, struct response *r, const struct store_trial *t,
		   const json_t *report)
{
	const struct conf *conf = q->opt->conf, defaults = {0};
	auto_free struct digests *digests = xcalloc(1, sizeof(*digests));
	auto_free char *url = absolute_base(q);
	struct kcidb_facts f = {.origin = conf_str(conf ? conf : &defaults, CONF_WEB_KCIDB),
				.trial = t->id,
				.posting = t->posting,
				.url = url};
	char *tree = tree_find(q, report, &f);

	digests_read(t, report, digests);
	f.digest = (const char(*)[KCIDB_DIGEST])digests->hex;
	f.n = digests->n;
	auto_json json_t *obj = kcidb_make(report, &f);
	respond_json(r, obj);
	free(tree);
}

void api_kcidb(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	auto_json json_t *report = NULL;
	struct store *store = NULL;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (!t.report)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "This trial has no report.");
	else if (report_read(q, r, t.report, &report))
		answer(q, r, &t, report);
}
