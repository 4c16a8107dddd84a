// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/diagnostic_line.h"

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

const char *line_skip(const char *s)
{
	return s + strspn(s, " ");
}

/* When `s` begins with "error:" or the like, moves it behind that. */
static const struct severity *severity_at(const char **s)
{
	for (size_t i = 0; i < array_size(severities); i++) {
		if (str_starts(*s, severities[i].word)) {
			*s = line_skip(*s + strlen(severities[i].word));
			return &severities[i];
		}
	}
	return NULL;
}

/* The path as the tree has it. NULL for what is not a file of it: "{standard input}". */
char *line_path(const char *s, size_t n)
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

/* dtc says ".5-13" or ".5-13.7" behind a line. */
static char *skip_range(char *end)
{
	if (*end == '.' && isdigit((unsigned char)end[1]))
		end += 1 + strspn(end + 1, "0123456789.-");
	return end;
}

/* "path:12:", "path:12:5:" or "path:12.5-13:" at the front. Returns what follows, NULL when there
 * is no such thing. */
const char *line_place(const char *line, size_t *ret_path_len, unsigned *ret_line)
{
	const char *colon = str_starts(line, "{standard input}:") ? strchr(line, ':')
								  : line + strcspn(line, ": \t");
	char *end;
	unsigned long n;

	if (colon == line || *colon != ':' || !isdigit((unsigned char)colon[1]))
		return NULL;
	n = strtoul(colon + 1, &end, 10);
	end = skip_range(end);
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

/* dtc: "Warning (reg_format): text", "ERROR (phandle_references): text". */
static bool read_named(const char **rest, struct diagnostic *ret)
{
	bool is_error = str_starts(*rest, "ERROR (");
	const char *name;
	size_t n;

	if (!is_error && !str_starts(*rest, "Warning ("))
		return false;
	name = strchr(*rest, '(') + 1;
	n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
	if (!n || strncmp(name + n, "): ", 3) != 0)
		return false;
	ret->is_error = is_error;
	ret->tool = xstrdup("dtc");
	ret->option = xmemdup(name, n);
	*rest = name + n + 3;
	return true;
}

static bool is_kconfig(const char *path, size_t n)
{
	while (n && path[n - 1] != '/' && strncmp(path + n - 1, "Kconfig", 7) != 0)
		n--;
	return n && path[n - 1] != '/' && (n == 1 || path[n - 2] == '/');
}

/* What stands behind a place: is it a complaint? Moves to its text. */
static bool read_severity(const char **rest, bool kconfig, struct diagnostic *ret)
{
	const struct severity *severity;

	if (read_named(rest, ret))
		return true;
	severity = severity_at(rest);
	if (severity) {
		ret->is_error = severity->is_error;
		return true;
	}
	ret->is_error = true;
	if (str_starts(*rest, "*** ")) {
		ret->tool = xstrdup("make");
		*rest += 4;
		return true;
	}
	/* Lines that go on begin with a tab. */
	return kconfig && **rest && **rest != '\t';
}

/* Our own fragments override what a defconfig says. */
static bool is_override(const char *line, size_t path_len, const char *text)
{
	return path_len >= 7 && strncmp(line + path_len - 7, ".config", 7) == 0 &&
	       str_starts(text, "override: ");
}

/* "mm/memory.c:12:5: error: text", "mm/Kconfig:7: syntax error", "mm/Makefile:3: *** missing
 * separator.  Stop." */
bool line_read_located(const char *line, struct diagnostic *ret)
{
	size_t path_len = 0;
	unsigned number = 0;
	const char *rest = line_place(line, &path_len, &number);
	struct diagnostic found = {0};
	bool kconfig;

	if (!rest)
		return false;
	rest += *rest == ' ';
	kconfig = is_kconfig(line, path_len);
	if (!read_severity(&rest, kconfig, &found) || is_override(line, path_len, rest)) {
		diagnostic_done(&found);
		return false;
	}
	if (kconfig && !found.tool)
		found.tool = xstrdup("kconfig");
	found.path = line_path(line, path_len);
	found.line = number;
	found.text = xstrdup(rest);
	*ret = found;
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
	d->linked = end > line ? line_path(line, (size_t)(end - line)) : NULL;
	return true;
}

static char *linked_path(const struct diagnostics *d, const char *line)
{
	const char *slash = d->linked ? strrchr(d->linked, '/') : NULL;
	size_t n = strcspn(line, ":");

	if (!slash || strncmp(line + n, ":(", 2) != 0)
		return NULL;
	/* With debug information it has the folder. */
	return memchr(line, '/', n) ? line_path(line, n)
				    : xasprintf("%.*s%.*s", (int)(slash + 1 - d->linked), d->linked,
						(int)n, line);
}

bool line_read_linker(struct diagnostics *d, const char *line, struct diagnostic *ret)
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
						   .tool = xstrdup("ld"),
						   .path = linked_path(d, line),
						   .text = xstrdup(at + 2)};
			return true;
		}
	}
	return false;
}

