// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/stats.h"

#include "base/str.h"

/* A probability and whose it is. */
struct place {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	double x = ((const struct place *)a)->p, y = ((const struct place *)b)->p;

	return (x > y) - (x < y);
}

void stats_holm(const double *p, size_t n, double *ret_adjusted)
{
	auto_free struct place *place = xcalloc(n, sizeof(*place));
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		place[i] = (struct place){p[i], i};
	qsort(place, n, sizeof(*place), by_p);
	for (size_t i = 0; i < n; i++) {
		double adjusted = place[i].p * (double)(n - i);

		/* One that is rejected only after another cannot be surer than that. */
		if (adjusted > largest)
			largest = adjusted;
		ret_adjusted[place[i].at] = largest < 1 ? largest : 1;
	}
}
