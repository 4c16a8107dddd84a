// SPDX-License-Identifier: GPL-2.0-or-later
/* From mails to postings. */
#include "intake_help.h"

static void patch_of(struct intake_fixture *f, unsigned n, unsigned total, const char *cover)
{
	auto_free char *id = xasprintf("p%u@example.org", n);
	auto_free char *subject = xasprintf("[PATCH %u/%u] mm: change %u", n, total, n);

	bring(f,
	      &(struct letter){
		      .id = id, .subject = subject, .answers = cover, .body = DIFF("mm/slab.c")});
}

static void test_series_threaded(void **state)
{
	struct intake_fixture *f = *state;

	bring(f, &(struct letter){.id = "c@example.org",
				  .subject = "[PATCH 0/2] mm: better",
				  .body = "A cover.\n"});
	patch_of(f, 1, 2, "c@example.org");
	patch_of(f, 2, 2, "c@example.org");
	bring(f, &(struct letter){.id = "r@example.org",
				  .subject = "Re: [PATCH 1/2] mm: change 1",
				  .from = "Bob <bob@example.org>",
				  .answers = "p1@example.org",
				  .body = "> x\n\nReviewed-by: Bob <bob@example.org>\n"});
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting"), 1);
	assert_text(f, "SELECT state || have || total || list FROM posting", "complete22demo");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM patch"), 3);
	assert_text(
		f,
		"SELECT group_concat(state || number, ' ') FROM (SELECT * FROM mail ORDER BY id)",
		"cover0 patch1 patch2 tags1");
	assert_text(f, "SELECT reason FROM mail WHERE message_id = 'p2@example.org'",
		    "patch 2/2 of posting 1");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail WHERE posting = 1"), 4);
	/* For who looks at it. */
	assert_text(f, "SELECT group_concat(path) FROM posting_file", "mm/slab.c");
	assert_text(f, "SELECT cover FROM posting_text", "A cover.\n");
	assert_text(f, "SELECT since FROM posting_text", "(null)");
}

/* A patch that comes later, without a thread, completes the series that is there. */
static void test_late_patch(void **state)
{
	struct intake_fixture *f = *state;

	patch_of(f, 1, 3, NULL);
	patch_of(f, 3, 3, NULL);
	settle(f);
	assert_text(f, "SELECT state || ': ' || reason FROM posting",
		    "incomplete: 2 of 3 patches, waiting for 2/3");
	patch_of(f, 2, 3, NULL);
	settle(f);
	assert_text(f, "SELECT count(*) || state || have FROM posting", "1complete3");
}

/* It is no other thing to try. */
static void test_late_cover(void **state)
{
	struct intake_fixture *f = *state;
	auto_free char *before = NULL;

	patch_of(f, 1, 2, "c@example.org");
	patch_of(f, 2, 2, "c@example.org");
	settle(f);
	before = ask_text(f, "SELECT digest FROM posting");
	bring(f, &(struct letter){.id = "c@example.org",
				  .subject = "[PATCH 0/2] mm: better",
				  .body = "A cover.\n"});
	settle(f);
	assert_text(f, "SELECT digest FROM posting", before);
	assert_text(f, "SELECT title || '|' || message_id FROM posting",
		    "mm: better|c@example.org");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting"), 1);
}

/* The answer is here before what it answers. */
static void test_reply_first(void **state)
{
	struct intake_fixture *f = *state;

	bring(f, &(struct letter){.id = "r@example.org",
				  .subject = "Re: [PATCH] mm: tidy",
				  .from = "Bob <bob@example.org>",
				  .answers = "p@example.org",
				  .body = "Hm.\n"});
	settle(f);
	assert_text(f, "SELECT state || coalesce(posting, 0) FROM mail", "reply0");
	bring(f, &(struct letter){.id = "p@example.org",
				  .subject = "[PATCH] mm: tidy",
				  .body = DIFF("mm/slab.c")});
	settle(f);
	assert_text(f, "SELECT state || posting FROM mail WHERE message_id = 'r@example.org'",
		    "reply1");
}

