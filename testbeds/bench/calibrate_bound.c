// SPDX-License-Identifier: GPL-2.0-or-later
/* Exact bounds of a binomial probability. */
#include "testbeds/bench/calibrate.h"
#include <math.h>

/* As small as a denominator of the continued fraction may get. */
#define TINY 1e-300
/* It takes about sqrt(max(a, b)) terms. */
#define TERMS_MAX 100000

static double not_zero(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* The continued fraction of the incomplete beta function, DLMF 8.17.22, by the method of Lentz
 * (Applied Optics 15 (1976) 668) as modified by Thompson and Barnett. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), f = d;

	for (int m = 1; m < TERMS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		f *= c * d;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* I_x(a, b), the regularised incomplete beta function. */
static double beta_inc(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	/* The fraction converges fast on this side of the mean. */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The x of I_x(a, b) = want: it grows with x. */
static double beta_inc_inverse(double a, double b, double want)
{
	double low = 0, high = 1;

	for (int i = 0; i < 100 && high - low > 1e-15; i++) {
		double mid = low + (high - low) / 2;

		if (beta_inc(a, b, mid) < want)
			low = mid;
		else
			high = mid;
	}
	return low + (high - low) / 2;
}

double calibrate_upper(unsigned k, unsigned n, double level)
{
	if (k >= n)
		return 1;
	return beta_inc_inverse(k + 1.0, (double)n - k, 1 - level);
}

double calibrate_lower(unsigned k, unsigned n, double level)
{
	if (k == 0 || n == 0)
		return 0;
	return beta_inc_inverse(k, (double)n - k + 1, level);
}

unsigned calibrate_runs_for(double rate, double level)
{
	return (unsigned)ceil(log(level) / log1p(-rate));
}
