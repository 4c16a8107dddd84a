/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the output of a build goes: to the log file, to the reader of complaints, and as progress
 * to the caller. */
#ifndef FIRN_KERNEL_BUILDERS_BUILD_LOG_H
#define FIRN_KERNEL_BUILDERS_BUILD_LOG_H

#include "base/str.h"
#include "kernel-builders/diagnostic.h"

struct build_log {
	int fd;
	size_t room;	 /* bytes that the file may still grow by */
	struct str line; /* what has come of the present line */
	/* Its beginning is held back until it is seen that it does not pass for a line of ours. */
	char head[8];
	size_t n_head;
	bool headless;	/* it went on */
	struct str out; /* what goes into the file next */
	char *last;	/* last line that was not empty; NULL */
	unsigned n_lines;
	double told; /* when progress was reported last */
	int error;   /* errno of the first write that failed */
	const struct build_request *req;
	struct diagnostics found;
};

/* Creates req->log_path, emptying it. */
must_check int build_log_open(const struct build_request *req, struct build_log *ret,
			      struct err *err);
/* Takes output in pieces: a struct build_log as `log`, for on_output of the sandbox. */
void build_log_feed(void *log, const char *data, size_t n);
/* Writes a line of our own, "firn: ...", which is not looked at. */
void build_log_note(struct build_log *log, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The output of a command has ended, perhaps within a line. ERR_INFRA when the log could not be
 * written. */
must_check int build_log_flush(struct build_log *log, struct err *err);
void build_log_close(struct build_log *log);

#endif
