// SPDX-License-Identifier: GPL-2.0-or-later
/* All that strangers can put into the store, into a work folder and into a request, against every
 * page. */
#include "unit/web/api_fill.h"
#include "unit/web/client.h"

#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"

#include <libxml/parser.h>
#include <poll.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define EVIL                                                                                       \
	"'\"></title></pre><img src=x onerror=alert(1)><script>alert(2)</script>]]>&amp;\r\n"      \
	"X-Evil: 1\r\n\r\nevent: evil\ndata: \xe2\x80\xae%0d%0a{{7*7}}${x}\\"
#define PAGES_MAX 150

/* Pages that are still to be seen, each once. */
struct crawl {
	char *path[PAGES_MAX];
	size_t n, seen;
};

static void path_add(struct crawl *c, const char *path, size_t n)
{
	auto_free char *word = xmemdup(path, n);

	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->path[i], word) == 0)
			return;
	if (c->n < PAGES_MAX && !strstr(word, "/events"))
		c->path[c->n++] = take(word);
}

static void links_add(struct crawl *c, const char *body)
{
	for (const char *at = strstr(body, "href=\"/"); at; at = strstr(at + 1, "href=\"/")) {
		const char *path = at + strlen("href=\"");

		if (!strcspn(path, "#\""))
			continue;
		if (!memchr(path, '&', strcspn(path, "#\"")))
			path_add(c, path, strcspn(path, "#\""));
	}
}

static void on_wrong(void *ctx, const char *format, ...)
{
	(void)ctx;
	(void)format;
}

/* Whatever it is: nothing that was written by strangers became a part of it. */
static void assert_sound(const char *path, const struct str *answer)
{
	const char *body = answer_body(answer);
	auto_free char *type = answer_header(answer, "Content-Type"),
		       *evil = answer_header(answer, "X-Evil");
	auto_json json_t *json = NULL;
	json_error_t wrong;

	assert_null(evil);
	if (answer_status(answer) == 500 &&
	    !strstr(body, "The report of this trial cannot be shown"))
		fail_msg("%s: %s", path, body);
	if (!type || !*body || str_starts(type, "text/plain"))
		return;
	if (str_starts(type, "application/json")) {
		json = json_loads(body, 0, &wrong);
		if (!json)
			fail_msg("%s: %s", path, wrong.text);
		return;
	}
	if (strstr(body, "<img src=x") || strstr(body, "<script>alert"))
		fail_msg("%s: words became markup", path);
	if (strstr(type, "xml") || str_starts(type, "text/html")) {
		xmlDoc *doc = xmlReadMemory(body, (int)strlen(body), NULL, NULL, XML_PARSE_NONET);

		if (!doc)
			fail_msg("%s is not well-formed: %s%s", path,
				 xmlGetLastError() ? xmlGetLastError()->message : "", body);
		xmlFreeDoc(doc);
	}
}

static void crawl(const struct server *s)
{
	static const char *const from[] = {"/",
					   "/lists",
					   "/ledger",
					   "/outbox",
					   "/testbeds",
					   "/bench",
					   "/metrics",
					   "/login",
					   "/search?q=%3Cimg%20src=x%20onerror=alert(1)%3E",
					   "/m/%3Cimg%20src=x%20onerror=alert(1)%3E@x",
					   "/?q=%3Cimg%20src=x@y%3E&author=%22%3E%3Cimg%20src=x%20",
					   "/list/demo/feed.atom",
					   "/badge/series/1.svg",
					   "/badge/m/v1@example.org.svg",
					   "/series/1",
					   "/series/2",
					   "/series/3",
					   "/trial/1",
					   "/trial/2",
					   "/trial/4",
					   "/requests/1",
					   "/api/v1/series",
					   "/api/v1/series/2",
					   "/api/v1/trials",
					   "/api/v1/trials/1",
					   "/api/v1/trials/1/steps",
					   "/api/v1/trials/1/logs",
					   "/api/v1/trials/1/report",
					   "/api/v1/kcidb/trials/1",
					   "/api/v1/queue",
					   "/api/v1/benches",
					   "/api/v1/benches/hot-add",
					   "/api/v1/mails",
					   "/api/v1/testbeds",
					   "/api/v1/lists",
					   "/api/v1/outbox",
					   "/api/v1/requests"};
	struct crawl c = {0};

	for (size_t i = 0; i < array_size(from); i++)
		path_add(&c, from[i], strlen(from[i]));
	for (size_t i = 0; i < c.n; i++) {
		auto_str struct str answer;

		client_ask(s, "GET", c.path[i], &answer);
		assert_sound(c.path[i], &answer);
		links_add(&c, answer_body(&answer));
	}
	for (size_t i = 0; i < c.n; i++)
		free(c.path[i]);
	assert_true(c.n > array_size(from) + 20);
}

