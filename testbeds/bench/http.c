// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests to a web server over virtio-net: what `ab -k -c N -n N` says of a server and `vmstat` of
 * its interrupts. Server, client and the wire between two network cards are inside the one machine
 * (guest/http.c), so that no other network has a part in it.
 */
#include "testbeds/bench/bench.h"

#include "base/str.h"
#include "testbeds/bench/http_log.h"
#include "testbeds/bench/sampler.h"
#include "testbeds/bench/stats.h"

/* In count mode a boot repeats to the nanosecond. Else as many as people take for an average. */
#define SAMPLES_COUNT 3
#define SAMPLES_CLOCK 15
#define REQUESTS      1000u
/* What a kernel that only lies elsewhere in memory, or draws other random numbers, may be off by:
 * HTTP.md. */
#define FLOOR 0.001
/* A path that is longer or shorter moves packets into other bursts: interrupts follow by some per
 * cent, either way. */
#define FLOOR_INTERRUPTS 0.05
#define CONNECTIONS_MAX	 900

static const unsigned connections_default[] = {16, 128, 0};

static const char caveat[] =
	"Emulated time counts instructions, it is not time on POWER: it shows the length of the "
	"path of a request through the kernel, both ends and the virtual cards' driver together, "
	"not caches, DMA, interrupt latency or a real network card.";

enum number { TIME, RATE, TRANSFER, INTERRUPT_RATE, INTERRUPTS, SWITCHES, PACKETS, P50, P99, MAX };

static const struct {
	enum number number;
	const char *name, *title, *unit;
	bool higher_is_better;
	double floor; /* 0: shown, not judged */
} rows[] = {
	{TIME, "time-per-request", "time per request", "us", false, FLOOR},
	{RATE, "requests", "requests", "1/s", true, 0},
	{TRANSFER, "transfer", "transfer rate", "KB/s", true, 0},
	{INTERRUPTS, "interrupts-per-request", "interrupts per request", "count", false,
	 FLOOR_INTERRUPTS},
	{INTERRUPT_RATE, "interrupts", "interrupts", "1/s", false, 0},
	{SWITCHES, "switches-per-request", "context switches per request", "count", false, 0},
	{PACKETS, "packets-per-request", "packets sent per request", "count", false, 0},
	{P50, "latency-p50", "latency, median", "us", false, 0},
	{P99, "latency-p99", "latency, 99th percentile", "us", false, 0},
	{MAX, "latency-max", "latency, longest", "us", false, 0},
};

static double number_of(const struct http_log *log, enum number n)
{
	double seconds = log->ns / 1e9;

	switch (n) {
	case TIME: return log->ns / 1e3 / log->requests;
	case RATE: return log->requests / seconds;
	case TRANSFER: return log->bytes / 1024 / seconds;
	case INTERRUPT_RATE: return log->interrupts / seconds;
	case INTERRUPTS: return log->interrupts / log->requests;
	case SWITCHES: return log->switches / log->requests;
	case PACKETS: return log->packets / log->requests;
	case P50: return log->p50_ns / 1e3;
	case P99: return log->p99_ns / 1e3;
	case MAX: break;
	}
	return log->max_ns / 1e3;
}

static void http_read(const struct boot_result *boot, struct sample *ret, const void *ctx)
{
	unsigned connections = *(const unsigned *)ctx;
	struct http_log log;

	if (!http_log_read(boot, &log))
		return;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *name = xasprintf("http/%u/%s", connections, rows[i].name),
			       *title = xasprintf("%s, %u connections", rows[i].title, connections),
			       *group = xasprintf("http/%s", rows[i].name);
		const struct sample_row row = {
			.name = name,
			.title = title,
			.unit = rows[i].unit,
			.higher_is_better = rows[i].higher_is_better,
			.shown_only = rows[i].floor <= 0,
			/* .resolution 0: numbers repeat or they do not. */
			.floor = rows[i].floor,
			.group = group,
			.x_title = "connections",
			.x = connections,
		};

		sample_number(ret, &row, number_of(&log, rows[i].number));
	}
}

