// SPDX-License-Identifier: GPL-2.0-or-later
/* Which series of the input is tried, and what the mails around it say. */
#include "series/ledger.h"
#include "series/patch_id.h"
#include "series/range_diff.h"
#include "series/reply.h"
#include "series/version.h"
#include "trial/run.h"
#include "trial/since.h"

/* As many lines of each kind as fit on a page. */
#define LINES_MAX 20

static const struct given_rules given_rules;

/* Several postings in one input: the user says which. */
static int too_many(const struct trial *t, struct err *err)
{
	auto_str struct str list;

	str_init(&list, ERR_MSG_MAX / 2);
	for (size_t i = 0; i < t->set.n_series; i++) {
		const struct series *s = &t->set.series[i];
		auto_free char *version = version_name(s);

		str_addf(&list, "\n  <%s> %s, %zu of %u patches: %s", s->message_id, version,
			 s->n_patches, s->total, s->title);
	}
	return err_set(err, ERR_INPUT, "%s holds %zu series; pick one with --series MESSAGE-ID:%s",
		       t->input, t->set.n_series, list.buf);
}

/* Does the message ID name this series, by its cover or by one of its patches? */
static bool series_has_id(const struct series *s, const char *id)
{
	size_t n = strlen(id);

	if (n > 2 && id[0] == '<' && id[n - 1] == '>') {
		id++;
		n -= 2;
	}
	if (strlen(s->message_id) == n && strncmp(s->message_id, id, n) == 0)
		return true;
	for (size_t i = 0; i < s->n_patches; i++) {
		const char *mid = s->patch[i].mail->message_id;

		if (!s->patch[i].borrowed && mid && strlen(mid) == n && strncmp(mid, id, n) == 0)
			return true;
	}
	return false;
}

static int pick_by_id(struct trial *t, struct err *err)
{
	for (size_t i = 0; i < t->set.n_series; i++) {
		if (series_has_id(&t->set.series[i], t->opt->pick)) {
			t->series = &t->set.series[i];
			return 0;
		}
	}
	return err_set(err, ERR_INPUT, "%s holds no series with message ID %s", t->input,
		       t->opt->pick);
}

/* `*ret_why` stays NULL when there was no choice. */
static int pick_series(struct trial *t, char **ret_why, struct err *err)
{
	if (t->set.n_series == 0)
		return err_set(err, ERR_INPUT, "%s holds no patch: %s", t->input,
			       t->set.n_fates ? t->set.fate[0].why : "no mail");
	if (t->opt->pick)
		return pick_by_id(t, err);
	if (t->set.n_series == 1) {
		t->series = &t->set.series[0];
		return 0;
	}
	t->series = series_set_newest(&t->set, ret_why);
	return t->series ? 0 : too_many(t, err);
}

static int take_offer(struct trial *t, struct err *err)
{
	const struct offer *o = offers_get(&t->offers, t->opt->offer);
	int rc;

	if (!o)
		return err_set(
			err, ERR_INPUT,
			"%s holds no offer with message ID %s (firn run --explain lists them)",
			t->input, t->opt->offer);
	rc = offer_series(o, &t->set, OFFER_ON_TOP, &t->offered, err);
	if (rc == 0)
		t->series = &t->offered.series[0];
	return rc;
}

static void say_found(const struct trial *t, const char *why, struct step_result *ret)
{
	const struct series *s = t->series;
	auto_free char *version = version_name(s);
	auto_str struct str line;

	str_init(&line, 0);
	if (s->n_missing) {
		str_addf(&line, "incomplete: %zu of %u patches, waiting for ", s->n_patches,
			 s->total);
		for (size_t i = 0; i < s->n_missing && i < LINES_MAX; i++)
			str_addf(&line, "%s%u/%u", i ? ", " : "", s->missing[i], s->total);
		step_result_set(ret, OUTCOME_ERROR, "%s", line.buf);
		return;
	}
	str_addf(&line, "%s, %zu patch%s%s: %s", version, s->n_patches,
		 s->n_patches == 1 ? "" : "es", s->cover ? " and a cover letter" : "", s->title);
	if (why)
		str_addf(&line, " (%s)", why);
	if (s->composed)
		str_addf(&line, " (%s)", s->composed);
	if (s->note)
		str_addf(&line, "; %s", s->note);
	step_result_set(ret, s->note ? OUTCOME_WARN : OUTCOME_PASS, "%s", line.buf);
}

