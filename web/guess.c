// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/guess.h"

#include "base/clock.h"
#include <netinet/in.h>

unsigned guess_row(const struct sockaddr *addr)
{
	const unsigned char *bytes = NULL;
	unsigned hash = 2166136261u; /* FNV-1a */
	size_t n = 0;

	if (addr && addr->sa_family == AF_INET) {
		bytes = (const unsigned char *)&((const struct sockaddr_in *)addr)->sin_addr;
		n = 4;
	} else if (addr && addr->sa_family == AF_INET6) {
		const struct in6_addr *six = &((const struct sockaddr_in6 *)addr)->sin6_addr;
		bool four = IN6_IS_ADDR_V4MAPPED(six);

		bytes = six->s6_addr + (four ? 12 : 0);
		n = four ? 4 : 8;
	}
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash % GUESS_ROWS;
}

unsigned guess_wait(const struct guesses *g, unsigned row)
{
	const struct guess *guess = &g->row[row];
	double left = guess->since + GUESS_S - clock_mono();

	return guess->n >= GUESS_MAX && left > 0 ? (unsigned)left + 1 : 0;
}

void guess_wrong(struct guesses *g, unsigned row)
{
	struct guess *guess = &g->row[row];

	if (!guess->n || clock_mono() >= guess->since + GUESS_S)
		*guess = (struct guess){.since = clock_mono()};
	guess->n++;
}
