/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a number grows with a size: polynomials by least squares. Pure functions. */
#ifndef FIRN_TESTBEDS_FIT_H
#define FIRN_TESTBEDS_FIT_H

#include "testbeds/bench/bench.h"

#define FIT_DEGREE_MAX 5

/* y = c[0] + c[1] x + ... + c[degree] x^degree with the least sum of (weight * residual)^2, by
 * Householder's QR of the columns of x / max |x| (G. H. Golub, Numer. Math. 7 (1965) 206). `weight`
 * NULL: all 1. False when the points do not determine it: fewer different x than coefficients, or
 * something is not finite. */
struct fit_points {
	const double *x, *y, *weight;
	size_t n;
};
bool fit_polynomial(const struct fit_points *p, size_t degree, double *ret_c);

/*
 * Fills constant, linear, quadratic and share of `ret`, and leaves `words` alone. Residuals count
 * relative to y, so that small sizes are not lost beside large ones (those where y is 0 count as
 * the smallest that is not).
 *
 * A quadratic term needs four different x; it is 0 where it would be negative. A linear one needs
 * three. False with fewer, or where something is not finite.
 */
bool fit_growth(const double *x, const double *y, size_t n, struct bench_fit_side *ret);

/* Where the quadratic term makes more than this share of the largest size, growth is called
 * quadratic; under a tenth of it, linear. */
#define FIT_SHARE 0.1

/* "linear in the number of LMBs: 1,120 us and 560 us for each LMB"; "per LMB the time grows
 * linearly, so the whole is quadratic: at 256 LMBs 45 % of it". `largest` is the largest x,
 * `title` ("LMBs") is what x counts. The caller frees. */
char *fit_words(const struct bench_fit_side *f, double largest, const char *title,
		const char *unit);

/* Adds the fit of the medians of a group's metrics to r->fit. False when there are too few of
 * them. */
bool fit_add(struct bench_result *r, const char *group);

#endif
