// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks on the patches of a trial. */
#include "serve/engine_post.h"

#include "base/json.h"
#include "base/outcome.h"
#include "base/str.h"
#include "store/outbox.h"

/* Patchwork keeps 255 characters of a context; a description of more than a line or two is for the
 * page behind the link. */
#define WORDS_MAX  300
#define URL_MAX	   200
#define ROWS_MAX   20000
#define BUILDS_MAX 16

/* Checkers that share a context: the script and our own rules are one to a reader. */
static const struct checker_context {
	const char *context, *checker[2];
} checker_contexts[] = {
	{"firn-checkpatch", {"checkpatch-pl", "checkpatch"}},
	{"firn-signoff", {"signoff", NULL}},
	{"firn-needs-stable", {"needs-stable", NULL}},
};

struct rows {
	const struct post_about *about;
	const struct conf_section *list;
	const json_t *report, *plan;
	const char *lost;
	struct store_post_list there; /* what has been said so far */
};

bool post_wanted(const struct post_about *about)
{
	return !about->posting->newer || about->trial->request;
}

static bool step_planned(const struct rows *r, const char *step)
{
	const json_t *steps = json_object_get(r->plan, "steps"), *name;
	size_t i;

	json_array_foreach (steps, i, name)
		if (json_is_string(name) && strcmp(json_string_value(name), step) == 0)
			return true;
	return false;
}

static const char *state_of(enum outcome o)
{
	return o == OUTCOME_FAIL			 ? "fail"
	       : o == OUTCOME_WARN || o == OUTCOME_ERROR ? "warning"
							 : "success";
}

/* The worst of the checkers that share a context; of equals the first. */
static bool checker_said(const json_t *report, const struct checker_context *c, unsigned number,
			 struct post_said *ret)
{
	const json_t *list = json_object_get(report, "checks"), *row, *found = NULL;
	enum outcome worst = OUTCOME_SKIP;
	size_t i;

	json_array_foreach (list, i, row) {
		const char *name = json_get_str(row, "checker", "");
		enum outcome o = outcome_parse(json_get_str(row, "outcome", NULL));

		if ((unsigned)json_get_num(row, "patch", 0) != number ||
		    (strcmp(name, c->checker[0]) != 0 &&
		     (!c->checker[1] || strcmp(name, c->checker[1]) != 0)))
			continue;
		if (!found || outcome_worse(o, worst) != worst) {
			found = row;
			worst = o;
		}
	}
	if (!found)
		return false;
	ret->state = state_of(worst);
	ret->words = xasprintf("%s%s", worst == OUTCOME_ERROR ? "Could not find out: " : "",
			       json_get_str(found, "reason", ""));
	return true;
}

static const struct store_post *row_find(const struct rows *r, const char *target,
					 const char *context)
{
	for (size_t i = 0; i < r->there.n; i++)
		if (strcmp(r->there.post[i].target, target) == 0 &&
		    strcmp(r->there.post[i].context, context) == 0)
			return &r->there.post[i];
	return NULL;
}

char *post_url(const struct post_about *about, const char *step)
{
	const char *web = conf_str(about->conf, CONF_WEB_URL);

	return web ? xasprintf("%s%strial/%lld%s%s", web, str_ends(web, "/") ? "" : "/",
			       (long long)about->trial->id, step ? "#" : "", step ? step : "")
		   : NULL;
}

static json_t *want_make(const struct rows *r, const struct post_said *said, const char *step)
{
	auto_free char *url = post_url(r->about, step);
	auto_str struct str words;
	json_t *want = json_object();

	str_init(&words, WORDS_MAX);
	str_add(&words, said->words, strcspn(said->words, "\r\n"));
	json_object_set_new(want, "state", json_string(said->state));
	json_object_set_new(want, "description", json_text(words.buf));
	if (url && strlen(url) <= URL_MAX)
		json_object_set_new(want, "url", json_text(url));
	return want;
}

static int row_put(const struct rows *r, const struct store_patchwork *at, const char *context,
		   const json_t *want, struct err *err)
{
	auto_free char *target = xasprintf("%s %lld", at->server, (long long)at->number);
	const struct store_post *there = row_find(r, target, context);
	bool pending = strcmp(json_get_str(want, "state", ""), "pending") == 0;
	struct store_post_new post = {.trial = r->about->trial->id,
				      .poster = "patchwork",
				      .target = target,
				      .context = context,
				      .want = want};
	int64_t id;

	/* A trial that was interrupted begins again; what it said stands. So does a result when the
	 * trial is given up. */
	if (there && (pending ||
		      (r->lost && strcmp(json_get_str(there->want, "state", ""), "pending") != 0)))
		return 0;
	return store_outbox_put(r->about->store, &post, &id, err);
}

