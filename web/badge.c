// SPDX-License-Identifier: GPL-2.0-or-later
/* /badge/: what became of a series, as a picture for other pages. */
#include "report/escape.h"
#include "store/views.h"
#include "web/response.h"
#include <microhttpd.h>

#define MAX_AGE_S 60
#define LIVES_S	  5
#define LETTER	  6.5 /* pixels of a letter, 11 px wide fonts; the text is made to fit */
#define PAD	  6
#define LEFT_W	  36

/* White on these is readable (WCAG 2, 4.5 to 1). */
static const struct {
	const char *word, *colour;
} colours[] = {
	{"pass", "#1f7a34"},  {"warn", "#8a5a00"},    {"fail", "#b3261e"},
	{"error", "#6b4fa0"}, {"running", "#1f5fae"},
};

static const char *colour_of(const char *word)
{
	for (size_t i = 0; i < array_size(colours); i++)
		if (strcmp(colours[i].word, word) == 0)
			return colours[i].colour;
	return "#5a6068";
}

static void text(struct str *out, double x, double width, const char *words)
{
	str_addf(out, "<text x=\"%.0f\" y=\"14\" textLength=\"%.0f\">", x, width);
	html_text(out, words, strlen(words));
	str_adds(out, "</text>\n");
}

/* `title` is for those who hear the page. All words are ours. */
static void draw(struct str *out, const char *word, const char *right, const char *title)
{
	double letters = LETTER * (double)strlen(right), width = LEFT_W + letters + 2 * PAD;

	str_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"20\" "
		 "role=\"img\" aria-labelledby=\"t\">\n<title id=\"t\">",
		 width);
	html_text(out, title, strlen(title));
	str_addf(out,
		 "</title>\n<rect width=\"%.0f\" height=\"20\" rx=\"3\" fill=\"#3c4148\"/>\n"
		 "<rect x=\"%d\" width=\"%.0f\" height=\"20\" rx=\"3\" fill=\"%s\"/>\n"
		 "<rect x=\"%d\" width=\"4\" height=\"20\" fill=\"%s\"/>\n"
		 "<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
		 "font-size=\"11\">\n",
		 width, LEFT_W, width - LEFT_W, colour_of(word), LEFT_W, colour_of(word));
	text(out, PAD, LEFT_W - 2 * PAD, "firn");
	text(out, LEFT_W + PAD, letters, right);
	str_adds(out, "</g>\n</svg>\n");
}

static void answer(struct response *r, const char *word, const char *counts)
{
	auto_free char *right = xasprintf("%s%s%s", word, *counts ? ": " : "", counts);
	auto_free char *title = xasprintf("firn: %s", right);

	r->type = "image/svg+xml; charset=utf-8";
	r->max_age_s = MAX_AGE_S;
	r->anywhere = true;
	draw(&r->body, word, right, title);
}

/* "5 pass, 1 warn": the steps that did something. */
static void counts_add_words(struct str *out, const struct store_step_list *l)
{
	static const enum outcome order[] = {OUTCOME_FAIL, OUTCOME_ERROR, OUTCOME_WARN,
					     OUTCOME_PASS};

	for (size_t i = 0; i < array_size(order); i++) {
		unsigned n = 0;

		for (size_t k = 0; k < l->n; k++)
			n += l->step[k].state == STORE_STEP_DONE && l->step[k].outcome == order[i];
		if (n)
			str_addf(out, "%s%u %s", out->len ? ", " : "", n, outcome_name(order[i]));
	}
}

static int trial_badge(struct store *s, struct response *r, int64_t trial, const char *word,
		       struct err *err)
{
	auto_store_step_list struct store_step_list l = {0};
	auto_str struct str counts;
	int rc = trial ? store_step_list(s, trial, &l, err) : 0;

	str_init(&counts, 0);
	if (rc < 0)
		return rc;
	counts_add_words(&counts, &l);
	answer(r, word, counts.buf);
	r->lives_s = LIVES_S;
	return 0;
}

static int series_badge(struct store *s, struct response *r, int64_t posting, struct err *err)
{
	struct view_series v = {0};
	int rc = view_posting(s, posting, &v, err);

	if (rc == 0)
		rc = trial_badge(s, r, v.trial, view_series_word(&v), err);
	view_series_done(&v);
	return rc;
}

static int run_badge(struct store *s, struct response *r, int64_t trial, struct err *err)
{
	auto_store_trial struct store_trial t = {0};
	int rc = store_trial_get(s, trial, &t, err);

	if (rc < 0)
		return rc;
	return trial_badge(s, r, trial,
			   t.state == STORE_TRIAL_FINISHED ? outcome_name(t.outcome)
							   : store_trial_state_name(t.state),
			   err);
}

/* A picture too: where it is shown, nobody reads a page. */
static void end(const struct request *q, struct response *r, int rc, const struct err *err)
{
	if (rc == ERR_INPUT) {
		answer(r, "unknown", "");
		r->status = MHD_HTTP_NOT_FOUND;
	} else if (rc < 0) {
		respond_failure(q, r, err, "The series cannot be read.");
	}
}

void page_badge_series(const struct request *q, struct response *r)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) == 0)
		end(q, r, series_badge(store, r, q->id, &err), &err);
}

void page_badge_message(const struct request *q, struct response *r)
{
	int64_t posting = 0, trial = 0;
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (respond_store(q, r, &store) < 0)
		return;
	rc = store_posting_find(store, q->rest, &posting, &err);
	if (rc == 0) {
		rc = series_badge(store, r, posting, &err);
	} else if (rc == ERR_INPUT) {
		rc = view_trial_of_message(store, q->rest, &trial, &err);
		if (rc == 0)
			rc = trial ? run_badge(store, r, trial, &err) : ERR_INPUT;
	}
	end(q, r, rc, &err);
}