static void test_versions(void **state)
{
	struct intake_fixture *f = *state;

	bring(f, &(struct letter){.id = "v1@example.org",
				  .subject = "[PATCH] mm: tidy",
				  .body = DIFF("mm/slab.c")});
	settle(f);
	f->now += 600;
	bring(f, &(struct letter){.id = "v2@example.org",
				  .subject = "[PATCH v2] mm: tidy",
				  .body = DIFF("mm/slub.c")});
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting"), 2);
	assert_int_equal(ask(&f->store, "SELECT newer FROM posting WHERE version = 1"), 2);
	assert_int_equal(ask(&f->store, "SELECT count(DISTINCT chain) FROM posting"), 1);
	assert_text(f, "SELECT group_concat(posting || path) FROM posting_file",
		    "1mm/slab.c,2mm/slub.c");
	/* Of a patch alone the message. */
	assert_text(f, "SELECT cover FROM posting_text WHERE posting = 2",
		    "Because.\n\nSigned-off-by: Ada Example <ada@example.org>\n");
	assert_text(f, "SELECT since FROM posting_text WHERE posting = 1", "(null)");
	assert_text(f,
		    "SELECT group_concat(value ->> '$.word') FROM posting_text,"
		    " json_each(since, '$.patches') WHERE posting = 2",
		    "dropped,new");
}

/* Somebody else's half of a thread is not judged by what is seen of it from here. */
static void test_others_in_thread(void **state)
{
	struct intake_fixture *f = *state;

	bring(f, &(struct letter){.id = "b1@example.org",
				  .subject = "[PATCH 1/2] net: one",
				  .from = "Bob <bob@example.org>",
				  .body = DIFF("net/a.c")});
	bring(f, &(struct letter){.id = "a@example.org",
				  .subject = "[PATCH] mm: instead",
				  .answers = "b1@example.org",
				  .body = DIFF("mm/slab.c")});
	bring(f, &(struct letter){.id = "b2@example.org",
				  .subject = "[PATCH 2/2] net: two",
				  .from = "Bob <bob@example.org>",
				  .body = DIFF("net/b.c")});
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting"), 2);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting WHERE state = 'complete'"),
			 2);
	assert_int_equal(ask(&f->store, "SELECT total FROM posting WHERE author_email = "
					"'bob@example.org'"),
			 2);
}

static void test_unreadable(void **state)
{
	struct intake_fixture *f = *state;
	struct intake_box b = {.store = f->store.store, .list = "demo", .source = "lore demo"};

	bring_raw(f, "demo", "\0\1\2", 3);
	bring_raw(f, "demo", "no header\n\n", 11);
	box_add_large(&b, 100000000, "ffff", f->now);
	assert_ok(box_keep(&b, &f->store.err), &f->store.err);
	box_done(&b);
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail WHERE state = 'unreadable' AND "
					"reason <> ''"),
			 3);
	assert_text(f, "SELECT reason FROM mail WHERE id = 3", "it is too large: 100000000 bytes");
}

/* Of two mails with one id the first stays, whatever the second says. */
static void test_second_copy(void **state)
{
	struct intake_fixture *f = *state;

	bring(f, &(struct letter){.id = "p@example.org",
				  .subject = "[PATCH] mm: tidy",
				  .body = DIFF("mm/slab.c")});
	settle(f);
	f->now -= 1000;
	bring(f, &(struct letter){.id = "p@example.org",
				  .subject = "[PATCH] mm: tidy",
				  .body = DIFF("mm/evil.c")});
	settle(f);
	assert_text(f, "SELECT group_concat(state, ' ') FROM (SELECT state FROM mail ORDER BY id)",
		    "patch duplicate");
	assert_text(f, "SELECT count(*) || mail FROM patch", "11");
}

static void test_left_alone(void **state)
{
	struct intake_fixture *f = *state;
	static const struct {
		const char *id, *subject, *from, *body, *reason;
	} rows[] = {
		{"1@example.org", "[PATCH] net: x", NULL, DIFF("net/a.c"),
		 "it touches no file that list \"demo\" tests: mm/, arch/*/mm/*"},
		{"2@example.org", "[PATCH] x", NULL, DIFF("src/tool.c"),
		 "no kernel patch: the tree has none of its files"},
		{"3@example.org", "[PATCH] mm: bot", "Tree bot <bot@example.org>", DIFF("mm/a.c"),
		 "a program sent it"},
		{"4@example.org", "[PATCH] mm: good", "Cy <cy@example.org>", DIFF("mm/a.c"), ""},
		{"5@example.org", "[PATCH] mm: good", "Di <di@example.org>", DIFF("arch/x/mm/a.c"),
		 ""},
	};

	conf_text(f, CONF_ONE "\tfiles = mm/,arch/*/mm/*\n");
	for (size_t i = 0; i < array_size(rows); i++)
		bring(f, &(struct letter){.id = rows[i].id,
					  .subject = rows[i].subject,
					  .from = rows[i].from,
					  .body = rows[i].body});
	settle(f);
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *sql = xasprintf(
			"SELECT state || ':' || reason FROM posting WHERE message_id = '%s'",
			rows[i].id);
		auto_free char *want = xasprintf(
			"%s:%s", *rows[i].reason ? "left alone" : "complete", rows[i].reason);

		assert_text(f, sql, want);
	}
}

