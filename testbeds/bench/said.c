// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/said.h"

#include "base/str.h"

#define TEXT_MAX 512 /* of a line; what is longer is cut */

struct said_row {
	char *key, *name, *title, *expected;
	bool is_number;
	struct sample_row number;
};

void said_done(struct said *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->row[i].key);
		free(s->row[i].name);
		free(s->row[i].title);
		free(s->row[i].expected);
	}
	free(s->row);
	s->row = NULL;
	s->n = s->cap = 0;
}

static struct said_row *row_add(struct said *s, const char *key, char *title)
{
	arr_grow(s->row, s->n, s->cap);
	s->row[s->n] = (struct said_row){
		.key = xstrdup(key),
		.name = xasprintf("%s/%s", s->name, key),
		.title = title,
	};
	return &s->row[s->n++];
}

void said_add_fact(struct said *s, const char *key, const char *title, const char *expected)
{
	struct said_row *r = row_add(s, key, xstrdup(title));

	r->expected = expected ? xstrdup(expected) : NULL;
}

void said_add_number(struct said *s, const char *key, const char *title,
		     const struct sample_row *row)
{
	struct said_row *r = row_add(s, key, xasprintf("%s: %s", s->title, title));

	r->is_number = true;
	r->number = *row;
	r->number.name = r->name;
	r->number.title = r->title;
}

static const struct said_row *row_find(const struct said *s, const char *key, size_t n)
{
	for (size_t i = 0; i < s->n; i++)
		if (strlen(s->row[i].key) == n && memcmp(s->row[i].key, key, n) == 0)
			return &s->row[i];
	return NULL;
}

static void number_take(struct sample *ret, const struct said_row *r, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end != text && !*end)
		sample_number(ret, &r->number, value);
}

static void line_take(const struct said *s, const char *line, size_t n, struct sample *ret)
{
	const char *space = memchr(line, ' ', n);
	size_t key = space ? (size_t)(space - line) : n;
	const struct said_row *r = row_find(s, line, key);
	char text[TEXT_MAX];

	while (key < n && line[key] == ' ')
		key++;
	while (n > key && (line[n - 1] == ' ' || line[n - 1] == '\r'))
		n--;
	snprintf(text, sizeof(text), "%.*s", (int)(n - key), line + key);
	if (r && r->is_number)
		number_take(ret, r, text);
	else if (r)
		sample_text(ret, &(struct sample_fact){r->name, r->title, s->title, r->expected},
			    text);
}

void said_read(const struct boot_result *boot, struct sample *ret, const void *said)
{
	const struct said *s = said;
	const char *pos = boot->console.buf, *line;
	size_t n;

	while (sample_line(boot, &pos, s->prefix, &line, &n))
		line_take(s, line, n < TEXT_MAX ? n : TEXT_MAX - 1, ret);
}

int said_bench_run(const struct bench_request *req, const struct sampler_cell *cell,
		   const char *caveat, struct bench_result *ret, struct err *err)
{
	struct sampler s;
	int rc;

	sampler_init(&s, req);
	sampler_expect(&s, 2 * (req->samples ? req->samples : cell->samples));
	rc = sampler_run(&s, cell, err);
	if (rc == 0) {
		sampler_judge(&s, ret);
		ret->caveat = xstrdup(caveat);
	}
	sampler_done(&s);
	return rc;
}
