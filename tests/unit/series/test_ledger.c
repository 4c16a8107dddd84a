// SPDX-License-Identifier: GPL-2.0-or-later
#include "reply_help.h"

#include "series/ledger.h"
#include <glob.h>

struct book {
	struct box box;
	struct offers offers;
	struct ledger ledger;
};

static void book_write(struct book *k)
{
	offers_find(k->box.threads, &k->box.mails, &k->box.set, &k->offers);
	ledger_make(&k->box.mails, &k->box.set, k->box.threads, &k->offers, &k->ledger);
}

static void book_close(struct book *k)
{
	ledger_done(&k->ledger);
	offers_done(&k->offers);
}

static void book_open(struct book *k, const char *name)
{
	box_open(&k->box, name);
	book_write(k);
}

static void book_done(struct book *k)
{
	book_close(k);
	box_done(&k->box);
}

static const struct {
	const char *id;
	enum mail_state state;
	size_t series;
	unsigned patch;
	const char *reason;
} expected[] = {
	{"l-0", MAIL_COVER, 1, 0, "cover letter 0/2 of series 1"},
	{"l-1", MAIL_PATCH, 1, 1, "patch 1/2 of series 1"},
	{"l-2", MAIL_PATCH, 1, 2, "patch 2/2 of series 1"},
	{"l-2", MAIL_DUPLICATE, 0, 0, "a second mail with the Message-ID"},
	{"l-tags", MAIL_TAGS, 1, 1, "answers patch 1/2 of series 1: Reviewed-by"},
	{"l-reply", MAIL_REPLY, 1, 1, "answers patch 1/2 of series 1"},
	{"l-offer", MAIL_OFFER, 1, 2, "answers patch 2/2 of series 1, with a diff to neve/b.c"},
	{"l-command", MAIL_COMMAND, 1, 0,
	 "answers the cover letter of series 1: \"firn: run on power9\""},
	{"l-pull", MAIL_PULL, 0, 0, "asks to pull"},
	{"l-pull2", MAIL_PULL, 0, 0, "asks to pull"},
	{"l-bot", MAIL_BOT, 1, 0, "answers the cover letter of series 1"},
	{"l-auto", MAIL_BOT, 0, 0, ""},
	{"l-nodiff", MAIL_NOT_A_PATCH, 0, 0, "holds no diff"},
	{"l-lone", MAIL_COVER, 0, 0, "without any of its patches"},
	{"l-other", MAIL_OTHER, 0, 0, "holds no diff"},
	{"l-away", MAIL_REPLY, 0, 0, "answers a mail that is not here"},
	{"l-broken", MAIL_PATCH, 2, 1, "its diff is broken: line"},
	{"l-since", MAIL_OTHER, 0, 0, "holds no diff"},
	{"l-again", MAIL_DUPLICATE, 0, 0, "a second 2/2 of series 1"},
};

static bool row_fits(const struct ledger_row *row, size_t i)
{
	size_t n = strlen(expected[i].id);

	return strncmp(row->mail->message_id, expected[i].id, n) == 0 &&
	       strcmp(row->mail->message_id + n, "@example.org") == 0 &&
	       row->state == expected[i].state && row->series == expected[i].series &&
	       row->patch == expected[i].patch && strstr(row->reason, expected[i].reason);
}

static void one_of_each_in_any_order(void **state)
{
	struct book k;

	(void)state;
	book_open(&k, "ledger.mbox");
	for (unsigned seed = 0; seed < 8; seed++) {
		assert_int_equal(k.ledger.n, array_size(expected));
		for (size_t i = 0; i < array_size(expected); i++) {
			size_t n = 0;

			for (size_t r = 0; r < k.ledger.n; r++)
				n += row_fits(&k.ledger.row[r], i);
			if (n != 1)
				fail_msg("%s has %zu rows as expected", expected[i].id, n);
		}
		book_close(&k);
		box_shuffle(&k.box, seed);
		book_write(&k);
	}
	book_done(&k);
}

static void passed_over(void **state)
{
	const struct ledger_row *last;
	struct book k;

	(void)state;
	box_open(&k.box, "ledger.mbox");
	mail_list_note(&k.box.mails, "x/series: not a mail");
	book_write(&k);
	last = &k.ledger.row[k.ledger.n - 1];
	assert_int_equal(k.ledger.n, array_size(expected) + 1);
	assert_int_equal(last->state, MAIL_UNREADABLE);
	assert_null(last->mail);
	assert_string_equal(last->reason, "x/series: not a mail");
	book_done(&k);
}

/* Characters, not bytes. */
static size_t column_of(const char *line, const char *text)
{
	const char *at = strstr(line, text);
	size_t n = 0;

	assert_non_null(at);
	for (; line < at; line++)
		n += ((unsigned char)*line & 0xc0) != 0x80;
	return n;
}

