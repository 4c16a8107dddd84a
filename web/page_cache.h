/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: pages as nobody in particular sees them, until the store changes or their time is
 * over (lives_s of response.h). So many readers of one page cost little more than one. */
#ifndef FIRN_WEB_PAGE_CACHE_H
#define FIRN_WEB_PAGE_CACHE_H

#include "web/kept.h"
#include <stddef.h>

#define PAGE_CACHE_ROWS	   256
#define PAGE_CACHE_BYTES   ((size_t)16 << 20)
#define PAGE_CACHE_LARGEST ((size_t)1 << 20) /* one page */

struct rendered;
struct response;

struct page_cache {
	struct page_entry *entry; /* newest use first */
	size_t n, bytes;
	struct kept_version version; /* of the store that they were made from */
};

/* NULL when there is none. */
struct rendered *page_cache_find(struct page_cache *p, struct kept *kept, const char *uri);
/* Takes what is in `r`. */
struct rendered *page_cache_put(struct page_cache *p, const char *uri, struct response *r);
void page_cache_done(struct page_cache *p);

#endif
