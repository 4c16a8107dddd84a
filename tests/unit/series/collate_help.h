/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails from a table, and what collate() makes of them as one line. */
#ifndef FIRN_TESTS_COLLATE_HELP_H
#define FIRN_TESTS_COLLATE_HELP_H

#include "unit/unit.h"

#include "series/version.h"

/* A mail has what its row names, and no more. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define DIFF "---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"

/* One mail: what matters to collate(). NULL for what it does not have. */
struct spec {
	const char *subject, *id,
		*answers; /* answers: In-Reply-To, and after a space the older References */
	const char *body; /* NULL: a diff */
	const char *from; /* the part before @example.org; NULL: astrid */
	unsigned day;
	const char *header; /* more header lines, each with its newline */
};

#define SPECS(...) ((const struct spec[]){__VA_ARGS__, {}})

struct made {
	struct mail_list list;
	struct series_set set;
};

static inline void made_cleanup(struct made *m)
{
	series_set_done(&m->set);
	mail_list_done(&m->list);
}
#define auto_made __attribute__((cleanup(made_cleanup)))

static inline void spec_add(struct mail_list *list, const struct spec *s, unsigned i)
{
	auto_str struct str text;
	auto_free char *origin = xasprintf("mail %u", i + 1);
	const char *older = s->answers ? strchr(s->answers, ' ') : NULL;
	const char *from = s->from ? s->from : "astrid";
	struct err err = ERR_INIT;
	struct mail *m;

	str_init(&text, 0);
	str_addf(&text, "From: %s%s\nSubject: %s\nDate: %u Mar 2026 %02u:%02u:00 +0000\n%s", from,
		 strchr(from, '@') ? "" : "@example.org", s->subject, 3 + s->day, 9 + i / 60,
		 i % 60, s->header ? s->header : "");
	if (s->id)
		str_addf(&text, "Message-ID: <%s>\n", s->id);
	if (s->answers) {
		int n = older ? (int)(older - s->answers) : (int)strlen(s->answers);

		str_addf(&text, "In-Reply-To: <%.*s>\nReferences: <%s> <%.*s>\n", n, s->answers,
			 older ? older + 1 : "", n, s->answers);
	}
	str_addf(&text, "\nText.\n%s", s->body ? s->body : DIFF);
	assert_ok(mail_parse(text.buf, text.len, origin, &m, &err), &err);
	mail_list_add(list, m);
}

static inline unsigned specs_count(const struct spec *specs)
{
	unsigned n = 0;

	while (specs[n].subject)
		n++;
	return n;
}

static inline void made_collate(struct made *m)
{
	struct err err = ERR_INIT;

	assert_ok(collate(&m->list, &m->set, &err), &err);
	assert_int_equal(m->set.n_fates, m->list.n);
	for (size_t i = 0; i < m->set.n_fates; i++)
		assert_non_null(m->set.fate[i].why);
}

/* As they are written, or the last one first; the dates stay the same. */
static inline struct made made_of(const struct spec *specs, bool backwards)
{
	struct made m = {};
	unsigned n = specs_count(specs);

	for (unsigned i = 0; i < n; i++) {
		unsigned at = backwards ? n - 1 - i : i;

		spec_add(&m.list, &specs[at], at);
	}
	made_collate(&m);
	return m;
}

static inline const char *fate_of(const struct made *m, const char *origin)
{
	for (size_t i = 0; i < m->set.n_fates; i++)
		if (strcmp(m->set.fate[i].mail->origin, origin) == 0)
			return m->set.fate[i].why;
	return "none";
}

/* "v1 0 1 3 of 3": the numbers that are there, 0 for a cover; a * is a borrowed patch, "<- 1" says
 * that series 1 is the version before. */
static inline void series_say(const struct series_set *set, size_t i, struct str *out)
{
	const struct series *s = &set->series[i];
	auto_free char *name = version_name(s);

	str_addf(out, "%s%s", name, s->cover ? " 0" : "");
	for (size_t p = 0; p < s->n_patches; p++)
		str_addf(out, " %u%s", s->patch[p].subject.number, s->patch[p].borrowed ? "*" : "");
	str_addf(out, " of %u", s->total);
	if (s->older)
		str_addf(out, " <- %td", s->older - set->series + 1);
}

/* All series, with "; " between them. The caller frees. */
static inline char *set_say(const struct series_set *set)
{
	struct str out;

	str_init(&out, 0);
	for (size_t i = 0; i < set->n_series; i++) {
		str_adds(&out, i ? "; " : "");
		series_say(set, i, &out);
	}
	return str_take(&out);
}

static inline void set_is(const struct made *m, const char *want)
{
	auto_free char *got = set_say(&m->set);

	assert_string_equal(got, want);
}

/* The same from either end: what comes out does not depend on the order of what comes in. */
static inline void collates(const struct spec *specs, const char *want)
{
	for (int backwards = 0; backwards < 2; backwards++) {
		auto_made struct made m = made_of(specs, backwards);

		set_is(&m, want);
	}
}

/* Pseudo-random, the same in each run. */
static inline uint32_t random_next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static inline void list_shuffle(struct mail_list *list, uint32_t *state)
{
	for (size_t i = list->n; i > 1; i--) {
		size_t k = random_next(state) % i;
		struct mail *m = list->item[i - 1];

		list->item[i - 1] = list->item[k];
		list->item[k] = m;
	}
}

#endif
