// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/declaration.h"

#include "checkers/checkpatch/view.h"
#include <ctype.h>

/* A word or one other character. */
struct token {
	const char *s;
	size_t len; /* 0 at the end */
	bool word;
	bool space_before, newline_before;
};

struct lexer {
	const char *at, *end;
	bool comments; /* count as spaces; else they are tokens */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A word, with what ## pastes to it in a macro. */
static const char *word_end(const char *s, const char *end)
{
	for (;;) {
		while (s < end && is_word(*s))
			s++;
		if (end - s < 3 || s[0] != '#' || s[1] != '#' || !is_word(s[2]))
			return s;
		s += 2;
	}
}

static struct token token_next(struct lexer *l)
{
	struct token t = {0};

	for (; l->at < l->end; l->at++) {
		char c = *l->at;

		if (c == '\n')
			t.newline_before = true;
		else if (c != ' ' && c != '\t' && !(c == VIEW_COMMENT && l->comments))
			break;
		t.space_before = true;
	}
	t.s = l->at;
	t.word = l->at < l->end && is_word(*l->at);
	if (t.word)
		l->at = word_end(l->at, l->end);
	else if (l->at < l->end)
		l->at++;
	t.len = (size_t)(l->at - t.s);
	return t;
}

static bool token_is(const struct token *t, const char *word)
{
	return t->len == strlen(word) && memcmp(t->s, word, t->len) == 0;
}

static bool token_in(const struct token *t, const char *const *words)
{
	for (; *words; words++)
		if (token_is(t, *words))
			return true;
	return false;
}

/* No type begins with these; the storage classes are among them, since checkpatch lets only
 * `extern` stand there. */
static const char *const no_type[] = {
	"static",	   "asmlinkage", "typedef", "inline", "__inline", "__inline__",
	"__always_inline", "noinline",	 "return",  "else",   "goto",	  "case",
	"default",	   "do",	 "while",   "for",    "if",	  "switch",
	"break",	   "continue",	 "sizeof",  "asm",    "__asm__",  NULL,
};
static const char *const tags[] = {"struct", "union", "enum", NULL};
static const char *const builtin[] = {
	"void",	    "char",  "short",  "int",  "long", "signed",
	"unsigned", "float", "double", "bool", NULL,
};
/* Words beside a type. Others are told by their place. */
static const char *const qualifiers[] = {
	"const",	"volatile",	 "restrict",	"__restrict",	  "__user",
	"__kernel",	"__force",	 "__iomem",	"__must_check",	  "__kprobes",
	"__ref",	"__rcu",	 "__private",	"__percpu",	  "__nocast",
	"__safe",	"__bitwise",	 "__packed2__", "__maybe_unused", "__always_unused",
	"__noreturn",	"__used",	 "__cold",	"__pure",	  "__noclone",
	"__deprecated", "__read_mostly", "__weak",	"__init",	  "__meminit",
	"__cpuinit",	"__devinit",	 "__net_init",	"__packed__",	  "__naked",
	NULL,
};

bool declaration_is_extern(const char *s, size_t n)
{
	struct lexer l = {s, s + n, false};
	struct token t = token_next(&l);

	return token_is(&t, "extern");
}

/* Declaration specifiers, stars and a name, as far as they go. */
struct spec {
	bool type;	    /* there is one */
	struct token name;  /* len 0: none */
	bool ends_in_enum;  /* the last word is an enum's tag */
	struct token after; /* what stopped it */
};

/* A word with no meaning of its own is the type, or the name when a type is before it. */
static void spec_add_word(struct lexer *l, struct spec *spec, struct token t)
{
	bool tag = token_in(&t, tags);

	spec->ends_in_enum = tag && token_is(&t, "enum");
	if (token_in(&t, qualifiers))
		return;
	spec->type = spec->type || spec->name.len || tag || token_in(&t, builtin);
	spec->name = t;
	if (tag)
		token_next(l);
	if (tag || token_in(&t, builtin))
		spec->name.len = 0;
}

static void spec_add_star(struct spec *spec)
{
	spec->ends_in_enum = false;
	spec->type = spec->type || spec->name.len;
	spec->name.len = 0;
}

static void spec_read(struct lexer *l, struct spec *ret)
{
	struct spec spec = {0};

	for (;;) {
		struct token t = token_next(l);

		if (t.word && !isdigit((unsigned char)*t.s) && !token_in(&t, no_type)) {
			spec_add_word(l, &spec, t);
		} else if (token_is(&t, "*")) {
			spec_add_star(&spec);
		} else {
			spec.after = t;
			break;
		}
	}
	/* A lone word is a type. */
	if (spec.name.len && !spec.type)
		spec_add_star(&spec);
	*ret = spec;
}

/* The rest of "(*name)(" after its first bracket. */
static bool read_pointer_name(struct lexer *l, struct token *ret_after)
{
	struct token star = token_next(l), name = token_next(l), close = token_next(l);

	*ret_after = token_next(l);
	return token_is(&star, "*") && name.word && token_is(&close, ")") &&
	       token_is(ret_after, "(");
}

/* The offset of the bracket that closes an open one. */
static size_t find_close(const char *s, size_t at, size_t n)
{
	unsigned depth = 1;

	for (; at < n; at++) {
		if (s[at] == '(')
			depth++;
		else if (s[at] == ')' && --depth == 0)
			return at;
	}
	return n;
}

bool declaration_parse(const char *s, size_t n, struct declaration *ret)
{
	struct lexer l = {s, s + n, false};
	struct declaration d = {.is_extern = declaration_is_extern(s, n)};
	struct spec spec;

	if (d.is_extern)
		token_next(&l);
	spec_read(&l, &spec);
	if (!spec.type || !token_is(&spec.after, "("))
		return false;
	d.is_pointer = spec.name.len == 0;
	if (d.is_pointer && !read_pointer_name(&l, &spec.after))
		return false;
	d.space_before_name = spec.name.space_before;
	d.newline_after_name = spec.after.newline_before;
	d.args = (size_t)(l.at - s);
	d.args_end = find_close(s, d.args, n);
	*ret = d;
	return true;
}

/* An enum's tag alone is let pass, as checkpatch does. */
static bool parameter_is_nameless(const char *s, size_t n)
{
	struct lexer l = {s, s + n, true};
	struct spec spec;

	spec_read(&l, &spec);
	return spec.type && !spec.name.len && !spec.ends_in_enum &&
	       (spec.after.len == 0 || token_is(&spec.after, "["));
}

static size_t parameter_len(const char *s, size_t n)
{
	unsigned depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '(')
			depth++;
		else if (s[i] == ')' && depth)
			depth--;
		else if (s[i] == ',' && depth == 0)
			return i;
	}
	return n;
}

void parameters_init(struct parameters *list, const char *s, size_t n)
{
	struct lexer l = {s, s + n, false};
	struct token first = token_next(&l), second = token_next(&l);
	bool is_void = token_is(&first, "void") && second.len == 0;

	*list = (struct parameters){is_void ? s + n : s, s + n};
}

bool parameters_next(struct parameters *list, struct parameter *ret)
{
	size_t left = (size_t)(list->end - list->at), n;

	if (!left)
		return false;
	n = parameter_len(list->at, left);
	*ret = (struct parameter){list->at, n, parameter_is_nameless(list->at, n)};
	list->at += n < left ? n + 1 : n;
	return true;
}

char *parameter_text(const struct parameter *p)
{
	struct lexer l = {p->s, p->s + p->len, true};
	struct str out;

	str_init(&out, 0);
	for (struct token t = token_next(&l); t.len; t = token_next(&l)) {
		if (t.space_before && out.len)
			str_addc(&out, ' ');
		str_add(&out, t.s, t.len);
	}
	return str_take(&out);
}
