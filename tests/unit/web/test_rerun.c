// SPDX-License-Identifier: GPL-2.0-or-later
/* Asking for reruns: who may, what is taken, how often; and which names the server goes by. */
#include "unit/store/store_help.h"
#include "unit/unit.h"

#include "base/clock.h"
#include "base/json.h"
#include "unit/web/client.h"
#include "web/guess.h"
#include "web/host.h"
#include "web/token.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#define TOKEN "correct-horse-battery"
#define RIGHT "Authorization: Bearer " TOKEN "\r\n"
#define WRONG "Authorization: Bearer correct-horse-batterz\r\n"
#define JSON  "Content-Type: application/json\r\n"
#define KNOWN "{\"message_id\": \"m1@example.org\"}"

static int with_token(void **state)
{
	return server_setup_with(state, TOKEN, NULL);
}

/* A store with one posting, m1@example.org. */
static void posting_make(const struct server *s)
{
	struct store_fixture f = {.err = ERR_INIT};

	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	posting_put(&f, "demo", mail_put(&f, "m1@example.org", NULL, "ada@example.org", 1000), 1,
		    "d1");
	store_close(f.store);
}

static int64_t requests_of(const struct server *s)
{
	struct store_fixture f = {.err = ERR_INIT};
	int64_t n;

	assert_ok(store_open(s->store_path, STORE_READ, &f.store, &f.err), &f.err);
	n = ask(&f, "SELECT count(*) FROM request");
	store_close(f.store);
	return n;
}

static void post(const struct server *s, const char *headers, const char *body, struct str *answer)
{
	auto_free char *text = xasprintf("POST /api/v1/rerun HTTP/1.1\r\nHost: localhost\r\n"
					 "Connection: close\r\nContent-Length: %zu\r\n%s\r\n%s",
					 strlen(body), headers, body);

	client_send(s, text, strlen(text), answer);
}

#define assert_post(server, headers, body, want, text)                                             \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		post(server, headers, body, &answer_);                                             \
		assert_int_equal(answer_status(&answer_), want);                                   \
		answer_holds(&answer_, text);                                                      \
	} while (0)

#define assert_get(server, path, want, text)                                                       \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		client_ask(server, "GET", path, &answer_);                                         \
		assert_int_equal(answer_status(&answer_), want);                                   \
		answer_holds(&answer_, text);                                                      \
	} while (0)

static void without_a_token_nobody_may(void **state)
{
	posting_make(*state);
	assert_post(*state, RIGHT JSON, KNOWN, 403, "the operator has set none");
	assert_post(*state, "", "", 403, "\"status\": 403");
	assert_int_equal(requests_of(*state), 0);
}

static void a_request_is_noted_and_its_answer_shown(void **state)
{
	const struct server *s = *state;
	struct store_fixture f = {.err = ERR_INIT};
	struct store_request r = {0};

	posting_make(s);
	assert_post(s, RIGHT JSON,
		    "{\"message_id\": \"<m1@example.org>\", \"base\": \"v6.12\", \"only\": "
		    "\"build\", \"bench\": \"ipi\", \"unpin\": true}",
		    202, "\"url\": \"/api/v1/requests/1\"");
	assert_get(s, "/api/v1/requests/1", 200, "\"state\": \"waiting\"");
	assert_get(s, "/api/v1/requests/1", 200, "\"good\": null");

	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	assert_ok(store_request_get(f.store, 1, &r, &f.err), &f.err);
	assert_string_equal(r.kind, "rerun");
	assert_string_equal(r.message_id, "m1@example.org");
	assert_string_equal(r.who, "api");
	assert_string_equal(r.via, "web");
	auto_free char *arguments = sql_json_text(r.arguments);
	assert_string_equal(
		arguments,
		"{\"base\":\"v6.12\",\"bench\":\"ipi\",\"only\":\"build\",\"unpin\":true}");
	store_request_done(&r);
	assert_ok(store_request_answer(f.store, 1, true, "queued as trial 7", 7, &f.err), &f.err);
	store_close(f.store);

	assert_get(s, "/api/v1/requests/1", 200, "\"state\": \"answered\"");
	assert_get(s, "/api/v1/requests/1", 200, "\"good\": true");
	assert_get(s, "/api/v1/requests/1", 200, "\"words\": \"queued as trial 7\"");
	assert_get(s, "/api/v1/requests/1", 200, "\"trial\": 7");
}

