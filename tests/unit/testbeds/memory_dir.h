/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scratch folder in memory, since consoles are synced to disk; in TMPDIR where there is none. */
#ifndef FIRN_TESTS_TESTBEDS_MEMORY_DIR_H
#define FIRN_TESTS_TESTBEDS_MEMORY_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline bool memory_dir_make(char *dir, size_t size)
{
	bool memory = access("/dev/shm", W_OK | X_OK) == 0;
	int n = snprintf(dir, size, "%s/firn-test-XXXXXX",
			 memory ? "/dev/shm" : getenv("TMPDIR") ?: "/tmp");

	return n > 0 && (size_t)n < size && mkdtemp(dir);
}

#endif
