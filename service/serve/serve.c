// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/serve.h"

#include "base/clock.h"
#include "base/log.h"
#include "serve/serve_child.h"
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define TURN_S	  1.0
#define ROLES_MAX 8

struct serve {
	const struct serve_options *opt;
	struct serve_child child[ROLES_MAX];
	int hangup_fd;
	double next_watchdog, watchdog_s;
	bool ready;	  /* the manager was told */
	char status[512]; /* as the manager was told */
};

/* SIGHUP is a cancel elsewhere in firn: here it is read from a descriptor. Children get an empty
 * mask (proc.c). */
static int hangup_open(int *ret_fd, struct err *err)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	*ret_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return *ret_fd < 0 ? err_sys(err, ERR_INFRA, "cannot wait for signals") : 0;
}

static bool hangup_seen(struct serve *s)
{
	struct signalfd_siginfo info;
	bool seen = false;

	while (read(s->hangup_fd, &info, sizeof(info)) > 0)
		seen = true;
	return seen;
}

static void status_add(struct str *text, const struct serve_child *c)
{
	str_addf(text, "%s%s ", text->len ? ", " : "", c->role->name);
	if (c->up)
		str_adds(text, "up");
	else if (c->proc.pid > 0)
		str_adds(text, "starting");
	else
		str_addf(text, "waits (%s)", c->words);
}

static void status_tell(struct serve *s)
{
	auto_str struct str text;
	bool all_up = true;

	str_init(&text, sizeof(s->status) - 1);
	for (size_t i = 0; i < s->opt->n; i++) {
		status_add(&text, &s->child[i]);
		all_up = all_up && s->child[i].up;
	}
	if (all_up && !s->ready) {
		s->ready = true;
		serve_notify("READY=1");
		log_info("ready");
	}
	if (strcmp(text.buf, s->status) != 0) {
		memcpy(s->status, text.buf, text.len + 1);
		serve_notify("STATUS=%s", s->status);
	}
	if (s->watchdog_s > 0 && clock_mono() >= s->next_watchdog) {
		s->next_watchdog = clock_mono() + s->watchdog_s;
		serve_notify("WATCHDOG=1");
	}
}

static void stop_all(struct serve *s)
{
	for (size_t i = 0; i < s->opt->n; i++)
		child_stop(&s->child[i]);
}

/* Those that have not been ended yet, work on meanwhile: none needs another. */
static void reload(struct serve *s)
{
	if (s->opt->may_reload && !s->opt->may_reload(s->opt->ctx)) {
		log_error("the configuration is not taken: the service goes on as it was");
		return;
	}
	log_info("the configuration is read anew");
	serve_notify("RELOADING=1\nMONOTONIC_USEC=%lld", (long long)(clock_mono() * 1e6));
	s->ready = false;
	stop_all(s);
	for (size_t i = 0; i < s->opt->n; i++) {
		s->child[i].next = 0;
		s->child[i].failures = 0;
	}
}

static bool start_due(struct serve *s)
{
	for (size_t i = 0; i < s->opt->n; i++)
		if (s->child[i].proc.pid <= 0 && clock_mono() >= s->child[i].next) {
			child_start(&s->child[i]);
			if (cancel_requested())
				return false;
		}
	return true;
}

static void wait_for_news(struct serve *s)
{
	struct pollfd fds[2 + 2 * ROLES_MAX];
	nfds_t n = 0;

	fds[n++] = (struct pollfd){.fd = cancel_fd(), .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = s->hangup_fd, .events = POLLIN};
	for (size_t i = 0; i < s->opt->n; i++) {
		const struct serve_child *c = &s->child[i];

		fds[n++] = (struct pollfd){.fd = c->proc.pid > 0 ? c->proc.pidfd : -1,
					   .events = POLLIN};
		fds[n++] = (struct pollfd){.fd = c->alive_fd, .events = POLLIN};
	}
	/* A failure is a signal, or looks the same next time. */
	(void)!poll(fds, n, (int)(TURN_S * 1000 / s->child[0].hurry));
}

static bool has_ended(const struct serve_child *c)
{
	struct pollfd pfd = {.fd = c->proc.pidfd, .events = POLLIN};

	return c->proc.pid > 0 && poll(&pfd, 1, 0) == 1;
}

static int children_look(struct serve *s, double silence_s, struct err *err)
{
	for (size_t i = 0; i < s->opt->n; i++) {
		struct serve_child *c = &s->child[i];

		if (c->alive_fd >= 0)
			child_hear(c);
		if (has_ended(c)) {
			if (!child_ended(c))
				return err_set(err, ERR_CONFIG,
					       "%s cannot start: its own message says why",
					       c->role->name);
		} else {
			child_check(c, silence_s);
		}
	}
	return 0;
}

static int loop(struct serve *s, struct err *err)
{
	double silence_s = s->opt->silence_s > 0 ? s->opt->silence_s : SERVE_SILENCE_S;
	int rc = 0;

	while (rc == 0 && !cancel_requested()) {
		if (hangup_seen(s))
			reload(s);
		if (!start_due(s))
			break;
		status_tell(s);
		wait_for_news(s);
		rc = children_look(s, silence_s, err);
	}
	return rc;
}

int serve_run(const struct serve_options *opt, struct err *err)
{
	struct serve s = {.opt = opt, .hangup_fd = -1, .watchdog_s = serve_notify_interval()};
	auto_fd int lock = -1;
	int rc;

	if (opt->n == 0 || opt->n > ROLES_MAX)
		return err_set(err, ERR_CONFIG, "%zu roles cannot be run", opt->n);
	for (size_t i = 0; i < opt->n; i++)
		s.child[i] = (struct serve_child){.role = &opt->role[i],
						  .alive_fd = -1,
						  .proc = {.pidfd = -1},
						  .hurry = opt->hurry > 0 ? opt->hurry : 1};
	rc = serve_lock(opt->data_dir, "serve", &lock, err);
	if (rc == 0)
		rc = hangup_open(&s.hangup_fd, err);
	if (rc == 0)
		rc = loop(&s, err);
	serve_notify("STOPPING=1");
	stop_all(&s);
	fd_cleanup(&s.hangup_fd);
	return rc;
}
