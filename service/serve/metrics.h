/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Prometheus is told: what the store counts (store/metrics.h), and the disk under it. */
#ifndef FIRN_SERVE_METRICS_H
#define FIRN_SERVE_METRICS_H

#include "base/str.h"
#include "store/store.h"

/* Appends. A folder that is not there is left out. */
must_check int metrics_write(struct store *s, const char *data_dir, const char *cache_dir,
			     struct str *ret, struct err *err);

/* Bytes that are free for us, and of the whole file system. */
bool metrics_disk(const char *dir, double *ret_free, double *ret_size);

#endif
