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

/* Whole numbers are shown whole, others with five significant digits. */
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
	if (whole || largest >= 10000 || largest == 0)
		return 0;
	return (int)fmin(9, fmax(0, 4 - floor(log10(largest))));
}

void metric_read(const json_t *obj, struct metric *ret)
{
	*ret = (struct metric){
		.obj = obj,
		.exact = json_get_bool(obj, "exact", false),
		.has_change = json_is_number(json_object_get(obj, "change")),
		.has_smallest = json_is_number(json_object_get(obj, "smallest")),
		.change = json_get_num(obj, "change", 0),
		.smallest = fabs(json_get_num(obj, "smallest", 0)),
		.word = json_get_str(obj, "word", "undecided"),
	};
	side_read(json_object_get(obj, "base"), &ret->base);
	side_read(json_object_get(obj, "patched"), &ret->patched);
	ret->decimals = decimals_for(ret);
}

/* The one place that turns words into directions. */
static const struct {
	const char *word, *judgement, *direction;
} judgements[] = {
	{"faster", "better (faster)", "better"},
	{"slower", "worse (slower)", "worse"},
	{"unchanged", "unchanged", ""},
	{"undecided", "undecided", ""},
};

const char *metric_judgement(const struct metric *m)
{
	for (size_t i = 0; i < array_size(judgements); i++)
		if (strcmp(judgements[i].word, m->word) == 0)
			return judgements[i].judgement;
	return "undecided";
}

const char *metric_direction(const struct metric *m)
{
	for (size_t i = 0; i < array_size(judgements); i++)
		if (strcmp(judgements[i].word, m->word) == 0)
			return judgements[i].direction;
	return "";
}

bool metric_size(const struct metric *m, double *ret_size)
{
	const char *slash = strrchr(json_get_str(m->obj, "name", ""), '/');
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

const char *metric_unit(const struct metric *m)
{
	const char *unit = json_get_str(m->obj, "unit", "");

	return strcmp(unit, "us") == 0 ? "\u00b5s" : unit;
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

const char *percent_text(double share, char buf[static NUMBER_MAX])
{
	double percent = fabs(share) * 100;
	int decimals = percent >= 100 ? 0 : percent >= 10 ? 1 : 2;
	char digits[NUMBER_MAX];

	if (percent == 0)
		decimals = 0;
	else if (percent < 0.1)
		decimals = (int)fmin(9, 1 - floor(log10(percent)));
	snprintf(buf, NUMBER_MAX, "%.300s %%", number_text(percent, decimals, digits));
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

const char *metric_change_text(const struct metric *m, char buf[static NUMBER_MAX])
{
	if (!m->has_change)
		snprintf(buf, NUMBER_MAX, "-");
	else
		change_text(m->change, buf);
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
