// SPDX-License-Identifier: GPL-2.0-or-later
/* libmicrohttpd at the edge: sockets, limits and headers. What is answered is decided in routes.c.
 */
#include "web/web.h"

#include "base/proc.h"
#include "web/routes.h"
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>

/* Readers are people and a few scripts: enough for them, and little for somebody who wants to hurt.
 */
#define CONNECTIONS_MAX 128
#define IDLE_S		15
#define REQUEST_MAX	(16 * 1024) /* request line and headers; a piece of a body */
#define LIST_LIMIT	50
#define LIST_LIMIT_MAX	200
#define LIST_OFFSET_MAX 1000000000
#define CSP_PLAIN                                                                                  \
	"default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "              \
	"frame-ancestors 'none'"

static const struct {
	const char *name, *value;
} headers[] = {
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
};

static void add_headers(struct MHD_Response *m, const struct response *r)
{
	for (size_t i = 0; i < array_size(headers); i++)
		MHD_add_response_header(m, headers[i].name, headers[i].value);
	MHD_add_response_header(m, "Content-Type", r->type);
	MHD_add_response_header(m, "Content-Security-Policy", r->csp ? r->csp : CSP_PLAIN);
	MHD_add_response_header(m, "Cache-Control", r->keep ? "public, max-age=3600" : "no-cache");
	if (r->allow)
		MHD_add_response_header(m, "Allow", r->allow);
	if (r->authenticate)
		MHD_add_response_header(m, "WWW-Authenticate", r->authenticate);
	if (r->retry_after) {
		char seconds[16];

		snprintf(seconds, sizeof(seconds), "%u", r->retry_after);
		MHD_add_response_header(m, "Retry-After", seconds);
	}
}

static enum MHD_Result send_response(struct MHD_Connection *conn, struct response *r)
{
	size_t n = r->body.len;
	struct MHD_Response *m =
		MHD_create_response_from_buffer(n, str_take(&r->body), MHD_RESPMEM_MUST_FREE);
	enum MHD_Result rc;

	if (!m)
		return MHD_NO;
	add_headers(m, r);
	rc = MHD_queue_response(conn, r->status, m);
	MHD_destroy_response(m);
	return rc;
}

/* A number of the query within its limits; `dflt` when it is not there. */
static bool query_number(struct MHD_Connection *conn, const char *key, unsigned max,
			 unsigned *value)
{
	const char *s = MHD_lookup_connection_value(conn, MHD_GET_ARGUMENT_KIND, key);
	unsigned long n;

	if (!s)
		return true;
	if (!*s || strlen(s) > 10 || strspn(s, "0123456789") != strlen(s))
		return false;
	n = strtoul(s, NULL, 10);
	*value = n > max ? max : (unsigned)n;
	return true;
}

/* What came of a request whose body is read. */
struct upload {
	struct str body;
};

/* cls of the daemon. */
struct server {
	const struct web_options *opt;
	struct guesses guesses;
};

static bool has_body(const struct request *q)
{
	return q->transfer_encoding || (q->content_length && strcmp(q->content_length, "0") != 0);
}

static bool reads(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

static void answer_make(struct MHD_Connection *conn, struct request *q, const char *method,
			struct response *r)
{
	if (reads(method) && has_body(q))
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "A request to read has no body.");
	else if (!query_number(conn, "limit", LIST_LIMIT_MAX, &q->limit) || q->limit == 0 ||
		 !query_number(conn, "offset", LIST_OFFSET_MAX, &q->offset))
		respond_error(q, r, MHD_HTTP_BAD_REQUEST,
			      "limit and offset are numbers, and limit is at least 1.");
	else
		route_answer(q, method, r);
}

/* With `admitted` the headers have been looked at before. */
static enum MHD_Result answer(struct MHD_Connection *conn, struct request *q, const char *method,
			      bool admitted)
{
	auto_response struct response r;

	response_init(&r);
	if (admitted || route_admits(q, method, &r))
		answer_make(conn, q, method, &r);
	return send_response(conn, &r);
}

static const char *header(struct MHD_Connection *conn, const char *name)
{
	return MHD_lookup_connection_value(conn, MHD_HEADER_KIND, name);
}

