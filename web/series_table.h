/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the table of series, with its filters. The front page and the pages of lists have
 * it. */
#ifndef FIRN_WEB_SERIES_TABLE_H
#define FIRN_WEB_SERIES_TABLE_H

#include "store/views.h"
#include "web/html.h"

/* The filters of the query. Points into `q`. */
struct view_filter series_filter(const struct request *q);
/* Is any of them given, besides the list? */
bool series_filtered(const struct view_filter *f);
/* The form; `path` is where it leads. `list`: the page is about one, and has no field for it. */
void series_form(struct str *out, const struct view_filter *f, const char *path, const char *list);
/* The table; nothing when it is empty. */
void series_table(struct str *out, const struct view_series_list *l);
/* Where a row leads: its series, else its trial. */
void series_href(struct str *out, const struct view_series *v);
/* Title with a link, version. */
void series_title(struct str *out, const struct view_series *v);

#endif
