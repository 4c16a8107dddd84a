// SPDX-License-Identifier: GPL-2.0-or-later
/* /series/ID/patch/N: a patch with what was found at its lines; 0 is the cover letter. */
#include "base/json.h"
#include "report/escape.h"
#include "store/mails.h"
#include "store/views.h"
#include "web/html.h"
#include "web/patch_html.h"
#include "web/report_file.h"
#include "web/work_file.h"
#include <microhttpd.h>

#define TEXT_MAX    (8 << 20)
#define TRIALS_SEEN 5 /* that are looked at for a report */
#define LIVES_S	    60

struct patch_view {
	const struct request *q;
	struct store *store;
	struct store_posting posting;
	const struct store_posting_patch *patch;
	struct store_trial trial; /* id 0: there is no report */
	json_t *report;
	struct str text;
	bool exact; /* it is the text that the checkers read */
};

static void view_done(struct patch_view *v)
{
	store_posting_done(&v->posting);
	store_trial_done(&v->trial);
	json_decref(v->report);
	str_done(&v->text);
}

/* One that is gone or cannot be used is as none: the patch can be shown without. */
static bool report_use(struct patch_view *v, int64_t trial)
{
	auto_store_trial struct store_trial t = {0};
	struct err ignored = ERR_INIT;

	if (store_trial_get(v->store, trial, &t, &ignored) < 0 || !t.report ||
	    report_file_read(v->q, t.report, &v->report, &ignored) < 0)
		return false;
	v->trial = t;
	t = (struct store_trial){0};
	return true;
}

/* Of the newest trial that has one. */
static int report_find(struct patch_view *v, struct err *err)
{
	auto_view_series_list struct view_series_list trials = {0};
	int rc = view_trials(v->store, v->posting.id, &trials, err);

	for (size_t i = 0; rc == 0 && i < trials.n && i < TRIALS_SEEN; i++)
		if (report_use(v, trials.row[i].trial))
			break;
	return rc;
}

static const json_t *report_patch(const struct patch_view *v)
{
	const json_t *list = json_object_get(json_object_get(v->report, "series"), "patches");
	const json_t *patch;
	size_t i;

	json_array_foreach (list, i, patch)
		if (json_integer_value(json_object_get(patch, "number")) == v->patch->number &&
		    strcmp(json_get_str(patch, "message_id", ""), v->patch->message_id) == 0)
			return patch;
	return NULL;
}

/* The text in the work folder, if the trial was of this very mail and kept it. */
static bool text_kept(struct patch_view *v)
{
	const char *name = json_get_str(report_patch(v), "text", "");
	int64_t size = 0;
	auto_fd int fd = v->trial.work_dir && str_starts(name, "patches/")
				 ? work_open(v->trial.work_dir, name, &size)
				 : -1;

	if (fd < 0 || size > TEXT_MAX)
		return false;
	if (work_read(fd, 0, (size_t)size, &v->text))
		return true;
	str_reset(&v->text);
	return false;
}

/* Else the mail as it came. */
static int text_mail(struct patch_view *v, struct err *err)
{
	auto_store_mail_list struct store_mail_list mails = {0};
	int rc = store_mail_list_by_id(v->store, v->patch->message_id, &mails, err);

	for (size_t i = 0; rc == 0 && i < mails.n; i++) {
		const struct store_mail *m = &mails.mail[i];

		if (m->id != v->patch->mail || !m->raw)
			continue;
		str_add(&v->text, m->raw, m->raw_len < TEXT_MAX ? m->raw_len : TEXT_MAX);
	}
	return rc;
}

static void place_link(struct str *out, const struct patch_view *v, unsigned number)
{
	str_addf(out, "<a href=\"/series/%lld/patch/%u\"", (long long)v->posting.id, number);
	if (number == v->patch->number)
		str_adds(out, " aria-current=\"page\"");
	if (number)
		str_addf(out, ">%u</a> ", number);
	else
		str_adds(out, ">cover</a> ");
}

/* The whole series in a line; of a long one the ends and what is near. */
static void places(struct str *out, const struct patch_view *v)
{
	unsigned here = v->patch->number;
	bool gap = false;

	if (v->posting.n_patches < 2)
		return;
	str_adds(out, "<nav class=\"patches-nav\" aria-label=\"Patches of this series\">");
	for (size_t i = 0; i < v->posting.n_patches; i++) {
		unsigned n = v->posting.patch[i].number;
		bool shown =
			i < 2 || i + 2 > v->posting.n_patches || (n + 8 >= here && n <= here + 8);

		if (shown)
			place_link(out, v, n);
		else if (!gap)
			str_adds(out, "&#8230; ");
		gap = !shown;
	}
	str_adds(out, "</nav>\n");
}

