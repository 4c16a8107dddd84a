// SPDX-License-Identifier: GPL-2.0-or-later
/* A real server in a child process, on a port that the kernel picked, and a client that may send
 * anything. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "store/store.h"
#include "unit/web/client.h"
#include "web/asset.h"
#include "web/web.h"
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

static const char *const steps[] = {"build", "boot", NULL};

#define assert_get(server, path, want, text)                                                       \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		client_ask(server, "GET", path, &answer_);                                         \
		assert_int_equal(answer_status(&answer_), want);                                   \
		answer_holds(&answer_, text);                                                      \
	} while (0)

static struct store *store_of(const struct server *s)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	assert_ok(store_open(s->store_path, STORE_WRITE, &store, &err), &err);
	return store;
}

static int64_t trial_of(struct store *store, const char *title)
{
	const struct store_series series = {.title = title,
					    .message_id = "1@example.org",
					    .author = "Ada Example",
					    .version = 2};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &series, steps, &id, &err), &err);
	return id;
}

static void finish(struct store *store, int64_t id, const char *words, const char *report)
{
	const struct store_trial_end end = {
		.outcome = OUTCOME_WARN, .words = words, .report = report};
	struct err err = ERR_INIT;

	assert_ok(store_trial_finish(store, id, &end, &err), &err);
}

static void without_a_store_it_says_so(void **state)
{
	assert_get(*state, "/", 503, "either nothing ran yet");
	assert_get(*state, "/healthz", 503, "The store cannot be read");
	assert_get(*state, "/api/v1/trials", 503, "\"status\": 503");
	assert_get(*state, asset_path("style.css"), 200, "prefers-color-scheme");
}

static void the_front_page_lists_trials(void **state)
{
	auto_store struct store *store = store_of(*state);

	assert_get(*state, "/", 200, "No trials here");
	finish(store, trial_of(store, "mm: first"), "slower", NULL);
	finish(store, trial_of(store, "mm: second"), "quicker", NULL);
	trial_of(store, "mm: third");
	assert_get(*state, "/", 200, "<a href=\"/trial/2\"><bdi>mm: second</bdi>");
	assert_get(*state, "/", 200, "<a href=\"/trial/3\"><bdi>mm: third</bdi>");
	assert_get(*state, "/", 200, "<span class=\"badge running\">running</span>");
	assert_get(*state, "/", 200, "<span class=\"badge warn\">warn</span>");
	assert_get(*state, "/?limit=1", 200, "href=\"/?limit=1&amp;before=2\">older");
	assert_get(*state, "/?limit=1&before=2", 200, "mm: first");
	assert_get(*state, "/?before=999999999999999999", 200, "Nothing is like that");
	assert_get(*state, "/?before=-1", 200, "mm: second");
	assert_get(*state, "/?q=first&state=warn", 200, "mm: first");
	assert_get(*state, "/?state=odd", 400, "There is no such state");
	assert_get(*state, "/healthz", 200, "\r\n\r\nok\n");
}

static void a_trial_shows_its_report(void **state)
{
	auto_store struct store *store = store_of(*state);

	finish(store, trial_of(store, "x"), "slower", FIXTURES "/report/slower.json");
	assert_get(*state, "/trial/1", 200, "hot-add is slower than on the base");
	assert_get(
		*state, "/trial/1", 200,
		"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'");
	assert_get(*state, "/trial/1", 200, "frame-ancestors 'none'");
	assert_get(*state, "/api/v1/trials/1/report", 200, "\"schema\": \"firn-report\"");
}

static void a_report_that_is_gone_is_410(void **state)
{
	auto_store struct store *store = store_of(*state);

	finish(store, trial_of(store, "x"), "slower", "/nonexistent/report.json");
	assert_get(*state, "/trial/1", 410, "no longer on disk");
	assert_get(*state, "/api/v1/trials/1/report", 410, "no longer on disk");
	assert_get(*state, "/api/v1/trials/1", 200, "\"outcome\": \"warn\"");
}

static void a_report_that_is_none_is_500(void **state)
{
	const struct server *s = *state;
	auto_store struct store *store = store_of(s);
	auto_free char *path = xasprintf("%s/report.json", s->dir);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, "{\"schema\":\"other\"}", 18, &err), &err);
	finish(store, trial_of(store, "x"), "slower", path);
	assert_get(s, "/trial/1", 500, "cannot be shown");
}

static void a_trial_without_a_report_shows_its_steps(void **state)
{
	auto_store struct store *store = store_of(*state);
	struct err err = ERR_INIT;
	int64_t id = trial_of(store, "mm: at work");

	assert_ok(store_step_begin(store, id, "build", &err), &err);
	assert_get(*state, "/trial/1", 200, "so far");
	assert_get(*state, "/trial/1", 200, "http-equiv=\"refresh\"");
	assert_get(*state, "/api/v1/trials/1", 200, "\"state\": \"waiting\"");
	assert_get(*state, "/api/v1/trials/1/report", 404, "has no report");
	finish(store, id, "cancelled", NULL);
	assert_get(*state, "/trial/1", 200, "cancelled");
}

static void a_dead_trial_is_shown_as_interrupted(void **state)
{
	const struct server *s = *state;
	pid_t pid = fork();

	if (pid == 0) {
		trial_of(store_of(s), "mm: cut off");
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	assert_get(s, "/", 200, "badge interrupted");
	assert_get(s, "/trial/1", 200, "the process that ran it is gone");
}

static void the_api_lists_in_pages(void **state)
{
	auto_store struct store *store = store_of(*state);
	auto_str struct str answer;
	json_error_t jerr;

	for (int i = 0; i < 3; i++)
		trial_of(store, "mm: one of three");
	client_ask(*state, "GET", "/api/v1/trials?limit=2", &answer);
	answer_holds(&answer, "Content-Type: application/json\r\n");
	auto_json json_t *obj = json_loads(answer_body(&answer), 0, &jerr);
	assert_int_equal(json_array_size(json_object_get(obj, "trials")), 2);
	assert_string_equal(json_get_str(obj, "next", ""), "/api/v1/trials?limit=2&before=2");
	assert_string_equal(
		json_get_str(json_array_get(json_object_get(obj, "trials"), 0), "page", ""),
		"/trial/3");
	assert_get(*state, "/api/v1/trials?limit=2&before=2", 200, "\"next\": null");
}

static void unknown_paths_are_404(void **state)
{
	static const char *const paths[] = {
		"/trial/7",
		"/trial/",
		"/trial/x",
		"/trial/01",
		"/trial/-1",
		"/trial/1/",
		"/trial/1%00",
		"/trial/99999999999999999999999",
		"/trial/%31",
		"//",
		"/../../etc/passwd",
		"/trial/../../../etc/passwd",
		"/%2e%2e/%2e%2e/etc/passwd",
		"/style.css/",
		"/STYLE.CSS",
		"/%ff%fe",
		"/<script>",
		"/trial/1;DROP",
	};
	auto_store struct store *store = store_of(*state);

	trial_of(store, "x");
	for (size_t i = 0; i < array_size(paths); i++)
		assert_get(*state, paths[i], 404, "404 Not Found");
	assert_get(*state, "/api/v1/nothing", 404, "\"status\": 404");
	assert_get(*state, "/api/v1/trials/9", 404, "no trial of that number");
}

static void bad_queries_are_400(void **state)
{
	static const char *const paths[] = {
		"/?limit=0",  "/?limit=-1",	     "/?limit=1x",   "/?q=%zz",	    "/?q=%00",
		"/?q=%c0%af", "/?limit=99999999999", "/?limit=%2b1", "/?offset=1.5"};

	store_close(store_of(*state));
	for (size_t i = 0; i < array_size(paths); i++)
		assert_get(*state, paths[i], 400, "400 Bad Request");
	assert_get(*state, "/?limit", 200, "No trials");
	assert_get(*state, "/?limit=&offset=%30", 200, "No trials");
	assert_get(*state, "/?other=1", 200, "No trials");
}

static void only_reading_is_allowed(void **state)
{
	static const char *const methods[] = {"POST",  "PUT",	"DELETE", "OPTIONS",
					      "TRACE", "PATCH", "BREW"};

	for (size_t i = 0; i < array_size(methods); i++) {
		auto_str struct str answer;

		client_ask(*state, methods[i], "/", &answer);
		assert_int_equal(answer_status(&answer), 405);
		answer_holds(&answer, "Allow: GET, HEAD\r\n");
	}
}

static void a_body_is_not_read(void **state)
{
	static const char post[] =
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\nabc";
	static const char get[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";
	static const char chunked[] = "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
				      "chunked\r\n\r\n3\r\nabc\r\n";
	auto_str struct str a, b, c;

	client_send(*state, post, strlen(post), &a);
	assert_int_equal(answer_status(&a), 405);
	client_send(*state, get, strlen(get), &b);
	assert_int_equal(answer_status(&b), 400);
	client_send(*state, chunked, strlen(chunked), &c);
	assert_int_equal(answer_status(&c), 400);
}

static void head_is_get_without_the_body(void **state)
{
	auto_store struct store *store = store_of(*state);
	auto_str struct str get, head;

	trial_of(store, "x");
	client_ask(*state, "GET", "/api/v1/trials", &get);
	client_ask(*state, "HEAD", "/api/v1/trials", &head);
	assert_int_equal(answer_status(&head), 200);
	assert_string_equal(answer_body(&head), "");
	auto_free char *length = xasprintf("Content-Length: %zu\r\n", strlen(answer_body(&get)));
	answer_holds(&head, length);
}

static void every_answer_has_the_security_headers(void **state)
{
	const char *const paths[] = {"/", asset_path("style.css"), "/nothing", "/healthz",
				     "/api/v1/trials"};
	static const char *const wanted[] = {
		"X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: same-origin\r\n",
		"X-Frame-Options: DENY\r\n", "Content-Security-Policy: default-src 'none'",
		"frame-ancestors 'none'"};

	for (size_t i = 0; i < array_size(paths); i++) {
		auto_str struct str answer;

		client_ask(*state, "GET", paths[i], &answer);
		for (size_t j = 0; j < array_size(wanted); j++)
			answer_holds(&answer, wanted[j]);
	}
}

static void long_and_broken_requests_do_no_harm(void **state)
{
	enum { LONG = 40000 };
	static const char junk_bytes[] = "\0\xff\x16\x03\x01 nonsense\r\n\r\n";
	static const char one_and_a_half[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /more";
	auto_free char *path = xmalloc(LONG + 1);
	auto_str struct str answer, half;

	store_close(store_of(*state));
	memset(path, 'a', LONG);
	path[0] = '/';
	path[LONG] = '\0';
	client_ask(*state, "GET", path, &answer);
	if (answer.len) /* the connection may be reset before the answer is read */
		assert_true(answer_status(&answer) == 414 || answer_status(&answer) == 431);
	path[2000] = '\0';
	assert_get(*state, path, 404, "404 Not Found");

	int fd = client_connect(
		*state); /* not answered: the server waits for more until it is idle too long */
	assert_int_equal(send(fd, junk_bytes, sizeof(junk_bytes) - 1, MSG_NOSIGNAL),
			 sizeof(junk_bytes) - 1);
	close(fd);
	client_send(*state, one_and_a_half, sizeof(one_and_a_half) - 1, &half);
	assert_int_equal(answer_status(&half), 200);
	assert_get(*state, "/healthz", 200, "ok");
}

