// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread in an archive, by link or message id, and a series of a Patchwork by link. */
#include "base/fs.h"
#include "intake/lore.h"
#include "intake/patchwork.h"
#include "intake/source.h"

#include <ctype.h>

#define ARCHIVE_DEFAULT "https://lore.kernel.org/all/"

DEFINE_CLEANUP(struct http *, http, http_free)

/* Where a link or an id leads. */
struct place {
	char *base, *message_id;
	int64_t patch, series;
	bool is_patchwork;
};

static void place_done(struct place *p)
{
	free(p->base);
	free(p->message_id);
}

/* "20261130140000.1-1-ada@example.org", also in <>: what RFC 5322 3.6.4 calls an id, and no file.
 * The caller frees; NULL. */
static char *message_id_of(const char *spec)
{
	size_t n = strlen(spec);
	const char *at = strchr(spec, '@');

	if (n > 2 && spec[0] == '<' && spec[n - 1] == '>') {
		spec++;
		n -= 2;
	} else if (fs_exists(spec)) {
		return NULL;
	}
	if (!at || at == spec || at + 1 >= spec + n)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!isgraph((unsigned char)spec[i]) || strchr("<>/\\\"", spec[i]))
			return NULL;
	return xmemdup(spec, n);
}

static bool place_parse(const char *spec, struct place *ret)
{
	const char *archive = getenv("FIRN_ARCHIVE");
	struct place p = {};

	if (patchwork_link_parse(spec, &p.base, &p.message_id, &p.patch, &p.series)) {
		p.is_patchwork = true;
	} else if (!lore_link_parse(spec, &p.base, &p.message_id)) {
		p.message_id = message_id_of(spec);
		if (!p.message_id)
			return false;
		p.base = xstrdup(archive && *archive ? archive : ARCHIVE_DEFAULT);
	}
	*ret = p;
	return true;
}

static bool link_accepts(const char *spec)
{
	struct place p;

	if (!place_parse(spec, &p))
		return false;
	place_done(&p);
	return true;
}

static int series_find(const struct patchwork_server *s, const struct place *p, int64_t *ret_series,
		       struct err *err)
{
	int64_t patch;

	if (p->series) {
		*ret_series = p->series;
		return 0;
	}
	if (p->message_id)
		return patchwork_find(s, p->message_id, &patch, ret_series, err);
	return patchwork_series_of(s, p->patch, ret_series, err);
}

static int series_read(struct http *http, const char *spec, const struct place *p,
		       struct mail_list *list, struct err *err)
{
	struct patchwork_server server = {.url = p->base, .http = http};
	int64_t series = 0;
	int rc = series_find(&server, p, &series, err);

	if (rc == 0 && series == 0)
		return err_set(err, ERR_INPUT, "%s: belongs to no series there", spec);
	return rc < 0 ? rc : patchwork_series(&server, series, list, err);
}

static int link_read(const char *spec, struct mail_list *list, struct err *err)
{
	auto_cleanup(http) struct http *http = NULL;
	__attribute__((cleanup(place_done))) struct place p = {};
	int rc = http_new(&(struct http_options){}, &http, err);

	if (rc < 0 || !place_parse(spec, &p))
		return rc;
	if (p.is_patchwork)
		return series_read(http, spec, &p, list, err);
	return lore_thread(http, p.base, p.message_id, list, err);
}

const struct source source_link = {
	.name = "link",
	.summary = "a message id, or a link to a mail or series in a public-inbox or a Patchwork",
	.accepts = link_accepts,
	.read = link_read,
};
