// SPDX-License-Identifier: GPL-2.0-or-later
/* The API over a filled store, the feed, badges and metrics. That each answer is as openapi.json
 * says is tested by tests/api. */
#include "unit/unit.h"

#include "base/conf_section.h"
#include "base/fs.h"
#include "base/json.h"
#include "unit/web/api_fill.h"
#include "unit/web/client.h"
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <unistd.h>

#define TOKEN "0123456789abcdef"

/* Markup, a right-to-left override, what XML and UTF-8 forbid, a long line. */
static char *hostile(void)
{
	struct str s;

	str_init(&s, 0);
	str_adds(&s, "<script>alert(1)</script>]]>\"'& \xe2\x80\xae\x01\x1b[31m \xff\xfe"
		     "\xef\xbf\xbe \xed\xa0\x80 ");
	for (int i = 0; i < 100; i++)
		str_adds(&s, "s\xc3\xa4tt ");
	return str_take(&s);
}

/* Made once: most of the time goes into writing it. */
static char made[PATH_MAX];
static struct str made_store;

static void fill(const struct server *s)
{
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(s->store_path, made_store.buf, made_store.len, &err), &err);
}

static void fill_hostile(const struct server *s)
{
	auto_free char *text = hostile();
	struct err err = ERR_INIT;

	assert_ok(api_fill(s->store_path, s->dir, text, &err), &err);
}

static json_t *get_json(const struct server *s, const char *path)
{
	auto_str struct str answer;
	json_error_t jerr;
	json_t *obj;

	client_ask(s, "GET", path, &answer);
	if (answer_status(&answer) != 200)
		fail_msg("%s: %d", path, answer_status(&answer));
	obj = json_loads(answer_body(&answer), 0, &jerr);
	if (!obj)
		fail_msg("%s: %s", path, jerr.text);
	return obj;
}

#define assert_get(server, path, want, text)                                                       \
	do {                                                                                       \
		auto_str struct str answer_;                                                       \
		client_ask(server, "GET", path, &answer_);                                         \
		assert_int_equal(answer_status(&answer_), want);                                   \
		answer_holds(&answer_, text);                                                      \
	} while (0)

/* All pages of a list, a row at a time, give each row once, as one page does. */
static void assert_turns(const struct server *s, const char *path, const char *name,
			 const char *key)
{
	auto_json json_t *whole = get_json(s, path);
	const json_t *rows = json_object_get(whole, name);
	auto_free char *at = xasprintf("%s%slimit=1", path, strchr(path, '?') ? "&" : "?");
	size_t n = 0;

	assert_true(json_array_size(rows) > 1);
	while (at) {
		auto_json json_t *page = get_json(s, at);
		const json_t *row = json_array_get(json_object_get(page, name), 0),
			     *next = json_object_get(page, "next");

		assert_true(json_equal(json_object_get(row, key),
				       json_object_get(json_array_get(rows, n), key)));
		n++;
		free(at);
		at = json_is_string(next) ? xstrdup(json_string_value(next)) : NULL;
	}
	assert_int_equal(n, json_array_size(rows));
	assert_true(json_is_null(json_object_get(whole, "next")));
}

static void lists_are_turned_by_key(void **state)
{
	fill(*state);
	assert_turns(*state, "/api/v1/series", "series", "id");
	assert_turns(*state, "/api/v1/series?q=tidy%20up&list=demo", "series", "id");
	assert_turns(*state, "/api/v1/trials", "trials", "id");
	assert_turns(*state, "/api/v1/mails?list=demo", "mails", "id");
	assert_turns(*state, "/api/v1/outbox", "posts", "id");
	assert_turns(*state, "/api/v1/requests", "requests", "request");
	assert_turns(*state, "/api/v1/benches/hot-add", "histories", "name");
}

static void the_next_page_is_a_link_too(void **state)
{
	const struct server *s = *state;
	auto_str struct str answer, same, hostile_query;

	fill(s);
	client_ask(s, "GET", "/api/v1/trials?limit=2", &answer);
	auto_free char *link = answer_header(&answer, "Link"),
		       *tag = answer_header(&answer, "ETag");
	assert_string_equal(link, "</api/v1/trials?limit=2&before=5>; rel=\"next\"");
	auto_free char *header = xasprintf("If-None-Match: %s\r\n", tag);
	client_send_to(s, "GET /api/v1/trials?limit=2", header, "", &same);
	assert_int_equal(answer_status(&same), 304);
	client_ask(s, "GET", "/api/v1/trials?before=9&a%3e=x%0d%0aX:+1&limit=1", &hostile_query);
	answer_holds(
		&hostile_query,
		"Link: </api/v1/trials?a%3E=x%0D%0AX%3A%201&limit=1&before=6>; rel=\"next\"\r\n");
}

