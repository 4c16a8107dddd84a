// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/fit.h"

#include "base/str.h"
#include "testbeds/bench/stats.h"
#include <math.h>

#define COLUMNS_MAX (FIT_DEGREE_MAX + 1)

static bool points_are_finite(const struct fit_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!isfinite(p->x[i]) || !isfinite(p->y[i]) ||
		    (p->weight && !isfinite(p->weight[i])))
			return false;
	return true;
}

static size_t count_different(const double *x, size_t n)
{
	auto_free double *sorted = stats_sorted(x, n);
	size_t different = n > 0;

	for (size_t i = 1; i < n; i++)
		different += sorted[i] != sorted[i - 1];
	return different;
}

static double largest_of(const double *x, size_t n)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, fabs(x[i]));
	return largest;
}

/* The system to solve: row i has the weighted powers of x, and y behind them. */
struct matrix {
	double *a; /* rows * (columns + 1) */
	size_t rows, columns;
};

static double *at(const struct matrix *m, size_t row, size_t column)
{
	return &m->a[row * (m->columns + 1) + column];
}

static struct matrix matrix_make(const struct fit_points *p, size_t columns, double scale)
{
	struct matrix m = {xcalloc(p->n * (columns + 1), sizeof(double)), p->n, columns};

	for (size_t i = 0; i < p->n; i++) {
		double weight = p->weight ? p->weight[i] : 1, power = weight;

		for (size_t k = 0; k < columns; k++, power *= p->x[i] / scale)
			*at(&m, i, k) = power;
		*at(&m, i, columns) = p->y[i] * weight;
	}
	return m;
}

/* Householder reflection that makes column k zero under the diagonal, on all columns behind it. */
static bool reflect(struct matrix *m, size_t k)
{
	double norm = 0, alpha, vtv = 0;

	for (size_t i = k; i < m->rows; i++)
		norm = hypot(norm, *at(m, i, k));
	if (norm == 0)
		return false;
	alpha = *at(m, k, k) > 0 ? -norm : norm;
	*at(m, k, k) -= alpha; /* the column is the reflection's vector for now */
	for (size_t i = k; i < m->rows; i++)
		vtv += *at(m, i, k) * *at(m, i, k);
	for (size_t c = k + 1; c <= m->columns; c++) {
		double dot = 0;

		for (size_t i = k; i < m->rows; i++)
			dot += *at(m, i, k) * *at(m, i, c);
		for (size_t i = k; i < m->rows; i++)
			*at(m, i, c) -= 2 * dot / vtv * *at(m, i, k);
	}
	*at(m, k, k) = alpha;
	return true;
}

bool fit_polynomial(const struct fit_points *p, size_t degree, double *ret_c)
{
	size_t columns = degree + 1;
	double scale = largest_of(p->x, p->n), c[COLUMNS_MAX];
	bool solved = true;

	if (degree > FIT_DEGREE_MAX || !points_are_finite(p) ||
	    count_different(p->x, p->n) < columns)
		return false;
	if (scale == 0)
		scale = 1;
	struct matrix m = matrix_make(p, columns, scale);

	for (size_t k = 0; k < columns && solved; k++)
		solved = reflect(&m, k);
	for (size_t k = columns; k-- > 0 && solved;) {
		double sum = *at(&m, k, columns);

		for (size_t i = k + 1; i < columns; i++)
			sum -= *at(&m, k, i) * c[i];
		c[k] = sum / *at(&m, k, k);
		solved = isfinite(c[k]);
	}
	for (size_t k = 0; k < columns && solved; k++)
		ret_c[k] = c[k] / pow(scale, (double)k);
	free(m.a);
	return solved;
}

/* 1 / |y|, so that residuals are relative. */
static double *weights_of(const double *y, size_t n)
{
	double *weight = xcalloc(n, sizeof(*weight)), smallest = INFINITY;

	for (size_t i = 0; i < n; i++)
		if (y[i] != 0)
			smallest = fmin(smallest, fabs(y[i]));
	for (size_t i = 0; i < n; i++)
		weight[i] = !isfinite(smallest) ? 1 : 1 / (y[i] != 0 ? fabs(y[i]) : smallest);
	return weight;
}

bool fit_growth(const double *x, const double *y, size_t n, struct bench_fit_side *ret)
{
	auto_free double *weight = weights_of(y, n);
	const struct fit_points points = {x, y, weight, n};
	size_t different = points_are_finite(&points) ? count_different(x, n) : 0;
	double c[3] = {0}, largest = largest_of(x, n), whole;

	if (different < 3)
		return false;
	if (different < 4 || !fit_polynomial(&points, 2, c) || c[2] < 0) {
		c[2] = 0;
		if (!fit_polynomial(&points, 1, c))
			return false;
	}
	ret->constant = c[0];
	ret->linear = c[1];
	ret->quadratic = c[2];
	whole = c[0] + c[1] * largest + c[2] * largest * largest;
	ret->share = c[2] == 0 ? 0 : whole > 0 ? fmin(c[2] * largest * largest / whole, 1) : 1;
	return true;
}

