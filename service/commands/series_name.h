/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people call a series. */
#ifndef FIRN_COMMANDS_SERIES_NAME_H
#define FIRN_COMMANDS_SERIES_NAME_H

#include "commands/service.h"

/* "<ID@HOST>", "ID@HOST", or a link to a public-inbox or a Patchwork: to a message ID. What
 * Patchwork knows by a number alone is looked up in the store. ERR_USAGE when it is none of these,
 * ERR_INPUT when the store does not know the number. The caller frees. */
must_check int series_name(struct service *s, const char *text, char **ret_message_id,
			   struct err *err);
/* A trial: its number, or the newest of the series of that name. ERR_INPUT when there is none. */
must_check int trial_name(struct service *s, const char *text, int64_t *ret_trial, struct err *err);

#endif
