// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of mails and checks. */
#include "unit/serve/post_help.h"

static void a_mail_is_sent_once(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);

	role_good(&f);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "250 taken");
	took(&f, 1);
}

static void what_passes_is_tried_again(void **state)
{
	static const char *const ways[] = {"EHLO 421", "MAIL 451",  "RCPT 450",
					   "DATA 451", "END 451",   "END 421",
					   "garbage",  "cut-early", "EHLO 554"};

	for (size_t i = 0; i < array_size(ways); i++) {
		FIXTURE(ways[i], "ok");
		auto_free char *id = xasprintf("m%zu@example.org", i);
		int64_t row = mail_want(&f, id, "ada@example.org", NULL, false);

		role_good(&f);
		/* A server that cuts in the middle of a short mail had all of it on the way. */
		if (strcmp(ways[i], "cut-early") != 0)
			state_is(&f, row, STORE_DELIVERY_RETRY, "");
		took(&f, (unsigned)i);
		time_passes(&f);
		role_good(&f);
		state_is(&f, row, STORE_DELIVERY_SENT, "250 taken");
		took(&f, (unsigned)i + 1);
	}
}

static void what_is_refused_is_not(void **state)
{
	static const char *const ways[] = {"MAIL 550", "DATA 554", "END 554"};

	for (size_t i = 0; i < array_size(ways); i++) {
		FIXTURE(ways[i], "ok");
		auto_free char *id = xasprintf("m%zu@example.org", i);
		int64_t row = mail_want(&f, id, "ada@example.org", NULL, false);

		role_good(&f);
		time_passes(&f);
		role_good(&f);
		state_is(&f, row, STORE_DELIVERY_FAILED, "told to say so");
		took(&f, 0);
	}
}

static void a_recipient_that_is_refused_is_left_out(void **state)
{
	FIXTURE("refuse ada@", "ok");
	int64_t row =
		mail_want(&f, "m1@example.org", "ada@example.org", "demo@lists.example.org", false);
	auto_free char *path = xasprintf("%s/1.to", f.mails);
	auto_str struct str to;

	str_init(&to, 0);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "not to ada@example.org: 550 told to say so");
	took(&f, 1);
	assert_ok(fs_read(path, 4096, ERR_INPUT, &to, &f.err), &f.err);
	assert_string_equal(to.buf, "RCPT TO:<demo@lists.example.org>\r\n");
}

static void nobody_is_left(void **state)
{
	FIXTURE("refuse ada@");
	int64_t row = a_mail(&f);

	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_DROPPED, "nobody is left");
	took(&f, 0);
}

/* Taken, and the answer lost. The list's archive has it: it is not sent again. */
static void a_lost_answer_is_looked_up(void **state)
{
	FIXTURE("cut", "ok");
	int64_t row =
		mail_want(&f, "m1@example.org", "ada@example.org", "demo@lists.example.org", false);

	role_good(&f);
	time_passes(&f);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "the archive has it");
	took(&f, 1);
}

/* No archive has what went to the author alone: once more, with the same id, and not a third time.
 */
static void a_lost_answer_without_an_archive(void **state)
{
	FIXTURE("cut", "cut", "ok");
	int64_t row = a_mail(&f);

	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENDING, "handed over");
	for (int i = 0; i < 3; i++) {
		time_passes(&f);
		role_good(&f);
	}
	state_is(&f, row, STORE_DELIVERY_FAILED, "it may have been taken");
	took(&f, 2);
}

static void an_archive_that_is_away_is_asked_later(void **state)
{
	FIXTURE("cut", "ok");
	int64_t row =
		mail_want(&f, "m1@example.org", "ada@example.org", "demo@lists.example.org", false);

	conf_write(&f, "lookup = 600\n");
	role_good(&f);
	smtp_stand_in_stop(&f.archive);
	time_passes(&f);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENDING, "handed over");
	took(&f, 1);
}

static void a_server_that_is_away_is_asked_later(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);

	smtp_stand_in_stop(&f.smtp);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_RETRY, "");
}

static void a_server_without_tls_gets_nothing(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);

	conf_write(&f, "tls = starttls\n");
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_RETRY, "");
	took(&f, 0);
}

