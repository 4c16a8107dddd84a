/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: who sent how many wrong tokens of late. Kept in memory, in a table of one size: two
 * addresses may share a row, and then share its limit. */
#ifndef FIRN_WEB_GUESS_H
#define FIRN_WEB_GUESS_H

#include <stdbool.h>
#include <sys/socket.h>

#define GUESS_ROWS 256
#define GUESS_MAX  10 /* wrong ones of an address in GUESS_S */
#define GUESS_S	   60

struct guesses {
	struct guess {
		double since; /* clock_mono() of the first */
		unsigned n;
	} row[GUESS_ROWS];
};

/* The row of an address: of an IPv6 one the /64, which is one customer's. */
unsigned guess_row(const struct sockaddr *addr);
/* How many seconds this row has to wait; 0: it may try. */
unsigned guess_wait(const struct guesses *g, unsigned row);
void guess_wrong(struct guesses *g, unsigned row);

#endif
