/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines for people to copy into a POSIX shell. */
#ifndef FIRN_TRIAL_SHELL_H
#define FIRN_TRIAL_SHELL_H

#include "base/str.h"

/* Appends a blank and the word, in quotes where it needs them. */
void shell_add(struct str *out, const char *word);
/* Appends " --option value"; nothing when `value` is NULL. */
void shell_add_option(struct str *out, const char *option, const char *value);

#endif
