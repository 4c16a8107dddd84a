// SPDX-License-Identifier: GPL-2.0-or-later
/* Patchwork without a server: links, addresses, cursors, and events that are not as they should be.
 * With one: tests/flow/test_patchwork.c. */
#include "unit/unit.h"

#include "intake/patchwork_walk.h"

static const struct patchwork_server server = {.url = "https://pw.example.org/"};

static void test_links(void **state)
{
	static const struct {
		const char *link, *base, *message_id;
		int64_t patch, series;
	} table[] = {
		{"https://pw.example.org/project/demo/patch/a-1@example.org/",
		 "https://pw.example.org/", "a-1@example.org", 0, 0},
		{"https://pw.example.org/project/demo/cover/a-0@example.org/mbox/",
		 "https://pw.example.org/", "a-0@example.org", 0, 0},
		{"http://127.0.0.1:8000/project/demo/patch/a%252Fb%2520c@example.org",
		 "http://127.0.0.1:8000/", "a/b%20c@example.org", 0, 0},
		{"https://pw.example.org/project/demo/list/?series=17&archive=both",
		 "https://pw.example.org/", NULL, 0, 17},
		{"https://pw.example.org/project/demo/list/?state=*&series=17#top",
		 "https://pw.example.org/", NULL, 0, 17},
		{"https://pw.example.org/patch/123/", "https://pw.example.org/", NULL, 123, 0},
		{"https://pw.example.org/series/12/mbox/", "https://pw.example.org/", NULL, 0, 12},
		{"https://example.org/pw/patch/123", "https://example.org/pw/", NULL, 123, 0},
		{"https://pw.example.org/api/1.2/series/12/", "https://pw.example.org/", NULL, 0,
		 12},
		{"https://pw.example.org/api/patches/5/", "https://pw.example.org/", NULL, 5, 0},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *base = NULL, *id = NULL;
		int64_t patch = -1, series = -1;

		if (!patchwork_link_parse(table[i].link, &base, &id, &patch, &series))
			fail_msg("%s is not taken for a link", table[i].link);
		assert_string_equal(base, table[i].base);
		assert_string_equal(id ?: "-", table[i].message_id ?: "-");
		assert_int_equal(patch, table[i].patch);
		assert_int_equal(series, table[i].series);
	}
}

static void test_no_links(void **state)
{
	static const char *const table[] = {
		"",
		"12345",
		"a-1@example.org",
		"ftp://pw.example.org/patch/123/",
		"https://pw.example.org/",
		"https://pw.example.org/patch/",
		"https://pw.example.org/patch/0/",
		"https://pw.example.org/patch/99999999999999999999999/",
		"https://pw.example.org/patch/12x/",
		"https://pw.example.org/project/demo/list/",
		"https://pw.example.org/project/demo/list/?series=x",
		"https://pw.example.org/project/demo/patch/a%0ab@example.org/",
		"https://pw.example.org/project/demo/patch/a%00@example.org/",
		"https://pw.example.org/project/demo/patch/12/",
		"https://user:secret@pw.example.org/patch/12/",
		"https://lore.kernel.org/linuxppc-dev/a-1@example.org/T/#u",
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		char *base = NULL, *id = NULL;
		int64_t patch = -1, series = -1;

		if (patchwork_link_parse(table[i], &base, &id, &patch, &series))
			fail_msg("%s is taken for a link", table[i]);
		assert_null(base);
		assert_int_equal(patch, -1);
	}
}

