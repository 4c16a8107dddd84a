// SPDX-License-Identifier: GPL-2.0-or-later
/* /: how the service is, what runs, what waits, and the newest verdicts. */
#include "base/clock.h"
#include "web/link_parse.h"
#include "web/links.h"
#include "web/queue_table.h"
#include "web/series_table.h"
#include <microhttpd.h>

/* What comes after these, /?state=waiting has. */
#define QUEUE_MAX 12
#define REFRESH_S 30
#define STALE_S	  3600
#define LIVES_S	  5

/* What somebody has to see to, most urgent first; NULL: nothing. */
static const char *trouble(const struct view_health *h)
{
	if (h->testbeds && h->testbeds_out == h->testbeds)
		return "No testbed takes boots.";
	if (h->sources && h->sources_bad == h->sources)
		return "No source answers.";
	if (h->sources && h->good && clock_wall() - h->good > STALE_S)
		return "No source has answered for an hour.";
	if (h->testbeds_out)
		return "A testbed is out.";
	if (h->sources_bad)
		return "A source does not answer.";
	if (h->failed)
		return "Something could not be sent.";
	return NULL;
}

static void count(struct str *out, int64_t n, const char *what, const char *path)
{
	str_addf(out, ", <a href=\"%s\">%lld %s</a>", path, (long long)n, what);
}

static void health_line(struct str *out, const struct view_health *h)
{
	const char *bad = trouble(h);

	str_addf(out, "<p class=\"health %s\">", bad ? "warn" : "pass");
	html_word(out, bad ? "warn" : "pass");
	str_addf(out, " %s ", bad ? bad : "All is well.");
	str_addf(out,
		 "<span class=\"muted\"><a href=\"/#running\">%lld running</a>, "
		 "<a href=\"/#waiting\">%lld waiting</a>",
		 (long long)h->running, (long long)h->waiting);
	if (h->incomplete)
		count(out, h->incomplete, "incomplete", "/?state=incomplete");
	if (h->held)
		count(out, h->held, "held for approval", "/outbox?show=held");
	if (h->failed)
		count(out, h->failed, "not sent", "/outbox?show=failed");
	if (h->testbeds)
		str_addf(out, ", <a href=\"/testbeds\">%lld of %lld testbeds good</a>",
			 (long long)(h->testbeds - h->testbeds_out), (long long)h->testbeds);
	if (h->sources) {
		str_adds(out, ", sources answered ");
		html_when(out, h->good);
	}
	str_adds(out, "</span></p>\n");
}

/* What was searched for is one thing, not words. False: it is words. */
static bool unknown_thing(struct str *out, const struct request *q, const char *text)
{
	__attribute__((cleanup(link_parsed_done))) struct link_parsed link;

	link_parse(text, &link);
	if (link.kind == LINK_MESSAGE) {
		str_adds(out, "<p class=\"empty\">No mail with the Message-ID <code>");
		html_cut(out, link.message_id, 1000);
		str_adds(out, "</code> is known here, and it is nobody's name. ");
		links_archives(out, q, link.message_id);
	} else if (link.host) {
		str_adds(out, "<p class=\"empty\">What this link leads to is not known here. ");
	} else {
		return false;
	}
	str_adds(out, "<a href=\"/\">All series</a></p>\n");
	return true;
}

static void empty(struct str *out, const struct request *q, const struct view_filter *f,
		  const struct view_health *h)
{
	if (unknown_thing(out, q, f->text))
		return;
	if (series_filtered(f) || *f->list || f->before)
		str_adds(out, "<p class=\"empty\">Nothing is like that. <a href=\"/\">All "
			      "series</a></p>\n");
	else if (h->running || h->waiting)
		str_adds(out, "<p class=\"empty\">No verdict yet: the first trial is under "
			      "way.</p>\n");
	else
		str_adds(out, "<p class=\"empty\">No trials here yet. Try a series with <code>firn "
			      "run SERIES --tree TREE</code>, or follow a list with <code>firn "
			      "serve</code>.</p>\n");
}

struct front {
	bool whole; /* nothing is filtered, and it is the newest page */
	struct view_filter filter;
	struct view_health health;
	struct view_queue queue;
	struct view_series_list verdicts;
};

static void front_done(struct front *f)
{
	view_queue_done(&f->queue);
	view_series_list_done(&f->verdicts);
}

static int front_read(struct store *s, const struct request *q, struct front *f, struct err *err)
{
	int rc = view_health(s, &f->health, err);

	if (rc == 0 && f->whole)
		rc = view_queue(s, QUEUE_MAX, queue_places(q), &f->queue, err);
	return rc < 0 ? rc : view_verdicts(s, &f->filter, &f->verdicts, err);
}

static void front_write(struct str *out, const struct request *q, const struct front *f)
{
	const struct view_series_list *l = &f->verdicts;

	page_begin(out, &(struct page){.title = "Kernel patch series",
				       .section = PAGE_SERIES,
				       .q = q,
				       .refresh_s = f->whole ? REFRESH_S : 0,
				       .events = f->whole ? "/events" : NULL});
	str_adds(out, "<h1>Kernel patch series</h1>\n");
	health_line(out, &f->health);
	if (f->whole)
		queue_tables(out, &f->queue, f->health.waiting);
	str_addf(out, "<section id=\"verdicts\">\n<h2>%s</h2>\n",
		 f->whole ? "Latest verdicts" : "Series");
	series_form(out, &f->filter, "/", NULL);
	series_table(out, l);
	if (!l->n)
		empty(out, q, &f->filter, &f->health);
	html_pager(out, q, "/", l->more ? view_key(&f->filter, &l->row[l->n - 1]) : 0);
	str_adds(out, "</section>\n");
	page_end(out, q);
}

void page_front(const struct request *q, struct response *r)
{
	__attribute__((cleanup(front_done))) struct front f = {.filter = series_filter(q)};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	f.whole = !series_filtered(&f.filter) && !*f.filter.list && !f.filter.before;
	if (*f.filter.state && !view_state_known(f.filter.state)) {
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "There is no such state.");
		return;
	}
	if (respond_store(q, r, &store) < 0)
		return;
	if (front_read(store, q, &f, &err) < 0) {
		respond_failure(q, r, &err, "The series cannot be read.");
		return;
	}
	r->lives_s = LIVES_S;
	front_write(&r->body, q, &f);
}
