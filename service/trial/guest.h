/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's root for a kernel that a builder made. Only service/trial/ includes this. */
#ifndef FIRN_TRIAL_GUEST_H
#define FIRN_TRIAL_GUEST_H

#include "base/err.h"

/* Writes DIR/NAME.cpio with our init and the *.ko of the artefact, and finds its kernel. The caller
 * frees both. */
must_check int guest_prepare(const char *artifact, const char *cache_dir, const char *cpio,
			     char **ret_vmlinux, struct err *err);

#endif
