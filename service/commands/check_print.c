// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/check_print.h"

#include "base/json.h"
#include "report/escape.h"

/* Strangers' text, safe for a terminal. */
static void put(FILE *out, const char *s)
{
	auto_str struct str safe;

	str_init(&safe, 0);
	term_text(&safe, s, strlen(s));
	fputs(safe.buf, out);
}

static unsigned patch_line(const struct check_print *p, const struct check_result *r, size_t i)
{
	return p->format ? p->format[i] : r->finding[i].patch_line;
}

void check_print_terse(const struct check_print *p, const struct check_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct finding *f = &r->finding[i];

		put(p->out, f->path ? f->path : p->name);
		fprintf(p->out, ":%u: %s: %s: ", f->path ? f->line : patch_line(p, r, i),
			finding_level_name(f->level), f->type);
		put(p->out, f->message);
		fputc('\n', p->out);
	}
}

static void print_finding(const struct check_print *p, const struct check_result *r, size_t i)
{
	const struct finding *f = &r->finding[i];
	unsigned line = patch_line(p, r, i);

	fprintf(p->out, "%s: %s: ", finding_level_name(f->level), f->type);
	put(p->out, f->message);
	if (line)
		fprintf(p->out, "\n#%u:", line);
	if (f->path) {
		fputs(line ? " " : "\n", p->out);
		put(p->out, f->path);
		fprintf(p->out, ":%u:", f->line);
	}
	if (f->excerpt) {
		fputc('\n', p->out);
		put(p->out, f->excerpt);
	}
	fputs("\n\n", p->out);
}

void check_print_plain(const struct check_print *p, const struct check_result *r)
{
	struct check_counts c = {0};

	if (p->subject) {
		put(p->out, p->subject);
		fputs("\n\n", p->out);
	}
	for (size_t i = 0; i < r->n; i++)
		print_finding(p, r, i);
	check_counts_add(&c, r);
	put(p->out, p->name);
	fprintf(p->out, ": total: %u errors, %u warnings, ", c.errors, c.warnings);
	if (p->show_checks)
		fprintf(p->out, "%u checks, ", c.checks);
	fprintf(p->out, "%u lines checked\n", c.lines);
}

static json_t *number_or_null(unsigned n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *finding_json(const struct check_print *p, const struct check_result *r, size_t i)
{
	const struct finding *f = &r->finding[i];
	json_t *o = json_object();

	json_object_set_new(o, "level", json_text(finding_level_name(f->level)));
	json_object_set_new(o, "type", json_text(f->type));
	json_object_set_new(o, "path", json_text(f->path));
	json_object_set_new(o, "line", number_or_null(f->line));
	json_object_set_new(o, "patch_line", number_or_null(patch_line(p, r, i)));
	json_object_set_new(o, "message", json_text(f->message));
	json_object_set_new(o, "excerpt", json_text(f->excerpt));
	return o;
}

json_t *check_print_json(const struct check_print *p, const struct check_result *r)
{
	json_t *o = json_object(), *findings = json_array();
	struct check_counts c = {0};

	check_counts_add(&c, r);
	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(findings, finding_json(p, r, i));
	json_object_set_new(o, "file", json_text(p->name));
	json_object_set_new(o, "subject", json_text(p->subject));
	json_object_set_new(o, "findings", findings);
	json_object_set_new(o, "errors", json_integer(c.errors));
	json_object_set_new(o, "warnings", json_integer(c.warnings));
	json_object_set_new(o, "checks", json_integer(c.checks));
	json_object_set_new(o, "lines", json_integer(c.lines));
	return o;
}