/* The engine takes a rerun without arguments for one that a trial under way answers. */
static void what_is_not_asked_for_is_not_noted(void **state)
{
	const struct server *s = *state;
	struct store_fixture f = {.err = ERR_INIT};

	posting_make(s);
	assert_post(s,
		    "authorization: bearer " TOKEN "\r\nContent-Type: APPLICATION/JSON; "
		    "charset=utf-8\r\n",
		    "{\"message_id\": \"m1@example.org\", \"unpin\": false}", 202,
		    "\"request\": 1");
	assert_ok(store_open(s->store_path, STORE_READ, &f.store, &f.err), &f.err);
	assert_int_equal(ask(&f, "SELECT count(*) FROM request WHERE arguments = '{}'"), 1);
	store_close(f.store);
}

/* A command's or a mail's may name people. */
static void only_requests_made_here_are_shown(void **state)
{
	const struct server *s = *state;
	struct store_fixture f = {.err = ERR_INIT};
	struct store_request r = {.kind = (char *)"rerun",
				  .message_id = (char *)"m1@example.org",
				  .who = (char *)"root",
				  .via = (char *)"command"};
	int64_t id;

	posting_make(s);
	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	r.arguments = json_object();
	assert_ok(store_request_add(f.store, &r, &id, &f.err), &f.err);
	json_decref(r.arguments);
	store_close(f.store);
	assert_get(s, "/api/v1/requests/1", 404, "no request of that number");
	assert_get(s, "/api/v1/requests/2", 404, "no request of that number");
}

static void bad_bodies_are_told_what_is_wrong(void **state)
{
	static const struct {
		const char *body, *text;
	} cases[] = {
		{"", "no JSON object"},
		{"[]", "no JSON object"},
		{"{", "no JSON object"},
		{KNOWN "x", "no JSON object"},
		{"{\"message_id\": \"a\", \"message_id\": \"b\"}", "no JSON object"},
		{"{\"message_id\": \"m1@example.org\\u0000\"}", "no JSON object"},
		{"{\"message_id\": \"\xff\"}", "no JSON object"},
		{"{}", "\\\"message_id\\\" is needed"},
		{"{\"message_id\": 1}", "\\\"message_id\\\" has to be a string"},
		{"{\"message_id\": \"\"}", "\\\"message_id\\\" has to be a string"},
		{"{\"message_id\": \"a\\nb\"}", "of one line"},
		{"{\"message_id\": \"m1@example.org\", \"base\": null}", "\\\"base\\\" has to be"},
		{"{\"message_id\": \"m1@example.org\", \"only\": [\"build\"]}",
		 "\\\"only\\\" has to be"},
		{"{\"message_id\": \"m1@example.org\", \"unpin\": 1}", "true or false"},
		{"{\"message_id\": \"m1@example.org\", \"refuse\": \"x\"}", "a member other than"},
	};
	posting_make(*state);
	for (size_t i = 0; i < array_size(cases); i++)
		assert_post(*state, RIGHT JSON, cases[i].body, 400, cases[i].text);
	assert_post(*state, RIGHT JSON, "{\"message_id\": \"nobody@example.org\"}", 404,
		    "No posting with this message ID");
	assert_post(*state, RIGHT JSON, "{\"message_id\": \"'; DROP TABLE request\"}", 404,
		    "No posting");
	assert_int_equal(requests_of(*state), 0);
}

static void only_json_of_8_kib_is_read(void **state)
{
	static const char chunked[] =
		"POST /api/v1/rerun HTTP/1.1\r\nHost: localhost\r\n" RIGHT JSON
		"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
	enum { MAX = 8192 };
	auto_free char *body = xmalloc(MAX + 2);
	auto_str struct str answer;

	posting_make(*state);
	memset(body, ' ', MAX + 1);
	body[MAX + 1] = '\0';
	memcpy(body, KNOWN, strlen(KNOWN) - 1);
	body[MAX] = '}';
	assert_post(*state, RIGHT JSON, body, 413, "larger than 8 KiB");
	body[MAX - 1] = '}'; /* the last byte counts */
	body[MAX] = '\0';
	assert_post(*state, RIGHT JSON, body, 202, "\"request\": 1");
	assert_post(*state, RIGHT, KNOWN, 415, "application/json");
	assert_post(*state, RIGHT "Content-Type: text/plain\r\n", KNOWN, 415, "application/json");
	assert_post(*state, RIGHT "Content-Type: application/jsonx\r\n", KNOWN, 415, "json");
	client_send(*state, chunked, strlen(chunked), &answer);
	assert_int_equal(answer_status(&answer), 411);
	assert_int_equal(requests_of(*state), 1);
}

