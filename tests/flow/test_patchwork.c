// SPDX-License-Identifier: GPL-2.0-or-later
/* The client of Patchwork against the stand-in: events and mails in, and a server that misbehaves.
 */
#include "flow/patchwork_run.h"

#include "intake/patchwork.h"

/* Events as they are told. */
struct told {
	size_t n, patches, covers, completed, series, unreadable, stop_at;
	char last_date[40];
	int64_t last_patch, last_series;
	char *cursor; /* at stop_at */
	struct str ids, words;
};

static void told_begin(struct told *t)
{
	*t = (struct told){0};
	str_init(&t->ids, 0);
	str_init(&t->words, 0);
}

static void told_done(struct told *t)
{
	str_done(&t->ids);
	str_done(&t->words);
	free(t->cursor);
}

static int on_event(void *ctx, const struct patchwork_event *e, struct err *err)
{
	struct told *t = ctx;

	assert_true(strcmp(t->last_date, e->date) <= 0);
	snprintf(t->last_date, sizeof(t->last_date), "%s", e->date);
	if (t->stop_at && t->n == t->stop_at)
		return err_set(err, ERR_INFRA, "the disk is full");
	t->n++;
	t->patches += strcmp(e->category, "patch-created") == 0;
	t->covers += strcmp(e->category, "cover-created") == 0;
	t->completed += strcmp(e->category, "patch-completed") == 0;
	t->series += strcmp(e->category, "series-completed") == 0;
	t->unreadable += strcmp(e->category, "unreadable") == 0;
	if (e->number)
		t->last_patch = e->number;
	if (e->series)
		t->last_series = e->series;
	str_addf(&t->ids, "%lld %s\n", (long long)e->id, e->message_id ?: "-");
	if (e->words)
		str_addf(&t->words, "%s\n", e->words);
	if (t->stop_at && t->n == t->stop_at)
		t->cursor = patchwork_event_cursor(e);
	return 0;
}

static int walk(struct fixture *f, const char *cursor, struct told *t, char **ret_cursor)
{
	told_begin(t);
	return patchwork_events(&f->at, "demo", cursor, 0, on_event, t, ret_cursor, &f->err);
}

static void patch_send(struct fixture *f, unsigned n)
{
	auto_free char *mail = xasprintf(
		"From: Ada Example <ada@example.org>\nSubject: [PATCH] more %u\n"
		"Message-ID: <more/%u@example.org>\nDate: Tue, 03 Mar 2026 10:00:00 +0000\n"
		"\nMore.\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n",
		n, n);

	assert_int_equal(stand_in_ask(&f->server, "control/mail/demo", mail, NULL), 200);
}

static void test_events_each_once(void **state)
{
	static const char *const versions[][2] = {
		{"3.1.3", "0"}, {"3.1.3", "1"}, {"3.1.3", "3"}, {"main", "4"}};

	(void)state;
	for (size_t i = 0; i < array_size(versions); i++) {
		struct fixture f = fixture_start(versions[i][0], versions[i][1]);
		auto_free char *cursor = NULL, *next = NULL, *last = NULL;
		struct told t;

		assert_ok(walk(&f, "", &t, &cursor), &f.err);
		assert_int_equal(t.patches, 14);
		assert_int_equal(t.covers, 2);
		assert_int_equal(t.completed, 14);
		assert_int_equal(t.series, 9);
		assert_int_equal(t.unreadable, 0);
		assert_non_null(strstr(t.ids.buf, "odd/id%20of+a=mail&amp;y@mail.example.org"));
		told_done(&t);
		assert_ok(walk(&f, cursor, &t, &next), &f.err);
		assert_int_equal(t.n, 0);
		assert_string_equal(cursor, next);
		told_done(&t);
		patch_send(&f, 1);
		assert_ok(walk(&f, next, &t, &last), &f.err);
		assert_int_equal(t.n, 3);
		assert_int_equal(t.last_patch, 15);
		assert_int_equal(t.last_series, 10);
		told_done(&t);
		fixture_stop(&f);
	}
}

/* More than a page, and a walk that ends early. */
static void test_events_in_pages(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	auto_free char *cursor = NULL, *all = NULL;
	struct told t;

	(void)state;
	for (unsigned i = 0; i < 300; i++)
		patch_send(&f, i);
	told_begin(&t);
	t.stop_at = 400;
	assert_err(patchwork_events(&f.at, "demo", "", 0, on_event, &t, &cursor, &f.err), &f.err,
		   ERR_INFRA, "the disk is full");
	assert_null(cursor);
	cursor = take(t.cursor);
	told_done(&t);
	assert_ok(walk(&f, cursor, &t, &all), &f.err);
	assert_int_equal(t.n, 39 + 900 - 400);
	told_done(&t);
	fixture_stop(&f);
}

