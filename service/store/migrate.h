/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside store/: brings an older store up to date. */
#ifndef FIRN_STORE_MIGRATE_H
#define FIRN_STORE_MIGRATE_H

#include "store/sql.h"

/* From `version` to the newest, whose schema is `schema`. The caller has the transaction, and marks
 * the version. */
must_check int store_migrate(struct store *s, int64_t version, const char *schema, struct err *err);

#endif