static void fill(const struct server *s, const char *text)
{
	struct err err = ERR_INIT;

	assert_ok(api_fill(s->store_path, s->dir, text, &err), &err);
}

static void words_never_become_markup(void **state)
{
	fill(*state, EVIL);
	crawl(*state);
}

/* UPDATEs for all columns of text but the paths of files; those with a CHECK refuse theirs. */
static void spoil(const struct server *s)
{
	static const char names[] =
		"SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
		" WHERE t.type = 'table' AND c.type = 'TEXT'"
		" AND c.name NOT IN ('work_dir', 'report')";
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	int spoilt = 0;

	assert_int_equal(sqlite3_open(s->store_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, names, -1, &stmt, NULL), SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		char *sql = sqlite3_mprintf(
			"UPDATE \"%w\" SET \"%w\" = %Q || \"%w\"", sqlite3_column_text(stmt, 0),
			sqlite3_column_text(stmt, 1), EVIL, sqlite3_column_text(stmt, 1));

		if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db))
			spoilt++;
		sqlite3_free(sql);
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	assert_true(spoilt > 30);
}

static void a_spoilt_store_is_shown(void **state)
{
	fill(*state, "mm: tidy up");
	spoil(*state);
	crawl(*state);
}

static char *path_of(const struct server *s, const char *column)
{
	auto_free char *sql = xasprintf("SELECT %s FROM trial WHERE id = 1", column);
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	char *path;

	assert_int_equal(sqlite3_open(s->store_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	path = xstrdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return path;
}

static void assert_lacks(const struct server *s, const char *path, int status, const char *secret)
{
	auto_str struct str answer;

	alarm(20); /* a server that waits for a FIFO waits for ever */
	client_ask(s, "GET", path, &answer);
	alarm(0);
	if (status ? answer_status(&answer) != status : answer_status(&answer) > 500)
		fail_msg("%s: %s", path, answer.buf);
	assert_null(strstr(answer.buf, secret));
}

static void all_lack(const struct server *s, const char *secret)
{
	assert_lacks(s, "/trial/1", 0, secret);
	assert_lacks(s, "/trial/1/step/build", 200, secret);
	assert_lacks(s, "/series/2", 200, secret);
	assert_lacks(s, "/series/2/patch/1", 200, secret);
	assert_lacks(s, "/series/2/patch/1/raw", 0, secret);
	assert_lacks(s, "/api/v1/trials/1/report", 0, secret);
	assert_lacks(s, "/api/v1/trials/1/logs", 200, secret);
	assert_lacks(s, "/api/v1/kcidb/trials/1", 0, secret);
	assert_lacks(s, "/trial/1/log/jobs/01-build/log", 404, secret);
	assert_lacks(s, "/api/v1/trials/1/log/jobs/01-build/log", 404, secret);
}

static void gone(const char *path)
{
	struct err err = ERR_INIT;
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode))
		assert_ok(fs_rmtree(path, &err), &err);
	else
		assert_int_equal(unlink(path), 0);
}

static void clear(const char *jobs, const char *patches, const char *report)
{
	gone(jobs);
	gone(patches);
	gone(report);
}

