// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

#include <errno.h>
#include <git2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 3, 0)))
err_vset(struct err *err, enum err_kind kind, const char *fmt, va_list ap)
{
	int n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);

	if (n >= (int)sizeof(err->msg))
		memcpy(err->msg + sizeof(err->msg) - 4, "...", 4);
	err->kind = kind;
}

static void err_append(struct err *err, const char *text)
{
	size_t len = strlen(err->msg);

	snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", text);
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, kind, fmt, ap);
	va_end(ap);
	return kind;
}

int err_sys(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (saved == ENOSPC || saved == EDQUOT || saved == EIO || saved == EMFILE)
		kind = ERR_INFRA;
	va_start(ap, fmt);
	err_vset(err, kind, fmt, ap);
	va_end(ap);
	err_append(err, strerror(saved));
	return kind;
}

int err_git(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	const git_error *git = git_error_last();
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, kind, fmt, ap);
	va_end(ap);
	err_append(err, git && git->message ? git->message : "no message from libgit2");
	return kind;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
	struct err old = *err;
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, old.kind, fmt, ap);
	va_end(ap);
	err_append(err, old.msg);
	return old.kind;
}

const char *err_kind_name(enum err_kind kind)
{
	switch (kind) {
	case ERR_NONE: return "none";
	case ERR_INPUT: return "input";
	case ERR_PATCH: return "patch";
	case ERR_INFRA: return "infra";
	case ERR_CONFIG: return "config";
	case ERR_USAGE: return "usage";
	case ERR_CANCELLED: return "cancelled";
	}
	return "unknown";
}

int err_exit_code(enum err_kind kind)
{
	switch (kind) {
	case ERR_NONE: return 0;
	case ERR_PATCH: return 1;
	case ERR_INPUT:
	case ERR_INFRA:
	case ERR_CONFIG: return 2;
	case ERR_USAGE: return 64;
	case ERR_CANCELLED: return 130;
	}
	return 2;
}
