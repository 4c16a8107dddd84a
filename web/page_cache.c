// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/page_cache.h"

#include "base/clock.h"
#include "web/rendered.h"

struct page_entry {
	struct page_entry *next;
	char *uri;
	double until; /* clock_mono() */
	struct rendered page;
};

/* As it is, compressed (at most as large), and the entry. */
static size_t entry_bytes(const struct page_entry *e)
{
	return 3 * e->page.r.body.len + strlen(e->uri) + sizeof(*e);
}

static void entry_drop(struct page_cache *p, struct page_entry **at)
{
	struct page_entry *e = *at;

	*at = e->next;
	p->n--;
	p->bytes -= entry_bytes(e);
	rendered_done(&e->page);
	free(e->uri);
	free(e);
}

static struct page_entry **entry_find(struct page_cache *p, const char *uri)
{
	struct page_entry **at = &p->entry;

	while (*at && strcmp((*at)->uri, uri) != 0)
		at = &(*at)->next;
	return at;
}

static void entry_use(struct page_cache *p, struct page_entry **at)
{
	struct page_entry *e = *at;

	*at = e->next;
	e->next = p->entry;
	p->entry = e;
}

struct rendered *page_cache_find(struct page_cache *p, struct kept *kept, const char *uri)
{
	struct kept_version now = kept_version(kept);
	struct page_entry **at;

	if (!now.opened || now.opened != p->version.opened || now.version != p->version.version) {
		page_cache_done(p);
		p->version = now;
		return NULL;
	}
	at = entry_find(p, uri);
	if (!*at)
		return NULL;
	if (clock_mono() >= (*at)->until) {
		entry_drop(p, at);
		return NULL;
	}
	entry_use(p, at);
	return &p->entry->page;
}

static void oldest_drop(struct page_cache *p)
{
	struct page_entry **at = &p->entry;

	while ((*at)->next)
		at = &(*at)->next;
	entry_drop(p, at);
}

struct rendered *page_cache_put(struct page_cache *p, const char *uri, struct response *r)
{
	struct page_entry *e = xcalloc(1, sizeof(*e));

	e->uri = xstrdup(uri);
	e->until = clock_mono() + r->lives_s;
	rendered_init(&e->page, r, true, false);
	e->next = p->entry;
	p->entry = e;
	p->n++;
	p->bytes += entry_bytes(e);
	while (p->n > 1 && (p->n > PAGE_CACHE_ROWS || p->bytes > PAGE_CACHE_BYTES))
		oldest_drop(p);
	return &p->entry->page;
}

void page_cache_done(struct page_cache *p)
{
	while (p->entry)
		entry_drop(p, &p->entry);
}
