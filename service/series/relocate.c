// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/relocate.h"

#include "base/str.h"
#include <sys/stat.h>

/* Parts of a file's size, in thousandths: half of it, and three quarters. */
#define ALIKE	   500
#define ALIKE_NAME 750

/* A file as the lines that it is made of, with how many bytes of each: what two have in common says
 * how alike they are, wherever it stands. Long lines are cut, so that binary files can be compared.
 */
#define PIECE_MAX 64

struct piece {
	uint64_t hash;
	size_t bytes;
};

struct pieces {
	struct piece *piece; /* sorted, each hash once */
	size_t n;
};

static int piece_cmp(const void *a, const void *b)
{
	uint64_t x = ((const struct piece *)a)->hash, y = ((const struct piece *)b)->hash;

	return (x > y) - (x < y);
}

static size_t piece_len(const char *p, size_t left)
{
	size_t n = left < PIECE_MAX ? left : PIECE_MAX;
	const char *nl = memchr(p, '\n', n);

	return nl ? (size_t)(nl - p) + 1 : n;
}

static uint64_t piece_hash(const char *p, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(1099511628211);
	return h;
}

static void pieces_join(struct pieces *ps)
{
	size_t n = 0;

	qsort(ps->piece, ps->n, sizeof(*ps->piece), piece_cmp);
	for (size_t i = 0; i < ps->n; i++) {
		if (n && ps->piece[n - 1].hash == ps->piece[i].hash)
			ps->piece[n - 1].bytes += ps->piece[i].bytes;
		else
			ps->piece[n++] = ps->piece[i];
	}
	ps->n = n;
}

static void pieces_make(struct bytes text, void *arg)
{
	struct pieces *ps = arg;
	size_t cap = 0;

	for (size_t at = 0, n; at < text.len; at += n) {
		n = piece_len(text.data + at, text.len - at);
		arr_grow(ps->piece, ps->n, cap);
		ps->piece[ps->n++] = (struct piece){piece_hash(text.data + at, n), n};
	}
	if (ps->n)
		pieces_join(ps);
}

static size_t bytes_in_common(const struct pieces *a, const struct pieces *b)
{
	size_t common = 0, i = 0, k = 0;

	while (i < a->n && k < b->n) {
		int c = piece_cmp(&a->piece[i], &b->piece[k]);

		if (c == 0)
			common += a->piece[i].bytes < b->piece[k].bytes ? a->piece[i].bytes
									: b->piece[k].bytes;
		i += c <= 0;
		k += c >= 0;
	}
	return common;
}

/* One file that is looked for. */
struct search {
	const struct relocate *r;
	const struct relocate_file *lost;
	size_t size; /* of `lost` */
	struct pieces pieces;
	size_t *fit; /* candidates whose size does not rule them out */
	size_t n_fits;
	uint64_t bytes; /* of these */
};

