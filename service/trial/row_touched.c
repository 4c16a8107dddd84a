// SPDX-License-Identifier: GPL-2.0-or-later
/* The files whose objects a row of touched objects makes: those that the series touches, and some
 * that include the headers that it touches. The same for the base and each patch. */
#include "trial/build_row.h"

#include "kernel-builders/header_users.h"
#include "kernel-builders/touched.h"

struct paths {
	const char **item;
	size_t n, cap;
};

static void path_add(struct paths *p, const char *path)
{
	arr_grow(p->item, p->n, p->cap);
	p->item[p->n++] = path;
}

static bool has_path(const struct paths *p, const char *path)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->item[i], path) == 0)
			return true;
	return false;
}

const char **row_touched_files(const char *const *files, const json_t *users)
{
	struct paths p = {0};
	const json_t *header, *source;
	size_t i, k;

	for (; *files; files++)
		path_add(&p, *files);
	json_array_foreach (users, i, header)
		json_array_foreach (json_object_get(header, "sources"), k, source)
			if (!has_path(&p, json_string_value(source)))
				path_add(&p, json_string_value(source));
	path_add(&p, NULL);
	return p.item;
}

json_t *row_touched_report(const json_t *users)
{
	json_t *list = json_array();
	const json_t *header, *source;
	size_t i, k;

	json_array_foreach (users, i, header) {
		json_t *objects = json_array();

		json_array_foreach (json_object_get(header, "sources"), k, source) {
			auto_free char *object = touched_object(json_string_value(source));

			if (object)
				json_array_append_new(objects, json_text(object));
		}
		json_array_append_new(list, json_pack("{s:O, s:o}", "header",
						      json_object_get(header, "header"), "objects",
						      objects));
	}
	return list;
}

char *row_touched_none(const json_t *users)
{
	const json_t *header;
	auto_str struct str s;
	size_t i;

	str_init(&s, 500);
	str_adds(&s, "it touches no file that has an object of its own");
	json_array_foreach (users, i, header)
		str_addf(&s, "%s %s", i ? "," : ", and no source was found that includes",
			 json_get_str(header, "header", ""));
	return str_take(&s);
}

/* What another row of the same part of the tree has found; NULL: none has. */
static json_t *users_known(const struct row_list *r, const struct row_run *run)
{
	for (const struct row_run *other = r->run; other < run; other++)
		if (other->users && strcmp(other->row.arch, run->row.arch) == 0 &&
		    other->row.areas == run->row.areas)
			return json_incref(other->users);
	return NULL;
}

int row_run_touch(const struct row_list *r, struct row_run *run, struct err *err)
{
	git_oid tree;
	int rc;

	if (!run->row.touched)
		return 0;
	run->users = users_known(r, run);
	rc = run->users ? 0 : row_run_tree(r->t, 0, &tree, err);
	if (rc == 0 && !run->users)
		rc = header_users_find(&run->row, r->t->repo, &tree, r->files, &run->users, err);
	if (rc < 0)
		return rc;
	run->own_touched = row_touched_files(r->files, run->users);
	run->touched = run->own_touched;
	return 0;
}
