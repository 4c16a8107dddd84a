// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of an index: a head, then the arrays as they are in memory. */
#include "series/base_index_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MAGIC "firnbase"
/* Another one when the arrays, or what goes into them, change. */
#define VERSION		1
#define BYTE_ORDER_MARK 0x01020304u
/* The sum takes so many bytes at a time. */
#define CHUNK 32

struct image_head {
	char magic[8];
	uint32_t version, byte_order;
	uint64_t sum; /* of all that follows it */
	uint64_t len; /* of the whole file */
	uint64_t n_commits, n_parents, n_entries;
	int64_t floor;
	git_oid refs;
	uint32_t cut;
};
#define SUMMED offsetof(struct image_head, len)

static size_t padded(size_t n)
{
	return (n + CHUNK - 1) / CHUNK * CHUNK;
}

/* Finds a torn or rotten file, at the speed of memory; not meant against forgery. */
static uint64_t image_sum(const char *data, size_t n)
{
	uint64_t lane[4] = {1, 2, 3, 4}, sum = n;

	for (size_t i = 0; i + CHUNK <= n; i += CHUNK) {
		for (size_t k = 0; k < 4; k++) {
			uint64_t word;

			memcpy(&word, data + i + 8 * k, sizeof(word));
			lane[k] = (lane[k] ^ word) * 0x9e3779b97f4a7c15u;
			lane[k] ^= lane[k] >> 29;
		}
	}
	for (size_t k = 0; k < 4; k++)
		sum = (sum ^ lane[k]) * 0x9e3779b97f4a7c15u;
	return sum;
}

/* Where the arrays are. The head is padded so that what is summed is whole chunks. */
struct layout {
	size_t commits, keys, holders, parents, len;
};

static struct layout layout_make(const struct image_head *h)
{
	struct layout at = {.commits = SUMMED + padded(sizeof(*h) - SUMMED)};

	at.keys = at.commits + padded(h->n_commits * sizeof(struct base_commit));
	at.holders = at.keys + padded(h->n_entries * sizeof(uint64_t));
	at.parents = at.holders + padded(h->n_entries * sizeof(uint32_t));
	at.len = at.parents + padded(h->n_parents * sizeof(uint32_t));
	return at;
}

static struct base_index *index_make(char *image, size_t len, bool mapped)
{
	const struct image_head *h = (const struct image_head *)image;
	struct layout at = layout_make(h);
	struct base_index *ix = xcalloc(1, sizeof(*ix));

	*ix = (struct base_index){
		.image = image,
		.len = len,
		.mapped = mapped,
		.commit = (const struct base_commit *)(image + at.commits),
		.parent = (const uint32_t *)(image + at.parents),
		.key = (const uint64_t *)(image + at.keys),
		.holder = (const uint32_t *)(image + at.holders),
		.refs = h->refs,
		.facts = {.commits = h->n_commits,
			  .entries = h->n_entries,
			  .bytes = len,
			  .cut = h->cut,
			  .since = h->floor},
	};
	return ix;
}

struct base_index *base_image_make(const struct base_build *b)
{
	struct image_head h = {
		.magic = MAGIC,
		.version = VERSION,
		.byte_order = BYTE_ORDER_MARK,
		.n_commits = b->n_commits,
		.n_parents = b->n_parents,
		.n_entries = b->n_entries,
		.floor = b->floor,
		.refs = b->refs,
		.cut = b->cut,
	};
	struct layout at = layout_make(&h);
	char *image = xcalloc(1, at.len);
	uint64_t *key = (uint64_t *)(image + at.keys);
	uint32_t *holder = (uint32_t *)(image + at.holders);

	h.len = at.len;
	memcpy(image + at.commits, b->commit, b->n_commits * sizeof(*b->commit));
	memcpy(image + at.parents, b->parent, b->n_parents * sizeof(*b->parent));
	for (size_t i = 0; i < b->n_entries; i++) {
		key[i] = b->entry[i].key;
		holder[i] = b->entry[i].holder;
	}
	memcpy(image, &h, sizeof(h));
	h.sum = image_sum(image + SUMMED, at.len - SUMMED);
	memcpy(image, &h, sizeof(h));
	return index_make(image, at.len, false);
}

static bool image_good(const char *image, size_t len)
{
	const struct image_head *h = (const struct image_head *)image;

	return len >= sizeof(*h) && memcmp(h->magic, MAGIC, sizeof(h->magic)) == 0 &&
	       h->version == VERSION && h->byte_order == BYTE_ORDER_MARK && h->len == len &&
	       h->n_commits < BASE_NONE && h->n_parents < BASE_NONE && h->n_entries < len &&
	       layout_make(h).len == len && image_sum(image + SUMMED, len - SUMMED) == h->sum;
}

struct base_index *base_image_load(const char *file)
{
	auto_fd int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *image;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return NULL;
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (image == MAP_FAILED)
		return NULL;
	if (image_good(image, (size_t)st.st_size))
		return index_make(image, (size_t)st.st_size, true);
	munmap(image, (size_t)st.st_size);
	return NULL;
}

void base_index_free(struct base_index *ix)
{
	if (!ix)
		return;
	if (ix->mapped)
		munmap(ix->image, ix->len);
	else
		free(ix->image);
	free(ix);
}