static void lines_are_aligned(void **state)
{
	struct book k;
	char **line;

	(void)state;
	book_open(&k, "ledger.mbox");
	line = ledger_lines(&k.ledger);
	assert_true(str_starts(line[0], " 1  cover "));
	assert_true(str_starts(line[9], "10  pull request  l-pull2@example.org"));
	for (size_t i = 0; i < k.ledger.n; i++) {
		assert_null(strchr(line[i], '\n'));
		assert_int_equal(column_of(line[i], k.ledger.row[i].reason),
				 column_of(line[0], k.ledger.row[0].reason));
	}
	for (size_t i = 0; i < k.ledger.n; i++)
		free(line[i]);
	free(line);
	book_done(&k);
}

static void rows_as_json(void **state)
{
	struct book k;

	(void)state;
	book_open(&k, "ledger.mbox");
	auto_json json_t *rows = ledger_json(&k.ledger);
	const json_t *row = json_array_get(rows, 4);

	assert_int_equal(json_array_size(rows), k.ledger.n);
	assert_string_equal(json_string_value(json_object_get(row, "state")), "tags");
	assert_int_equal(json_integer_value(json_object_get(row, "series")), 1);
	assert_int_equal(json_integer_value(json_object_get(row, "patch")), 1);
	assert_string_equal(json_string_value(json_object_get(row, "message_id")),
			    "l-tags@example.org");
	book_done(&k);
}

static void counts_add_up(const struct book *k)
{
	size_t parts = 0, rows = 0;

	assert_int_equal(k->ledger.n, k->box.mails.n + k->box.mails.n_notes);
	for (size_t i = 0; i < k->box.set.n_series; i++) {
		const struct series *s = &k->box.set.series[i];

		parts += s->cover != NULL;
		for (size_t p = 0; p < s->n_patches; p++)
			parts += !s->patch[p].borrowed;
	}
	for (size_t i = 0; i < k->ledger.n; i++) {
		const struct ledger_row *row = &k->ledger.row[i];

		if (row->mail)
			assert_ptr_equal(row->mail, k->box.mails.item[row->number - 1]);
		assert_non_null(row->reason);
		assert_int_not_equal(strlen(row->reason), 0);
		rows += (row->state == MAIL_PATCH || row->state == MAIL_COVER) && row->series;
	}
	assert_int_equal(rows, parts);
}

/* A text that is the same for the same mail in the same state. */
static char *sum(const struct book *k)
{
	auto_free const struct mail **mail = xcalloc(k->box.mails.n, sizeof(*mail));
	struct str out;

	str_init(&out, 0);
	memcpy(mail, k->box.mails.item, k->box.mails.n * sizeof(*mail));
	qsort(mail, k->box.mails.n, sizeof(*mail), thread_mail_order);
	for (size_t i = 0; i < k->box.mails.n; i++)
		for (size_t r = 0; r < k->box.mails.n; r++)
			if (k->ledger.row[r].mail == mail[i])
				str_addf(&out, "%s %zu/%u\n",
					 mail_state_name(k->ledger.row[r].state),
					 k->ledger.row[r].series, k->ledger.row[r].patch);
	return str_take(&out);
}

static void file_check(const char *path)
{
	auto_free char *want = NULL;
	struct err err = ERR_INIT;
	struct book k = {};
	bool ids = true;

	if (source_read(path, &k.box.mails, &err) < 0) {
		mail_list_done(&k.box.mails);
		return;
	}
	box_sort(&k.box);
	book_write(&k);
	want = sum(&k);
	for (size_t i = 0; i < k.box.mails.n; i++)
		ids &= k.box.mails.item[i]->message_id != NULL;
	for (unsigned seed = 0; seed < 4; seed++) {
		auto_free char *got = sum(&k);

		counts_add_up(&k);
		if (ids && strcmp(got, want) != 0)
			fail_msg("%s depends on the order of its mails:\n%s%s", path, want, got);
		book_close(&k);
		box_shuffle(&k.box, seed + 7);
		book_write(&k);
	}
	book_done(&k);
}

static void every_mail_once(void **state)
{
	static const char *const patterns[] = {FIXTURES "/replies/*.mbox",
					       FIXTURES "/series/*.mbox", FIXTURES "/intake/*",
					       FIXTURES "/series/mailinfo/*"};

	(void)state;
	for (size_t i = 0; i < array_size(patterns); i++) {
		glob_t g;

		assert_int_equal(glob(patterns[i], 0, NULL, &g), 0);
		for (size_t k = 0; k < g.gl_pathc; k++)
			file_check(g.gl_pathv[k]);
		globfree(&g);
	}
}

/* test-series-ledger PATH...: prints the ledger of each, for a look at other people's mail. */
static int print(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct book k;
		char **line;

		box_open_at(&k.box, argv[i]);
		book_write(&k);
		line = ledger_lines(&k.ledger);
		for (size_t r = 0; r < k.ledger.n; r++) {
			puts(line[r]);
			free(line[r]);
		}
		free(line);
		book_done(&k);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_each_in_any_order), cmocka_unit_test(passed_over),
		cmocka_unit_test(lines_are_aligned),	    cmocka_unit_test(rows_as_json),
		cmocka_unit_test(every_mail_once),
	};

	if (argc > 1)
		return print(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
