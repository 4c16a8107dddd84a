/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that a builder made, as guests: the modules that go with them, their root file system. */
#ifndef FIRN_TRIAL_GUEST_H
#define FIRN_TRIAL_GUEST_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

/* Folders of the guest modules that every kernel is built with: an array of paths. */
json_t *guest_modules(void);

/* Why the artefact has no guest module of that name, in words; NULL when it has. The caller frees.
 */
char *guest_module_missing(const char *artifact, const char *module);

/* Writes DIR/NAME.cpio with our init and the *.ko of the artefact, and finds its kernel. The caller
 * frees both. */
must_check int guest_prepare(const char *artifact, const char *cache_dir, const char *cpio,
			     char **ret_vmlinux, struct err *err);

/* Are the images of two artefacts the same, byte for byte? */
must_check int guest_same_image(const char *artifact_a, const char *artifact_b, bool *ret_same,
				struct err *err);

#endif