/* "mm/x.o: warning: objtool: f+0x1c: unreachable instruction" */
static void read_objtool(struct diagnostic *ret)
{
	const char *text;
	size_t n;

	if (!str_starts(ret->text, "objtool: "))
		return;
	text = ret->text + strlen("objtool: ");
	n = strcspn(text, "+(: ");
	free(ret->tool);
	ret->tool = xstrdup("objtool");
	if (n && (text[n] == '+' || text[n] == '('))
		ret->function = xmemdup(text, n);
}

/* What stands before ": warning: " is a tool, or the file that it is about. */
static void read_subject(const char *line, size_t n, struct diagnostic *ret)
{
	const char *last = memrchr(line, '-', n);

	if (memchr(line, '/', n) || memchr(line, '.', n))
		ret->path = line_path(line, n);
	else if (!ret->tool)
		ret->tool =
			last ? xmemdup(last + 1, n - (size_t)(last + 1 - line)) : xmemdup(line, n);
}

/* "ERROR: modpost: text", "cc1: error: text", "powerpc64le-linux-gnu-ld: warning: text". make's
 * warnings are about the machine (clocks, job servers). */
bool line_read_tool(const char *line, struct diagnostic *ret)
{
	const char *rest = line, *behind;
	struct diagnostic found = {0};
	size_t subject = 0, path_len = 0;
	bool good = !str_starts(line, "make");

	if (!good || !read_severity(&rest, false, &found)) {
		subject = strcspn(line, ": \t");
		rest = line + subject + 2;
		good = good && subject && strncmp(line + subject, ": ", 2) == 0 &&
		       read_severity(&rest, false, &found);
	}
	if (!good || !*rest || str_starts(line, "***")) {
		diagnostic_done(&found);
		return false;
	}
	/* dtc: "Error: x.dts:12.5-7 syntax error" */
	behind = subject ? NULL : line_place(rest, &path_len, &found.line);
	found.text = xstrdup(behind ? line_skip(behind) : rest);
	if (behind)
		found.path = line_path(rest, path_len);
	if (subject)
		read_subject(line, subject, &found);
	if (str_starts(found.text, "modpost: ") && !found.tool)
		found.tool = xstrdup("modpost");
	read_objtool(&found);
	*ret = found;
	return true;
}

/* "[/src/scripts/Makefile.build:250: mm/memory.o] Error 1" */
static void failed_add(struct diagnostics *d, const char *what)
{
	const char *target = strchr(what, ' '), *end = strrchr(what, ']');
	auto_free char *path = NULL;

	if (!target || !end || target >= end)
		return;
	path = line_path(target + 1, (size_t)(end - target - 1));
	if (!d->failed)
		d->failed = json_object();
	if (path && json_object_size(d->failed) < DIAGNOSTICS_MAX && utf8_valid(path, strlen(path)))
		json_object_set_new(d->failed, path, json_true());
}

/* "make[2]: *** ...": an error of its own, or what an error led to. */
bool line_read_make(struct diagnostics *d, const char *line, struct diagnostic *ret)
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
		failed_add(d, stars);
		/* A command that is not installed. */
		d->lacks = d->lacks || str_ends(line, "] Error 127");
		/* By the kernel, when memory runs out, or by a person. */
		if (!d->infra && (str_ends(line, "] Killed") || str_ends(line, "] Terminated")))
			d->infra = xstrdup(line);
		return false;
	}
	*ret = (struct diagnostic){
		.is_error = true, .tool = xstrdup("make"), .text = xstrdup(stars)};
	return true;
}

/* gcc shows the source under a complaint: "   12 |  code". That is the author's text, not a tool's.
 */
bool line_is_excerpt(const char *line)
{
	const char *p = line_skip(line);

	p += strspn(p, "0123456789");
	return p != line && *line_skip(p) == '|';
}

void line_read_infra(struct diagnostics *d, const char *line)
{
	/* Source that clang shows; no tool begins so. */
	if (*line == ' ' || *line == '\t')
		return;
	for (size_t i = 0; i < array_size(infra_phrases) && !d->infra; i++) {
		if (strstr(line, infra_phrases[i]))
			d->infra = xstrdup(line);
	}
}
