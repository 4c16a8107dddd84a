/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: what went wrong, in words, and whose it is.
 *
 * A function that can fail returns 0 or a negative kind and takes a `struct err *` as its last
 * argument. The kind answers the one question that the service asks of an error: whose is it?
 *
 *	return err_set(err, ERR_PATCH, "hunk %u of %s does not apply", n, path);
 *
 * The caller owns the struct; nothing is allocated. Callers that add context use err_wrap(), which
 * puts "context: " before the message and keeps the kind. Libraries fill `err`; only commands, jobs
 * and roles print it.
 */
#ifndef FIRN_BASE_ERR_H
#define FIRN_BASE_ERR_H

#include <stddef.h>

#define must_check __attribute__((warn_unused_result))

/* Room for a message; longer ones are cut, and end in "...". */
#define ERR_MSG_MAX 2048

enum err_kind {
	ERR_NONE = 0,
	ERR_INPUT = -1,	    /* unreadable or incomplete input: we could not find out */
	ERR_PATCH = -2,	    /* the author's: does not apply, does not build, panics */
	ERR_INFRA = -3,	    /* ours: disk, process, tool, network. May go away on a retry */
	ERR_CONFIG = -4,    /* the operator's: configuration, missing package, bad path */
	ERR_USAGE = -5,	    /* the command line is wrong */
	ERR_CANCELLED = -6, /* somebody pressed Ctrl-C or sent SIGTERM */
};

struct err {
	enum err_kind kind;
	char msg[ERR_MSG_MAX];
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		.kind = ERR_NONE                                                                   \
	}

/* Sets kind and message; returns kind, for `return err_set(...)`. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), nonnull(1)));

/* As err_set(), and adds ": " and strerror(errno). ENOSPC and EDQUOT are always ERR_INFRA. */
int err_sys(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), nonnull(1)));

/* As err_set(), and adds ": " and libgit2's message for the last failed call in this thread. */
int err_git(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), nonnull(1)));

/* Puts "context: " before the message; returns the kind, which stays as it was. */
int err_wrap(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), nonnull(1)));

/* "input", "patch", "infra", "config", "usage", "cancelled"; "none" for 0. */
const char *err_kind_name(enum err_kind kind);

/* The exit code of a command that ends with this kind: 1 patch, 2 input, infra and config, 64 usage
 * (EX_USAGE of sysexits.h), 130 cancelled (128 + SIGINT, as shells have it). */
int err_exit_code(enum err_kind kind);

#endif
