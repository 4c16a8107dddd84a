/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that belong to somebody else. */
#ifndef FIRN_SERIES_BYTES_H
#define FIRN_SERIES_BYTES_H

#include <stddef.h>

struct bytes {
	const char *data;
	size_t len;
};

#endif
