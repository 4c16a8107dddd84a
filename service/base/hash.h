/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Content keys for caches. */
#ifndef FIRN_BASE_HASH_H
#define FIRN_BASE_HASH_H

#include <stddef.h>

#define HASH_HEX_MAX 41

/* Lower-case hex SHA-1 of the bytes as a git blob, so that `git hash-object` gives the same key.
 * For cache keys, not for security. Returns out. */
const char *hash_hex(const void *data, size_t n, char out[static HASH_HEX_MAX]);

#endif
