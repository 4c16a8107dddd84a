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

/* An axis from a value range to a pixel range. */
struct plot_axis {
	bool log;
	double lo, hi;	 /* values at the ends */
	double from, to; /* pixels at the ends */
	double step;	 /* between ticks: 1, 2 or 5 times a power of ten; log: powers of ten, 0: at
			    2 and 5 times them too */
	int decimals;	 /* of a tick's label */
};

/* Sets step and decimals for about `ticks` ticks. False when the range is empty, not finite, finer
 * than a double, or for a logarithmic axis not positive. */
bool axis_fit(struct plot_axis *a, unsigned ticks);
double axis_at(const struct plot_axis *a, double value);
/* Tick number i, 0 first; false when there is none. */
bool axis_tick(const struct plot_axis *a, unsigned i, double *ret_value);
/* "36,400", and "12 M" where the axis goes over ten millions. */
const char *axis_label(const struct plot_axis *a, double value, char buf[static NUMBER_MAX]);

/* One row of dots each for base and patched, their medians, and the band in which a change could
 * not be seen. `id` is unique in the page: the ids inside begin with it. Followed by a caption that
 * says what the axis shows. */
void plot_samples(struct str *out, const struct metric *m, const char *id);
/* Its axis before axis_fit(): the range of the samples, and some room beside them. */
void plot_samples_range(const struct metric *m, struct plot_axis *a);

/* What spans more than this is drawn on a logarithmic axis. */
#define PLOT_LINEAR_SPAN 16

/* Metrics of one unit along x (ascending, n >= 2, x > 0 where they differ by more than 16 times).
 */
struct plot_curve {
	const char *id;
	const struct metric *const *m;
	size_t n;
};
/* How the medians grow, with the range of the samples. */
void plot_medians(struct str *out, const struct plot_curve *c);
/* The change at each x, with its interval; nothing when there are too many for bars. */
void plot_changes(struct str *out, const struct plot_curve *c);

#endif
