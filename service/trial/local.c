// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/launcher.h"

#include "base/fs.h"
#include "base/proc.h"
#include <fcntl.h>
#include <stdio.h>

/* A line longer than this is no progress line. */
#define LINE_MAX_BYTES 4096

struct output {
	const struct launch *launch;
	struct str line;
	struct str tail; /* what was not progress: the reason when a job dies without a result */
};

static void output_line(struct output *o)
{
	unsigned done, total;
	int skip = 0;

	if (sscanf(o->line.buf, "[%u/%u] %n", &done, &total, &skip) == 2 && skip > 0) {
		if (o->launch->on_progress)
			o->launch->on_progress(o->launch->ctx, o->line.buf + skip, done, total);
	} else if (o->line.len) {
		str_adds(&o->tail, o->line.buf);
		str_addc(&o->tail, '\n');
		if (o->tail.len > 2 * (size_t)LINE_MAX_BYTES)
			str_drop(&o->tail, o->tail.len - LINE_MAX_BYTES);
	}
	str_reset(&o->line);
}

static void on_tick(void *ctx)
{
	const struct output *o = ctx;

	if (o->launch->on_tick)
		o->launch->on_tick(o->launch->ctx);
}

static void on_output(void *ctx, const char *data, size_t n)
{
	struct output *o = ctx;

	for (size_t i = 0; i < n; i++) {
		if (data[i] == '\n')
			output_line(o);
		else
			str_addc(&o->line, data[i]);
	}
}

static int job_died(const struct launch *launch, const struct proc_result *r,
		    const struct output *o, struct err *err)
{
	auto_free char *end = proc_end_text(r);
	const char *last = o->tail.buf;

	if (r->end == PROC_TIMED_OUT)
		return err_set(err, ERR_INFRA, "job %s ran out of its time: %s", launch->dir, end);
	/* The last line says most. */
	for (const char *p = last; (p = strchr(p, '\n')) && p[1];)
		last = ++p;
	return err_set(err, ERR_INFRA, "job %s left no result: %s%s%.*s", launch->dir, end,
		       *last ? ": " : "", (int)strcspn(last, "\n"), last);
}

static int local_run(const struct launch *launch, struct err *err)
{
	/* Not a copy that an upgrade may have replaced: the program that is running. */
	const char *argv[] = {"/proc/self/exe", "job", launch->dir, NULL};
	auto_free char *result = xasprintf("%s/result.json", launch->dir);
	struct output o = {.launch = launch};
	struct proc_spec spec = {.argv = argv,
				 .timeout_s = launch->timeout_s,
				 .output_max = 1,
				 .on_output = on_output,
				 .on_tick = on_tick,
				 .ctx = &o};
	auto_proc_result struct proc_result r = {0};
	int rc;

	if (unlink(result) < 0 && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot remove %s", result);
	str_init(&o.line, LINE_MAX_BYTES);
	str_init(&o.tail, 0);
	rc = proc_run(&spec, &r, err);
	if (rc == 0)
		output_line(&o);
	if (rc == 0 && !fs_exists(result))
		rc = job_died(launch, &r, &o, err);
	str_done(&o.line);
	str_done(&o.tail);
	return rc;
}

const struct launcher launcher_local = {.name = "local", .run = local_run};