static struct request request_read(struct MHD_Connection *conn, struct server *server,
				   const char *path)
{
	const union MHD_ConnectionInfo *peer =
		MHD_get_connection_info(conn, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

	return (struct request){
		.opt = server->opt,
		.path = path,
		.limit = LIST_LIMIT,
		.host = header(conn, "Host"),
		.authorization = header(conn, "Authorization"),
		.content_type = header(conn, "Content-Type"),
		.content_length = header(conn, "Content-Length"),
		.transfer_encoding = header(conn, "Transfer-Encoding"),
		.guesses = &server->guesses,
		.peer = guess_row(peer ? peer->client_addr : NULL),
	};
}

static enum MHD_Result upload_begin(struct MHD_Connection *conn, struct request *q,
				    const char *method, void **ret_upload)
{
	auto_response struct response r;
	struct upload *up;

	response_init(&r);
	if (!route_admits(q, method, &r))
		return send_response(conn, &r);
	up = xcalloc(1, sizeof(*up));
	str_init(&up->body, ROUTE_BODY_MAX);
	*ret_upload = up;
	return MHD_YES;
}

static enum MHD_Result upload_end(struct MHD_Connection *conn, struct request *q,
				  const char *method, const struct upload *up)
{
	q->body = up->body.buf;
	q->n_body = up->body.len;
	return answer(conn, q, method, true);
}

/* A request to read is answered at the second call, so that the connection stays open for the next;
 * one whose body we want when that has come; any other one at the first call, so that its body is
 * not read and the connection ends with the answer. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *conn, const char *path,
				  const char *method, const char *version, const char *data,
				  size_t *n, void **state)
{
	static struct upload none;
	struct request q = request_read(conn, cls, path);
	struct upload *up = *state;

	(void)version;
	if (!up && reads(method) && !has_body(&q)) {
		*state = &none;
		return MHD_YES;
	}
	if (!up && route_takes_body(&q, method))
		return upload_begin(conn, &q, method, state);
	if (!up || up == &none)
		return answer(conn, &q, method, false);
	if (*n == 0)
		return upload_end(conn, &q, method, up);
	str_add(&up->body, data, *n);
	*n = 0;
	return MHD_YES;
}

static void on_completed(void *cls, struct MHD_Connection *conn, void **state,
			 enum MHD_RequestTerminationCode how)
{
	struct upload *up = *state;

	(void)cls;
	(void)conn;
	(void)how;
	*state = NULL;
	if (!up || !up->body.buf) /* the `none` of on_request() */
		return;
	str_done(&up->body);
	free(up);
}

/* Paths and queries stay as they were sent: what we serve needs no %XX, and what is not decoded
 * cannot hide a NUL. */
static size_t keep_escapes(void *cls, struct MHD_Connection *conn, char *s)
{
	(void)cls;
	(void)conn;
	return strlen(s);
}

static int address_find(const struct web_options *opt, struct addrinfo **ret, struct err *err)
{
	const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
				       .ai_socktype = SOCK_STREAM};
	const char *address = opt->address ? opt->address : "127.0.0.1";
	char port[8];
	int rc;

	snprintf(port, sizeof(port), "%u", (unsigned)opt->port);
	rc = getaddrinfo(address, port, &hints, ret);
	if (rc != 0)
		return err_set(err, ERR_CONFIG, "listen address %s: %s", address, gai_strerror(rc));
	return 0;
}

static int listen_at(const struct addrinfo *ai, const struct web_options *opt, int *ret_fd,
		     struct err *err)
{
	auto_fd int fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot make a socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) < 0 || listen(fd, CONNECTIONS_MAX) < 0)
		return err_sys(err, ERR_CONFIG, "cannot listen on %s port %u",
			       opt->address ? opt->address : "127.0.0.1", (unsigned)opt->port);
	*ret_fd = take_fd(&fd);
	return 0;
}

static int listen_socket(const struct web_options *opt, int *ret_fd, struct err *err)
{
	struct addrinfo *ai = NULL;
	int rc = address_find(opt, &ai, err);

	if (rc < 0)
		return rc;
	rc = listen_at(ai, opt, ret_fd, err);
	freeaddrinfo(ai);
	return rc;
}

static uint16_t port_of(int fd)
{
	struct sockaddr_storage addr = {0};
	socklen_t n = sizeof(addr);

	if (getsockname(fd, (struct sockaddr *)&addr, &n) < 0)
		return 0;
	return ntohs(addr.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&addr)->sin6_port
						: ((struct sockaddr_in *)&addr)->sin_port);
}

static int daemon_start(struct server *server, int fd, struct MHD_Daemon **ret_daemon,
			struct err *err)
{
	*ret_daemon = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)REQUEST_MAX, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
	return *ret_daemon ? 0 : err_set(err, ERR_INFRA, "cannot start the web server");
}

#define TURN_MS 10000

/* How long to sleep: until a connection times out, else until the next on_turn(). */
static int timeout_ms(struct MHD_Daemon *daemon)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(daemon, &ms) != MHD_YES)
		return TURN_MS;
	return ms > TURN_MS ? TURN_MS : (int)ms;
}

static int serve(struct MHD_Daemon *daemon, const struct web_options *opt, struct err *err)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd fds[] = {{.fd = info ? info->epoll_fd : -1, .events = POLLIN},
			       {.fd = cancel_fd(), .events = POLLIN}};

	while (!cancel_requested()) {
		if (opt->on_turn)
			opt->on_turn(opt->ctx);
		if (poll(fds, array_size(fds), timeout_ms(daemon)) < 0 && errno != EINTR)
			return err_sys(err, ERR_INFRA, "cannot wait for connections");
		if (MHD_run(daemon) != MHD_YES)
			return err_set(err, ERR_INFRA, "the web server stopped");
	}
	return 0;
}

int web_serve(const struct web_options *opt, struct err *err)
{
	struct server server = {.opt = opt};
	struct MHD_Daemon *daemon = NULL;
	auto_fd int fd = -1;
	int rc = listen_socket(opt, &fd, err);
	uint16_t port = rc == 0 ? port_of(fd) : 0;

	if (rc == 0)
		rc = daemon_start(&server, fd, &daemon, err);
	if (rc < 0)
		return rc;
	fd = -1; /* the daemon's, which closes it */
	if (opt->on_ready)
		opt->on_ready(opt->ctx, opt->address ? opt->address : "127.0.0.1", port);
	rc = serve(daemon, opt, err);
	MHD_stop_daemon(daemon);
	return rc;
}
