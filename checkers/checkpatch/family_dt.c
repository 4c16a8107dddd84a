// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about what the tree's documentation has to tell: devicetrees and parameters of the kernel.
 */
#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

#include <ctype.h>

#define BINDINGS "Documentation/devicetree/bindings"
#define VENDORS	 BINDINGS "/vendor-prefixes.yaml"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || memchr("-,._+", c, 5);
}

static bool bindings_have(const struct str *bindings, const char *s, size_t n)
{
	return memmem(bindings->buf, bindings->len, s, n);
}

/* "vendor,<chip>-uart" for vendor,x1-uart, where `before` characters stand in front of the '<'. */
static bool bindings_have_like(const struct str *bindings, const char *s, size_t before,
			       const char *rest)
{
	auto_free char *head = xasprintf("%.*s<", (int)before, s);
	const char *end = bindings->buf + bindings->len, *at = bindings->buf, *nl, *close;

	while ((at = memmem(at, (size_t)(end - at), head, before + 1))) {
		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		close = at + before;
		while ((close = memchr(close, '>', (size_t)(nl - close)))) {
			close++;
			if ((size_t)(nl - close) >= strlen(rest) &&
			    memcmp(close, rest, strlen(rest)) == 0)
				return true;
		}
		at = nl;
	}
	return false;
}

/* Bindings stand for many chips at once: "vendor,<chip>-uart", "vendor,imx<N>-uart". */
static bool is_documented_alike(const struct str *bindings, const char *name)
{
	const char *chip = strchr(name, ','), *digits, *end;

	if (!chip)
		return false;
	chip++;
	end = chip + strspn(chip, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
	if (*end != '-')
		return false;
	digits = chip + strspn(chip, "abcdefghijklmnopqrstuvwxyz");
	return bindings_have_like(bindings, name, (size_t)(chip - name), end) ||
	       (digits + strspn(digits, "0123456789") == end &&
		bindings_have_like(bindings, name, (size_t)(digits - name), end));
}

static bool vendor_is_known(struct tree *t, const char *name, size_t n)
{
	const struct str *vendors = tree_file(t, VENDORS);
	auto_free char *line = xasprintf("\"^%.*s,", (int)n, name);

	return !vendors || strstr(vendors->buf, line);
}

static void check_name(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		       const char *name)
{
	struct tree *t = rule_tree(run);
	const struct str *bindings = tree_folder(t, BINDINGS);
	const char *comma = strchr(name, ',');
	auto_free char *vendor = NULL;

	if (!bindings)
		return;
	if (!bindings_have(bindings, name, strlen(name)) && !is_documented_alike(bindings, name))
		rule_report(run, rule, s, name);
	if (!comma || vendor_is_known(t, name, (size_t)(comma - name)))
		return;
	vendor = xasprintf("the vendor of %s, which is not in " VENDORS, name);
	rule_report(run, rule, s, vendor);
}

/* Every string in the stretch that is a name. */
static void check_names(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
			const char *at)
{
	const char *end = s->plain + s->len, *close;

	while (at < end && (at = memchr(at, '"', (size_t)(end - at)))) {
		for (close = ++at; close < end && is_name(*close); close++)
			;
		if (close < end && *close == '"' && close > at) {
			auto_free char *name = xmemdup(at, (size_t)(close - at));

			check_name(run, rule, s, name);
		}
		at = memchr(at, '"', (size_t)(end - at));
		at = at ? at + 1 : end;
	}
}

static void find_undocumented(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	const char *equals = memchr(s->plain, '=', s->len);

	if (equals && tree_is_there(rule_tree(run)))
		check_names(run, rule, s, equals + 1);
}

/* C has several on a line, each behind its own name. */
static void find_undocumented_in_c(struct rule_run *run, const struct rule *rule,
				   const struct rule_subject *s)
{
	static struct pattern *entry;
	const char *at = s->plain, *end = at + s->len;
	struct pattern_match m;

	if (!tree_is_there(rule_tree(run)))
		return;
	entry = entry ? entry : pattern_new("\\.compatible\\s*=\\s*\"([a-zA-Z0-9\\-,.+_]+)\"");
	while (pattern_find(entry, at, (size_t)(end - at), &m)) {
		auto_free char *name = xmemdup(m.group[1].s, m.group[1].len);

		check_name(run, rule, s, name);
		at = m.group[0].s + m.group[0].len;
	}
}

#define PARAMETERS "Documentation/admin-guide/kernel-parameters.txt"

/* A line that begins with the name, and does not go on with it. */
static bool parameter_is_documented(const struct str *text, const char *name, size_t n)
{
	const char *end = text->buf + text->len, *at = text->buf;

	while ((at = memmem(at, (size_t)(end - at), name, n))) {
		const char *line = at, *next = at + n;

		while (line > text->buf && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if ((line == text->buf || line[-1] == '\n') &&
		    (next == end || !(is_name(*next) && *next != '.')))
			return true;
		at = next;
	}
	return false;
}

static void find_undocumented_setup(struct rule_run *run, const struct rule *rule,
				    const struct rule_subject *s)
{
	const struct str *text = tree_file(rule_tree(run), PARAMETERS);
	const char *open = memchr(s->plain, '"', s->len), *close;
	auto_free char *name = NULL;
	size_t n;

	close = open ? memchr(open + 1, '"', (size_t)(s->plain + s->len - open - 1)) : NULL;
	if (!text || !close)
		return;
	n = (size_t)(close - open - 1);
	n -= n && open[n] == '=';
	if (!n || parameter_is_documented(text, open + 1, n))
		return;
	name = xmemdup(open + 1, n);
	rule_report(run, rule, s, name);
}

static const char help_undocumented[] =
	"Bindings are the contract between firmware and drivers: they come first, in a patch of "
	"their own, below " BINDINGS "/.";

static const struct rule rules[] = {
	{
		.type = "UNDOCUMENTED_DT_STRING",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_DTS,
		.need = "compatible",
		.pattern = "^\\s*compatible\\s*=\\s*\"",
		.find = find_undocumented,
		.message = "no binding describes this",
		.help = help_undocumented,
	},
	{
		.type = "UNDOCUMENTED_DT_STRING",
		.level = FINDING_WARNING,
		.scope = RULE_ADDED,
		.files = FILE_CODE,
		.need = ".compatible",
		.find = find_undocumented_in_c,
		.message = "no binding describes this",
		.help = help_undocumented,
	},
	{
		.type = "UNDOCUMENTED_SETUP",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "__setup(",
		.pattern = "\\b__setup\\(\"[X\\t]+\"",
		.find = find_undocumented_setup,
		.message = PARAMETERS " does not tell of this parameter",
		.help = "That is where whoever boots the kernel looks.",
	},
};

const struct rule_family family_dt = {"dt", rules, array_size(rules)};