static void test_older_than_start(void **state)
{
	struct intake_fixture *f = *state;

	f->now -= 20 * DAY;
	bring(f, &(struct letter){.id = "old@example.org",
				  .subject = "[PATCH] mm: old",
				  .body = DIFF("mm/slab.c")});
	settle(f);
	assert_text(f, "SELECT state || substr(reason, 1, 16) FROM posting",
		    "left aloneit is older than");
}

#define CONF_TWO                                                                                   \
	CONF_TREE "[list \"mm\"]\n\ttree = none\n\tlore = http://127.0.0.1/mm/\n\tfiles = mm/\n"   \
		  "[list \"ppc\"]\n\ttree = none\n\tlore = http://127.0.0.1/ppc/\n\tfiles = "      \
		  "arch/powerpc\n"

/* On two lists: the one that tests it has it, whichever brought it first; and keeps it. */
static void test_list_choice(void **state)
{
	struct intake_fixture *f = *state;
	const struct letter ppc = {.id = "p@example.org",
				   .subject = "[PATCH] powerpc: tidy",
				   .body = DIFF("arch/powerpc/mm/a.c")};
	auto_free char *text = letter_text(f, &ppc);

	conf_text(f, CONF_TWO);
	bring_raw(f, "mm", text, strlen(text));
	settle(f);
	assert_text(f, "SELECT list || ' ' || state FROM posting", "mm left alone");
	bring_raw(f, "ppc", text, strlen(text));
	settle(f);
	assert_text(f, "SELECT count(*) || list || ' ' || state FROM posting", "1ppc complete");
	bring_raw(f, "mm", text, strlen(text));
	settle(f);
	assert_text(f, "SELECT count(*) || list || ' ' || state FROM posting", "1ppc complete");
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM mail"), 1);
}

static void test_first_list_wins(void **state)
{
	struct intake_fixture *f = *state;
	const struct letter both = {
		.id = "p@example.org",
		.subject = "[PATCH] powerpc, mm: tidy",
		.body = DIFF("mm/a.c") "diff --git a/arch/powerpc/x "
				       "b/arch/powerpc/x\n--- a/arch/powerpc/x\n"
				       "+++ b/arch/powerpc/x\n@@ -1 +1 "
				       "@@\n-a\n+b\n"};
	auto_free char *text = letter_text(f, &both);

	conf_text(f, CONF_TWO);
	bring_raw(f, "ppc", text, strlen(text));
	bring_raw(f, "mm", text, strlen(text));
	settle(f);
	assert_text(f, "SELECT list || ' ' || state FROM posting", "mm complete");
}

/* The archive takes a mail back: the posting stays, the mail says so. */
static void test_removed(void **state)
{
	struct intake_fixture *f = *state;
	struct intake_box b = {.store = f->store.store, .list = "demo", .source = "lore demo"};
	auto_free char *place = NULL;

	patch_of(f, 1, 1, NULL);
	place = xasprintf("%040x", f->place);
	settle(f);
	box_add_gone(&b, true, place);
	assert_ok(box_keep(&b, &f->store.err), &f->store.err);
	box_done(&b);
	settle(f);
	assert_text(f, "SELECT state || (raw IS NULL) FROM mail", "removed1");
	assert_text(f, "SELECT count(*) || state FROM posting", "1complete");
}

/* The cursor moves with the mails, or not at all. */
static void test_cursor_with_mails(void **state)
{
	struct intake_fixture *f = *state;
	struct intake_box b = {.store = f->store.store, .list = "demo", .source = "lore demo"};
	auto_free char *cursor = NULL;

	box_add_mail(&b, "Subject: x\n\ny\n", 14, "1", f->now);
	b.cursor = xstrdup("0:abc");
	assert_ok(box_keep(&b, &f->store.err), &f->store.err);
	assert_int_equal(b.n, 0);
	assert_int_equal(b.kept, 1);
	assert_ok(store_cursor_get(f->store.store, "lore demo", &cursor, &f->store.err),
		  &f->store.err);
	assert_string_equal(cursor, "0:abc");
	box_done(&b);
}

