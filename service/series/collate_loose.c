// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts that no thread tells apart. Those that one run of git made are a series. Of the others a
 * repeated number says that they are several: told apart by their brackets, by the area that their
 * subjects begin with, or by the order in which they were sent, whichever gives whole series.
 */
#include "series/collate.h"

static int number_cmp(const void *pa, const void *pb)
{
	const unsigned *a = pa, *b = pb;

	return size_cmp(*a, *b);
}

/* The caller frees. */
static unsigned *numbers_sorted(struct item *const *part, size_t n)
{
	unsigned *number = xcalloc(n, sizeof(*number));

	for (size_t i = 0; i < n; i++)
		number[i] = part[i]->patch.subject.number;
	qsort(number, n, sizeof(*number), number_cmp);
	return number;
}

bool parts_distinct(struct item *const *part, size_t n)
{
	auto_free unsigned *number = numbers_sorted(part, n);

	for (size_t i = 1; i < n; i++)
		if (number[i] == number[i - 1])
			return false;
	return true;
}

bool parts_complete(struct item *const *part, size_t n)
{
	auto_free unsigned *number = numbers_sorted(part, n);
	size_t cover = n && number[0] == 0;

	if (n - cover != part[0]->patch.subject.total)
		return false;
	for (size_t i = cover; i < n; i++)
		if (number[i] != i - cover + 1)
			return false;
	return true;
}

void part_range_unite(struct groups *g, struct item *const *part, size_t n)
{
	for (size_t i = 1; i < n; i++)
		group_unite(g, part[0], part[i]);
}

static int run_cmp(const struct item *a, const struct item *b)
{
	return strcmp(a->run ? a->run : "", b->run ? b->run : "");
}

static int prefix_cmp(const struct item *a, const struct item *b)
{
	return strcmp(a->patch.subject.prefixes, b->patch.subject.prefixes);
}

/* "powerpc/numa" of "powerpc/numa: say more". */
static size_t area_len(const struct item *it)
{
	return strcspn(it->patch.subject.text, ":");
}

static int area_cmp(const struct item *a, const struct item *b)
{
	size_t n = area_len(a), m = area_len(b);
	int c = memcmp(a->patch.subject.text, b->patch.subject.text, n < m ? n : m);

	return c ? c : size_cmp(n, m);
}

/* One way to tell parts apart. */
struct trait {
	int (*cmp)(const struct item *a, const struct item *b);
	int (*order)(const void *a, const void *b);
};

#define DEFINE_ORDER(name, cmp)                                                                    \
	static int name(const void *pa, const void *pb)                                            \
	{                                                                                          \
		const struct item *a = *(struct item *const *)pa;                                  \
		const struct item *b = *(struct item *const *)pb;                                  \
		int c = cmp(a, b);                                                                 \
                                                                                                   \
		return c ? c : size_cmp(a->place, b->place);                                       \
	}

DEFINE_ORDER(run_order, run_cmp)
DEFINE_ORDER(prefix_order, prefix_cmp)
DEFINE_ORDER(area_order, area_cmp)

static const struct trait trait_run = {run_cmp, run_order};
static const struct trait trait_prefix = {prefix_cmp, prefix_order};
static const struct trait trait_area = {area_cmp, area_order};

static size_t cluster_end(const struct trait *t, struct item *const *part, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && t->cmp(part[i], part[end]) == 0)
		end++;
	return end;
}

bool parts_strangers(const struct item *a, const struct item *b)
{
	return a->run && b->run && run_cmp(a, b) != 0 && area_cmp(a, b) != 0;
}

size_t runs_find(struct item *const *part, size_t n, size_t *ret_begin)
{
	auto_free size_t *seen_in = NULL;
	unsigned max = 0;
	size_t runs = 0;

	for (size_t i = 0; i < n; i++)
		if (part[i]->patch.subject.number > max)
			max = part[i]->patch.subject.number;
	seen_in = xcalloc((size_t)max + 1, sizeof(*seen_in));
	for (size_t i = 0; i < n; i++) {
		unsigned number = part[i]->patch.subject.number;

		if (i == 0 || seen_in[number] == runs ||
		    parts_strangers(part[ret_begin[runs - 1]], part[i]))
			ret_begin[runs++] = i;
		seen_in[number] = runs;
	}
	return runs;
}

/* Every run is complete. */
static bool parts_whole(struct item *const *part, size_t n)
{
	auto_free size_t *begin = xcalloc(n + 1, sizeof(*begin));
	size_t runs = runs_find(part, n, begin);

	begin[runs] = n;
	for (size_t r = 0; r < runs; r++)
		if (!parts_complete(part + begin[r], begin[r + 1] - begin[r]))
			return false;
	return true;
}

