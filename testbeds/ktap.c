// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/ktap.h"
#include <ctype.h>
#include <strings.h>

enum kind { KTAP_NONE, KTAP_VERSION, KTAP_PLAN, KTAP_RESULT, KTAP_BAIL, KTAP_DIAGNOSTIC };

/* A line taken apart; pointers into it. */
struct parts {
	enum kind kind;
	unsigned indent;
	bool ok;
	unsigned long number; /* of the plan or the result */
	const char *text;     /* what follows, without the note */
	size_t len;
	const char *note; /* behind '#' */
	size_t note_len;
};

static bool starts(const char *s, size_t n, const char *want)
{
	return n >= strlen(want) && memcmp(s, want, strlen(want)) == 0;
}

static bool starts_word(const char *s, size_t n, const char *want)
{
	size_t w = strlen(want);

	return n >= w && strncasecmp(s, want, w) == 0 && (n == w || !isalnum((unsigned char)s[w]));
}

static void trim(const char **s, size_t *n)
{
	while (*n && isspace((unsigned char)**s))
		(*s)++, (*n)--;
	while (*n && isspace((unsigned char)(*s)[*n - 1]))
		(*n)--;
}

/* At most nine digits, so that sums cannot overflow. */
static bool take_number(const char **s, size_t *n, unsigned long *ret)
{
	unsigned long v = 0;
	size_t i = 0;

	while (i < *n && i < 10 && isdigit((unsigned char)(*s)[i]))
		v = v * 10 + (unsigned long)((*s)[i++] - '0');
	if (!i || i == 10 || (i < *n && !isspace((unsigned char)(*s)[i])))
		return false;
	*s += i;
	*n -= i;
	*ret = v;
	return true;
}

static void take_note(struct parts *p, const char *s, size_t n)
{
	const char *hash = memchr(s, '#', n);

	p->text = s;
	p->len = hash ? (size_t)(hash - s) : n;
	trim(&p->text, &p->len);
	p->note = hash ? hash + 1 : "";
	p->note_len = hash ? (size_t)(s + n - hash) - 1 : 0;
	trim(&p->note, &p->note_len);
}

static enum kind parse_plan(struct parts *p, const char *s, size_t n)
{
	s += 3;
	n -= 3;
	if (!take_number(&s, &n, &p->number))
		return KTAP_NONE;
	take_note(p, s, n);
	return KTAP_PLAN;
}

static enum kind parse_result(struct parts *p, const char *s, size_t n)
{
	/* "okay", and "ok" without the number that KTAP asks for, are some program's own words. */
	if (!n || !isspace((unsigned char)*s))
		return KTAP_NONE;
	trim(&s, &n);
	if (!take_number(&s, &n, &p->number))
		return KTAP_NONE;
	take_note(p, s, n);
	if (starts(p->text, p->len, "- ")) {
		p->text += 2;
		p->len -= 2;
	}
	return KTAP_RESULT;
}

static enum kind parse_kind(struct parts *p, const char *s, size_t n)
{
	if (starts(s, n, "KTAP version ") || starts(s, n, "TAP version "))
		return KTAP_VERSION;
	if (starts(s, n, "1.."))
		return parse_plan(p, s, n);
	if (starts(s, n, "not ok"))
		return parse_result(p, s + 6, n - 6);
	p->ok = true;
	if (starts(s, n, "ok"))
		return parse_result(p, s + 2, n - 2);
	p->text = s;
	p->len = n;
	if (starts(s, n, "Bail out!")) {
		p->text += 9;
		p->len -= 9;
		trim(&p->text, &p->len);
		return KTAP_BAIL;
	}
	/* "#1 SMP ..." is not one. */
	if (n && *s == '#' && (n == 1 || s[1] == ' ')) {
		p->text++;
		p->len--;
		trim(&p->text, &p->len);
		return KTAP_DIAGNOSTIC;
	}
	return KTAP_NONE;
}

static struct parts parse(const char *line, size_t n)
{
	struct parts p = {.text = "", .note = ""};

	while (n && *line == ' ')
		line++, n--, p.indent++;
	p.kind = parse_kind(&p, line, n);
	return p;
}

bool ktap_is_line(const char *line, size_t len)
{
	return parse(line, len).kind != KTAP_NONE;
}

static char *text_cut(const char *s, size_t n)
{
	return xmemdup(s, n < KTAP_TEXT_MAX ? n : KTAP_TEXT_MAX);
}

/* Takes name and note. */
static void row_add(struct ktap *k, enum outcome outcome, char *name, char *note)
{
	if (k->n == KTAP_TESTS_MAX) {
		k->dropped++;
		free(name);
		free(note);
		return;
	}
	arr_grow(k->test, k->n, k->cap);
	k->test[k->n++] = (struct ktap_test){.name = name, .outcome = outcome, .note = note};
}

/* The innermost level is over: what its plan promised and did not come. */
static void level_close(struct ktap *k)
{
	const struct ktap_level *l = &k->level[--k->depth];

	if (k->bailed)
		return;
	if (!l->has_plan && !l->seen) {
		row_add(k, OUTCOME_FAIL, xstrdup("results"), xstrdup("begun, but no test came"));
	} else if (l->has_plan && l->seen < l->plan) {
		char *name = l->plan - l->seen == 1
				     ? xasprintf("test %lu", l->plan)
				     : xasprintf("tests %lu to %lu", l->seen + 1, l->plan);

		row_add(k, OUTCOME_FAIL, name,
			xasprintf("missing: %lu planned, %lu came", l->plan, l->seen));
	} else if (l->has_plan && l->seen > l->plan) {
		row_add(k, OUTCOME_FAIL, xstrdup("plan"),
			xasprintf("%lu planned, %lu came", l->plan, l->seen));
	}
}