static void test_own_urls(void **state)
{
	static const char *const table[][2] = {
		{"https://pw.example.org/series/1/mbox/", "https://pw.example.org/series/1/mbox/"},
		{"http://pw.example.org/a?b=c", "https://pw.example.org/a?b=c"},
		{"https://PW.example.org/a%252Fb+c&amp;d@e/mbox/",
		 "https://pw.example.org/a%252Fb+c&amp;d@e/mbox/"},
		{"https://pw.example.org:443/a", "https://pw.example.org/a"},
		{"https://pw.example.org:8443/a", NULL},
		{"https://elsewhere.example.org/a", NULL},
		{"https://pw.example.org.elsewhere.example.org/a", NULL},
		{"https://pw.example.org@elsewhere.example.org/a", NULL},
		{"https://user@pw.example.org/a", NULL},
		{"file:///etc/passwd", NULL},
		{"/series/1/mbox/", NULL},
		{"//elsewhere.example.org/a", NULL},
		{"https://pw.example.org/a b", NULL},
		{"https://pw.example.org/a\r\nX: 1", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *own = patchwork_own_url(&server, table[i][0]);

		if (!own != !table[i][1])
			fail_msg("%s gives %s", table[i][0], own ?: "nothing");
		if (own && strcasecmp(own, table[i][1]) != 0)
			fail_msg("%s gives %s", table[i][0], own);
	}
}

static void test_target_urls(void **state)
{
	static const struct {
		const char *url;
		bool fits;
	} table[] = {
		{"https://firn.example.org/trial/7?a=b#c", true},
		{"http://127.0.0.1:8080/trial/7", true},
		{"https://firn.example.org", true},
		{"https://firn/trial/7", false},
		{"https://localhost/trial/7", false},
		{"https://-firn.example.org/", false},
		{"https://firn_1.example.org/", false},
		{"https://firn..example.org/", false},
		{"https://firn.example.o/", false},
		{"https://1.2.3/", false},
		{"https://user@firn.example.org/", false},
		{"ftp://firn.example.org/", false},
		{"javascript:alert(1)", false},
		{"https://firn.example.org/a b", false},
		{"https://firn.example.org/\n", false},
		{"https://firn.example.org/ö", false},
		{"", false},
	};
	char long_url[300] = "https://firn.example.org/";

	(void)state;
	for (size_t i = 0; i < array_size(table); i++)
		if (patchwork_url_fits(table[i].url) != table[i].fits)
			fail_msg("%s", table[i].url);
	memset(long_url + strlen(long_url), 'x', 200 - strlen(long_url));
	assert_true(patchwork_url_fits(long_url));
	long_url[200] = 'x';
	assert_false(patchwork_url_fits(long_url));
}

static void test_dates(void **state)
{
	static const char *const table[][2] = {
		{"2026-11-30T23:08:44.871907", "2026-11-30T23:08:44.871907"},
		{"2026-11-30T23:08:44", "2026-11-30T23:08:44"},
		{"2026-11-30T23:08:44Z", "2026-11-30T23:08:44"},
		{"2026-11-30T23:08:44.5+02:00", "2026-11-30T23:08:44.5"},
		{"2026-11-30", NULL},
		{"yesterday", NULL},
		{"2026-13-30T23:08:44", NULL},
		{"2026-11-30T23:08:44&project=x", NULL},
		{"2026-11-30T23:08:44.99999999999999999999999999", NULL},
		{"", NULL},
	};
	auto_free char *shifted = walk_date_shift("2026-03-01T00:30:00.25", -3600);

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *date = walk_date(table[i][0]);

		assert_string_equal(date ?: "-", table[i][1] ?: "-");
	}
	assert_string_equal(shifted, "2026-02-28T23:30:00");
}

static void add(struct patchwork_walk *w, const char *category, const char *text)
{
	json_error_t why;
	auto_json json_t *event = json_loads(text, JSON_DECODE_ANY, &why);

	if (!event)
		fail_msg("%s: %s", text, why.text);
	walk_add(w, &server, category, event);
}

#define DATE "\"date\": \"2026-11-30T10:00:00\""
#define MBOX "\"mbox\": \"https://pw.example.org/project/demo/patch/a@b/mbox/\""

static void test_odd_events(void **state)
{
	static const char *const without[] = {
		"1",
		"[]",
		"null",
		"{}",
		"{\"id\": \"7\", " DATE "}",
		"{\"id\": 7}",
		"{\"id\": 7, \"date\": 5}",
		"{\"id\": -7, " DATE "}",
		"{\"id\": 1e300, " DATE "}",
	};
	static const char *const unreadable[] = {
		"{\"id\": 1, " DATE "}",
		"{\"id\": 2, " DATE ", \"payload\": []}",
		"{\"id\": 3, " DATE ", \"payload\": {\"patch\": 5}}",
		"{\"id\": 4, " DATE ", \"payload\": {\"patch\": {\"id\": 5, " MBOX "}}}",
		"{\"id\": 5, " DATE
		", \"payload\": {\"patch\": {\"id\": \"5\", \"msgid\": \"<a@b>\", " MBOX "}}}",
		"{\"id\": 6, " DATE
		", \"payload\": {\"patch\": {\"id\": 5, \"msgid\": \"<a\\n@b>\", " MBOX "}}}",
		"{\"id\": 7, " DATE
		", \"payload\": {\"patch\": {\"id\": 5, \"msgid\": \"<>\", " MBOX "}}}",
		"{\"id\": 8, " DATE ", \"payload\": {\"patch\": {\"id\": 5, \"msgid\": \"<a@b>\", "
		"\"mbox\": \"https://elsewhere.example.org/\"}}}",
		"{\"id\": 9, " DATE
		", \"payload\": {\"patch\": {\"id\": 5, \"msgid\": \"<a@b>\"}}}",
	};
	struct patchwork_walk w = {0};

	(void)state;
	for (size_t i = 0; i < array_size(without); i++)
		add(&w, "patch-created", without[i]);
	assert_int_equal(w.n, 0);
	assert_int_equal(w.without_date, array_size(without));
	for (size_t i = 0; i < array_size(unreadable); i++)
		add(&w, "patch-created", unreadable[i]);
	add(&w, "series-completed", "{\"id\": 10, " DATE ", \"payload\": {\"series\": {}}}");
	assert_int_equal(w.n, array_size(unreadable) + 1);
	for (size_t i = 0; i < w.n; i++) {
		assert_string_equal(w.item[i].category, "unreadable");
		assert_non_null(w.item[i].words);
	}
	walk_done(&w);
}

