// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/since.h"

#include "base/json.h"
#include "base/str.h"

static const char *word_of(char mark)
{
	switch (mark) {
	case '=': return "unchanged";
	case '<': return "dropped";
	case '>': return "new";
	default: return "changed";
	}
}

static json_t *number_of(const struct series *s, size_t at)
{
	return at == RANGE_NONE ? json_null()
				: json_integer((json_int_t)s->patch[at].subject.number);
}

/* "author, commit message, diff" */
static char *parts_of(const struct range_pair *p)
{
	const struct {
		bool changed;
		const char *name;
	} part[] = {{p->author_changed, "author"},
		    {p->message_changed, "commit message"},
		    {p->diff_changed, "diff"}};
	struct str s;

	str_init(&s, 0);
	for (size_t i = 0; p->mark == '!' && i < array_size(part); i++)
		if (part[i].changed)
			str_addf(&s, "%s%s", s.len ? ", " : "", part[i].name);
	return str_take(&s);
}

static json_t *pair_row(const struct range_pair *p, const struct series *older,
			const struct series *newer, size_t *left)
{
	const struct patch *patch =
		p->newer == RANGE_NONE ? &older->patch[p->older] : &newer->patch[p->newer];
	auto_free char *parts = parts_of(p);
	size_t n = strlen(p->text);
	bool shown = n && n <= *left;
	json_t *row = json_object();

	*left -= shown ? n : 0;
	json_object_set_new(row, "patch", number_of(newer, p->newer));
	json_object_set_new(row, "was", number_of(older, p->older));
	json_object_set_new(row, "word", json_text(word_of(p->mark)));
	json_object_set_new(row, "words", json_text(parts));
	json_object_set_new(row, "subject", json_text(patch->subject.text));
	json_object_set_new(row, "diff", shown ? json_text(p->text) : json_null());
	return row;
}

json_t *since_json(const struct range_diff *rd, const struct series *older,
		   const struct series *newer)
{
	json_t *obj = json_object(), *patches = json_array();
	size_t left = SINCE_DIFF_MAX;

	for (size_t i = 0; i < rd->n; i++)
		json_array_append_new(patches, pair_row(&rd->pair[i], older, newer, &left));
	json_object_set_new(obj, "version", json_integer(older->version));
	json_object_set_new(obj, "message_id", json_text(older->message_id));
	json_object_set_new(obj, "why", json_text(newer->older_why ? newer->older_why : ""));
	json_object_set_new(obj, "limited", json_text(rd->limited));
	json_object_set_new(obj, "patches", patches);
	return obj;
}