static void an_open_connection_serves_more_than_once(void **state)
{
	auto_free char *two =
		xasprintf("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
			  "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
			  asset_path("style.css"));
	auto_str struct str answer;

	client_send(*state, two, strlen(two), &answer);
	assert_int_equal(answer_status(&answer), 200);
	answer_holds(&answer, "HTTP/1.1 404 Not Found");
}

/* Idle connections must not keep others out for longer than their time-out, nor the server from
 * ending. */
static void idle_connections_do_not_block(void **state)
{
	int idle[40];

	store_close(store_of(*state));
	for (size_t i = 0; i < array_size(idle); i++)
		idle[i] = client_connect(*state);
	assert_get(*state, "/healthz", 200, "ok");
	for (size_t i = 0; i < array_size(idle); i++)
		close(idle[i]);
}

static void assert_harmless(const struct server *s, const char *path)
{
	static const char *const never[] = {"<script>", "<img", "\x1b", "\xe2\x80\xae",
					    "onerror=alert(2)>"};
	auto_str struct str answer;

	client_ask(s, "GET", path, &answer);
	assert_int_equal(answer_status(&answer), 200);
	for (size_t i = 0; i < array_size(never); i++)
		if (strstr(answer_body(&answer), never[i]))
			fail_msg("%s holds %s", path, never[i]);
	assert_int_equal(strlen(answer.buf), answer.len); /* no NUL */
}