static void level_open(struct ktap *k, unsigned indent)
{
	k->level[k->depth++] = (struct ktap_level){.indent = indent, .due = 1, .first = k->n};
}

/* The level that a line of this indentation belongs to, opened or closed as needed; NULL when it is
 * too deep. */
static struct ktap_level *level_at(struct ktap *k, unsigned indent)
{
	while (k->depth > 1 && indent < k->level[k->depth - 1].indent)
		level_close(k);
	if (indent > k->level[k->depth - 1].indent) {
		if (k->depth == KTAP_DEPTH_MAX)
			return NULL;
		level_open(k, indent);
	}
	return &k->level[k->depth - 1];
}

/* Puts "parent/" before the rows of a parent's subtests. Returns whether one of them failed. */
static bool children_name(struct ktap *k, const struct ktap_level *l, const char *parent)
{
	bool failed = false;

	for (size_t i = l->first; i < k->n; i++) {
		auto_free char *child = k->test[i].name;

		k->test[i].name =
			xasprintf("%.*s/%.*s", KTAP_TEXT_MAX, parent, KTAP_TEXT_MAX, child);
		failed |= k->test[i].outcome == OUTCOME_FAIL;
	}
	return failed;
}

static enum outcome outcome_of(struct parts *p)
{
	if (starts_word(p->note, p->note_len, "SKIP")) {
		p->note += 4;
		p->note_len -= 4;
		trim(&p->note, &p->note_len);
		return OUTCOME_SKIP;
	}
	/* Known not to work: neither the author's nor news. */
	if (!p->ok && (starts_word(p->note, p->note_len, "TODO") ||
		       starts_word(p->note, p->note_len, "XFAIL")))
		return OUTCOME_SKIP;
	return p->ok ? OUTCOME_PASS : OUTCOME_FAIL;
}

static char *note_of(const struct ktap *k, const struct ktap_level *l, const struct parts *p,
		     enum outcome outcome)
{
	auto_free char *note = text_cut(p->note, p->note_len);

	if (!*note && outcome == OUTCOME_FAIL) {
		free(note);
		note = xstrdup(k->diagnostic);
	}
	if (p->number != l->due)
		return xasprintf("%s%snumber %lu where %lu was due", note, *note ? "; " : "",
				 p->number, l->due);
	return take(note);
}

static void result(struct ktap *k, struct ktap_level *l, struct parts *p)
{
	enum outcome outcome = outcome_of(p);
	auto_free char *note = note_of(k, l, p, outcome);
	auto_free char *name =
		p->len ? text_cut(p->text, p->len) : xasprintf("test %lu", p->number);
	bool parent = l->first < k->n;
	bool child_failed = children_name(k, l, name);

	if (!parent || (outcome == OUTCOME_FAIL && !child_failed))
		row_add(k, outcome, take(name), take(note));
	l->seen++;
	l->due = p->number + 1;
	l->first = k->n;
	k->diagnostic[0] = '\0';
}

static void version(struct ktap *k, unsigned indent)
{
	/* Another run of tests after the last one. */
	if (k->depth && indent <= k->level[0].indent)
		while (k->depth)
			level_close(k);
	if (!k->depth) {
		k->bailed = false;
		level_open(k, indent);
	} else {
		level_at(k, indent);
	}
}

static void plan(struct ktap *k, struct ktap_level *l, const struct parts *p)
{
	if (l->has_plan)
		return;
	l->has_plan = true;
	l->plan = p->number;
	if (!p->number && starts_word(p->note, p->note_len, "SKIP"))
		row_add(k, OUTCOME_SKIP, xstrdup("all"), text_cut(p->note + 4, p->note_len - 4));
}

void ktap_line(struct ktap *k, const char *line, size_t len)
{
	struct parts p = parse(line, len);
	struct ktap_level *l;

	if (p.kind == KTAP_VERSION)
		version(k, p.indent);
	if (!k->depth || k->bailed || p.kind == KTAP_NONE || p.kind == KTAP_VERSION)
		return;
	if (p.kind == KTAP_DIAGNOSTIC) {
		if (starts(p.text, p.len, "Subtest:"))
			return;
		snprintf(k->diagnostic, sizeof(k->diagnostic), "%.*s", (int)p.len, p.text);
		return;
	}
	if (p.kind == KTAP_BAIL) {
		row_add(k, OUTCOME_FAIL, xstrdup("Bail out!"), text_cut(p.text, p.len));
		k->bailed = true;
		return;
	}
	l = level_at(k, p.indent);
	if (l && p.kind == KTAP_PLAN)
		plan(k, l, &p);
	else if (l)
		result(k, l, &p);
}

void ktap_finish(struct ktap *k, struct ktap_test **ret_test, size_t *ret_n)
{
	while (k->depth)
		level_close(k);
	if (k->dropped) {
		arr_grow(k->test, k->n, k->cap);
		k->test[k->n++] = (struct ktap_test){
			.name = xstrdup("more results"),
			.outcome = OUTCOME_FAIL,
			.note = xasprintf("%lu more came than are kept", k->dropped),
		};
	}
	*ret_test = k->test;
	*ret_n = k->n;
	*k = (struct ktap){0};
}

void ktap_done(struct ktap *k)
{
	for (size_t i = 0; i < k->n; i++) {
		free(k->test[i].name);
		free(k->test[i].note);
	}
	free(k->test);
	*k = (struct ktap){0};
}
