/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fixtures of checkers are mails that say themselves what should be found:
 *
 *	X-Outcome: warn
 *	X-Expect: CHECK AVOID_EXTERNS include/linux/firn.h:12	(or without a place)
 *	X-Passes: AVOID_EXTERNS					the rule that this mail is a good
 *example for
 */
#ifndef FIRN_TESTS_CHECKERS_MAILS_H
#define FIRN_TESTS_CHECKERS_MAILS_H

#include "unit/unit.h"

#include "base/fs.h"
#include "checkers/checker.h"
#include "intake/source.h"

/* One mail, read and collated. */
struct fixture {
	char *path;
	struct mail_list mails;
	struct series_set set;
	const struct patch *patch;
};

static inline void fixture_collate(struct fixture *f)
{
	struct err err = ERR_INIT;

	assert_ok(collate(&f->mails, &f->set, &err), &err);
	if (f->set.n_series != 1 || f->set.series[0].n_patches != 1)
		fail_msg("%s holds not one patch: %s", f->path, f->set.fate[0].why);
	f->patch = &f->set.series[0].patch[0];
}

static inline struct fixture *fixture_read(const char *path)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct err err = ERR_INIT;

	f->path = xstrdup(path);
	assert_ok(source_read(path, &f->mails, &err), &err);
	fixture_collate(f);
	return f;
}

static inline struct fixture *fixture_text(const char *text)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct err err = ERR_INIT;
	struct mail *mail;

	f->path = xstrdup("a text in the test");
	assert_ok(mail_parse(text, strlen(text), f->path, &mail, &err), &err);
	mail_list_add(&f->mails, mail);
	fixture_collate(f);
	return f;
}

static inline void fixture_free(struct fixture *f)
{
	series_set_done(&f->set);
	mail_list_done(&f->mails);
	free(f->path);
	free(f);
}

static inline void fixture_cleanup(struct fixture **f)
{
	if (*f)
		fixture_free(*f);
}
#define auto_fixture __attribute__((cleanup(fixture_cleanup)))

/* The values of the mail's header lines NAME, joined by newlines. The caller frees. */
static inline char *fixture_header(const struct fixture *f, const char *name)
{
	const char *raw = f->mails.item[0]->raw, *end = strstr(raw, "\n\n");
	size_t n = strlen(name);
	struct str s;

	str_init(&s, 0);
	for (const char *l = raw; l < end; l = strchrnul(l, '\n') + 1)
		if (strncmp(l, name, n) == 0 && strncmp(l + n, ": ", 2) == 0) {
			str_add(&s, l + n + 2, strcspn(l + n + 2, "\n"));
			str_addc(&s, '\n');
		}
	return str_take(&s);
}

/* "LEVEL TYPE" or "LEVEL TYPE path:line", a line each. The caller frees. */
static inline char *findings_text(const struct check_result *r)
{
	struct str s;

	str_init(&s, 0);
	for (size_t i = 0; i < r->n; i++) {
		const struct finding *f = &r->finding[i];

		str_addf(&s, "%s %s", finding_level_name(f->level), f->type);
		if (f->path)
			str_addf(&s, " %s:%u", f->path, f->line);
		str_addc(&s, '\n');
	}
	return str_take(&s);
}

static inline int name_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls fn for each file of a folder of fixtures, in order of their names. Fails when there is
 * none. */
static inline void fixtures_each(const char *dir, void (*fn)(struct fixture *))
{
	auto_dir DIR *d = opendir(dir);
	char *name[64] = {NULL};
	size_t n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d)) && n < array_size(name);)
		if (*e->d_name != '.')
			name[n++] = xasprintf("%s/%s", dir, e->d_name);
	assert_true(n > 0);
	qsort(name, n, sizeof(*name), name_cmp);
	for (size_t i = 0; i < n; i++) {
		auto_fixture struct fixture *f = fixture_read(name[i]);

		fn(f);
		free(name[i]);
	}
}

/* Runs a checker and compares with what the mail says. */
static inline void fixture_check(struct fixture *f, const struct checker *checker)
{
	auto_free char *want = fixture_header(f, "X-Expect"), *have = NULL;
	auto_free char *outcome = fixture_header(f, "X-Outcome");
	const struct check_env env = {.series = f->set.series};
	struct check_result r = {0};
	struct err err = ERR_INIT;

	assert_ok(checker->run(&env, f->patch, &r, &err), &err);
	have = findings_text(&r);
	if (strcmp(have, want) != 0)
		fail_msg("%s: expected\n%sfound\n%s", f->path, want, have);
	if (strncmp(outcome, outcome_name(r.outcome), strcspn(outcome, "\n")) != 0)
		fail_msg("%s: %s, not %s (%s)", f->path, outcome_name(r.outcome), outcome,
			 r.reason);
	check_result_done(&r);
}

#endif
