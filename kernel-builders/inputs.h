/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes into a kernel besides its tree: the configuration and the sources of guest modules. */
#ifndef FIRN_KERNEL_BUILDERS_INPUTS_H
#define FIRN_KERNEL_BUILDERS_INPUTS_H

#include "base/str.h"
#include "kernel-builders/builder.h"

struct input {
	char *path; /* "config", "modules/pause/pause.c" */
	struct str data;
};

struct inputs {
	struct input *item;
	size_t n, cap;
	char **module; /* names */
	size_t n_modules, modules_cap;
};

/* Reads req->builder->config and req->modules. ERR_CONFIG when something is missing. `ret` must be
 * zeroed and goes to inputs_done() in any case. */
must_check int inputs_read(const struct build_request *req, struct inputs *ret, struct err *err);
/* Writes them below `dir`, where the build user can read them: the data folder may be in a home. */
must_check int inputs_stage(const struct inputs *in, const char *dir, struct err *err);
/* Appends a line for each with its hash. */
void inputs_describe(const struct inputs *in, struct str *s);
void inputs_done(struct inputs *in);

#endif
