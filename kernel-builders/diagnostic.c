// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/diagnostic.h"

#include "base/json.h"
#include "base/str.h"
#include <ctype.h>

/* Ours or the machine's, never the author's. */
static const char *const infra_phrases[] = {
	"No space left on device",  "Disk quota exceeded",    "Killed signal terminated program",
	"internal compiler error",  "Cannot allocate memory", "virtual memory exhausted",
	"out of memory allocating", "memory exhausted",	      "Resource temporarily unavailable",
	"Input/output error",	    "Too many open files",    "File size limit exceeded",
};

struct severity {
	const char *word;
	bool is_error;
};

static const struct severity severities[] = {
	{"fatal error:", true}, {"error:", true},    {"Error:", true},	  {"ERROR:", true},
	{"FATAL:", true},	{"warning:", false}, {"Warning:", false}, {"WARNING:", false},
};

void diagnostic_done(struct diagnostic *d)
{
	free(d->path);
	free(d->text);
	free(d->excerpt);
	*d = (struct diagnostic){0};
}

void diagnostics_done(struct diagnostics *d)
{
	for (size_t i = 0; i < d->n; i++)
		diagnostic_done(&d->item[i]);
	free(d->item);
	free(d->linked);
	free(d->make_failed);
	free(d->infra);
	*d = (struct diagnostics){0};
}

void diagnostics_add(struct diagnostics *d, struct diagnostic *item)
{
	bool known = d->n == DIAGNOSTICS_MAX;

	for (size_t i = 0; i < d->n && !known; i++)
		known = strcmp(d->item[i].excerpt, item->excerpt) == 0;
	if (known) {
		diagnostic_done(item);
		return;
	}
	arr_grow(d->item, d->n, d->cap);
	d->item[d->n++] = *item;
	*item = (struct diagnostic){0};
}

void diagnostics_sort(struct diagnostics *d)
{
	struct diagnostic *sorted = xcalloc(d->n ? d->n : 1, sizeof(*sorted));
	size_t n = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < d->n; i++) {
			if (d->item[i].is_error == (pass == 0))
				sorted[n++] = d->item[i];
		}
	}
	free(d->item);
	d->item = sorted;
	d->cap = d->n ? d->n : 1;
}

char *diagnostic_text(const struct diagnostic *d)
{
	const char *what = d->is_error ? "error" : "warning";

	if (!d->path)
		return xasprintf("%s: %s", what, d->text);
	return d->line ? xasprintf("%s:%u: %s: %s", d->path, d->line, what, d->text)
		       : xasprintf("%s: %s: %s", d->path, what, d->text);
}

static const char *skip_spaces(const char *s)
{
	return s + strspn(s, " ");
}

/* When `s` begins with "error:" or the like, moves it behind that. */
static const struct severity *severity_at(const char **s)
{
	for (size_t i = 0; i < array_size(severities); i++) {
		if (str_starts(*s, severities[i].word)) {
			*s = skip_spaces(*s + strlen(severities[i].word));
			return &severities[i];
		}
	}
	return NULL;
}