static void test_events_misordered(void **state)
{
	struct fixture f = fixture_start("main", "4");
	auto_free char *cursor = NULL, *next = NULL;
	struct told t;

	(void)state;
	stand_in_fault(&f.server, "shuffle=-1");
	stand_in_fault(&f.server, "duplicate=-1");
	assert_ok(walk(&f, "", &t, &cursor), &f.err);
	assert_int_equal(t.n, 39);
	told_done(&t);
	assert_ok(walk(&f, cursor, &t, &next), &f.err);
	assert_int_equal(t.n, 0);
	told_done(&t);
	fixture_stop(&f);
}

/* A transaction that ended late, or a clock that went back by an hour. */
static void test_events_late(void **state)
{
	struct fixture f = fixture_start("main", "4");
	auto_free char *cursor = NULL, *next = NULL, *last = NULL;
	struct told t;

	(void)state;
	assert_ok(walk(&f, "", &t, &cursor), &f.err);
	told_done(&t);
	stand_in_ask(&f.server, "control/late/3700", NULL, NULL);
	patch_send(&f, 1);
	assert_ok(walk(&f, cursor, &t, &next), &f.err);
	assert_int_equal(t.n, 3);
	told_done(&t);
	stand_in_ask(&f.server, "control/late/-86400", NULL, NULL); /* tomorrow */
	patch_send(&f, 2);
	stand_in_ask(&f.server, "control/late/0", NULL, NULL);
	free(take(cursor));
	assert_ok(walk(&f, next, &t, &cursor), &f.err);
	assert_int_equal(t.n, 3);
	told_done(&t);
	patch_send(&f, 3);
	assert_ok(walk(&f, cursor, &t, &last), &f.err);
	assert_int_equal(t.n, 3);
	assert_int_equal(t.last_patch, 17);
	told_done(&t);
	fixture_stop(&f);
}

static void test_projects_apart(void **state)
{
	const char *const argv[] = {STAND_IN,	 "--project", "demo", MAILS,
				    "--project", "other",     MAILS,  NULL};
	struct fixture f = {0};
	auto_free char *cursor = NULL;
	struct told t;

	(void)state;
	stand_in_start(&f.server, argv);
	f.at = (struct patchwork_server){.url = f.server.url, .http = f.server.http};
	told_begin(&t);
	assert_ok(patchwork_events(&f.at, "other", "", 0, on_event, &t, &cursor, &f.err), &f.err);
	assert_int_equal(t.n, 39);
	assert_int_equal(t.last_patch, 27);
	told_done(&t);
	fixture_stop(&f);
}

/* Nothing is asked for with a zone, which is an error there, nor without a slash. */
static void test_events_asked_well(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	auto_free char *cursor = NULL, *next = NULL;
	struct str requests;
	struct told t;

	(void)state;
	assert_ok(walk(&f, "", &t, &cursor), &f.err);
	told_done(&t);
	assert_ok(walk(&f, cursor, &t, &next), &f.err);
	told_done(&t);
	stand_in_ask(&f.server, "control/requests", NULL, &requests);
	assert_null(strstr(requests.buf, "Z\n"));
	assert_non_null(strstr(requests.buf, "&per_page=250&since=20"));
	assert_null(strstr(requests.buf, "/events?"));
	str_done(&requests);
	fixture_stop(&f);
}

static void test_events_refused(void **state)
{
	static const struct {
		const char *fault, *words;
	} table[] = {{"cut=1", ""},
		     {"html-502=1", "502"},
		     {"wall=1", "text/html"},
		     {"moved=1", "redirects to another place"}};
	struct fixture f = fixture_start("3.1.3", "3");
	auto_free char *cursor = NULL;
	struct told t;

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		stand_in_fault(&f.server, table[i].fault);
		assert_err(walk(&f, "", &t, &cursor), &f.err, ERR_INFRA, table[i].words);
		assert_int_equal(t.n, 0);
		assert_null(cursor);
		told_done(&t);
	}
	told_begin(&t);
	assert_err(patchwork_events(&f.at, "nope", "", 0, on_event, &t, &cursor, &f.err), &f.err,
		   ERR_CONFIG, "no project nope");
	assert_err(walk(&f, "1 yesterday 1,2", &t, &cursor), &f.err, ERR_INPUT, "yesterday");
	told_done(&t);
	fixture_stop(&f);
}

