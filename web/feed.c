// SPDX-License-Identifier: GPL-2.0-or-later
/* /list/NAME/feed.atom: the newest verdicts of a list (RFC 4287). */
#include "base/clock.h"
#include "base/conf_section.h"
#include "report/escape.h"
#include "store/views.h"
#include "web/absolute.h"
#include "web/decode.h"
#include "web/links.h"
#include <glib.h>
#include <libxml/xmlwriter.h>
#include <microhttpd.h>

#define LIVES_S	    30
#define TITLE_MAX   400
#define CONTENT_MAX 4000
#define UUID_MAX    48

struct feed {
	const struct request *q;
	xmlTextWriterPtr xml;
	char *base; /* of our addresses */
	bool failed;
};

static void check(struct feed *f, int rc)
{
	f->failed = f->failed || rc < 0;
}

static const xmlChar *xml(const char *s)
{
	return (const xmlChar *)s;
}

/* Text from anybody: UTF-8 on one line without control characters, of which XML forbids most. */
static void text(struct str *out, const char *s, size_t max)
{
	size_t all = s ? strlen(s) : 0, n = all < max ? all : max;

	while (n && n < all && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--; /* never half a character */
	term_text(out, s ? s : "", n);
}

static void element(struct feed *f, const char *name, const char *value, size_t max)
{
	auto_str struct str out;

	str_init(&out, 0);
	text(&out, value, max);
	check(f, xmlTextWriterWriteElement(f->xml, xml(name), xml(out.buf)));
}

static void begin(struct feed *f, const char *name)
{
	check(f, xmlTextWriterStartElement(f->xml, xml(name)));
}

static void attribute(struct feed *f, const char *name, const char *value)
{
	check(f, xmlTextWriterWriteAttribute(f->xml, xml(name), xml(value)));
}

static void end(struct feed *f)
{
	check(f, xmlTextWriterEndElement(f->xml));
}

/* An UUID of version 5 (RFC 9562, 5.5) of a name: the same wherever the service runs, and under
 * whatever address. The name space is one of ours, made once. */
static void id_element(struct feed *f, const char *kind, const char *name)
{
	static const guchar space[16] = {0x7e, 0x0c, 0x4a, 0x52, 0x3d, 0x1b, 0x4b, 0x8e,
					 0x9a, 0x61, 0x0f, 0x27, 0x8c, 0xd5, 0xb3, 0x94};
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA1);
	char id[UUID_MAX];
	guint8 d[20];
	gsize n = sizeof(d);

	g_checksum_update(sum, space, sizeof(space));
	g_checksum_update(sum, (const guchar *)kind, (gssize)strlen(kind));
	g_checksum_update(sum, (const guchar *)":", 1);
	g_checksum_update(sum, (const guchar *)name, (gssize)strlen(name));
	g_checksum_get_digest(sum, d, &n);
	g_checksum_free(sum);
	d[6] = (guint8)((d[6] & 0x0f) | 0x50);
	d[8] = (guint8)((d[8] & 0x3f) | 0x80);
	snprintf(id, sizeof(id),
		 "urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		 d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12],
		 d[13], d[14], d[15]);
	check(f, xmlTextWriterWriteElement(f->xml, xml("id"), xml(id)));
}

static void when(struct feed *f, const char *name, int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	check(f, xmlTextWriterWriteElement(f->xml, xml(name), xml(clock_iso(t, iso))));
}

static void link_element(struct feed *f, const char *rel, const char *type, const char *href)
{
	begin(f, "link");
	attribute(f, "rel", rel);
	attribute(f, "type", type);
	attribute(f, "href", href);
	end(f);
}

static void author(struct feed *f, const char *name)
{
	begin(f, "author");
	element(f, "name", *name ? name : "unknown", TITLE_MAX);
	end(f);
}

/* "Ada Example <ada@example.org>": addresses are for who reads the list. */
static char *name_of(const char *from)
{
	size_t n = strcspn(from, "<");

	while (n && from[n - 1] == ' ')
		n--;
	return xmemdup(from, n);
}

static void entry_title(struct feed *f, const struct view_series *v)
{
	auto_free char *version = v->version > 1 ? xasprintf(" (v%u)", v->version) : xstrdup("");
	auto_free char *title = xasprintf("%s: %s%s", view_series_word(v), v->title, version);

	element(f, "title", title, TITLE_MAX);
}

