// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/serve_child.h"

#include "base/clock.h"
#include "base/log.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define BACKOFF_MAX_S 60.0
/* Who lived so long did not fail at starting: it counts from the beginning. */
#define LIVED_S 60.0

double child_backoff(unsigned failures)
{
	if (failures == 0)
		return 0;
	return failures > 6 ? BACKOFF_MAX_S : (double)(1U << (failures - 1));
}

/* Names that end in '*' are prefixes. What is not here, strangers' programs do not see either. */
static const struct {
	const char *name;
	unsigned may; /* 0: all */
} allowed[] = {
	{"PATH", 0},
	{"HOME", 0},
	{"USER", 0},
	{"LOGNAME", 0},
	{"LANG", 0},
	{"LC_*", 0},
	{"TZ", 0},
	{"TMPDIR", 0},
	{"XDG_*", 0},
	{"FIRN_*", 0},
	{"JOURNAL_STREAM", 0},
	{"ASAN_OPTIONS", 0},
	{"UBSAN_OPTIONS", 0},
	{"LSAN_OPTIONS", 0},
	{"http_proxy", SERVE_MAY_NETWORK},
	{"https_proxy", SERVE_MAY_NETWORK},
	{"no_proxy", SERVE_MAY_NETWORK},
	{"HTTPS_PROXY", SERVE_MAY_NETWORK},
	{"NO_PROXY", SERVE_MAY_NETWORK},
	{"SSL_CERT_*", SERVE_MAY_NETWORK},
	{"CURL_CA_BUNDLE", SERVE_MAY_NETWORK},
	{"CREDENTIALS_DIRECTORY", SERVE_MAY_SECRETS},
};

static bool may_have(const char *entry, unsigned may)
{
	size_t n = strcspn(entry, "=");

	for (size_t i = 0; i < array_size(allowed); i++) {
		size_t want = strlen(allowed[i].name);
		bool prefix = allowed[i].name[want - 1] == '*';

		if (prefix ? strncmp(entry, allowed[i].name, want - 1) == 0
			   : n == want && strncmp(entry, allowed[i].name, n) == 0)
			return !allowed[i].may || (allowed[i].may & may);
	}
	return false;
}

const char **child_environment(char *const *env, unsigned may, const char *extra)
{
	size_t n = 0, k = 0;

	while (env[n])
		n++;
	const char **list = xcalloc(n + 2, sizeof(*list));
	for (size_t i = 0; i < n; i++)
		if (may_have(env[i], may) && !str_starts(env[i], SERVE_ALIVE_ENV "="))
			list[k++] = env[i];
	list[k] = extra;
	return list;
}

static int spawn(struct serve_child *c, int alive, struct err *err)
{
	auto_free char *extra = xasprintf(SERVE_ALIVE_ENV "=%d", alive);
	auto_free const char **env = child_environment(environ, c->role->may, extra);
	const struct proc_spec spec = {
		.argv = c->role->argv, .envp = env, .output_fd = STDERR_FILENO, .pass_fd = alive};

	return proc_start(&spec, &c->proc, err);
}

static void failed(struct serve_child *c, double lived)
{
	if (lived >= LIVED_S)
		c->failures = 0;
	c->next = clock_mono() + child_backoff(++c->failures) / c->hurry;
}

void child_start(struct serve_child *c)
{
	int fds[2] = {-1, -1};
	struct err err = ERR_INIT;
	int rc;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		rc = err_sys(&err, ERR_INFRA, "cannot make a pipe");
	else
		rc = spawn(c, fds[1], &err);
	if (rc < 0) {
		fd_cleanup(&fds[0]);
		snprintf(c->words, sizeof(c->words), "cannot be started");
		failed(c, 0);
		log_error("%s: %s", c->role->name, err.msg);
	} else {
		c->alive_fd = fds[0];
		c->up = false;
		c->heard = clock_mono();
	}
	fd_cleanup(&fds[1]);
}

void child_hear(struct serve_child *c)
{
	char buf[64];
	ssize_t n;

	while ((n = read(c->alive_fd, buf, sizeof(buf))) > 0) {
		c->heard = clock_mono();
		c->up = c->was_up = true;
	}
	if (n == 0) /* closed its end: the pidfd says the rest, or the silence */
		fd_cleanup(&c->alive_fd);
}

bool child_ended(struct serve_child *c)
{
	struct proc_result r = {0};
	bool config;

	if (c->alive_fd >= 0)
		child_hear(c);
	fd_cleanup(&c->alive_fd);
	proc_reap(&c->proc, &r);
	auto_free char *how = proc_end_text(&r);
	snprintf(c->words, sizeof(c->words), "%s", how);
	c->up = false;
	config = r.end == PROC_EXITED && r.code == SERVE_EXIT_CONFIG;
	failed(c, r.seconds);
	if (config && !c->was_up)
		return false;
	log_warn("%s ended: %s; it is started again in %.0f s", c->role->name, how,
		 c->next - clock_mono());
	return true;
}

/* SIGKILL, since it does not listen; that it ended is seen as with any other. */
void child_check(struct serve_child *c, double silence_s)
{
	if (c->proc.pid <= 0 || clock_mono() - c->heard < silence_s)
		return;
	log_warn("%s has been silent for %.0f s: it is killed", c->role->name, silence_s);
	c->heard = clock_mono();
	kill(-c->proc.pid, SIGKILL);
}

void child_stop(struct serve_child *c)
{
	if (c->proc.pid > 0)
		proc_stop(&c->proc, c->role->grace_s);
	fd_cleanup(&c->alive_fd);
	c->up = false;
}