static unsigned samples_of(const struct bench_request *req)
{
	if (req->samples)
		return req->samples;
	return req->mode == BENCH_COUNT ? SAMPLES_COUNT : SAMPLES_CLOCK;
}

static int cell_run(struct sampler *s, unsigned connections, struct err *err)
{
	auto_free char *slug = xasprintf("http-%u", connections),
		       *title = xasprintf("http over %u connections", connections),
		       *append = xasprintf("firn.mode=http firn.connections=%u firn.requests=%u",
					   connections, REQUESTS),
		       *only = xasprintf("http/%u/", connections);
	const struct sampler_cell cell = {
		.slug = slug,
		.title = title,
		.boot = {.append = append,
			 /* With more than one CPU, time that counts instructions counts those of
			  * all. */
			 .cpus = s->req->mode == BENCH_COUNT ? 1 : 2,
			 .net = true,
			 .seed = 1},
		.read = http_read,
		.ctx = &connections,
		.only = only,
		.samples = samples_of(s->req),
		.most = 2 * SAMPLES_CLOCK,
	};

	return sampler_run(s, &cell, err);
}

static double mean_of(const struct bench_result *r, unsigned connections, enum number n,
		      bool patched)
{
	const struct bench_metric *m = NULL;

	for (size_t i = 0; i < array_size(rows) && !m; i++) {
		auto_free char *name = xasprintf("http/%u/%s", connections, rows[i].name);

		if (rows[i].number == n)
			m = bench_result_metric(r, name);
	}
	if (!m)
		return 0;
	return patched ? stats_of(m->patched.sample, m->patched.n).mean
		       : stats_of(m->base.sample, m->base.n).mean;
}

/* As the list's mails have it, in ab's words: the average of the runs. */
static void table_add(struct bench_result *r, const unsigned *connections)
{
	static const char *const heads[] = {
		"connections", "kernel",	"time per request (mean, concurrent)",
		"requests",    "transfer rate", "interrupts"};
	struct bench_table *t =
		bench_result_add_table(r, "http, average of the runs", heads, array_size(heads));

	for (; *connections; connections++)
		for (int patched = 0; patched < 2; patched++) {
			double time = mean_of(r, *connections, TIME, patched);

			if (time <= 0)
				continue;
			bench_table_add(t, "%u", *connections);
			bench_table_add(t, "%s", patched ? "patched" : "base");
			bench_table_add(t, "%.5f ms", time / 1e3);
			bench_table_add(t, "%.0f/s", mean_of(r, *connections, RATE, patched));
			bench_table_add(t, "%.0f KB/s",
					mean_of(r, *connections, TRANSFER, patched));
			bench_table_add(t, "%.0f/s",
					mean_of(r, *connections, INTERRUPT_RATE, patched));
		}
	t->note = xasprintf("%u requests over connections that are kept, answers of 11 KiB; time "
			    "is the guest's",
			    REQUESTS);
}

static int sizes_check(const unsigned *connections, struct err *err)
{
	for (; *connections; connections++)
		if (*connections > CONNECTIONS_MAX)
			return err_set(err, ERR_CONFIG, "http over %u connections: at most %d",
				       *connections, CONNECTIONS_MAX);
	return 0;
}

static int http_run(const struct bench_request *req, struct bench_result *ret, struct err *err)
{
	const unsigned *connections = req->sizes ? req->sizes : connections_default, *n;
	struct bench_result r = {.caveat = xstrdup(caveat)};
	struct sampler s;
	int rc = sizes_check(connections, err);

	sampler_init(&s, req);
	for (n = connections; *n; n++)
		sampler_expect(&s, 2 * samples_of(req));
	for (n = connections; *n && rc == 0; n++)
		rc = cell_run(&s, *n, err);
	if (rc == 0) {
		sampler_judge(&s, &r);
		table_add(&r, connections);
	}
	sampler_done(&s);
	if (rc < 0) {
		bench_result_done(&r);
		return rc;
	}
	*ret = r;
	return 0;
}

const struct bench bench_http = {
	.name = "http",
	.summary = "requests to a web server over virtio-net, and the interrupts they take",
	.needs = TESTBED_BOOT | TESTBED_NET,
	.fragment = "net.config",
	.sizes = "connections",
	.run = http_run,
};
