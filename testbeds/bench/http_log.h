/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest says about the requests that it made: ../guest/http.c. */
#ifndef FIRN_TESTBEDS_HTTP_LOG_H
#define FIRN_TESTBEDS_HTTP_LOG_H

#include "testbeds/testbed.h"

struct http_log {
	/* Of the measured requests, none of which failed. */
	double requests, ns, bytes, interrupts, switches, packets;
	double p50_ns, p90_ns, p99_ns, max_ns; /* of one request; 0: not said */
};

/* False when there is no such line, a number is missing, absurd or over 2^53, or a request failed:
 * then the times are of something else. The last line of several counts. */
bool http_log_read(const struct boot_result *boot, struct http_log *ret);

#endif