static void a_key_that_is_none_is_a_mistake(void **state)
{
	fill(*state);
	assert_get(*state, "/api/v1/trials?before=x", 400, "before is a number");
	assert_get(*state, "/api/v1/series?before=-1", 400, "before is a number");
	assert_get(*state, "/api/v1/series?state=good", 400, "no such state");
	assert_get(*state, "/api/v1/outbox?show=all", 400, "show is one of");
	assert_get(*state, "/api/v1/trials/1/log/jobs/01-build-base/log?from=a", 400, "number");
	assert_get(*state, "/api/v1/trials/1/log/report.json", 404, "There is no such log");
	assert_get(*state, "/api/v1/trials/1/log/jobs/..%2f..%2freport.json", 404, "no such log");
	assert_get(*state, "/api/v1/benches/cold-add", 404, "numbers of such a benchmark");
	assert_get(*state, "/api/v1/requests/4", 404, "no request");
	assert_get(*state, "/api/v1/kcidb/trials/2", 410, "no longer on disk");
	assert_get(*state, "/api/v1/kcidb/trials/3", 500, "cannot be shown");
	assert_get(*state, "/api/v1/kcidb/trials/4", 404, "has no report");
}

static void what_is_to_be_said_is_for_who_may_say_it(void **state)
{
	const struct server *s = *state;
	auto_str struct str nobody, signed_in, token, wrong;

	fill(s);
	client_ask(s, "GET", "/api/v1/outbox?show=held", &nobody);
	answer_holds(&nobody, "\"state\": \"held\"");
	answer_holds(&nobody, "\"want\": null");
	assert_null(strstr(answer_body(&nobody), "the secret body"));
	client_send_to(s, "GET /api/v1/outbox?show=held", "X-Remote-User: maddy\r\n", "",
		       &signed_in);
	answer_holds(&signed_in, "the secret body");
	client_send_to(s, "GET /api/v1/outbox?show=held", "Authorization: Bearer " TOKEN "\r\n", "",
		       &token);
	answer_holds(&token, "the secret body");
	client_send_to(s, "GET /api/v1/outbox?show=held",
		       "Authorization: Bearer fedcba9876543210\r\n", "", &wrong);
	assert_int_equal(answer_status(&wrong), 401);
	assert_null(strstr(answer_body(&wrong), "the secret body"));
}

static void a_log_comes_in_pieces(void **state)
{
	static const char log[] = "/api/v1/trials/1/log/jobs/01-build-base/log";
	const struct server *s = *state;
	auto_json json_t *tail = NULL, *piece = NULL, *end = NULL;

	fill(s);
	tail = get_json(s, log);
	assert_string_equal(json_get_str(tail, "text", ""),
			    "  CC      init/main.o\nred\n<b>\\xff\n");
	assert_string_equal(json_get_str(tail, "raw", ""), "/trial/1/log/jobs/01-build-base/log");
	piece = get_json(s, "/api/v1/trials/1/log/jobs/01-build-base/log?from=22");
	assert_string_equal(json_get_str(piece, "text", ""), "red\n<b>\\xff\n");
	end = get_json(s, "/api/v1/trials/1/log/jobs/01-build-base/log?from=99999");
	assert_string_equal(json_get_str(end, "text", "?"), "");
	assert_true(json_get_num(end, "end", 0) == json_get_num(tail, "size", 1));
}

static void patches_that_are_gone_are_not_hashed(void **state)
{
	const struct server *s = *state;
	auto_free char *patch = xasprintf("%s/patches/0002.patch", made);
	auto_json json_t *whole = NULL, *without = NULL;
	const json_t *checkout;
	struct err err = ERR_INIT;

	fill(s);
	whole = get_json(s, "/api/v1/kcidb/trials/1");
	checkout = json_array_get(json_object_get(whole, "checkouts"), 0);
	assert_int_equal(strlen(json_get_str(checkout, "patchset_hash", "")), 64);
	assert_int_equal(unlink(patch), 0);
	without = get_json(s, "/api/v1/kcidb/trials/1");
	assert_ok(fs_write_atomic(patch, "two\n", 4, &err), &err);
	checkout = json_array_get(json_object_get(without, "checkouts"), 0);
	assert_null(json_object_get(checkout, "patchset_hash"));
	assert_null(json_object_get(checkout, "patchset_files"));
}

