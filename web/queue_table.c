// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/queue_table.h"

#include "base/clock.h"
#include "base/conf.h"
#include "store/objects.h"

/* Trials take turns at building and booting: of more of them than there are such places, the others
 * wait. */
unsigned queue_places(const struct request *q)
{
	const struct conf *conf = q->opt->conf, defaults = {0};

	return view_queue_places(conf ? conf : &defaults);
}

static void name(struct str *out, const struct view_queued *t)
{
	str_adds(out, "<th scope=\"row\"><a href=\"");
	str_addf(out, t->posting ? "/series/%lld" : "/trial/%lld",
		 (long long)(t->posting ? t->posting : t->trial));
	str_adds(out, "\">");
	html_bdi(out, *t->title ? t->title : "(series not known yet)");
	str_adds(out, "</a>");
	if (t->version > 1)
		str_addf(out, " <span class=\"muted\">v%u</span>", t->version);
	str_adds(out, "<p class=\"meta\">");
	html_bdi(out, t->author);
	if (*t->list) {
		str_adds(out, " &#183; ");
		html_bdi(out, t->list);
	}
	str_adds(out, "</p></th>");
}

/* Steps that are done, and the part of the one at work that it tells. */
static double share_of(const struct view_queued *t)
{
	double part = t->total ? (double)t->done / t->total : 0;

	return t->steps ? ((double)t->steps_done + (part < 1 ? part : 1)) / t->steps : 0;
}

static void progress(struct str *out, const struct view_queued *t)
{
	unsigned at = t->steps_done + (t->steps_done < t->steps);

	str_addf(out,
		 "<td class=\"progress\"><progress max=\"1\" value=\"%.3f\" "
		 "aria-label=\"step %u of %u\"></progress><p class=\"meta\">",
		 share_of(t), at, t->steps);
	if (t->step) {
		str_addf(out, "<a href=\"/trial/%lld/step/", (long long)t->trial);
		percent_encode(out, t->step, false);
		str_adds(out, "\">");
		html_bdi(out, t->step);
		str_adds(out, "</a>");
	} else {
		str_adds(out, "begins");
	}
	str_addf(out, ", step %u of %u", at, t->steps);
	if (t->total)
		str_addf(out, ", %u of %u", t->done, t->total);
	str_adds(out, "<br/><span class=\"note\">");
	html_words(out, t->note, 160);
	str_adds(out, "</span></p></td>");
}

static void running_row(struct str *out, const struct view_queued *t)
{
	str_addf(out, "<tr data-trial=\"%lld\"><td>", (long long)t->trial);
	html_word(out, store_trial_state_name(t->state));
	str_adds(out, "</td>");
	name(out, t);
	progress(out, t);
	str_adds(out, "<td class=\"n\">");
	html_span(out, (double)(clock_wall() - t->started));
	str_adds(out, " so far</td><td class=\"n\">");
	if (t->state == STORE_TRIAL_RUNNING && t->left > 0) {
		str_adds(out, "about ");
		html_span(out, t->left);
		str_adds(out, " left");
	}
	str_addf(out, "</td><td><a href=\"/trial/%lld\">trial %lld</a></td></tr>\n",
		 (long long)t->trial, (long long)t->trial);
}

static void running_table(struct str *out, const struct view_queue *q)
{
	str_adds(out, "<section id=\"running\">\n<h2>Running now</h2>\n");
	if (!q->running) {
		str_adds(out, "<p class=\"empty\">Nothing runs.</p>\n</section>\n");
		return;
	}
	str_adds(out, "<div class=\"wide\"><table class=\"queue\">\n<thead><tr>"
		      "<th scope=\"col\">State</th><th scope=\"col\">Series</th>"
		      "<th scope=\"col\">Progress</th><th scope=\"col\" class=\"n\">Time</th>"
		      "<th scope=\"col\" class=\"n\">Expected</th><th scope=\"col\">Steps</th>"
		      "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < q->running; i++)
		running_row(out, &q->trial[i]);
	str_adds(out, "</tbody></table></div>\n</section>\n");
}

static void waiting_row(struct str *out, const struct view_queued *t, size_t place)
{
	str_addf(out, "<tr><td class=\"n\">%zu</td>", place);
	name(out, t);
	str_addf(out, "<td>%s", store_priority_name(t->priority));
	if (t->attempts)
		str_addf(out, ", begun %u time%s", t->attempts, t->attempts == 1 ? "" : "s");
	str_adds(out, "</td><td class=\"when\">");
	html_when(out, t->queued);
	str_adds(out, "</td><td class=\"n\">");
	if (t->wait >= 1) {
		str_adds(out, "in about ");
		html_span(out, t->wait);
	} else if (t->wait >= 0) {
		str_adds(out, "next");
	}
	str_adds(out, "</td><td class=\"n\">");
	if (t->left > 0) {
		str_adds(out, "takes about ");
		html_span(out, t->left);
	}
	str_addf(out, "</td><td><a href=\"/trial/%lld\">trial %lld</a></td></tr>\n",
		 (long long)t->trial, (long long)t->trial);
}

static void waiting_table(struct str *out, const struct view_queue *q, int64_t waiting)
{
	size_t shown = q->n - q->running;

	str_adds(out, "<section id=\"waiting\">\n<h2>Waiting</h2>\n");
	if (!shown) {
		str_adds(out, "<p class=\"empty\">Nothing waits.</p>\n</section>\n");
		return;
	}
	str_adds(out, "<div class=\"wide\"><table class=\"queue\">\n<thead><tr>"
		      "<th scope=\"col\" class=\"n\">Place</th><th scope=\"col\">Series</th>"
		      "<th scope=\"col\">Why</th><th scope=\"col\">Since</th>"
		      "<th scope=\"col\" class=\"n\">Begins</th>"
		      "<th scope=\"col\" class=\"n\">Expected</th><th scope=\"col\">Steps</th>"
		      "</tr></thead>\n<tbody>\n");
	for (size_t i = q->running; i < q->n; i++)
		waiting_row(out, &q->trial[i], i - q->running + 1);
	str_adds(out, "</tbody></table></div>\n");
	if (waiting > (int64_t)shown)
		str_addf(out, "<p class=\"note\"><a href=\"/?state=waiting\">%lld more</a></p>\n",
			 (long long)waiting - (int64_t)shown);
	str_adds(out, "</section>\n");
}

void queue_tables(struct str *out, const struct view_queue *q, int64_t waiting)
{
	if (!q->n && !waiting)
		return;
	running_table(out, q);
	waiting_table(out, q, waiting);
}
