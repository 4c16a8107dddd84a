/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on standard error. Only commands, jobs and roles call these; libraries fill `struct
 * err`.
 *
 * A message is one line, "firn: " before it; in a role "firn: ROLE: ". When standard error is the
 * journal's own ($JOURNAL_STREAM, systemd.exec(5)), "firn: " gives way to the priority prefix that
 * sd-daemon(3) describes. Control characters are escaped, since much of what is printed was written
 * by strangers: newline and tab stay on a terminal, and in the journal a message stays one entry.
 */
#ifndef FIRN_BASE_LOG_H
#define FIRN_BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO };

void log_at(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_at(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_at(LOG_INFO, __VA_ARGS__)

/* As log_at(), and " KEY=VALUE" for each pair of `fields` behind it (NULL at the end): what
 *programs look for. A value with blanks, quotes or control characters stands in quotes. A pair
 *whose value is NULL is left out:
 *
 *	log_fields(LOG_INFO, (const char *[]){"trial", id, "list", list, NULL}, "trial begins");
 */
void log_fields(enum log_level level, const char *const *fields, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Who speaks from here on: "intake"; NULL: nobody in particular. A constant. */
void log_role(const char *role);

#endif
