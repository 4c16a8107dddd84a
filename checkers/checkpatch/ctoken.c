// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/ctoken.h"

static const struct {
	const char *word;
	enum cword is;
} words[] = {
	{"if", CW_IF},
	{"else", CW_ELSE},
	{"for", CW_FOR},
	{"while", CW_WHILE},
	{"do", CW_DO},
	{"switch", CW_SWITCH},
	{"case", CW_CASE},
	{"default", CW_DEFAULT},
	{"return", CW_RETURN},
	{"goto", CW_GOTO},
	{"break", CW_BREAK},
	{"continue", CW_CONTINUE},
	{"sizeof", CW_SIZEOF},
	{"typeof", CW_TYPEOF},
	{"__typeof__", CW_TYPEOF},
	{"asm", CW_ASM},
	{"__asm__", CW_ASM},
	{"struct", CW_STRUCT},
	{"union", CW_UNION},
	{"enum", CW_ENUM},
	{"typedef", CW_TYPEDEF},
	{"static", CW_STATIC},
	{"extern", CW_EXTERN},
	{"asmlinkage", CW_ASMLINKAGE},
	{"inline", CW_INLINE},
	{"__inline", CW_INLINE},
	{"__inline__", CW_INLINE},
	{"__always_inline", CW_INLINE},
	{"noinline", CW_INLINE},
	{"const", CW_CONST},
	{"volatile", CW_VOLATILE},
	{"void", CW_VOID},
	{"int", CW_INT},
	{"long", CW_LONG},
	{"short", CW_SHORT},
	{"char", CW_CHAR},
	{"unsigned", CW_UNSIGNED},
	{"signed", CW_SIGNED},
	{"float", CW_FLOAT},
	{"double", CW_FLOAT},
	{"bool", CW_BOOL},
	{"FILE", CW_ALIAS},
	{"uint", CW_ALIAS},
	{"ulong", CW_ALIAS},
	{"ushort", CW_ALIAS},
	{"unchar", CW_ALIAS},
	{"u_int", CW_ALIAS},
	{"u_char", CW_ALIAS},
	{"u_short", CW_ALIAS},
	{"u_long", CW_ALIAS},
	{"u8", CW_ALIAS},
	{"u16", CW_ALIAS},
	{"u32", CW_ALIAS},
	{"u64", CW_ALIAS},
	{"s8", CW_ALIAS},
	{"s16", CW_ALIAS},
	{"s32", CW_ALIAS},
	{"s64", CW_ALIAS},
	{"__u8", CW_ALIAS},
	{"__u16", CW_ALIAS},
	{"__u32", CW_ALIAS},
	{"__u64", CW_ALIAS},
	{"__s8", CW_ALIAS},
	{"__s16", CW_ALIAS},
	{"__s32", CW_ALIAS},
	{"__s64", CW_ALIAS},
	{"le16", CW_ALIAS},
	{"le32", CW_ALIAS},
	{"le64", CW_ALIAS},
	{"be16", CW_ALIAS},
	{"be32", CW_ALIAS},
	{"be64", CW_ALIAS},
	{"__le16", CW_ALIAS},
	{"__le32", CW_ALIAS},
	{"__le64", CW_ALIAS},
	{"__be16", CW_ALIAS},
	{"__be32", CW_ALIAS},
	{"__be64", CW_ALIAS},
	{"__attribute__", CW_ATTRIBUTE},
	{"NULL", CW_NULL},
	{"true", CW_TRUE},
	{"false", CW_FALSE},
	{"defined", CW_DEFINED},
	{"__user", CW_MODIFIER},
	{"__kernel", CW_MODIFIER},
	{"__force", CW_MODIFIER},
	{"__iomem", CW_MODIFIER},
	{"__must_check", CW_MODIFIER},
	{"__kprobes", CW_MODIFIER},
	{"__ref", CW_MODIFIER},
	{"__refconst", CW_MODIFIER},
	{"__refdata", CW_MODIFIER},
	{"__rcu", CW_MODIFIER},
	{"__private", CW_MODIFIER},
	{"__percpu", CW_MODIFIER},
	{"__nocast", CW_MODIFIER},
	{"__safe", CW_MODIFIER},
	{"__bitwise", CW_MODIFIER},
	{"__packed__", CW_MODIFIER},
	{"__maybe_unused", CW_MODIFIER},
	{"__always_unused", CW_MODIFIER},
	{"__noreturn", CW_MODIFIER},
	{"__used", CW_MODIFIER},
	{"__cold", CW_MODIFIER},
	{"__pure", CW_MODIFIER},
	{"__noclone", CW_MODIFIER},
	{"__deprecated", CW_MODIFIER},
	{"__read_mostly", CW_MODIFIER},
	{"__ro_after_init", CW_MODIFIER},
	{"__weak", CW_MODIFIER},
	{"__naked", CW_MODIFIER},
	{"__init", CW_MODIFIER},
	{"__initdata", CW_MODIFIER},
	{"__initconst", CW_MODIFIER},
	{"__meminit", CW_MODIFIER},
	{"__meminitdata", CW_MODIFIER},
	{"__meminitconst", CW_MODIFIER},
	{"__cpuinit", CW_MODIFIER},
	{"__cpuinitdata", CW_MODIFIER},
	{"__cpuinitconst", CW_MODIFIER},
	{"__devinit", CW_MODIFIER},
	{"__devinitdata", CW_MODIFIER},
	{"__devinitconst", CW_MODIFIER},
	{"__net_init", CW_MODIFIER},
	{"__net_initdata", CW_MODIFIER},
	{"__net_initconst", CW_MODIFIER},
	{"____cacheline_aligned", CW_MODIFIER},
	{"____cacheline_aligned_in_smp", CW_MODIFIER},
	{"____cacheline_internodealigned_in_smp", CW_MODIFIER},
};

