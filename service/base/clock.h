/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks and dates. */
#ifndef FIRN_BASE_CLOCK_H
#define FIRN_BASE_CLOCK_H

#include <stdint.h>

/* Seconds on CLOCK_MONOTONIC: for durations. */
double clock_mono(void);
/* Seconds since 1970 UTC. */
int64_t clock_wall(void);

#define CLOCK_ISO_MAX 32
/* "2026-11-30T14:00:00Z" (RFC 3339) into buf; returns buf. */
const char *clock_iso(int64_t t, char buf[static CLOCK_ISO_MAX]);

#define CLOCK_SPAN_MAX 32
/* A duration for people: "0.4 s", "12 s", "3 min 05 s", "1 h 02 min". */
const char *clock_span(double seconds, char buf[static CLOCK_SPAN_MAX]);

#endif
