// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/ctype.h"

struct ctype_word {
	const char *s; /* in the view's text; NULL: free */
	uint32_t len;
	uint32_t line; /* where it was found */
	bool is_modifier;
};

/* More words than this are not remembered. */
#define WORDS_MAX ((uint32_t)65536)

void ctypes_init(struct ctypes *types)
{
	*types = (struct ctypes){.cap = 64};
	types->slot = xcalloc(types->cap, sizeof(*types->slot));
}

void ctypes_done(struct ctypes *types)
{
	free(types->slot);
	*types = (struct ctypes){0};
}

static uint32_t hash(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ (h >> 15);
}

/* The word's slot, or the free one where it would be. */
static struct ctype_word *find(const struct ctypes *types, const char *s, uint32_t n)
{
	uint32_t i = hash(s, n) & (types->cap - 1);

	while (types->slot[i].s && (types->slot[i].len != n || memcmp(types->slot[i].s, s, n) != 0))
		i = (i + 1) & (types->cap - 1);
	return &types->slot[i];
}

static void grow(struct ctypes *types)
{
	struct ctypes old = *types;

	types->cap = old.cap * 2;
	types->slot = xcalloc(types->cap, sizeof(*types->slot));
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slot[i].s)
			*find(types, old.slot[i].s, old.slot[i].len) = old.slot[i];
	free(old.slot);
}

static const char *token_text(const struct ctype_reader *r, const struct ctoken *t)
{
	return r->view->text.buf + t->at;
}

static void learn(struct ctypes *types, const struct ctype_reader *r, const struct ctoken *t,
		  bool is_modifier)
{
	struct ctype_word *w = find(types, token_text(r, t), t->len);

	if (w->s || types->n >= WORDS_MAX)
		return;
	*w = (struct ctype_word){token_text(r, t), t->len, r->now, is_modifier};
	if (++types->n * 2 > types->cap)
		grow(types);
}

static const struct ctype_word *known(const struct ctype_reader *r, const struct ctoken *t)
{
	const struct ctype_word *w = find(r->types, token_text(r, t), t->len);

	return w->s && w->line <= r->now ? w : NULL;
}

static bool ends_in(const char *s, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n > m && memcmp(s + n - m, end, m) == 0;
}

static bool looks_like_type(const char *s, size_t n)
{
	return ends_in(s, n, "_t") || ends_in(s, n, "_handler") || ends_in(s, n, "_handler_fn");
}

bool ctype_is_name(const struct ctype_reader *r, const struct ctoken *t)
{
	const struct ctype_word *w;

	if (t->kind != CT_WORD)
		return false;
	if (t->word)
		return t->word == CW_ALIAS || t->word == CW_BOOL;
	if (looks_like_type(token_text(r, t), t->len))
		return true;
	w = known(r, t);
	return w && !w->is_modifier;
}

bool ctype_is_modifier(const struct ctype_reader *r, const struct ctoken *t)
{
	const struct ctype_word *w;

	if (t->kind != CT_WORD)
		return false;
	if (t->word)
		return cword_is_modifier((enum cword)t->word);
	w = known(r, t);
	return w && w->is_modifier;
}

static uint32_t skip_modifiers(const struct ctype_reader *r, uint32_t i)
{
	while (i < r->limit && ctype_is_modifier(r, &r->tokens->token[i]))
		i++;
	return i;
}

/* struct x, typeof(x), unsigned long, u8, foo_t: the token after it, or i. */
static uint32_t specifier_end(const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = &r->tokens->token[i];

	if (i >= r->limit || t->kind != CT_WORD)
		return i;
	if (cword_is_tag((enum cword)t->word))
		return i + 1 < r->limit && t[1].kind == CT_WORD ? i + 2 : i;
	if (t->word == CW_TYPEOF)
		return i + 1 < r->limit && ctoken_is(&t[1], '(') && t[1].match < r->limit
			       ? t[1].match + 1
			       : i;
	if (ctype_is_name(r, t))
		return i + 1;
	while (i < r->limit && cword_is_type((enum cword)r->tokens->token[i].word) &&
	       r->tokens->token[i].word != CW_ALIAS)
		i++;
	return i;
}