static void neighbours(struct str *out, const struct patch_view *v)
{
	size_t i = (size_t)(v->patch - v->posting.patch);

	str_adds(out, "<nav class=\"pager\" aria-label=\"Patch before and after\">");
	if (i > 0)
		str_addf(out, "<a rel=\"prev\" href=\"/series/%lld/patch/%u\">&#8592; before</a> ",
			 (long long)v->posting.id, v->posting.patch[i - 1].number);
	if (i + 1 < v->posting.n_patches)
		str_addf(out, "<a rel=\"next\" href=\"/series/%lld/patch/%u\">next &#8594;</a>",
			 (long long)v->posting.id, v->posting.patch[i + 1].number);
	str_adds(out, "</nav>\n");
}

static void head(struct str *out, const struct patch_view *v)
{
	unsigned n = v->patch->number;

	str_addf(out,
		 "<nav class=\"crumbs\" aria-label=\"Where this is\"><a href=\"/\">Series</a> / <a "
		 "href=\"/series/%lld\">series %lld</a> / ",
		 (long long)v->posting.id, (long long)v->posting.id);
	str_addf(out, n ? "patch %u</nav>\n" : "cover letter</nav>\n", n);
	str_adds(out, "<header>\n<h1>");
	html_bdi(out, v->patch->subject);
	str_adds(out, "</h1>\n<p class=\"meta\">");
	if (n)
		str_addf(out, "patch %u of %u, ", n, v->posting.total);
	html_bdi(out, v->posting.author_name);
	str_adds(out, ", ");
	html_message_id(out, v->patch->message_id);
	str_adds(out, "</p>\n");
	places(out, v);
	str_adds(out, "</header>\n");
}

/* One sentence for each thing that builds of this patch say. */
static void build_line(struct str *out, const char *word, const char *words, const char *rows)
{
	if (!rows)
		return;
	str_adds(out, "<p>");
	html_word(out, word);
	str_addf(out, " %s <b>", words);
	html_str(out, rows);
	str_adds(out, "</b></p>\n");
}

static void builds_words(struct str *out, const struct patch_view *v, const struct patch_notes *n)
{
	build_line(out, "fail", "With this patch the kernel does not build:", n->broken);
	build_line(out, "fail", "A patch before this one broke, and this does not mend, the build:",
		   n->still_broken);
	build_line(out, "warn", "It brings warnings to the build:", n->noisy);
	if (n->built && !n->broken && !n->still_broken && !n->noisy) {
		str_adds(out, "<p>");
		html_word(out, "pass");
		str_addf(out, " It builds without new warnings, in %zu configuration%s.</p>\n",
			 n->built, n->built == 1 ? "" : "s");
	}
	if (!n->built && json_array_size(json_object_get(v->report, "builds")))
		str_adds(out, "<p class=\"note\">What builds with this patch as the last one was "
			      "not tried; see the build of the series.</p>\n");
}

static void trial_words(struct str *out, const struct patch_view *v, const struct patch_notes *n)
{
	if (!v->report) {
		str_adds(out, "<p class=\"note\">No trial of this series has a report: nothing "
			      "was found yet, and nothing is known to be good.</p>\n");
		return;
	}
	str_addf(out,
		 "<p>%zu finding%s of checkers in <a href=\"/trial/%lld\">trial %lld</a>%s</p>\n",
		 n->checked, n->checked == 1 ? "" : "s", (long long)v->trial.id,
		 (long long)v->trial.id,
		 report_patch(v)
			 ? "."
			 : ", which was of an earlier mail with this number: lines may differ.");
	builds_words(out, v, n);
}

static void text_words(struct str *out, const struct patch_view *v, const struct patch_lines *p)
{
	if (!v->exact)
		str_adds(out, "<p class=\"note\">The mail as it came: the text that was checked is "
			      "not kept. Findings stand at lines only where a file's line "
			      "tells.</p>\n");
	if (p->left_out)
		str_addf(out,
			 "<p class=\"note\">The first %zu lines; %zu more are in <a "
			 "href=\"/series/%lld/patch/%u/raw\">the text</a>.</p>\n",
			 p->n, p->left_out, (long long)v->posting.id, v->patch->number);
	else
		str_addf(
			out,
			"<p class=\"meta\"><a href=\"/series/%lld/patch/%u/raw\">as text</a></p>\n",
			(long long)v->posting.id, v->patch->number);
}

