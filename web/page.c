// SPDX-License-Identifier: GPL-2.0-or-later
/* What all pages have around them. */
#include "web/asset.h"
#include "web/html.h"
#include <sys/stat.h>

static const struct {
	enum page_section section;
	const char *path, *name;
} places[] = {
	{PAGE_SERIES, "/", "Series"},		{PAGE_LISTS, "/lists", "Lists"},
	{PAGE_BENCHES, "/bench", "Benchmarks"}, {PAGE_TESTBEDS, "/testbeds", "Testbeds"},
	{PAGE_LEDGER, "/ledger", "Ledger"},	{PAGE_OUTBOX, "/outbox", "Outbox"},
};

static void asset(struct str *out, const char *open, const char *name, const char *close)
{
	const char *path = asset_path(name);

	if (path)
		str_addf(out, "<%s\"%s\"%s\n", open, path, close);
}

/* A crystal of snow. */
#define ICON                                                                                       \
	"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"      \
	"%3Cpath d='M8 1v14M2 4.5l12 7M14 4.5l-12 7' stroke='%231f6fd0' stroke-width='2' "         \
	"stroke-linecap='round'/%3E%3C/svg%3E"

static void head(struct str *out, const struct page *p)
{
	str_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		      "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
	if (p->refresh_s)
		str_addf(out, "%s<meta http-equiv=\"refresh\" content=\"%u\"/>%s\n",
			 p->events ? "<noscript>" : "", p->refresh_s,
			 p->events ? "</noscript>" : "");
	str_adds(out, "<title>");
	html_cut(out, p->title, 200);
	str_adds(out, " &#183; firn</title>\n");
	str_adds(out, "<link rel=\"icon\" href=\"" ICON "\"/>\n");
	asset(out, "link rel=\"stylesheet\" href=", "style.css", "/>");
	if (p->plots)
		asset(out, "link rel=\"stylesheet\" href=", "uPlot.css", "/>");
	if (p->plots)
		asset(out, "script defer=\"defer\" src=", "uPlot.js", "></script>");
	asset(out, "script defer=\"defer\" src=", "app.js", "></script>");
	if (p->feed)
		str_addf(out,
			 "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"%s\"/>\n",
			 p->feed);
	str_adds(out, "</head>\n");
}

static void navigation(struct str *out, const struct page *p)
{
	str_adds(out, "<nav class=\"places\" aria-label=\"Main\"><a class=\"home\" "
		      "href=\"/\">firn</a><ul>\n");
	for (size_t i = 0; i < array_size(places); i++)
		str_addf(out, "<li><a href=\"%s\"%s>%s</a></li>\n", places[i].path,
			 places[i].section == p->section ? " aria-current=\"page\"" : "",
			 places[i].name);
	str_adds(out, "</ul></nav>\n");
}

static void search_box(struct str *out, const struct request *q)
{
	str_adds(out, "<form class=\"search\" role=\"search\" action=\"/search\" method=\"get\">"
		      "<label class=\"unseen\" for=\"search\">Message ID, link to lore or "
		      "Patchwork, or words</label><input id=\"search\" name=\"q\" type=\"search\" "
		      "maxlength=\"1000\" placeholder=\"message ID, link or words\" value=\"");
	html_str(out, query(q, "q"));
	str_adds(out, "\"/><button type=\"submit\">Search</button></form>\n");
}

static void signed_in(struct str *out, const struct request *q)
{
	if (!q->who) {
		str_adds(out, "<p class=\"who\"><a href=\"/login?to=");
		percent_encode(out, q->path, false);
		str_adds(out, "\">Sign in</a></p>\n");
		return;
	}
	str_adds(out, "<form class=\"who\" action=\"/logout\" method=\"post\">");
	html_bdi(out, q->who);
	str_adds(out, " <input type=\"hidden\" name=\"csrf\" value=\"");
	html_str(out, q->csrf);
	str_adds(out, "\"/><button type=\"submit\" class=\"quiet\">Sign out</button></form>\n");
}

void page_begin(struct str *out, const struct page *p)
{
	head(out, p);
	str_adds(out, "<body");
	if (p->events)
		str_addf(out, " data-events=\"%s\"", p->events);
	str_adds(out, ">\n<a class=\"skip-link\" href=\"#main\">Skip to the content</a>\n"
		      "<header class=\"site\">\n");
	navigation(out, p);
	search_box(out, p->q);
	signed_in(out, p->q);
	str_adds(out, "</header>\n<main id=\"main\">\n");
}

/* The journal is written to first; without one, the file itself is the newest. */
static int64_t store_written(const char *path)
{
	auto_free char *wal = xasprintf("%s-wal", path);
	struct stat st, journal;
	int64_t t = stat(path, &st) == 0 ? st.st_mtime : 0;

	return stat(wal, &journal) == 0 && journal.st_mtime > t ? journal.st_mtime : t;
}

void page_end(struct str *out, const struct request *q)
{
	int64_t written = store_written(q->opt->store_path);

	str_adds(out, "</main>\n<footer class=\"site\"><p>firn " FIRN_VERSION);
	if (written) {
		str_adds(out, " &#183; store last written ");
		html_when(out, written);
	}
	str_adds(out, "</p></footer>\n</body>\n</html>\n");
}