/* What a builder may leave where firn's files were: FIFOs, then links to what is not its own. */
static void a_work_folder_may_hold_anything(void **state)
{
	const struct server *s = *state;
	static const char secret[] = "{\"schema\":\"firn-report\",\"secret\":\"hunter2\"}";

	fill(s, "mm: tidy up");
	auto_free char *report = path_of(s, "report"), *work = path_of(s, "work_dir");
	auto_free char *jobs = xasprintf("%s/jobs", work), *patches = xasprintf("%s/patches", work),
		       *job = xasprintf("%s/jobs/01-build", work),
		       *log = xasprintf("%s/jobs/01-build/log", work),
		       *file = xasprintf("%s/secret", s->dir);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(file, secret, strlen(secret), &err), &err);
	clear(jobs, patches, report);
	assert_int_equal(mkdir(jobs, 0700) | mkdir(job, 0700), 0);
	assert_int_equal(mkfifo(report, 0600) | mkfifo(patches, 0600) | mkfifo(log, 0600), 0);
	all_lack(s, "hunter2");
	clear(jobs, patches, report);
	assert_int_equal(mkdir(jobs, 0700) | mkdir(job, 0700), 0);
	assert_int_equal(symlink(file, report) | symlink(s->dir, patches) | symlink(file, log), 0);
	all_lack(s, "hunter2");
	clear(jobs, patches, report);
	assert_int_equal(symlink("/", jobs), 0);
	all_lack(s, "hunter2");
}

#define ZOE "X-User: zoe\r\n"

/* Pages of the outbox, the front and a request: for somebody, for nobody, and the same once more.
 */
static void what_is_for_one_is_for_nobody_else(void **state)
{
	static const char *const paths[] = {"/outbox", "/", "/series/2", "/login", "/requests/1"};
	const struct server *s = *state;

	fill(s, "mm: tidy up");
	for (size_t i = 0; i < array_size(paths); i++) {
		auto_free char *get = xasprintf("GET %s", paths[i]),
			       *head = xasprintf("HEAD %s", paths[i]);
		auto_str struct str mine, theirs, headed, again, stolen;

		client_send_to(s, get, ZOE, "", &mine);
		client_send_to(s, get, "", "", &theirs);
		client_send_to(s, head, "", "", &headed);
		client_send_to(s, get, ZOE, "", &again);
		answer_holds(&mine, "Cache-Control: private, no-cache");
		assert_null(strstr(mine.buf, "Content-Encoding"));
		answer_holds(&mine, "zoe");
		assert_null(strstr(theirs.buf, "zoe"));
		const char *csrf = strstr(mine.buf, "name=\"csrf\" value=\"");
		assert_non_null(csrf);
		auto_free char *value = xmemdup(csrf + strlen("name=\"csrf\" value=\""), 64);
		assert_null(strchr(value, '"'));
		assert_null(strstr(theirs.buf, value));
		assert_null(strstr(headed.buf, "private"));
		assert_string_equal(answer_body(&mine), answer_body(&again));
		/* Nobody learns by an ETag whether it is what somebody else sees. */
		auto_free char *tag = answer_header(&mine, "ETag"),
			       *header = xasprintf("If-None-Match: %s\r\n", tag);
		client_send_to(s, get, header, "", &stolen);
		assert_int_equal(answer_status(&stolen), 200);
	}
}

static void a_token_is_as_good_as_a_cookie(void **state)
{
	const struct server *s = *state;
	auto_str struct str mine, theirs;

	fill(s, "mm: tidy up");
	client_send_to(s, "GET /api/v1/outbox", "Authorization: Bearer secret-token-of-adas\r\n",
		       "", &mine);
	client_send_to(s, "GET /api/v1/outbox", "", "", &theirs);
	answer_holds(&mine, "\"body\"");
	answer_holds(&mine, "Cache-Control: private, no-cache");
	assert_null(strstr(theirs.buf, "\"body\""));
}

