// SPDX-License-Identifier: GPL-2.0-or-later
/* libmicrohttpd at the edge: connections and limits. What is answered is decided in routes.c.
 */
#include "web/web.h"

#include "base/proc.h"
#include "web/listen.h"
#include "web/routes.h"
#include "web/server.h"
#include <poll.h>

#define IDLE_S	    15
#define REQUEST_MAX (16 * 1024) /* request line and headers; a piece of a body */

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *conn)
{
	return call_new(cls, conn, uri);
}

/* False when it is answered already: its body is not read. */
static bool upload_begins(struct call *c, enum MHD_Result *ret)
{
	auto_response struct response r;

	response_init(&r);
	if (route_admits(&c->q, &r))
		return true;
	*ret = call_send(c, &r);
	return false;
}

/* A request to read is answered at the second call, so that the connection stays open for the next;
 * one whose body we want when that has come; any other one at the first call, so that its body is
 * not read and the connection ends with the answer. */
static enum MHD_Result on_headers(struct call *c, const char *method)
{
	enum MHD_Result rc = MHD_YES;

	call_begin(c, method);
	if (call_reads(c) && !call_has_body(c))
		return MHD_YES;
	if (route_takes_body(&c->q)) {
		conn_asks(&c->server->conns, conn_of(c->conn));
		return upload_begins(c, &rc) ? MHD_YES : rc;
	}
	return call_answer(c, false);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *conn, const char *path,
				  const char *method, const char *version, const char *data,
				  size_t *n, void **state)
{
	struct call *c = *state;

	(void)cls;
	(void)conn;
	(void)path;
	(void)version;
	if (!c->method)
		return on_headers(c, method);
	if (*n) {
		str_add(&c->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	call_body_end(c);
	return call_answer(c, route_takes_body(&c->q));
}

static void on_completed(void *cls, struct MHD_Connection *conn, void **state,
			 enum MHD_RequestTerminationCode how)
{
	struct server *server = cls;

	(void)how;
	conn_asks(&server->conns, conn_of(conn));
	if (*state)
		call_free(*state);
	*state = NULL;
}

/* Paths and queries stay as they were sent: what we serve needs no %XX, and what is not decoded
 * cannot hide a NUL. */
static size_t keep_escapes(void *cls, struct MHD_Connection *conn, char *s)
{
	(void)cls;
	(void)conn;
	return strlen(s);
}

static int daemon_start(struct server *server, int fd, struct MHD_Daemon **ret_daemon,
			struct err *err)
{
	*ret_daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, conns_admit, &server->conns,
		on_request, server, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)(CONNS_PAGES + CONNS_STREAMS + CONNS_SPARE),
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)REQUEST_MAX, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_NOTIFY_CONNECTION,
		conns_notify, &server->conns, MHD_OPTION_URI_LOG_CALLBACK, on_uri, server,
		MHD_OPTION_END);
	return *ret_daemon ? 0 : err_set(err, ERR_INFRA, "cannot start the web server");
}

#define TURN_MS	 10000
#define SWEEP_MS 250

/* How long to sleep: until something is due, else until the next on_turn(). */
static int timeout_ms(const struct server *server)
{
	double wait = events_wait(&server->events) * 1000;
	int most = server->conns.n > server->conns.streams ? SWEEP_MS : TURN_MS;
	MHD_UNSIGNED_LONG_LONG ms;

	if (wait < most)
		most = (int)wait + 1;
	if (MHD_get_timeout(server->daemon, &ms) != MHD_YES)
		return most;
	return ms > (unsigned)most ? most : (int)ms;
}

/* Each turn: whoever is told that the file was changed finds it so with the next request. */
static void tokens_look(struct server *server)
{
	const struct web_options *opt = server->opt;
	struct err err = ERR_INIT;
	bool news = false;

	if (!opt->token_file)
		return;
	if (token_watch_look(&server->tokens, &news, &err) < 0 && opt->on_error) {
		err_wrap(&err, "web.token-file: the tokens stay as they were");
		opt->on_error(opt->ctx, &err);
	}
	if (news && opt->on_tokens)
		opt->on_tokens(opt->ctx, server->tokens.tokens.n);
}

static int serve(struct server *server, struct err *err)
{
	const struct web_options *opt = server->opt;
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd fds[] = {{.fd = info ? info->epoll_fd : -1, .events = POLLIN},
			       {.fd = cancel_fd(), .events = POLLIN}};

	while (!cancel_requested()) {
		if (opt->on_turn)
			opt->on_turn(opt->ctx);
		if (poll(fds, array_size(fds), timeout_ms(server)) < 0 && errno != EINTR)
			return err_sys(err, ERR_INFRA, "cannot wait for connections");
		tokens_look(server);
		events_turn(&server->events);
		conns_sweep(&server->conns);
		if (MHD_run(server->daemon) != MHD_YES)
			return err_set(err, ERR_INFRA, "the web server stopped");
	}
	return 0;
}

static int server_init(struct server *server, const struct web_options *opt, struct err *err)
{
	int rc = session_key_make(&server->key, err);
	bool news;

	server->opt = opt;
	server->tokens.path = opt->token_file;
	if (rc == 0 && opt->token_file && token_watch_look(&server->tokens, &news, err) < 0)
		rc = err_wrap(err, "web.token-file");
	server->kept.path = opt->store_path;
	conns_init(&server->conns, &server->proxies, opt->ask_s);
	server->counts.conns = &server->conns;
	server->events =
		(struct events){.kept = &server->kept,
				.conns = &server->conns,
				.poll_s = opt->events_s > 0 ? opt->events_s : EVENTS_POLL_S};
	if (rc == 0 && opt->auth_from && netblocks_parse(opt->auth_from, &server->proxies, err) < 0)
		rc = err_wrap(err, "web.auth-from");
	return rc;
}

static void server_done(struct server *server)
{
	events_end(&server->events);
	MHD_run(server->daemon); /* it cannot be stopped while a stream sleeps */
	MHD_stop_daemon(server->daemon);
	events_done(&server->events);
	page_cache_done(&server->pages);
	counts_done(&server->counts);
	kept_done(&server->kept);
	token_watch_done(&server->tokens);
	explicit_bzero(&server->key, sizeof(server->key));
}

int web_serve(const struct web_options *opt, struct err *err)
{
	struct server server = {0};
	auto_fd int fd = -1;
	int rc = server_init(&server, opt, err);

	if (rc == 0)
		rc = listen_socket(opt, &fd, err);
	uint16_t port = rc == 0 ? listen_port(fd) : 0;

	if (rc == 0)
		rc = daemon_start(&server, fd, &server.daemon, err);
	if (rc < 0) {
		token_watch_done(&server.tokens);
		return rc;
	}
	fd = -1; /* the daemon's, which closes it */
	if (opt->on_ready)
		opt->on_ready(opt->ctx, opt->address ? opt->address : "127.0.0.1", port);
	rc = serve(&server, err);
	server_done(&server);
	return rc;
}
