/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest's console says about a memory hot-add. */
#ifndef FIRN_TESTBEDS_HOT_ADD_LOG_H
#define FIRN_TESTBEDS_HOT_ADD_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOT_ADD_NODES_MAX 64

struct hot_add_log {
	bool timed;	/* both ends came: us is valid */
	uint64_t us;	/* printk time from "Attempting to hot-add" to the last "was hot-added" */
	unsigned added; /* how many of these */
	unsigned on_node[HOT_ADD_NODES_MAX]; /* blocks, from "firn: hot-add placed nodeN COUNT" */
};

void hot_add_log_read(const char *text, size_t len, struct hot_add_log *ret);

#endif
