// SPDX-License-Identifier: GPL-2.0-or-later
/* Who may: the file with tokens, and addresses as configuration names them. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/netblock.h"
#include "base/token_file.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#define TOKEN "correct-horse-battery"

struct folder {
	char *dir, *path;
	struct err err;
};

static int setup(void **state)
{
	struct folder *f = xcalloc(1, sizeof(*f));

	f->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(f->dir));
	f->path = xasprintf("%s/token", f->dir);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct folder *f = *state;

	assert_ok(fs_rmtree(f->dir, &f->err), &f->err);
	free(f->dir);
	free(f->path);
	free(f);
	return 0;
}

static void put(struct folder *f, const char *text, mode_t mode)
{
	assert_ok(fs_write_atomic(f->path, text, strlen(text), &f->err), &f->err);
	assert_int_equal(chmod(f->path, mode), 0);
}

static void token_files_have_to_be_secret(void **state)
{
	static const struct {
		const char *text, *words;
		mode_t mode;
	} cases[] = {
		{TOKEN "\n", "everybody can read", 0644},
		{"fifteen-letters\n", "token:1: the token needs at least 16", 0600},
		{"", "there is no token in it", 0600},
		{"# only a remark\n\n", "there is no token in it", 0600},
		{"correct horse battery\n", "visible ASCII", 0600},
		{"correct\xc3\xa9-horse-battery\n", "visible ASCII", 0600},
		{TOKEN "\nada short\n", "token:2: the token needs at least 16", 0600},
		{"ada,bob " TOKEN "\n", "a name has letters", 0600},
		{"ada\x01 " TOKEN "\n", "a name has letters", 0600},
	};
	struct folder *f = *state;
	struct tokens tokens = {0};

	assert_err(tokens_read(f->path, &tokens, &f->err), &f->err, ERR_CONFIG, "token");
	assert_err(tokens_read(f->dir, &tokens, &f->err), &f->err, ERR_CONFIG, "is no file");
	for (size_t i = 0; i < array_size(cases); i++) {
		put(f, cases[i].text, cases[i].mode);
		assert_err(tokens_read(f->path, &tokens, &f->err), &f->err, ERR_CONFIG,
			   cases[i].words);
		assert_int_equal(tokens.n, 0);
	}
}

static void token_files_hold_a_line_each(void **state)
{
	struct folder *f = *state;
	struct tokens tokens = {0};

	put(f, TOKEN "\r\n# of ours\n\nada \t" TOKEN "2  \nbob@example.org " TOKEN "3", 0640);
	assert_ok(tokens_read(f->path, &tokens, &f->err), &f->err);
	assert_int_equal(tokens.n, 3);
	assert_string_equal(tokens.token[0].name, "api");
	assert_string_equal(tokens.token[0].secret, TOKEN);
	assert_string_equal(tokens.token[1].name, "ada");
	assert_string_equal(tokens.token[1].secret, TOKEN "2");
	assert_string_equal(tokens.token[2].name, "bob@example.org");
	assert_string_equal(tokens.token[2].secret, TOKEN "3");
	tokens_done(&tokens);
}

/* Whether `text` holds the address. */
static bool holds(const char *text, const char *address)
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	struct err err = ERR_INIT;
	struct netblocks b;

	assert_ok(netblocks_parse(text, &b, &err), &err);
	if (inet_pton(AF_INET, address, &four.sin_addr) == 1)
		return netblocks_have(&b, (struct sockaddr *)&four);
	assert_int_equal(inet_pton(AF_INET6, address, &six.sin6_addr), 1);
	return netblocks_have(&b, (struct sockaddr *)&six);
}

static void addresses_are_in_their_networks(void **state)
{
	const struct sockaddr unix_socket = {.sa_family = AF_UNIX};
	struct netblocks none = {0};

	(void)state;
	assert_true(holds("192.0.2.1", "192.0.2.1"));
	assert_false(holds("192.0.2.1", "192.0.2.2"));
	assert_true(holds("192.0.2.1", "::ffff:192.0.2.1"));
	assert_true(holds("::1, 10.0.0.0/8", "10.255.0.1"));
	assert_false(holds("::1, 10.0.0.0/8", "11.0.0.1"));
	assert_true(holds("10.0.0.128/25", "10.0.0.129"));
	assert_false(holds("10.0.0.128/25", "10.0.0.127"));
	assert_true(holds("2001:db8::/32", "2001:db8:ffff::1"));
	assert_false(holds("2001:db8::/32", "2001:db9::1"));
	assert_true(holds("0.0.0.0/0", "203.0.113.9"));
	assert_false(holds("0.0.0.0/0", "2001:db8::1"));
	assert_true(holds("::/0", "203.0.113.9"));
	assert_false(holds("", "127.0.0.1"));
	assert_false(netblocks_have(&none, NULL));
	assert_false(netblocks_have(&none, &unix_socket));
	assert_false(address_is_loopback(NULL));
}

