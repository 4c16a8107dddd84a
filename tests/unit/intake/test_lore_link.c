// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/fs.h"
#include "intake/gunzip.h"
#include "intake/lore.h"
#include "intake/lore_cursor.h"
#include "intake/lore_manifest.h"
#include "intake/pkt.h"
#include "intake/source.h"

#include <zlib.h>

struct link_case {
	const char *link, *base, *id;
};

#define LORE "https://lore.kernel.org/"

static const struct link_case links[] = {
	{LORE "linuxppc-dev/20260301.1-1-ada@example.org/", LORE "linuxppc-dev/",
	 "20260301.1-1-ada@example.org"},
	{LORE "linuxppc-dev/a@b", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/T/#u", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/t/#m0123456789", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/T/", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/raw", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/t.mbox.gz", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/t.atom", LORE "linuxppc-dev/", "a@b"},
	{LORE "linuxppc-dev/a@b/?x=1#r", LORE "linuxppc-dev/", "a@b"},
	{LORE "all/a@b/", LORE "all/", "a@b"},
	{LORE "r/a@b", LORE "all/", "a@b"},
	{LORE "r/a@b/", LORE "all/", "a@b"},
	{"https://lkml.kernel.org/r/a@b", LORE "all/", "a@b"},
	{"https://patch.msgid.link/a@b", LORE "all/", "a@b"},
	{"https://msgid.link/a@b", LORE "all/", "a@b"},
	{"http://127.0.0.1:8180/ppc/a@b/", "http://127.0.0.1:8180/ppc/", "a@b"},
	{"https://example.org/pub/lists/ppc/a@b/T/", "https://example.org/pub/lists/ppc/", "a@b"},
	{LORE "l/a%2Fb%25c%2Bd@e/", LORE "l/", "a/b%c+d@e"},
	{LORE "l/a%40b/", LORE "l/", "a@b"},
	{LORE "l/%3Ca@b%3E/", LORE "l/", "a@b"},
};

static void test_links(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(links); i++) {
		auto_free char *base = NULL, *id = NULL;

		if (!lore_link_parse(links[i].link, &base, &id))
			fail_msg("%s is none", links[i].link);
		assert_string_equal(base, links[i].base);
		assert_string_equal(id, links[i].id);
	}
}

static void test_no_links(void **state)
{
	static const char *const none[] = {
		"",
		"a@b",
		"https://",
		"https:/lore/a@b",
		"ftp://lore.kernel.org/l/a@b/",
		"file:///l/a@b",
		LORE,
		LORE "linuxppc-dev/",
		LORE "l/a%00@b/",
		LORE "l/a%0d%0aX@b/",
		LORE "l/a%20c@b/",
		LORE "l/a b@c/",
		LORE "l/a@b/s/?b=x",
		LORE "l/?q=a@b",
		LORE "l/#a@b",
		"https://user:word@lore.kernel.org/l/a@b/",
		"https://patchwork.ozlabs.org/project/linuxppc-dev/patch/a@b/",
		"https://patchwork.ozlabs.org/project/linuxppc-dev/cover/a@b/",
	};

	(void)state;
	for (size_t i = 0; i < array_size(none); i++) {
		char *base = NULL, *id = NULL;

		if (lore_link_parse(none[i], &base, &id))
			fail_msg("%s gives %s and %s", none[i], base, id);
		assert_null(base);
		assert_null(id);
	}
}

static void test_long_link(void **state)
{
	auto_free char *link = xmalloc(10001);
	char *base, *id;

	(void)state;
	memset(link, 'a', 10000);
	memcpy(link, LORE "l/", strlen(LORE "l/"));
	memcpy(link + 5000, "@b", 2);
	link[10000] = '\0';
	assert_false(lore_link_parse(link, &base, &id));
	link[3000] = '\0';
	memcpy(link + 2990, "@b", 2);
	assert_false(lore_link_parse(link, &base, &id)); /* an id that fits no header line */
}

static void test_source_row(void **state)
{
	char path[] = "/tmp/firn-a@b-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(source_link.accepts("20260301.1-1-ada@example.org"));
	assert_true(source_link.accepts("<20260301.1-1-ada@example.org>"));
	assert_true(source_link.accepts(LORE "r/a@b"));
	assert_true(source_link.accepts("https://patchwork.ozlabs.org/patch/12345/"));
	assert_false(source_link.accepts(path)); /* a file */
	assert_false(source_link.accepts("series.mbox"));
	assert_false(source_link.accepts("-"));
	assert_false(source_link.accepts("@b"));
	assert_false(source_link.accepts("a@"));
	assert_false(source_link.accepts("a b@c"));
	assert_false(source_link.accepts("a\n@c"));
	assert_false(source_link.accepts("https://example.org/"));
	close(fd);
	unlink(path);
}

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void test_cursor(void **state)
{
	static const char *const bad[] = {"0",	     "0:",	 "0:aa",
					  "x:" A,    "0:" A "x", "0:" A "  1:" B,
					  "1000:" A, "-1:" A,	 "0:" A " 1:g"};
	struct lore_cursor c = {};
	struct err err = ERR_INIT;
	auto_free char *text = NULL;

	(void)state;
	assert_ok(cursor_read("1:" B " 0:" A, &c, &err), &err);
	text = cursor_text(&c);
	assert_string_equal(text, "0:" A " 1:" B);
	assert_non_null(cursor_get(&c, 1));
	assert_null(cursor_get(&c, 2));
	cursor_done(&c);
	assert_ok(cursor_read("", &c, &err), &err);
	assert_int_equal(c.n, 0);
	for (size_t i = 0; i < array_size(bad); i++)
		assert_err(cursor_read(bad[i], &c, &err), &err, ERR_INFRA, "no place");
}

