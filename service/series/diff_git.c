// SPDX-License-Identifier: GPL-2.0-or-later
/* The extended header of git's diffs: git-diff(1), "GENERATING PATCH TEXT WITH -P". */
#include "series/diff_parse.h"

#include <sys/stat.h>

struct git_header {
	struct diff_file *f;
	char *dflt;    /* the name on the "diff --git" line; NULL when its halves differ */
	uint32_t line; /* for messages */
};

bool mode_parse(struct span s, uint32_t *ret_mode)
{
	uint32_t mode = 0;
	size_t i = 0;

	for (; i < s.n && i < 7 && s.p[i] >= '0' && s.p[i] <= '7'; i++)
		mode = mode << 3 | (uint32_t)(s.p[i] - '0');
	if (!i || (i < s.n && !strchr(" \t\r", s.p[i])))
		return false;
	if (!S_ISREG(mode) && !S_ISLNK(mode) && (mode & S_IFMT) != 0160000)
		return false;
	*ret_mode = mode;
	return true;
}

static int on_mode(const struct git_header *h, struct span rest, uint32_t *ret_mode,
		   struct err *err)
{
	if (mode_parse(rest, ret_mode))
		return 0;
	return err_set(err, ERR_PATCH, "line %u: invalid file mode \"%.*s\"", h->line,
		       (int)(rest.n < 40 ? rest.n : 40), rest.p);
}

static int on_old_mode(struct git_header *h, struct span rest, struct err *err)
{
	return on_mode(h, rest, &h->f->old_mode, err);
}

static int on_new_mode(struct git_header *h, struct span rest, struct err *err)
{
	return on_mode(h, rest, &h->f->new_mode, err);
}

/* A name may be said several times in a header; all must agree. Takes `name` over. */
static int name_set(const struct git_header *h, char **slot, char *name, struct err *err)
{
	auto_free char *fresh = name;

	if (!fresh)
		return err_set(err, ERR_PATCH, "line %u: no file name that can be read", h->line);
	if (*slot && strcmp(*slot, fresh) != 0)
		return err_set(err, ERR_PATCH,
			       "line %u: file name \"%.200s\" disagrees with \"%.200s\"", h->line,
			       fresh, *slot);
	if (!*slot)
		*slot = take(fresh);
	return 0;
}

/* A file is created, deleted, renamed or copied, and only one of these. */
static int op_set(const struct git_header *h, enum diff_op op, struct err *err)
{
	if (h->f->op != DIFF_MODIFY && h->f->op != op)
		return err_set(err, ERR_PATCH, "line %u: the header contradicts itself", h->line);
	h->f->op = op;
	return 0;
}

static int on_create(struct git_header *h, struct span rest, struct err *err)
{
	if (op_set(h, DIFF_CREATE, err))
		return ERR_PATCH;
	if (h->dflt && !h->f->new_path)
		h->f->new_path = xstrdup(h->dflt);
	return on_mode(h, rest, &h->f->new_mode, err);
}

static int on_delete(struct git_header *h, struct span rest, struct err *err)
{
	if (op_set(h, DIFF_DELETE, err))
		return ERR_PATCH;
	if (h->dflt && !h->f->old_path)
		h->f->old_path = xstrdup(h->dflt);
	return on_mode(h, rest, &h->f->old_mode, err);
}

/* A "---" or "+++" line: /dev/null exactly when the header said that there is no file on this side.
 */
static int on_side(const struct git_header *h, struct span rest, char **slot, struct err *err)
{
	bool gone = slot == &h->f->old_path ? h->f->op == DIFF_CREATE : h->f->op == DIFF_DELETE;

	if (!gone)
		return name_set(h, slot, name_of_side(rest), err);
	if (name_is_null(rest))
		return 0;
	return err_set(err, ERR_PATCH, "line %u: /dev/null should stand here", h->line);
}

static int on_old_side(struct git_header *h, struct span rest, struct err *err)
{
	return on_side(h, rest, &h->f->old_path, err);
}

static int on_new_side(struct git_header *h, struct span rest, struct err *err)
{
	return on_side(h, rest, &h->f->new_path, err);
}

/* "rename from" and the like win over what was said before. */
static int on_move(const struct git_header *h, enum diff_op op, struct span rest, char **slot,
		   struct err *err)
{
	int rc = op_set(h, op, err);

	if (rc)
		return rc;
	free(*slot);
	*slot = NULL;
	return name_set(h, slot, name_of_git(rest, 0), err);
}

static int on_copy_from(struct git_header *h, struct span rest, struct err *err)
{
	return on_move(h, DIFF_COPY, rest, &h->f->old_path, err);
}

static int on_copy_to(struct git_header *h, struct span rest, struct err *err)
{
	return on_move(h, DIFF_COPY, rest, &h->f->new_path, err);
}

