// SPDX-License-Identifier: GPL-2.0-or-later
#include "store_help.h"

static int64_t thread_of(struct store_fixture *f, int64_t mail)
{
	auto_free char *sql = xasprintf("SELECT thread FROM mail WHERE id = %lld", (long long)mail);

	return ask(f, sql);
}

static void test_kept_byte_for_byte(void **state)
{
	struct store_fixture *f = *state;
	static const char raw[] = "Subject: x\n\nzero \0 and \xff\n";
	const struct store_mail_new m = {.message_id = "a@example.org",
					 .subject = "x",
					 .from_name = "",
					 .from_email = "Ada@Example.org",
					 .raw = raw,
					 .raw_len = sizeof(raw) - 1,
					 .list = "demo",
					 .source = "lore demo",
					 .place = "c0ffee"};
	auto_store_mail_list struct store_mail_list l = {0};
	int64_t id = 0, again = 0;
	bool new = false;

	assert_ok(store_mail_add(f->store, &m, &id, &new, &f->err), &f->err);
	assert_true(new);
	assert_ok(store_mail_add(f->store, &m, &again, &new, &f->err), &f->err);
	assert_false(new);
	assert_int_equal(id, again);
	assert_ok(store_mail_list_by_id(f->store, "a@example.org", &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.mail[0].raw_len, sizeof(raw) - 1);
	assert_memory_equal(l.mail[0].raw, raw, sizeof(raw) - 1);
	assert_string_equal(l.mail[0].from_email, "ada@example.org");
	assert_string_equal(l.mail[0].list, "demo");
}

/* The same id with other bytes is another mail; the same mail on another list is not. */
static void test_twins_and_places(void **state)
{
	struct store_fixture *f = *state;
	struct store_mail_new m = {.message_id = "a@example.org",
				   .subject = "x",
				   .from_name = "",
				   .from_email = "",
				   .raw = "one",
				   .raw_len = 3,
				   .list = "demo",
				   .source = "lore demo",
				   .place = "1"};
	int64_t one, two, three;
	bool new;

	assert_ok(store_mail_add(f->store, &m, &one, &new, &f->err), &f->err);
	m.list = "other";
	m.source = "lore other";
	assert_ok(store_mail_add(f->store, &m, &two, &new, &f->err), &f->err);
	assert_int_equal(one, two);
	assert_int_equal(ask(f, "SELECT count(*) FROM mail_place"), 2);
	m.raw = "two";
	assert_ok(store_mail_add(f->store, &m, &three, &new, &f->err), &f->err);
	assert_true(new);
	assert_int_not_equal(one, three);
}

/* Whatever comes first, one thread comes out: the reply before what it answers, siblings before
 * their parent, and a mail that joins two threads. */
static void test_threads(void **state)
{
	struct store_fixture *f = *state;
	int64_t reply = mail_put(f, "r@example.org", "p@example.org", "b@example.org", 2);
	int64_t sibling = mail_put(f, "s@example.org", "p@example.org", "c@example.org", 3);
	int64_t alone = mail_put(f, "x@example.org", NULL, "d@example.org", 4);

	assert_int_equal(thread_of(f, reply), thread_of(f, sibling));
	assert_int_not_equal(thread_of(f, reply), thread_of(f, alone));
	int64_t parent = mail_put(f, "p@example.org", "x@example.org", "a@example.org", 1);

	assert_int_equal(thread_of(f, parent), thread_of(f, reply));
	assert_int_equal(thread_of(f, alone), thread_of(f, reply));
	assert_int_equal(thread_of(f, alone), reply);
}

static void test_around(void **state)
{
	struct store_fixture *f = *state;
	auto_store_mail_list struct store_mail_list l = {0}, few = {0};
	int64_t old = mail_put(f, "old@example.org", NULL, "ada@example.org", 1000);
	int64_t one = mail_put(f, "1@example.org", NULL, "ada@example.org", 30 * DAY);
	int64_t two = mail_put(f, "2@example.org", NULL, "ada@example.org", 30 * DAY + 5);
	int64_t reply = mail_put(f, "re@example.org", "2@example.org", "bob@example.org", 31 * DAY);

	mail_put(f, "else@example.org", NULL, "eve@example.org", 30 * DAY);
	assert_ok(store_mail_list_around(f->store, one, DAY, 100, &l, &f->err), &f->err);
	assert_int_equal(l.n, 3);
	assert_int_equal(l.mail[0].id, one);
	assert_int_equal(l.mail[1].id, two);
	assert_int_equal(l.mail[2].id, reply);
	assert_non_null(l.mail[0].raw);
	assert_ok(store_mail_list_around(f->store, one, DAY, 2, &few, &f->err), &f->err);
	assert_int_equal(few.n, 2);
	assert_true(few.more);
	(void)old;
}

static void test_settle_and_remove(void **state)
{
	struct store_fixture *f = *state;
	auto_store_mail_list struct store_mail_list l = {0}, left = {0};
	int64_t a = mail_put(f, "a@example.org", NULL, "ada@example.org", 1);
	int64_t b = mail_put(f, "b@example.org", NULL, "ada@example.org", 2);

	assert_ok(store_mail_settle(f->store, a, "patch", "patch 1/1", 0, 1, &f->err), &f->err);
	assert_ok(store_mail_list_new(f->store, 10, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.mail[0].id, b);
	assert_ok(store_mail_remove(f->store, "lore demo", "b@example.org", true, &f->err),
		  &f->err);
	assert_ok(store_mail_remove(f->store, "lore demo", "nowhere", true, &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT raw IS NULL FROM mail WHERE message_id = 'b@example.org'"),
			 1);
	assert_ok(store_mail_list_new(f->store, 10, &left, &f->err), &f->err);
	assert_int_equal(left.n, 0);
}

static void test_batch_rolls_back(void **state)
{
	struct store_fixture *f = *state;
	auto_free char *cursor = NULL, *after = NULL;

	{
		auto_batch struct store_batch b = {0};

		assert_ok(store_batch_begin(&b, f->store, &f->err), &f->err);
		mail_put(f, "a@example.org", NULL, "ada@example.org", 1);
		assert_ok(store_cursor_set(f->store, "lore demo 0", "c0ffee", &f->err), &f->err);
	}
	assert_int_equal(ask(f, "SELECT count(*) FROM mail"), 0);
	assert_ok(store_cursor_get(f->store, "lore demo 0", &cursor, &f->err), &f->err);
	assert_string_equal(cursor, "");
	{
		auto_batch struct store_batch b = {0};

		assert_ok(store_batch_begin(&b, f->store, &f->err), &f->err);
		mail_put(f, "a@example.org", NULL, "ada@example.org", 1);
		assert_ok(store_cursor_set(f->store, "lore demo 0", "c0ffee", &f->err), &f->err);
		assert_ok(store_batch_commit(&b, "keeping", &f->err), &f->err);
	}
	assert_int_equal(ask(f, "SELECT count(*) FROM mail"), 1);
	assert_ok(store_cursor_get(f->store, "lore demo 0", &after, &f->err), &f->err);
	assert_string_equal(after, "c0ffee");
}

static void test_source_health(void **state)
{
	struct store_fixture *f = *state;
	struct store_source_list l = {0};

	assert_ok(store_source_tell(f->store, "lore demo", "no route", 100, &f->err), &f->err);
	assert_ok(store_source_tell(f->store, "lore demo", "no route", 200, &f->err), &f->err);
	assert_ok(store_source_list(f->store, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.source[0].failures, 2);
	assert_int_equal(l.source[0].not_before, 200);
	assert_int_equal(l.source[0].good, 0);
	assert_string_equal(l.source[0].words, "no route");
	store_source_list_done(&l);
	assert_ok(store_source_tell(f->store, "lore demo", NULL, 0, &f->err), &f->err);
	assert_ok(store_source_list(f->store, &l, &f->err), &f->err);
	assert_int_equal(l.source[0].failures, 0);
	assert_null(l.source[0].words);
	store_source_list_done(&l);
}

static void test_posting_grows(void **state)
{
	struct store_fixture *f = *state;
	auto_store_posting struct store_posting got = {0};
	int64_t mail = mail_put(f, "m1@example.org", NULL, "ada@example.org", 1);
	int64_t id = posting_put(f, "demo", mail, 1, "d1");

	assert_int_equal(posting_put(f, "demo", mail, 1, "d2"), id);
	/* A partial reroll has the same mail in another version. */
	assert_int_not_equal(posting_put(f, "demo", mail, 2, "d3"), id);
	assert_ok(store_posting_get(f->store, id, &got, &f->err), &f->err);
	assert_string_equal(got.digest, "d2");
	assert_int_equal(got.chain, id);
	assert_int_equal(got.n_patches, 1);
	assert_int_equal(got.patch[0].mail, mail);
	assert_err(store_posting_get(f->store, 99, &got, &f->err), &f->err, ERR_INPUT,
		   "no posting 99");
}

/* Two postings that turn out to be one: a late mail shows it. */
static void test_postings_join(void **state)
{
	struct store_fixture *f = *state;
	int64_t a = mail_put(f, "m1@example.org", NULL, "ada@example.org", 1);
	int64_t b = mail_put(f, "m2@example.org", NULL, "ada@example.org", 2);
	int64_t one = posting_put(f, "demo", a, 1, "d1"), two;
	struct store_posting_patch both[] = {
		{.number = 1, .message_id = "m1@example.org", .subject = "x", .mail = a},
		{.number = 2, .message_id = "m2@example.org", .subject = "y", .mail = b}};
	struct store_posting p = {.list = "demo",
				  .message_id = "m2@example.org",
				  .title = "t",
				  .author_name = "",
				  .author_email = "",
				  .digest = "d",
				  .version = 1,
				  .total = 2,
				  .have = 1,
				  .state = STORE_POSTING_INCOMPLETE,
				  .patch = &both[1],
				  .n_patches = 1};
	int64_t joined = 0;

	assert_ok(store_posting_put(f->store, &p, &two, &f->err), &f->err);
	assert_int_not_equal(one, two);
	p.patch = both;
	p.n_patches = p.have = 2;
	p.state = STORE_POSTING_COMPLETE;
	assert_ok(store_posting_put(f->store, &p, &joined, &f->err), &f->err);
	assert_int_equal(joined, one);
	assert_int_equal(ask(f, "SELECT count(*) FROM posting WHERE state = 'left alone'"), 1);
	assert_ok(store_posting_find(f->store, "m2@example.org", &joined, &f->err), &f->err);
	assert_int_equal(joined, one);
}

static void test_versions_chain(void **state)
{
	struct store_fixture *f = *state;
	int64_t id[3];

	for (unsigned i = 0; i < 3; i++) {
		auto_free char *name = xasprintf("v%u@example.org", i);

		id[i] = posting_put(f, "demo", mail_put(f, name, NULL, "ada@example.org", i), i + 1,
				    "d");
	}
	assert_ok(store_posting_link(f->store, id[1], id[2], &f->err), &f->err);
	assert_ok(store_posting_link(f->store, id[0], id[1], &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT count(DISTINCT chain) FROM posting"), 1);
	assert_int_equal(ask(f, "SELECT min(chain) FROM posting"), id[0]);
	assert_err(store_posting_find(f->store, "none@example.org", &id[0], &f->err), &f->err,
		   ERR_INPUT, "none@example.org");
}

static void test_patchwork(void **state)
{
	struct store_fixture *f = *state;
	struct store_patchwork row = {.server = "ozlabs",
				      .message_id = "a@example.org",
				      .url = "u",
				      .number = 7,
				      .series = 3};
	struct store_patchwork_list l = {0};

	assert_ok(store_patchwork_put(f->store, &row, &f->err), &f->err);
	row.series = 0; /* an event that does not tell keeps what is known */
	assert_ok(store_patchwork_put(f->store, &row, &f->err), &f->err);
	assert_ok(store_patchwork_by_message(f->store, "a@example.org", &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.row[0].number, 7);
	assert_int_equal(l.row[0].series, 3);
	store_patchwork_list_done(&l);
	assert_ok(store_patchwork_by_series(f->store, "ozlabs", 3, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	store_patchwork_list_done(&l);
}

/* However many were sent in the same second, the mail that is asked about is among them. */
static void test_around_itself(void **state)
{
	struct store_fixture *f = *state;
	auto_store_mail_list struct store_mail_list l = {0};
	int64_t last = 0;

	for (unsigned i = 0; i < 6; i++) {
		auto_free char *id = xasprintf("m%u@example.org", i);

		last = mail_put(f, id, NULL, "a@example.org", 100);
	}
	assert_ok(store_mail_list_around(f->store, last, DAY, 2, &l, &f->err), &f->err);
	assert_true(l.more);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.mail[1].id, last);
}

static void test_where_it_is(void **state)
{
	struct store_fixture *f = *state;
	int64_t id = mail_put(f, "m@example.org", NULL, "a@example.org", 100);
	struct store_mail_new m = {.message_id = "n@example.org",
				   .subject = "",
				   .from_name = "",
				   .from_email = "",
				   .raw = "n",
				   .raw_len = 1,
				   .list = "demo",
				   .source = "lore demo",
				   .place = "1"};
	bool is = false, new;

	assert_ok(store_mail_is_known(f->store, "m@example.org", &is, &f->err), &f->err);
	assert_true(is);
	assert_ok(store_mail_is_known(f->store, "x@example.org", &is, &f->err), &f->err);
	assert_false(is);
	assert_ok(store_mail_is_on(f->store, id, "demo", &is, &f->err), &f->err);
	assert_true(is);
	assert_ok(store_mail_is_on(f->store, id, "other", &is, &f->err), &f->err);
	assert_false(is);
	assert_ok(store_mail_is_elsewhere(f->store, &m, &is, &f->err), &f->err);
	assert_false(is);
	assert_ok(store_mail_add(f->store, &m, &id, &new, &f->err), &f->err);
	assert_ok(store_mail_is_elsewhere(f->store, &m, &is, &f->err), &f->err);
	assert_false(is);
	m.list = "other";
	assert_ok(store_mail_is_elsewhere(f->store, &m, &is, &f->err), &f->err);
	assert_true(is);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_kept_byte_for_byte),
		TEST(test_twins_and_places),
		TEST(test_threads),
		TEST(test_around),
		TEST(test_around_itself),
		TEST(test_where_it_is),
		TEST(test_settle_and_remove),
		TEST(test_batch_rolls_back),
		TEST(test_source_health),
		TEST(test_posting_grows),
		TEST(test_postings_join),
		TEST(test_versions_chain),
		TEST(test_patchwork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
