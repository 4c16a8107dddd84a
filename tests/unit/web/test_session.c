// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is signed in, and forms: nobody may be made to send one. */
#include "unit/store/store_help.h"
#include "unit/unit.h"

#include "base/clock.h"
#include "unit/web/client.h"
#include "web/guess.h"
#include "web/session.h"

#define TOKEN "correct-horse-battery"
#define FORM  "Content-Type: application/x-www-form-urlencoded\r\n"
#define PROXY "X-Remote-User: ada\r\n"

static const struct tokens tokens = {
	.n = 4,
	.token = {{.name = (char *)"api", .secret = (char *)TOKEN},
		  {.name = (char *)"ada", .secret = (char *)"hers-" TOKEN},
		  {.name = (char *)"ada.b@c", .secret = (char *)"his-" TOKEN},
		  {.name = (char *)"ada", .secret = (char *)"her-other-" TOKEN}}};

static int with_token(void **state)
{
	return server_setup_with(state, TOKEN, NULL);
}

static int with_https(void **state)
{
	return server_setup_with(state, TOKEN, "https://firn.example.org/");
}

static int with_proxy(void **state)
{
	return server_setup_as(
		state, &(struct server){.auth_header = "X-Remote-User", .auth_from = "127.0.0.1"});
}

static int with_other_proxy(void **state)
{
	return server_setup_as(state, &(struct server){.auth_header = "X-Remote-User",
						       .auth_from = "192.0.2.1, 10.0.0.0/8"});
}

static struct request request_of(const struct web_options *opt)
{
	return (struct request){.opt = opt, .tokens = &tokens, .csrf = ""};
}

static char *cookie_value(const struct request *q, const struct token *token, int64_t until)
{
	auto_free char *set = session_cookie(q, token, until);

	return xmemdup(set, strcspn(set, ";"));
}

static void cookies_are_signed(void **state)
{
	const struct web_options opt = {0};
	struct session_key key;
	struct request q = request_of(&opt);
	int64_t now = 1000000;
	auto_free char *good = cookie_value(&q, &tokens.token[2], now + 10);
	auto_free char *mixed = xasprintf("a=b; firn=x.y.z; %s; c=d", good);
	auto_free char *longer = xasprintf("%s0", good);

	(void)state;
	auto_free char *who = session_cookie_who(&q, good, now, &key);
	assert_string_equal(who, "ada.b@c");
	auto_free char *among = session_cookie_who(&q, mixed, now, &key);
	assert_string_equal(among, "ada.b@c");
	assert_null(session_cookie_who(&q, good, now + 10, &key)); /* its time is over */
	assert_null(session_cookie_who(&q, longer, now, &key));
	assert_null(session_cookie_who(&q, NULL, now, &key));
	q.tokens = NULL;
	assert_null(session_cookie_who(&q, good, now, &key));
}

/* A name may have several tokens: the session ends with the one that it began with. */
static void a_session_ends_with_its_token(void **state)
{
	const struct web_options opt = {0};
	struct tokens fewer = {.n = 2, .token = {tokens.token[0], tokens.token[3]}};
	struct session_key first = {0}, second = {0};
	struct request q = request_of(&opt);
	auto_free char *hers = cookie_value(&q, &tokens.token[1], 2000);
	auto_free char *other = cookie_value(&q, &tokens.token[3], 2000);
	auto_free char *who = session_cookie_who(&q, hers, 1000, &first);
	auto_free char *also = session_cookie_who(&q, other, 1000, &second);

	(void)state;
	assert_string_equal(who, "ada");
	assert_string_equal(also, "ada");
	assert_memory_not_equal(&first, &second, sizeof(first));
	q.tokens = &fewer;
	assert_null(session_cookie_who(&q, hers, 1000, &first));
	auto_free char *still = session_cookie_who(&q, other, 1000, &second);
	assert_string_equal(still, "ada");
}

