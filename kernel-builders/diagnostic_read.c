// SPDX-License-Identifier: GPL-2.0-or-later
/* Output line by line: what is being made, and what is said about it. */
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/diagnostic_line.h"
#include <ctype.h>

static void function_forget(struct diagnostics *d)
{
	free(take(d->function));
	free(take(d->function_path));
}

/* "mm/memory.c: In function 'f':", which goes for what follows of that file. "In function 'f'," and
 * a line "inlined from 'g' at" have no file; what follows is of none that is known. */
static bool read_function(struct diagnostics *d, const char *line)
{
	const char *in = strstr(line, ": In function '"), *name, *end;

	if (str_starts(line, "In function '")) {
		function_forget(d);
		return true;
	}
	if (!in)
		in = strstr(line, ": At top level:");
	if (!in || strcspn(line, " ") != (size_t)(in - line) + 1)
		return false;
	function_forget(d);
	d->function_path = line_path(line, (size_t)(in - line));
	name = strchr(in, '\'');
	end = name ? strchr(name + 1, '\'') : NULL;
	if (end)
		d->function = xmemdup(name + 1, (size_t)(end - name - 1));
	return true;
}

/* "... [-Wunused-variable]", "[-Werror=unused-variable]", "[-Werror,-Wunused-variable]" */
static char *option_of(const char *text)
{
	const char *open = strrchr(text, '['), *name = open ? open + 1 : NULL;

	if (!open || !str_starts(name, "-W") || !str_ends(text, "]"))
		return NULL;
	if (str_starts(name, "-Werror,"))
		name += strlen("-Werror,");
	if (str_starts(name, "-Werror="))
		return xasprintf("-W%.*s", (int)(strlen(name) - strlen("-Werror=") - 1),
				 name + strlen("-Werror="));
	return xmemdup(name, strlen(name) - 1);
}

static bool unit_is(const struct diagnostics *d, const char *verb)
{
	return d->unit && str_starts(d->unit, verb) && d->unit[strlen(verb)] == ' ';
}

static char *tool_of(const struct diagnostics *d, const struct diagnostic *found)
{
	static const char *const verbs[][2] = {{"CHECK", "sparse"},    {"LD", "ld"},
					       {"MODPOST", "modpost"}, {"DTC", "dtc"},
					       {"HOSTCC", "gcc"},      {"AS", "as"}};

	for (size_t i = 0; i < array_size(verbs); i++)
		if (unit_is(d, verbs[i][0]))
			return xstrdup(verbs[i][1]);
	return unit_is(d, "CC") || (found->option && found->line)
		       ? xstrdup(d->compiler ? d->compiler : "gcc")
		       : NULL;
}

/* What the line itself does not say. */
static void complete(struct diagnostics *d, struct diagnostic *found, const char *line)
{
	found->excerpt = xstrdup(line);
	if (!found->option)
		found->option = option_of(found->text);
	if (!found->tool)
		found->tool = tool_of(d, found);
	if (!found->function && d->function && found->path && d->function_path &&
	    strcmp(found->path, d->function_path) == 0)
		found->function = xstrdup(d->function);
	found->unit = d->unit ? xstrdup(d->unit) : NULL;
	d->lacks = d->lacks || (d->unit && str_starts(d->unit, "HOST") &&
				str_ends(found->text, ": No such file or directory"));
	/* sparse's errors end no build. */
	if (found->is_error && unit_is(d, "CHECK"))
		found->is_error = false;
}

/* sparse says types on lines of their own:
 *	x.c:12:5: warning: incorrect type in argument 1 (different address spaces)
 *	x.c:12:5:    expected void *
 *	x.c:12:5:    got void [noderef] __iomem *
 */
static bool read_more(struct diagnostics *d, const char *line)
{
	size_t path_len = 0;
	unsigned number;
	const char *rest = line_place(line, &path_len, &number);
	struct diagnostic *last = d->n ? &d->item[d->n - 1] : NULL;
	char *text;

	if (!rest || !str_starts(rest, "   ") || !unit_is(d, "CHECK"))
		return false;
	if (last && d->more && last->line == number &&
	    strncmp(last->excerpt, line, path_len) == 0) {
		text = xasprintf("%s; %s", last->text, line_skip(rest));
		free(last->text);
		last->text = text;
		d->more--;
	}
	return true;
}

void diagnostics_read(struct diagnostics *d, const char *line)
{
	struct diagnostic found = {0};
	size_t before = d->n;

	if (line_is_excerpt(line) || read_more(d, line))
		return;
	d->more = 0;
	line_read_infra(d, line);
	if (read_function(d, line))
		return;
	if (!line_read_located(line, &found) && !line_read_make(d, line, &found) &&
	    !line_read_linker(d, line, &found) && !line_read_tool(line, &found))
		return;
	complete(d, &found, line);
	diagnostics_add(d, &found);
	d->more = d->n > before ? 2 : 0;
}

bool diagnostics_read_unit(struct diagnostics *d, const char *line)
{
	const char *target = line + 2;
	auto_free char *path = NULL;
	size_t verb;

	if (!str_starts(line, "  ") || !isupper((unsigned char)line[2]))
		return false;
	verb = strspn(target, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+");
	target = line_skip(target + verb);
	if (str_starts(target, "[M]"))
		target = line_skip(target + 3);
	if (line[2 + verb] != ' ' || !*target)
		return false;
	path = line_path(target, strlen(target));
	free(d->unit);
	d->unit = xasprintf("%.*s %s", (int)verb, line + 2, path ?: target);
	if (!d->units)
		d->units = json_object();
	if (json_object_size(d->units) < UNITS_MAX && utf8_valid(d->unit, strlen(d->unit)))
		json_object_set_new(d->units, d->unit, json_true());
	function_forget(d);
	free(take(d->linked));
	d->more = 0;
	return true;
}
