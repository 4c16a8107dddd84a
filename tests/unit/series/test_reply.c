// SPDX-License-Identifier: GPL-2.0-or-later
#include "reply_help.h"

#include "series/patch_id.h"
#include "series/reply.h"

static const struct given_rules strict;

/* How many of this name from this mail are in this state, for this patch. */
static size_t count(const struct given_list *l, const char *id, const char *name,
		    enum given_state state, unsigned number)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct given *g = &l->item[i];

		n += strcmp(g->mail->message_id, id) == 0 && strcmp(g->tag.name, name) == 0 &&
		     g->state == state && g->number == number;
	}
	return n;
}

#define assert_given(l, id, name, state, number)                                                   \
	do {                                                                                       \
		if (count(l, id "@example.org", name, state, number) != 1)                         \
			fail_msg("%s of %s is not \"%s\" for patch %u", name, id,                  \
				 given_state_words(state), (unsigned)(number));                    \
	} while (0)

static void check_tags(const struct given_list *l)
{
	assert_given(l, "t-rob", "Reviewed-by", GIVEN_TAKEN, 1);
	assert_given(l, "t-rob", "Acked-by", GIVEN_INDENTED, 1);
	assert_given(l, "t-rob", "Acked-by", GIVEN_QUOTED, 1);
	assert_given(l, "t-rob", "Signed-off-by", GIVEN_QUOTED, 1);
	assert_given(l, "t-rob", "Fixes", GIVEN_TAKEN, 1);
	assert_given(l, "t-rob", "Tested-by", GIVEN_SIGNATURE, 1);
	assert_given(l, "t-tess", "Tested-by", GIVEN_TAKEN, 0);
	assert_given(l, "t-mara", "Acked-by", GIVEN_MISMATCH, 2);
	assert_given(l, "t-mara", "Reviewed-by", GIVEN_NO_ADDRESS, 2);
	/* An answer to an answer, whose References name only the cover letter. */
	assert_given(l, "t-ivo", "Reviewed-by", GIVEN_TAKEN, 2);
	assert_given(l, "t-ivo", "Reviewed-by", GIVEN_REPEATED, 2);
	assert_given(l, "t-nack", "NACK", GIVEN_NACK, 2);
	assert_given(l, "t-bot", "Reported-by", GIVEN_QUOTED, 1);
	assert_given(l, "t-bot", "Tested-by", GIVEN_TAKEN, 1);
	assert_given(l, "t-top", "Acked-by", GIVEN_TAKEN, 1);
	assert_given(l, "t-top", "Tested-by", GIVEN_QUOTED, 1);
	assert_given(l, "t-via", "Acked-by", GIVEN_TAKEN, 1);
	/* What it answers directly tells nothing, and its own References do. */
	assert_given(l, "t-after", "Acked-by", GIVEN_TAKEN, 1);
	assert_int_equal(l->n, 18);
	assert_false(l->truncated);
}

static void collected_in_any_order(void **state)
{
	struct given_list l;
	struct box b;

	(void)state;
	box_open(&b, "tags.mbox");
	for (unsigned seed = 0; seed < 8; seed++) {
		assert_int_equal(b.set.n_series, 1);
		given_collect(b.threads, &b.set.series[0], &strict, &l);
		check_tags(&l);
		assert_string_equal(l.item[0].mail->message_id, "t-tess@example.org");
		given_list_done(&l);
		box_shuffle(&b, seed);
	}
	box_done(&b);
}

static void rules_on_request(void **state)
{
	static const char *const ignore[] = {"BOT@example.org", NULL};
	const struct given_rules rules = {.sloppy = true, .ignore = ignore};
	struct given_list l;
	struct box b;

	(void)state;
	box_open(&b, "tags.mbox");
	given_collect(b.threads, &b.set.series[0], &rules, &l);
	assert_given(&l, "t-mara", "Acked-by", GIVEN_TAKEN, 2);
	assert_given(&l, "t-mara", "Reviewed-by", GIVEN_NO_ADDRESS, 2);
	assert_given(&l, "t-bot", "Tested-by", GIVEN_IGNORED, 1);
	given_list_done(&l);
	box_done(&b);
}

struct versions {
	struct box box;
	const struct series *old, *now;
	struct given_list given_old, given_now;
	size_t *old_of;
};

static void versions_open(struct versions *v)
{
	box_open(&v->box, "versions.mbox");
	assert_int_equal(v->box.set.n_series, 2);
	v->old = &v->box.set.series[0];
	v->now = &v->box.set.series[1];
	given_collect(v->box.threads, v->old, &strict, &v->given_old);
	given_collect(v->box.threads, v->now, &strict, &v->given_now);
	v->old_of = patch_pairs_find(v->now, v->old);
}

