/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bases built: CACHE/objects/REPO/BUILDER.good.json. */
#ifndef FIRN_KERNEL_BUILDERS_GOOD_H
#define FIRN_KERNEL_BUILDERS_GOOD_H

#include "kernel-builders/builder.h"

/* Notes that req->commit built. Not to be able to is no error: it is found out again. */
void build_good_add(const struct build_request *req);

#endif
