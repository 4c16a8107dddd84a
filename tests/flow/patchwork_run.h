/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting the stand-in for Patchwork from a test in C, and telling it what to do. */
#ifndef FIRN_TESTS_FLOW_PATCHWORK_RUN_H
#define FIRN_TESTS_FLOW_PATCHWORK_RUN_H

#include "unit/unit.h"

#include "base/str.h"
#include "intake/patchwork.h"
#include <signal.h>
#include <sys/wait.h>

struct stand_in {
	pid_t pid;
	int in; /* it ends when this closes */
	char *url;
	struct http *http;
};

static inline void stand_in_start(struct stand_in *s, const char *const *argv)
{
	const struct http_options opt = {.contact = "https://example.org/",
					 .timeout_s = 20,
					 .pause_s = 1e-6,
					 .loopback_only = true};
	struct err err = ERR_INIT;
	int in[2], out[2];
	unsigned port = 0;
	FILE *f;

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	s->pid = fork();
	if (s->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	s->in = in[1];
	f = fdopen(out[0], "r");
	assert_int_equal(fscanf(f, "%u", &port), 1);
	fclose(f);
	s->url = xasprintf("http://127.0.0.1:%u/", port);
	assert_ok(http_new(&opt, &s->http, &err), &err);
}

/* With the sanitizers it tells of leaks by its exit code. */
static inline void stand_in_stop(struct stand_in *s)
{
	int status = -1;

	http_free(s->http);
	free(s->url);
	close(s->in);
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_int_equal(status, 0);
}

/* One request to it; the answer's status. `answer` may be NULL, else str_done() it. */
static inline unsigned stand_in_ask(struct stand_in *s, const char *path, const char *body,
				    struct str *answer)
{
	auto_free char *url = xasprintf("%s%s", s->url, path);
	const struct http_request q = {.method = body ? "POST" : "GET",
				       .url = url,
				       .body = body,
				       .body_len = body ? strlen(body) : 0};
	struct http_response r = {0};
	struct err err = ERR_INIT;
	unsigned status;

	assert_ok(http_run(s->http, &q, &r, &err), &err);
	status = r.status;
	if (answer) {
		str_init(answer, 0);
		str_add(answer, r.body.buf, r.body.len);
	}
	http_response_done(&r);
	return status;
}

/* "check-500=1": see patchwork/control.c. */
static inline void stand_in_fault(struct stand_in *s, const char *fault)
{
	auto_free char *path = xasprintf("control/fault/%s", fault);

	assert_int_equal(stand_in_ask(s, path, NULL, NULL), 200);
}

/* Client and server: the mails of patchwork/mails.mbox in one project, "demo". */
struct fixture {
	struct stand_in server;
	struct patchwork_server at;
	struct err err;
};

static inline struct fixture fixture_start(const char *version, const char *api)
{
	/* The development version has dates in the server's own zone. */
	const char *zone = strcmp(version, "main") == 0 ? "660" : "0";
	const char *const argv[] = {STAND_IN, "--version", version, "--api", api, "--zone",
				    zone,     "--project", "demo",  MAILS,   NULL};
	struct fixture f = {0};

	stand_in_start(&f.server, argv);
	f.at = (struct patchwork_server){
		.url = f.server.url, .token = "token0ci", .http = f.server.http};
	return f;
}

static inline void fixture_stop(struct fixture *f)
{
	stand_in_stop(&f->server);
}

#endif
