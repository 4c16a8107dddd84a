/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: pieces of pages. Strings go through the escapers of report/escape.h. */
#ifndef FIRN_WEB_HTML_H
#define FIRN_WEB_HTML_H

#include "base/str.h"
#include "store/store.h"
#include <stdint.h>

/* Head and open body. The page reloads itself after `refresh_s` seconds unless that is 0. */
void page_begin(struct str *out, const char *title, unsigned refresh_s);
void page_end(struct str *out);

/* <tag>text</tag>; NULL is "". `open` may hold attributes of ours. */
void html_open(struct str *out, const char *open, const char *text);
/* "2026-11-30 14:02 UTC" in a <time>. */
void html_when(struct str *out, int64_t t);
/* A word of ours in its colour. */
void html_word(struct str *out, const char *word);

/* The outcome of a trial that has one, else its state: a word for html_word(). */
const char *trial_word(const struct store_trial *t);
const char *trial_title(const struct store_trial *t);

#endif
