// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/series_grid.h"

#include "base/json.h"

#define COLUMNS_MAX   24
#define PATCHES_MAX   1000
#define ROWS_WORD_MAX 2048 /* bytes of the names of builds */
#define ROWS_SHOWN    60

/* What a check says of a patch. */
struct cell {
	bool known;
	enum outcome outcome;
	unsigned found; /* findings */
	char *rows;	/* configurations whose builds say it; NULL: all is well */
};

struct column {
	const char *name;  /* the report's */
	const char *step;  /* that it is a part of */
	struct cell whole; /* of the series */
	struct cell cell[PATCHES_MAX + 1];
};

/* Filled in one pass over each array of the report, which may be long. */
struct grid {
	const struct series_grid *g;
	struct column *column;
	size_t n;
};

static enum outcome outcome_of(const json_t *row)
{
	return outcome_parse(json_get_str(row, "outcome", NULL));
}

static void cell_take(struct cell *c, enum outcome o)
{
	c->outcome = c->known ? outcome_worse(c->outcome, o) : o;
	c->known = true;
}

/* NULL: the row is of no patch, or of one behind the last that is shown. */
static struct cell *cell_of(struct column *c, const json_t *row)
{
	json_int_t n = json_integer_value(json_object_get(row, "patch"));

	return c && n >= 1 && n <= PATCHES_MAX ? &c->cell[n] : NULL;
}

static struct column *column_find(struct grid *grid, const char *name)
{
	for (size_t i = 0; i < grid->n; i++)
		if (strcmp(grid->column[i].name, name) == 0)
			return &grid->column[i];
	return NULL;
}

/* NULL when there are too many. */
static struct column *column_get(struct grid *grid, const char *name, const char *step)
{
	struct column *c = column_find(grid, name);

	if (c || grid->n == COLUMNS_MAX)
		return c;
	c = &grid->column[grid->n++];
	c->name = name;
	c->step = step;
	return c;
}

/* A patch that was applied has a commit. */
static void take_applied(struct grid *grid)
{
	const json_t *series = json_object_get(grid->g->report, "series"), *row;
	struct column *c = column_get(grid, "apply", "apply");
	size_t i;

	json_array_foreach (json_object_get(series, "patches"), i, row) {
		json_int_t n = json_integer_value(json_object_get(row, "number"));
		bool applied = json_is_string(json_object_get(row, "commit"));

		if (n >= 1 && n <= PATCHES_MAX)
			cell_take(&c->cell[n], applied ? OUTCOME_PASS : OUTCOME_SKIP);
	}
}

static void take_checks(struct grid *grid)
{
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(grid->g->report, "checks"), i, row) {
		struct column *c = column_get(grid, json_get_str(row, "checker", ""), "check");
		struct cell *cell = cell_of(c, row);

		if (cell)
			cell_take(cell, outcome_of(row));
		if (c)
			cell_take(&c->whole, outcome_of(row));
	}
	json_array_foreach (json_object_get(grid->g->report, "findings"), i, row) {
		struct cell *cell =
			cell_of(column_find(grid, json_get_str(row, "checker", "")), row);

		if (cell)
			cell->found++;
	}
}

/* What says nothing of the code, has columns of its own, or was not asked for. */
static bool is_left_out(const char *step, const json_t *row)
{
	static const char *const names[] = {"intake", "series", "base", "check"};

	for (size_t i = 0; i < array_size(names); i++)
		if (strcmp(names[i], step) == 0)
			return true;
	return outcome_of(row) == OUTCOME_SKIP &&
	       strcmp(json_get_str(row, "reason", ""), "not asked for") == 0;
}

static void take_steps(struct grid *grid)
{
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(grid->g->report, "steps"), i, row) {
		const char *name = json_get_str(row, "name", "");
		struct column *c = is_left_out(name, row) ? NULL : column_get(grid, name, name);
		struct cell *cell = cell_of(c, row);

		if (c)
			cell_take(&c->whole, outcome_of(row));
		if (cell)
			cell_take(cell, outcome_of(row));
	}
}

/* "ppc64le-lean, ppc64e": those with the worst outcome, which `o` is or is not. */
static void rows_take(struct cell *c, enum outcome o, const char *name)
{
	bool worse = !c->known || outcome_worse(c->outcome, o) != c->outcome;
	struct str names;

	if (o != OUTCOME_WARN && o != OUTCOME_FAIL && o != OUTCOME_ERROR)
		return;
	if (!worse && o != c->outcome)
		return;
	str_init(&names, ROWS_WORD_MAX);
	if (c->rows && !worse)
		str_addf(&names, "%s, ", c->rows);
	str_adds(&names, name);
	free(c->rows);
	c->rows = str_take(&names);
}