static void forged_cookies_are_nobodys(void **state)
{
	const struct web_options opt = {0};
	struct session_key key;
	struct request q = request_of(&opt);
	auto_free char *good = cookie_value(&q, &tokens.token[1], 2000);
	auto_free char *apis = cookie_value(&q, &tokens.token[0], 2000);
	char csrf[SESSION_MAC_MAX];

	session_key_of(&tokens.token[1], &key);
	auto_free char *by_csrf =
		xasprintf("firn=ada.2000.%s", session_csrf(&key, "ada.2000", csrf));
	const char *sum = strrchr(good, '.');
	auto_free char *other_who = xasprintf("firn=api.2000%s", sum);
	auto_free char *other_token = xasprintf("firn=ada.2000%s", strrchr(apis, '.'));
	auto_free char *unknown = xasprintf("firn=eve.2000%s", sum);
	auto_free char *later = xasprintf("firn=ada.9000%s", sum);
	const char *const forged[] = {"firn=",	   "firn=ada",	  "firn=ada.2000", "firn=ada.2000.",
				      "firn=..",   "firn=.2000.", by_csrf,	   other_who,
				      other_token, unknown,	  later,	   "firnx=ada.1.1"};

	(void)state;
	for (size_t i = 0; i < array_size(forged); i++)
		if (session_cookie_who(&q, forged[i], 1000, &key))
			fail_msg("%s was taken", forged[i]);
	for (size_t i = strlen("firn="); good[i]; i++) { /* any one letter of it */
		auto_free char *bent = xstrdup(good);

		bent[i] = bent[i] == '1' ? '2' : '1';
		if (session_cookie_who(&q, bent, 1000, &key))
			fail_msg("%s was taken", bent);
	}
}

static void origins_are_told_apart(void **state)
{
	static const struct {
		const char *url, *host, *origin, *site;
		bool want;
	} cases[] = {
		{NULL, "localhost:80", NULL, NULL, true},
		{NULL, "localhost:80", "http://localhost:80", NULL, true},
		{NULL, "localhost:80", "https://LOCALHOST:80", NULL, true},
		{NULL, "localhost:80", "http://localhost:81", NULL, false},
		{NULL, "localhost:80", "http://evil.example", NULL, false},
		{NULL, "localhost:80", "null", NULL, false},
		{NULL, "localhost:80", "", NULL, false},
		{NULL, "localhost:80", "gopher://localhost:80", NULL, false},
		{NULL, NULL, "http://evil.example", NULL, false},
		{"https://f.example/a", "inside:8080", "https://f.example", NULL, true},
		{"https://f.example", "inside:8080", "https://f.example.evil", NULL, false},
		{"https://f.example", "inside:8080", "http://f.example", NULL, false},
		{NULL, "localhost:80", "http://evil.example", "same-origin", true},
		{NULL, "localhost:80", "http://localhost:80", "cross-site", false},
		{NULL, "localhost:80", NULL, "same-site", false},
		{NULL, "localhost:80", NULL, "none", false},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		const struct web_options opt = {.url = cases[i].url};
		const struct request q = {.opt = &opt,
					  .host = cases[i].host,
					  .origin = cases[i].origin,
					  .fetch_site = cases[i].site};

		if (session_origin_is_ours(&q) != cases[i].want)
			fail_msg("row %zu", i);
	}
}

static void we_go_on_to_our_own_pages_only(void **state)
{
	static const char *const bad[] = {"",
					  "//evil.example",
					  "/\\evil.example",
					  "http://evil.example",
					  "evil",
					  "/a\r\nX: y",
					  "/a b",
					  "/<script>",
					  "/\"",
					  "/\xc3\xa9"};

	(void)state;
	assert_string_equal(session_return("/series/7?x=1#reply"), "/series/7?x=1#reply");
	for (size_t i = 0; i < array_size(bad); i++)
		assert_string_equal(session_return(bad[i]), "/");
}

static void posting_make(const struct server *s)
{
	struct store_fixture f = {.err = ERR_INIT};

	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	posting_put(&f, "demo", mail_put(&f, "m1@example.org", NULL, "ada@example.org", 1000), 1,
		    "d1");
	store_close(f.store);
}

static int64_t count(const struct server *s, const char *sql)
{
	struct store_fixture f = {.err = ERR_INIT};
	int64_t n;

	assert_ok(store_open(s->store_path, STORE_READ, &f.store, &f.err), &f.err);
	n = ask(&f, sql);
	store_close(f.store);
	return n;
}

#define assert_send(server, line, headers, body, want, text)                                       \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		client_send_to(server, line, headers, body, &answer_);                             \
		if (answer_status(&answer_) != (want))                                             \
			fail_msg("%d:\n%s", answer_status(&answer_), answer_.buf);                 \
		answer_holds(&answer_, text);                                                      \
	} while (0)