static void test_wait_list(void **state)
{
	struct wait_list l = {0}, again = {0}, junk = {0};
	auto_free char *text = NULL;

	(void)state;
	wait_list_add(&l, "a@example.org", "http://127.0.0.1/1/mbox/", 10);
	wait_list_add(&l, "b@example.org", "http://127.0.0.1/2/mbox/", 20);
	wait_list_drop(&l, 0);
	text = wait_list_text(&l);
	wait_list_read(&again, text);
	assert_int_equal(again.n, 1);
	assert_string_equal(again.item[0].message_id, "b@example.org");
	assert_int_equal(again.item[0].until, 20);
	wait_list_read(&junk, "{\"a\": [[1]]}");
	wait_list_read(&junk, "[[1, 2], [\"x\"]");
	wait_list_read(&junk, "[[\"x\"]]");
	assert_int_equal(junk.n, 0);
	wait_list_done(&l);
	wait_list_done(&again);
}

static void test_reason_rename(void **state)
{
	static const int64_t posting[] = {71, 0};
	static const char *const rows[][2] = {
		{"patch 2/3 of series 1", "patch 2/3 of posting 71"},
		{"answers series 2", "answers another series"},
		{"series of tubes; series -1", "series of tubes; series -1"},
		{"series 99999999999999999999", "another series"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *got = reason_rename(rows[i][0], posting, 2);

		assert_string_equal(got, rows[i][1]);
	}
}

/* All at one second, in no thread, by one author: more than one neighbourhood holds. */
static void test_many_at_once(void **state)
{
	struct intake_fixture *f = *state;
	struct settle st = {.conf = &f->conf, .store = f->store.store};

	for (unsigned i = 0; i < 90; i++) {
		auto_free char *id = xasprintf("m%u@example.org", i);
		auto_free char *from = xasprintf("A%u <a%u@example.org>", i % 9, i % 9);

		bring(f,
		      &(struct letter){.id = id, .subject = "hello", .from = from, .body = "x\n"});
	}
	assert_ok(intake_settle(&st, &f->store.err), &f->store.err);
	assert_int_equal(st.settled, 90);
	/* Each author's mails are read once, not once for each. */
	assert_int_equal(st.looked, 90);
}

/* Who answers in many threads does not have all of them read for each answer. */
static void test_answers_in_many_threads(void **state)
{
	struct intake_fixture *f = *state;
	struct settle st = {.conf = &f->conf, .store = f->store.store};

	for (unsigned i = 0; i < 20; i++) {
		auto_free char *id = xasprintf("t%u@example.org", i);
		auto_free char *reply = xasprintf("r%u@example.org", i);
		auto_free char *from = xasprintf("A%u <a%u@example.org>", i, i);

		bring(f,
		      &(struct letter){.id = id, .subject = "hello", .from = from, .body = "x\n"});
		bring(f, &(struct letter){.id = reply,
					  .subject = "Re: hello",
					  .from = "Bob <bob@example.org>",
					  .answers = id,
					  .body = "y\n"});
	}
	settle(f);
	bring(f, &(struct letter){.id = "last@example.org",
				  .subject = "Re: hello",
				  .from = "Bob <bob@example.org>",
				  .answers = "r3@example.org",
				  .body = "z\n"});
	assert_ok(intake_settle(&st, &f->store.err), &f->store.err);
	assert_int_equal(st.looked, 3);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, intake_setup, intake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_series_threaded),
		TEST(test_late_patch),
		TEST(test_late_cover),
		TEST(test_reply_first),
		TEST(test_versions),
		TEST(test_others_in_thread),
		TEST(test_unreadable),
		TEST(test_second_copy),
		TEST(test_left_alone),
		TEST(test_older_than_start),
		TEST(test_list_choice),
		TEST(test_first_list_wins),
		TEST(test_removed),
		TEST(test_cursor_with_mails),
		TEST(test_many_at_once),
		TEST(test_answers_in_many_threads),
		cmocka_unit_test(test_wait_list),
		cmocka_unit_test(test_reason_rename),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
