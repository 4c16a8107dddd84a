// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/assign.h"

#include "base/str.h"
#include <limits.h>
#include <stdint.h>

/* Steps of the innermost loop: about two seconds. */
#define STEPS_MAX ((double)2e9)
/* Entries of a table: 200 MB. */
#define TABLE_MAX ((double)25e6)

static size_t root(size_t *up, size_t i)
{
	while (up[i] != i) {
		up[i] = up[up[i]];
		i = up[i];
	}
	return i;
}

/* Rows and cols of one part, in order; their places in it are in `place`. */
struct part {
	size_t *row, *col;
	size_t rows, cols;
};

/* Kuhn's method with potentials, one row after the other, as in R. Jonker and A. Volgenant, "A
 * Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment Problems", 1987. Needs
 * rows <= cols; index 0 is nobody's. `cost` has (cols + 1) entries a row. */
struct solver {
	const long *cost;
	size_t rows, cols;
	long *row_price, *col_price, *least;
	size_t *row_of, *before; /* of each col */
	bool *used;
};

/* Takes the nearest free col into the tree; returns it. */
static size_t tree_grow(struct solver *s, size_t col)
{
	size_t row = s->row_of[col], next = 0;
	long delta = LONG_MAX;

	s->used[col] = true;
	for (size_t j = 1; j <= s->cols; j++) {
		long slack;

		if (s->used[j])
			continue;
		slack = s->cost[row * (s->cols + 1) + j] - s->row_price[row] - s->col_price[j];
		if (slack < s->least[j]) {
			s->least[j] = slack;
			s->before[j] = col;
		}
		if (s->least[j] < delta) {
			delta = s->least[j];
			next = j;
		}
	}
	for (size_t j = 0; j <= s->cols; j++) {
		if (s->used[j]) {
			s->row_price[s->row_of[j]] += delta;
			s->col_price[j] -= delta;
		} else {
			s->least[j] -= delta;
		}
	}
	return next;
}

static void row_add(struct solver *s, size_t row)
{
	size_t col = 0;

	s->row_of[0] = row;
	for (size_t j = 0; j <= s->cols; j++) {
		s->least[j] = LONG_MAX / 4;
		s->used[j] = false;
	}
	do
		col = tree_grow(s, col);
	while (s->row_of[col]);
	for (size_t from; col; col = from) {
		from = s->before[col];
		s->row_of[col] = s->row_of[from];
	}
}

/* Fills `row_of` of each col from 1 on; 0: nobody. */
static void solve(const long *cost, size_t rows, size_t cols, size_t *row_of)
{
	auto_free long *row_price = xcalloc(rows + 1, sizeof(long));
	auto_free long *col_price = xcalloc(cols + 1, sizeof(long));
	auto_free long *least = xcalloc(cols + 1, sizeof(long));
	auto_free size_t *before = xcalloc(cols + 1, sizeof(size_t));
	auto_free bool *used = xcalloc(cols + 1, sizeof(bool));
	struct solver s = {cost, rows, cols, row_price, col_price, least, row_of, before, used};

	for (size_t row = 1; row <= rows; row++)
		row_add(&s, row);
}

static int gain_order(const void *pa, const void *pb)
{
	const struct assign_pair *a = pa, *b = pb;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->col > b->col) - (a->col < b->col);
}

static void greedy(struct assign_pair *pair, size_t n, size_t cols, size_t *ret_col)
{
	auto_free bool *taken = xcalloc(cols, sizeof(*taken));

	qsort(pair, n, sizeof(*pair), gain_order);
	for (size_t i = 0; i < n; i++) {
		if (ret_col[pair[i].row] != ASSIGN_NONE || taken[pair[i].col])
			continue;
		ret_col[pair[i].row] = pair[i].col;
		taken[pair[i].col] = true;
	}
}

