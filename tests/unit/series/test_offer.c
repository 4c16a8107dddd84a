// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply_help.h"
#include "reply_help.h"

#include "series/offer.h"

struct offered {
	struct box box;
	struct offers offers;
};

static void offered_open(struct offered *o)
{
	box_open(&o->box, "offers.mbox");
	offers_find(o->box.threads, &o->box.mails, &o->box.set, &o->offers);
}

static void offered_done(struct offered *o)
{
	offers_done(&o->offers);
	box_done(&o->box);
}

static const struct offer *get(const struct offered *o, const char *id)
{
	const struct offer *hit = offers_get(&o->offers, id);

	if (!hit)
		fail_msg("no offer %s", id);
	return hit;
}

static void assert_offer(const struct offered *o, const char *id, unsigned number, const char *file)
{
	const struct offer *of = get(o, id);

	if (of->wrong)
		fail_msg("%s: %s", id, of->wrong);
	assert_int_equal(of->series, 0);
	assert_int_equal(of->number, number);
	assert_string_equal(of->file[0], file);
}

static void assert_wrong(const struct offered *o, const char *id, const char *why)
{
	const struct offer *of = get(o, id);

	if (!of->wrong || !strstr(of->wrong, why))
		fail_msg("%s: \"%s\" lacks \"%s\"", id, of->wrong ? of->wrong : "", why);
}

static void listed(void **state)
{
	struct offered o;

	(void)state;
	offered_open(&o);
	assert_int_equal(o.box.set.n_series, 1);
	assert_offer(&o, "o-git@example.org", 1, "firn/a.c");
	assert_offer(&o, "<o-plain@example.org>", 2, "firn/b.c");
	assert_offer(&o, "o-scissors@example.org", 2, "firn/b.c");
	assert_offer(&o, "o-cover@example.org", 0, "firn/c.c");
	assert_int_equal(get(&o, "o-cover@example.org")->n_files, 2);
	assert_wrong(&o, "o-wrapped@example.org", "line 6");
	assert_wrong(&o, "o-quoted@example.org", "quoted");
	assert_wrong(&o, "o-indented@example.org", "indented");
	assert_wrong(&o, "o-nameless@example.org", "which file");
	assert_wrong(&o, "o-stray@example.org", "not here");
	/* A review quotes the patch, and marks may set a log apart. */
	assert_null(offers_get(&o.offers, "o-review@example.org"));
	assert_null(offers_get(&o.offers, "o-marks@example.org"));
	assert_int_equal(o.offers.n, 9);
	offered_done(&o);
}

static void as_a_series(void **state)
{
	struct err err = ERR_INIT;
	struct series_set set;
	const struct patch *p;
	struct offered o;

	(void)state;
	offered_open(&o);
	assert_ok(offer_series(get(&o, "o-git@example.org"), &o.box.set, OFFER_ON_TOP, &set, &err),
		  &err);
	assert_int_equal(set.n_series, 1);
	assert_int_equal(set.series[0].n_patches, 2);
	assert_int_equal(set.series[0].total, 2);
	assert_string_equal(set.series[0].patch[0].mail->message_id, "o-1@example.org");
	p = &set.series[0].patch[1];
	assert_string_equal(p->author.email, "rob@example.org");
	assert_int_equal(p->subject.number, 2);
	assert_string_equal(p->subject.text, "offer: firn: measure");
	assert_string_equal(p->message, "offer: firn: measure\n\n"
					"[ offered by Rob Reviewer in <o-git@example.org> ]\n");
	assert_int_equal(p->diff->n_files, 1);
	assert_int_equal(p->diff->file[0].n_hunks, 1);
	series_set_done(&set);
	offered_done(&o);
}

static void behind_scissors(void **state)
{
	struct err err = ERR_INIT;
	struct series_set set;
	const struct patch *p;
	struct offered o;

	(void)state;
	offered_open(&o);
	assert_ok(offer_series(get(&o, "o-scissors@example.org"), &o.box.set, OFFER_ON_TOP, &set,
			       &err),
		  &err);
	assert_int_equal(set.series[0].n_patches, 3);
	p = &set.series[0].patch[2];
	assert_string_equal(p->author.email, "tess@example.org");
	assert_string_equal(p->message, "offer: firn: weigh twice\n\nOnce is not enough.\n\n"
					"Signed-off-by: Tess Tester <tess@example.org>\n\n"
					"[ offered by Ivo Icicle in <o-scissors@example.org> ]\n");
	assert_string_equal(set.series[0].author.email, "ivo@example.org");
	series_set_done(&set);

	assert_true(get(&o, "o-scissors@example.org")->whole);
	assert_false(get(&o, "o-git@example.org")->whole);
	assert_ok(offer_series(get(&o, "o-scissors@example.org"), &o.box.set, OFFER_INSTEAD, &set,
			       &err),
		  &err);
	assert_int_equal(set.series[0].n_patches, 2);
	assert_int_equal(set.series[0].patch[0].subject.number, 1);
	series_set_done(&set);
	offered_done(&o);
}