static void other_methods_are_405(void **state)
{
	static const char *const methods[] = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};
	auto_str struct str post_read;

	for (size_t i = 0; i < array_size(methods); i++) {
		auto_str struct str answer;

		client_ask(*state, methods[i], "/api/v1/rerun", &answer);
		assert_int_equal(answer_status(&answer), 405);
		answer_holds(&answer, "Allow: POST\r\n");
	}
	client_ask(*state, "POST", "/api/v1/requests/1", &post_read);
	assert_int_equal(answer_status(&post_read), 405);
	answer_holds(&post_read, "Allow: GET, HEAD\r\n");
}

static void wrong_tokens_are_401_and_then_429(void **state)
{
	posting_make(*state);
	assert_post(*state, JSON, KNOWN, 401, "WWW-Authenticate: Bearer realm=\"firn\"\r\n");
	assert_post(*state, JSON "Authorization: Basic " TOKEN "\r\n", KNOWN, 401, "needs a token");
	for (int i = 0; i < GUESS_MAX; i++)
		assert_post(*state, WRONG JSON, KNOWN, 401, "error=\"invalid_token\"\r\n");
	assert_post(*state, WRONG JSON, KNOWN, 429, "Retry-After: ");
	assert_post(*state, RIGHT JSON, KNOWN, 429, "Too many wrong tokens");
	assert_get(*state, "/healthz", 200, "ok");
	assert_int_equal(requests_of(*state), 0);
}

static void ten_an_hour_are_taken(void **state)
{
	const struct server *s = *state;
	struct store_fixture f = {.err = ERR_INIT};

	posting_make(s);
	for (int i = 0; i < 10; i++)
		assert_post(s, RIGHT JSON, KNOWN, 202, "\"request\": ");
	assert_post(s, RIGHT JSON, KNOWN, 429, "Retry-After: 3600\r\n");
	assert_int_equal(requests_of(s), 10);
	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	assert_ok(sql_exec(f.store, "UPDATE request SET at = at - 3000", "ageing", &f.err), &f.err);
	assert_post(s, RIGHT JSON, KNOWN, 429, "Retry-After: 6");
	assert_ok(sql_exec(f.store, "UPDATE request SET at = at - 700", "ageing", &f.err), &f.err);
	store_close(f.store);
	assert_post(s, RIGHT JSON, KNOWN, 202, "\"request\": 11");
}

static void without_a_store_it_says_so(void **state)
{
	const struct server *s = *state;

	assert_post(s, RIGHT JSON, KNOWN, 503, "The store cannot be read");
	assert_false(fs_exists(s->store_path));
}

static void what_cannot_be_noted_is_503(void **state)
{
	const struct server *s = *state;
	struct store_fixture f = {.err = ERR_INIT};

	posting_make(s);
	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	assert_ok(sql_exec(f.store,
			   "CREATE TRIGGER t BEFORE INSERT ON request BEGIN"
			   " SELECT RAISE(ABORT, 'the disk is full'); END",
			   "making a trigger", &f.err),
		  &f.err);
	store_close(f.store);
	assert_post(s, RIGHT JSON, KNOWN, 503, "Retry-After: 60\r\n");
	assert_post(s, RIGHT JSON, KNOWN, 503, "\"status\": 503");
}

static void a_body_that_never_comes_does_no_harm(void **state)
{
	static const char half[] = "POST /api/v1/rerun HTTP/1.1\r\nHost: localhost\r\n" RIGHT JSON
				   "Content-Length: 40\r\n\r\n{\"message_id\"";
	int fd = client_connect(*state);

	posting_make(*state);
	assert_int_equal(send(fd, half, strlen(half), MSG_NOSIGNAL), (ssize_t)strlen(half));
	assert_get(*state, "/healthz", 200, "ok");
	close(fd);
	assert_get(*state, "/healthz", 200, "ok");
	assert_int_equal(requests_of(*state), 0);
}

static void a_strangers_name_is_421(void **state)
{
	static const char text[] = "GET / HTTP/1.1\r\nHost: evil.example\r\n"
				   "Connection: close\r\n\r\n";
	auto_str struct str answer;

	client_send(*state, text, strlen(text), &answer);
	assert_int_equal(answer_status(&answer), 421);
	answer_holds(&answer, "web.url");
}