static void diff_section(struct str *out, const struct patch_view *v)
{
	auto_patch_lines struct patch_lines lines = {0};
	auto_patch_notes struct patch_notes notes = {0};

	patch_lines_read(v->text.buf, v->text.len, &lines);
	patch_notes_read(v->report, v->patch->number, &lines, v->exact, &notes);
	str_adds(out, "<section id=\"findings\">\n<h2>Findings</h2>\n");
	trial_words(out, v, &notes);
	patch_html_notes(out, &lines, &notes);
	str_adds(out, "</section>\n<section id=\"diff\">\n<h2>Patch</h2>\n");
	patch_html_files(out, &lines);
	text_words(out, v, &lines);
	if (v->text.len)
		patch_html_lines(out, &lines, &notes);
	else
		str_adds(out, "<p>The mail is not here any more: its archive took it back.</p>\n");
	str_adds(out, "</section>\n");
}

/* Decoded, if intake kept it so; else the mail. */
static int cover_section(struct str *out, struct patch_view *v, struct err *err)
{
	auto_free char *cover = NULL;
	auto_json json_t *since = NULL;
	int rc = view_posting_text(v->store, v->posting.id, &cover, &since, err);

	if (rc < 0)
		return rc;
	str_adds(out, "<section id=\"cover\">\n<h2>Cover letter</h2>\n");
	if (cover && *cover)
		html_open(out, "pre class=\"mail\"", cover);
	else {
		str_adds(out, "<p class=\"note\">The mail as it came.</p>\n<pre class=\"mail\">");
		html_text(out, v->text.buf, v->text.len);
		str_adds(out, "</pre>\n");
	}
	str_adds(out, "</section>\n");
	return 0;
}

static int page(struct str *out, struct patch_view *v, struct err *err)
{
	int rc = 0;

	page_begin(out,
		   &(struct page){.title = v->patch->subject, .section = PAGE_SERIES, .q = v->q});
	head(out, v);
	if (v->patch->number)
		diff_section(out, v);
	else
		rc = cover_section(out, v, err);
	neighbours(out, v);
	page_end(out, v->q);
	return rc;
}

static const struct store_posting_patch *patch_find(const struct store_posting *p, int64_t number)
{
	for (size_t i = 0; i < p->n_patches; i++)
		if (p->patch[i].number == number)
			return &p->patch[i];
	return NULL;
}

/* False when it answered. */
static bool view_read(const struct request *q, struct response *r, struct patch_view *v)
{
	struct err err = ERR_INIT;
	int rc;

	str_init(&v->text, TEXT_MAX);
	if (respond_store(q, r, &v->store) < 0)
		return false;
	rc = store_posting_get(v->store, q->id, &v->posting, &err);
	if (rc == 0)
		v->patch = patch_find(&v->posting, q->id2);
	if (rc == ERR_INPUT || (rc == 0 && !v->patch)) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "There is no such patch: no series of that number, or the patch has "
			      "not come.");
		return false;
	}
	if (rc == 0)
		rc = report_find(v, &err);
	if (rc == 0) {
		v->exact = text_kept(v);
		rc = v->exact ? 0 : text_mail(v, &err);
	}
	if (rc < 0)
		respond_failure(q, r, &err, "The patch cannot be read.");
	return rc == 0;
}

void page_patch(const struct request *q, struct response *r)
{
	struct patch_view v = {.q = q};
	struct err err = ERR_INIT;

	if (view_read(q, r, &v)) {
		r->lives_s = LIVES_S;
		if (page(&r->body, &v, &err) < 0)
			respond_failure(q, r, &err, "The patch cannot be read.");
	}
	view_done(&v);
}

void page_patch_raw(const struct request *q, struct response *r)
{
	struct patch_view v = {.q = q};

	if (view_read(q, r, &v)) {
		str_add(&r->body, v.text.buf, v.text.len);
		r->type = "text/plain; charset=utf-8";
		r->csp = xstrdup("default-src 'none'; sandbox; frame-ancestors 'none'");
		r->disposition = xasprintf("inline; filename=\"firn-series-%lld-%lld.txt\"",
					   (long long)q->id, (long long)q->id2);
	}
	view_done(&v);
}
