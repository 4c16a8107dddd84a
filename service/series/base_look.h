/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has this tree what a series wants? Asked of thousands of trees that share most of their folders:
 * each folder is read once, and of it only what is wanted there is remembered.
 */
#ifndef FIRN_SERIES_BASE_LOOK_H
#define FIRN_SERIES_BASE_LOOK_H

#include "series/base_want.h"

struct base_look;

struct base_look *base_look_new(git_odb *odb, const struct base_wants *wants);
void base_look_free(struct base_look *l);
/* Trees that cannot be read hold nothing. */
bool base_look_has(struct base_look *l, const git_oid *tree, const struct base_want *w);

#endif