/* "17,632", "1.25", "0.00313": three digits, or all of a whole number, in groups. */
static char *number_words(double v)
{
	auto_free char *plain =
		fabs(v) >= 100 && fabs(v) < 1e15 ? xasprintf("%.0f", v) : xasprintf("%.3g", v);
	size_t sign = *plain == '-', digits = strspn(plain + sign, "0123456789");
	auto_str struct str out;

	str_init(&out, 0);
	str_add(&out, plain, sign);
	for (size_t i = 0; plain[sign + i]; i++) {
		if (i && i < digits && (digits - i) % 3 == 0)
			str_addc(&out, ',');
		str_addc(&out, plain[sign + i]);
	}
	return str_take(&out);
}

/* "LMB" of "LMBs". */
static char *one_of(const char *title)
{
	size_t n = strlen(title);

	return xmemdup(title, n > 1 && title[n - 1] == 's' ? n - 1 : n);
}

static const char *what_of(const char *unit)
{
	static const char *const times[] = {"s", "ms", "us", "ns"};

	for (size_t i = 0; i < array_size(times); i++)
		if (strcmp(unit, times[i]) == 0)
			return "time";
	return "number";
}

char *fit_words(const struct bench_fit_side *f, double largest, const char *title, const char *unit)
{
	auto_free char *constant = number_words(f->constant), *linear = number_words(f->linear),
		       *quadratic = number_words(f->quadratic), *most = number_words(largest),
		       *one = one_of(title);

	if (f->share > FIT_SHARE)
		return xasprintf("per %s the %s grows linearly, so the whole is quadratic: at %s "
				 "%s %.0f %% of it (%s %s, %s %s for each %s and %s %s for each "
				 "pair of them)",
				 one, what_of(unit), most, title, f->share * 100, constant, unit,
				 linear, unit, one, quadratic, unit);
	if (f->share > FIT_SHARE / 10)
		return xasprintf("nearly linear in the number of %s: %s %s and %s %s for each; "
				 "what grows with the square is %.1f %% at %s %s",
				 title, constant, unit, linear, unit, f->share * 100, most, title);
	return xasprintf("linear in the number of %s: %s %s and %s %s for each", title, constant,
			 unit, linear, unit);
}

struct curve {
	double *x, *y;
	size_t n;
	double largest;
	const struct bench_metric *first;
};

static struct curve curve_of(const struct bench_result *r, const char *group, bool patched)
{
	struct curve c = {xcalloc(r->n_metrics, sizeof(double)),
			  xcalloc(r->n_metrics, sizeof(double)), 0, 0, NULL};

	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct bench_metric *m = &r->metric[i];
		const struct bench_side *side = patched ? &m->patched : &m->base;

		if (!m->group || strcmp(m->group, group) != 0 || !side->n)
			continue;
		c.x[c.n] = m->x;
		c.y[c.n++] = stats_of(side->sample, side->n).median;
		c.largest = fmax(c.largest, m->x);
		if (!c.first)
			c.first = m;
	}
	return c;
}

static bool side_fit(const struct bench_result *r, const char *group, bool patched,
		     struct bench_fit_side *ret)
{
	struct curve c = curve_of(r, group, patched);
	bool fits = fit_growth(c.x, c.y, c.n, ret);

	if (fits)
		ret->words = fit_words(ret, c.largest, c.first->x_title ? c.first->x_title : "x",
				       c.first->unit);
	free(c.x);
	free(c.y);
	return fits;
}

static const char *group_x_title(const struct bench_result *r, const char *group)
{
	for (size_t i = 0; i < r->n_metrics; i++)
		if (r->metric[i].group && strcmp(r->metric[i].group, group) == 0)
			return r->metric[i].x_title;
	return NULL;
}

bool fit_add(struct bench_result *r, const char *group)
{
	const char *x_title = group_x_title(r, group);
	struct bench_fit fit = {0};

	if (!side_fit(r, group, false, &fit.base))
		return false;
	if (!side_fit(r, group, true, &fit.patched)) {
		free(fit.base.words);
		return false;
	}
	fit.group = xstrdup(group);
	fit.title = xasprintf("%s over %s", group, x_title ? x_title : "x");
	r->fit = xreallocarray(r->fit, r->n_fits + 1, sizeof(*r->fit));
	r->fit[r->n_fits++] = fit;
	return true;
}
