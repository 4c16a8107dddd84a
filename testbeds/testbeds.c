// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/testbed.h"

const struct testbed *const testbeds[] = {
	&testbed_qemu_pseries, /* the default: first */
	&testbed_replay,
	NULL,
};

const struct testbed *testbed_find(const char *name, const char **ret_arg)
{
	size_t n = strcspn(name, ":");

	for (const struct testbed *const *t = testbeds; *t; t++) {
		if (strlen((*t)->name) == n && strncmp((*t)->name, name, n) == 0) {
			*ret_arg = name[n] ? name + n + 1 : name + n;
			return *t;
		}
	}
	return NULL;
}
