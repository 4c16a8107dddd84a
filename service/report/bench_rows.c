// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench_rows.h"

#include "base/clock.h"
#include "base/json.h"

/* NULL: there are too many. Rows of one bench stand together, so the one found last is looked at
 * first. */
static struct bench_rows *list_find(struct bench_list *list, const json_t *name, size_t *last)
{
	if (*last < list->n && json_equal(list->bench[*last].name, name))
		return &list->bench[*last];
	for (*last = 0; *last < list->n; (*last)++)
		if (json_equal(list->bench[*last].name, name))
			return &list->bench[*last];
	if (list->n == BENCHES_MAX) {
		list->left_out++;
		return NULL;
	}
	arr_grow(list->bench, list->n, list->cap);
	list->bench[list->n] = (struct bench_rows){.name = name};
	return &list->bench[list->n++];
}

static void read_benches(struct bench_list *list, const json_t *rows)
{
	const json_t *row;
	size_t last = 0, i;

	json_array_foreach (rows, i, row) {
		struct bench_rows *b = list_find(list, json_object_get(row, "bench"), &last);

		if (b && !b->bench)
			b->bench = row;
	}
}

static void read_metrics(struct bench_list *list, const json_t *rows)
{
	const json_t *row;
	size_t last = 0, i;

	json_array_foreach (rows, i, row) {
		struct bench_rows *b = list_find(list, json_object_get(row, "bench"), &last);

		if (!b)
			continue;
		arr_grow(b->metric, b->n_metrics, b->metrics_cap);
		metric_read(row, &b->metric[b->n_metrics++]);
	}
}

static void read_part(struct bench_list *list, const json_t *rows, enum bench_part_kind kind)
{
	const json_t *row;
	size_t last = 0, i;

	json_array_foreach (rows, i, row) {
		struct bench_rows *b = list_find(list, json_object_get(row, "bench"), &last);
		struct bench_part *part = b ? &b->part[kind] : NULL;

		if (!part)
			continue;
		arr_grow(part->row, part->n, part->cap);
		part->row[part->n++] = row;
	}
}

void bench_list_read(const json_t *report, struct bench_list *ret)
{
	static const char *const members[BENCH_PARTS] = {
		[BENCH_FACTS] = "facts",
		[BENCH_FITS] = "fits",
		[BENCH_TABLES] = "tables",
		[BENCH_FUNCTIONS] = "functions",
	};

	*ret = (struct bench_list){0};
	read_benches(ret, json_object_get(report, "benches"));
	read_metrics(ret, json_object_get(report, "metrics"));
	for (int kind = 0; kind < BENCH_PARTS; kind++)
		read_part(ret, json_object_get(report, members[kind]), kind);
}

const struct bench_rows *bench_list_find(const json_t *report, const char *name,
					 struct bench_list *ret_list, size_t *ret_number)
{
	bench_list_read(report, ret_list);
	for (size_t i = 0; i < ret_list->n; i++) {
		const char *found = json_string_value(ret_list->bench[i].name);

		if (found && strcmp(found, name) == 0) {
			*ret_number = i;
			return &ret_list->bench[i];
		}
	}
	return NULL;
}

void bench_list_done(struct bench_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->bench[i].metric);
		for (int kind = 0; kind < BENCH_PARTS; kind++)
			free(list->bench[i].part[kind].row);
	}
	free(list->bench);
	*list = (struct bench_list){0};
}

bool bench_has_section(const struct bench_rows *b)
{
	for (int kind = 0; kind < BENCH_PARTS; kind++)
		if (b->part[kind].n)
			return true;
	return b->n_metrics || strcmp(json_get_str(b->bench, "outcome", "skip"), "skip") != 0;
}

const json_t *bench_caveat(const struct bench_rows *b)
{
	const json_t *caveat = json_object_get(b->bench, "caveat");

	if (json_string_length(caveat))
		return caveat;
	for (size_t i = 0; i < b->n_metrics; i++) {
		caveat = json_object_get(b->metric[i].obj, "caveat");
		if (json_string_length(caveat))
			return caveat;
	}
	return NULL;
}

static bool same_group(const struct metric *a, const struct metric *b)
{
	return a->group && b->group && json_equal(a->group, b->group);
}