static void runs_unite(struct groups *g, struct item *const *part, size_t n)
{
	auto_free size_t *begin = xcalloc(n + 1, sizeof(*begin));
	size_t runs = runs_find(part, n, begin);

	begin[runs] = n;
	for (size_t r = 0; r < runs; r++)
		part_range_unite(g, part + begin[r], begin[r + 1] - begin[r]);
}

/* The same parts sorted by a trait, otherwise in their order. The caller frees. */
static struct item **parts_sorted(const struct trait *t, struct item *const *part, size_t n)
{
	struct item **sorted = xcalloc(n, sizeof(struct item *));

	for (size_t i = 0; i < n; i++) {
		sorted[i] = part[i];
		sorted[i]->place = i;
	}
	qsort(sorted, n, sizeof(*sorted), t->order);
	return sorted;
}

/* When there are several clusters, and each of them is `ok`, each is taken by itself. */
static bool clusters_unite(struct groups *g, const struct trait *t, struct item *const *part,
			   size_t n, bool (*ok)(struct item *const *part, size_t n))
{
	auto_free struct item **sorted = parts_sorted(t, part, n);

	if (cluster_end(t, sorted, n, 0) == n)
		return false;
	for (size_t i = 0, end; i < n; i = end) {
		end = cluster_end(t, sorted, n, i);
		if (!ok(sorted + i, end - i))
			return false;
	}
	for (size_t i = 0, end; i < n; i = end) {
		end = cluster_end(t, sorted, n, i);
		runs_unite(g, sorted + i, end - i);
	}
	return true;
}

/* Series that one run of git made; leaves out those that are complete. Returns how many are left,
 * in their order. */
static size_t made_unite(struct groups *g, struct item **part, size_t n)
{
	auto_free struct item **sorted = parts_sorted(&trait_run, part, n);
	size_t left = 0;

	for (size_t i = 0, end; i < n; i = end) {
		end = cluster_end(&trait_run, sorted, n, i);
		if (!sorted[i]->run || !parts_distinct(sorted + i, end - i))
			continue;
		part_range_unite(g, sorted + i, end - i);
		bool complete = parts_complete(sorted + i, end - i);

		for (size_t k = i; k < end; k++)
			sorted[k]->settled = complete;
	}
	for (size_t i = 0; i < n; i++)
		if (!part[i]->settled)
			part[left++] = part[i];
	return left;
}

void loose_unite(struct groups *g, struct item *const *part, size_t n)
{
	auto_free struct item **rest = xcalloc(n, sizeof(struct item *));

	if (n < 2)
		return;
	memcpy(rest, part, n * sizeof(struct item *));
	n = made_unite(g, rest, n);
	if (n < 2)
		return;
	if (!parts_distinct(rest, n) &&
	    (clusters_unite(g, &trait_prefix, rest, n, parts_distinct) ||
	     clusters_unite(g, &trait_area, rest, n, parts_whole)))
		return;
	if (!parts_distinct(rest, n) && !parts_whole(rest, n) &&
	    clusters_unite(g, &trait_area, rest, n, parts_distinct))
		return;
	runs_unite(g, rest, n);
}

/*
 * Loose parts of one series have all this in common. Mails carry the address of who sent them;
 * files that git-format-patch(1) wrote have no Message-ID and name the author of each commit.
 */
static int loose_cmp(const struct item *a, const struct item *b)
{
	bool id_a = a->mail->message_id, id_b = b->mail->message_id;
	int c = id_a - id_b;

	if (!c)
		c = series_key_cmp(a, b);
	return c ? c : prefix_cmp(a, b);
}

static int loose_order(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = loose_cmp(a, b);

	if (!c) /* a file's date is that of the commit, which says nothing about the posting */
		c = a->mail->message_id ? item_order(a, b) : size_cmp(a->index, b->index);
	return c;
}

void loose_all_unite(struct groups *g)
{
	auto_free struct item **part = xcalloc(g->n, sizeof(struct item *));
	auto_free size_t *size = xcalloc(g->n, sizeof(*size));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		size[group_root(g, &g->item[i]) - g->item]++;
	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i];

		if (item_is_numbered(it) && !answered_id(it) &&
		    size[group_root(g, it) - g->item] == 1)
			part[n++] = it;
	}
	qsort(part, n, sizeof(*part), loose_order);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && loose_cmp(part[i], part[end]) == 0;)
			end++;
		loose_unite(g, part + i, end - i);
	}
}
