// SPDX-License-Identifier: GPL-2.0-or-later
/* `firn log`: what the tools of a trial's jobs printed. A job's folder is WORK/jobs/NN-STEP[-PART],
 * see trial_job_run(). */
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/str.h"
#include "commands/series_name.h"
#include "commands/service.h"
#include "store/objects.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define LOOK_MS 300

struct log_options {
	struct service_options service;
	bool follow, json;
};
static const struct option_row options[] = {
	SERVICE_OPTIONS(struct log_options),
	{"follow", 'f', .type = OPTION_FLAG, .help = "go on until the step, or the trial, ends",
	 .offset = offsetof(struct log_options, follow)},
	{"json", 0, .type = OPTION_FLAG,
	 .help = "the steps as JSON, as /api/v1/trials/N/steps has them",
	 .offset = offsetof(struct log_options, json)},
	{0},
};

/* What strangers' tools print reaches a terminal without its escapes; a file gets the bytes. */
static void print_bytes(const char *s, size_t n)
{
	if (!isatty(STDOUT_FILENO)) {
		fwrite(s, 1, n, stdout);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			printf("\\x%02x", c);
		else
			putchar(c);
	}
}

/* From `*at` on, to the end for now. A log that is not there yet is empty. */
static void print_from(const char *path, off_t *at)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char buf[65536];
	ssize_t n;

	while (fd >= 0 && (n = pread(fd, buf, sizeof(buf), *at)) > 0) {
		print_bytes(buf, (size_t)n);
		*at += n;
	}
	fflush(stdout);
}

static bool belongs(const char *job, const char *step)
{
	const char *name = job + strspn(job, "0123456789");
	size_t n = step ? strlen(step) : 0;

	if (name == job || *name++ != '-')
		return false;
	return !step || (strncmp(name, step, n) == 0 && (!name[n] || name[n] == '-'));
}

struct jobs {
	char *dir;
	struct dirent **job; /* by name, which is by time */
	int n;
};

static int compare(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static void jobs_list(struct jobs *j)
{
	j->n = scandir(j->dir, &j->job, NULL, compare);
}

static void jobs_done(struct jobs *j)
{
	for (int i = 0; i < j->n; i++)
		free(j->job[i]);
	if (j->n >= 0)
		free(j->job);
	j->n = 0;
	j->job = NULL;
}

/* Where reading stopped: everything up to this job is printed, and of it so many bytes. */
struct position {
	char *job; /* NULL: at the beginning */
	off_t at;
};

static void print_new(struct jobs *j, const char *step, struct position *p)
{
	jobs_list(j);
	for (int i = 0; i < j->n; i++) {
		const char *name = j->job[i]->d_name;
		int order = p->job ? strverscmp(name, p->job) : 1;
		auto_free char *path = xasprintf("%s/%s/log", j->dir, name);

		if (!belongs(name, step) || order < 0)
			continue;
		if (order > 0) {
			printf("==> %s\n", name);
			free(p->job);
			*p = (struct position){.job = xstrdup(name)};
		}
		print_from(path, &p->at);
	}
	jobs_done(j);
}

static bool ended(const struct store_queued *q)
{
	return q->state == STORE_TRIAL_FINISHED || q->state == STORE_TRIAL_CANCELLED;
}

/* A part of a step ("build-base") ends with the trial. */
static int is_over(struct service *s, const struct store_queued *q, const char *step,
		   bool *ret_over, struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	bool over = ended(q);
	int rc = step && !over ? store_step_list(s->store, q->id, &l, err) : 0;

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < l.n && !over; i++)
		over = strcmp(l.step[i].name, step) == 0 && l.step[i].state == STORE_STEP_DONE;
	*ret_over = over;
	return 0;
}

/* NULL: it has none yet, or none any more. */
static char *jobs_dir(const struct store_queued *q)
{
	return q->work_dir ? xasprintf("%s/jobs", q->work_dir) : NULL;
}

static int print_logs(struct service *s, int64_t trial, const char *step, bool follow,
		      struct err *err)
{
	struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};
	struct position p = {0};
	bool over = false;
	int rc = 0;

	while (rc == 0 && !over && !cancel_requested()) {
		struct store_queued q = {0};
		struct jobs j = {0};

		rc = store_queue_get(s->store, trial, &q, err);
		/* Asked before the last look, so that nothing is missed. */
		over = !follow;
		if (rc == 0 && follow)
			rc = is_over(s, &q, step, &over, err);
		j.dir = jobs_dir(&q);
		if (j.dir)
			print_new(&j, step, &p);
		free(j.dir);
		store_queued_done(&q);
		if (rc == 0 && !over)
			(void)!poll(&cancel, 1, LOOK_MS);
	}
	if (rc == 0 && !p.job && !cancel_requested())
		rc = err_set(err, ERR_INPUT, "trial %lld has no log%s%s", (long long)trial,
			     step ? " of " : "", step ? step : "");
	free(p.job);
	return rc;
}

static void print_objects(const struct store_step_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, object_step(&l->step[i]));
	auto_json json_t *obj = json_pack("{s:o}", "steps", rows);
	json_dumpf(obj, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	putchar('\n');
}

static int print_summary(struct service *s, int64_t trial, bool json, struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	int rc = store_step_list(s->store, trial, &l, err);

	if (rc == 0 && l.n == 0)
		return err_set(err, ERR_INPUT, "there is no trial %lld", (long long)trial);
	if (rc == 0 && json) {
		print_objects(&l);
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		const struct store_step *step = &l.step[i];
		bool done = step->state == STORE_STEP_DONE;
		auto_free char *reason = shown(step->reason, 200);
		char span[CLOCK_SPAN_MAX];

		printf("  %-7s %-19s %s",
		       done ? outcome_name(step->outcome) : store_step_state_name(step->state),
		       step->name, reason);
		if (done)
			printf(" (%s)", clock_span(step->seconds, span));
		putchar('\n');
	}
	return rc;
}

static int run(const struct command *cmd, int argc, char **argv, struct err *err)
{
	auto_service struct service s = {0};
	struct log_options o = {0};
	bool helped = false;
	int64_t trial = 0;
	int first, rc = options_parse(cmd, argc, argv, &o, NULL, &first, &helped, err);

	if (rc < 0 || helped)
		return rc;
	if (argc - first < 1 || argc - first > (o.json ? 1 : 2))
		return err_set(err, ERR_USAGE,
			       "firn log takes a trial and perhaps a step (firn log --help)");
	rc = service_open(&s, &o.service, STORE_READ, err);
	if (rc == 0)
		rc = trial_name(&s, argv[first], &trial, err);
	if (rc < 0)
		return rc;
	if (o.json || (argc - first == 1 && !o.follow))
		return print_summary(&s, trial, o.json, err);
	return print_logs(&s, trial, argc - first == 2 ? argv[first + 1] : NULL, o.follow, err);
}

static void help(FILE *out)
{
	fputs("\nA trial is named by its number (firn queue), or by its series: message ID or "
	      "link. "
	      "Without STEP the steps are listed.\nSTEP is the name of a step (build), or of a "
	      "part of "
	      "it (build-base).\n",
	      out);
}

const struct command command_log = {
	.name = "log",
	.args = "TRIAL|MESSAGE-ID|LINK [STEP] [-f] [--json] [OPTION...]",
	.summary = "the steps of a trial, and what a step printed",
	.run = run,
	.help = help,
	.options = options};
