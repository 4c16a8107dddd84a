// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/new_only.h"

#include "checkers/checkpatch/word_set.h"

#include <ctype.h>

static void add_hunk(struct str *s, const struct view *v, const struct view_hunk *h)
{
	str_addf(s, "@@ -%u,%u +%u,%u @@\n", h->new_start, h->new_count, h->old_start,
		 h->old_count);
	for (uint32_t i = h->first; i < h->last; i++) {
		const struct view_line *l = &v->line[i];

		if (l->kind == LINE_OTHER)
			continue;
		str_addc(s, l->kind == LINE_ADDED ? '-' : l->kind == LINE_REMOVED ? '+' : ' ');
		str_add(s, v->plain.buf + l->start, l->len);
		str_addc(s, '\n');
	}
}

/* The patch that would undo this one, without a message. */
static void turn_round(const struct view *v, struct str *ret)
{
	uint32_t file = VIEW_NONE;

	for (uint32_t i = 0; i < v->n_hunks; i++) {
		const struct view_hunk *h = &v->hunk[i];

		if (h->file == VIEW_NONE || v->file[h->file].is_new)
			continue;
		if (h->file != file) {
			const char *path = v->file[h->file].path;

			str_addf(ret, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n", path, path,
				 path, path);
			file = h->file;
		}
		add_hunk(ret, v, h);
	}
}

/* "TYPE words of the line". False for a finding that is about no line of a file. */
static bool key_of(const struct finding *f, struct str *ret)
{
	const char *s = f->excerpt, *end;

	if (!s || !f->path || !f->line)
		return false;
	end = s + strlen(s);
	if (*s)
		s++;
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	str_reset(ret);
	str_adds(ret, f->type);
	str_addc(ret, ' ');
	str_add(ret, s, (size_t)(end - s));
	return true;
}

static void collect(const struct check_result *r, struct word_set *ret)
{
	auto_str struct str key;

	str_init(&key, 0);
	for (size_t i = 0; i < r->n; i++)
		if (key_of(&r->finding[i], &key))
			word_set_add(ret, key.buf, key.len, NULL);
}

static void take_out(struct check_result *r, const struct word_set *before)
{
	auto_str struct str key;

	str_init(&key, 0);
	for (size_t i = r->n; i-- > 0;)
		if (key_of(&r->finding[i], &key) && word_set_has(before, key.buf, key.len))
			check_result_remove(r, i);
}

int new_only_apply(const struct check_env *env, const struct checkpatch_options *o,
		   const struct view *v, struct check_result *r, struct err *err)
{
	struct checkpatch_options again = *o;
	struct check_result before = {0};
	struct word_set *set;
	auto_str struct str text;
	int rc;

	str_init(&text, 3 * v->text.len + 4096 + 4 * (size_t)v->n);
	if (!r->n || v->is_source)
		return 0;
	turn_round(v, &text);
	again.new_only = false;
	rc = checkpatch_text(env, &again, text.buf, text.len, &before, err);
	if (rc == 0) {
		set = word_set_new();
		collect(&before, set);
		take_out(r, set);
		word_set_free(set);
	}
	check_result_done(&before);
	return rc;
}
