// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/asset.h"

#include "report/report.h"
#include "web/response.h"
#include <glib.h>
#include <microhttpd.h>

#define HASH_DIGITS   12
#define ASSET_LIVES_S 86400

/* Made at build time: CMakeLists.txt. */
#define EMBEDDED(symbol)                                                                           \
	extern const char symbol[];                                                                \
	extern const unsigned long symbol##_len;
EMBEDDED(web_style)
EMBEDDED(web_app)
#ifdef FIRN_WEB_PLOTS
EMBEDDED(web_uplot)
EMBEDDED(web_uplot_css)
#endif

static void add_style(struct str *out)
{
	size_t n;
	const char *css = report_html_css(&n); /* ours should look like the reports */

	str_add(out, css, n);
	str_add(out, web_style, web_style_len);
}

static void add_app(struct str *out)
{
	str_add(out, web_app, web_app_len);
}

#ifdef FIRN_WEB_PLOTS
static void add_uplot(struct str *out)
{
	str_add(out, web_uplot, web_uplot_len);
}

static void add_uplot_css(struct str *out)
{
	str_add(out, web_uplot_css, web_uplot_css_len);
}
#endif

static const struct asset {
	const char *name, *type;
	void (*add)(struct str *out);
} assets[] = {
	{"style.css", "text/css; charset=utf-8", add_style},
	{"app.js", "text/javascript; charset=utf-8", add_app},
#ifdef FIRN_WEB_PLOTS
	{"uPlot.js", "text/javascript; charset=utf-8", add_uplot},
	{"uPlot.css", "text/css; charset=utf-8", add_uplot_css},
#endif
};

/* Made when first asked for; they are the same as long as the process lives. */
static char paths[array_size(assets)][64];

static void path_make(size_t i)
{
	const char *name = assets[i].name, *dot = strrchr(name, '.');
	struct str bytes;
	char *sum;

	str_init(&bytes, 0);
	assets[i].add(&bytes);
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes.buf, bytes.len);
	snprintf(paths[i], sizeof(paths[i]), "/assets/%.*s-%.*s%s", (int)(dot - name), name,
		 HASH_DIGITS, sum, dot);
	g_free(sum);
	str_done(&bytes);
}

const char *asset_path(const char *name)
{
	for (size_t i = 0; i < array_size(assets); i++) {
		if (strcmp(assets[i].name, name) != 0)
			continue;
		if (!*paths[i])
			path_make(i);
		return paths[i];
	}
	return NULL;
}

void page_asset(const struct request *q, struct response *r)
{
	for (size_t i = 0; i < array_size(assets); i++) {
		const char *path = asset_path(assets[i].name);

		if (strcmp(strrchr(path, '/') + 1, q->name) != 0)
			continue;
		r->type = assets[i].type;
		r->immutable = true;
		r->lives_s = ASSET_LIVES_S;
		assets[i].add(&r->body);
		return;
	}
	respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no such file here.");
}
