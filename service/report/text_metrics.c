// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"
#include "report/metric.h"
#include "report/text_view.h"

/* One absurd name may not push the numbers out of everybody's sight. */
#define TITLE_COLUMNS 48
#define UNIT_COLUMNS  12

static const char *const heads[] = {"", "unit", "base",	  "patched",  "change",
				    "", "n",	"spread", "seen from"};
static const char align[] = "llrrrlrrr";

/* "none" once when both sides agree, "0.4 %, 0.6 %" otherwise. */
static void spread_cell(struct text_table *t, const struct metric *m)
{
	char base[NUMBER_MAX], patched[NUMBER_MAX];
	auto_free char *both =
		xasprintf("%s, %s", spread_text(&m->base, base), spread_text(&m->patched, patched));

	text_table_add(t, strcmp(base, patched) == 0 ? base : both);
}

static void metric_row(struct text_table *t, const json_t *obj)
{
	auto_free char *title = text_member(obj, "title"), *unit = text_member(obj, "unit");
	struct metric m;
	char buf[NUMBER_MAX];

	metric_read(obj, &m);
	auto_free char *n = xasprintf("%zu, %zu", m.base.n, m.patched.n);

	title[term_fit(title, strlen(title), TITLE_COLUMNS)] = '\0';
	unit[term_fit(unit, strlen(unit), UNIT_COLUMNS)] = '\0';
	text_table_add(t, title);
	text_table_add(t, unit);
	text_table_add(t, m.base.n ? number_text(m.base.median, m.decimals, buf) : "-");
	text_table_add(t, m.patched.n ? number_text(m.patched.median, m.decimals, buf) : "-");
	text_table_add(t, metric_change_text(&m, buf));
	text_table_add(t, metric_judgement(&m));
	text_table_add(t, n);
	spread_cell(t, &m);
	text_table_add(t, metric_smallest_text(&m, buf));
}

static bool all_unchanged(const json_t *metrics)
{
	const json_t *metric;
	size_t i;

	json_array_foreach (metrics, i, metric)
		if (strcmp(json_get_str(metric, "word", ""), "unchanged") != 0)
			return false;
	return true;
}

/* A caveat is the bench's and the same in all its rows: said once. */
static void caveats(struct text_view *v, const json_t *metrics)
{
	const json_t *metric, *last = NULL;
	size_t i;

	json_array_foreach (metrics, i, metric) {
		const json_t *caveat = json_object_get(metric, "caveat");
		auto_free char *text = text_value(caveat);

		if (*text && !json_equal(caveat, last)) {
			str_adds(&v->out, "  Caveat: ");
			text_wrap(v, text, strlen("  Caveat: "), strlen("  Caveat: "));
		}
		last = caveat;
	}
}

void text_metrics(struct text_view *v)
{
	const json_t *metrics = json_object_get(v->report, "metrics"), *metric;
	struct text_table t = {.align = align, .columns = array_size(heads)};
	size_t i;

	if (!json_array_size(metrics) || (v->opt.brief && all_unchanged(metrics)))
		return;
	for (i = 0; i < array_size(heads); i++)
		text_table_add(&t, heads[i]);
	json_array_foreach (metrics, i, metric)
		metric_row(&t, metric);
	text_heading(v, "Medians, and change as (patched - base) / base:");
	str_addc(&v->out, '\n');
	text_table_print(v, &t);
	text_table_done(&t);
	caveats(v, metrics);
	str_addc(&v->out, '\n');
}