#define SLOTS 512

/* Word number plus one, by hash; 0: free. */
static uint8_t slot[SLOTS];

static unsigned word_hash(const char *s, size_t n)
{
	unsigned h = (unsigned)n * 31;

	for (size_t i = 0; i < n; i++)
		h = h * 33 + (unsigned char)s[i];
	return (h ^ (h >> 9)) % SLOTS;
}

static void words_index(void)
{
	for (size_t i = 0; i < array_size(words); i++) {
		unsigned h = word_hash(words[i].word, strlen(words[i].word));

		while (slot[h])
			h = (h + 1) % SLOTS;
		slot[h] = (uint8_t)(i + 1);
	}
}

enum cword cword_of(const char *s, size_t n)
{
	static bool is_made;

	if (!is_made)
		words_index();
	is_made = true;
	for (unsigned h = word_hash(s, n); slot[h]; h = (h + 1) % SLOTS) {
		const char *w = words[slot[h] - 1].word;

		if (strncmp(w, s, n) == 0 && w[n] == '\0')
			return words[slot[h] - 1].is;
	}
	return CW_NONE;
}

/* In the order of enum cop; what is longer comes before what it begins with. */
static const char *const ops[] = {
	"",   "<<=", ">>=", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "^=", "|=",
	"&=", "->",  "<<",  ">>", "&&", "||", "++", "--", "?:", "<",  ">",  "=",  "!",	"~",
	",",  "^",   "&",   "|",  "+",	"-",  "/",  "%",  "?",	":",  "*",  ";",  ".",
};

static enum cop op_at(const char *s, size_t left)
{
	if (left >= 3 && memcmp(s, "...", 3) == 0)
		return COP_DOTS;
	for (size_t i = 1; i < array_size(ops); i++)
		if (s[0] == ops[i][0] && strlen(ops[i]) <= left &&
		    memcmp(s, ops[i], strlen(ops[i])) == 0)
			return (enum cop)i;
	return COP_NONE;
}

static size_t op_len(enum cop op)
{
	return op == COP_DOTS ? 3 : strlen(ops[op]);
}

struct reader {
	struct ctokens *out;
	const struct view *view;
	bool directive; /* the last line ended in a backslash, within a directive */
};

static size_t word_len(const char *s, size_t left)
{
	size_t n = 0;

	while (n < left && is_word_char(s[n]))
		n++;
	return n;
}

/* "0x1f", "1.5", "1e-3": no more than what keeps an operator from being seen in it. */
static size_t number_len(const char *s, size_t left)
{
	size_t n = 0;

	while (n < left && (is_word_char(s[n]) || (s[n] == '.' && n + 1 < left && s[n + 1] != '.')))
		n++;
	return n;
}

