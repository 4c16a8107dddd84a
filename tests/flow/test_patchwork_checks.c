// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks to the stand-in for Patchwork: posted, refused, and with an answer that is lost. */
#include "flow/patchwork_run.h"

static const struct patchwork_check check = {
	.context = "firn-build",
	.state = "success",
	.description = "  7 of 7 patches\nbuilt \x01 ",
	.url = "https://firn.example.org/trial/7",
};

static bool is_there(struct fixture *f, int64_t patch, const struct patchwork_check *c)
{
	bool is = false;

	assert_ok(patchwork_check_is(&f->at, patch, c, &is, &f->err), &f->err);
	return is;
}

static void post_ok(struct fixture *f, int64_t patch, const struct patchwork_check *c)
{
	bool sent = false;

	assert_ok(patchwork_check_post(&f->at, patch, c, &sent, &f->err), &f->err);
	assert_true(sent);
}

static void test_check_posted(void **state)
{
	struct patchwork_check fail = check;

	(void)state;
	for (unsigned api = 0; api <= 4; api++) {
		auto_free char *minor = xasprintf("%u", api);
		struct fixture f = fixture_start(api < 4 ? "3.1.3" : "main", minor);
		struct str answer;

		assert_false(is_there(&f, 5, &check));
		post_ok(&f, 5, &check);
		assert_true(is_there(&f, 5, &check));
		assert_false(is_there(&f, 6, &check));
		stand_in_ask(&f.server, "api/patches/5/checks/", NULL, &answer);
		assert_non_null(strstr(answer.buf, "\"7 of 7 patches built\""));
		str_done(&answer);
		fail.state = "fail";
		assert_false(is_there(&f, 5, &fail));
		post_ok(&f, 5, &fail);
		assert_true(is_there(&f, 5, &fail));
		assert_false(is_there(&f, 5, &check));
		fixture_stop(&f);
	}
}

static size_t u_count(const char *text)
{
	size_t n = 0;

	while ((text = strstr(text, "\\u00F6"))) {
		text++;
		n++;
	}
	return n;
}

/* What Patchwork would refuse is left out or cut. */
static void test_check_fitted(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	struct patchwork_check c = check;
	struct str answer, text;

	(void)state;
	str_init(&text, 0);
	for (unsigned i = 0; i < 500; i++)
		str_adds(&text, "ö");
	c.description = text.buf;
	c.url = "http://build-host/7";
	post_ok(&f, 5, &c);
	assert_true(is_there(&f, 5, &c));
	stand_in_ask(&f.server, "api/patches/5/checks/", NULL, &answer);
	assert_non_null(strstr(answer.buf, "\"target_url\":null"));
	assert_non_null(strstr(answer.buf, "\\u00F6...\""));
	assert_int_equal(u_count(answer.buf), PATCHWORK_DESCRIPTION_MAX - 3);
	str_done(&answer);
	c.description = "\xff\xfe";
	post_ok(&f, 5, &c);
	c.description = " \n ";
	post_ok(&f, 5, &c);
	assert_true(is_there(&f, 5, &c));
	str_done(&text);
	fixture_stop(&f);
}

static void refuses(struct fixture *f, int64_t patch, const struct patchwork_check *c, int kind,
		    const char *words)
{
	bool sent = true;

	assert_err(patchwork_check_post(&f->at, patch, c, &sent, &f->err), &f->err, kind, words);
	assert_false(sent);
	assert_null(f->at.token ? strstr(f->err.msg, f->at.token) : NULL);
}

static void test_check_refused(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	struct patchwork_check c = check;

	(void)state;
	refuses(&f, 99, &check, ERR_INPUT, "no such patch");
	f.at.token = "token0unknown";
	refuses(&f, 5, &check, ERR_CONFIG, "Invalid token.");
	f.at.token = "token0otto";
	refuses(&f, 5, &check, ERR_CONFIG, "must be a maintainer");
	f.at.token = "token0ci\r\nX-Header: 1";
	refuses(&f, 5, &check, ERR_CONFIG, "letters and digits");
	f.at.token = NULL;
	refuses(&f, 5, &check, ERR_CONFIG, "there is none");
	f.at.token = "token0ci";
	stand_in_fault(&f.server, "moved");
	refuses(&f, 5, &check, ERR_CONFIG, "has another address now");
	c.context = "firn build";
	refuses(&f, 5, &c, ERR_INPUT, "firn build");
	c.context = "firn-build";
	c.state = "error";
	refuses(&f, 5, &c, ERR_INPUT, "error");
	fixture_stop(&f);
}

/* An answer that is lost tells nothing: looking does. */
static void test_check_lost(void **state)
{
	static const struct {
		const char *fault, *words;
		bool taken;
	} table[] = {{"check-500", "status 500", true},
		     {"check-500-before", "status 500", false},
		     {"html-502", "status 502", false},
		     {"cut", "127.0.0.1", true}};
	struct fixture f = fixture_start("3.1.3", "3");

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		int64_t patch = 5 + (int64_t)i;
		bool sent = false;

		stand_in_fault(&f.server, table[i].fault);
		assert_err(patchwork_check_post(&f.at, patch, &check, &sent, &f.err), &f.err,
			   ERR_INFRA, table[i].words);
		assert_true(sent);
		assert_int_equal(is_there(&f, patch, &check), table[i].taken);
	}
	fixture_stop(&f);
}

/* Nobody listens: it has not gone out. */
static void test_check_without_server(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	struct err err = ERR_INIT;
	bool sent = true;

	(void)state;
	f.at.url = "http://127.0.0.1:1/";
	assert_err(patchwork_check_post(&f.at, 5, &check, &sent, &err), &err, ERR_INFRA,
		   "127.0.0.1");
	assert_false(sent);
	fixture_stop(&f);
}

/* Another user's check in the same context does not hide ours, nor is it ours. */
static void test_check_of_others(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	struct patchwork_check other = check;

	(void)state;
	post_ok(&f, 5, &check);
	f.at.token = "token0mona";
	other.url = "https://other.example.org/1";
	post_ok(&f, 5, &other);
	assert_true(is_there(&f, 5, &check));
	for (unsigned i = 0; i < 260; i++)
		post_ok(&f, 5, &other);
	assert_true(is_there(&f, 5, &check));
	other.state = "pending";
	assert_false(is_there(&f, 5, &other));
	f.at.token = "token0ci"; /* this one is on the second page */
	other = check;
	other.state = "fail";
	post_ok(&f, 5, &other);
	assert_true(is_there(&f, 5, &other));
	assert_false(is_there(&f, 5, &check));
	fixture_stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_posted),	     cmocka_unit_test(test_check_fitted),
		cmocka_unit_test(test_check_refused),	     cmocka_unit_test(test_check_lost),
		cmocka_unit_test(test_check_without_server), cmocka_unit_test(test_check_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
