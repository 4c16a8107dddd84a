// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/plot.h"

#include <math.h>

#define TICKS_MAX 12
/* A range narrower than this share of its values is rounding noise of doubles. */
#define FINEST 1e-12
/* A logarithmic axis over less than this has ticks at 2 and 5 times a power of ten too. */
#define FEW_TENS 2.5

static bool fit_log(struct plot_axis *a, unsigned ticks)
{
	double tens;

	/* Powers of ten of what is far from 1 are not doubles any more. */
	if (!(a->lo > 1e-290) || !(a->hi < 1e290) || !(a->hi > a->lo * (1 + FINEST)))
		return false;
	tens = log10(a->hi / a->lo);
	a->step = tens < FEW_TENS ? 0 : fmax(1, ceil(tens / (ticks + 1)));
	return true;
}

bool axis_fit(struct plot_axis *a, unsigned ticks)
{
	double span = a->hi - a->lo, power, rest;

	if (a->log)
		return fit_log(a, ticks);
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
	double share = a->log ? log(value / a->lo) / log(a->hi / a->lo)
			      : (value - a->lo) / (a->hi - a->lo);

	return a->from + share * (a->to - a->from);
}

/* 1, 2, 5, 10, 20 ... or 1, 10, 100 ... or 1, 1000 ..., from the first one that is in the range. */
static bool tick_log(const struct plot_axis *a, unsigned i, double *ret_value)
{
	static const double within[] = {1, 2, 5};
	double power = floor(log10(a->lo)), value = 0;

	if (i >= TICKS_MAX)
		return false;
	for (unsigned k = 0, seen = 0; seen <= i; k++) {
		value = a->step > 0 ? pow(10, power + k * a->step)
				    : pow(10, power + k / 3) * within[k % 3];
		seen += value >= a->lo * (1 - 1e-9);
	}
	if (value > a->hi * (1 + 1e-9))
		return false;
	*ret_value = value;
	return true;
}

bool axis_tick(const struct plot_axis *a, unsigned i, double *ret_value)
{
	double value;

	if (a->log)
		return tick_log(a, i, ret_value);
	value = (ceil(a->lo / a->step - 1e-9) + i) * a->step;
	if (i >= TICKS_MAX || value > a->hi + a->step * 1e-9)
		return false;
	*ret_value = value;
	return true;
}

const char *axis_label(const struct plot_axis *a, double value, char buf[static NUMBER_MAX])
{
	static const struct {
		double from;
		const char *suffix;
	} short_forms[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1, ""}};
	double largest = fmax(fabs(a->lo), fabs(a->hi));
	char digits[NUMBER_MAX];
	unsigned i = 0;
	int decimals = a->decimals;

	if (largest < 1e7)
		i = array_size(short_forms) - 1;
	else
		while (i < array_size(short_forms) - 1 && fabs(value) < short_forms[i].from)
			i++;
	value /= short_forms[i].from;
	if (a->log || short_forms[i].from > 1)
		decimals = value == floor(value) ? 0
						 : (int)fmin(9, fmax(1, ceil(-log10(fabs(value)))));
	snprintf(buf, NUMBER_MAX, "%.390s%s", number_text(value, decimals, digits),
		 short_forms[i].suffix);
	return buf;
}
