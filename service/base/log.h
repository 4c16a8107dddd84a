/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on standard error. Only commands, jobs and roles call these; libraries fill `struct
 * err`. */
#ifndef FIRN_BASE_LOG_H
#define FIRN_BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO };

/* One line, "firn: " before it; control characters other than newline and tab are escaped, since
 * much of what is printed was written by strangers. */
void log_at(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_at(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_at(LOG_INFO, __VA_ARGS__)

#endif