static void what_is_no_network_is_named(void **state)
{
	static const char *const texts[] = {
		"localhost",   "192.0.2.1/33",	 "192.0.2.1/24",	"192.0.2",
		"::1/129",     "2001:db8::1/32", "10.0.0.0/",		"10.0.0.0/ 8",
		"10.0.0.0/-1", "10.0.0.0/0x8",	 "192.0.2.1;192.0.2.2", "/8"};
	struct err err = ERR_INIT;
	struct netblocks b = {0};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++)
		if (netblocks_parse(texts[i], &b, &err) != ERR_CONFIG)
			fail_msg("%s was taken", texts[i]);
	assert_int_equal(b.n, 0);
}

static void loopback_is_told(void **state)
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};

	(void)state;
	assert_true(address_is_loopback((struct sockaddr *)&six));
	inet_pton(AF_INET, "127.255.0.3", &four.sin_addr);
	assert_true(address_is_loopback((struct sockaddr *)&four));
	inet_pton(AF_INET, "128.0.0.1", &four.sin_addr);
	assert_false(address_is_loopback((struct sockaddr *)&four));
}

static bool look(struct token_watch *w)
{
	struct err err = ERR_INIT;
	bool news = false;

	assert_ok(token_watch_look(w, &news, &err), &err);
	return news;
}

static void a_token_file_is_watched(void **state)
{
	struct folder *f = *state;
	struct token_watch w = {.path = f->path};

	put(f, "ada " TOKEN "\n", 0600);
	assert_true(look(&w));
	assert_false(look(&w));
	put(f, "bob " TOKEN "\n", 0600); /* as long, within the same tick */
	assert_true(look(&w));
	assert_string_equal(w.tokens.token[0].name, "bob");
	put(f, "bob " TOKEN "\n# the same\n", 0600);
	assert_false(look(&w));
	put(f, "bob " TOKEN "\n" TOKEN "2\n", 0600);
	assert_true(look(&w));
	assert_int_equal(w.tokens.n, 2);
	token_watch_done(&w);
}

/* It is told once; what was good stays. */
static void a_wrong_file_changes_nothing(void **state)
{
	struct folder *f = *state;
	struct token_watch w = {.path = f->path};
	bool news = false;

	put(f, "ada " TOKEN "\n", 0600);
	assert_true(look(&w));
	put(f, "ada short\n", 0600);
	assert_err(token_watch_look(&w, &news, &f->err), &f->err, ERR_CONFIG, "at least 16");
	assert_false(look(&w));
	assert_int_equal(chmod(f->path, 0644), 0);
	assert_err(token_watch_look(&w, &news, &f->err), &f->err, ERR_CONFIG, "everybody");
	assert_int_equal(unlink(f->path), 0);
	assert_err(token_watch_look(&w, &news, &f->err), &f->err, ERR_CONFIG, "No such file");
	assert_false(look(&w));
	assert_string_equal(w.tokens.token[0].name, "ada");
	put(f, "ada " TOKEN "\n", 0600);
	assert_false(look(&w)); /* they are the same as before */
	put(f, "ada short\n", 0600);
	assert_err(token_watch_look(&w, &news, &f->err), &f->err, ERR_CONFIG, "at least 16");
	token_watch_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(token_files_have_to_be_secret, setup, teardown),
		cmocka_unit_test_setup_teardown(token_files_hold_a_line_each, setup, teardown),
		cmocka_unit_test_setup_teardown(a_token_file_is_watched, setup, teardown),
		cmocka_unit_test_setup_teardown(a_wrong_file_changes_nothing, setup, teardown),
		cmocka_unit_test(addresses_are_in_their_networks),
		cmocka_unit_test(what_is_no_network_is_named),
		cmocka_unit_test(loopback_is_told),
	};

	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