static void test_fingerprint(void **state)
{
	struct lore_manifest_epoch e = {.fingerprint = "e227b910b7313be8559288d2680744aeb60cad9c"};
	git_oid id;

	(void)state;
	assert_int_equal(git_oid_fromstr(&id, "2376ccc56ed761a280df5b2a60c2530929b0daef"), 0);
	assert_true(manifest_is_at(&e, &id));
	id.id[0] ^= 1;
	assert_false(manifest_is_at(&e, &id));
}

static int packet_note(void *ctx, const char *data, size_t n, struct err *err)
{
	if (data && str_starts(data, "stop"))
		return err_set(err, ERR_PATCH, "stopped");
	str_addf(ctx, "[%.*s]", (int)n, data ?: "-");
	return 0;
}

static void test_packets(void **state)
{
	static const char wire[] = "0009hello000000040006ab";
	auto_str struct str seen;
	struct pkt_reader r;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&seen, 0);
	for (size_t step = 1; step < sizeof(wire); step++) {
		str_reset(&seen);
		pkt_init(&r, packet_note, &seen);
		for (size_t i = 0; i < sizeof(wire) - 1; i += step) {
			size_t left = sizeof(wire) - 1 - i;

			assert_ok(pkt_feed(&r, wire + i, left < step ? left : step, &err), &err);
		}
		assert_ok(pkt_end(&r, &err), &err);
		assert_string_equal(seen.buf, "[hello][][][ab]");
		pkt_done(&r);
	}
}

static void test_bad_packets(void **state)
{
	static const char *const bad[] = {
		"<!doctype html>", "0001", "0003", "fff1", "ffff", "00g0", "    ", "-001"};
	auto_str struct str seen;
	struct pkt_reader r;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&seen, 0);
	for (size_t i = 0; i < array_size(bad); i++) {
		pkt_init(&r, packet_note, &seen);
		assert_err(pkt_feed(&r, bad[i], strlen(bad[i]), &err), &err, ERR_INFRA,
			   "not git's protocol");
		pkt_done(&r);
	}
	pkt_init(&r, packet_note, &seen);
	assert_err(pkt_feed(&r, "0008stop", 8, &err), &err, ERR_PATCH, "stopped");
	assert_ok(pkt_feed(&r, "0008st", 6, &err), &err);
	assert_err(pkt_end(&r, &err), &err, ERR_INFRA, "cut off");
	pkt_done(&r);
}

/* As gzip(1) would. */
static size_t zip(const char *text, size_t n, unsigned char *out, size_t max)
{
	z_stream z = {.next_in = (Bytef *)text, .avail_in = (unsigned)n};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), 0);
	z.next_out = out;
	z.avail_out = (unsigned)max;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static void test_gunzip(void **state)
{
	unsigned char packed[65536];
	auto_free char *zeros = xcalloc(1, 1 << 20);
	size_t n = zip("hello", 5, packed, sizeof(packed));
	auto_str struct str out;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&out, 100000);
	n += zip(" you", 4, packed + n, sizeof(packed) - n); /* a second member */
	assert_ok(gunzip(packed, n, &out, &err), &err);
	assert_string_equal(out.buf, "hello you");
	assert_err(gunzip(packed, n - 1, &out, &err), &err, ERR_INFRA, "cut short");
	packed[14] ^= 0x55;
	assert_err(gunzip(packed, n, &out, &err), &err, ERR_INFRA, "gzip");
	assert_err(gunzip("<html>", 6, &out, &err), &err, ERR_INFRA, "not gzip");
	assert_err(gunzip("", 0, &out, &err), &err, ERR_INFRA, "not gzip");
	n = zip(zeros, 1 << 20, packed, sizeof(packed));
	assert_err(gunzip(packed, n, &out, &err), &err, ERR_INFRA, "100000 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),	  cmocka_unit_test(test_no_links),
		cmocka_unit_test(test_long_link), cmocka_unit_test(test_source_row),
		cmocka_unit_test(test_cursor),	  cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_packets),	  cmocka_unit_test(test_bad_packets),
		cmocka_unit_test(test_gunzip),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
