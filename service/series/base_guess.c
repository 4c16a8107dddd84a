// SPDX-License-Identifier: GPL-2.0-or-later
/* The commit that the index lines of a series point to. */
#include "series/base_pick_run.h"

#include "base/clock.h"
#include "base/proc.h"

/* A base is older than the mail by the clocks of two machines. */
#define SLACK  ((int64_t)24 * 3600)
#define WINDOW ((int64_t)BASE_WINDOW_DAYS * 24 * 3600)
/* Files that a warning names. */
#define NAMED_MAX 3
/* In our own repository. */
#define INDEX_FILE "firn-base-index"

struct guess {
	struct base_pick_run *r;
	struct base_index *ix;
	struct base_search *search;
	struct base_span window, ever;
	const char *where; /* ", newer than the mail" when the match is not in the window */
};

/* When the last of the mails was written; now, when none says it or one says the future. */
static int64_t series_date(const struct series *s)
{
	int64_t date = s->cover && s->cover->has_date ? s->cover->date : 0, now = clock_wall();

	for (size_t i = 0; i < s->n_patches; i++) {
		const struct mail *m = s->patch[i].mail;

		if (m && m->has_date && m->date > date)
			date = m->date;
	}
	return date <= 0 || date > now ? now : date;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* 1 when there is a commit with all blobs. */
static int guess_all(struct guess *g, const git_oid *within, struct base_match *ret_match,
		     struct err *err)
{
	int rc;

	g->window.within = g->ever.within = within;
	g->where = " before the mail";
	rc = base_search_all(g->search, &g->window, ret_match, err);
	if (rc)
		return rc;
	rc = base_search_all(g->search, &g->ever, ret_match, err);
	if (rc == 1)
		g->where = ret_match->time > g->window.to ? ", newer than the mail,"
							  : ", long before the mail,";
	return rc;
}

/* The best of all; the window wins a tie. */
static int guess_most(struct guess *g, const git_oid *within, struct base_match *ret_match,
		      struct err *err)
{
	struct base_match ever = {0};
	int in_window, rc;

	g->window.within = g->ever.within = within;
	in_window = base_search_most(g->search, &g->window, ret_match, err);
	if (in_window < 0)
		return in_window;
	rc = base_search_most(g->search, &g->ever, &ever, err);
	if (rc == 1 && (!in_window || ever.score.blobs > ret_match->score.blobs))
		*ret_match = ever;
	return rc;
}

/* Says so when it is HEAD; and else, how HEAD would have done. */
static char *head_words(struct base_pick_run *r)
{
	struct err ignored = ERR_INIT;
	auto_git(commit) git_commit *commit = NULL;
	struct base_head head = {0};
	struct base_score score;
	char *words = NULL;

	if (base_head_get(r->rq->user, &head, &ignored) == 0 &&
	    git_oid_equal(&head.commit, &r->c.commit)) {
		words = xasprintf(" (%s)", head.name);
	} else if (head.name && git_commit_lookup(&commit, r->rq->user, &head.commit) == 0) {
		base_search_tree(r->search, git_commit_tree_id(commit), &score);
		base_tried(r, "%s matches %zu of %zu blob%s", head.name, score.blobs,
			   r->wants.n_blobs, plural(r->wants.n_blobs));
	}
	free(head.name);
	return words ? words : xstrdup("");
}

static void odd_add(const struct guess *g, const struct base_want *w, struct str *out)
{
	str_addf(out, "; %s at %.12s is %s", w->path, w->hex,
		 base_search_known(g->search, w) ? "in other commits" : "in no commit known here");
}

/* "; mm/x.c at 1234567 is in no commit known here" */
static char *odd_words(const struct guess *g)
{
	struct base_pick_run *r = g->r;
	struct str odd;
	size_t n = 0;

	str_init(&odd, ERR_MSG_MAX / 2);
	for (size_t i = 0; i < r->wants.n; i++) {
		const struct base_want *w = &r->wants.want[i];

		if (w->kind == BASE_WANT_BLOB && !base_search_has(g->search, &r->c.tree, w) &&
		    n++ < NAMED_MAX)
			odd_add(g, w, &odd);
	}
	if (n > NAMED_MAX)
		str_addf(&odd, "; and %zu more", n - NAMED_MAX);
	return str_take(&odd);
}

/* " of davem/net-next, which the subject names (net-next)," */
static char *hint_words(const struct base_pick_run *r)
{
	if (r->c.reason != BASE_HINT)
		return xstrdup("");
	return xasprintf(" of %s, which the subject names (%s),", r->hint.ref, r->hint.word);
}

static char *choice_words(struct guess *g)
{
	struct base_pick_run *r = g->r;
	auto_free char *of = hint_words(r), *head = head_words(r), *odd = odd_words(g);
	size_t n = r->c.n_matched, total = r->wants.n_blobs;
	/* Two commas would meet. */
	const char *where = *of && *g->where == ',' ? g->where + 1 : g->where;

	if (n == total)
		return xasprintf("the newest commit%s%s that matches %zu of %zu blob%s%s", of,
				 where, n, total, plural(total), head);
	return xasprintf("no commit here has all blobs; the newest%s that has the most matches "
			 "%zu of %zu%s%s",
			 of, n, total, head, odd);
}

static int choose(struct guess *g, const struct base_match *m, bool hint, struct err *err)
{
	struct base_pick_run *r = g->r;

	if (!base_choice_set(r, &m->commit, hint ? BASE_HINT : BASE_BLOBS))
		return err_git(err, ERR_CONFIG, "cannot read a commit of %s",
			       git_repository_path(r->rq->user));
	r->c.why = choice_words(g);
	return 1;
}

static int guess_part(struct guess *g, struct err *err)
{
	struct base_pick_run *r = g->r;
	struct base_match any = {0}, hinted = {0};
	int rc = guess_most(g, NULL, &any, err), of_hint = 0;

	if (rc == 1 && r->hint.word)
		of_hint = guess_most(g, &r->hint.commit, &hinted, err);
	if (rc < 0 || of_hint < 0)
		return rc < 0 ? rc : of_hint;
	return rc == 0 ? 0 : choose(g, of_hint ? &hinted : &any, of_hint, err);
}

static int guess_blobs(struct guess *g, struct err *err)
{
	struct base_pick_run *r = g->r;
	struct base_match m = {0};
	int rc;

	if (r->hint.word) {
		rc = guess_all(g, &r->hint.commit, &m, err);
		if (rc)
			return rc < 0 ? rc : choose(g, &m, true, err);
		base_tried(r, "%s (the subject names %s): no commit matches all %zu blob%s",
			   r->hint.ref, r->hint.word, r->wants.n_blobs, plural(r->wants.n_blobs));
	}
	rc = guess_all(g, NULL, &m, err);
	if (rc)
		return rc < 0 ? rc : choose(g, &m, false, err);
	base_tried(r, "none of %zu commit%s since %d days before the mail matches all %zu blob%s",
		   base_index_facts(g->ix)->commits, plural(base_index_facts(g->ix)->commits),
		   BASE_WINDOW_DAYS, r->wants.n_blobs, plural(r->wants.n_blobs));
	return guess_part(g, err);
}

static int guess_open(struct guess *g, struct err *err)
{
	const struct base_request *rq = g->r->rq;
	auto_free char *file =
		rq->ours ? xasprintf("%s" INDEX_FILE, git_repository_path(rq->ours)) : NULL;
	int64_t date = series_date(rq->series);
	struct base_index_request request = {
		.user = rq->user, .file = file, .tell = rq->tell, .ctx = rq->ctx};
	int rc;

	request.from = date - WINDOW;
	g->window = (struct base_span){date - WINDOW, date + SLACK, NULL};
	g->ever = (struct base_span){INT64_MIN, INT64_MAX, NULL};
	rc = base_index_open(&request, &g->ix, err);
	if (rc)
		return rc;
	if (base_index_facts(g->ix)->unsaved)
		base_tried(g->r, "the index of the history could not be kept: %s", file);
	if (base_index_facts(g->ix)->cut)
		base_tried(g->r, "only the newest %u commits were looked at", BASE_COMMITS_MAX);
	return base_search_new(rq->user, g->ix, &g->r->wants, &g->search, err);
}

/* The subject's tree as it is, when nothing says which of its commits. */
static int guess_tip(struct base_pick_run *r)
{
	if (!r->hint.word || !base_choice_set(r, &r->hint.commit, BASE_HINT))
		return 0;
	r->c.why = xasprintf("head of %s, which the subject names (%s)", r->hint.ref, r->hint.word);
	return 1;
}

int base_guess(struct base_pick_run *r, struct err *err)
{
	struct guess g = {.r = r};
	struct err why = ERR_INIT;
	int rc;

	if (!r->wants.n_blobs)
		return guess_tip(r);
	rc = guess_open(&g, &why);
	if (!rc)
		rc = guess_blobs(&g, &why);
	base_search_free(g.search);
	base_index_free(g.ix);
	if (rc == ERR_CANCELLED)
		return err_cancelled(err);
	if (rc < 0)
		base_warn(r, "the history could not be searched: %s", why.msg);
	return rc == 1 ? 1 : guess_tip(r);
}