bool bench_is_point(const struct bench_rows *b, const struct metric *m)
{
	for (size_t i = 0; i < b->n_metrics; i++)
		if (&b->metric[i] != m && same_group(&b->metric[i], m))
			return true;
	return false;
}

static size_t match_front(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static size_t match_back(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), n = 0;

	while (n < na && n < nb && a[na - n - 1] == b[nb - n - 1])
		n++;
	return n;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "hot-add of 16 LMBs", "hot-add of 64 LMBs": "hot-add of N LMBs". NULL when they have nothing in
 * common. */
static char *common_title(const struct bench_rows *b, const struct metric *m)
{
	const char *first = json_get_str(m->obj, "title", "");
	size_t n = strlen(first), front = n, back = n;

	for (size_t i = 0; i < b->n_metrics; i++) {
		const char *other = json_get_str(b->metric[i].obj, "title", "");
		size_t f = match_front(first, other), k = match_back(first, other);

		if (!same_group(&b->metric[i], m))
			continue;
		front = f < front ? f : front;
		back = k < back ? k : back;
	}
	if (front == n)
		return n ? xstrdup(first) : NULL;
	/* Not inside of a number. */
	while (front && is_digit(first[front - 1]))
		front--;
	back = back < n - front ? back : n - front;
	while (back && is_digit(first[n - back]))
		back--;
	if (!front && !back)
		return NULL;
	return xasprintf("%.*sN%s", (int)front, first, first + n - back);
}

char *bench_group_title(const struct bench_rows *b, const struct metric *m)
{
	const struct bench_part *fits = &b->part[BENCH_FITS];
	char *title;

	for (size_t i = 0; m->group && i < fits->n; i++)
		if (json_equal(json_object_get(fits->row[i], "group"), m->group))
			return xstrdup(json_get_str(fits->row[i], "title", ""));
	title = common_title(b, m);
	return title ? title : xstrdup(m->group ? json_string_value(m->group) : "");
}

bool fact_is_remarkable(const json_t *fact)
{
	return strcmp(json_get_str(fact, "word", ""), "same") != 0 ||
	       !json_get_bool(fact, "steady", true);
}

void fact_words(const json_t *fact, struct str *out)
{
	const char *word = json_get_str(fact, "word", "");
	const char *expected = json_get_str(fact, "expected", NULL);
	bool both = strcmp(word, "both-wrong") == 0, same = strcmp(word, "same") == 0;
	bool steady = json_get_bool(fact, "steady", true);

	if (!same || steady)
		str_adds(out, both ? "wrong on both" : word);
	if (expected && (both || strcmp(word, "wrong") == 0))
		str_addf(out, ": expected %s", *expected ? expected : "nothing");
	if (!steady)
		str_addf(out, "%sdiffers between boots", same ? "" : ", ");
}

bool cell_is_number(const char *s)
{
	s += strspn(s, "+-(~<>=");
	return strcmp(s, "") == 0 || (*s >= '0' && *s <= '9');
}

bool table_column_is_number(const json_t *table, size_t column)
{
	const json_t *rows = json_object_get(table, "rows"), *row;
	bool any = false;
	size_t i;

	json_array_foreach (rows, i, row) {
		const char *cell = json_string_value(json_array_get(row, column));

		if (cell && *cell && !cell_is_number(cell))
			return false;
		any |= cell && *cell;
	}
	return any;
}

void bench_run_words(const struct bench_rows *b, struct str *out)
{
	bool count = strcmp(json_get_str(b->bench, "mode", ""), "count") == 0;
	double boots = json_get_num(b->bench, "boots", 0);
	char span[CLOCK_SPAN_MAX], n[NUMBER_MAX];

	str_addf(out, "%s on %s, %s boot%s in %s, order seed %lld",
		 count ? "count mode (guest time by instructions)" : "clock mode (wall time)",
		 json_get_str(b->bench, "testbed", ""), number_text(boots, 0, n),
		 boots == 1 ? "" : "s", clock_span(json_get_num(b->bench, "seconds", 0), span),
		 (long long)json_integer_value(json_object_get(b->bench, "seed")));
}
