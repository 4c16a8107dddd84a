// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about waiting. */
#include "checkers/checkpatch/cline.h"

static bool is_call(const struct cline *l, uint32_t i)
{
	return l->token[i].kind == CT_WORD && i + 1 < l->end && ctoken_is(&l->token[i + 1], '(');
}

/* A decimal number; false when it is none. */
static bool read_number(const struct cline *l, uint32_t i, unsigned long *ret_number)
{
	if (l->token[i].kind != CT_NUMBER)
		return false;
	*ret_number = 0;
	for (uint32_t k = 0; k < l->token[i].len; k++) {
		char c = l->text[l->token[i].at + k];

		if (c < '0' || c > '9' || *ret_number > 100000000)
			return false;
		*ret_number = *ret_number * 10 + (unsigned long)(c - '0');
	}
	return true;
}

/* The number that is a call's only argument. */
static bool read_argument(const struct cline *l, uint32_t i, unsigned long *ret_number)
{
	return is_call(l, i) && i + 3 < l->end && ctoken_is(&l->token[i + 3], ')') &&
	       read_number(l, i + 2, ret_number);
}

static void find_delay(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	bool is_sleep = strcmp(rule->type, "MSLEEP") == 0;
	bool is_long = strcmp(rule->type, "LONG_UDELAY") == 0;
	unsigned long n;

	for (uint32_t i = l.first; i < l.end; i++)
		if (cline_is(&l, i, is_sleep ? "msleep" : "udelay") && read_argument(&l, i, &n)) {
			if (is_sleep ? n < 20 : is_long ? n > 2000 : n >= 10)
				cline_report(&l, rule->level, NULL);
			return;
		}
}

static bool same_tokens(const struct cline *l, uint32_t a, uint32_t b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct ctoken *x = &l->token[a + i], *y = &l->token[b + i];

		if (x->len != y->len || memcmp(l->text + x->at, l->text + y->at, x->len) != 0)
			return false;
	}
	return true;
}

/* Names, numbers and members: "a->b". An expression is not looked into. */
static bool is_plain(const struct cline *l, uint32_t i, uint32_t end)
{
	for (; i < end; i++)
		if (l->token[i].kind != CT_WORD && l->token[i].kind != CT_NUMBER &&
		    l->token[i].op != COP_DOT && l->token[i].op != COP_ARROW)
			return false;
	return true;
}

/* usleep_range(MIN, MAX) that leaves the timer no choice. */
static bool is_no_range(const struct cline *l, uint32_t open)
{
	uint32_t close = cline_close(l, open), comma = open;
	unsigned long min, max;

	if (close == CTOKEN_NONE)
		return false;
	while (comma < close && l->token[comma].op != COP_COMMA)
		comma++;
	if (comma >= close || !is_plain(l, open + 1, comma) || !is_plain(l, comma + 1, close))
		return false;
	if (close - comma == comma - open && same_tokens(l, open + 1, comma + 1, comma - open - 1))
		return true;
	return comma == open + 2 && close == comma + 2 && read_number(l, open + 1, &min) &&
	       read_number(l, comma + 1, &max) && min > max;
}

static void find_no_range(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (cline_is(&l, i, "usleep_range") && is_call(&l, i) && is_no_range(&l, i + 1))
			cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "USLEEP_RANGE",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "udelay",
		.find = find_delay,
		.message = "ten microseconds and more are for usleep_range()",
		.help = "udelay() keeps the CPU busy: see Documentation/timers/timers-howto.rst.",
	},
	{
		.type = "LONG_UDELAY",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "udelay",
		.find = find_delay,
		.message = "too long for udelay()",
		.help = "It may overflow: mdelay(), or better a sleep.",
	},
	{
		.type = "MSLEEP",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "msleep",
		.find = find_delay,
		.message = "msleep() of less than 20 may take 20 milliseconds",
		.help = "usleep_range() keeps shorter times: see "
			"Documentation/timers/timers-howto.rst.",
	},
	{
		.type = "USLEEP_RANGE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "usleep_range",
		.find = find_no_range,
		.message = "usleep_range() of no range",
		.help = "With room between the two the kernel can wake once for several sleepers: "
			"see Documentation/timers/timers-howto.rst.",
	},
};

const struct rule_family family_delay = {"delay", rules, array_size(rules)};
