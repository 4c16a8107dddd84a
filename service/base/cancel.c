// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/proc.h"

#include <fcntl.h>
#include <signal.h>

static int cancel_pipe[2] = {-1, -1};
static volatile sig_atomic_t cancel_count;

static void on_signal(int sig)
{
	int saved = errno;

	/* The second Ctrl-C means it: children die with us (PR_SET_PDEATHSIG). */
	if (++cancel_count > 1 && sig == SIGINT)
		_exit(130);
	if (write(cancel_pipe[1], "x", 1) < 0)
		errno = 0; /* pipe full: already readable */
	errno = saved;
}

void cancel_init(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (cancel_pipe[0] >= 0)
		return;
	if (pipe2(cancel_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		abort();
	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int cancel_fd(void)
{
	return cancel_pipe[0];
}

bool cancel_requested(void)
{
	return cancel_count > 0;
}

int err_cancelled(struct err *err)
{
	return err_set(err, ERR_CANCELLED, "cancelled");
}
