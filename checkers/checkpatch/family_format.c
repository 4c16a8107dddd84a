// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about printf formats: Documentation/core-api/printk-formats.rst. */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <ctype.h>

struct text {
	const char *s, *end;
};

/* The first string on the line: its text as it was written. */
static bool first_string(const struct view *v, uint32_t i, struct text *ret)
{
	const char *text = view_text(v, i), *end = text + v->line[i].len, *open, *close;

	open = memchr(text, '"', (size_t)(end - text));
	close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
	if (!close)
		return false;
	*ret = (struct text){view_plain(v, i) + (open - text) + 1,
			     view_plain(v, i) + (close - text)};
	return true;
}

/* The next "%...p": what follows the p. "%%" is no conversion. */
static bool next_pointer(struct text *t, struct text *ret_extension)
{
	while (t->s < t->end && (t->s = memchr(t->s, '%', (size_t)(t->end - t->s)))) {
		const char *at = ++t->s;

		while (at < t->end && (isdigit((unsigned char)*at) || strchr("*.", *at)))
			at++;
		if (at < t->end && *at == '%')
			t->s = at + 1;
		if (at == t->end || *at != 'p')
			continue;
		*ret_extension = (struct text){at + 1, at + 1};
		while (ret_extension->end < t->end && isalnum((unsigned char)*ret_extension->end))
			ret_extension->end++;
		t->s = at + 1;
		return true;
	}
	return false;
}

static bool extension_is_known(struct text x)
{
	static const char known[] = "abdeghimrstxBCDEGIKMNORSUV";
	size_t n = (size_t)(x.end - x.s);

	if (n == 0)
		return true;
	if (*x.s == '4')
		return n >= 3 && memcmp(x.s, "4cc", 3) == 0;
	if (*x.s == 'f')
		return n >= 2 && x.s[1] == 'w';
	return memchr(known, *x.s, sizeof(known) - 1);
}

/* What a call's format has, up to the first extension that nobody knows. */
static void statement_formats(const struct rule_subject *s, bool *ret_address, bool *ret_unknown)
{
	const struct view *v = s->view;

	for (uint32_t i = s->statement.first; i != VIEW_NONE && i <= s->statement.last;
	     i = view_next(v, i)) {
		struct text string, x;

		if (!first_string(v, i, &string))
			continue;
		while (next_pointer(&string, &x)) {
			if (!extension_is_known(x)) {
				*ret_unknown = true;
				return;
			}
			*ret_address = *ret_address || (x.s < x.end && *x.s == 'x');
		}
	}
}

/* A string with arguments behind it, and a % in one. Most statements have none, and a call of many
 * lines takes an expression long. */
static bool has_pointer_format(const struct rule_subject *s)
{
	static struct pattern *p;

	if (!memmem(s->plain, s->len, "%", 1))
		return false;
	p = p ? p : pattern_new("\\w\\s*\\(.*\"[X\\t]*\"\\s*,");
	return pattern_matches(p, s->text, s->len);
}

static bool prints_address(const struct rule_subject *s)
{
	bool address = false, unknown = false;

	if (has_pointer_format(s))
		statement_formats(s, &address, &unknown);
	return address;
}

static bool prints_unknown(const struct rule_subject *s)
{
	bool address = false, unknown = false;

	if (has_pointer_format(s))
		statement_formats(s, &address, &unknown);
	return unknown;
}

/* One of the strings on the line matches. */
static bool string_has(const struct rule_subject *s, struct pattern *p)
{
	const char *end = s->text + s->len, *open = s->text, *close;

	while ((open = memchr(open, '"', (size_t)(end - open)))) {
		close = memchr(open + 1, '"', (size_t)(end - open - 1));
		if (!close)
			return false;
		if (pattern_matches(p, s->plain + (open - s->text), (size_t)(close - open)))
			return true;
		open = close + 1;
	}
	return false;
}

static bool has_big_l(const struct rule_subject *s)
{
	static struct pattern *p;

	p = p ? p : pattern_new("(?<!%)(?:%%)*%[\\d.*-]*L[udi]");
	return string_has(s, p);
}

static bool has_big_z(const struct rule_subject *s)
{
	static struct pattern *p;

	p = p ? p : pattern_new("(?<!%)(?:%%)*%[\\d.*-]*Z[udi]");
	return string_has(s, p);
}

static bool has_hex_decimal(const struct rule_subject *s)
{
	static struct pattern *p;

	p = p ? p : pattern_new("0[xX]%[\\d.*-]*(?:z|t|l{0,2}|h{0,2}|j)[udi]");
	return string_has(s, p);
}

static const struct rule rules[] = {
	{
		.type = "VSPRINTF_SPECIFIER_PX",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.need = "\"",
		.test = prints_address,
		.message = "%px prints an address as it is",
		.help = "It tells an attacker where things are. %p is enough to tell two apart.",
	},
	{
		.type = "VSPRINTF_POINTER_EXTENSION",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.need = "\"",
		.test = prints_unknown,
		.message = "vsprintf() knows no such letter behind %p",
		.help = "Documentation/core-api/printk-formats.rst has them; %pf and %pF are %ps "
			"and "
			"%pS.",
	},
	{
		.type = "PRINTF_L",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.test = has_big_l,
		.message = "%L is no standard C: %ll",
		.help = "Compilers check %llu against its argument.",
	},
	{
		.type = "PRINTF_Z",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.test = has_big_z,
		.message = "%Z is no standard C: %z",
		.help = "Compilers check %zu against its argument.",
	},
	{
		.type = "PRINTF_0XDECIMAL",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\"",
		.test = has_hex_decimal,
		.message = "a decimal number with 0x in front",
		.help = "Who reads it takes it for hexadecimal.",
	},
};

const struct rule_family family_format = {"format", rules, array_size(rules)};