/* Headers that a proxy or a browser may or may not send, and hostile ones. */
static void headers_do_no_harm(void **state)
{
	static const char *const headers[] = {
		("X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: "
		 "host=evil.example\r\n"),
		"X-User: ada\r\nX-User: root\r\n",
		"X-User: ada\xff\r\n",
		"Cookie: firn=ada.9999999999.\r\n",
		"Cookie: firn=ada.9999999999.00; firn=; =; ;;; firn\r\n",
		"Accept-Encoding: gzip;q=, ;;;,,,gzip\r\n",
		"If-None-Match: \"\"\"\", W/, \"\r\n",
		"Last-Event-ID: 99999999999999999999@../../etc/passwd\r\n",
		"Referer: javascript:alert(1)\r\nOrigin: null\r\nSec-Fetch-Site: cross-site\r\n",
		"Authorization: Bearer \r\n",
		"Authorization: Bearer\r\n"};
	const struct server *s = *state;

	fill(s, "mm: tidy up");
	for (size_t i = 0; i < array_size(headers); i++) {
		auto_str struct str answer;

		client_send_to(s, "GET /series/2", headers[i], "", &answer);
		assert_true(answer_status(&answer) < 500);
		assert_null(strstr(answer.buf, "evil.example"));
		assert_null(strstr(answer.buf, "/logout"));
	}
}

/* A body of JSON within its limit, as deep, as long and as large as it can be. */
static void hostile_json_is_refused(void **state)
{
	static const char *const small[] = {
		"[]",
		"null",
		"\"\"",
		"1e99999",
		"{\"message_id\":1e308}",
		"{\"message_id\":\"a\\u0000b\"}",
		"{\"message_id\":\"v2@example.org\",\"unpin\":123456789012345678901234567890}",
		"{\"message_id\":\"v2@example.org\",\"base\":\"-x\\r\\nX-Evil: 1\"}",
		"{\"message_id\":\"\\ud800\"}",
		"{\"message_id\":\"a\",\"message_id\":\"b\"}"};
	const struct server *s = *state;
	auto_str struct str deep, answer;

	fill(s, "mm: tidy up");
	str_init(&deep, 0);
	for (int i = 0; i < 8000; i++)
		str_addc(&deep, '[');
	for (size_t i = 0; i <= array_size(small); i++) {
		client_send_to(s, "POST /api/v1/rerun",
			       "Authorization: Bearer secret-token-of-adas\r\nContent-Type: "
			       "application/json\r\n",
			       i < array_size(small) ? small[i] : deep.buf, &answer);
		if (answer_status(&answer) < 400 || answer_status(&answer) >= 500)
			fail_msg("%s: %s", i < array_size(small) ? small[i] : "deep", answer.buf);
		assert_sound("/api/v1/rerun", &answer);
		str_done(&answer);
	}
	str_init(&answer, 0);
}

/* Words with line ends are data of one event. */
static void a_stream_has_our_events_alone(void **state)
{
	static const char ask[] = "GET /trial/4/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
	const struct server *s = *state;
	auto_str struct str got;
	char buf[4096];

	fill(s, EVIL);
	auto_fd int fd = client_connect(s);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t n;

	str_init(&got, 0);
	assert_int_equal(send(fd, ask, strlen(ask), 0), strlen(ask));
	while (!strstr(got.buf, "\"steps\":") && poll(&p, 1, 10000) > 0 &&
	       (n = recv(fd, buf, sizeof(buf), 0)) > 0)
		str_add(&got, buf, (size_t)n);
	answer_holds(&got, "\nevent: trial\ndata: {");
	assert_null(strstr(got.buf, "\nevent: evil"));
	assert_null(strstr(got.buf, "\nX-Evil"));
	answer_holds(&got, "HTTP/1.1 20");
}

static int setup(void **state)
{
	return server_setup_as(state, &(struct server){.token = "secret-token-of-adas",
						       .auth_header = "X-User",
						       .auth_from = "127.0.0.0/8"});
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, server_teardown)
	const struct CMUnitTest tests[] = {
		TEST(words_never_become_markup),       TEST(a_spoilt_store_is_shown),
		TEST(a_work_folder_may_hold_anything), TEST(what_is_for_one_is_for_nobody_else),
		TEST(a_token_is_as_good_as_a_cookie),  TEST(headers_do_no_harm),
		TEST(hostile_json_is_refused),	       TEST(a_stream_has_our_events_alone),
	};

	xmlSetGenericErrorFunc(NULL, on_wrong);
	return cmocka_run_group_tests_name("web-hostile", tests, NULL, NULL);
}