static void a_message_is_found(void **state)
{
	const struct server *s = *state;
	auto_json json_t *patch = NULL, *by_hand = NULL, *series = NULL;

	fill(s);
	patch = get_json(s, "/api/v1/m/2-v2%40example.org");
	const json_t *mail = json_array_get(json_object_get(patch, "mails"), 0);
	assert_true(json_get_num(mail, "series", 0) == 2 && json_get_num(mail, "patch", 0) == 2);
	by_hand = get_json(s, "/api/v1/m/hand@example.org");
	assert_true(json_get_num(by_hand, "trial", 0) == FILL_BY_HAND);
	assert_get(s, "/api/v1/m/nobody@example.org", 404, "No mail with this Message-ID");
	series = get_json(s, "/api/v1/series/2");
	assert_int_equal(json_array_size(json_object_get(series, "patches")), 3);
	assert_int_equal(json_array_size(json_object_get(series, "versions")), 2);
	assert_int_equal(json_array_size(json_object_get(series, "trials")), 3);
	assert_int_equal(json_array_size(json_object_get(series, "replies")), 1);
	assert_string_equal(json_get_str(series, "archive", ""),
			    "https://lore.example.org/demo/v2%40example.org/");
}

static void badges_say_what_became_of_it(void **state)
{
	const struct server *s = *state;

	fill(s);
	assert_get(s, "/badge/series/2.svg", 200, "Content-Type: image/svg+xml");
	assert_get(s, "/badge/series/2.svg", 200, "Cache-Control: public, max-age=60\r\n");
	assert_get(s, "/badge/series/2.svg", 200, "Cross-Origin-Resource-Policy: cross-origin\r\n");
	assert_get(s, "/badge/series/2.svg", 200, "<title id=\"t\">firn: waiting</title>");
	assert_get(s, "/badge/series/1.svg", 200, ">firn: running: 1 pass</title>");
	assert_get(s, "/badge/m/2-v2%40example.org.svg", 200, ">firn: waiting</title>");
	assert_get(s, "/badge/m/hand@example.org.svg", 200, ">firn: running</title>");
	assert_get(s, "/badge/series/99.svg", 404, ">firn: unknown</title>");
	assert_get(s, "/badge/m/nobody@example.org.svg", 404, ">firn: unknown</title>");
}

static void metrics_have_the_store_and_the_server(void **state)
{
	const struct server *s = *state;

	fill(s);
	assert_get(s, "/api/v1/trials/99", 404, "no trial");
	assert_get(s, "/metrics", 200, "Content-Type: text/plain; version=0.0.4");
	assert_get(s, "/metrics", 200, "firn_trials{list=\"demo\",state=\"waiting\"} 1\n");
	assert_get(s, "/metrics", 200, "firn_web_answers_total{status=\"404\"} 1\n");
	assert_get(s, "/metrics", 200, "firn_web_streams 0\n");
	assert_get(s, "/metrics", 200, "firn_outbox_held 1\n");
	assert_get(s, "/metrics", 200, "firn_web_connections 1\n");
}

struct feed {
	xmlDocPtr doc;
	xmlXPathContextPtr xpath;
};

static void feed_open(struct feed *f, const struct server *s, const char *path)
{
	auto_str struct str answer;
	const char *body;

	client_ask(s, "GET", path, &answer);
	assert_int_equal(answer_status(&answer), 200);
	answer_holds(&answer, "Content-Type: application/atom+xml; charset=utf-8\r\n");
	body = answer_body(&answer);
	f->doc = xmlReadMemory(body, (int)strlen(body), path, NULL, XML_PARSE_NONET);
	assert_non_null(f->doc);
	f->xpath = xmlXPathNewContext(f->doc);
	xmlXPathRegisterNs(f->xpath, (const xmlChar *)"a",
			   (const xmlChar *)"http://www.w3.org/2005/Atom");
}

static void feed_close(struct feed *f)
{
	xmlXPathFreeContext(f->xpath);
	xmlFreeDoc(f->doc);
}

static double feed_count(const struct feed *f, const char *expression)
{
	auto_free char *whole = xasprintf("count(%s)", expression);
	xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)whole, f->xpath);
	double n;

	assert_non_null(found);
	n = found->floatval;
	xmlXPathFreeObject(found);
	return n;
}

