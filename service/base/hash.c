// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/hash.h"

#include <assert.h>
#include <git2.h>

const char *hash_hex(const void *data, size_t n, char out[static HASH_HEX_MAX])
{
	git_oid oid;
	int rc = git_odb_hash(&oid, data, n, GIT_OBJECT_BLOB);

	assert(rc == 0);
	(void)rc;
	return git_oid_tostr(out, HASH_HEX_MAX, &oid);
}