/* Signs in; the Cookie header to send from now on. */
static char *sign_in(const struct server *s)
{
	auto_str struct str answer;

	client_send_to(s, "POST /login", FORM, "token=" TOKEN "&to=%2Fseries%2F1", &answer);
	assert_int_equal(answer_status(&answer), 303);
	answer_holds(&answer, "Location: /series/1\r\n");
	auto_free char *set = answer_header(&answer, "Set-Cookie");

	assert_non_null(set);
	assert_non_null(strstr(set, "; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"));
	set[strcspn(set, ";")] = '\0';
	return xasprintf("Cookie: %s\r\n", set);
}

/* The hidden value that pages for this cookie or header hold. */
static char *csrf_of(const struct server *s, const char *headers)
{
	static const char before[] = "name=\"csrf\" value=\"";
	auto_str struct str answer;
	const char *at;

	client_send_to(s, "GET /login", headers, "", &answer);
	assert_int_equal(answer_status(&answer), 200);
	at = strstr(answer.buf, before);
	assert_non_null(at);
	at += strlen(before);
	return xmemdup(at, strcspn(at, "\""));
}

static void a_token_becomes_a_cookie(void **state)
{
	const struct server *s = *state;
	auto_free char *cookie = NULL, *csrf = NULL, *body = NULL;

	assert_send(s, "GET /login", "", "", 200, "type=\"password\"");
	assert_send(s, "POST /login", FORM, "token=wrong-horse-battery", 401, "not known here");
	assert_send(s, "POST /login", FORM, "", 411, "Content-Length");
	cookie = sign_in(s);
	assert_send(s, "GET /login", cookie, "", 200, "You are signed in as <bdi>api</bdi>");
	assert_send(s, "GET /login", cookie, "", 200, "Cache-Control: private, no-cache");
	assert_send(s, "GET /login", "", "", 200, "type=\"password\"");
	csrf = csrf_of(s, cookie);
	body = xasprintf("csrf=%s", csrf);
	auto_free char *headers = xasprintf(FORM "%s", cookie);
	assert_send(s, "POST /logout", headers, "csrf=wrong", 403, "go back");
	assert_send(s, "POST /logout", headers, body, 303, "Max-Age=0");
}

/* Given and taken while the server runs, sessions and all. */
static void tokens_come_and_go(void **state)
{
	static const char hers[] = "Authorization: Bearer hers-" TOKEN "\r\n";
	const struct server *s = *state;
	auto_free char *cookie = sign_in(s);

	assert_send(s, "GET /api/v1/outbox", hers, "", 401, "The token is wrong");
	server_tokens(s, TOKEN "\nada hers-" TOKEN "\n");
	assert_send(s, "GET /api/v1/outbox", hers, "", 503, "");
	assert_send(s, "GET /login", cookie, "", 200, "signed in as <bdi>api</bdi>");
	server_tokens(s, "ada short\n"); /* a mistake changes nothing */
	assert_send(s, "GET /api/v1/outbox", hers, "", 503, "");
	assert_send(s, "GET /login", cookie, "", 200, "signed in as <bdi>api</bdi>");
	server_tokens(s, "ada hers-" TOKEN "\n");
	assert_send(s, "GET /api/v1/outbox", hers, "", 503, "");
	assert_send(s, "GET /login", cookie, "", 200, "type=\"password\"");
	assert_send(s, "POST /login", FORM, "token=" TOKEN, 401, "not known here");
}

static void over_https_the_cookie_is_secure(void **state)
{
	auto_str struct str answer;

	client_send_to(*state, "POST /login", FORM, "token=" TOKEN, &answer);
	answer_holds(&answer, "Set-Cookie: __Host-firn=api.");
	answer_holds(&answer, "SameSite=Strict; Secure\r\n");
	answer_holds(&answer, "Location: /\r\n");
}

static void wrong_tokens_are_counted_here_too(void **state)
{
	for (int i = 0; i < GUESS_MAX; i++)
		assert_send(*state, "POST /login", FORM, "token=wrong-horse-battery", 401, "login");
	assert_send(*state, "POST /login", FORM, "token=" TOKEN, 429, "Retry-After: ");
}