static size_t place_of(const size_t *sorted, size_t n, size_t value)
{
	size_t lo = 0, hi = n;

	while (lo + 1 < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sorted[mid] <= value)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static void part_solve(const struct part *p, const struct assign_pair *pair, size_t n,
		       size_t *ret_col)
{
	bool flip = p->rows > p->cols;
	size_t rows = flip ? p->cols : p->rows, cols = flip ? p->rows : p->cols;
	auto_free long *cost = xcalloc((rows + 1) * (cols + 1), sizeof(*cost));
	auto_free size_t *row_of = xcalloc(cols + 1, sizeof(*row_of));

	for (size_t i = 0; i < n; i++) {
		size_t row = place_of(p->row, p->rows, pair[i].row) + 1;
		size_t col = place_of(p->col, p->cols, pair[i].col) + 1;

		cost[(flip ? col : row) * (cols + 1) + (flip ? row : col)] = -pair[i].gain;
	}
	solve(cost, rows, cols, row_of);
	for (size_t j = 1; j <= cols; j++) {
		size_t i = row_of[j];

		if (!i || !cost[i * (cols + 1) + j]) /* together for want of anybody else */
			continue;
		ret_col[p->row[(flip ? j : i) - 1]] = p->col[(flip ? i : j) - 1];
	}
}

static int number_order(const void *pa, const void *pb)
{
	const size_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static size_t numbers_unique(size_t *number, size_t n)
{
	size_t kept = 0;

	qsort(number, n, sizeof(*number), number_order);
	for (size_t i = 0; i < n; i++)
		if (!kept || number[kept - 1] != number[i])
			number[kept++] = number[i];
	return kept;
}

static bool part_assign(struct assign_pair *pair, size_t n, size_t cols, size_t *ret_col)
{
	auto_free size_t *row = xcalloc(n, sizeof(*row)), *col = xcalloc(n, sizeof(*col));
	struct part p = {.row = row, .col = col};
	double less, more;

	for (size_t i = 0; i < n; i++) {
		row[i] = pair[i].row;
		col[i] = pair[i].col;
	}
	p.rows = numbers_unique(row, n);
	p.cols = numbers_unique(col, n);
	less = (double)(p.rows < p.cols ? p.rows : p.cols);
	more = (double)(p.rows < p.cols ? p.cols : p.rows);
	if (less * less * more > STEPS_MAX || less * more > TABLE_MAX) {
		greedy(pair, n, cols, ret_col);
		return false;
	}
	part_solve(&p, pair, n, ret_col);
	return true;
}

struct keyed {
	size_t key;
	struct assign_pair pair;
};

static int keyed_order(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->pair.row != b->pair.row)
		return a->pair.row < b->pair.row ? -1 : 1;
	return (a->pair.col > b->pair.col) - (a->pair.col < b->pair.col);
}

/* Sorts the pairs so that each part's are together; `key` of each is its part. */
static void parts_sort(struct assign_pair *pair, size_t n, size_t rows, size_t *key)
{
	auto_free struct keyed *keyed = xcalloc(n, sizeof(*keyed));
	auto_free size_t *up = NULL;
	size_t nodes = rows;

	for (size_t i = 0; i < n; i++)
		if (rows + pair[i].col >= nodes)
			nodes = rows + pair[i].col + 1;
	up = xcalloc(nodes, sizeof(*up));
	for (size_t i = 0; i < nodes; i++)
		up[i] = i;
	for (size_t i = 0; i < n; i++) {
		size_t a = root(up, pair[i].row), b = root(up, rows + pair[i].col);

		up[a > b ? a : b] = a > b ? b : a;
	}
	for (size_t i = 0; i < n; i++)
		keyed[i] = (struct keyed){root(up, pair[i].row), pair[i]};
	qsort(keyed, n, sizeof(*keyed), keyed_order);
	for (size_t i = 0; i < n; i++) {
		pair[i] = keyed[i].pair;
		key[i] = keyed[i].key;
	}
}

bool assign(struct assign_pair *pair, size_t n, size_t rows, size_t cols, size_t *ret_col)
{
	auto_free size_t *key = xcalloc(n, sizeof(*key));
	bool best = true;

	for (size_t i = 0; i < rows; i++)
		ret_col[i] = ASSIGN_NONE;
	parts_sort(pair, n, rows, key);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && key[end] == key[i];)
			end++;
		best &= part_assign(pair + i, end - i, cols, ret_col);
	}
	return best;
}
