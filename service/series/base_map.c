// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys, and the table from commit ids to numbers. */
#include "series/base_index_run.h"

#include <endian.h>

uint64_t base_blob_key(const git_oid *id)
{
	uint64_t key;

	memcpy(&key, id->id, sizeof(key));
	return be64toh(key);
}

uint64_t base_path_key(uint64_t seed, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		seed = (seed ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return seed;
}

/* Where the id is, or would be. */
static uint32_t *map_slot(const struct base_map *m, const struct base_commit *commit,
			  const git_oid *id)
{
	size_t i = base_blob_key(id) & (m->cap - 1);

	while (m->slot[i] != BASE_NONE && !git_oid_equal(&commit[m->slot[i]].id, id))
		i = (i + 1) & (m->cap - 1);
	return &m->slot[i];
}

uint32_t base_map_get(const struct base_map *m, const struct base_commit *commit, const git_oid *id)
{
	return m->n ? *map_slot(m, commit, id) : BASE_NONE;
}

static void map_grow(struct base_map *m, const struct base_commit *commit)
{
	struct base_map wider = {.cap = m->cap ? m->cap * 2 : 1024, .n = m->n};

	wider.slot = xmalloc(wider.cap * sizeof(*wider.slot));
	memset(wider.slot, 0xff, wider.cap * sizeof(*wider.slot));
	for (size_t i = 0; i < m->cap; i++) {
		if (m->slot[i] != BASE_NONE)
			*map_slot(&wider, commit, &commit[m->slot[i]].id) = m->slot[i];
	}
	free(m->slot);
	*m = wider;
}

void base_map_add(struct base_map *m, const struct base_commit *commit, uint32_t number)
{
	if (m->n * 2 >= m->cap)
		map_grow(m, commit);
	*map_slot(m, commit, &commit[number].id) = number;
	m->n++;
}
