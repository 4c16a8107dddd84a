/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The linear assignment problem, with the choice to leave somebody alone. */
#ifndef FIRN_SERIES_ASSIGN_H
#define FIRN_SERIES_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>

#define ASSIGN_NONE SIZE_MAX

/* What is gained by pairing row and col; more than nothing. */
struct assign_pair {
	size_t row, col;
	long gain;
};

/*
 * Pairs each row with at most one col and each col with at most one row, so that the gains together
 * are the largest. Fills `ret_col` of each row (ASSIGN_NONE: alone). `pair` may be sorted anew.
 *
 * Rows and cols that have nothing to do with each other are solved apart, each by shortest
 * augmenting paths in cubic time; a part so large that this would take more than some seconds is
 * paired greedily, and the result is false.
 */
bool assign(struct assign_pair *pair, size_t n, size_t rows, size_t cols, size_t *ret_col);

#endif
