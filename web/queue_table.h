/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what runs and what waits. */
#ifndef FIRN_WEB_QUEUE_TABLE_H
#define FIRN_WEB_QUEUE_TABLE_H

#include "store/views.h"
#include "web/html.h"

/* How many trials can truly work at a time. */
unsigned queue_places(const struct request *q);
/* Two sections; `waiting`: how many wait in all. */
void queue_tables(struct str *out, const struct view_queue *q, int64_t waiting);

#endif
