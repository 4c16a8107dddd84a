/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that can be said of a configuration before it is used: what conf_read() finds, names that a
 * table must know, files and repositories that it names, and what does not go together.
 */
#ifndef FIRN_SERVE_CONFIG_CHECK_H
#define FIRN_SERVE_CONFIG_CHECK_H

#include "base/conf.h"

/* Called with "FILE:LINE: what is wrong". Each may be NULL. */
struct config_checker {
	void (*on_mistake)(void *ctx, const char *message);
	void (*on_warning)(void *ctx, const char *message); /* may be meant so */
	void *ctx;
};

/* Reads `path` into `ret` (zeroed by the caller, to be freed by him after a failure too) and tells
 * of every mistake. ERR_CONFIG when there is one; it counts them. */
must_check int config_check(const char *path, const struct config_checker *checker,
			    struct conf *ret, struct err *err);

#endif
