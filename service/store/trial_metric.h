/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metric table: written where a trial's end is noted. Read by views.h. */
#ifndef FIRN_STORE_TRIAL_METRIC_H
#define FIRN_STORE_TRIAL_METRIC_H

#include "store/store.h"
#include <jansson.h>

/* The numbers of a report (report/SCHEMA.md): one row a metric, in place of those that the trial
 * had. Part of the transaction that is open. */
must_check int store_metrics_keep(struct store *s, int64_t trial, const json_t *report,
				  struct err *err);

#endif