/* What changed since the version before. */
static int say_changes(struct trial *t, struct step_result *ret, struct err *err)
{
	const struct series *s = t->series;
	auto_free char *version = s->older ? version_name(s->older) : NULL;
	struct range_diff rd = {0};
	int rc;

	if (!s->older)
		return 0;
	rc = range_diff_make(s->older, s, &rd, err);
	if (rc < 0)
		return rc;
	auto_free char *head = xasprintf("since %s (%s):", version, s->older_why);
	step_result_line(ret, head);
	for (size_t i = 0; i < rd.n && i < LINES_MAX; i++) {
		auto_free char *pair = range_pair_line(&rd.pair[i], s->older, s);
		auto_free char *line = xasprintf("  %s", pair);

		step_result_line(ret, line);
	}
	t->since = since_json(&rd, s->older, s);
	range_diff_done(&rd);
	return 0;
}

static void say_given(const struct given_list *given, struct step_result *ret)
{
	size_t shown = 0;

	for (size_t i = 0; i < given->n && shown < LINES_MAX; i++) {
		const struct given *g = &given->item[i];
		auto_free char *where =
			g->number ? xasprintf("patch %u", g->number) : xstrdup("the series");
		auto_free char *line = NULL;

		if (!given_counts(g) && g->state != GIVEN_NACK && g->state != GIVEN_MISMATCH)
			continue;
		line = xasprintf("%s: %s (%s, %s)", g->tag.name, g->tag.value, where,
				 given_state_words(g->state));
		step_result_line(ret, line);
		shown++;
	}
}

static void say_tag_changes(const struct tag_changes *changes, struct step_result *ret)
{
	for (size_t i = 0; i < changes->n && i < LINES_MAX; i++) {
		const struct tag_change *c = &changes->item[i];
		auto_free char *line = xasprintf(
			"patch %u: %s: %s %s", c->number, c->tag.name, c->tag.value,
			c->kind == TAG_INVENTED ? "was given by nobody in these mails"
						: "was given to the version before and is missing");

		step_result_line(ret, line);
	}
}

/* What became of the tags of the version before. */
static void say_older_tags(const struct trial *t, const struct series *s,
			   const struct given_list *given, struct step_result *ret)
{
	auto_free size_t *old_of = patch_pairs_find(s, s->older);
	struct given_list before = {0};
	struct tag_changes changes = {0};

	given_of_versions(t->threads, s->older, &given_rules, &before);
	tag_changes_find((struct tagged_series){s, given},
			 (struct tagged_series){s->older, &before}, old_of, &changes);
	say_tag_changes(&changes, ret);
	tag_changes_done(&changes);
	given_list_done(&before);
}

static void say_tags(const struct trial *t, const struct series *s, struct step_result *ret)
{
	struct given_list given = {0};

	given_of_versions(t->threads, s, &given_rules, &given);
	say_given(&given, ret);
	if (s->older)
		say_older_tags(t, s, &given, ret);
	given_list_done(&given);
}

static void say_offers(const struct trial *t, size_t series, struct step_result *ret)
{
	for (size_t i = 0; i < t->offers.n; i++) {
		const struct offer *o = &t->offers.item[i];
		auto_free char *line = NULL;

		if (o->series != series)
			continue;
		line = xasprintf(
			"offer by %s in <%s>%s%s: --offer MESSAGE-ID tries it",
			o->patch.author.name, o->mail->message_id ? o->mail->message_id : "",
			o->wrong ? ", which cannot be tried: " : "", o->wrong ? o->wrong : "");
		step_result_line(ret, line);
	}
}

/* A dependency that is not here is a warning: it may be in the base. */
static void plan_needed(struct trial *t, size_t series, struct step_result *ret)
{
	struct depends_index *index = depends_index_new(t->threads, &t->set);

	depends_plan_make(index, series, &t->plan);
	depends_index_free(index);
	for (size_t i = 0; i < t->plan.n_problems; i++)
		step_result_line(ret, t->plan.problem[i].text);
	if (t->plan.n_problems && ret->outcome == OUTCOME_PASS)
		ret->outcome = OUTCOME_WARN;
}

static void keep_ledger(struct trial *t)
{
	struct ledger ledger = {0};

	ledger_make(&t->mails, &t->set, t->threads, &t->offers, &ledger);
	t->ledger = ledger_json(&ledger);
	ledger_done(&ledger);
}

int step_series(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_free char *why = NULL;
	size_t index;
	int rc = collate(&t->mails, &t->set, err);

	if (rc < 0)
		return rc;
	t->threads = threads_new(&t->mails, &t->set);
	offers_find(t->threads, &t->mails, &t->set, &t->offers);
	keep_ledger(t);
	rc = t->opt->offer ? take_offer(t, err) : pick_series(t, &why, err);
	if (rc < 0)
		return rc;
	say_found(t, why, ret);
	if (t->opt->offer || ret->outcome == OUTCOME_ERROR)
		return 0;
	index = (size_t)(t->series - t->set.series);
	rc = say_changes(t, ret, err);
	if (rc < 0)
		return rc;
	say_tags(t, t->series, ret);
	say_offers(t, index, ret);
	plan_needed(t, index, ret);
	return 0;
}
