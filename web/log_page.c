// SPDX-License-Identifier: GPL-2.0-or-later
/* /trial/ID/log/PATH: a log as it is. */
#include "web/log.h"
#include "web/trial_read.h"
#include "web/work_file.h"
#include <microhttpd.h>

/* "firn-12-03-build-base-log.txt" */
static char *file_name(const struct store_trial *t, const char *log)
{
	auto_free char *name = xstrdup(log + strlen("jobs/"));

	for (char *c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
			    *c))
			*c = '-';
	return xasprintf("inline; filename=\"firn-%lld-%s.txt\"", (long long)t->id, name);
}

/* Only what a reader asks for in digits: where a piece begins. */
static int64_t piece_from(const struct request *q, int64_t size)
{
	const char *s = query(q, "from");
	size_t n = strlen(s);
	int64_t from = n && n <= 18 && strspn(s, "0123456789") == n ? strtoll(s, NULL, 10) : 0;

	return from < size ? from : size;
}

void page_log(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	struct store *store = NULL;
	int64_t size = 0, from;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	auto_fd int fd = t.work_dir ? log_open(t.work_dir, q->rest, &size) : -1;
	if (fd < 0) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "There is no such log: only those of jobs are served, while the work "
			      "folder of the trial is there.");
		return;
	}
	from = piece_from(q, size);
	size -= from;
	if (!work_read(fd, from, size < LOG_PIECE_MAX ? (size_t)size : LOG_PIECE_MAX, &r->body)) {
		respond_error(q, r, MHD_HTTP_INTERNAL_SERVER_ERROR, "The log cannot be read.");
		return;
	}
	/* Bytes of a guest: a browser shows them as text and does nothing else. */
	r->type = "text/plain; charset=utf-8";
	r->csp = xstrdup("default-src 'none'; sandbox; frame-ancestors 'none'");
	r->disposition = file_name(&t, q->rest);
}
