// SPDX-License-Identifier: GPL-2.0-or-later
/* What people ask of the post role. */
#include "unit/serve/post_help.h"

static void a_held_mail_waits_for_somebody(void **state)
{
	FIXTURE("ok");
	int64_t row = mail_want(&f, "m1@example.org", "ada@example.org", NULL, true);

	conf_write(&f, "mode = moderated\n");
	role_good(&f);
	took(&f, 0);
	request(&f, "approve", json_pack("{s:I, s:i}", "outbox", row, "revision", 7), false,
		"written anew");
	request(&f, "approve", json_pack("{s:I}", "outbox", row), true, "approved");
	state_is(&f, row, STORE_DELIVERY_SENT, "250");
	took(&f, 1);
	request(&f, "approve", json_pack("{s:I}", "outbox", row), false, "is over: sent");
}

static void moderated_holds_what_was_not(void **state)
{
	FIXTURE("MAIL 451", "ok");
	int64_t row = a_mail(&f);

	conf_write(&f, "mode = moderated\n");
	role_good(&f);
	time_passes(&f);
	role_good(&f);
	took(&f, 0);
	request(&f, "approve", json_pack("{s:I}", "outbox", row), true, "approved");
	state_is(&f, row, STORE_DELIVERY_RETRY, "451");
	time_passes(&f);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "250");
}

/* Written anew after it went out, and approved: not sent a second time. */
static void an_approval_sends_no_second_mail(void **state)
{
	FIXTURE("ok");
	int64_t row = mail_want(&f, "m1@example.org", "ada@example.org", NULL, true);

	request(&f, "approve", json_pack("{s:I}", "outbox", row), true, "approved");
	took(&f, 1);
	mail_want(&f, "m1@example.org", "bo@example.org", NULL, true);
	request(&f, "approve", json_pack("{s:I}", "outbox", row), false, "was sent before");
	request(&f, "drop", json_pack("{s:I}", "outbox", row), true, "an earlier revision");
	state_is(&f, row, STORE_DELIVERY_SENT, "dropped by");
	took(&f, 1);
}

/* The same when nobody knows whether the first one went out. */
static void an_approval_looks_first(void **state)
{
	FIXTURE("cut", "ok");
	int64_t row =
		mail_want(&f, "m1@example.org", "ada@example.org", "demo@lists.example.org", true);

	conf_write(&f, "lookup = 600\n");
	request(&f, "approve", json_pack("{s:I}", "outbox", row), true, "approved");
	took(&f, 1);
	mail_want(&f, "m1@example.org", "bo@example.org", "demo@lists.example.org", true);
	request(&f, "approve", json_pack("{s:I}", "outbox", row), true, "approved");
	state_is(&f, row, STORE_DELIVERY_SENT, "the archive has it");
	took(&f, 1);
}

static void requests_are_answered(void **state)
{
	FIXTURE("ok");
	int64_t row = mail_want(&f, "m1@example.org", "ada@example.org", NULL, true);

	request(&f, "drop", json_pack("{s:I}", "outbox", row), true, "dropped");
	request(&f, "drop", json_pack("{s:I}", "outbox", row), false, "is over: dropped");
	request(&f, "approve", json_pack("{s:i}", "outbox", 99), false, "nothing in the outbox");
	request(&f, "approve", json_object(), false, "needs the number");
	request(&f, "suppress", json_pack("{s:s}", "address", "x\r\ny@example.org"), false,
		"no mail address");
	took(&f, 0);
}

static void who_opted_out_gets_no_mail(void **state)
{
	FIXTURE("ok");
	int64_t row;

	request(&f, "suppress", json_pack("{s:s}", "address", "ADA@example.org"), true, "no more");
	row = a_mail(&f);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_DROPPED, "ada@example.org: wants no mail");
	took(&f, 0);
	request(&f, "allow", json_pack("{s:s}", "address", "ada@example.org"), true, "again");
	row = mail_want(&f, "m2@example.org", "ada@example.org", NULL, false);
	role_good(&f);
	state_is(&f, row, STORE_DELIVERY_SENT, "250");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		T(a_held_mail_waits_for_somebody),
		T(moderated_holds_what_was_not),
		T(an_approval_sends_no_second_mail),
		T(an_approval_looks_first),
		T(requests_are_answered),
		T(who_opted_out_gets_no_mail),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
