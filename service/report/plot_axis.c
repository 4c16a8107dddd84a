// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/plot.h"

#include <math.h>

#define TICKS_MAX 12
/* A range narrower than this share of its values is rounding noise of doubles. */
#define FINEST 1e-12

bool axis_fit(struct plot_axis *a, unsigned ticks)
{
	double span = a->hi - a->lo, power, rest;

	if (!isfinite(a->lo) || !isfinite(a->hi) || !isfinite(span) ||
	    span <= FINEST * fmax(fabs(a->lo), fabs(a->hi)) || span < 1e-300)
		return false;
	power = pow(10, floor(log10(span / ticks)));
	rest = span / ticks / power;
	a->step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
	a->decimals = (int)fmin(12, fmax(0, -floor(log10(a->step) + 1e-9)));
	return true;
}

double axis_at(const struct plot_axis *a, double value)
{
	return a->from + (value - a->lo) / (a->hi - a->lo) * (a->to - a->from);
}

bool axis_tick(const struct plot_axis *a, unsigned i, double *ret_value)
{
	double value = (ceil(a->lo / a->step - 1e-9) + i) * a->step;

	if (i >= TICKS_MAX || value > a->hi + a->step * 1e-9)
		return false;
	*ret_value = value;
	return true;
}
