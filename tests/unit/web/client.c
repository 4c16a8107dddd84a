// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/web/client.h"

#include "unit/unit.h"

#include "base/fs.h"
#include "base/proc.h"
#include "web/web.h"
#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void on_ready(void *ctx, const char *address, uint16_t port)
{
	(void)address;
	if (write(*(int *)ctx, &port, sizeof(port)) != sizeof(port))
		_exit(3);
}

static _Noreturn void server_main(const struct server *s, int ready)
{
	const struct web_options opt = {.store_path = s->store_path,
					.url = s->url,
					.conf = s->conf,
					.cache_dir = s->cache_dir,
					.auth_header = s->auth_header,
					.auth_from = s->auth_from,
					.ask_s = s->ask_s,
					.events_s = s->events_s,
					.token_file = s->token ? s->token_path : NULL,
					.on_ready = on_ready,
					.ctx = &ready};
	struct err err = ERR_INIT;
	int rc;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that crashes leaves no server behind */
	cancel_init();
	rc = web_serve(&opt, &err);
	if (rc < 0)
		fprintf(stderr, "server: %s\n", err.msg);
	close(ready);
	exit(rc < 0);
}

static void server_start(struct server *s)
{
	int ready[2];

	assert_int_equal(pipe(ready), 0);
	s->pid = fork();
	if (s->pid == 0) {
		close(ready[0]);
		server_main(s, ready[1]);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &s->port, sizeof(s->port)), sizeof(s->port));
	close(ready[0]);
}

void server_tokens(const struct server *s, const char *text)
{
	auto_free char *fresh = xasprintf("%s.new", s->token_path);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(fresh, text, strlen(text), &err), &err);
	assert_int_equal(chmod(fresh, 0600), 0);
	assert_int_equal(rename(fresh, s->token_path), 0);
}

int server_setup_with(void **state, const char *token, const char *url)
{
	return server_setup_as(state, &(struct server){.token = token, .url = url});
}

int server_setup_as(void **state, const struct server *want)
{
	struct server *s = xcalloc(1, sizeof(*s));

	*s = *want;
	s->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(s->dir));
	s->store_path = xasprintf("%s/firn.db", s->dir);
	s->token_path = xasprintf("%s/token", s->dir);
	if (s->token)
		server_tokens(s, s->token);
	server_start(s);
	*state = s;
	return 0;
}

int server_setup(void **state)
{
	return server_setup_with(state, NULL, NULL);
}

int server_teardown(void **state)
{
	struct server *s = *state;
	struct err err = ERR_INIT;
	int status = -1;

	kill(s->pid, SIGTERM);
	waitpid(s->pid, &status, 0);
	assert_int_equal(status, 0);
	assert_ok(fs_rmtree(s->dir, &err), &err);
	free(s->dir);
	free(s->store_path);
	free(s->token_path);
	free(s);
	return 0;
}

int client_connect(const struct server *s)
{
	const struct sockaddr_in addr = {.sin_family = AF_INET,
					 .sin_port = htons(s->port),
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

void client_send(const struct server *s, const char *data, size_t n, struct str *answer)
{
	auto_fd int fd = client_connect(s);
	char buf[8192];
	ssize_t got;

	str_init(answer, 0);
	for (ssize_t sent; n; data += sent, n -= (size_t)sent) {
		sent = send(fd, data, n, MSG_NOSIGNAL);
		if (sent <= 0) /* it has heard enough */
			break;
	}
	while ((got = recv(fd, buf, sizeof(buf), 0)) > 0)
		str_add(answer, buf, (size_t)got);
}

void client_ask(const struct server *s, const char *method, const char *path, struct str *answer)
{
	auto_free char *text = xasprintf(
		"%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", method, path);

	client_send(s, text, strlen(text), answer);
}

void client_send_to(const struct server *s, const char *line, const char *headers, const char *body,
		    struct str *answer)
{
	auto_free char *length =
		*body ? xasprintf("Content-Length: %zu\r\n", strlen(body)) : xstrdup("");
	auto_free char *text = xasprintf("%s HTTP/1.1\r\nHost: localhost\r\n"
					 "Connection: close\r\n%s%s\r\n%s",
					 line, length, headers, body);

	client_send(s, text, strlen(text), answer);
}

char *answer_header(const struct str *answer, const char *name)
{
	auto_free char *head = xmemdup(answer->buf, (size_t)(answer_body(answer) - answer->buf));
	auto_free char *line = xasprintf("\r\n%s: ", name);
	const char *at = strcasestr(head, line);

	if (!at)
		return NULL;
	at += strlen(line);
	return xmemdup(at, strcspn(at, "\r"));
}

int answer_status(const struct str *answer)
{
	assert_true(str_starts(answer->buf, "HTTP/1.1 "));
	return (int)strtol(answer->buf + strlen("HTTP/1.1 "), NULL, 10);
}

const char *answer_body(const struct str *answer)
{
	const char *end = strstr(answer->buf, "\r\n\r\n");

	assert_non_null(end);
	return end + 4;
}

void answer_holds(const struct str *answer, const char *text)
{
	if (!strstr(answer->buf, text))
		fail_msg("lacks \"%s\":\n%s", text, answer->buf);
}
