/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the socket that connections come to. */
#ifndef FIRN_WEB_LISTEN_H
#define FIRN_WEB_LISTEN_H

#include "web/web.h"

/* ERR_CONFIG when the address or the port cannot be had. */
must_check int listen_socket(const struct web_options *opt, int *ret_fd, struct err *err);
uint16_t listen_port(int fd);

#endif
