// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/build_log.h"

#include "base/clock.h"
#include <fcntl.h>

/* A patched Makefile can print for ever. */
#define LOG_MAX	       ((size_t)64 << 20)
#define LINE_MAX_BYTES 4096
#define TELL_S	       0.1
#define OURS	       "firn: "

int build_log_open(const struct build_request *req, struct build_log *ret, struct err *err)
{
	*ret = (struct build_log){.req = req, .room = LOG_MAX};
	str_init(&ret->line, LINE_MAX_BYTES);
	str_init(&ret->out, 0);
	ret->fd = open(req->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return ret->fd < 0 ? err_sys(err, ERR_INFRA, "cannot create %s", req->log_path) : 0;
}

void build_log_close(struct build_log *log)
{
	fd_cleanup(&log->fd);
	if (log->line.buf)
		str_done(&log->line);
	if (log->out.buf)
		str_done(&log->out);
	free(log->last);
	diagnostics_done(&log->found);
	*log = (struct build_log){.fd = -1};
}

static void log_write(struct build_log *log, const char *data, size_t n)
{
	static const char full[] = "\nfirn: the log is full; what follows is left out\n";

	if (!log->room || log->error)
		return;
	if (n >= log->room) {
		log->room = 0;
		data = full;
		n = strlen(full);
	} else {
		log->room -= n;
	}
	while (n) {
		ssize_t w = write(log->fd, data, n);

		if (w < 0 && errno != EINTR) {
			log->error = errno;
			return;
		}
		data += w > 0 ? w : 0;
		n -= w > 0 ? (size_t)w : 0;
	}
}

/* "  CC      mm/memory.o" becomes "CC mm/memory.o". */
static void tell(struct build_log *log, const char *line)
{
	size_t verb = strcspn(line, " "), gap = strspn(line + verb, " ");
	double now = clock_mono();
	auto_free char *what = NULL;

	if (!log->req->on_progress || !verb || !gap || !line[verb + gap] ||
	    now - log->told < TELL_S)
		return;
	log->told = now;
	what = xasprintf("%.*s %s", (int)verb, line, line + verb + gap);
	log->req->on_progress(log->req->ctx, what, log->n_lines);
}

static void line_end(struct build_log *log)
{
	const char *line = log->line.buf;

	log->n_lines++;
	if (diagnostics_read_unit(&log->found, line))
		tell(log, line + 2);
	else
		diagnostics_read(&log->found, line);
	if (log->line.len) {
		free(log->last);
		log->last = xstrdup(line);
	}
	str_reset(&log->line);
}

/* Lines of ours are told by how they begin: one of the build's that begins so gets a blank. */
static void head_end(struct build_log *log)
{
	if (log->n_head == strlen(OURS) && memcmp(log->head, OURS, log->n_head) == 0)
		str_addc(&log->out, ' ');
	str_add(&log->out, log->head, log->n_head);
	log->n_head = 0;
	log->headless = true;
}

static void part_add(struct build_log *log, const char *data, size_t n)
{
	while (n && !log->headless) {
		log->head[log->n_head++] = *data++;
		n--;
		if (log->n_head == strlen(OURS))
			head_end(log);
	}
	str_add(&log->out, data, n);
}

static void line_break(struct build_log *log)
{
	if (!log->headless)
		head_end(log);
	str_addc(&log->out, '\n');
	log->headless = false;
}

static void out_flush(struct build_log *log)
{
	log_write(log, log->out.buf, log->out.len);
	str_reset(&log->out);
}

void build_log_feed(void *ctx, const char *data, size_t n)
{
	struct build_log *log = ctx;

	while (n) {
		const char *end = memchr(data, '\n', n);
		size_t part = end ? (size_t)(end - data) : n;

		part_add(log, data, part);
		str_add(&log->line, data, part);
		if (end) {
			line_break(log);
			line_end(log);
		}
		part += end ? 1 : 0;
		data += part;
		n -= part;
	}
	out_flush(log);
}

void build_log_note(struct build_log *log, const char *fmt, ...)
{
	auto_str struct str s;
	va_list ap;

	str_init(&s, LINE_MAX_BYTES);
	str_adds(&s, OURS);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	log_write(log, s.buf, s.len);
	log_write(log, "\n", 1);
}

int build_log_flush(struct build_log *log, struct err *err)
{
	if (log->n_head || log->headless)
		line_break(log);
	out_flush(log);
	if (log->line.len)
		line_end(log);
	if (log->error) {
		errno = log->error;
		return err_sys(err, ERR_INFRA, "cannot write %s", log->req->log_path);
	}
	return 0;
}
