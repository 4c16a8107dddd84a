/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: patches against their checks, as a grid. */
#ifndef FIRN_WEB_SERIES_GRID_H
#define FIRN_WEB_SERIES_GRID_H

#include "store/mails.h"
#include "web/html.h"

struct series_grid {
	const struct store_posting *posting;
	const json_t *report; /* of its newest trial that has one; NULL */
	int64_t trial;	      /* that it is of */
};
/* A row for each patch, a column for each check that tells them apart, and below them what was
 * found of the series as a whole. */
void series_grid(struct str *out, const struct series_grid *g);

#endif
