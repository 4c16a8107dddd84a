/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C tokens of a view's hunks: words, literals, operators and brackets, with their places in
 * view.text. Comments give none. Made once, in time linear in the text; what stands around a token
 * is read from the text where it is asked for.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_CTOKEN_H
#define FIRN_CHECKERS_CHECKPATCH_CTOKEN_H

#include "checkers/checkpatch/view.h"

#define CTOKEN_NONE UINT32_MAX

enum ctoken_kind {
	CT_WORD,
	CT_NUMBER,
	CT_STRING, /* with its quotes; one that has no end goes to the end of the line */
	CT_CHAR,
	CT_OP,	   /* an operator of enum cop */
	CT_OPEN,   /* ( [ { */
	CT_CLOSE,  /* ) ] } */
	CT_HASH,   /* # and ## */
	CT_SPLICE, /* a backslash */
	CT_OTHER,
};

/* Operators; the order is that of the table in ctoken.c. */
enum cop {
	COP_NONE,
	COP_SHL_SET,
	COP_SHR_SET,
	COP_LE,
	COP_GE,
	COP_EQ,
	COP_NE,
	COP_ADD_SET,
	COP_SUB_SET,
	COP_MUL_SET,
	COP_DIV_SET,
	COP_MOD_SET,
	COP_XOR_SET,
	COP_OR_SET,
	COP_AND_SET,
	COP_ARROW,
	COP_SHL,
	COP_SHR,
	COP_AND_AND,
	COP_OR_OR,
	COP_INC,
	COP_DEC,
	COP_ELVIS, /* ?: */
	COP_LT,
	COP_GT,
	COP_SET,
	COP_NOT,
	COP_TILDE,
	COP_COMMA,
	COP_XOR,
	COP_AND,
	COP_OR,
	COP_ADD,
	COP_SUB,
	COP_DIV,
	COP_MOD,
	COP_QUESTION,
	COP_COLON,
	COP_MUL,
	COP_SEMICOLON,
	COP_DOT,
	COP_DOTS, /* ... */
};

/* Words that mean something. */
enum cword {
	CW_NONE,
	CW_IF,
	CW_ELSE,
	CW_FOR,
	CW_WHILE,
	CW_DO,
	CW_SWITCH,
	CW_CASE,
	CW_DEFAULT,
	CW_RETURN,
	CW_GOTO,
	CW_BREAK,
	CW_CONTINUE,
	CW_SIZEOF,
	CW_TYPEOF,
	CW_ASM,
	CW_STRUCT,
	CW_UNION,
	CW_ENUM,
	CW_TYPEDEF,
	CW_STATIC,
	CW_EXTERN,
	CW_ASMLINKAGE,
	CW_INLINE,
	CW_CONST,
	CW_VOLATILE,
	CW_MODIFIER, /* an attribute that may stand beside a type */
	CW_VOID,
	CW_INT,
	CW_LONG,
	CW_SHORT,
	CW_CHAR,
	CW_UNSIGNED,
	CW_SIGNED,
	CW_FLOAT, /* float, double */
	CW_BOOL,
	CW_ALIAS, /* u8, __le32, uint: one word that is a type */
	CW_ATTRIBUTE,
	CW_NULL,
	CW_TRUE,
	CW_FALSE,
	CW_DEFINED,
};

/* What a token does in its place: set by cmark.c. */
enum crole {
	CR_NONE,
	CR_UNARY,
	CR_BINARY,
	CR_TYPE, /* a word or star of a type */
	CR_COLON_CASE,
	CR_COLON_LABEL,
	CR_COLON_BITS,
	CR_COLON_ELSE, /* of ?: and of asm */
	CR_CAST,       /* the brackets of a cast */
};

struct ctoken {
	uint32_t at; /* offset in view.text */
	uint32_t len;
	uint32_t match; /* CT_OPEN, CT_CLOSE: token of the partner in the hunk, or CTOKEN_NONE */
	uint32_t line;	/* index in view.line */
	uint8_t kind, op, word, role;
	char c;		   /* the first character */
	bool is_first;	   /* on its line */
	bool in_directive; /* on a line that begins with '#', or continues one */
};

struct ctokens {
	struct ctoken *token;
	uint32_t n, cap;
	uint32_t *first; /* by line of the view, and one more: its first token. Lines that are not C
			    of the new file have none: first[i] == first[i + 1] */
};

void ctokens_read(struct ctokens *t, const struct view *v);
void ctokens_done(struct ctokens *t);
/* The meaning of a word. */
enum cword cword_of(const char *s, size_t n);

static inline bool ctoken_is(const struct ctoken *t, char c)
{
	return t->len == 1 && t->c == c;
}

static inline bool cword_is_type(enum cword w)
{
	return w >= CW_VOID && w <= CW_ALIAS;
}

static inline bool cword_is_tag(enum cword w)
{
	return w >= CW_STRUCT && w <= CW_ENUM;
}

static inline bool cword_is_modifier(enum cword w)
{
	return w == CW_CONST || w == CW_VOLATILE || w == CW_MODIFIER;
}

static inline bool cword_is_storage(enum cword w)
{
	return w == CW_STATIC || w == CW_EXTERN || w == CW_ASMLINKAGE;
}

static inline bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

#endif
