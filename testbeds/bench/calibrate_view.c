// SPDX-License-Identifier: GPL-2.0-or-later
/* A calibration for people and for programs. */
#include "testbeds/bench/calibrate.h"

#include "base/clock.h"
#include "base/json.h"
#include "testbeds/bench/stats.h"
#include <math.h>

static const char *const state_names[] = {
	[CALIBRATE_SHOWN] = "shown", [CALIBRATE_OPEN] = "open", [CALIBRATE_MISSED] = "missed"};

static double percent(unsigned k, unsigned n)
{
	return n ? 100.0 * k / n : 0;
}

/* "+1.003 % (+1.002 to +1.004)" */
static char *change_words(const struct calibrate_count *c)
{
	struct stats s = stats_of(c->change, c->n_changes);

	if (!s.n)
		return xstrdup("-");
	return xasprintf("%+.3f %% (%+.3f to %+.3f)", s.median * 100, s.min * 100, s.max * 100);
}

static void text_alarm_row(const char *name, const char *metric, unsigned k, unsigned n,
			   struct str *out)
{
	str_addf(out, "  %-14s %-28s %5u %6u %6.2f %% %6.2f %%", name, metric, n, k, percent(k, n),
		 calibrate_upper(k, n, CALIBRATE_LEVEL) * 100);
}

static void text_alarms_of(const struct calibrate_row *row, struct str *out)
{
	for (size_t i = 0; i < row->n_counts; i++) {
		const struct calibrate_count *c = &row->count[i];
		auto_free char *change = change_words(c);

		text_alarm_row(row->name, c->name, c->runs - c->word[BENCH_UNCHANGED], c->runs,
			       out);
		str_addf(out, " %9u  %s\n", c->word[BENCH_UNDECIDED], change);
	}
	text_alarm_row(row->name, "any", row->hits, row->runs, out);
	str_adds(out, "\n");
}

static void text_alarms(const struct calibrate_result *r, struct str *out)
{
	unsigned rows = 0, runs = 0, hits = 0;

	str_addf(out,
		 "Nothing changed: any word but \"unchanged\" is a false alarm\n"
		 "  %-14s %-28s %5s %6s %8s %8s %9s  %s\n",
		 "patched is", "metric", "runs", "alarms", "rate", "at most", "undecided",
		 "measured change: median (least to most)");
	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->row[i].share != 0)
			continue;
		text_alarms_of(&r->row[i], out);
		rows++;
		runs += r->row[i].runs;
		hits += r->row[i].hits;
	}
	if (rows > 1) {
		text_alarm_row("all", "any", hits, runs, out);
		str_adds(out, "\n");
	}
}

/* What a metric shows of a share of time: a rate falls by less than the time grows. */
static double expected_of(double share, bool lower_is_better)
{
	return lower_is_better ? share : 1 / (1 + share) - 1;
}

static void text_detection_of(const struct calibrate_row *row, struct str *out)
{
	for (size_t i = 0; i < row->n_counts; i++) {
		const struct calibrate_count *c = &row->count[i];
		unsigned k = c->word[BENCH_SLOWER];
		auto_free char *change = change_words(c);

		if (!c->planted)
			continue;
		str_addf(out, "  %-14s %-28s %5u %6u %6.2f %% %6.2f %% %+7.3f %%  %s\n", row->name,
			 c->name, c->runs, k, percent(k, c->runs),
			 calibrate_lower(k, c->runs, CALIBRATE_LEVEL) * 100,
			 expected_of(row->share, c->lower_is_better) * 100, change);
	}
}

static void text_detection(const struct calibrate_result *r, struct str *out)
{
	bool headed = false;

	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->row[i].share == 0)
			continue;
		if (!headed)
			str_addf(out,
				 "\nMade slower by a known share: \"slower\" is right\n"
				 "  %-14s %-28s %5s %6s %8s %8s %9s  %s\n",
				 "patched is", "metric", "runs", "seen", "rate", "at least",
				 "planted", "measured change: median (least to most)");
		headed = true;
		text_detection_of(&r->row[i], out);
	}
}

static void text_boots(const struct calibrate_result *r, struct str *out)
{
	char all[CLOCK_SPAN_MAX];
	unsigned runs = 0, spoilt = 0;

	for (size_t i = 0; i < r->n_rows; i++) {
		runs += r->row[i].runs + r->row[i].spoilt;
		spoilt += r->row[i].spoilt;
	}
	str_addf(out, "\nBoots:  %u made, %u reached their end: %.2f %%, at least %.2f %%\n",
		 r->boots, r->good, percent(r->good, r->boots),
		 calibrate_lower(r->good, r->boots, CALIBRATE_LEVEL) * 100);
	str_addf(out, "Spoilt: %u of %u runs came to no judgement%s%s\n", spoilt, runs,
		 r->trouble ? "; the last: " : "", r->trouble ? r->trouble : "");
	str_addf(out, "Time:   %.1f s for each of %u runs, %s in all\n",
		 runs ? r->seconds / runs : 0, runs, clock_span(r->seconds, all));
}