static size_t quoted_len(const char *s, size_t left)
{
	const char *end = memchr(s + 1, s[0], left - 1);

	return end ? (size_t)(end - s) + 1 : left;
}

/* Kind and length of the token at s. */
static void classify(const char *s, size_t left, struct ctoken *t)
{
	char c = *s;

	t->len = 1;
	if (c >= '0' && c <= '9') {
		t->kind = CT_NUMBER;
		t->len = (uint32_t)number_len(s, left);
	} else if (is_word_char(c)) {
		t->kind = CT_WORD;
		t->len = (uint32_t)word_len(s, left);
		t->word = (uint8_t)cword_of(s, t->len);
	} else if (c == '"' || c == '\'') {
		t->kind = c == '"' ? CT_STRING : CT_CHAR;
		t->len = (uint32_t)quoted_len(s, left);
	} else if (c == '(' || c == '[' || c == '{') {
		t->kind = CT_OPEN;
	} else if (c == ')' || c == ']' || c == '}') {
		t->kind = CT_CLOSE;
	} else if (c == '#') {
		t->kind = CT_HASH;
		t->len = left > 1 && s[1] == '#' ? 2 : 1;
	} else if (c == '\\') {
		t->kind = CT_SPLICE;
	} else {
		t->op = (uint8_t)op_at(s, left);
		t->kind = t->op ? CT_OP : CT_OTHER;
		t->len = t->op ? (uint32_t)op_len((enum cop)t->op) : 1;
	}
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == VIEW_COMMENT || c == '\r' || c == '\f' || c == '\v';
}

static void read_line(struct reader *r, uint32_t i)
{
	const struct view_line *l = &r->view->line[i];
	const char *s = view_text(r->view, i);
	bool first = true, splice = false;

	for (uint32_t k = 0; k < l->len;) {
		struct ctoken t = {.at = l->start + k, .line = i, .match = CTOKEN_NONE};

		if (is_space(s[k])) {
			k++;
			continue;
		}
		t.c = s[k];
		classify(s + k, l->len - k, &t);
		if (first)
			r->directive = r->directive || t.kind == CT_HASH;
		t.is_first = first;
		t.in_directive = r->directive;
		first = false;
		splice = t.kind == CT_SPLICE;
		arr_grow(r->out->token, r->out->n, r->out->cap);
		r->out->token[r->out->n++] = t;
		k += t.len;
	}
	r->directive = r->directive && splice;
}

static bool is_c(const struct view *v, const struct view_line *l)
{
	return (l->kind & LINE_NEW) && l->file != VIEW_NONE && (v->file[l->file].kind & FILE_CODE);
}

/* The token at an offset, or CTOKEN_NONE. */
static uint32_t token_at(const struct ctokens *t, uint32_t at)
{
	uint32_t lo = 0, hi = t->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->token[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->n && t->token[lo].at == at ? lo : CTOKEN_NONE;
}

/* Brackets are paired already: by the view, which knows about #if. */
static void match_brackets(struct ctokens *t, const struct view *v)
{
	uint32_t b = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		struct ctoken *k = &t->token[i];

		if (k->kind != CT_OPEN && k->kind != CT_CLOSE)
			continue;
		while (b < v->n_brackets && v->bracket[b].at < k->at)
			b++;
		if (b < v->n_brackets && v->bracket[b].at == k->at &&
		    v->bracket[b].match != VIEW_NONE)
			k->match = token_at(t, v->bracket[b].match);
	}
}

void ctokens_read(struct ctokens *t, const struct view *v)
{
	struct reader r = {.out = t, .view = v};
	uint32_t hunk = VIEW_NONE;

	*t = (struct ctokens){.first = xcalloc((size_t)v->n + 1, sizeof(*t->first))};
	for (uint32_t i = 0; i < v->n; i++) {
		t->first[i] = t->n;
		if (!is_c(v, &v->line[i]))
			continue;
		r.directive = r.directive && v->line[i].hunk == hunk;
		hunk = v->line[i].hunk;
		read_line(&r, i);
	}
	t->first[v->n] = t->n;
	match_brackets(t, v);
}

void ctokens_done(struct ctokens *t)
{
	free(t->token);
	free(t->first);
	*t = (struct ctokens){0};
}