static bool is_open(const struct relocate_file *f)
{
	return f->path && !f->taken;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool has_name(const struct search *s, size_t i)
{
	return strcmp(base_name(s->lost->path), base_name(s->r->candidate[i].path)) == 0;
}

/* `*ret_fits` is false when the sizes alone say that less than half can be the same. */
static int size_check(const struct search *s, size_t i, size_t *ret_size, bool *ret_fits,
		      struct err *err)
{
	size_t size, most, least;
	int rc = objects_size(s->r->objects, &s->r->candidate[i].id, &size, err);

	if (rc)
		return rc;
	most = size > s->size ? size : s->size;
	least = size > s->size ? s->size : size;
	*ret_size = size;
	*ret_fits = least && most - least <= most / 2;
	return 0;
}

/* In thousandths of the larger file. */
static int likeness(struct search *s, size_t i, unsigned *ret_likeness, struct err *err)
{
	const struct relocate *r = s->r;
	struct pieces other = {0};
	size_t size;
	int rc = objects_size(r->objects, &r->candidate[i].id, &size, err);

	if (!rc && !s->pieces.n)
		rc = objects_visit(r->objects, &s->lost->id, pieces_make, &s->pieces, err);
	if (!rc)
		rc = objects_visit(r->objects, &r->candidate[i].id, pieces_make, &other, err);
	if (!rc)
		*ret_likeness = (unsigned)(bytes_in_common(&s->pieces, &other) * 1000 /
					   (size > s->size ? size : s->size));
	free(other.piece);
	return rc;
}

static size_t only_of_name(const struct search *s)
{
	size_t found = RELOCATE_NONE;

	for (size_t i = 0; i < s->r->n; i++) {
		if (!is_open(&s->r->candidate[i]) || !has_name(s, i))
			continue;
		if (found != RELOCATE_NONE)
			return RELOCATE_NONE;
		found = i;
	}
	return found;
}

static int by_name(struct search *s, size_t *ret_index, struct err *err)
{
	size_t i = only_of_name(s), size;
	unsigned alike = 0;
	bool fits;
	int rc;

	if (i == RELOCATE_NONE || !S_ISREG(s->r->candidate[i].mode))
		return 0;
	rc = size_check(s, i, &size, &fits, err);
	if (!rc && fits)
		rc = likeness(s, i, &alike, err);
	if (!rc && alike >= ALIKE_NAME)
		*ret_index = i;
	return rc;
}

static int fits_find(struct search *s, struct err *err)
{
	const struct relocate *r = s->r;
	int rc = 0;

	s->fit = xcalloc(r->n, sizeof(*s->fit));
	for (size_t i = 0; !rc && i < r->n; i++) {
		size_t size;
		bool fits;

		if (!is_open(&r->candidate[i]) || !S_ISREG(r->candidate[i].mode))
			continue;
		rc = size_check(s, i, &size, &fits, err);
		if (rc || !fits)
			continue;
		s->fit[s->n_fits++] = i;
		s->bytes += size;
	}
	return rc;
}

static int budget_take(const struct relocate *r, uint64_t units, const char *path, struct err *err)
{
	if (units > *r->budget)
		return err_set(err, ERR_PATCH,
			       "%s is not in the tree, and there are too many files that it could "
			       "have been moved to",
			       path);
	*r->budget -= units;
	return 0;
}

/* All or nothing: the best of only some may not be the one that git takes. */
static int by_contents(struct search *s, size_t *ret_index, struct err *err)
{
	unsigned best = ALIKE;
	int rc = fits_find(s, err);

	if (!rc)
		rc = budget_take(s->r, s->r->n + 2 * s->bytes, s->lost->path, err);
	for (size_t k = 0; !rc && k < s->n_fits; k++) {
		size_t i = s->fit[k];
		unsigned alike = 0;

		rc = likeness(s, i, &alike, err);
		if (rc || alike < best)
			continue;
		if (*ret_index != RELOCATE_NONE && alike == best &&
		    (has_name(s, *ret_index) || !has_name(s, i)))
			continue;
		best = alike;
		*ret_index = i;
	}
	return rc;
}

static bool is_same(const struct relocate_file *a, const struct relocate_file *b)
{
	return git_oid_equal(&a->id, &b->id) && (a->mode & S_IFMT) == (b->mode & S_IFMT);
}

/* git goes through the candidates here, not through the lost. */
static int same_find(const struct relocate *r, const struct relocate_file *lost, size_t n,
		     size_t *index, struct err *err)
{
	int rc = budget_take(r, (uint64_t)r->n * n, lost->path, err);

	for (size_t i = 0; !rc && i < r->n; i++) {
		for (size_t k = 0; k < n && is_open(&r->candidate[i]); k++) {
			if (index[k] != RELOCATE_NONE || !is_same(&r->candidate[i], &lost[k]))
				continue;
			index[k] = i;
			r->candidate[i].taken = true;
		}
	}
	return rc;
}

/* A way to look for a file. */
struct way {
	int (*fn)(struct search *s, size_t *ret_index, struct err *err);
};

static int changed_find(const struct relocate *r, const struct relocate_file *lost,
			const struct way *way, size_t *index, struct err *err)
{
	struct search s = {.r = r, .lost = lost};
	int rc = 0;

	if (*index != RELOCATE_NONE || !S_ISREG(lost->mode))
		return 0;
	rc = objects_size(r->objects, &lost->id, &s.size, err);
	if (!rc && s.size)
		rc = way->fn(&s, index, err);
	if (!rc && *index != RELOCATE_NONE)
		r->candidate[*index].taken = true;
	free(s.pieces.piece);
	free(s.fit);
	return rc;
}

int relocate_find(const struct relocate *r, const struct relocate_file *lost, size_t n,
		  size_t *ret_index, struct err *err)
{
	static const struct way ways[] = {{by_name}, {by_contents}};
	int rc;

	for (size_t k = 0; k < n; k++)
		ret_index[k] = RELOCATE_NONE;
	if (!n || !r->n)
		return 0;
	rc = same_find(r, lost, n, ret_index, err);
	for (size_t i = 0; i < array_size(ways); i++) {
		for (size_t k = 0; !rc && k < n; k++)
			rc = changed_find(r, &lost[k], &ways[i], &ret_index[k], err);
	}
	return rc;
}