static void text_aim(const struct calibrate_aim *aim, struct str *out)
{
	bool alarms = aim->alarms;

	str_addf(out, "  %-6s %s: %u of %u, %s %.2f %%", state_names[aim->state], aim->what, aim->k,
		 aim->n, alarms ? "at most" : "at least", aim->bound * 100);
	if (aim->state == CALIBRATE_OPEN)
		str_addf(out, "; %u runs without a %s would show it",
			 calibrate_runs_for(alarms ? CALIBRATE_ALARMS : 1 - CALIBRATE_DETECTION,
					    CALIBRATE_LEVEL),
			 alarms ? "false alarm" : "miss");
	str_adds(out, "\n");
}

void calibrate_text(const struct calibrate_result *r, enum bench_mode mode, struct str *out)
{
	struct calibrate_aims aims;

	text_alarms(r, out);
	text_detection(r, out);
	text_boots(r, out);
	calibrate_aims_make(r, mode, &aims);
	if (aims.n)
		str_adds(out, "Aims:\n");
	for (size_t i = 0; i < aims.n; i++)
		text_aim(&aims.aim[i], out);
	calibrate_aims_done(&aims);
}

static json_t *json_finite(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *json_count(const struct calibrate_count *c, double share)
{
	struct stats s = stats_of(c->change, c->n_changes);
	json_t *o =
		json_pack("{s:o, s:I}", "name", json_text(c->name), "runs", (json_int_t)c->runs);

	for (int w = BENCH_UNCHANGED; w <= BENCH_UNDECIDED; w++)
		json_object_set_new(o, bench_word_name((enum bench_word)w),
				    json_integer(c->word[w]));
	json_object_set_new(o, "expected",
			    c->planted ? json_real(expected_of(share, c->lower_is_better))
				       : json_null());
	json_object_set_new(o, "change",
			    s.n ? json_pack("{s:o, s:o, s:o}", "median", json_finite(s.median),
					    "least", json_finite(s.min), "most", json_finite(s.max))
				: json_null());
	return o;
}

static json_t *json_row(const struct calibrate_row *row)
{
	json_t *metrics = json_array();

	for (size_t i = 0; i < row->n_counts; i++)
		json_array_append_new(metrics, json_count(&row->count[i], row->share));
	return json_pack("{s:o, s:f, s:I, s:I, s:I, s:o}", "name", json_text(row->name), "share",
			 row->share, "runs", (json_int_t)row->runs, "spoilt",
			 (json_int_t)row->spoilt, "hits", (json_int_t)row->hits, "metrics",
			 metrics);
}

static json_t *json_aims(const struct calibrate_result *r, enum bench_mode mode)
{
	struct calibrate_aims aims;
	json_t *list = json_array();

	calibrate_aims_make(r, mode, &aims);
	for (size_t i = 0; i < aims.n; i++) {
		const struct calibrate_aim *a = &aims.aim[i];

		json_array_append_new(list,
				      json_pack("{s:o, s:I, s:I, s:f, s:f, s:s}", "what",
						json_text(a->what), "k", (json_int_t)a->k, "n",
						(json_int_t)a->n, "rate", a->rate, "bound",
						a->bound, "state", state_names[a->state]));
	}
	calibrate_aims_done(&aims);
	return list;
}

json_t *calibrate_json(const struct calibrate_result *r, enum bench_mode mode)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < r->n_rows; i++)
		json_array_append_new(rows, json_row(&r->row[i]));
	return json_pack(
		"{s:I, s:s, s:I, s:I, s:f, s:{s:I, s:I, s:f}, s:f, s:o, s:o, s:o}", "version",
		(json_int_t)1, "mode", mode == BENCH_COUNT ? "count" : "clock", "wanted",
		(json_int_t)r->wanted, "runs", (json_int_t)r->runs, "level", CALIBRATE_LEVEL,
		"boots", "made", (json_int_t)r->boots, "good", (json_int_t)r->good, "at_least",
		calibrate_lower(r->good, r->boots, CALIBRATE_LEVEL), "seconds", r->seconds,
		"trouble", json_text(r->trouble), "comparisons", rows, "aims", json_aims(r, mode));
}
