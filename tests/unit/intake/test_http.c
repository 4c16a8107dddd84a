// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "intake/http.h"
#include "intake/http_answer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static pid_t server;
static unsigned port;

#define OK(type, body) "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nConnection: close\r\n\r\n" body

static const struct {
	const char *path, *answer;
} answers[] = {
	{"/ok", OK("text/plain; charset=utf-8", "hello")},
	{"/html", OK("text/html", "<title>Making sure</title>")},
	{"/retry", "HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n"
		   "Connection: close\r\n\r\n"},
	{"/next", OK("application/json\r\nLink: <http://a/1>; rel=\"prev\", "
		     "<http://a/3>; rel=\"next\"",
		     "[]")},
	{"/here", "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n"
		  "Connection: close\r\n\r\n"},
	{"/away", "HTTP/1.1 302 Found\r\nLocation: http://example.org/ok\r\nContent-Length: 0\r\n"
		  "Connection: close\r\n\r\n"},
	{"/round", "HTTP/1.1 302 Found\r\nLocation: /round\r\nContent-Length: 0\r\n"
		   "Connection: close\r\n\r\n"},
	{"/cut", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhello"},
	{"/junk", "SSH-2.0-x\r\n\r\n"},
};

static void answer(int fd, const char *head)
{
	char echo[4096];
	size_t n = strcspn(strchr(head, ' ') + 1, " ");
	const char *path = strchr(head, ' ') + 1;

	if (strncmp(path, "/silent", n) == 0)
		sleep(30);
	for (size_t i = 0; i < array_size(answers); i++)
		if (strlen(answers[i].path) == n && strncmp(answers[i].path, path, n) == 0) {
			(void)!write(fd, answers[i].answer, strlen(answers[i].answer));
			return;
		}
	snprintf(echo, sizeof(echo), OK("text/plain", "%.3000s"), head);
	(void)!write(fd, echo, strlen(echo));
}

static void serve_one(int fd)
{
	char head[4096];
	size_t n = 0;

	while (n < sizeof(head) - 1) {
		ssize_t got = read(fd, head + n, sizeof(head) - 1 - n);

		if (got <= 0)
			return;
		n += (size_t)got;
		head[n] = '\0';
		if (strstr(head, "\r\n\r\n"))
			break;
	}
	answer(fd, head);
}

static int server_start(void **state)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(bind(s, (struct sockaddr *)&a, len), 0);
	assert_int_equal(listen(s, 16), 0);
	assert_int_equal(getsockname(s, (struct sockaddr *)&a, &len), 0);
	port = ntohs(a.sin_port);
	server = fork();
	if (server == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (server == 0) {
		int fd = accept(s, NULL, NULL);

		serve_one(fd);
		close(fd);
	}
	close(s);
	return 0;
}

static int server_stop(void **state)
{
	(void)state;
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return 0;
}

static struct http *client(double timeout_s)
{
	struct http_options opt = {.contact = "ada@example.org",
				   .timeout_s = timeout_s,
				   .pause_s = 0.001,
				   .loopback_only = true};
	struct err err = ERR_INIT;
	struct http *h;

	assert_ok(http_new(&opt, &h, &err), &err);
	return h;
}

/* The body is the answer's; "" on errors. */
static int get(const char *path, struct http_request req, struct http_response *r, struct err *err)
{
	auto_free char *url = xasprintf("http://127.0.0.1:%u%s", port, path);
	struct http *h = client(0.5);
	int rc;

	req.url = url;
	rc = http_run(h, &req, r, err);
	if (rc == 0)
		rc = http_check(&req, r, err);
	http_free(h);
	return rc;
}

static void test_ok(void **state)
{
	auto_http_response struct http_response r = {};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(get("/ok", (struct http_request){.content_type = "text/plain"}, &r, &err), &err);
	assert_int_equal(r.status, 200);
	assert_string_equal(r.body.buf, "hello");
	assert_string_equal(r.content_type, "text/plain");
	assert_true(r.retry_after_s < 0);
	assert_true(r.sent);
	assert_ok(get("/next", (struct http_request){}, &r, &err), &err);
	assert_string_equal(r.next, "http://a/3");
	assert_ok(get("/here", (struct http_request){}, &r, &err), &err);
	assert_string_equal(r.body.buf, "hello");
}

static void test_what_is_sent(void **state)
{
	static const char *const headers[] = {"Accept: text/x", NULL};
	auto_http_response struct http_response r = {};
	struct http_request req = {
		.method = "POST", .headers = headers, .body = "ab", .body_len = 2};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(get("/echo?x=1", req, &r, &err), &err);
	assert_non_null(strstr(r.body.buf, "POST /echo?x=1 HTTP/1.1"));
	assert_non_null(strstr(r.body.buf, "User-Agent: firn/" FIRN_VERSION " (+ada@example.org)"));
	assert_non_null(strstr(r.body.buf, "Accept: text/x"));
	assert_non_null(strstr(r.body.buf, "Content-Length: 2"));
}

static void test_refusals(void **state)
{
	static const struct {
		const char *path, *words;
		size_t max;
	} bad[] = {
		{"/html", "answered text/html instead of text/plain: a wall", 0},
		{"/retry", "HTTP status 503", 0},
		{"/away", "redirects to another place: http://example.org/ok", 0},
		{"/round", "redirects without end", 0},
		{"/cut", "/cut: ", 0},
		{"/junk", "/junk: ", 0},
		{"/ok", "larger than 4 bytes", 4},
	};

	(void)state;
	for (size_t i = 0; i < array_size(bad); i++) {
		auto_http_response struct http_response r = {};
		struct http_request req = {.content_type = "text/plain", .max = bad[i].max};
		struct err err = ERR_INIT;

		assert_err(get(bad[i].path, req, &r, &err), &err, ERR_INFRA, bad[i].words);
		if (strcmp(bad[i].path, "/retry") == 0)
			assert_true(r.retry_after_s == 7);
	}
}

static int piece_take(void *ctx, const void *data, size_t n, struct err *err)
{
	if (!ctx)
		return err_set(err, ERR_PATCH, "I do not want it");
	str_add(ctx, data, n);
	return 0;
}

static void test_pieces(void **state)
{
	auto_http_response struct http_response r = {};
	auto_str struct str got;
	struct http_request req = {
		.on_body = piece_take, .ctx = &got, .content_type = "text/plain"};
	struct err err = ERR_INIT;

	(void)state;
	str_init(&got, 0);
	assert_ok(get("/ok", req, &r, &err), &err);
	assert_string_equal(got.buf, "hello");
	assert_int_equal(r.body.len, 0);
	assert_err(get("/html", req, &r, &err), &err, ERR_INFRA, "a wall");
	assert_err(get("/retry", req, &r, &err), &err, ERR_INFRA, "503");
	assert_string_equal(got.buf, "hello"); /* of these, nothing */
	req.max = 3;
	assert_err(get("/ok", req, &r, &err), &err, ERR_INFRA, "larger than 3");
	req.max = 0;
	req.ctx = NULL;
	assert_err(get("/ok", req, &r, &err), &err, ERR_PATCH, "I do not want it");
}

static void test_nobody_there(void **state)
{
	auto_http_response struct http_response r = {};
	struct http *h = client(0.5);
	struct http_request dns = {.url = "http://name.invalid/"},
			    refused = {.url = "http://127.0.0.1:1/"},
			    other = {.url = "http://192.0.2.1/"},
			    scheme = {.url = "file:///etc/fstab"};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(http_run(h, &dns, &r, &err), &err, ERR_INFRA, "name.invalid");
	assert_err(http_run(h, &refused, &r, &err), &err, ERR_INFRA, "127.0.0.1:1");
	assert_false(r.sent);
	assert_err(http_run(h, &other, &r, &err), &err, ERR_INFRA, "192.0.2.1");
	assert_err(http_run(h, &scheme, &r, &err), &err, ERR_INFRA, "file:");
	http_free(h);
}

static void header(struct http_response *r, const char *line)
{
	http_header_take(line, strlen(line), r);
}

static void test_headers(void **state)
{
	char date[64];
	time_t then = time(NULL) + 100;
	struct tm tm;
	auto_http_response struct http_response r = {.retry_after_s = -1};

	(void)state;
	gmtime_r(&then, &tm);
	strftime(date, sizeof(date), "retry-after: %a, %d %b %Y %H:%M:%S GMT\r\n", &tm);
	header(&r, date);
	assert_true(r.retry_after_s > 95 && r.retry_after_s < 105);
	header(&r, "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
	assert_true(r.retry_after_s == 0);
	header(&r, "Retry-After: -5\r\n");
	assert_true(r.retry_after_s < 0);
	header(&r, "Retry-After: inf\r\n");
	assert_true(r.retry_after_s < 0);
	header(&r, "CONTENT-TYPE:Text/HTML;charset=x\r\n");
	assert_string_equal(r.content_type, "text/html");
	header(&r, "Link: <http://a/1>; rel=\"nextish\"\r\n");
	assert_null(r.next);
	header(&r, "Link: <\r\n");
	header(&r, "Link: <>; rel=\r\n");
	assert_null(r.next);
	header(&r, "Link: <http://a/2>; title=x; rel=next\r\n");
	assert_string_equal(r.next, "http://a/2");
	header(&r, "HTTP/1.1 200 OK\r\n");
	assert_null(r.next);
	assert_null(r.content_type);
}

static void redirects(const char *from, const char *location, const char *want)
{
	auto_free char *to = http_redirect(from, location);

	if (!want)
		assert_null(to);
	else
		assert_string_equal(to, want);
}

static void test_redirects(void **state)
{
	(void)state;
	redirects("http://a.example/x", "/y", "http://a.example/y");
	redirects("http://a.example/x/z", "y?q", "http://a.example/x/y?q");
	redirects("http://a.example/x", "https://a.example/x", "https://a.example/x");
	redirects("https://a.example/x", "http://a.example/x", NULL);
	redirects("http://a.example/x", "http://b.example/x", NULL);
	redirects("http://a.example/x", "//b.example/x", NULL);
	redirects("http://a.example/x", "http://a.example:81/x", NULL);
	redirects("http://a.example:81/x", "https://a.example/x", NULL);
	redirects("http://a.example/x", "file:///etc/passwd", NULL);
}

static void test_kinds(void **state)
{
	static const char *const with[] = {"Authorization: Token x", NULL};
	static const struct {
		unsigned status;
		bool credentials;
		int kind;
	} rows[] = {{401, false, ERR_CONFIG}, {403, false, ERR_INFRA}, {403, true, ERR_CONFIG},
		    {404, false, ERR_CONFIG}, {408, false, ERR_INFRA}, {429, true, ERR_INFRA},
		    {500, true, ERR_INFRA},   {503, false, ERR_INFRA}, {302, false, ERR_INFRA},
		    {200, false, 0},	      {201, false, 0}};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct http_request req = {.url = "http://a/",
					   .headers = rows[i].credentials ? with : NULL};
		struct http_response r = {.status = rows[i].status};
		struct err err = ERR_INIT;

		assert_int_equal(http_check(&req, &r, &err), rows[i].kind);
		assert_null(strstr(err.msg, "Token"));
	}
}

static void test_backoff(void **state)
{
	(void)state;
	assert_true(http_backoff(0, -1, 1) == 0);
	for (unsigned n = 1; n < 100; n++) {
		double s = http_backoff(n, -1, 5), least = n < 8 ? 30 << (n - 1) : 3600;

		assert_true(s >= least && s <= least * 1.1);
		assert_true(s == http_backoff(n, -1, 5));
	}
	assert_true(http_backoff(1, -1, 1) != http_backoff(1, -1, 2));
	assert_true(http_backoff(1, 5000, 1) == 5000);
}

static void test_escape(void **state)
{
	auto_free char *s = http_escape("a/b%c+d@e-._~\xc3\xa9 ?#");

	(void)state;
	assert_string_equal(s, "a%2Fb%25c%2Bd%40e-._~%C3%A9%20%3F%23");
}

static void on_tick(void *ctx)
{
	if (++*(unsigned *)ctx == 2)
		raise(SIGTERM);
}

/* The last: nothing goes on after it. */
static void test_silence_and_cancel(void **state)
{
	auto_free char *url = xasprintf("http://127.0.0.1:%u/silent", port);
	auto_http_response struct http_response r = {};
	struct http_request req = {.url = url, .timeout_s = 0.1};
	unsigned ticks = 0;
	struct http_options opt = {.on_tick = on_tick, .ctx = &ticks, .loopback_only = true};
	struct err err = ERR_INIT;
	struct http *h = client(30);
	double begun = clock_mono();

	(void)state;
	assert_err(http_run(h, &req, &r, &err), &err, ERR_INFRA, "/silent");
	assert_true(r.sent);
	http_free(h);
	cancel_init();
	assert_ok(http_new(&opt, &h, &err), &err);
	req.timeout_s = 30;
	assert_err(http_run(h, &req, &r, &err), &err, ERR_CANCELLED, "cancelled");
	assert_true(clock_mono() - begun < 5);
	http_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ok),
		cmocka_unit_test(test_what_is_sent),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_nobody_there),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_redirects),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_backoff),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_silence_and_cancel),
	};

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	return cmocka_run_group_tests(tests, server_start, server_stop);
}
