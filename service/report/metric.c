// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/metric.h"

#include "base/json.h"
#include <math.h>

static void side_read(const json_t *obj, struct metric_side *s)
{
	double n = json_get_num(obj, "n", 0);

	*s = (struct metric_side){
		.n = n > 0 ? (size_t)n : 0,
		.median = json_get_num(obj, "median", 0),
		.min = json_get_num(obj, "min", 0),
		.max = json_get_num(obj, "max", 0),
		.mean = json_get_num(obj, "mean", 0),
		.stddev = json_get_num(obj, "stddev", 0),
		.samples = json_object_get(obj, "samples"),
	};
}

int number_decimals(double largest, bool whole)
{
	if (whole || largest >= 10000 || !(largest > 0))
		return 0;
	return (int)fmin(9, fmax(0, 4 - floor(log10(largest))));
}

static int decimals_for(const struct metric *m)
{
	double v[] = {m->base.median, m->base.min,	 m->base.max,
		      m->patched.min, m->patched.median, m->patched.max};
	double largest = 0;
	bool whole = true;

	for (size_t i = 0; i < array_size(v); i++) {
		largest = fmax(largest, fabs(v[i]));
		whole = whole && v[i] == floor(v[i]);
	}
	return number_decimals(largest, whole);
}

/* The number behind the slash of "hot-add/16"; false when there is none. */
static bool name_size(const json_t *obj, double *ret_size)
{
	const char *slash = strrchr(json_get_str(obj, "name", ""), '/');
	char *end;
	double size;

	if (!slash || slash[1] < '0' || slash[1] > '9')
		return false;
	size = strtod(slash + 1, &end);
	if (*end || !isfinite(size) || size <= 0)
		return false;
	*ret_size = size;
	return true;
}

static void place_read(struct metric *m)
{
	const json_t *group = json_object_get(m->obj, "group");

	m->x_title = "size";
	if (!group) {
		m->has_x = name_size(m->obj, &m->x);
	} else if (json_is_string(group)) {
		m->has_x = true;
		m->group = group;
		m->x = json_get_num(m->obj, "x", 0);
		m->x_title = json_get_str(m->obj, "x_title", "size");
	}
}

void metric_read(const json_t *obj, struct metric *ret)
{
	*ret = (struct metric){
		.obj = obj,
		.exact = json_get_bool(obj, "exact", false),
		.judged = json_get_bool(obj, "judged", true),
		.has_change = json_is_number(json_object_get(obj, "change")),
		.has_interval = json_is_number(json_object_get(obj, "low")),
		.has_smallest = json_is_number(json_object_get(obj, "smallest")),
		.change = json_get_num(obj, "change", 0),
		.low = json_get_num(obj, "low", 0),
		.high = json_get_num(obj, "high", 0),
		.smallest = fabs(json_get_num(obj, "smallest", 0)),
		.word = json_get_str(obj, "word", "undecided"),
	};
	side_read(json_object_get(obj, "base"), &ret->base);
	side_read(json_object_get(obj, "patched"), &ret->patched);
	place_read(ret);
	ret->decimals = decimals_for(ret);
}

/* The one place that turns words into directions. */
static const struct {
	const char *word, *judgement, *direction;
} judgements[] = {
	{"undecided", "undecided", ""},
	{"unchanged", "unchanged", ""},
	{"faster", "better", "better"},
	{"slower", "worse", "worse"},
};

static size_t judgement_of(const struct metric *m)
{
	for (size_t i = 0; i < array_size(judgements); i++)
		if (strcmp(judgements[i].word, m->word) == 0)
			return i;
	return 0;
}

const char *metric_judgement(const struct metric *m)
{
	return judgements[judgement_of(m)].judgement;
}

const char *metric_direction(const struct metric *m)
{
	return judgements[judgement_of(m)].direction;
}

bool metric_is_unchanged(const struct metric *m)
{
	return strcmp(m->word, "unchanged") == 0;
}

const char *unit_text(const char *unit)
{
	return strcmp(unit, "us") == 0 ? "\u00b5s" : unit;
}