/* The path as the tree has it. NULL for what is not a file of it: "{standard input}". */
static char *tree_path(const char *s, size_t n)
{
	static const char *const prefixes[] = {DIAGNOSTIC_SRC, DIAGNOSTIC_BUILD, "./"};

	for (size_t i = 0; i < array_size(prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (n > len && strncmp(s, prefixes[i], len) == 0) {
			s += len;
			n -= len;
		}
	}
	return n && *s != '{' && *s != '<' ? xmemdup(s, n) : NULL;
}

/* "path:12:" or "path:12:5:" at the front. Returns what follows, NULL when there is no such thing.
 */
static const char *place_at(const char *line, size_t *ret_path_len, unsigned *ret_line)
{
	const char *colon = str_starts(line, "{standard input}:") ? strchr(line, ':')
								  : line + strcspn(line, ": \t");
	char *end;
	unsigned long n;

	if (colon == line || *colon != ':' || !isdigit((unsigned char)colon[1]))
		return NULL;
	n = strtoul(colon + 1, &end, 10);
	if (*end != ':' || n > UINT32_MAX)
		return NULL;
	*ret_path_len = (size_t)(colon - line);
	*ret_line = (unsigned)n;
	if (isdigit((unsigned char)end[1])) {
		char *column_end;

		strtoul(end + 1, &column_end, 10);
		if (*column_end == ':')
			end = column_end;
	}
	return end + 1;
}

static bool is_kconfig(const char *path, size_t n)
{
	while (n && path[n - 1] != '/' && strncmp(path + n - 1, "Kconfig", 7) != 0)
		n--;
	return n && path[n - 1] != '/' && (n == 1 || path[n - 2] == '/');
}

/* "mm/memory.c:12:5: error: text", "mm/Kconfig:7: syntax error", "mm/Makefile:3: *** missing
 * separator.  Stop." */
static bool read_located(const char *line, struct diagnostic *ret)
{
	size_t path_len = 0;
	unsigned number = 0;
	const char *rest = place_at(line, &path_len, &number);
	const struct severity *severity;
	bool is_error;

	if (!rest)
		return false;
	rest += *rest == ' ';
	severity = severity_at(&rest);
	if (severity)
		is_error = severity->is_error;
	else if (str_starts(rest, "*** "))
		is_error = true;
	/* Lines that go on begin with a tab. */
	else if (is_kconfig(line, path_len) && *rest && *rest != '\t')
		is_error = true;
	else
		return false;
	rest += str_starts(rest, "*** ") ? 4 : 0;
	*ret = (struct diagnostic){.is_error = is_error,
				   .path = tree_path(line, path_len),
				   .line = number,
				   .text = xstrdup(rest)};
	return true;
}

/* "powerpc64le-linux-gnu-ld: " or "ld: " at the front is taken off. */
static const char *skip_linker(const char *line)
{
	const char *end = strstr(line, "ld: ");

	return end && (size_t)(end - line) == strcspn(line, " :") - 2 ? end + 4 : line;
}

/* The linker names an object, and below it each place in the source without its folder:
 *	ld: arch/powerpc/mm/numa.o: in function `f':
 *	numa.c:(.text+0x1c): undefined reference to `g'
 */
static bool read_linked(struct diagnostics *d, const char *line)
{
	const char *end = strstr(line, ": in function `");

	if (!end)
		return false;
	line = skip_linker(line);
	free(d->linked);
	d->linked = end > line ? tree_path(line, (size_t)(end - line)) : NULL;
	return true;
}

static char *linked_path(const struct diagnostics *d, const char *line)
{
	const char *slash = d->linked ? strrchr(d->linked, '/') : NULL;
	size_t n = strcspn(line, ":");

	if (!slash || strncmp(line + n, ":(", 2) != 0)
		return NULL;
	/* With debug information it has the folder. */
	return memchr(line, '/', n) ? tree_path(line, n)
				    : xasprintf("%.*s%.*s", (int)(slash + 1 - d->linked), d->linked,
						(int)n, line);
}

static bool read_linker(struct diagnostics *d, const char *line, struct diagnostic *ret)
{
	static const char *const complaints[] = {": undefined reference to ",
						 ": multiple definition of ",
						 ": relocation truncated to fit: "};

	if (read_linked(d, line))
		return false;
	line = skip_linker(line);
	for (size_t i = 0; i < array_size(complaints); i++) {
		const char *at = strstr(line, complaints[i]);

		if (at) {
			*ret = (struct diagnostic){.is_error = true,
						   .path = linked_path(d, line),
						   .text = xstrdup(at + 2)};
			return true;
		}
	}
	return false;
}

/* "ERROR: modpost: text", "cc1: error: text", "powerpc64le-linux-gnu-ld: warning: text". make's
 * warnings are about the machine (clocks, job servers). */
static bool read_tool(const char *line, struct diagnostic *ret)
{
	const char *rest = line;
	const struct severity *severity = severity_at(&rest);

	if (!severity) {
		size_t tool = strcspn(line, ": \t");

		if (str_starts(line, "make") || strncmp(line + tool, ": ", 2) != 0)
			return false;
		rest = line + tool + 2;
		severity = severity_at(&rest);
	}
	if (!severity || !*rest)
		return false;
	*ret = (struct diagnostic){.is_error = severity->is_error, .text = xstrdup(rest)};
	return true;
}

/* "make[2]: *** ...": an error of its own, or what an error led to. */
static bool read_make(struct diagnostics *d, const char *line, struct diagnostic *ret)
{
	const char *stars = str_starts(line, "make") ? strstr(line, ": *** ") : NULL;

	if (!stars || strchr(line, ':') != stars)
		return false;
	stars += strlen(": *** ");
	if (str_starts(stars, "Waiting for unfinished jobs"))
		return false;
	if (*stars == '[') {
		if (!d->make_failed)
			d->make_failed = xstrdup(stars);
		/* By the kernel, when memory runs out, or by a person. */
		if (!d->infra && (str_ends(line, "] Killed") || str_ends(line, "] Terminated")))
			d->infra = xstrdup(line);
		return false;
	}
	*ret = (struct diagnostic){.is_error = true, .text = xstrdup(stars)};
	return true;
}

/* gcc shows the source under a complaint: "   12 |  code". That is the author's text, not a tool's.
 */
static bool is_excerpt(const char *line)
{
	const char *p = skip_spaces(line);

	p += strspn(p, "0123456789");
	return p != line && *skip_spaces(p) == '|';
}

static void infra_read(struct diagnostics *d, const char *line)
{
	for (size_t i = 0; i < array_size(infra_phrases) && !d->infra; i++) {
		if (strstr(line, infra_phrases[i]))
			d->infra = xstrdup(line);
	}
}

void diagnostics_read(struct diagnostics *d, const char *line)
{
	struct diagnostic found = {0};

	if (is_excerpt(line))
		return;
	infra_read(d, line);
	if (!read_located(line, &found) && !read_make(d, line, &found) &&
	    !read_linker(d, line, &found) && !read_tool(line, &found))
		return;
	found.excerpt = xstrdup(line);
	diagnostics_add(d, &found);
}

json_t *diagnostic_to_json(const struct diagnostic *d)
{
	return json_pack("{s:b, s:o, s:i, s:o, s:o}", "is_error", (int)d->is_error, "path",
			 json_text(d->path), "line", (int)d->line, "text", json_text(d->text),
			 "excerpt", json_text(d->excerpt));
}

void diagnostic_from_json(const json_t *obj, struct diagnostic *ret)
{
	const char *path = json_get_str(obj, "path", NULL);

	*ret = (struct diagnostic){
		.is_error = json_get_bool(obj, "is_error", false),
		.path = path ? xstrdup(path) : NULL,
		.line = (unsigned)json_get_num(obj, "line", 0),
		.text = xstrdup(json_get_str(obj, "text", "")),
		.excerpt = xstrdup(json_get_str(obj, "excerpt", "")),
	};
}