static void a_dry_run_shows_what_would_be_sent(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);
	auto_free char *path = xasprintf("%s/outbox/%lld.eml", f.s->dir, (long long)row);
	auto_str struct str text;

	str_init(&text, 0);
	conf_write(&f, "mode = dry-run\n");
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_DRY, path);
	took(&f, 0);
	assert_ok(fs_read(path, 65536, ERR_INPUT, &text, &f.err), &f.err);
	assert_non_null(strstr(text.buf, "\r\nTo: Ada <ada@example.org>\r\n"));
	conf_write(&f, "");
	role_good(&f);
	took(&f, 0); /* going live does not send what was shown */
}

static void what_is_withdrawn_is_not_sent(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);

	assert_ok(store_outbox_withdraw(f.s->store, f.trial, &f.err), &f.err);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_DROPPED, "withdrawn");
	took(&f, 0);
}

static void a_mail_cannot_be_changed(void **state)
{
	FIXTURE("ok");
	int64_t row = a_mail(&f);

	role_good(&f);
	assert_int_equal(mail_want(&f, "m1@example.org", "bo@example.org", NULL, false), row);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "cannot be changed");
	took(&f, 1);
}

static void a_flood_is_stopped(void **state)
{
	FIXTURE("ok");
	int64_t row = 0;

	conf_write(&f, "limit = 3\n");
	for (int i = 0; i < 5; i++) {
		auto_free char *id = xasprintf("m%d@example.org", i);

		row = mail_want(&f, id, "ada@example.org", NULL, false);
	}
	role_good(&f);
	took(&f, 3);
	state_is(&f, row, STORE_DELIVERY_RETRY, "post.limit");
}

static void mistakes_of_the_configuration_end_it(void **state)
{
	FIXTURE("ok");
	auto_free char *password = xasprintf("%s/password", f.s->dir);
	auto_free char *user = xasprintf("user = firn\npassword-file = %s\n", password);

	conf_write(&f, "from = nobody\n");
	assert_err(role_once(&f), &f.err, ERR_CONFIG, "post.from");
	conf_write(&f, "smtp = example.org/path\n");
	assert_err(role_once(&f), &f.err, ERR_CONFIG, "HOST:PORT");
	conf_write(&f, user);
	assert_err(role_once(&f), &f.err, ERR_CONFIG, "password");
	assert_ok(fs_write_atomic(password, "secret\n", 7, &f.err), &f.err);
	assert_int_equal(chmod(password, 0644), 0);
	assert_err(role_once(&f), &f.err, ERR_CONFIG, "0600");
	assert_int_equal(chmod(password, 0600), 0);
	role_good(&f);
	conf_write(&f, "user = firn\nsmtp = mail.example.org:25\n");
	assert_err(role_once(&f), &f.err, ERR_CONFIG, "unencrypted");
}

static void a_check_without_a_server_fails(void **state)
{
	FIXTURE("ok");
	static const char *const targets[] = {"nowhere 12", "12", "ozlabs -1", "ozlabs 1x", ""};

	for (size_t i = 0; i < array_size(targets); i++) {
		auto_json json_t *want = json_pack("{s:s}", "state", "success");
		const struct store_post_new post = {.trial = f.trial,
						    .poster = "patchwork",
						    .target = targets[i],
						    .context = "firn-apply",
						    .want = want};
		int64_t row = 0;

		assert_ok(store_outbox_put(f.s->store, &post, &row, &f.err), &f.err);
		role_good(&f);
		state_is(&f, row, STORE_DELIVERY_FAILED, "no [patchwork]");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		T(a_mail_is_sent_once),
		T(what_passes_is_tried_again),
		T(what_is_refused_is_not),
		T(a_recipient_that_is_refused_is_left_out),
		T(nobody_is_left),
		T(a_lost_answer_is_looked_up),
		T(a_lost_answer_without_an_archive),
		T(an_archive_that_is_away_is_asked_later),
		T(a_server_that_is_away_is_asked_later),
		T(a_server_without_tls_gets_nothing),
		T(a_dry_run_shows_what_would_be_sent),
		T(what_is_withdrawn_is_not_sent),
		T(a_mail_cannot_be_changed),
		T(a_flood_is_stopped),
		T(mistakes_of_the_configuration_end_it),
		T(a_check_without_a_server_fails),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
