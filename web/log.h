/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside web/: the logs of a trial, JOB/log and what a benchmark's boots said, below jobs/ in its
 * work folder. The names come from readers and the text from guests that may be hostile: only
 * regular files below the folder are read, whatever links stand there, and what is shown has no
 * control characters.
 */
#ifndef FIRN_WEB_LOG_H
#define FIRN_WEB_LOG_H

#include "base/str.h"
#include <stdint.h>

#define LOG_TAIL_MAX  (256 * 1024)
#define LOG_PIECE_MAX (8 << 20) /* of a log as it is, in one answer */
#define LOG_LINE_MAX  2000	/* bytes of a line that are shown */
#define LOG_LIST_MAX  1000

/* "jobs/03-build-base/log", and *.console, *.profile and *.log beside it. */
bool log_name_ok(const char *name);
/* Opens one of them for reading. No component may be a symbolic link, and the file must be a
 * regular one. -1: it is not there, or is none. */
int log_open(const char *work_dir, const char *name, int64_t *ret_size);

/* Names for log_open(). */
struct log_list {
	char **name;
	size_t n, cap;
	bool more;
};
void log_list_done(struct log_list *l);
#define auto_log_list __attribute__((cleanup(log_list_done)))
/* The logs of a step's jobs, in the order in which they ran; of all steps for NULL. `ret` zeroed.
 */
void log_list_jobs(const char *work_dir, const char *step, struct log_list *ret);
/* What else the jobs of a step left: consoles, profiles. */
void log_list_others(const char *work_dir, const char *step, struct log_list *ret);

/* The last LOG_TAIL_MAX bytes of it, from the beginning of a line on: as they are. `*ret_from` is
 * where they begin. False when it cannot be read. */
bool log_tail(int fd, int64_t size, struct str *ret, int64_t *ret_from);

/* Appends it as lines of plain text that are safe on a terminal and in a page (where it still needs
 * html_text()): escape sequences for colours and the cursor are left out, other control characters
 * and what is not UTF-8 are made visible, lines are cut at LOG_LINE_MAX. */
void log_text(struct str *out, const char *s, size_t n);

/* Follows the log of what runs: the newest job's. */
struct log_follow {
	char *name; /* of the log; NULL: none yet */
	int64_t at; /* what is before has been told */
};
void log_follow_done(struct log_follow *f);
/* Goes on where a reader stopped. False, and nothing changes, for what is no name of a log. */
bool log_follow_from(struct log_follow *f, const char *name, int64_t at);
/* Appends what was written since, by log_text(): whole lines, at most some 64 KiB at a time, of one
 * log. A log seen for the first time begins with its tail. False when there is nothing new.
 * `*ret_new` says that another log has begun, `f->name`. */
bool log_follow(struct log_follow *f, const char *work_dir, const char *step, struct str *out,
		bool *ret_new);

#endif