/* All that can be tried goes onto what it answers. */
static void applied_on_top(void **state)
{
	static const struct file_spec files[] = {
		F("firn/a.c", "static int count;\na = 1;\n/* end */\n"),
		F("firn/b.c", "static int count;\nb = 1;\n/* end */\n"),
		F("firn/c.c", "static int count;\nc = 1;\n/* end */\n"),
		F("firn/d.c", "static int count;\nd = 1;\n/* end */\n"),
	};
	auto_git(repository) git_repository *repo = NULL;
	char *dir = scratch_new();
	struct offered o;
	size_t tried = 0;
	git_oid base;

	(void)state;
	assert_int_equal(git_repository_init(&repo, dir, true), 0);
	base = commit_make(repo, NULL, "base", files, array_size(files));
	offered_open(&o);
	for (size_t i = 0; i < o.offers.n; i++) {
		struct apply_result result = {};
		struct err err = ERR_INIT;
		struct series_set set;

		if (o.offers.item[i].wrong)
			continue;
		assert_ok(offer_series(&o.offers.item[i], &o.box.set, OFFER_ON_TOP, &set, &err),
			  &err);
		assert_ok(apply_series(repo, &base, &set.series[0], NULL, &result, &err), &err);
		assert_int_equal(result.n_commits, set.series[0].n_patches);
		apply_result_done(&result);
		series_set_done(&set);
		tried++;
	}
	assert_int_equal(tried, 4);
	offered_done(&o);
	scratch_drop(dir);
}

static void not_to_be_tried(void **state)
{
	struct err err = ERR_INIT;
	struct series_set set;
	struct offered o;

	(void)state;
	offered_open(&o);
	assert_err(
		offer_series(get(&o, "o-quoted@example.org"), &o.box.set, OFFER_ON_TOP, &set, &err),
		&err, ERR_PATCH, "quoted");
	assert_err(
		offer_series(get(&o, "o-stray@example.org"), &o.box.set, OFFER_ON_TOP, &set, &err),
		&err, ERR_PATCH, "not here");
	offered_done(&o);
}

static void on_top_of_a_gap(void **state)
{
	struct err err = ERR_INIT;
	struct series_set set;
	struct offered o;

	(void)state;
	offered_open(&o);
	offers_done(&o.offers);
	box_unsort(&o.box);
	for (size_t i = 0; i < o.box.mails.n; i++) /* 1/2 has not come */
		if (strcmp(o.box.mails.item[i]->message_id, "o-1@example.org") == 0) {
			mail_free(o.box.mails.item[i]);
			o.box.mails.item[i] = o.box.mails.item[--o.box.mails.n];
		}
	box_sort(&o.box);
	offers_find(o.box.threads, &o.box.mails, &o.box.set, &o.offers);
	assert_err(
		offer_series(get(&o, "o-plain@example.org"), &o.box.set, OFFER_ON_TOP, &set, &err),
		&err, ERR_INPUT, "patch 1 is missing");
	offered_done(&o);
}

static void same_in_any_order(void **state)
{
	struct offered o;

	(void)state;
	offered_open(&o);
	for (unsigned seed = 0; seed < 6; seed++) {
		assert_int_equal(o.offers.n, 9);
		assert_string_equal(o.offers.item[0].mail->message_id, "o-cover@example.org");
		assert_string_equal(o.offers.item[8].mail->message_id, "o-stray@example.org");
		offers_done(&o.offers);
		box_shuffle(&o.box, seed);
		offers_find(o.box.threads, &o.box.mails, &o.box.set, &o.offers);
	}
	offered_done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listed),
		cmocka_unit_test(as_a_series),
		cmocka_unit_test(applied_on_top),
		cmocka_unit_test(behind_scissors),
		cmocka_unit_test(not_to_be_tried),
		cmocka_unit_test(on_top_of_a_gap),
		cmocka_unit_test(same_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
