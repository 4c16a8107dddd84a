// SPDX-License-Identifier: GPL-2.0-or-later
/* One command of a build, in its sandbox. */
#include "base/clock.h"
#include "kernel-builders/build.h"
#include "kernel-builders/words.h"
#include "sandbox/sandbox.h"
#include <string.h>

#define MIB (1UL << 20)

unsigned build_jobs(const struct build_request *req)
{
	long cpus = req->jobs ? (long)req->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < 1 ? 1 : cpus > 512 ? 512 : (unsigned)cpus;
}

/* More than it may have of something. A build that goes on without what it was refused is not to be
 * relied on, however it ended. */
static int over_limit(struct build *b, const char *over, struct err *err)
{
	build_log_note(&b->log, "a limit of the sandbox was reached: %s", over);
	return err_set(err, ERR_INFRA, "the build was stopped: it wanted %s", over);
}

/* What the end of a command that failed says about whose fault it is. */
static int end_of_failed(struct build *b, const struct proc_result *r, struct err *err)
{
	auto_free char *end = proc_end_text(r);

	/* bwrap says so of the command that it ran: make has no such statuses itself. */
	if (r->end == PROC_EXITED && r->code > 128)
		return err_set(err, ERR_INFRA, "the build ended by signal %d (%s)", r->code - 128,
			       strsignal(r->code - 128));
	if (r->end == PROC_TIMED_OUT)
		return err_set(err, ERR_INFRA, "the build ended by time-out after %.0f s",
			       b->req->timeout_s);
	if (r->end != PROC_EXITED)
		return err_set(err, ERR_INFRA, "the build ended by %s", end);
	if (b->log.found.infra)
		return err_set(err, ERR_INFRA, "the machine failed the build: %s",
			       b->log.found.infra);
	build_log_note(&b->log, "the command ended with %s", end);
	b->ret->outcome = OUTCOME_FAIL;
	return 0;
}

int build_command(struct build *b, const struct words *command, struct err *err)
{
	const struct build_request *req = b->req;
	auto_free char *over = NULL;
	struct sandbox_spec spec = {
		.argv = (const char *const *)command->word,
		.bind = {{b->worktree.src, "/src", false},
			 {b->objects.dir, "/build", true},
			 {b->stage_dir, "/stage", false}},
		.chdir = "/build",
		.processes = 256 + 16 * build_jobs(req),
		.tmp_bytes = 1024 * MIB, /* gcc's assembler files, one a job */
		.output_max = 65536,
		.total_bytes = req->memory_max,
		.disk_bytes = req->disk_max,
		.ret_over = &over,
		.on_output = build_log_feed,
		.ctx = &b->log,
	};
	auto_proc_result struct proc_result r = {0};
	int rc;

	if (req->timeout_s > 0) {
		spec.timeout_s = b->started + req->timeout_s - clock_mono();
		if (spec.timeout_s <= 0)
			return err_set(err, ERR_INFRA, "the build ended by time-out after %.0f s",
				       req->timeout_s);
	}
	rc = sandbox_run(&spec, &r, err);
	if (rc == 0)
		rc = build_log_flush(&b->log, err);
	if (rc < 0)
		return rc;
	if (over)
		return over_limit(b, over, err);
	b->ret->outcome = OUTCOME_PASS;
	return r.end == PROC_EXITED && r.code == 0 ? 0 : end_of_failed(b, &r, err);
}
