// SPDX-License-Identifier: GPL-2.0-or-later
/* Which list's rules hold for a series, and what they say. */
#include "serve/intake.h"

#include "base/clock.h"
#include "series/mail_kind.h"
#include "store/mails.h"

static bool file_matches(char **patterns, const struct diff_file *f)
{
	for (; *patterns; patterns++)
		if ((f->old_path && path_matches(*patterns, f->old_path)) ||
		    (f->new_path && path_matches(*patterns, f->new_path)))
			return true;
	return false;
}

static bool touches(char **patterns, const struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++) {
		const struct diff *d = s->patch[i].diff;

		for (size_t k = 0; d && k < d->n_files; k++)
			if (file_matches(patterns, &d->file[k]))
				return true;
	}
	return false;
}

/* No diff of it could be read: the rules about files say nothing. */
static bool has_files(const struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++)
		if (s->patch[i].diff && s->patch[i].diff->n_files)
			return true;
	return false;
}

static bool prefix_has(const char *prefixes, char **words)
{
	for (const char *p = prefixes; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		for (char **w = words; *w; w++)
			if (strlen(*w) == n && strncasecmp(*w, p, n) == 0)
				return true;
		p += n;
	}
	return false;
}

static bool subject_has(const struct series *s, char **words)
{
	for (size_t i = 0; i < s->n_patches; i++)
		if (prefix_has(s->patch[i].subject.prefixes, words))
			return true;
	return false;
}

static int64_t posted(const struct series *s)
{
	return s->cover && s->cover->has_date ? s->cover->date
	       : s->patch[0].mail->has_date   ? s->patch[0].mail->date
					      : 0;
}

static int old_say(const struct settle *st, const struct conf_section *list, const struct series *s,
		   char **ret_reason, struct err *err)
{
	char since_text[CLOCK_ISO_MAX];
	int64_t since = 0;
	int rc = intake_since(st->store, list, &since, err);

	if (rc == 0 && posted(s) && posted(s) < since)
		*ret_reason = xasprintf("it is older than what list \"%s\" began with (%.10s)",
					list->name, clock_iso(since, since_text));
	return rc;
}

static char *words_join(char **words)
{
	struct str s;

	str_init(&s, 200);
	for (char **w = words; *w; w++)
		str_addf(&s, "%s%s", w == words ? "" : ", ", *w);
	return str_take(&s);
}

/* NULL: it is tested. The caller frees. */
static char *list_say(const struct settle *st, const struct conf_section *list,
		      const struct series *s)
{
	auto_free char **files = conf_section_words(list, CONF_LIST_FILES);
	auto_free char **subject = conf_section_words(list, CONF_LIST_SUBJECT);
	auto_list_tree struct list_tree tree = {0};

	if (mail_is_robot(s->patch[0].mail))
		return xstrdup("a program sent it");
	if (subject && subject[0] && !subject_has(s, subject)) {
		auto_free char *want = words_join(subject);

		return xasprintf("list \"%s\" tests what has one of these in its subject prefix: "
				 "%s",
				 list->name, want);
	}
	if (!has_files(s))
		return NULL;
	list_tree_open(st->conf, list, &tree);
	if (!tree_may_have(tree.tree, s))
		return xstrdup("no kernel patch: the tree has none of its files");
	if (files && files[0] && !touches(files, s)) {
		auto_free char *want = words_join(files);

		return xasprintf("it touches no file that list \"%s\" tests: %s", list->name, want);
	}
	return NULL;
}

static bool is_among(const char *const *lists, const char *name)
{
	for (; *lists; lists++)
		if (strcmp(*lists, name) == 0)
			return true;
	return false;
}

static int rule_of(const struct settle *st, const struct conf_section *list, const struct series *s,
		   struct verdict *ret, struct err *err)
{
	char *reason = list_say(st, list, s);
	int rc = reason ? 0 : old_say(st, list, s, &reason, err);

	if (rc < 0)
		return rc;
	*ret = (struct verdict){.list = list, .reason = reason};
	return 0;
}

int rule_apply(const struct settle *st, const struct series *s, const char *const *lists,
	       const char *keep, struct verdict *ret, struct err *err)
{
	const struct conf_section *list =
		keep ? conf_section_find(st->conf, CONF_SECTION_LIST, keep) : NULL;
	struct verdict first = {0};
	int rc = 0;

	if (list && (rc = rule_of(st, list, s, ret, err)) < 0)
		return rc;
	if (list && !ret->reason)
		return 0;
	if (list)
		first = *ret;
	for (size_t i = 0; (list = conf_section_nth(st->conf, CONF_SECTION_LIST, i)); i++) {
		struct verdict v = {0};

		if (!is_among(lists, list->name) || (keep && strcmp(keep, list->name) == 0))
			continue;
		rc = rule_of(st, list, s, &v, err);
		if (rc == 0 && v.reason && first.list) {
			free(v.reason);
			continue;
		}
		if (rc < 0 || !v.reason) {
			free(first.reason);
			first = v;
			break;
		}
		first = v;
	}
	if (rc < 0)
		return rc;
	*ret = first;
	return 0;
}
