// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checker.h"

#define TEXT_MAX ((size_t)500)

const char *finding_level_name(enum finding_level l)
{
	static const char *const names[] = {"NOTE", "CHECK", "WARNING", "ERROR"};

	return names[l];
}

/* Bytes of the UTF-8 character at s, 0 when there is none. */
static size_t character_len(const char *s, size_t n)
{
	for (size_t len = 1; len <= 4 && len <= n; len++)
		if (utf8_valid(s, len))
			return len;
	return 0;
}

/* C0 and C1 controls, and the marks that turn the direction of text: Unicode's "Trojan Source" (UTS
 * 55). */
static bool character_is_unsafe(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	if (len == 1)
		return u[0] < 0x20 || u[0] == 0x7f;
	if (len == 2)
		return u[0] == 0xc2 && u[1] < 0xa0;
	return len == 3 && u[0] == 0xe2 &&
	       ((u[1] == 0x80 && u[2] >= 0xaa && u[2] <= 0xae) ||
		(u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9));
}

/* One line of safe UTF-8, tabs kept, cut at TEXT_MAX. */
static char *text_clean(const char *s, size_t n)
{
	struct str out;

	str_init(&out, TEXT_MAX + 8);
	for (size_t i = 0, len; i < n; i += len) {
		len = character_len(s + i, n - i);
		if (out.len + len > TEXT_MAX) {
			str_adds(&out, "...");
			break;
		}
		if (len && (s[i] == '\t' || !character_is_unsafe(s + i, len)))
			str_add(&out, s + i, len);
		else
			str_addc(&out, '?');
		len = len ? len : 1;
	}
	return str_take(&out);
}

static char *text_clean_z(const char *s)
{
	return s ? text_clean(s, strlen(s)) : NULL;
}

static char *text_format(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
static char *text_format(const char *fmt, va_list ap)
{
	auto_str struct str text;

	str_init(&text, 2 * TEXT_MAX);
	str_vaddf(&text, fmt, ap);
	return text_clean(text.buf, text.len);
}

static struct finding *finding_add(struct check_result *r)
{
	arr_grow(r->finding, r->n, r->cap);
	r->finding[r->n] = (struct finding){.level = FINDING_NOTE};
	return &r->finding[r->n++];
}

void check_result_add(struct check_result *r, enum finding_level level, const char *type,
		      const char *path, unsigned line, unsigned patch_line, const char *fmt, ...)
{
	struct finding *f;
	va_list ap;

	if (r->n > CHECK_FINDINGS_MAX)
		return;
	f = finding_add(r);
	if (r->n > CHECK_FINDINGS_MAX) {
		f->type = xstrdup("TOO_MANY");
		f->message = xasprintf("more than %d findings: the rest is not shown",
				       CHECK_FINDINGS_MAX);
		return;
	}
	f->level = level;
	f->type = text_clean_z(type);
	f->path = text_clean_z(path);
	f->line = line;
	f->patch_line = patch_line;
	va_start(ap, fmt);
	f->message = text_format(fmt, ap);
	va_end(ap);
}

void check_result_excerpt(struct check_result *r, const char *line, size_t n)
{
	struct finding *f = r->n ? &r->finding[r->n - 1] : NULL;

	if (f && !f->excerpt && r->n <= CHECK_FINDINGS_MAX)
		f->excerpt = text_clean(line, n);
}

void check_result_reason(struct check_result *r, enum outcome outcome, const char *fmt, ...)
{
	va_list ap;

	r->outcome = outcome;
	free(r->reason);
	va_start(ap, fmt);
	r->reason = text_format(fmt, ap);
	va_end(ap);
}

static void finding_done(struct finding *f)
{
	free(f->type);
	free(f->path);
	free(f->message);
	free(f->excerpt);
}

void check_result_remove(struct check_result *r, size_t i)
{
	finding_done(&r->finding[i]);
	r->n--;
	memmove(&r->finding[i], &r->finding[i + 1], (r->n - i) * sizeof(*r->finding));
}

void check_result_done(struct check_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		finding_done(&r->finding[i]);
	free(r->finding);
	free(r->reason);
	memset(r, 0, sizeof(*r));
}

/* Orders by what makes two findings the same one. The line of the patch counts only where there is
 * no line of a file. */
static int finding_cmp(const void *pa, const void *pb)
{
	const struct finding *a = pa, *b = pb;
	int d = (int)a->level - (int)b->level;

	if (!d)
		d = strcmp(a->type, b->type);
	if (!d)
		d = strcmp(a->path ? a->path : "", b->path ? b->path : "");
	if (!d)
		d = (a->line > b->line) - (a->line < b->line);
	if (!d && !a->path)
		d = (a->patch_line > b->patch_line) - (a->patch_line < b->patch_line);
	return d;
}

void check_dedupe(struct check_result *native, const struct check_result *script)
{
	size_t kept = 0;
	auto_free struct finding *sorted = NULL;

	if (!script->n || !native->n)
		return;
	sorted = xreallocarray(NULL, script->n, sizeof(*sorted));
	memcpy(sorted, script->finding, script->n * sizeof(*sorted));
	qsort(sorted, script->n, sizeof(*sorted), finding_cmp);
	for (size_t i = 0; i < native->n; i++) {
		struct finding *f = &native->finding[i];

		if (bsearch(f, sorted, script->n, sizeof(*sorted), finding_cmp))
			finding_done(f);
		else
			native->finding[kept++] = *f;
	}
	native->n = kept;
	check_result_totals(native);
	if (!kept)
		check_result_reason(native, OUTCOME_PASS,
				    "found nothing that checkpatch-pl did not");
}
