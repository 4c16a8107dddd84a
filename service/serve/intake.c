// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/intake.h"

#include "base/clock.h"
#include "base/log.h"
#include <math.h>

/* Patchwork has a mail some seconds after the archive. */
#define SOON_S 5.0

/* The numbers under which Patchwork knows what just came are wanted now: checks are posted by them.
 */
static void patchwork_soon(struct intake *in)
{
	double soon = clock_mono() + SOON_S;

	for (size_t i = 0; i < in->n_sources; i++)
		if (in->source[i].is_patchwork && !in->source[i].failures)
			in->source[i].due = fmin(in->source[i].due, soon);
}

/* All sources that are due, then what they brought; then what an older firn has left out, of which
 * there may be more. */
static int round_run(struct intake *in, bool *ret_more, struct err *err)
{
	struct settle st = {
		.conf = in->env->conf, .store = in->env->store, .on_tick = intake_tick, .ctx = in};
	int rc = 0;

	for (size_t i = 0; i < in->n_sources && rc == 0; i++)
		if (in->source[i].due <= clock_mono())
			rc = intake_source_look(in, &in->source[i], err);
	if (rc == 0)
		rc = intake_settle(&st, err);
	if (st.settled)
		patchwork_soon(in);
	if (st.settled)
		log_info("%zu mails settled, %zu series", st.settled, st.postings);
	return rc < 0 ? rc : intake_fill(&st, &in->fill, ret_more, err);
}

static double next_due(const struct intake *in)
{
	double due = INFINITY;

	for (size_t i = 0; i < in->n_sources; i++)
		due = fmin(due, in->source[i].due);
	return due;
}

/* Others write to the store all the time: that is no reason to look at a source. */
static bool wait_for(const struct role_env *env, double until)
{
	bool go = true;

	while (go && clock_mono() < until)
		go = role_wait(env, until);
	return go;
}

static int loop(struct intake *in, struct err *err)
{
	bool more = false;
	int rc;

	do {
		rc = round_run(in, &more, err);
		if (rc < 0 || (in->env->once && !more))
			break;
	} while (wait_for(in->env, more ? clock_mono() + FILL_PAUSE_S
					: fmin(next_due(in), clock_mono() + 3600)));
	return rc == ERR_CANCELLED ? 0 : rc;
}

static int run(const struct role_env *env, struct err *err)
{
	struct intake in = {.env = env};
	const struct http_options opt = {.contact = conf_str(env->conf, CONF_HTTP_CONTACT),
					 .on_tick = intake_tick,
					 .ctx = &in};
	int rc = http_new(&opt, &in.http, err);

	if (rc == 0)
		rc = intake_sources_make(&in, err);
	if (rc == 0)
		rc = loop(&in, err);
	intake_done(&in);
	return rc;
}

const struct role role_intake = {
	.name = "intake",
	.summary = "follow the lists, and sort what comes into series",
	.run = run,
};
