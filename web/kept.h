/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: one connection to the store that is kept for all requests. */
#ifndef FIRN_WEB_KEPT_H
#define FIRN_WEB_KEPT_H

#include "store/store.h"
#include <sys/types.h>

struct kept {
	const char *path;
	struct store *store; /* NULL: not open */
	dev_t dev;
	ino_t ino;
	uint64_t opened; /* how often: a version is worth nothing for another connection */
};

/* Opens it unless it is open, and anew when the file at the path is another one. Errors of
 * store_open(). The store stays kept's. */
must_check int kept_store(struct kept *k, struct store **ret_store, struct err *err);
/* A number that changes with each change of the store; 0 when it cannot be read. */
struct kept_version {
	uint64_t opened;
	int64_t version;
};
struct kept_version kept_version(struct kept *k);
void kept_done(struct kept *k);

#endif
