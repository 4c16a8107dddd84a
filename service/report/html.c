// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report.h"

#include "base/json.h"
#include "report/bench_rows.h"
#include "report/html_view.h"
#include <glib.h>

/* Made from report.css at build time. */
extern const char report_css[];
extern const unsigned long report_css_len;

const char *report_html_css(size_t *ret_n)
{
	*ret_n = report_css_len;
	return report_css;
}

char *report_html_csp(void)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize n = sizeof(digest);
	gchar *base64;
	char *csp;

	g_checksum_update(sum, (const guchar *)report_css, (gssize)report_css_len);
	g_checksum_get_digest(sum, digest, &n);
	base64 = g_base64_encode(digest, n);
	csp = xasprintf(
		"default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		base64);
	g_free(base64);
	g_checksum_free(sum);
	return csp;
}

static void page_head(struct html_view *v)
{
	const json_t *verdict = json_object_get(v->report, "verdict");
	auto_free char *csp = report_html_csp();

	/* The policy's quotes are single ones, and the hash is base64: nothing to escape. */
	str_addf(&v->out,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n",
		 csp);
	str_addf(&v->out, "<title>%s: ", json_get_str(verdict, "outcome", "error"));
	html_member(v, json_object_get(v->report, "series"), "title");
	str_adds(&v->out, "</title>\n<style>");
	str_add(&v->out, report_css, report_css_len);
	str_adds(&v->out, "</style>\n</head>\n");
}

static void page_header(struct html_view *v)
{
	const json_t *verdict = json_object_get(v->report, "verdict");
	const char *outcome = json_get_str(verdict, "outcome", "error");

	str_adds(&v->out, "<header>\n");
	html_element(v, "h1", json_object_get(json_object_get(v->report, "series"), "title"));
	str_addf(&v->out, "\n<p class=\"verdict %s\">", outcome);
	html_badge(v, outcome, outcome);
	str_addc(&v->out, ' ');
	html_element(v, "span", json_object_get(verdict, "words"));
	str_adds(&v->out, "</p>\n");
	html_facts(v);
	str_adds(&v->out, "</header>\n");
}

static void not_tested(struct html_view *v)
{
	const json_t *list = json_object_get(v->report, "not_tested"), *item;
	size_t i;

	if (!json_array_size(list))
		return;
	str_adds(&v->out, "<section id=\"not-tested\">\n<h2>Not tested</h2>\n<ul>\n");
	json_array_foreach (list, i, item)
		html_element(v, "li", item);
	str_adds(&v->out, "</ul>\n</section>\n");
}

static void repeat(struct html_view *v)
{
	str_adds(&v->out, "<section id=\"repeat\">\n<h2>Repeat this run</h2>\n");
	html_element(v, "pre class=\"command\"", json_object_get(v->report, "repeat"));
	if (json_is_string(json_object_get(v->report, "repeat_elsewhere"))) {
		str_adds(&v->out, "<p>Elsewhere, in a clone of the kernel:</p>\n");
		html_element(v, "pre class=\"command\"",
			     json_object_get(v->report, "repeat_elsewhere"));
	}
	str_adds(&v->out, "\n</section>\n");
}

static void sections(struct html_view *v)
{
	html_steps(v);
	html_builds(v);
	html_findings(v);
	html_benches(v);
	if (v->series)
		html_patches(v);
	html_since(v, json_object_get(v->report, "since"));
	not_tested(v);
	repeat(v);
}

static void page(struct html_view *v)
{
	page_head(v);
	str_adds(&v->out, "<body>\n");
	page_header(v);
	str_adds(&v->out, "<main>\n");
	sections(v);
	str_adds(&v->out, "</main>\n</body>\n</html>\n");
}

static int view_begin(const json_t *report, struct html_view *v, struct err *err)
{
	int rc = report_check(report, err);

	if (rc < 0)
		return rc;
	v->report = report;
	v->total = (int)json_get_num(json_object_get(report, "series"), "total", 0);
	v->series = report_has_series(report);
	str_init(&v->out, 0);
	return 0;
}

/* Hands the markup over. */
static int view_end(struct html_view *v, struct str *out, struct err *err)
{
	int rc = 0;

	if (v->out.truncated || !str_add(out, v->out.buf, v->out.len))
		rc = err_set(err, ERR_INPUT, "report: too large for one page");
	str_done(&v->out);
	return rc;
}

int report_html_part(const json_t *report, const struct report_links *links, struct str *out,
		     struct err *err)
{
	struct html_view v = {.links = links};
	int rc = view_begin(report, &v, err);

	if (rc < 0)
		return rc;
	page_header(&v);
	sections(&v);
	return view_end(&v, out, err);
}

int report_html_bench(const json_t *report, const char *bench, const struct report_links *links,
		      struct str *out, struct err *err)
{
	auto_bench_list struct bench_list list = {0};
	struct html_view v = {.links = links};
	int rc = view_begin(report, &v, err);
	const struct bench_rows *b;
	size_t number;

	if (rc < 0)
		return rc;
	b = bench_list_find(report, bench, &list, &number);
	if (b)
		html_bench(&v, b, number);
	rc = view_end(&v, out, err);
	return b ? rc : err_set(err, ERR_INPUT, "the report has no benchmark \"%s\"", bench);
}

int report_html(const json_t *report, FILE *out, struct err *err)
{
	auto_str struct str markup;
	struct html_view v = {0};
	int rc = view_begin(report, &v, err);

	str_init(&markup, 0);
	if (rc < 0)
		return rc;
	page(&v);
	rc = view_end(&v, &markup, err);
	if (rc == 0 && (fwrite(markup.buf, 1, markup.len, out) != markup.len || fflush(out)))
		rc = err_sys(err, ERR_INFRA, "cannot write the report");
	return rc;
}