/* RFC 4287, 4.1.1 and 4.1.2: what each must have, once. */
static void assert_is_atom(const struct feed *f)
{
	static const char *const one[] = {"a:id", "a:title", "a:updated"};

	assert_true(feed_count(f, "/a:feed") == 1);
	for (size_t i = 0; i < array_size(one); i++) {
		auto_free char *in_feed = xasprintf("/a:feed[count(%s) = 1]", one[i]);
		auto_free char *without = xasprintf("//a:entry[count(%s) != 1]", one[i]);

		assert_true(feed_count(f, in_feed) == 1);
		assert_true(feed_count(f, without) == 0);
	}
	assert_true(feed_count(f, "/a:feed/a:link[@rel = 'self']") == 1);
	assert_true(feed_count(f, "//a:entry[not(a:author/a:name)]") == 0);
	assert_true(feed_count(f, "//a:entry[count(a:link[@rel = 'alternate']) != 1]") == 0);
	assert_true(feed_count(f, "//a:entry[count(a:content) != 1]") == 0);
	assert_true(feed_count(f, "//a:id[not(starts-with(., 'urn:uuid:'))]") == 0);
	assert_true(feed_count(f, "//a:id[. = preceding::a:id]") == 0);
	assert_true(feed_count(f, "//a:link[not(starts-with(@href, 'http'))]") == 0);
}

static void a_list_has_a_feed(void **state)
{
	const struct server *s = *state;
	struct feed f;

	fill(s);
	feed_open(&f, s, "/list/demo/feed.atom");
	assert_is_atom(&f);
	assert_true(feed_count(&f, "//a:entry") == 2);
	assert_true(feed_count(&f, "//a:entry[a:title = 'pass: mm: tidy up (v2)' and a:link/@href ="
				   " 'https://firn.example.org/series/2']") == 1);
	assert_true(feed_count(&f, "//a:entry[a:category/@term = 'fail']") == 1);
	assert_true(feed_count(&f, "//a:link[@rel = 'related' and starts-with(@href,"
				   " 'https://lore.example.org/demo/')]") == 2);
	feed_close(&f);
	assert_get(s, "/list/other/feed.atom", 404, "No list of that name");
}

static void strangers_do_not_break_the_feed(void **state)
{
	struct feed f;

	fill_hostile(*state);
	feed_open(&f, *state, "/list/demo/feed.atom");
	assert_is_atom(&f);
	assert_true(feed_count(&f, "//script") == 0);
	assert_true(feed_count(&f, "//a:content[starts-with(., '<script>alert(1)</script>')]") ==
		    2);
	feed_close(&f);
}

static void strangers_do_not_break_the_api(void **state)
{
	static const char *const paths[] = {
		"/api/v1/series",	 "/api/v1/series/2", "/api/v1/trials",
		"/api/v1/trials/1",	 "/api/v1/queue",    "/api/v1/mails",
		"/api/v1/outbox",	 "/api/v1/requests", "/api/v1/lists",
		"/api/v1/testbeds",	 "/api/v1/trials/4", "/api/v1/trials/1/logs",
		"/api/v1/kcidb/trials/1"};

	fill_hostile(*state);
	for (size_t i = 0; i < array_size(paths); i++)
		json_decref(get_json(*state, paths[i]));
}

static struct conf conf;

static int setup(void **state)
{
	const struct server want = {.token = TOKEN,
				    .auth_header = "X-Remote-User",
				    .auth_from = "127.0.0.1",
				    .url = "https://firn.example.org/",
				    .conf = &conf};

	return server_setup_as(state, &want);
}

static void store_make(void)
{
	auto_free char *path = NULL;
	struct err err = ERR_INIT;

	snprintf(made, sizeof(made), "%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(made));
	path = xasprintf("%s/firn.db", made);
	assert_ok(api_fill(path, made, "mm: tidy up", &err), &err);
	str_init(&made_store, 0);
	assert_ok(fs_read(path, 64 << 20, ERR_INPUT, &made_store, &err), &err);
}

static int conf_make(void **state)
{
	char *mistake = NULL;

	(void)state;
	store_make();
	assert_true(conf_section_entry(&conf, "list.demo.lore", "https://lore.example.org/demo/", 1,
				       &mistake));
	return 0;
}

static int conf_forget(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	str_done(&made_store);
	assert_ok(fs_rmtree(made, &err), &err);
	conf_done(&conf);
	xmlCleanupParser();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, server_teardown)
		TEST(lists_are_turned_by_key),
		TEST(the_next_page_is_a_link_too),
		TEST(a_key_that_is_none_is_a_mistake),
		TEST(what_is_to_be_said_is_for_who_may_say_it),
		TEST(a_log_comes_in_pieces),
		TEST(patches_that_are_gone_are_not_hashed),
		TEST(a_message_is_found),
		TEST(badges_say_what_became_of_it),
		TEST(metrics_have_the_store_and_the_server),
		TEST(a_list_has_a_feed),
		TEST(strangers_do_not_break_the_feed),
		TEST(strangers_do_not_break_the_api),
	};

	return cmocka_run_group_tests(tests, conf_make, conf_forget);
}