static void content(struct feed *f, const struct view_series *v)
{
	auto_str struct str out;

	str_init(&out, 0);
	text(&out, v->words, CONTENT_MAX);
	begin(f, "content");
	attribute(f, "type", "text");
	check(f, xmlTextWriterWriteString(f->xml, xml(out.buf)));
	end(f);
}

static void entry_links(struct feed *f, const struct view_series *v)
{
	auto_free char *page = v->posting
				       ? xasprintf("%s/series/%lld", f->base, (long long)v->posting)
				       : xasprintf("%s/trial/%lld", f->base, (long long)v->trial);
	auto_free char *lore = link_lore(f->q, v->list, v->message_id);

	link_element(f, "alternate", "text/html", page);
	if (lore)
		link_element(f, "related", "text/html", lore);
}

static void entry(struct feed *f, const struct view_series *v)
{
	auto_free char *name = name_of(v->author);
	auto_free char *key =
		xasprintf("%s %lld %s", v->list, (long long)v->posting, v->message_id);

	begin(f, "entry");
	id_element(f, "series", key);
	entry_title(f, v);
	when(f, "updated", v->finished);
	when(f, "published", v->date);
	author(f, name);
	entry_links(f, v);
	begin(f, "category");
	attribute(f, "term", view_series_word(v));
	end(f);
	content(f, v);
	end(f);
}

static char *list_address(const struct feed *f)
{
	struct str path;

	str_init(&path, 0);
	str_addf(&path, "%s/list/", f->base);
	percent_encode(&path, f->q->name, false);
	return str_take(&path);
}

/* A feed without entries is as old as 1970: nothing has changed yet. */
static void feed(struct feed *f, const struct view_series_list *l)
{
	auto_free char *page = list_address(f);
	auto_free char *self = xasprintf("%s/feed.atom", page);
	auto_free char *title = xasprintf("%s: verdicts", f->q->name);

	check(f, xmlTextWriterStartDocument(f->xml, NULL, "UTF-8", NULL));
	begin(f, "feed");
	attribute(f, "xmlns", "http://www.w3.org/2005/Atom");
	id_element(f, "list", f->q->name);
	element(f, "title", title, TITLE_MAX);
	when(f, "updated", l->n ? l->row[0].finished : 0);
	author(f, "firn");
	link_element(f, "self", "application/atom+xml", self);
	link_element(f, "alternate", "text/html", page);
	begin(f, "generator");
	attribute(f, "version", FIRN_VERSION);
	check(f, xmlTextWriterWriteString(f->xml, xml("firn")));
	end(f);
	for (size_t i = 0; i < l->n; i++)
		entry(f, &l->row[i]);
	end(f);
	check(f, xmlTextWriterEndDocument(f->xml));
}

static bool write_feed(const struct request *q, struct str *out, const struct view_series_list *l)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	struct feed f = {.q = q, .base = absolute_base(q)};

	f.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	f.failed = !f.xml;
	if (f.xml) {
		xmlTextWriterSetIndent(f.xml, 1);
		feed(&f, l);
		xmlFreeTextWriter(f.xml);
		str_add(out, xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
	}
	xmlBufferFree(buffer);
	free(f.base);
	return !f.failed;
}

static bool is_followed(const struct request *q)
{
	return q->opt->conf && conf_section_find(q->opt->conf, CONF_SECTION_LIST, q->name);
}

void page_feed(const struct request *q, struct response *r)
{
	const struct view_filter f = {.list = q->name, .limit = q->limit};
	auto_view_series_list struct view_series_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_verdicts(store, &f, &l, &err) < 0) {
		respond_failure(q, r, &err, "The list cannot be read.");
		return;
	}
	if (!l.n && !is_followed(q)) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "No list of that name is followed, or has a verdict.");
		return;
	}
	if (!write_feed(q, &r->body, &l)) {
		respond_error(q, r, MHD_HTTP_INTERNAL_SERVER_ERROR, "The feed cannot be made.");
		return;
	}
	r->type = "application/atom+xml; charset=utf-8";
	/* Without web.url it has the name that this reader asked by. */
	r->lives_s = q->opt->url ? LIVES_S : 0;
}