static void a_rerun_by_form(void **state)
{
	const struct server *s = *state;
	auto_free char *cookie = sign_in(s), *csrf = csrf_of(s, cookie);
	auto_free char *headers = xasprintf(FORM "%s", cookie);
	auto_free char *good =
		xasprintf("csrf=%s&message_id=m1%%40example.org&base=&only=build&unpin=on", csrf);
	auto_free char *two_lines = xasprintf("%s&bench=a%%0Ab", good);
	auto_free char *unknown = xasprintf("csrf=%s&message_id=x", csrf);

	posting_make(s);
	assert_send(s, "POST /rerun", headers, good, 303, "Location: /requests/1\r\n");
	assert_int_equal(count(s,
			       "SELECT count(*) FROM request WHERE who = 'api' AND via = 'web' AND "
			       "arguments = '{\"only\":\"build\",\"unpin\":true}'"),
			 1);
	assert_send(s, "GET /requests/1", "", "", 200, "This page reloads itself");
	assert_send(s, "GET /requests/1", "", "", 200, "m1@example.org");
	assert_send(s, "POST /rerun", headers, two_lines, 400, "of one line");
	assert_send(s, "POST /rerun", headers, unknown, 404, "No posting");
	assert_send(s, "GET /rerun", "", "", 405, "Allow: POST\r\n");
	assert_int_equal(count(s, "SELECT count(*) FROM request"), 1);
}

/* Each lacks one thing. */
static void forged_forms_are_refused(void **state)
{
	const struct server *s = *state;
	auto_free char *cookie = sign_in(s), *csrf = csrf_of(s, cookie);
	auto_free char *mine = xasprintf(FORM "%s", cookie);
	auto_free char *foreign = xasprintf("%sOrigin: http://evil.example\r\n", mine);
	auto_free char *cross = xasprintf("%sSec-Fetch-Site: cross-site\r\n", mine);
	auto_free char *plain = xasprintf("Content-Type: text/plain\r\n%s", cookie);
	auto_free char *good = xasprintf("csrf=%s&message_id=m1%%40example.org", csrf);
	auto_free char *bent = xasprintf("csrf=%.63s%c&message_id=m1%%40example.org", csrf,
					 csrf[63] == '0' ? '1' : '0');
	auto_free char *twice = xasprintf("csrf=x&%s", good);

	posting_make(s);
	assert_send(s, "POST /rerun", FORM, good, 401, "/login");
	assert_send(s, "POST /rerun", FORM "Cookie: firn=api.99999999999.0\r\n", good, 401,
		    "/login");
	assert_send(s, "POST /rerun", mine, "message_id=m1%40example.org", 403, "go back");
	assert_send(s, "POST /rerun", mine, "csrf=&message_id=m1%40example.org", 403, "go back");
	assert_send(s, "POST /rerun", mine, bent, 403, "go back");
	assert_send(s, "POST /rerun", mine, twice, 403, "go back");
	assert_send(s, "POST /rerun", foreign, good, 403, "another site");
	assert_send(s, "POST /rerun", cross, good, 403, "another site");
	assert_send(s, "POST /rerun", plain, good, 415, "form-urlencoded");
	assert_send(s, "POST /rerun", mine, "csrf=%zz", 400, "badly encoded");
	assert_int_equal(count(s, "SELECT count(*) FROM request"), 0);
	assert_send(s, "POST /rerun", mine, good, 303, "/requests/1");
}

static void ten_reruns_an_hour(void **state)
{
	const struct server *s = *state;
	auto_free char *cookie = sign_in(s), *csrf = csrf_of(s, cookie);
	auto_free char *mine = xasprintf(FORM "%s", cookie);
	auto_free char *good = xasprintf("csrf=%s&message_id=m1%%40example.org", csrf);

	posting_make(s);
	for (int i = 0; i < 10; i++)
		assert_send(s, "POST /rerun", mine, good, 303, "/requests/");
	assert_send(s, "POST /rerun", mine, good, 429, "Retry-After: 3600\r\n");
}

static int64_t held_post(const struct server *s)
{
	struct store_fixture f = {.err = ERR_INIT};
	auto_json json_t *want = json_pack("{s:s}", "subject", "Re: x");
	int64_t id = 0, trial;

	assert_ok(store_open(s->store_path, STORE_WRITE, &f.store, &f.err), &f.err);
	trial = trial_put(&f, "demo",
			  posting_put(&f, "demo",
				      mail_put(&f, "m1@example.org", NULL, "a@example.org", 1), 1,
				      "d1"),
			  STORE_NEW);
	const struct store_post_new post = {.trial = trial,
					    .poster = "mail",
					    .target = "x@example.org",
					    .context = "verdict",
					    .want = want,
					    .held = true};
	assert_ok(store_outbox_put(f.store, &post, &id, &f.err), &f.err);
	store_close(f.store);
	return id;
}