static void hostile_strings_are_escaped(void **state)
{
	static const char evil[] =
		"<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\x1b[2J\xe2\x80\xae\xff";
	const struct store_series series = {
		.title = evil, .message_id = evil, .author = evil, .version = 1};
	auto_store struct store *store = store_of(*state);
	struct store_step_end step = {.outcome = OUTCOME_FAIL, .reason = evil};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &series, steps, &id, &err), &err);
	assert_ok(store_step_finish(store, id, "build", &step, &err), &err);
	assert_harmless(*state, "/");
	assert_harmless(*state, "/trial/1");
	finish(store, id, evil, NULL);
	assert_harmless(*state, "/trial/1");
	finish(store, trial_of(store, evil), evil, FIXTURES "/report/hostile.json");
	assert_harmless(*state, "/");
	assert_harmless(*state, "/trial/2");
}

static void a_bad_address_is_the_operators(void **state)
{
	const struct server *s = *state;
	struct web_options opt = {.store_path = s->store_path, .address = "example.org"};
	struct err err = ERR_INIT;

	assert_err(web_serve(&opt, &err), &err, ERR_CONFIG, "listen address example.org");
	opt.address = NULL;
	opt.port = s->port;
	assert_err(web_serve(&opt, &err), &err, ERR_CONFIG, "in use");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, server_setup, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_store_it_says_so),
		TEST(the_front_page_lists_trials),
		TEST(a_trial_shows_its_report),
		TEST(a_report_that_is_gone_is_410),
		TEST(a_report_that_is_none_is_500),
		TEST(a_trial_without_a_report_shows_its_steps),
		TEST(a_dead_trial_is_shown_as_interrupted),
		TEST(the_api_lists_in_pages),
		TEST(unknown_paths_are_404),
		TEST(bad_queries_are_400),
		TEST(only_reading_is_allowed),
		TEST(a_body_is_not_read),
		TEST(head_is_get_without_the_body),
		TEST(every_answer_has_the_security_headers),
		TEST(long_and_broken_requests_do_no_harm),
		TEST(an_open_connection_serves_more_than_once),
		TEST(idle_connections_do_not_block),
		TEST(hostile_strings_are_escaped),
		TEST(a_bad_address_is_the_operators),
	};

	return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
