// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about MAINTAINERS, and those that it decides. */
#include "checkers/checkpatch/rule.h"

#include <fnmatch.h>

/* The order of an entry's lines. */
static const char order[] = "MRLSWQBCPTFXNK";

/* The letter before the colon, '\0' when the line is none of an entry's. */
static char entry_type(const char *s, size_t n)
{
	return n > 1 && s[1] == ':' && *s && strchr(order, *s) ? *s : '\0';
}

struct entry_pair {
	char type, above;
	const char *value, *value_above;
	size_t len, len_above;
};

/* The line and the one above it in the patch, both of an entry. */
static bool entry_pair_read(const struct rule_subject *s, struct entry_pair *ret)
{
	const struct view *v = s->view;
	const struct view_line *l = s->at ? &v->line[s->at - 1] : NULL;

	if (!l || !(l->kind & LINE_NEW))
		return false;
	*ret = (struct entry_pair){
		.type = entry_type(s->plain, s->len),
		.above = entry_type(view_plain(v, s->at - 1), l->len),
		.value = s->plain,
		.value_above = view_plain(v, s->at - 1),
		.len = s->len,
		.len_above = l->len,
	};
	return ret->type && ret->above;
}

static bool is_maintainers(const struct rule_subject *s)
{
	return strcmp(s->file->path, "MAINTAINERS") == 0;
}

static bool is_out_of_order(const struct rule_subject *s)
{
	struct entry_pair p;

	return is_maintainers(s) && entry_pair_read(s, &p) &&
	       strchr(order, p.type) < strchr(order, p.above);
}

static bool is_unsorted(const struct rule_subject *s)
{
	struct entry_pair p;
	int d;

	if (!is_maintainers(s) || !entry_pair_read(s, &p) || p.type != p.above ||
	    !strchr("FX", p.type))
		return false;
	d = memcmp(p.value, p.value_above, p.len < p.len_above ? p.len : p.len_above);
	return d < 0 || (d == 0 && p.len < p.len_above);
}

/* Whether an F: or X: pattern is of the file, as get_maintainer.pl has it: a '*' goes over slashes,
 * but then the file has as many as the pattern; a folder has all that is below it. */
static bool pattern_is_of(const char *s, size_t n, const char *path)
{
	auto_free char *glob = xasprintf("%.*s*", (int)n, s);
	size_t slashes = 0, path_slashes = 0;

	if (strncmp(path, s, n) == 0 && (s[n - 1] == '/' || path[n] == '/'))
		return true;
	for (size_t i = 0; i < n; i++)
		slashes += s[i] == '/';
	for (const char *c = path; *c; c++)
		path_slashes += *c == '/';
	return fnmatch(glob, path, 0) == 0 && (s[n - 1] == '/' || slashes == path_slashes);
}

/* Whether the entry, from its S: line's paragraph, is of the file. */
static bool entry_is_of(const char *s, const char *end, const char *path)
{
	bool listed = false;

	for (const char *nl; s < end; s = nl + 1) {
		size_t skip, n;

		nl = memchr(s, '\n', (size_t)(end - s));
		nl = nl ? nl : end;
		if (nl - s < 3 || s[1] != ':' || !strchr("FX", *s))
			continue;
		skip = 2 + strspn(s + 2, " \t");
		n = (size_t)(nl - s) > skip ? (size_t)(nl - s) - skip : 0;
		if (!n || !pattern_is_of(s + skip, n, path))
			continue;
		if (*s == 'X')
			return false;
		listed = true;
	}
	return listed;
}

/* The entry that has the S: line at `status`, less the empty lines around it. */
static bool obsolete_entry_is_of(const struct str *maintainers, const char *status,
				 const char *path)
{
	const char *start = status, *end = strstr(status, "\n\n");

	while (start > maintainers->buf && (start[0] != '\n' || start[-1] != '\n'))
		start--;
	return entry_is_of(start, end ? end : maintainers->buf + maintainers->len, path);
}

/* "S:	Obsolete", "S:	Orphan / Obsolete" */
static bool is_obsolete(const struct str *maintainers, const char *path)
{
	const char *at = maintainers->buf;

	while ((at = strstr(at, "bsolete"))) {
		const char *line = at;

		while (line > maintainers->buf && *line != '\n')
			line--;
		if (str_starts(line, "\nS:") && obsolete_entry_is_of(maintainers, line, path))
			return true;
		at++;
	}
	return false;
}

static void find_obsolete(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct tree *t = rule_tree(run);
	const struct str *maintainers;

	if (!s->file->path || !tree_is_there(t) || s->file->is_new)
		return;
	maintainers = tree_file(t, "MAINTAINERS");
	if (maintainers && is_obsolete(maintainers, s->file->path) && tree_has(t, s->file->path))
		rule_report_at(run, rule, VIEW_NONE, s->file->path);
}

static const char help_order[] = "Everybody edits the file: an order keeps entries findable and "
				 "conflicts few. It is told at the file's start.";

static const struct rule rules[] = {
	{
		.type = "MAINTAINERS_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_OTHER,
		.pattern = "^[A-Z]:(?!\\t\\S)",
		.test = is_maintainers,
		.message = "one tab goes behind the colon",
		.help = help_order,
	},
	{
		.type = "MAINTAINERS_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_OTHER,
		.pattern = "^[A-Z]:",
		.test = is_out_of_order,
		.message = "the lines of an entry are in the order MRLSWQBCPTFXNK",
		.help = help_order,
	},
	{
		.type = "MAINTAINERS_STYLE",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_OTHER,
		.pattern = "^[FX]:",
		.test = is_unsorted,
		.message = "the patterns of an entry are sorted",
		.help = help_order,
	},
	{
		.type = "OBSOLETE",
		.level = FINDING_WARNING,
		.scope = RULE_FILE,
		.find = find_obsolete,
		.message = "MAINTAINERS calls this obsolete: change it only where it must be",
		.help = "Something else has taken its place, and it will go.",
	},
};

const struct rule_family family_maintainers = {"maintainers", rules, array_size(rules)};
