// SPDX-License-Identifier: GPL-2.0-or-later
/* The client against a real Patchwork that patchwork_real.sh has started: FIRN_PATCHWORK_URL. It
 * has the mails of patchwork/mails.mbox, and the users of the stand-in. */
#include "flow/patchwork_run.h"

static struct patchwork_server at;

static int on_event(void *ctx, const struct patchwork_event *e, struct err *err)
{
	struct str *told = ctx;

	(void)err;
	str_addf(told, "%s %lld %s\n", e->category, (long long)(e->number ?: e->series),
		 e->message_id ?: "-");
	return 0;
}

static size_t lines(const char *text, const char *begin)
{
	size_t n = 0;

	for (const char *p = text; *p; p = strchr(p, '\n') + 1)
		n += str_starts(p, begin);
	return n;
}

static void test_events(void **state)
{
	auto_free char *cursor = NULL, *next = NULL, *none = NULL;
	auto_str struct str told;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&told, 0);
	assert_ok(patchwork_events(&at, "demo", "", 0, on_event, &told, &cursor, &err), &err);
	assert_int_equal(lines(told.buf, "patch-created "), 14);
	assert_int_equal(lines(told.buf, "cover-created "), 2);
	assert_int_equal(lines(told.buf, "patch-completed "), 14);
	assert_int_equal(lines(told.buf, "series-completed "), 9);
	assert_int_equal(lines(told.buf, "unreadable "), 0);
	assert_int_equal(lines(told.buf, "patch-created 12 odd/id%20of+a=mail&amp;y@"), 1);
	str_reset(&told);
	assert_ok(patchwork_events(&at, "demo", cursor, 0, on_event, &told, &next, &err), &err);
	assert_string_equal(told.buf, "");
	assert_string_equal(cursor, next);
	assert_err(patchwork_events(&at, "nope", "", 0, on_event, &told, &none, &err), &err,
		   ERR_CONFIG, "no project nope");
}

static void test_mails(void **state)
{
	struct mail_list mails = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(patchwork_series(&at, 3, &mails, &err), &err);
	assert_int_equal(mails.n, 4);
	assert_string_equal(mails.item[0]->message_id, "list-v2-0@example.org");
	assert_string_equal(mails.item[3]->message_id, "list-v2-3@example.org");
	assert_non_null(strstr(mails.item[2]->text, "Acked-by: Mona"));
	for (int64_t series = 4; series <= 9; series++)
		assert_ok(patchwork_series(&at, series, &mails, &err), &err);
	assert_int_equal(mails.n, 4 + 5 + 2);
	assert_string_equal(mails.item[4]->from.name, "Zoë Größe");
	assert_non_null(strstr(mails.item[4]->text, "+Größe"));
	assert_string_equal(mails.item[8]->message_id, "odd/id%20of+a=mail&amp;y@mail.example.org");
	assert_err(patchwork_series(&at, 99, &mails, &err), &err, ERR_INPUT, "no such thing");
	mail_list_done(&mails);
}

static void test_find(void **state)
{
	static const struct {
		const char *id;
		int64_t patch, series;
	} table[] = {{"list-v2-2@example.org", 6, 3},
		     {"list-v2-0@example.org", 0, 3},
		     {"odd/id%20of+a=mail&amp;y@mail.example.org", 12, 8}};
	struct err err = ERR_INIT;
	int64_t patch = -1, series = -1;

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		assert_ok(patchwork_find(&at, table[i].id, &patch, &series, &err), &err);
		assert_int_equal(patch, table[i].patch);
		assert_int_equal(series, table[i].series);
	}
	assert_err(patchwork_find(&at, "nobody@example.org", &patch, &series, &err), &err,
		   ERR_INPUT, "nobody@example.org");
}

static void test_checks(void **state)
{
	struct patchwork_check check = {.context = "firn-build",
					.state = "pending",
					.description = " 7 patches\nto build ",
					.url = "https://firn.example.org/trial/7"};
	struct err err = ERR_INIT;
	bool is = true, sent = false;

	(void)state;
	assert_ok(patchwork_check_is(&at, 5, &check, &is, &err), &err);
	assert_false(is);
	assert_ok(patchwork_check_post(&at, 5, &check, &sent, &err), &err);
	assert_ok(patchwork_check_is(&at, 5, &check, &is, &err), &err);
	assert_true(is);
	check.state = "success";
	check.url = "https://build-host/7";
	assert_ok(patchwork_check_is(&at, 5, &check, &is, &err), &err);
	assert_false(is);
	assert_ok(patchwork_check_post(&at, 5, &check, &sent, &err), &err);
	assert_ok(patchwork_check_is(&at, 5, &check, &is, &err), &err);
	assert_true(is);
}

static void test_refusals(void **state)
{
	const struct patchwork_check check = {.context = "firn-build", .state = "fail"};
	struct patchwork_server other = at;
	struct err err = ERR_INIT;
	bool sent = true;

	(void)state;
	assert_err(patchwork_check_post(&at, 99, &check, &sent, &err), &err, ERR_INPUT,
		   "no such patch");
	other.token = "token0unknown";
	assert_err(patchwork_check_post(&other, 5, &check, &sent, &err), &err, ERR_CONFIG,
		   "Invalid token.");
	other.token = "token0otto";
	assert_err(patchwork_check_post(&other, 5, &check, &sent, &err), &err, ERR_CONFIG,
		   "must be a maintainer");
	assert_false(sent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),	 cmocka_unit_test(test_mails),
		cmocka_unit_test(test_find),	 cmocka_unit_test(test_checks),
		cmocka_unit_test(test_refusals),
	};
	const struct http_options opt = {.timeout_s = 60, .pause_s = 1e-6, .loopback_only = true};
	struct err err = ERR_INIT;
	struct http *http = NULL;
	int rc;

	at.url = getenv("FIRN_PATCHWORK_URL");
	at.token = "token0ci";
	if (!at.url || http_new(&opt, &http, &err) < 0) {
		printf("SKIP: FIRN_PATCHWORK_URL is not set\n");
		return 77;
	}
	at.http = http;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	http_free(http);
	return rc;
}
