// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/view.h"

#include "checkers/checkpatch/camelcase.h"
#include "checkers/checkpatch/ccode.h"
#include "checkers/checkpatch/view_clean.h"
#include "checkers/checkpatch/view_read.h"

#include <ctype.h>
#include <strings.h>

#define TEXT_MAX ((size_t)1 << 30)
/* Bytes to walk for each byte of text: code needs two or three times its size. */
#define FUEL_FACTOR 24
#define FUEL_MIN    ((size_t)1 << 20)

enum place { IN_HEADER, IN_LOG, IN_BELOW, IN_DIFF, IN_HUNK };

struct reader {
	struct view *v;
	const char *at, *end;
	enum place place;
	uint32_t file, hunk;	     /* the current ones, or VIEW_NONE */
	uint32_t old_left, new_left; /* of the hunk */
	uint32_t number;	     /* of the next line of the new file */
	enum clean_state clean;
};

struct bytes {
	const char *s;
	size_t n;
};

static bool starts(struct bytes b, const char *word)
{
	size_t n = strlen(word);

	return b.n >= n && memcmp(b.s, word, n) == 0;
}

static struct bytes after(struct bytes b, size_t n)
{
	return (struct bytes){b.s + n, b.n - n};
}

static bool line_take(struct reader *r, struct bytes *ret)
{
	const char *nl;

	if (r->at >= r->end)
		return false;
	nl = memchr(r->at, '\n', (size_t)(r->end - r->at));
	*ret = (struct bytes){r->at, (size_t)((nl ? nl : r->end) - r->at)};
	r->at = nl ? nl + 1 : r->end;
	return true;
}

static struct view_line *line_add(struct reader *r, struct bytes b, enum line_kind kind)
{
	struct view *v = r->v;

	arr_grow(v->line, v->n, v->cap);
	v->line[v->n] = (struct view_line){
		.raw = b.s,
		.raw_len = (uint32_t)b.n,
		.kind = (uint16_t)kind,
		.file = r->file,
		.hunk = VIEW_NONE,
		.top = VIEW_NONE,
		.end_top = VIEW_NONE,
	};
	return &v->line[v->n++];
}

/* Puts the line's text at the end of both buffers, as it is. */
static void text_add_plain(struct view *v, struct view_line *l, struct bytes b)
{
	l->start = (uint32_t)v->text.len;
	l->len = (uint32_t)b.n;
	str_add(&v->plain, b.s, b.n);
	str_addc(&v->plain, '\n');
	str_add(&v->text, b.s, b.n);
	str_addc(&v->text, '\n');
}

/* The same, sanitised in `text`. */
static void text_add(struct view *v, struct view_line *l, struct bytes b, enum clean_state *state)
{
	l->in_comment = *state == CLEAN_COMMENT;
	text_add_plain(v, l, b);
	clean_line(v->text.buf + l->start, b.s, b.n, state);
	l->ends_in_comment = *state == CLEAN_COMMENT;
}

/* What is in the hunk and not in the new file. Removed lines see comments among themselves only. */
static void add_removed(struct view *v, const struct view_hunk *h)
{
	enum clean_state state = CLEAN_PLAIN;

	for (uint32_t i = h->first; i < h->last; i++) {
		struct view_line *l = &v->line[i];
		struct bytes b = {l->raw, l->raw_len};

		if (l->kind == LINE_REMOVED)
			text_add(v, l, after(b, 1), &state);
		else
			state = CLEAN_PLAIN;
		if (l->kind == LINE_OTHER)
			text_add_plain(v, l, b);
	}
}

static void hunk_end(struct reader *r)
{
	struct view *v = r->v;
	struct view_hunk *h;

	if (r->hunk == VIEW_NONE)
		return;
	h = &v->hunk[r->hunk];
	h->last = v->n;
	h->end = (uint32_t)v->text.len;
	add_removed(v, h);
	view_read_blank(v, h);
	view_read_brackets(v, h);
	r->hunk = VIEW_NONE;
	r->old_left = r->new_left = 0;
	r->place = IN_DIFF;
}

static struct view_file *file_begin(struct reader *r)
{
	struct view *v = r->v;

	if (v->n_files)
		v->file[v->n_files - 1].last = v->n;
	arr_grow(v->file, v->n_files, v->files_cap);
	v->file[v->n_files] = (struct view_file){.first = v->n, .last = v->n};
	file_set_path(&v->file[v->n_files], "");
	r->file = v->n_files++;
	return &v->file[r->file];
}

static uint32_t number_take(struct bytes *b)
{
	uint32_t n = 0;

	while (b->n && isdigit((unsigned char)*b->s)) {
		if (n < UINT32_MAX / 16)
			n = n * 10 + (uint32_t)(*b->s - '0');
		*b = after(*b, 1);
	}
	return n;
}

static bool char_take(struct bytes *b, char c)
{
	if (!b->n || *b->s != c)
		return false;
	*b = after(*b, 1);
	return true;
}