static void versions_done(struct versions *v)
{
	given_list_done(&v->given_old);
	given_list_done(&v->given_now);
	free(v->old_of);
	box_done(&v->box);
}

static void carried_to_the_same_patch_only(void **state)
{
	struct versions v;

	(void)state;
	versions_open(&v);
	assert_int_equal(v.old_of[0], 0);
	assert_true(v.old_of[1] == SIZE_MAX);
	assert_int_equal(v.old_of[2], 2);
	given_carry(&v.given_now, v.now, &v.given_old, v.old, v.old_of);
	/* v2 1/3 has both in its message. */
	assert_given(&v.given_now, "v1-rob1", "Reviewed-by", GIVEN_REPEATED, 1);
	assert_given(&v.given_now, "v1-tess", "Tested-by", GIVEN_REPEATED, 1);
	assert_given(&v.given_now, "v1-rob2", "Reviewed-by", GIVEN_STALE, 2);
	assert_given(&v.given_now, "v1-rob3", "Reviewed-by", GIVEN_CARRIED, 3);
	assert_given(&v.given_now, "v1-tess", "Tested-by", GIVEN_CARRIED, 3);
	assert_given(&v.given_now, "v1-tess", "Tested-by", GIVEN_STALE, 0);
	assert_given(&v.given_now, "v2-ivo", "Acked-by", GIVEN_TAKEN, 2);
	assert_int_equal(v.given_now.n, 7);
	versions_done(&v);
}

/* The same, asked for the newest version. */
static void all_versions_at_once(void **state)
{
	struct given_list all;
	struct versions v;

	(void)state;
	versions_open(&v);
	assert_ptr_equal(v.now->older, v.old);
	given_of_versions(v.box.threads, v.now, &strict, &all);
	assert_given(&all, "v1-rob3", "Reviewed-by", GIVEN_CARRIED, 3);
	assert_given(&all, "v2-ivo", "Acked-by", GIVEN_TAKEN, 2);
	assert_int_equal(all.n, 7);
	given_list_done(&all);
	given_of_versions(v.box.threads, v.old, &strict, &all);
	assert_int_equal(all.n, 4);
	given_list_done(&all);
	versions_done(&v);
}

static size_t changes_count(const struct tag_changes *c, enum tag_change_kind kind, unsigned number,
			    const char *name, const char *email)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->item[i].kind == kind && c->item[i].number == number &&
		     strcmp(c->item[i].tag.name, name) == 0 &&
		     strcmp(c->item[i].tag.who.email, email) == 0;
	return n;
}

static void invented_and_dropped(void **state)
{
	struct tag_changes c;
	struct versions v;

	(void)state;
	versions_open(&v);
	tag_changes_find((struct tagged_series){v.now, &v.given_now},
			 (struct tagged_series){v.old, &v.given_old}, v.old_of, &c);
	assert_int_equal(changes_count(&c, TAG_INVENTED, 2, "Acked-by", "mara@example.org"), 1);
	assert_int_equal(changes_count(&c, TAG_DROPPED, 1, "Suggested-by", "ivo@example.org"), 1);
	assert_int_equal(changes_count(&c, TAG_DROPPED, 3, "Reviewed-by", "rob@example.org"), 1);
	assert_int_equal(changes_count(&c, TAG_DROPPED, 3, "Tested-by", "tess@example.org"), 1);
	assert_int_equal(c.n, 4);
	tag_changes_done(&c);
	versions_done(&v);
}

/* Each tag line of a large mail is compared with its neighbours, not with all others. */
static void many_tags(void **state)
{
	struct err err = ERR_INIT;
	struct given_list l;
	struct box b;
	struct mail *m;
	struct str s;

	(void)state;
	box_open(&b, "tags.mbox");
	str_init(&s, 0);
	str_adds(&s, "From: Rob <rob@example.org>\nMessage-ID: <many@example.org>\n"
		     "In-Reply-To: <t-1@example.org>\nSubject: Re: x\n\n");
	for (unsigned i = 0; i < 2 * TAGS_MAX; i++)
		str_addf(&s, "Word%u-by: Rob <rob@example.org>\n", i % 5000);
	assert_ok(mail_parse(s.buf, s.len, "many", &m, &err), &err);
	str_done(&s);
	mail_list_add(&b.mails, m);
	box_shuffle(&b, 1);
	given_collect(b.threads, &b.set.series[0], &strict, &l);
	assert_int_equal(l.n, 18 + TAGS_MAX);
	given_list_done(&l);
	box_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collected_in_any_order),
		cmocka_unit_test(rules_on_request),
		cmocka_unit_test(carried_to_the_same_patch_only),
		cmocka_unit_test(all_versions_at_once),
		cmocka_unit_test(invented_and_dropped),
		cmocka_unit_test(many_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