/* Everywhere where the list's Patchwork has this patch. */
static int said_put(const struct rows *r, const struct store_posting_patch *patch,
		    const char *context, const json_t *want, struct err *err)
{
	const char *server = conf_section_str(r->list, CONF_LIST_PATCHWORK);
	struct store_patchwork_list known = {0};
	int rc = store_patchwork_by_message(r->about->store, patch->message_id, &known, err);

	for (size_t i = 0; rc == 0 && i < known.n; i++)
		if (!known.row[i].is_cover && strcmp(known.row[i].server, server) == 0)
			rc = row_put(r, &known.row[i], context, want, err);
	store_patchwork_list_done(&known);
	return rc;
}

/* `said->words` is NULL where nothing has been found out yet. Takes the words. */
static int context_put(const struct rows *r, const struct store_posting_patch *patch,
		       const char *context, const char *step, struct post_said *said,
		       struct err *err)
{
	auto_json json_t *want = NULL;
	int rc;

	if (!said->words && r->lost)
		*said = (struct post_said){"warning", xasprintf("Could not find out: %s", r->lost)};
	else if (!said->words)
		*said = (struct post_said){"pending", xstrdup("Waiting for its turn")};
	want = want_make(r, said, step);
	free(take(said->words));
	rc = said_put(r, patch, context, want, err);
	return rc;
}

static int checkers_put(const struct rows *r, const struct store_posting_patch *patch,
			struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < array_size(checker_contexts); i++) {
		struct post_said said = {0};

		if (!checker_said(r->report, &checker_contexts[i], patch->number, &said))
			post_step_said(r->report, "check", patch->number, &said);
		rc = context_put(r, patch, checker_contexts[i].context, "check", &said, err);
	}
	return rc;
}

static int step_put(const struct rows *r, const struct store_posting_patch *patch, const char *step,
		    struct err *err)
{
	struct post_said said = {0};
	auto_free char *context = post_context(step, conf_str(r->about->conf, CONF_BUILD_BUILDER));

	if (!context)
		return 0;
	post_step_said(r->report, step, patch->number, &said);
	return context_put(r, patch, context, step, &said, err);
}

/* Rows besides the usual one speak when they have been built; what they will be is not known
 * before. */
static int builds_put(const struct rows *r, const struct store_posting_patch *patch,
		      struct err *err)
{
	const char *name[BUILDS_MAX];
	size_t n = post_rows(r->report, name, BUILDS_MAX);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		auto_free char *context = xasprintf("firn-build-%s", name[i]);
		struct post_said said = {0};

		if (post_row_said(r->report, name[i], patch->number, &said))
			rc = context_put(r, patch, context, "build", &said, err);
	}
	return rc;
}

static int patch_put(const struct rows *r, const struct store_posting_patch *patch, struct err *err)
{
	const json_t *steps = json_object_get(r->plan, "steps"), *name;
	size_t i;
	int rc = step_planned(r, "check") ? checkers_put(r, patch, err) : 0;

	json_array_foreach (steps, i, name)
		if (rc == 0 && json_is_string(name))
			rc = step_put(r, patch, json_string_value(name), err);
	return rc < 0 ? rc : builds_put(r, patch, err);
}

int post_checks(const struct post_about *about, const json_t *report, const char *lost,
		struct err *err)
{
	auto_json json_t *plan = json_loads(about->trial->plan, 0, NULL);
	struct rows r = {.about = about, .report = report, .plan = plan, .lost = lost};
	int rc;

	r.list = conf_section_find(about->conf, CONF_SECTION_LIST, about->posting->list);
	if (!r.list || !conf_section_bool(r.list, CONF_LIST_CHECKS) ||
	    !conf_section_str(r.list, CONF_LIST_PATCHWORK) || !post_wanted(about))
		return 0;
	rc = store_outbox_list(about->store, STORE_OUTBOX_ALL, about->trial->id, ROWS_MAX, &r.there,
			       err);
	for (size_t i = 0; rc == 0 && i < about->posting->n_patches; i++)
		if (about->posting->patch[i].number > 0)
			rc = patch_put(&r, &about->posting->patch[i], err);
	store_post_list_done(&r.there);
	return rc;
}