static void take_builds(struct grid *grid)
{
	struct column *c = column_find(grid, "build");
	const json_t *row;
	size_t i;

	json_array_foreach (json_object_get(grid->g->report, "builds"), i, row) {
		struct cell *cell = cell_of(c, row);

		if (!cell)
			continue;
		rows_take(cell, outcome_of(row), json_get_str(row, "row", ""));
		cell_take(cell, outcome_of(row));
	}
}

static void grid_done(struct grid *grid)
{
	for (size_t i = 0; i < grid->n; i++)
		for (size_t k = 0; k <= PATCHES_MAX; k++)
			free(grid->column[i].cell[k].rows);
	free(grid->column);
}

static void grid_fill(struct grid *grid)
{
	grid->column = xcalloc(COLUMNS_MAX, sizeof(*grid->column));
	if (!grid->g->report)
		return;
	take_applied(grid);
	take_checks(grid);
	take_steps(grid);
	take_builds(grid);
}

/* A few names; all of them for who points at it. */
static void cell_rows(struct str *out, const char *rows)
{
	str_adds(out, " <small class=\"rows\" title=\"");
	html_str(out, rows);
	str_adds(out, "\">");
	html_words(out, rows, ROWS_SHOWN);
	str_adds(out, "</small>");
}

static void cell_write(struct str *out, const struct grid *grid, const struct cell *c,
		       unsigned patch)
{
	str_adds(out, "<td>");
	if (c->known)
		html_word(out, outcome_name(c->outcome));
	if (c->found)
		str_addf(out,
			 " <a href=\"/series/%lld/patch/%u\" aria-label=\"%u findings\">%u</a>",
			 (long long)grid->g->posting->id, patch, c->found, c->found);
	if (c->rows)
		cell_rows(out, c->rows);
	str_adds(out, "</td>");
}

static void patch_row(struct str *out, const struct grid *grid, const struct store_posting_patch *p)
{
	str_addf(out,
		 "<tr id=\"patch-%u\"><td class=\"n\">%u/%u</td><th scope=\"row\"><a "
		 "href=\"/series/%lld/patch/%u\">",
		 p->number, p->number, grid->g->posting->total, (long long)grid->g->posting->id,
		 p->number);
	html_bdi(out, p->subject);
	str_adds(out, "</a></th>");
	for (size_t i = 0; p->number && i < grid->n; i++)
		cell_write(out, grid,
			   &grid->column[i].cell[p->number <= PATCHES_MAX ? p->number : 0],
			   p->number);
	if (!p->number && grid->n)
		str_addf(out, "<td colspan=\"%zu\" class=\"muted\">cover letter</td>", grid->n);
	str_adds(out, "</tr>\n");
}

static void whole_row(struct str *out, const struct grid *grid)
{
	str_adds(out, "<tfoot><tr><td></td><th scope=\"row\">the series as a whole</th>");
	for (size_t i = 0; i < grid->n; i++) {
		const struct column *c = &grid->column[i];

		str_addf(out, "<td><a href=\"/trial/%lld/step/", (long long)grid->g->trial);
		percent_encode(out, c->step, false);
		str_adds(out, "\">");
		html_word(out, outcome_name(c->whole.known ? c->whole.outcome : OUTCOME_SKIP));
		str_adds(out, "</a></td>");
	}
	str_adds(out, "</tr></tfoot>\n");
}

static void head_row(struct str *out, const struct grid *grid)
{
	str_adds(out, "<thead><tr><th scope=\"col\" class=\"n\">No.</th>"
		      "<th scope=\"col\">Patch</th>");
	for (size_t i = 0; i < grid->n; i++) {
		str_adds(out, "<th scope=\"col\">");
		html_cut(out, grid->column[i].name, 40);
		str_adds(out, "</th>");
	}
	str_adds(out, "</tr></thead>\n");
}

void series_grid(struct str *out, const struct series_grid *g)
{
	struct grid grid = {.g = g};
	size_t n = g->posting->n_patches;

	grid_fill(&grid);
	str_adds(out, "<div class=\"wide\"><table class=\"grid\">\n");
	head_row(out, &grid);
	str_adds(out, "<tbody>\n");
	for (size_t i = 0; i < n && i < PATCHES_MAX; i++)
		patch_row(out, &grid, &g->posting->patch[i]);
	str_adds(out, "</tbody>\n");
	if (grid.n)
		whole_row(out, &grid);
	str_adds(out, "</table></div>\n");
	if (n > PATCHES_MAX)
		str_addf(out, "<p class=\"note\">%zu more patches</p>\n", n - PATCHES_MAX);
	grid_done(&grid);
}
