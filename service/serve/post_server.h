/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the post role: the servers of the configuration, and their secrets. */
#ifndef FIRN_SERVE_POST_SERVER_H
#define FIRN_SERVE_POST_SERVER_H

#include "base/conf_section.h"
#include "report/smtp.h"
#include "serve/role.h"

#define POST_SECRET_MAX 1024

/* The mail server of [post]; points into the configuration. */
void post_server_read(const struct role_env *env, struct smtp_server *ret);
/* The token of a [patchwork]: read at each use, and never from a file that others can read.
 * ERR_CONFIG. `ret` initialised by the caller, and wiped by it. */
must_check int post_token_read(const struct conf_section *patchwork, struct str *ret,
			       struct err *err);
void post_secret_wipe(struct str *s);

#endif
