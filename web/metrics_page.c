// SPDX-License-Identifier: GPL-2.0-or-later
/* /metrics: what the store knows in numbers, and what this server does. */
#include "store/metrics.h"

#include "base/clock.h"
#include "store/views.h"
#include "web/conns.h"
#include "web/response.h"

/* The store is counted at most so often, however many ask, and in at most one part in SHARE of the
 * time. */
#define COUNT_S 10
#define SHARE	100

static void gauge(struct str *out, const char *name, const char *help, double value)
{
	metrics_family(out, name, "gauge", help);
	metrics_sample(out, name, NULL, value);
}

/* What somebody may have to see to; the rest of these families takes long. */
static int trouble(struct store *s, struct str *out, struct err *err)
{
	struct view_health h;
	int rc = view_health(s, &h, err);

	if (rc < 0)
		return rc;
	gauge(out, "firn_postings_incomplete", "Series that lack patches.", (double)h.incomplete);
	gauge(out, "firn_outbox_held", "Posts that wait for approval.", (double)h.held);
	gauge(out, "firn_outbox_failed", "Posts that could not be sent.", (double)h.failed);
	return 0;
}

static int store_count(struct store *s, struct counts *c, struct err *err)
{
	double begin = clock_mono(), took;
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	if (c->store && begin < c->next)
		return 0;
	rc = store_metrics_quick(s, &text, err);
	if (rc == 0)
		rc = trouble(s, &text, err);
	if (rc < 0)
		return rc;
	free(c->store);
	c->store = str_take(&text);
	took = clock_mono() - begin;
	c->next = begin + (took * SHARE > COUNT_S ? took * SHARE : COUNT_S);
	return 0;
}

static void own(struct str *out, const struct counts *c)
{
	static const char answers[] = "firn_web_answers_total";

	metrics_family(out, answers, "counter", "Answers of the web server, by status.");
	for (unsigned i = 0; i < COUNTS_STATUS; i++) {
		char status[8];
		const char *label[] = {"status", status, NULL};

		snprintf(status, sizeof(status), "%u", i);
		if (c->answers[i])
			metrics_sample(out, answers, label, (double)c->answers[i]);
	}
	gauge(out, "firn_web_connections", "Open connections, streams among them.",
	      (double)c->conns->n);
	gauge(out, "firn_web_streams", "Open streams of events.", (double)c->conns->streams);
}

void page_metrics(const struct request *q, struct response *r)
{
	static const char *const version[] = {"version", FIRN_VERSION, NULL};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (store_count(store, q->counts, &err) < 0) {
		respond_failure(q, r, &err, "The store cannot be counted.");
		return;
	}
	r->type = "text/plain; version=0.0.4; charset=utf-8";
	metrics_family(&r->body, "firn_build_info", "gauge", "The firn that tells this.");
	metrics_sample(&r->body, "firn_build_info", version, 1);
	str_adds(&r->body, q->counts->store);
	own(&r->body, q->counts);
}
