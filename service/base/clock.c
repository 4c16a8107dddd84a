// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

double clock_mono(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int64_t clock_wall(void)
{
	return time(NULL);
}

const char *clock_iso(int64_t t, char buf[static CLOCK_ISO_MAX])
{
	time_t tt = t;
	struct tm tm;

	if (!gmtime_r(&tt, &tm) || !strftime(buf, CLOCK_ISO_MAX, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(buf, CLOCK_ISO_MAX, "unknown");
	return buf;
}

const char *clock_span(double seconds, char buf[static CLOCK_SPAN_MAX])
{
	long s;

	/* Reports may hold any number. */
	seconds = seconds > 1e12 ? 1e12 : seconds > -1e12 ? seconds : -1e12;
	s = (long)(seconds + 0.5);

	if (seconds < 9.95)
		snprintf(buf, CLOCK_SPAN_MAX, "%.1f s", seconds);
	else if (s < 120)
		snprintf(buf, CLOCK_SPAN_MAX, "%ld s", s);
	else if (s < 7200)
		snprintf(buf, CLOCK_SPAN_MAX, "%ld min %02ld s", s / 60, s % 60);
	else
		snprintf(buf, CLOCK_SPAN_MAX, "%ld h %02ld min", s / 3600, s / 60 % 60);
	return buf;
}
