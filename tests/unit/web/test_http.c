// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths, queries, and how an answer is sent: tags, compression, kept pages. */
#include "unit/store/store_help.h"
#include "unit/unit.h"

#include "base/fs.h"
#include "unit/web/client.h"
#include "web/accept.h"
#include "web/asset.h"
#include "web/decode.h"
#include "web/path.h"
#include <zlib.h>

static void percent_decoding(void **state)
{
	static const struct {
		const char *text, *want; /* NULL: refused */
	} cases[] = {
		{"", ""},
		{"abc", "abc"},
		{"%41%6a%6A", "Ajj"},
		{"a+b", "a+b"},
		{"%C3%A9", "\xc3\xa9"},
		{"%2e%2e%2f", "../"},
		{"%", NULL},
		{"%4", NULL},
		{"%4g", NULL},
		{"%%41", NULL},
		{"%00", NULL},
		{"a%00b", NULL},
		{"%ff", NULL},
		{"%c0%af", NULL},	/* overlong / */
		{"%e0%80%af", NULL},	/* the same in three */
		{"%ed%a0%80", NULL},	/* a surrogate */
		{"%f4%90%80%80", NULL}, /* above U+10FFFF */
		{"\xff", NULL},
		{"%u0041", NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_str struct str out;
		bool good;

		str_init(&out, 0);
		good = percent_decode(&out, cases[i].text, strlen(cases[i].text), false);
		if (good != (cases[i].want != NULL))
			fail_msg("%s: %s", cases[i].text, good ? "taken" : "refused");
		if (good)
			assert_string_equal(out.buf, cases[i].want);
	}
}

static void encoding_is_undone_by_decoding(void **state)
{
	static const char text[] = "a/b c%?#&=+\"<>\x01\xc3\xa9~._-";
	auto_str struct str there, back;

	(void)state;
	str_init(&there, 0);
	str_init(&back, 0);
	percent_encode(&there, text, false);
	assert_int_equal(strspn(there.buf, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					   "0123456789-._~%"),
			 there.len);
	assert_true(percent_decode(&back, there.buf, there.len, false));
	assert_string_equal(back.buf, text);
	str_reset(&there);
	percent_encode(&there, "a/b", true);
	assert_string_equal(there.buf, "a/b");
}

static bool pairs_of(struct pairs *p, const char *text)
{
	*p = (struct pairs){0};
	return pairs_read(p, text, strlen(text));
}

static void queries_are_capped(void **state)
{
	auto_str struct str many, large;
	struct pairs p;

	(void)state;
	assert_true(pairs_of(&p, "a=1&b=%C3%A9+x&a=2&c&=3&&"));
	assert_string_equal(pairs_get(&p, "a"), "1");
	assert_string_equal(pairs_get(&p, "b"), "\xc3\xa9 x");
	assert_string_equal(pairs_get(&p, "c"), "");
	assert_string_equal(pairs_get(&p, "d"), "");
	pairs_done(&p);
	assert_string_equal(pairs_get(NULL, "a"), "");
	assert_false(pairs_of(&p, "a=%ff"));
	pairs_done(&p);
	assert_false(pairs_of(&p, "a=1&%00=2"));
	pairs_done(&p);
	str_init(&many, 0);
	for (int i = 0; i <= PAIRS_MAX; i++)
		str_adds(&many, "a=1&");
	assert_false(pairs_of(&p, many.buf));
	pairs_done(&p);
	str_init(&large, 0);
	str_adds(&large, "a=");
	for (int i = 0; i < PAIR_VALUE_MAX; i++)
		str_addc(&large, 'x');
	assert_true(pairs_of(&p, large.buf));
	pairs_done(&p);
	str_addc(&large, 'x');
	assert_false(pairs_of(&p, large.buf));
	pairs_done(&p);
}

static void holes_of_paths(void **state)
{
	static const struct {
		const char *pattern, *path;
		bool fits;
		int64_t id, id2;
		const char *name, *rest;
	} cases[] = {
		{"/", "/", true, 0, 0, NULL, NULL},
		{"/a", "/a/", false, 0, 0, NULL, NULL},
		{"/series/{id}", "/series/7", true, 7, 0, NULL, NULL},
		{"/series/{id}", "/series/0", false, 0, 0, NULL, NULL},
		{"/series/{id}", "/series/%37", false, 0, 0, NULL, NULL},
		{"/series/{id}", "/series/9999999999999999999", false, 0, 0, NULL, NULL},
		{"/series/{id}/patch/{id}", "/series/7/patch/0", true, 7, 0, NULL, NULL},
		{"/series/{id}/patch/{id}", "/series/7/patch/12", true, 7, 12, NULL, NULL},
		{"/series/{id}/patch/{id}", "/series/7/patch/012", false, 0, 0, NULL, NULL},
		{"/series/{id}/patch/{id}", "/series/7/patch/", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/linux-mm%2Btest", true, 0, 0, "linux-mm+test", NULL},
		{"/list/{name}", "/list/..", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/%2e%2e", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/a%2fb", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/a/b", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/a%0d%0ab", false, 0, 0, NULL, NULL},
		{"/list/{name}", "/list/", false, 0, 0, NULL, NULL},
		{"/list/{name}/feed.atom", "/list/a/feed.atom", true, 0, 0, "a", NULL},
		{"/trial/{id}/bench/{name}.json", "/trial/3/bench/hot-add.json", true, 3, 0,
		 "hot-add", NULL},
		{"/badge/m/{rest}.svg", "/badge/m/a@b.svg", true, 0, 0, NULL, "a@b"},
		{"/badge/m/{rest}.svg", "/badge/m/a@b.png", false, 0, 0, NULL, NULL},
		{"/badge/m/{rest}.svg", "/badge/m/.svg", false, 0, 0, NULL, NULL},
		{"/m/{rest}", "/m/20261130.1%2F2@example.org", true, 0, 0, NULL,
		 "20261130.1/2@example.org"},
		{"/m/{rest}", "/m/a/b@c", true, 0, 0, NULL, "a/b@c"},
		{"/m/{rest}", "/m/a%0d%0aSet-Cookie:x", false, 0, 0, NULL, NULL},
		{"/m/{rest}", "/m/a%00", false, 0, 0, NULL, NULL},
		{"/m/{rest}", "/m/%c2%85", false, 0, 0, NULL, NULL},
		{"/m/{rest}", "/m/%c0%af", false, 0, 0, NULL, NULL},
		{"/m/{rest}", "/m/", false, 0, 0, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct path_parts p = {0};
		bool fits = path_match(cases[i].pattern, cases[i].path, &p);

		if (fits != cases[i].fits)
			fail_msg("%s: %d", cases[i].path, fits);
		assert_int_equal(p.id, cases[i].id);
		assert_int_equal(p.id2, cases[i].id2);
		if (cases[i].name)
			assert_string_equal(p.name, cases[i].name);
		if (cases[i].rest)
			assert_string_equal(p.rest, cases[i].rest);
		path_parts_done(&p);
	}
}

static void long_ids_are_refused(void **state)
{
	auto_str struct str path;
	struct path_parts p = {0};

	(void)state;
	str_init(&path, 0);
	str_adds(&path, "/m/");
	for (int i = 0; i < PATH_REST_MAX; i++)
		str_addc(&path, 'x');
	assert_true(path_match("/m/{rest}", path.buf, &p));
	path_parts_done(&p);
	str_addc(&path, 'x');
	assert_false(path_match("/m/{rest}", path.buf, &p));
}

static void encodings_that_are_accepted(void **state)
{
	static const struct {
		const char *header;
		bool want;
	} cases[] = {
		{NULL, false},		 {"", false},
		{"gzip", true},		 {"GZIP", true},
		{"deflate, gzip", true}, {"br,gzip;q=0.5", true},
		{"gzip;q=0", false},	 {"gzip; q=0.000", false},
		{"gzip;q=0.001", true},	 {"identity", false},
		{"xgzip", false},	 {"gzipx", false},
		{"br;q=0, gzip ", true}, {",,, gzip", true},
		{"gzip;q=0, br", false},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++)
		if (accepts_gzip(cases[i].header) != cases[i].want)
			fail_msg("%s", cases[i].header);
}

static void tags_that_are_the_same(void **state)
{
	static const struct {
		const char *header;
		bool want;
	} cases[] = {
		{NULL, false},
		{"\"abc\"", true},
		{"W/\"abc\"", true},
		{"\"abc-gz\"", true},
		{"W/\"abc-gz\"", true},
		{"*", true},
		{"\"x\", \"abc\"", true},
		{"abc", false},
		{"\"abcd\"", false},
		{"\"ab\"", false},
		{"\"abc", false},
		{"\"abc-xz\"", false},
		{"\"x\",\"y\"", false},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++)
		if (etag_is_among(cases[i].header, "abc") != cases[i].want)
			fail_msg("%s", cases[i].header);
	assert_false(etag_is_among("\"\"", ""));
}

/* A store with `n` trials by hand. */
static void trials_put(const struct server *s, const char *title, unsigned n)
{
	static const char *const steps[] = {"build", NULL};
	const struct store_series series = {
		.title = title, .message_id = "", .author = "Ada", .version = 1};
	auto_store struct store *store = NULL;
	struct err err = ERR_INIT;
	int64_t id;

	assert_ok(store_open(s->store_path, STORE_WRITE, &store, &err), &err);
	while (n--)
		assert_ok(store_trial_begin(store, &series, steps, &id, &err), &err);
}

static void get(const struct server *s, const char *path, const char *headers, struct str *answer)
{
	auto_free char *line = xasprintf("GET %s", path);

	client_send_to(s, line, headers, "", answer);
}

static void what_is_known_is_not_sent_again(void **state)
{
	const struct server *s = *state;
	auto_str struct str first, again, other;

	trials_put(s, "x", 1);
	get(s, "/api/v1/trials", "", &first);
	assert_int_equal(answer_status(&first), 200);
	auto_free char *tag = answer_header(&first, "ETag");
	auto_free char *header = xasprintf("If-None-Match: %s\r\n", tag);
	get(s, "/api/v1/trials", header, &again);
	assert_int_equal(answer_status(&again), 304);
	assert_string_equal(answer_body(&again), "");
	auto_free char *same = answer_header(&again, "ETag");
	assert_string_equal(same, tag);
	trials_put(s, "y", 1);
	get(s, "/api/v1/trials", header, &other);
	assert_int_equal(answer_status(&other), 200);
}

static void errors_have_no_tag(void **state)
{
	auto_str struct str answer;

	get(*state, "/nothing", "If-None-Match: *\r\n", &answer);
	assert_int_equal(answer_status(&answer), 404);
	assert_null(answer_header(&answer, "ETag"));
}

static void unzip(const char *data, size_t n, struct str *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)n};
	char buf[4096];
	int rc = Z_OK;

	str_init(out, 0);
	assert_int_equal(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	while (rc == Z_OK) {
		z.next_out = (Bytef *)buf;
		z.avail_out = sizeof(buf);
		rc = inflate(&z, Z_NO_FLUSH);
		str_add(out, buf, sizeof(buf) - z.avail_out);
	}
	assert_int_equal(rc, Z_STREAM_END);
	inflateEnd(&z);
}

static void text_is_compressed_for_who_takes_it(void **state)
{
	const struct server *s = *state;
	const char *path = asset_path("style.css");
	auto_str struct str plain, packed, text;

	get(s, path, "", &plain);
	get(s, path, "Accept-Encoding: gzip\r\n", &packed);
	assert_int_equal(answer_status(&packed), 200);
	answer_holds(&packed, "Content-Encoding: gzip\r\n");
	answer_holds(&packed, "Vary: Accept-Encoding\r\n");
	answer_holds(&plain, "Vary: Accept-Encoding\r\n");
	answer_holds(&plain, "Cache-Control: public, max-age=31536000, immutable\r\n");
	assert_null(strstr(plain.buf, "Content-Encoding"));
	assert_true(packed.len < plain.len / 2);
	const char *body = answer_body(&packed);
	unzip(body, packed.len - (size_t)(body - packed.buf), &text);
	assert_string_equal(text.buf, answer_body(&plain));
	auto_free char *one = answer_header(&plain, "ETag"), *two = answer_header(&packed, "ETag");
	assert_string_not_equal(one, two);
}

static void assets_go_by_their_hash(void **state)
{
	static const char *const paths[] = {"/assets/style.css", "/assets/style-0123456789ab.css",
					    "/assets/", "/assets/..%2f..%2fetc%2fpasswd"};

	for (size_t i = 0; i < array_size(paths); i++) {
		auto_str struct str answer;

		get(*state, paths[i], "", &answer);
		assert_int_equal(answer_status(&answer), 404);
	}
	auto_str struct str script;

	get(*state, asset_path("app.js"), "", &script);
	answer_holds(&script, "Content-Type: text/javascript");
	assert_null(asset_path("other.js"));
}

/* A kept page must not outlive what it was made from. */
static void a_kept_page_goes_with_a_change(void **state)
{
	const struct server *s = *state;
	auto_str struct str one, same, two;

	trials_put(s, "mm: first of all", 1);
	get(s, "/", "", &one);
	answer_holds(&one, "mm: first of all");
	get(s, "/", "", &same);
	assert_string_equal(answer_body(&same), answer_body(&one));
	trials_put(s, "mm: second to none", 1);
	get(s, "/", "", &two);
	answer_holds(&two, "mm: second to none");
}

static void a_store_that_is_replaced_is_opened_anew(void **state)
{
	const struct server *s = *state;
	auto_free char *wal = xasprintf("%s-wal", s->store_path);
	auto_free char *shm = xasprintf("%s-shm", s->store_path);
	auto_str struct str before, none, after;

	trials_put(s, "mm: before", 1);
	get(s, "/api/v1/trials", "", &before);
	answer_holds(&before, "mm: before");
	assert_int_equal(unlink(s->store_path), 0);
	unlink(wal);
	unlink(shm);
	get(s, "/api/v1/trials", "", &none);
	assert_int_equal(answer_status(&none), 503);
	trials_put(s, "mm: after", 1);
	get(s, "/api/v1/trials", "", &after);
	answer_holds(&after, "mm: after");
	assert_null(strstr(after.buf, "mm: before"));
}

static void hostile_paths_are_told_apart(void **state)
{
	static const struct {
		const char *path;
		int want;
	} cases[] = {
		{"/trial/1%00", 404},	    {"/%2e%2e/%2e%2e/etc/passwd", 404},
		{"/requests/%31", 404},	    {"/?q=%c0%af", 400},
		{"/?q=%00", 400},	    {"/?%", 400},
		{"/assets/%ff", 404},	    {"/login?to=%0d%0aX:y", 200},
		{"/requests/1?x=%zz", 400}, {"/#", 404},
	};

	trials_put(*state, "x", 1);
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_str struct str answer;

		get(*state, cases[i].path, "", &answer);
		if (answer_status(&answer) != cases[i].want)
			fail_msg("%s: %d", cases[i].path, answer_status(&answer));
		assert_null(strstr(answer.buf, "\r\nX:"));
	}
}

static void many_headers_are_too_many(void **state)
{
	auto_str struct str text, answer;

	str_init(&text, 0);
	str_adds(&text, "GET /login HTTP/1.1\r\nHost: localhost\r\n");
	for (int i = 0; i < 3000; i++)
		str_addf(&text, "X-%d: y\r\n", i);
	str_adds(&text, "\r\n");
	client_send(*state, text.buf, text.len, &answer);
	if (answer.len) /* the connection may be reset before the answer is read */
		assert_int_equal(answer_status(&answer), 431);
	auto_str struct str after;

	get(*state, "/login", "", &after);
	assert_int_equal(answer_status(&after), 200);
}

/* Fifty at once, answered one after the other. */
static void requests_may_follow_each_other(void **state)
{
	auto_str struct str text, answer;
	unsigned n = 0;

	str_init(&text, 0);
	for (int i = 0; i < 50; i++)
		str_addf(&text, "%s /login HTTP/1.1\r\nHost: localhost\r\n%s\r\n",
			 i % 2 ? "HEAD" : "GET", i == 49 ? "Connection: close\r\n" : "");
	client_send(*state, text.buf, text.len, &answer);
	for (const char *s = answer.buf; (s = strstr(s, "HTTP/1.1 200 OK\r\n")); s++)
		n++;
	assert_int_equal(n, 50);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, server_setup, server_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percent_decoding),
		cmocka_unit_test(encoding_is_undone_by_decoding),
		cmocka_unit_test(queries_are_capped),
		cmocka_unit_test(holes_of_paths),
		cmocka_unit_test(long_ids_are_refused),
		cmocka_unit_test(encodings_that_are_accepted),
		cmocka_unit_test(tags_that_are_the_same),
		TEST(what_is_known_is_not_sent_again),
		TEST(errors_have_no_tag),
		TEST(text_is_compressed_for_who_takes_it),
		TEST(assets_go_by_their_hash),
		TEST(a_kept_page_goes_with_a_change),
		TEST(a_store_that_is_replaced_is_opened_anew),
		TEST(hostile_paths_are_told_apart),
		TEST(many_headers_are_too_many),
		TEST(requests_may_follow_each_other),
	};

	return cmocka_run_group_tests_name("web-http", tests, NULL, NULL);
}
