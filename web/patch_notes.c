// SPDX-License-Identifier: GPL-2.0-or-later
/* What a report says of one patch: findings of checkers, errors and warnings of builds. */
#include "web/patch_notes.h"

#include "base/json.h"
#include "base/str.h"

#define NOTES_SHOWN   2000
#define BUILDS_NOTED  500  /* of builds: each is compared with those before it */
#define ROWS_WORD_MAX 2048 /* bytes of the names of rows */

static long long integer(const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_integer(v) ? json_integer_value(v) : 0;
}

static size_t place(const json_t *finding, const struct patch_lines *p, bool exact)
{
	long long at = integer(finding, "patch_line"), number = integer(finding, "line");
	const char *path = json_get_str(finding, "path", NULL);
	size_t index;

	if (exact && at > 0 && at <= (long long)p->n)
		return (size_t)at - 1;
	if (path && number > 0 && number < UINT32_MAX &&
	    patch_lines_find(p, path, (unsigned)number, &index))
		return index;
	return PATCH_NOWHERE;
}

static int by_line(const void *a, const void *b)
{
	const struct patch_note *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static void notes_sort(struct patch_notes *notes)
{
	if (notes->n)
		qsort(notes->note, notes->n, sizeof(*notes->note), by_line);
	while (notes->placed < notes->n && notes->note[notes->placed].line != PATCH_NOWHERE)
		notes->placed++;
}

static struct patch_note *note_add(struct patch_notes *notes)
{
	arr_grow(notes->note, notes->n, notes->cap);
	notes->note[notes->n] = (struct patch_note){.index = notes->n, .line = PATCH_NOWHERE};
	return &notes->note[notes->n++];
}

/* One of our own words, which is a class too. */
static const char *level_of(const json_t *finding)
{
	static const char *const levels[] = {"ERROR", "WARNING", "CHECK", "NOTE"};
	const char *level = json_get_str(finding, "level", "");

	for (size_t i = 0; i < array_size(levels); i++)
		if (strcmp(level, levels[i]) == 0)
			return levels[i];
	return "NOTE";
}

static void findings_take(const json_t *findings, long long number, const struct patch_lines *p,
			  bool exact, struct patch_notes *ret)
{
	const json_t *finding;
	size_t i;

	json_array_foreach (findings, i, finding) {
		struct patch_note *note;

		if (integer(finding, "patch") != number || ret->n == NOTES_SHOWN)
			continue;
		note = note_add(ret);
		note->finding = finding;
		note->words = json_object_get(finding, "message");
		note->level = level_of(finding);
		note->line = place(finding, p, exact);
	}
	ret->checked = ret->n;
}

static void names_add(char **names, const char *name)
{
	struct str s;

	str_init(&s, ROWS_WORD_MAX);
	str_addf(&s, "%s%s%s", *names ?: "", *names ? ", " : "", name);
	free(*names);
	*names = str_take(&s);
}

/* The same of another row: one note names both. */
static struct patch_note *note_same(const struct patch_notes *notes, const json_t *finding,
				    const json_t *words, const char *level)
{
	for (size_t i = notes->checked; i < notes->n; i++) {
		struct patch_note *n = &notes->note[i];

		if (n->level == level && json_equal(n->words, words) &&
		    json_equal(json_object_get(n->finding, "path"),
			       json_object_get(finding, "path")) &&
		    integer(n->finding, "line") == integer(finding, "line"))
			return n;
	}
	return NULL;
}

/* What is said of a build: an error or a warning, or the build itself with its reason. */
struct said {
	const json_t *finding, *words;
	const char *row, *level;
};

static void said_take(const struct said *said, const struct patch_lines *p, struct patch_notes *ret)
{
	struct patch_note *note = note_same(ret, said->finding, said->words, said->level);

	if (!note && ret->n - ret->checked < BUILDS_NOTED) {
		note = note_add(ret);
		note->finding = said->finding;
		note->words = said->words;
		note->level = said->level;
		note->line = place(said->finding, p, false);
	}
	if (note)
		names_add(&note->rows, said->row);
}

static void list_take(const json_t *build, const char *key, const char *level,
		      const struct patch_lines *p, struct patch_notes *ret)
{
	const json_t *finding;
	size_t i;

	json_array_foreach (json_object_get(build, key), i, finding)
		said_take(&(struct said){.finding = finding,
					 .words = json_object_get(finding, "text"),
					 .row = json_get_str(build, "row", ""),
					 .level = level},
			  p, ret);
}

/* Of a patch that breaks a row; what comes after it is broken too, but not by itself. */
static void broken_take(const json_t *build, const struct patch_lines *p, struct patch_notes *ret)
{
	const char *row = json_get_str(build, "row", "");

	names_add(&ret->broken, row);
	list_take(build, "errors", "ERROR", p, ret);
	if (!json_array_size(json_object_get(build, "errors")))
		said_take(&(struct said){.finding = build,
					 .words = json_object_get(build, "reason"),
					 .row = row,
					 .level = "ERROR"},
			  p, ret);
}

static bool fails(const json_t *build)
{
	return strcmp(json_get_str(build, "outcome", ""), "fail") == 0;
}

/* The rows of one configuration stand together, in the order of the patches. */
static void builds_take(const json_t *builds, long long number, const struct patch_lines *p,
			struct patch_notes *ret)
{
	const json_t *build, *before = NULL;
	size_t i;

	json_array_foreach (builds, i, build) {
		const char *row = json_get_str(build, "row", "");
		bool was_broken = before && fails(before) &&
				  strcmp(json_get_str(before, "row", ""), row) == 0;

		before = build;
		if (number <= 0 || integer(build, "patch") != number)
			continue;
		ret->built++;
		if (fails(build) && was_broken)
			names_add(&ret->still_broken, row);
		else if (fails(build))
			broken_take(build, p, ret);
		if (json_array_size(json_object_get(build, "new_warnings")))
			names_add(&ret->noisy, row);
		list_take(build, "new_warnings", "WARNING", p, ret);
	}
}

void patch_notes_read(const json_t *report, long long number, const struct patch_lines *p,
		      bool exact, struct patch_notes *ret)
{
	findings_take(json_object_get(report, "findings"), number, p, exact, ret);
	builds_take(json_object_get(report, "builds"), number, p, ret);
	notes_sort(ret);
}

void patch_notes_done(struct patch_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		free(notes->note[i].rows);
	free(notes->note);
	free(notes->broken);
	free(notes->still_broken);
	free(notes->noisy);
	*notes = (struct patch_notes){0};
}
