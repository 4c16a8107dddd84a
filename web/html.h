/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside web/: the frame of a page, and pieces of pages. Strings go through the escapers of
 * report/escape.h. Pages are well-formed XML too, so that tests can check the nesting.
 */
#ifndef FIRN_WEB_HTML_H
#define FIRN_WEB_HTML_H

#include "base/str.h"
#include "web/response.h"
#include <stdint.h>

enum page_section {
	PAGE_NOWHERE,
	PAGE_SERIES,
	PAGE_LISTS,
	PAGE_BENCHES,
	PAGE_TESTBEDS,
	PAGE_LEDGER,
	PAGE_OUTBOX,
};

struct page {
	const char *title;	   /* of the window; from anybody */
	enum page_section section; /* that the navigation marks */
	const struct request *q;
	unsigned refresh_s; /* without script, reloads itself after so many seconds; 0: never */
	/* Where changes are told, for app.js ("/events", "/trial/7/events"); NULL: nowhere. Such a
	 * page reloads itself without script only. */
	const char *events;
	bool plots;	  /* it has some: uPlot comes along */
	const char *feed; /* path of an Atom feed; NULL */
};

/* Everything up to and with <main>: skip link, navigation, search box, who is signed in. The page
 * then begins with its <h1>. */
void page_begin(struct str *out, const struct page *page);
/* </main>, and the footer: version, and when the store was last written to. */
void page_end(struct str *out, const struct request *q);

/* <tag>text</tag>; NULL is "". `open` may hold attributes of ours. */
void html_open(struct str *out, const char *open, const char *text);
/* Text between tags, and in an attribute between quotes; NULL is "". */
void html_str(struct str *out, const char *text);
/* The same, of at most `max` bytes; what is left out shows as an ellipsis. */
void html_cut(struct str *out, const char *text, size_t max);
/* The same between tags only: long words (names, paths, addresses) may be broken, so that a table
 * does not become wider than the window. Copied, they are whole. */
void html_words(struct str *out, const char *text, size_t max);
/* <bdi>text</bdi>, its long words breakable: from strangers, on a line with other things. Cut at 1
 * KiB. */
void html_bdi(struct str *out, const char *text);
/* "2026-11-30 14:02 UTC" in a <time>; "never" for 0. */
void html_when(struct str *out, int64_t t);
/* "3 min 05 s" in a <time>. */
void html_span(struct str *out, double seconds);
/* A word of ours in its colour. */
void html_word(struct str *out, const char *word);
/* A link to a path of ours; `text` is from anybody. */
void html_link(struct str *out, const char *path, const char *text);
/* <a href="/m/MESSAGE-ID">&lt;MESSAGE-ID&gt;</a> */
void html_message_id(struct str *out, const char *message_id);
/* Appends a path like "/m/" with an encoded word behind it. */
void html_path(struct str *out, const char *before, const char *word);
/* <dt>name</dt>: a <dd> follows. */
void html_dt(struct str *out, const char *name);

/* "older" and "newer" below a table that is turned by key: links back to the newest rows, and on to
 * what is before `key` (0: there is nothing older). The other values of the query stay. */
void html_pager(struct str *out, const struct request *q, const char *path, int64_t key);
/* Those keys of the query that are given, as "a=1&amp;b=2&amp;", for a link; but not `but`. */
void html_query(struct str *out, const struct request *q, const char *const *keys, const char *but);

/* The outcome of a trial that has one, else its state: a word for html_word(). */
const char *trial_word(const struct store_trial *t);
const char *trial_title(const struct store_trial *t);

#endif
