/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside report/: plots as inline SVG for the HTML view. Shapes carry classes, and report.css gives
 * them their colours for light and dark. Base and patched differ in shape too (discs, diamonds),
 * for readers who don't see the colours. Each plot has a title and a description for screen
 * readers. Numbers come from a report, so any of them may be absurd: a plot that cannot be drawn
 * says so in words instead.
 */
#ifndef FIRN_REPORT_PLOT_H
#define FIRN_REPORT_PLOT_H

#include "report/metric.h"

/* A linear axis from a value range to a pixel range. */
struct plot_axis {
	double lo, hi;	 /* values at the ends */
	double from, to; /* pixels at the ends */
	double step;	 /* between ticks: 1, 2 or 5 times a power of ten */
	int decimals;	 /* of a tick's label */
};

/* Sets step and decimals for about `ticks` ticks. False when the range is empty, not finite or
 * finer than a double. */
bool axis_fit(struct plot_axis *a, unsigned ticks);
double axis_at(const struct plot_axis *a, double value);
/* Tick number i, 0 first; false when there is none. */
bool axis_tick(const struct plot_axis *a, unsigned i, double *ret_value);

/* One row of dots each for base and patched, their medians, and the band in which a change could
 * not be seen. `id` is unique in the page: the ids inside begin with it. Followed by a caption that
 * says what the axis shows. */
void plot_samples(struct str *out, const struct metric *m, const char *id);

/* For one bench in several sizes (ascending, n >= 2): how the medians grow with the size, and the
 * change at each size. */
void plot_growth(struct str *out, const struct metric *m, size_t n, const char *id);

#endif