static void names_are_told_apart(void **state)
{
	static const struct {
		const char *address, *url, *host;
		bool want;
	} cases[] = {
		{NULL, NULL, "localhost", true},
		{NULL, NULL, "LocalHost:8080", true},
		{NULL, NULL, "127.0.0.1:1", true},
		{NULL, NULL, "[::1]", true},
		{"::1", NULL, "[::1]:8080", true},
		{"127.0.0.2", NULL, "127.0.0.2:80", true},
		{NULL, NULL, NULL, true},
		{NULL, NULL, "", false},
		{NULL, NULL, "evil.example", false},
		{"::1", NULL, "evil.example", false},
		{NULL, NULL, "localhost.evil.example", false},
		{NULL, NULL, "localhost:80.evil.example", false},
		{NULL, NULL, "127.0.0.1.evil.example", false},
		{NULL, NULL, "[::1]evil.example", false},
		{NULL, NULL, "firn.example.org", false},
		{NULL, "https://firn.example.org/a", "firn.example.org", true},
		{NULL, "https://firn.example.org:444", "FIRN.example.org:80", true},
		{NULL, "https://firn.example.org", "firn.example.or", false},
		{"0.0.0.0", NULL, "evil.example", true},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		const struct web_options opt = {.address = cases[i].address, .url = cases[i].url};
		const struct request q = {.opt = &opt, .host = cases[i].host};

		if (host_admits(&q) != cases[i].want)
			fail_msg("row %zu: %s", i, cases[i].host);
	}
}

static void tokens_are_compared_whole(void **state)
{
	const struct tokens tokens = {
		.n = 2,
		.token = {{.name = (char *)"ada", .secret = (char *)TOKEN},
			  {.name = (char *)"bob", .secret = (char *)TOKEN "2"}}};

	(void)state;
	assert_string_equal(token_find(&tokens, TOKEN)->name, "ada");
	assert_string_equal(token_find(&tokens, TOKEN "2")->name, "bob");
	assert_null(token_find(&tokens, TOKEN "x"));
	assert_null(token_find(&tokens, "correct"));
	assert_null(token_find(&tokens, ""));
	assert_string_equal(token_bearer("Bearer " TOKEN), TOKEN);
	assert_string_equal(token_bearer("bearer  " TOKEN), TOKEN);
	assert_null(token_bearer("Bearer"));
	assert_null(token_bearer(TOKEN));
	assert_null(token_bearer(NULL));
}

/* IPv6 by /64, and IPv4 the same when it comes by an IPv6 socket. */
static void guesses_are_counted_by_address(void **state)
{
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000201)};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6}, near = six, mapped = six;
	struct guesses g = {0};
	unsigned row = guess_row((struct sockaddr *)&four);

	(void)state;
	inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
	inet_pton(AF_INET6, "2001:db8::2:3", &near.sin6_addr);
	inet_pton(AF_INET6, "::ffff:192.0.2.1", &mapped.sin6_addr);
	assert_int_equal(guess_row((struct sockaddr *)&mapped), row);
	assert_int_equal(guess_row((struct sockaddr *)&near), guess_row((struct sockaddr *)&six));
	assert_int_not_equal(guess_row((struct sockaddr *)&six), row);
	for (int i = 0; i < GUESS_MAX; i++) {
		assert_int_equal(guess_wait(&g, row), 0);
		guess_wrong(&g, row);
	}
	assert_in_range(guess_wait(&g, row), GUESS_S - 5, GUESS_S);
	assert_int_equal(guess_wait(&g, guess_row((struct sockaddr *)&six)), 0);
	g.row[row].since -= GUESS_S;
	assert_int_equal(guess_wait(&g, row), 0);
	guess_wrong(&g, row);
	assert_int_equal(g.row[row].n, 1);
}

#define TEST(f, setup) cmocka_unit_test_setup_teardown(f, setup, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_token_nobody_may, server_setup),
		TEST(a_request_is_noted_and_its_answer_shown, with_token),
		TEST(what_is_not_asked_for_is_not_noted, with_token),
		TEST(only_requests_made_here_are_shown, with_token),
		TEST(bad_bodies_are_told_what_is_wrong, with_token),
		TEST(only_json_of_8_kib_is_read, with_token),
		TEST(other_methods_are_405, with_token),
		TEST(wrong_tokens_are_401_and_then_429, with_token),
		TEST(ten_an_hour_are_taken, with_token),
		TEST(without_a_store_it_says_so, with_token),
		TEST(what_cannot_be_noted_is_503, with_token),
		TEST(a_body_that_never_comes_does_no_harm, with_token),
		TEST(a_strangers_name_is_421, server_setup),
		cmocka_unit_test(names_are_told_apart),
		cmocka_unit_test(tokens_are_compared_whole),
		cmocka_unit_test(guesses_are_counted_by_address),
	};

	return cmocka_run_group_tests_name("web-rerun", tests, NULL, NULL);
}
