// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/emulator.h"

#include "base/clock.h"
#include "testbeds/console.h"
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#define TIMEOUT_DEFAULT_S 300.0
#define SILENCE_DEFAULT_S 60.0
/* For a guest that is at its end (done, panic) to switch itself off. */
#define LINGER_S  10.0
#define WORDS_MAX 512
/* More than the buffer of a socket holds. A guest that prints without end must not keep us from the
 * clock. */
#define DRAIN_READS 64
/* As often as disk.h looks. */
#define DISK_LOOK_S 1.0

struct watch {
	struct emulator *e;
	const struct boot_spec *spec;
	struct console console;
	double timeout_s, silence_s;
	double begin, last_output, linger_end; /* clock_mono(); linger_end 0: not at its end */
	bool over;
	enum console_machine how;
	double limit_s;
	bool reaped;
	struct proc_result end; /* when reaped */
};

static void watch_over(struct watch *w, enum console_machine how, double limit_s)
{
	w->over = true;
	w->how = how;
	w->limit_s = limit_s;
}

static void watch_drain_console(struct watch *w)
{
	char buf[16384];

	for (unsigned i = 0; i < DRAIN_READS && w->e->console_fd >= 0; i++) {
		ssize_t n = recv(w->e->console_fd, buf, sizeof(buf), MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		if (n == 0) {
			fd_cleanup(&w->e->console_fd);
			w->e->console_fd = -1;
			return;
		}
		console_feed(&w->console, buf, (size_t)n);
		if (w->spec->on_console)
			w->spec->on_console(w->spec->ctx, buf, (size_t)n);
		w->last_output = clock_mono();
	}
}

/* QEMU prints what the guest gave to ibm,os-term before it stops the machine, so the text is there
 * when the event is. */
static bool stop_was_planned(const struct watch *w)
{
	static const char mark[] = "OS terminated: ";
	auto_str struct str text;
	const char *last = NULL, *p;

	console_text(&w->console, &text);
	for (p = text.buf; (p = strstr(p, mark)) != NULL; p++)
		last = p;
	return last && str_starts(last + strlen(mark), EMULATOR_STOP_TEXT);
}

static int watch_stopped(struct watch *w, struct err *err)
{
	int rc;

	watch_drain_console(w);
	if (!w->e->qmp.panicked)
		return err_set(err, ERR_INFRA, "%s stopped the machine and did not say why",
			       w->e->name);
	if (!stop_was_planned(w)) {
		watch_over(w, CONSOLE_EXITED, 0); /* a panic: it would stand still for ever */
		return 0;
	}
	rc = w->spec->on_stop(w->spec->ctx, &w->e->machine, err);
	w->e->machine.stops++;
	w->e->qmp.stopped = false;
	if (rc == 0)
		rc = qmp_command(&w->e->qmp, "cont", NULL, err);
	w->last_output = clock_mono();
	return rc;
}

static int watch_read_qmp(struct watch *w, struct err *err)
{
	int rc = qmp_read(&w->e->qmp, err);

	if (rc < 0)
		return rc;
	if (w->e->qmp.closed) {
		fd_cleanup(&w->e->qmp_fd);
		w->e->qmp_fd = -1;
		return 0;
	}
	return w->e->qmp.stopped ? watch_stopped(w, err) : 0;
}

static void watch_reap(struct watch *w)
{
	proc_reap(&w->e->proc, &w->end);
	watch_drain_console(w);
	w->reaped = true;
	watch_over(w, CONSOLE_EXITED, 0);
}

static void watch_check_limits(struct watch *w)
{
	double now = clock_mono();

	if (!w->linger_end && (w->console.done || w->console.panic))
		w->linger_end = now + LINGER_S;
	if (w->linger_end && now >= w->linger_end)
		watch_over(w, CONSOLE_EXITED, 0);
	else if (now >= w->begin + w->timeout_s)
		watch_over(w, CONSOLE_TIMEOUT, w->timeout_s);
	else if (now >= w->last_output + w->silence_s)
		watch_over(w, CONSOLE_SILENCE, w->silence_s);
}

static int watch_wait_ms(const struct watch *w)
{
	double next = w->begin + w->timeout_s, left;

	if (w->e->disk.dir[0] && next > clock_mono() + DISK_LOOK_S)
		next = clock_mono() + DISK_LOOK_S;

	if (next > w->last_output + w->silence_s)
		next = w->last_output + w->silence_s;
	if (w->linger_end && next > w->linger_end)
		next = w->linger_end;
	left = next - clock_mono();
	return left <= 0 ? 0 : left > 3600 ? 3600 * 1000 : (int)(left * 1000) + 1;
}

static int watch_wait(struct watch *w, struct err *err)
{
	struct pollfd fds[] = {{.fd = w->e->console_fd, .events = POLLIN},
			       {.fd = w->e->qmp_fd, .events = POLLIN},
			       {.fd = w->e->proc.pidfd, .events = POLLIN},
			       {.fd = cancel_fd(), .events = POLLIN}};

	if (poll(fds, array_size(fds), watch_wait_ms(w)) < 0 && errno != EINTR)
		return err_sys(err, ERR_INFRA, "poll");
	if (cancel_requested())
		return err_cancelled(err);
	if (fds[0].revents)
		watch_drain_console(w);
	if (fds[2].revents)
		watch_reap(w);
	else
		watch_check_limits(w);
	return 0;
}

/* What was written within is the guest's to write, by way of the emulator; how much is ours to say.
 * Whether the guest came to an end does not matter then: it may be forged. */
static int watch_disk(struct watch *w, bool last, struct err *err)
{
	auto_free char *over = NULL;

	if (!w->e->disk.dir[0] || !disk_watch_over(&w->e->disk, last))
		return 0;
	over = disk_watch_words(&w->e->disk);
	return err_set(err, ERR_INFRA, "%s was stopped: it wrote %s", w->e->name, over);
}

static int watch_loop(struct watch *w, struct err *err)
{
	int rc = 0;

	while (rc == 0 && !w->over) {
		/* Before each wait: an event that came together with an answer has been taken from
		 * the socket already. */
		if (w->e->qmp_fd >= 0)
			rc = watch_read_qmp(w, err);
		if (rc == 0 && !w->over)
			rc = watch_wait(w, err);
		if (rc == 0)
			rc = watch_disk(w, false, err);
	}
	return rc;
}

/* The machine waits (-S) until somebody tells it to run. */
static int watch_begin(struct watch *w, struct err *err)
{
	int rc = qmp_hello(&w->e->qmp, err);

	return rc < 0 ? rc : qmp_command(&w->e->qmp, "cont", NULL, err);
}

/* What the emulator, or the sandbox around it, said: "NAME: ...", other than what it repeats from
 * the guest. The last of it, since the last message is the one about its end. */
static void emulator_words(const struct watch *w, char words[static WORDS_MAX])
{
	const char *const speaker[] = {w->e->name, "bwrap", "prlimit"};
	auto_str struct str text;
	size_t n;

	words[0] = '\0';
	console_text(&w->console, &text);
	for (const char *p = text.buf; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		for (size_t i = 0; i < array_size(speaker); i++) {
			size_t m = strlen(speaker[i]);

			if (strncmp(p, speaker[i], m) == 0 && p[m] == ':' &&
			    !str_starts(p + m, ": OS terminated"))
				snprintf(words, WORDS_MAX, "%.*s", (int)n, p);
		}
	}
}

static int emulator_failed(const struct watch *w, struct err *err)
{
	struct proc_result end = w->end;
	char words[WORDS_MAX];

	/* bwrap and sh pass on the death of what they ran as 128 + signal. */
	if (end.end == PROC_EXITED && end.code > 128 && end.code < 128 + SIGRTMAX) {
		end.end = PROC_SIGNALLED;
		end.code -= 128;
	}
	auto_free char *how = proc_end_text(&end);
	emulator_words(w, words);
	return err_set(err, ERR_INFRA, "%s ended before the guest did, with %s%s%s", w->e->name,
		       how, words[0] ? ": " : "", words);
}

static bool watch_emulator_is_bad(const struct watch *w)
{
	if (w->console.done || w->console.panic || !w->reaped)
		return false;
	return w->end.end != PROC_EXITED || w->end.code != 0;
}

/* A control socket that fails because QEMU is ending is not the news: how QEMU ended is. */
static int watch_explain(struct watch *w, int rc, struct err *err)
{
	struct pollfd ended = {.fd = w->e->proc.pidfd, .events = POLLIN};

	if (rc != ERR_INFRA || !w->e->qmp.closed || w->reaped || poll(&ended, 1, 2000) != 1)
		return rc;
	watch_reap(w);
	return w->console.panic ? 0 : emulator_failed(w, err);
}

int emulator_watch(struct emulator *e, const struct boot_spec *spec, struct boot_result *ret,
		   struct err *err)
{
	double now = clock_mono();
	struct watch w = {
		.e = e,
		.spec = spec,
		.timeout_s = spec->timeout_s > 0 ? spec->timeout_s : TIMEOUT_DEFAULT_S,
		.silence_s = spec->silence_s > 0 ? spec->silence_s : SILENCE_DEFAULT_S,
		.begin = now,
		.last_output = now,
	};
	int rc = 0;

	console_init(&w.console, 0);
	qmp_init(&e->qmp, e->qmp_fd);
	if (e->qmp_fd >= 0)
		rc = watch_begin(&w, err);
	if (rc == 0)
		rc = watch_loop(&w, err);
	rc = watch_explain(&w, rc, err);
	if (rc == 0 && watch_emulator_is_bad(&w))
		rc = emulator_failed(&w, err);
	if (!w.reaped)
		proc_stop(&e->proc, 0);
	if (rc == 0 || rc == ERR_INFRA) {
		int full = watch_disk(&w, true, err);

		rc = full < 0 ? full : rc;
	}
	if (rc == 0) {
		console_finish(&w.console, w.how, w.limit_s, ret);
		ret->host_seconds = clock_mono() - w.begin;
	}
	fd_cleanup(&e->console_fd);
	fd_cleanup(&e->qmp_fd);
	qmp_done(&e->qmp);
	console_done(&w.console);
	return rc;
}