uint32_t ctype_base_end(const struct ctype_reader *r, uint32_t i)
{
	uint32_t from = skip_modifiers(r, i), to = specifier_end(r, from);

	return to == from ? i : skip_modifiers(r, to);
}

uint32_t ctype_end(const struct ctype_reader *r, uint32_t i)
{
	uint32_t at = ctype_base_end(r, i);

	if (at == i)
		return i;
	for (;;) {
		const struct ctoken *t = &r->tokens->token[at];

		if (at < r->limit && t->op == COP_MUL)
			at = skip_modifiers(r, at + 1);
		else if (at + 1 < r->limit && ctoken_is(t, '[') && ctoken_is(&t[1], ']'))
			at += 2;
		else if (at < r->limit && t->word == CW_INLINE)
			at = skip_modifiers(r, at + 1);
		else
			return at;
	}
}

/* --- learning --- */

/* Words that begin no declaration. */
static bool begins_nothing(const struct ctoken *t)
{
	switch (t->word) {
	case CW_ELSE:
	case CW_DO:
	case CW_CASE:
	case CW_RETURN:
	case CW_GOTO:
	case CW_ASM:
	case CW_STRUCT:
	case CW_UNION:
	case CW_ENUM:
	case CW_TYPEDEF:
	case CW_TYPEOF:
	case CW_ATTRIBUTE: return true;
	default: return false;
	}
}

/* "static foo *bar =": words, stars, a name, and what comes then. */
struct declarator {
	uint32_t first, end; /* the words of the type */
	uint32_t name, after;
	bool has_star;
};

static bool read_declarator(const struct ctype_reader *r, uint32_t i, struct declarator *ret)
{
	struct declarator d = {.first = i};
	const struct ctoken *t = r->tokens->token;

	while (i < r->limit && t[i].kind == CT_WORD && !begins_nothing(&t[i]))
		i++;
	d.end = i;
	while (i < r->limit &&
	       (t[i].op == COP_MUL || (d.has_star && ctype_is_modifier(r, &t[i])))) {
		d.has_star = true;
		i++;
	}
	if (d.has_star && i < r->limit && t[i].kind == CT_WORD)
		d.name = i++;
	else if (!d.has_star && d.end > d.first + 1)
		d.name = --d.end;
	else
		return false;
	d.after = i;
	*ret = d;
	return i < r->limit && d.end > d.first;
}

static bool is_qualifier(const struct ctoken *t)
{
	return cword_is_modifier((enum cword)t->word);
}

/* One unknown word alone is a type; beside a known type, or another word, it is an attribute. */
static void learn_words(struct ctypes *types, const struct ctype_reader *r,
			const struct declarator *d)
{
	const struct ctoken *t = r->tokens->token;
	uint32_t unknown = 0, other = 0, from = d->first, end = d->end;

	while (from < end && is_qualifier(&t[from]))
		from++;
	for (uint32_t i = from; i < end; i++) {
		if (ctype_is_name(r, &t[i]) || cword_is_type((enum cword)t[i].word) ||
		    ctype_is_modifier(r, &t[i]))
			other++;
		else
			unknown++;
	}
	for (uint32_t i = from; i < end; i++)
		if (t[i].word == CW_NONE && !ctype_is_name(r, &t[i]) &&
		    !ctype_is_modifier(r, &t[i]))
			learn(types, r, &t[i], unknown + other > 1);
}

static uint32_t skip_storage(const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = r->tokens->token;

	while (i < r->limit && (cword_is_storage((enum cword)t[i].word) || t[i].word == CW_INLINE))
		i++;
	return i;
}

static bool ends_declarator(const struct ctype_reader *r, const struct declarator *d)
{
	const struct ctoken *t = &r->tokens->token[d->after];

	if (ctoken_is(t, ';') || ctoken_is(t, '=') || ctoken_is(t, ',') || ctoken_is(t, '('))
		return true;
	/* Of arrays only those outside of functions and structures. */
	return ctoken_is(t, '[') && r->tokens->token[d->first].at ==
					    r->view->line[r->tokens->token[d->first].line].start;
}

