/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of evict: sizes and ages of folders. */
#ifndef FIRN_SERVE_EVICT_DISK_H
#define FIRN_SERVE_EVICT_DISK_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* Bytes on disk of a folder and all in it; what vanishes meanwhile counts nothing. `alive` is
 * called now and then. */
int64_t disk_used(const char *path, void (*alive)(void *ctx), void *ctx);

struct disk_entry {
	char *name, *path;
	int64_t used;	    /* bytes */
	int64_t last_usage; /* seconds since 1970 */
};
struct disk_list {
	struct disk_entry *entry;
	size_t n, cap;
};
/* The folders in a folder, the least lately used first. A folder is as old as its newest file. */
void disk_list(const char *path, struct disk_list *ret);
void disk_list_done(struct disk_list *l);

#endif
