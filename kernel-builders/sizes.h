/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much larger a kernel has become: sections that are loaded, and symbols that grew, shrank,
 * came and went. ELF by libelf; the files are of strangers' making, and what they say is bounded.
 */
#ifndef FIRN_KERNEL_BUILDERS_SIZES_H
#define FIRN_KERNEL_BUILDERS_SIZES_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A section or a symbol: of symbols with the same name the sum. */
struct size_row {
	char *name;
	long long size;
};

struct size_list {
	struct size_row *item; /* sorted by name, each once */
	size_t n, cap;
};

struct sizes {
	struct size_list sections, symbols;
	size_t seen; /* sections and symbols that were looked at, for a bound on many files */
};

/* ERR_INPUT when it is not an ELF file of a sane size with sections. `ret` must be zeroed and goes
 * to sizes_done() in any case. */
must_check int sizes_read(const char *path, struct sizes *ret, struct err *err);
/* The same of an open file, which stays open; `name` is for messages. */
must_check int sizes_read_fd(int fd, const char *name, struct sizes *ret, struct err *err);
void sizes_done(struct sizes *s);
static inline void sizes_cleanup(struct sizes *s)
{
	sizes_done(s);
}
#define auto_sizes __attribute__((cleanup(sizes_cleanup)))

/* Adds up; afterwards size_list_sort() once. */
void size_list_add(struct size_list *l, const char *name, long long size);
void size_list_sort(struct size_list *l);

/* {"base": bytes, "patched": bytes, "sections": [{"name", "base", "patched"}, ...] those that
 * differ, "symbols": the same, the largest differences first and at most 20, "grown", "shrunk",
 * "added", "removed": how many symbols}. */
json_t *sizes_compare(const struct sizes *base, const struct sizes *patched);
must_check int sizes_compare_files(const char *base, const char *patched, json_t **ret,
				   struct err *err);

#endif