/* "(foo *)" anywhere; so is "(foo )", with a space that nobody writes after a variable. */
static bool is_cast_like(const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = r->tokens->token;
	uint32_t k = skip_modifiers(r, i + 2), stars = k;

	while (k < r->limit && t[k].op == COP_MUL)
		k++;
	if (k >= r->limit || !ctoken_is(&t[k], ')'))
		return false;
	return k > stars || (k == i + 2 && t[k].at > t[i + 1].at + t[i + 1].len);
}

static void learn_casts(struct ctypes *types, const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = r->tokens->token;

	for (; i + 2 < r->limit; i++)
		if (ctoken_is(&t[i], '(') && t[i + 1].kind == CT_WORD && !t[i + 1].word &&
		    t[i + 1].at == t[i].at + 1 && is_cast_like(r, i) &&
		    !ctype_is_name(r, &t[i + 1]))
			learn(types, r, &t[i + 1], false);
}

/* "const foo *a", "foo a", "foo": one parameter. */
static void learn_parameter(struct ctypes *types, const struct ctype_reader *r, uint32_t i,
			    uint32_t end)
{
	const struct ctoken *t = r->tokens->token;
	uint32_t word, k;

	while (i < end && is_qualifier(&t[i]))
		i++;
	word = i;
	if (i >= end || t[i].kind != CT_WORD || t[i].word || ctype_is_name(r, &t[i]) ||
	    ctype_is_modifier(r, &t[i]))
		return;
	k = skip_modifiers(r, i + 1);
	while (k < end && t[k].op == COP_MUL)
		k = skip_modifiers(r, k + 1);
	if (k < end && t[k].kind == CT_WORD && t[k].word == CW_NONE)
		k++;
	if (k == end)
		learn(types, r, &t[word], false);
}

/* The parameters of "type name(...)" that begins a line. */
static void learn_parameters(struct ctypes *types, const struct ctype_reader *r, uint32_t open)
{
	const struct ctoken *t = r->tokens->token;
	uint32_t from = open + 1, depth = 0;

	for (uint32_t i = from; i < r->limit; i++) {
		bool ends = depth == 0 && (t[i].op == COP_COMMA || ctoken_is(&t[i], ')'));

		if (ends) {
			learn_parameter(types, r, from, i);
			from = i + 1;
			if (ctoken_is(&t[i], ')'))
				return;
		}
		if (t[i].kind == CT_OPEN)
			depth++;
		else if (t[i].kind == CT_CLOSE)
			depth--;
	}
}

static bool begins_line(const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = &r->tokens->token[i];

	return t->at == r->view->line[t->line].start;
}

/* "static struct foo *__init name(": the bracket, or CTOKEN_NONE. */
static uint32_t function_bracket(const struct ctype_reader *r, uint32_t i)
{
	const struct ctoken *t = r->tokens->token;
	uint32_t from, to;

	while (i < r->limit && (cword_is_storage((enum cword)t[i].word) || t[i].word == CW_INLINE))
		i++;
	from = i;
	to = ctype_end(r, from);
	if (to == from || to + 1 >= r->limit || t[to].kind != CT_WORD || t[to].word)
		return CTOKEN_NONE;
	return ctoken_is(&t[to + 1], '(') ? to + 1 : CTOKEN_NONE;
}

void ctypes_learn(struct ctypes *types, const struct ctype_reader *r, uint32_t first)
{
	const struct ctoken *t = r->tokens->token;
	struct declarator d;
	uint32_t bracket;

	if (first >= r->limit)
		return;
	if (t[first].kind == CT_WORD && !begins_nothing(&t[first]) &&
	    read_declarator(r, skip_storage(r, first), &d) && ends_declarator(r, &d))
		learn_words(types, r, &d);
	learn_casts(types, r, first);
	if (!begins_line(r, first) || t[first].kind != CT_WORD)
		return;
	bracket = function_bracket(r, first);
	if (bracket != CTOKEN_NONE)
		learn_parameters(types, r, bracket);
}