/* API 1.0 tells no page. */
static void test_page_out_of_mbox(void **state)
{
	struct patchwork_walk w = {0};

	(void)state;
	add(&w, "patch-created",
	    "{\"id\": 1, " DATE ", \"payload\": {\"patch\": {\"id\": 5, \"msgid\": \"<a@b>\", " MBOX
	    "}}}");
	assert_int_equal(w.n, 1);
	assert_string_equal(w.item[0].category, "patch-created");
	assert_string_equal(w.item[0].message_id, "a@b");
	assert_string_equal(w.item[0].web_url, "https://pw.example.org/project/demo/patch/a@b/");
	walk_done(&w);
}

static void series_add(struct patchwork_walk *w, int id, const char *date)
{
	auto_free char *text = xasprintf(
		"{\"id\": %d, \"date\": \"%s\", \"payload\": {\"series\": {\"id\": 3}}}", id, date);

	add(w, "series-completed", text);
}

static void test_order(void **state)
{
	static const int64_t want[] = {4, 2, 3};
	struct patchwork_walk w = {.horizon = xstrdup("2026-11-30T10:00:02")};

	(void)state;
	series_add(&w, 2, "2026-11-30T10:00:01");
	series_add(&w, 9, "2026-11-30T10:00:03");
	series_add(&w, 3, "2026-11-30T10:00:01.5");
	series_add(&w, 2, "2026-11-30T10:00:01");
	series_add(&w, 4, "2026-11-30T10:00:00");
	walk_sort(&w);
	assert_int_equal(w.n, array_size(want));
	for (size_t i = 0; i < w.n; i++)
		assert_int_equal(w.item[i].id, want[i]);
	walk_done(&w);
}

static void test_cursor(void **state)
{
	struct patchwork_walk w = {0}, again = {0};
	struct err err = ERR_INIT;
	auto_free char *cursor = NULL;

	(void)state;
	assert_ok(walk_begin(&w, "", 86400 + 14 * 3600, &err), &err);
	assert_string_equal(w.date, "1970-01-02T00:00:00");
	series_add(&w, 1, "2026-03-01T07:59:59");
	series_add(&w, 2, "2026-03-01T09:00:00.25");
	series_add(&w, 3, "2026-03-01T10:00:00");
	series_add(&w, 4, "9999-01-01T00:00:00"); /* is not let far into the future */
	walk_sort(&w);
	w.told = w.n;
	cursor = walk_cursor(&w, walk_newest(&w));
	assert_string_equal(cursor, "1 2026-03-01T10:00:00 2,3,4");
	assert_ok(walk_begin(&again, cursor, 0, &err), &err);
	assert_string_equal(again.date, "2026-03-01T10:00:00");
	assert_false(walk_has_seen(&again, 1));
	assert_true(walk_has_seen(&again, 2));
	assert_true(walk_has_seen(&again, 4));
	walk_done(&w);
	walk_done(&again);
}

static void test_odd_cursors(void **state)
{
	static const char *const table[] = {
		"x",
		"1",
		"1 2026-03-01T10:00:00",
		"2 2026-03-01T10:00:00 1",
		"1 2026-03-01 1",
		"1 2026-03-01T10:00:00 1,x",
		"1 2026-03-01T10:00:00 -1",
		"1 2026-03-01T10:00:00 1;2",
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		struct patchwork_walk w = {0};
		struct err err = ERR_INIT;

		assert_err(walk_begin(&w, table[i], 0, &err), &err, ERR_INPUT, table[i]);
		walk_done(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_no_links),
		cmocka_unit_test(test_own_urls),
		cmocka_unit_test(test_target_urls),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_odd_events),
		cmocka_unit_test(test_page_out_of_mbox),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_cursor),
		cmocka_unit_test(test_odd_cursors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