static int on_rename_from(struct git_header *h, struct span rest, struct err *err)
{
	return on_move(h, DIFF_RENAME, rest, &h->f->old_path, err);
}

static int on_rename_to(struct git_header *h, struct span rest, struct err *err)
{
	return on_move(h, DIFF_RENAME, rest, &h->f->new_path, err);
}

static int on_nothing(struct git_header *h, struct span rest, struct err *err)
{
	(void)h;
	(void)rest;
	(void)err;
	return 0;
}

/* Copies lower-case hex digits, at most 40; returns how many there are. */
static size_t hex_copy(struct span s, char out[static 41])
{
	size_t n = 0;

	while (n < s.n && n < 40 && strchr("0123456789abcdef", s.p[n]) && s.p[n]) {
		out[n] = s.p[n];
		n++;
	}
	out[n] = '\0';
	return n;
}

/* "1234567..89abcde 100644". One that cannot be read is no index line, and does no harm. */
static int on_index(struct git_header *h, struct span rest, struct err *err)
{
	char old_id[41], new_id[41];
	size_t n = hex_copy(rest, old_id);

	(void)err;
	if (!n || !span_starts(span_after(rest, n), ".."))
		return 0;
	rest = span_after(rest, n + 2);
	n = hex_copy(rest, new_id);
	if (!n)
		return 0;
	memcpy(h->f->old_id, old_id, sizeof(old_id));
	memcpy(h->f->new_id, new_id, sizeof(new_id));
	rest = span_after(rest, n);
	if (span_starts(rest, " "))
		return on_mode(h, span_after(rest, 1), &h->f->old_mode, err);
	return 0;
}

static const struct {
	const char *key;
	int (*fn)(struct git_header *h, struct span rest, struct err *err);
} header_line[] = {
	{"--- ", on_old_side},
	{"+++ ", on_new_side},
	{"old mode ", on_old_mode},
	{"new mode ", on_new_mode},
	{"deleted file mode ", on_delete},
	{"new file mode ", on_create},
	{"copy from ", on_copy_from},
	{"copy to ", on_copy_to},
	{"rename from ", on_rename_from},
	{"rename to ", on_rename_to},
	{"rename old ", on_rename_from},
	{"rename new ", on_rename_to},
	{"similarity index ", on_nothing},
	{"dissimilarity index ", on_nothing},
	{"index ", on_index},
};

/* One line behind "diff --git"; `*ret_known` is false for one that ends the header. */
static int header_line_parse(struct git_header *h, struct span line, bool *ret_known,
			     struct err *err)
{
	for (size_t i = 0; i < array_size(header_line); i++) {
		if (!span_starts(line, header_line[i].key))
			continue;
		*ret_known = true;
		return header_line[i].fn(h, span_after(line, strlen(header_line[i].key)), err);
	}
	*ret_known = false;
	return 0;
}

static int names_fill(const struct git_header *h, struct err *err)
{
	struct diff_file *f = h->f;

	if (f->old_path || f->new_path)
		return 0;
	if (!h->dflt)
		return err_set(err, ERR_PATCH, "line %u: the diff --git line names no file",
			       f->patch_line);
	f->old_path = xstrdup(h->dflt);
	f->new_path = xstrdup(h->dflt);
	return 0;
}

static int header_finish(const struct git_header *h, struct err *err)
{
	struct diff_file *f = h->f;
	int rc = names_fill(h, err);

	if (rc)
		return rc;
	if ((!f->new_path && f->op != DIFF_DELETE) || (!f->old_path && f->op != DIFF_CREATE))
		return err_set(err, ERR_PATCH, "line %u: the diff names only one side of the file",
			       f->patch_line);
	/* "new file mode" behind "--- a/f". */
	if ((f->op == DIFF_CREATE && f->old_path) || (f->op == DIFF_DELETE && f->new_path))
		return err_set(err, ERR_PATCH, "line %u: the header contradicts itself",
			       f->patch_line);
	/* Two names without "rename from": git moves the file all the same. */
	if (f->op == DIFF_MODIFY && strcmp(f->old_path, f->new_path) != 0)
		f->op = DIFF_RENAME;
	return 0;
}

int git_header_parse(struct diff_reader *r, struct diff_file *f, bool *ret_found, struct err *err)
{
	struct span first = span_after(reader_line(r), strlen("diff --git "));
	auto_free char *dflt = name_of_header(first);
	struct git_header h = {.f = f, .dflt = dflt};
	bool known = true;
	int rc;

	f->patch_line = r->line;
	reader_next(r);
	for (size_t n = 0;; n++) {
		h.line = r->line;
		known = false;
		rc = reader_line_ends(r) ? header_line_parse(&h, reader_line(r), &known, err) : 0;
		if (rc)
			return rc;
		if (!known) {
			*ret_found = n > 0;
			return header_finish(&h, err);
		}
		reader_next(r);
	}
}