/* "12,3" or "12". */
static bool range_take(struct bytes *b, uint32_t *ret_start, uint32_t *ret_count)
{
	if (!b->n || !isdigit((unsigned char)*b->s))
		return false;
	*ret_start = number_take(b);
	*ret_count = char_take(b, ',') ? number_take(b) : 1;
	return true;
}

static bool hunk_parse(struct bytes b, struct view_hunk *ret)
{
	if (!starts(b, "@@ -"))
		return false;
	b = after(b, 4);
	if (!range_take(&b, &ret->old_start, &ret->old_count) || !starts(b, " +"))
		return false;
	b = after(b, 2);
	return range_take(&b, &ret->new_start, &ret->new_count) && starts(b, " @@");
}

static void hunk_begin(struct reader *r, struct bytes b, const struct view_hunk *parsed)
{
	struct view *v = r->v;
	struct view_hunk h = *parsed;

	hunk_end(r);
	/* A hunk without a name belongs to a file without one. */
	if (r->file == VIEW_NONE)
		file_begin(r);
	text_add_plain(v, line_add(r, b, LINE_HUNK), b);
	v->line[v->n - 1].number = h.new_start;
	h.file = r->file;
	h.first = h.last = v->n;
	h.start = h.end = (uint32_t)v->text.len;
	arr_grow(v->hunk, v->n_hunks, v->hunks_cap);
	v->hunk[v->n_hunks] = h;
	r->hunk = v->n_hunks++;
	r->old_left = h.old_count;
	r->new_left = h.new_count;
	r->number = h.new_start;
	r->clean = clean_hunk_state(r->at, r->end, h.new_count);
	r->place = IN_HUNK;
}

static enum line_kind hunk_kind(const struct reader *r, struct bytes b)
{
	if (b.n && *b.s == '-')
		return r->new_left || r->old_left ? LINE_REMOVED : LINE_OTHER;
	if (!r->new_left)
		return LINE_OTHER;
	if (b.n == 0 || *b.s == ' ')
		return LINE_CONTEXT;
	return *b.s == '+' ? LINE_ADDED : LINE_OTHER;
}

/* A line within a hunk. False when it is the first after it. */
static bool read_hunk_line(struct reader *r, struct bytes b)
{
	enum line_kind kind = hunk_kind(r, b);
	struct view_line *l;

	if ((kind == LINE_OTHER && !r->new_left) || starts(b, "diff --git "))
		return false;
	l = line_add(r, b, kind);
	l->hunk = r->hunk;
	l->number = r->number;
	l->is_counted = r->new_left > 0;
	r->v->lines_checked += l->is_counted;
	if (kind & LINE_NEW) {
		text_add(r->v, l, b.n ? after(b, 1) : b, &r->clean);
		r->number++;
		r->new_left--;
	}
	if (kind & (LINE_CONTEXT | LINE_REMOVED) && r->old_left)
		r->old_left--;
	return true;
}

/* The file that header lines are about: a new one after a hunk, or after a whole pair of names. */
static struct view_file *file_current(struct reader *r, bool has_names)
{
	struct view_file *f = r->file == VIEW_NONE ? NULL : &r->v->file[r->file];
	bool has_hunk = f && r->v->n_hunks && r->v->hunk[r->v->n_hunks - 1].file == r->file;

	return f && !has_hunk && !has_names ? f : file_begin(r);
}

static bool next_starts(const struct reader *r, const char *word)
{
	return starts((struct bytes){r->at, (size_t)(r->end - r->at)}, word);
}

/* A line of a diff that is in no hunk. False when it is none. */
static bool read_diff_line(struct reader *r, struct bytes b)
{
	bool in_diff = r->place == IN_DIFF;

	if (starts(b, "diff --git ")) {
		file_read_git(file_begin(r), b.s + 11, b.n - 11);
	} else if (starts(b, "--- ") && next_starts(r, "+++ ")) {
		file_read_old(file_current(r, false), b.s + 4, b.n - 4);
	} else if (starts(b, "+++ ") && b.n > 4) {
		file_read_new(file_current(r, false), b.s + 4, b.n - 4);
	} else if (starts(b, "Index: ") || starts(b, "diff -")) {
		/* Other tools' headers: the name is in what follows. */
	} else if (!in_diff || r->file == VIEW_NONE ||
		   !file_read_extended(&r->v->file[r->file], b.s, b.n)) {
		return false;
	}
	text_add_plain(r->v, line_add(r, b, LINE_DIFF), b);
	r->place = IN_DIFF;
	return true;
}

/* "Name: ", "From ", "commit ", or a line that goes on with one. */
static bool is_header(struct bytes b)
{
	size_t i = 0;

	while (i < b.n && isspace((unsigned char)b.s[i]))
		i++;
	if (i)
		return i < b.n || i > 1;
	if (b.n >= 4 && strncasecmp(b.s, "from", 4) == 0 &&
	    (b.n == 4 || !(isalnum((unsigned char)b.s[4]) || b.s[4] == '_')))
		return true;
	if (b.n >= 6 && strncasecmp(b.s, "commit", 6) == 0 &&
	    (b.n == 6 || !(isalnum((unsigned char)b.s[6]) || b.s[6] == '_')))
		return true;
	while (i < b.n && (isalnum((unsigned char)b.s[i]) || b.s[i] == '-' || b.s[i] == '_'))
		i++;
	return i && i < b.n && b.s[i] == ':';
}

