/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: reading what a page or the API is about. Both answer the request themselves when
 * they return false. */
#ifndef FIRN_WEB_TRIAL_READ_H
#define FIRN_WEB_TRIAL_READ_H

#include "web/response.h"
#include <jansson.h>

/* The trial of q->id; 404 when there is none. `ret` is zeroed. */
bool trial_read(const struct request *q, struct response *r, struct store *store,
		struct store_trial *ret);
/* A checked report; 410 when its file is gone, 500 when it cannot be used. */
bool report_read(const struct request *q, struct response *r, const char *path,
		 json_t **ret_report);

#endif
