/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that depend on their seed alone, on every machine: SplitMix64 (G. L. Steele,
 * D. Lea, C. H. Flood, OOPSLA 2014). */
#ifndef FIRN_BASE_RANDOM_H
#define FIRN_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* One of 0 to n - 1 (n > 0): by multiplication, which is much faster than the remainder (D. Lemire,
 * ACM Trans. Model. Comput. Simul. 29 (2019) 3). The bias for small n is under 1 in 10^15. */
static inline uint64_t splitmix64_below(uint64_t *state, uint64_t n)
{
	return (uint64_t)((unsigned __int128)splitmix64(state) * n >> 64);
}

#endif
