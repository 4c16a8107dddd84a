/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the page of a series, in its parts. */
#ifndef FIRN_WEB_SERIES_PAGE_H
#define FIRN_WEB_SERIES_PAGE_H

#include "store/views.h"
#include "web/html.h"

struct series_page {
	struct store_posting posting;
	struct view_series row; /* the same, with its newest trial */
	struct view_series_list versions, trials;
	struct store_mail_list replies;
	char *cover;
	json_t *since;	      /* NULL */
	json_t *report;	      /* of the newest trial that has one; NULL */
	int64_t report_trial; /* 0: no trial came to a report */
};

/* Sections, each with its <h2>; nothing where there is nothing. */
void series_versions(struct str *out, const struct series_page *p);
void series_cover(struct str *out, const struct series_page *p);
void series_trials(struct str *out, const struct series_page *p);
void series_rerun(struct str *out, const struct request *q, const struct series_page *p);
/* Its id is "reply": /m/ leads there. */
void series_replies(struct str *out, const struct series_page *p);

#endif