static void held_mail_by_form(void **state)
{
	const struct server *s = *state;
	int64_t id = held_post(s);
	auto_free char *csrf = csrf_of(s, PROXY);
	auto_free char *approve = xasprintf("csrf=%s&action=approve&revision=1", csrf);
	auto_free char *drop = xasprintf("csrf=%s&action=drop&revision=1", csrf);
	auto_free char *send = xasprintf("csrf=%s&action=send&revision=1", csrf);
	auto_free char *blind = xasprintf("csrf=%s&action=drop", csrf);

	assert_int_equal(id, 1);
	assert_send(s, "POST /outbox/1", FORM, approve, 403, "Only who is signed in");
	assert_send(s, "POST /outbox/1", FORM PROXY, send, 400, "approve or drop");
	assert_send(s, "POST /outbox/1", FORM PROXY, blind, 400, "revision");
	assert_send(s, "POST /outbox/2", FORM PROXY, approve, 404, "no post of that number");
	assert_send(s, "POST /outbox/1", FORM PROXY, approve, 303, "/requests/1\r\n");
	assert_send(s, "POST /outbox/1", FORM PROXY, drop, 303, "/requests/2\r\n");
	assert_int_equal(
		count(s, "SELECT count(*) FROM request WHERE kind = 'approve' AND who = 'ada' AND "
			 "arguments = '{\"outbox\":1,\"revision\":1}'"),
		1);
	assert_send(s, "GET /requests/2", "", "", 200, "Request 2: drop");
}

static void the_proxys_word_is_taken(void **state)
{
	const struct server *s = *state;

	assert_send(s, "GET /login", PROXY, "", 200, "signed in as <bdi>ada</bdi>");
	assert_send(s, "GET /login", "x-remote-user: ada@example.org\r\n", "", 200,
		    "signed in as <bdi>ada@example.org</bdi>");
	assert_send(s, "GET /login", "", "", 200, "up to the proxy");
	assert_send(s, "GET /login", PROXY "X-Remote-User: root\r\n", "", 200, "up to the proxy");
	assert_send(s, "GET /login", "X-Remote-User: <b>\r\n", "", 200, "up to the proxy");
	assert_send(s, "GET /login", "X-Remote-User: \r\n", "", 200, "up to the proxy");
	assert_send(s, "GET /login", "X-Remote-User: a b\r\n", "", 200, "up to the proxy");
}

static void anybody_elses_is_not(void **state)
{
	assert_send(*state, "GET /login", PROXY, "", 200, "up to the proxy");
	assert_send(*state, "POST /rerun", FORM PROXY, "csrf=x&message_id=y", 403, "sign in at");
}

static void without_either_nobody_can(void **state)
{
	assert_send(*state, "GET /login", PROXY, "", 200, "Nobody can sign in here");
	assert_send(*state, "POST /login", FORM, "token=" TOKEN, 403, "web.token-file");
	assert_send(*state, "POST /rerun", FORM, "message_id=y", 403, "web.auth-header");
}

#define TEST(f, setup) cmocka_unit_test_setup_teardown(f, setup, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cookies_are_signed),
		cmocka_unit_test(a_session_ends_with_its_token),
		cmocka_unit_test(forged_cookies_are_nobodys),
		cmocka_unit_test(origins_are_told_apart),
		cmocka_unit_test(we_go_on_to_our_own_pages_only),
		TEST(a_token_becomes_a_cookie, with_token),
		TEST(tokens_come_and_go, with_token),
		TEST(over_https_the_cookie_is_secure, with_https),
		TEST(wrong_tokens_are_counted_here_too, with_token),
		TEST(a_rerun_by_form, with_token),
		TEST(forged_forms_are_refused, with_token),
		TEST(ten_reruns_an_hour, with_token),
		TEST(held_mail_by_form, with_proxy),
		TEST(the_proxys_word_is_taken, with_proxy),
		TEST(anybody_elses_is_not, with_other_proxy),
		TEST(without_either_nobody_can, server_setup),
	};

	return cmocka_run_group_tests_name("web-session", tests, NULL, NULL);
}