const char *metric_unit(const struct metric *m)
{
	return unit_text(json_get_str(m->obj, "unit", ""));
}

const char *number_text(double v, int decimals, char buf[static NUMBER_MAX])
{
	char plain[NUMBER_MAX];
	size_t digits, out = 0;

	if (!isfinite(v) || snprintf(plain, sizeof(plain), "%.*f", decimals, fabs(v)) >= 330) {
		snprintf(buf, NUMBER_MAX, "-");
		return buf;
	}
	digits = strcspn(plain, ".");
	if (v < 0 && strspn(plain, "0.") != strlen(plain))
		buf[out++] = '-';
	for (size_t i = 0; plain[i] && out < NUMBER_MAX - 2; i++) {
		if (i && i < digits && (digits - i) % 3 == 0)
			buf[out++] = ',';
		buf[out++] = plain[i];
	}
	buf[out] = '\0';
	return buf;
}

static int percent_decimals(double percent)
{
	if (percent == 0)
		return 0;
	if (percent < 0.1)
		return (int)fmin(9, 1 - floor(log10(percent)));
	return percent >= 100 ? 0 : percent >= 10 ? 1 : 2;
}

const char *percent_text(double share, char buf[static NUMBER_MAX])
{
	double percent = fabs(share) * 100;
	char digits[NUMBER_MAX];

	snprintf(buf, NUMBER_MAX, "%.300s %%",
		 number_text(percent, percent_decimals(percent), digits));
	return buf;
}

const char *difference_text(double v, char buf[static NUMBER_MAX])
{
	char digits[NUMBER_MAX];

	snprintf(buf, NUMBER_MAX, "%s%.390s", v > 0 ? "+" : "", number_text(v, 0, digits));
	return buf;
}

const char *change_text(double change, char buf[static NUMBER_MAX])
{
	char digits[NUMBER_MAX];

	snprintf(buf, NUMBER_MAX, "%s%.300s",
		 change > 0   ? "+"
		 : change < 0 ? "-"
			      : "",
		 percent_text(change, digits));
	return buf;
}

const char *spread_text(const struct metric_side *s, char buf[static NUMBER_MAX])
{
	if (s->n < 2 || s->median == 0)
		snprintf(buf, NUMBER_MAX, "-");
	else if (s->min == s->max)
		snprintf(buf, NUMBER_MAX, "none");
	else
		percent_text(s->stddev / s->median, buf);
	return buf;
}

const char *stddev_text(const struct metric *m, const struct metric_side *s,
			char buf[static NUMBER_MAX])
{
	if (s->n < 2)
		snprintf(buf, NUMBER_MAX, "-");
	else
		number_text(s->stddev, s->stddev == 0 ? 0 : m->decimals + 1, buf);
	return buf;
}

/* Both ends with as many decimals as the larger one needs. */
static const char *interval_text(const struct metric *m, char buf[static NUMBER_MAX])
{
	double widest = fmax(fabs(m->low), fabs(m->high)) * 100;
	int decimals = percent_decimals(widest);
	char low[NUMBER_MAX], high[NUMBER_MAX];

	snprintf(buf, NUMBER_MAX, " (%.40s to %.40s)", number_text(m->low * 100, decimals, low),
		 number_text(m->high * 100, decimals, high));
	return buf;
}

const char *metric_change_text(const struct metric *m, char buf[static NUMBER_MAX])
{
	char change[NUMBER_MAX], interval[NUMBER_MAX] = "";

	if (m->has_change && m->has_interval && !m->exact)
		interval_text(m, interval);
	snprintf(buf, NUMBER_MAX, "%.300s%.90s",
		 m->has_change ? change_text(m->change, change) : "-", interval);
	return buf;
}

const char *metric_smallest_text(const struct metric *m, char buf[static NUMBER_MAX])
{
	if (!m->has_smallest)
		snprintf(buf, NUMBER_MAX, "-");
	else
		percent_text(m->smallest, buf);
	return buf;
}

const char *metric_x_text(const struct metric *m, char buf[static NUMBER_MAX])
{
	return number_text(m->x, m->x == floor(m->x) ? 0 : 2, buf);
}