static void read_message_line(struct reader *r, struct bytes b)
{
	static const enum line_kind kinds[] = {LINE_HEADER, LINE_LOG, LINE_BELOW, LINE_OTHER,
					       LINE_OTHER};
	struct view *v = r->v;

	if (r->place == IN_HEADER && !is_header(b))
		r->place = IN_LOG;
	if (r->place == IN_LOG && b.n == 3 && starts(b, "---")) {
		r->place = IN_BELOW;
		v->separator = v->n;
	}
	if (r->place == IN_HEADER && b.n >= 8 && strncasecmp(b.s, "subject:", 8) == 0 &&
	    v->subject == VIEW_NONE)
		v->subject = v->n;
	text_add_plain(v, line_add(r, b, kinds[r->place]), b);
}

static void read_line(struct reader *r, struct bytes b)
{
	struct view_hunk h = {0};

	if (r->place == IN_HUNK && read_hunk_line(r, b))
		return;
	if (r->place == IN_HUNK)
		hunk_end(r);
	if (hunk_parse(b, &h)) {
		if (r->v->first_diff == VIEW_NONE)
			r->v->first_diff = r->v->n;
		hunk_begin(r, b, &h);
		return;
	}
	if (r->v->first_diff == VIEW_NONE && read_diff_line(r, b)) {
		r->v->first_diff = r->v->n - 1;
		return;
	}
	if (r->v->first_diff == VIEW_NONE || !read_diff_line(r, b))
		read_message_line(r, b);
}

/* Adds the lines of [first, last) that are new, or those that are not. */
static void order_add(struct view *v, uint32_t first, uint32_t last, bool is_new)
{
	for (uint32_t i = first; i < last; i++)
		if (((v->line[i].kind & LINE_NEW) != 0) == is_new)
			v->order[v->n_ordered++] = i;
}

/* In a hunk, what is not in the new file lies behind what is. */
static void order_make(struct view *v)
{
	uint32_t i = 0;

	v->order = xreallocarray(NULL, v->n ? v->n : 1, sizeof(*v->order));
	for (uint32_t h = 0; h < v->n_hunks; h++) {
		order_add(v, i, v->hunk[h].first, false);
		order_add(v, v->hunk[h].first, v->hunk[h].last, true);
		order_add(v, v->hunk[h].first, v->hunk[h].last, false);
		i = v->hunk[h].last;
	}
	order_add(v, i, v->n, false);
}

static void view_init(struct view *v, size_t n)
{
	*v = (struct view){
		.first_line = 1,
		.subject = VIEW_NONE,
		.separator = VIEW_NONE,
		.first_diff = VIEW_NONE,
		.fuel = FUEL_MIN + FUEL_FACTOR * n,
	};
	/* Twice: a newline after each line, were they all empty. */
	str_init(&v->text, 2 * n + 2);
	str_init(&v->plain, 2 * n + 2);
}

static void view_finish(struct reader *r)
{
	struct view *v = r->v;

	hunk_end(r);
	if (v->n_files)
		v->file[v->n_files - 1].last = v->n;
	if (v->first_diff == VIEW_NONE)
		v->first_diff = v->n;
	order_make(v);
	view_read_log(v);
}

void view_read(struct view *v, const char *text, size_t n)
{
	struct reader r = {.v = v, .file = VIEW_NONE, .hunk = VIEW_NONE};
	struct bytes b;

	n = n > TEXT_MAX ? TEXT_MAX : n;
	view_init(v, n);
	r.at = text;
	r.end = text + n;
	while (line_take(&r, &b))
		read_line(&r, b);
	view_finish(&r);
}

void view_read_source(struct view *v, const char *path, const char *text, size_t n)
{
	struct reader r = {.v = v, .file = VIEW_NONE, .hunk = VIEW_NONE};
	struct bytes b;

	n = n > TEXT_MAX ? TEXT_MAX : n;
	view_init(v, n);
	v->is_source = true;
	v->first_diff = 0;
	file_set_path(file_begin(&r), path);
	v->file[0].is_new = true;
	arr_grow(v->hunk, v->n_hunks, v->hunks_cap);
	v->hunk[v->n_hunks++] = (struct view_hunk){.new_start = 1};
	r.hunk = 0;
	r.at = text;
	r.end = text + n;
	while (line_take(&r, &b)) {
		struct view_line *l = line_add(&r, b, LINE_ADDED);

		l->hunk = 0;
		l->number = v->n;
		l->is_counted = true;
		text_add(v, l, b, &r.clean);
	}
	v->lines_checked = v->hunk[0].new_count = v->n;
	view_finish(&r);
}

void view_done(struct view *v)
{
	ccode_free(v->code);
	camelcase_free(v->camelcase);
	for (uint32_t i = 0; i < v->n_files; i++)
		file_done(&v->file[i]);
	free(v->file);
	free(v->line);
	free(v->order);
	free(v->hunk);
	free(v->bracket);
	str_done(&v->text);
	str_done(&v->plain);
}
