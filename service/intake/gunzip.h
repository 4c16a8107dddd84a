/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FIRN_INTAKE_GUNZIP_H
#define FIRN_INTAKE_GUNZIP_H

#include "base/err.h"
#include "base/str.h"

/* Appends what the gzip file (RFC 1952; one or more members) holds, up to `out->max`. ERR_INFRA:
 * not gzip, damaged, cut short, too large. */
must_check int gunzip(const void *data, size_t n, struct str *out, struct err *err);

#endif
