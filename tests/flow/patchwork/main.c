// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patchwork-stand-in [--version 3.1.3|main] [--api MINOR] [--zone MINUTES] [--port N] [--fault
 *NAME[=COUNT]]...
 *	[--project NAME MAIL...]...
 *
 * Serves on 127.0.0.1, prints its port, and ends when standard input does or on SIGTERM. MAIL is
 * whatever `firn run` reads: an mbox, a Maildir, .eml files.
 */
#include "stand_in.h"

#include "intake/source.h"
#include <arpa/inet.h>
#include <err.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static struct server server = {.newest = 3};

static void *request_begin(void *ctx, const char *uri, struct MHD_Connection *c)
{
	struct request *q = xcalloc(1, sizeof(*q));

	(void)ctx;
	(void)c;
	q->uri = xstrdup(uri);
	str_init(&q->body, (size_t)32 << 20);
	return q;
}

static void request_end(void *ctx, struct MHD_Connection *c, void **con,
			enum MHD_RequestTerminationCode why)
{
	(void)ctx;
	(void)c;
	(void)why;
	if (!*con)
		return;
	request_done(*con);
	free(*con);
	*con = NULL;
}

/* The body, up to its middle. */
static ssize_t half(void *ctx, uint64_t pos, char *buf, size_t max)
{
	const struct str *body = ctx;
	size_t left = body->len / 2 - (size_t)pos, n = left < max ? left : max;

	if (n == 0)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	memcpy(buf, body->buf + pos, n);
	return (ssize_t)n;
}

static void half_free(void *ctx)
{
	str_done(ctx);
	free(ctx);
}

static struct MHD_Response *response_of(struct reply *r)
{
	struct str *body;

	if (r->status < 300 && r->body.len > 1 && fault_take(FAULT_CUT)) {
		body = xmalloc(sizeof(*body));
		*body = r->body;
		str_init(&r->body, 0);
		return MHD_create_response_from_callback(body->len, 4096, half, body, half_free);
	}
	return MHD_create_response_from_buffer(r->body.len, r->body.buf, MHD_RESPMEM_MUST_COPY);
}

static void header(struct MHD_Response *m, const char *name, const char *value)
{
	if (value)
		MHD_add_response_header(m, name, value);
}

static enum MHD_Result reply_send(struct MHD_Connection *c, struct reply *r)
{
	struct MHD_Response *m = response_of(r);
	bool api = r->allow != NULL;
	enum MHD_Result queued;

	header(m, "Content-Type", r->type);
	header(m, "Location", r->location);
	header(m, "Link", r->link);
	header(m, "Allow", r->allow);
	header(m, "Vary", api ? "Accept, Cookie" : r->status >= 400 ? "Cookie" : NULL);
	header(m, "X-Frame-Options", "DENY");
	queued = MHD_queue_response(c, r->status, m);
	MHD_destroy_response(m);
	str_done(&r->body);
	free(r->location);
	free(r->link);
	return queued;
}

static void reply_moved(const struct request *q, struct reply *r)
{
	reply_page(r, 301, q->path);
	r->location = xasprintf("http://elsewhere.example.org%s", q->path);
}

/* What stands between us and the server. */
static bool in_between(const struct request *q, struct reply *r)
{
	if (str_starts(q->path, "/control/"))
		return false;
	if (fault_take(FAULT_SLOW))
		sleep(2);
	if (fault_take(FAULT_HTML_502))
		reply_page(r, 502, "Bad Gateway");
	else if (fault_take(FAULT_WALL))
		reply_page(r, 200, "Making sure that you are not a robot");
	else if (fault_take(FAULT_MOVED))
		reply_moved(q, r);
	else
		return false;
	return true;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *data,
				  size_t *n, void **con)
{
	struct request *q = *con;
	const char *host;
	struct reply r = {0};

	(void)ctx;
	(void)url;
	(void)version;
	if (!q->method) { /* the headers are there */
		q->method = method;
		return MHD_YES;
	}
	if (*n) {
		str_add(&q->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	q->authorization = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
	q->content_type = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Type");
	q->base = xasprintf("http://%s", host ?: "localhost");
	str_init(&r.body, 0);
	request_parse(q);
	if (!in_between(q, &r))
		route(&server, q, &r);
	return reply_send(c, &r);
}

static size_t keep(void *ctx, struct MHD_Connection *c, char *text)
{
	(void)ctx;
	(void)c;
	return strlen(text);
}

static struct MHD_Daemon *serve(uint16_t port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_port = htons(port),
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	return MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, port, NULL, NULL,
				on_request, NULL, MHD_OPTION_SOCK_ADDR, &a,
				MHD_OPTION_URI_LOG_CALLBACK, request_begin, NULL,
				MHD_OPTION_NOTIFY_COMPLETED, request_end, NULL,
				MHD_OPTION_UNESCAPE_CALLBACK, keep, NULL, MHD_OPTION_END);
}

static void load(const char *project, const char *spec)
{
	unsigned id = server_project(&server, project);
	struct mail_list mails = {0};
	struct err why = ERR_INIT;

	if (source_read(spec, &mails, &why) < 0)
		errx(1, "%s", why.msg);
	for (size_t i = 0; i < mails.n; i++)
		server_take(&server, id, mails.item[i]);
	mail_list_done(&mails);
}

static void options(int argc, char **argv, uint16_t *port)
{
	const char *project = NULL;

	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (!str_starts(argv[i], "--")) {
			if (!project)
				errx(2, "%s: of which --project?", argv[i]);
			load(project, argv[i]);
			continue;
		}
		if (strcmp(argv[i], "--version") == 0)
			server.newest = (server.main = strcmp(value, "main") == 0) ? 4 : 3;
		else if (strcmp(argv[i], "--api") == 0)
			server.newest = (unsigned)strtoul(value, NULL, 10);
		else if (strcmp(argv[i], "--zone") == 0)
			server.zone_minutes = (int)strtol(value, NULL, 10);
		else if (strcmp(argv[i], "--port") == 0)
			*port = (uint16_t)strtoul(value, NULL, 10);
		else if (strcmp(argv[i], "--project") == 0)
			server_project(&server, project = value);
		else if (strcmp(argv[i], "--fault") != 0 || !fault_set(value))
			errx(2, "%s %s is not known", argv[i], value);
		i++;
	}
}

static void wait_for_end(int signals)
{
	struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
	char buf[256];

	while (poll(fds, 2, -1) >= 0 && !fds[1].revents)
		if (fds[0].revents && read(0, buf, sizeof(buf)) <= 0)
			return;
}

/* The signals come through the pipe. */
static int signal_pipe[2];

static void on_signal(int sig)
{
	(void)sig;
	if (write(signal_pipe[1], "", 1) < 0)
		_exit(1);
}

int main(int argc, char **argv)
{
	struct MHD_Daemon *daemon;
	uint16_t port = 0;

	if (pipe(signal_pipe) < 0)
		err(1, "pipe");
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	options(argc, argv, &port);
	daemon = serve(port);
	if (!daemon)
		err(1, "127.0.0.1 port %u", port);
	printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	wait_for_end(signal_pipe[0]);
	MHD_stop_daemon(daemon);
	return 0;
}