/* Addresses that lead elsewhere are not followed. */
static void test_other_hosts(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	auto_free char *cursor = NULL;
	struct mail_list mails = {0};
	struct told t;

	(void)state;
	stand_in_fault(&f.server, "foreign=-1");
	assert_ok(walk(&f, "", &t, &cursor), &f.err);
	assert_int_equal(t.unreadable, 14 + 14 + 2);
	assert_int_equal(t.patches, 0);
	assert_non_null(strstr(t.words.buf, "no address on this server"));
	told_done(&t);
	assert_err(patchwork_series(&f.at, 3, &mails, &f.err), &f.err, ERR_INPUT, "leads away");
	assert_int_equal(mails.n, 0);
	stand_in_fault(&f.server, "foreign=0");
	stand_in_fault(&f.server, "foreign-next=-1");
	for (unsigned i = 0; i < 260; i++)
		patch_send(&f, i);
	free(take(cursor));
	assert_err(walk(&f, "", &t, &cursor), &f.err, ERR_INFRA, "leads to another server");
	told_done(&t);
	mail_list_done(&mails);
	fixture_stop(&f);
}

static void test_series_mails(void **state)
{
	struct fixture f = fixture_start("3.1.3", "3");
	struct mail_list mails = {0};
	struct str requests;

	(void)state;
	assert_ok(patchwork_series(&f.at, 3, &mails, &f.err), &f.err);
	assert_int_equal(mails.n, 4);
	assert_string_equal(mails.item[0]->message_id, "list-v2-0@example.org");
	assert_string_equal(mails.item[3]->message_id, "list-v2-3@example.org");
	assert_true(str_starts(mails.item[0]->raw, "Content-Type: "));
	assert_non_null(strstr(mails.item[2]->text, "Acked-by: Mona"));
	assert_string_equal(mails.item[2]->in_reply_to, "list-v2-0@example.org");
	stand_in_ask(&f.server, "control/requests", NULL, &requests);
	assert_null(strstr(requests.buf, "/series/3/mbox/"));
	str_done(&requests);
	assert_err(patchwork_series(&f.at, 99, &mails, &f.err), &f.err, ERR_INPUT, "no such thing");
	assert_ok(patchwork_series(&f.at, 6, &mails, &f.err), &f.err); /* an attached patch */
	assert_string_equal(mails.item[4]->subject, "[PATCH] tools: a script");
	assert_non_null(strstr(mails.item[4]->text, "\ndiff --git a/tools/a.sh"));
	assert_ok(patchwork_series(&f.at, 4, &mails, &f.err), &f.err); /* base64 */
	assert_non_null(strstr(mails.item[5]->text, "+Größe"));
	mail_list_done(&mails);
	fixture_stop(&f);
}

/* API 1.0 has no mbox of a cover letter: that is said. */
static void test_series_of_old_server(void **state)
{
	struct fixture f = fixture_start("3.1.3", "0");
	struct mail_list mails = {0};

	(void)state;
	assert_ok(patchwork_series(&f.at, 3, &mails, &f.err), &f.err);
	assert_int_equal(mails.n, 3);
	assert_int_equal(mails.n_notes, 1);
	mail_list_done(&mails);
	fixture_stop(&f);
}

static void found(struct fixture *f, const char *id, int64_t want_patch, int64_t want_series)
{
	int64_t patch = -1, series = -1;

	assert_ok(patchwork_find(&f->at, id, &patch, &series, &f->err), &f->err);
	assert_int_equal(patch, want_patch);
	assert_int_equal(series, want_series);
}

static void test_find(void **state)
{
	static const char odd[] = "odd/id%20of+a=mail&amp;y@mail.example.org";
	int64_t patch = -1, series = -1;

	(void)state;
	for (unsigned api = 1; api <= 3; api++) {
		auto_free char *minor = xasprintf("%u", api);
		struct fixture f = fixture_start("3.1.3", minor);

		found(&f, "list-v2-2@example.org", 6, 3);
		found(&f, odd, 12, 8);
		if (api >= 2)
			found(&f, "list-v2-0@example.org", 0, 3);
		assert_err(patchwork_find(&f.at, "nobody@example.org", &patch, &series, &f.err),
			   &f.err, ERR_INPUT, "nobody@example.org");
		assert_int_equal(patch, -1);
		assert_ok(patchwork_series_of(&f.at, 12, &series, &f.err), &f.err);
		assert_int_equal(series, 8);
		/* Where the filter is ignored, the first page has not got it. */
		for (unsigned i = 0; i < 40; i++)
			patch_send(&f, i);
		found(&f, "more/39@example.org", 14 + 40, 9 + 40);
		fixture_stop(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_each_once),
		cmocka_unit_test(test_events_in_pages),
		cmocka_unit_test(test_events_misordered),
		cmocka_unit_test(test_events_late),
		cmocka_unit_test(test_projects_apart),
		cmocka_unit_test(test_events_asked_well),
		cmocka_unit_test(test_events_refused),
		cmocka_unit_test(test_other_hosts),
		cmocka_unit_test(test_series_mails),
		cmocka_unit_test(test_series_of_old_server),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
