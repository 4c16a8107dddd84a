// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/trial_trees.h"

#include "base/str.h"

static void tree_add(const struct conf *conf, const char *name, struct trial_trees *t)
{
	const struct conf_section *s = conf_section_find(conf, CONF_SECTION_TREE, name);
	const char *path = s ? conf_section_str(s, CONF_TREE_PATH) : NULL;

	if (!path)
		return;
	t->branches[t->n] = conf_section_words(s, CONF_TREE_BRANCHES);
	t->tree[t->n] = (struct trial_tree){
		.name = s->name,
		.path = path,
		.branches = (const char *const *)t->branches[t->n],
		.ignore = conf_section_str(s, CONF_TREE_IGNORE),
	};
	t->n++;
}

int trial_trees_make(const struct conf *conf, const char *list_name, struct trial_trees *ret,
		     struct err *err)
{
	const struct conf_section *list = conf_section_find(conf, CONF_SECTION_LIST, list_name);
	auto_free char **name = list ? conf_section_words(list, CONF_LIST_TREE) : NULL;
	struct trial_trees t = {0};
	size_t n = 0;

	if (!list)
		return err_set(err, ERR_CONFIG, "the configuration has no [list \"%s\"]",
			       list_name);
	while (name && name[n])
		n++;
	t.tree = xcalloc(n + 1, sizeof(*t.tree));
	t.branches = xcalloc(n + 1, sizeof(*t.branches));
	for (size_t i = 0; i < n; i++)
		tree_add(conf, name[i], &t);
	if (!t.n) {
		trial_trees_done(&t);
		return err_set(err, ERR_CONFIG, "[list \"%s\"] has no tree", list_name);
	}
	*ret = t;
	return 0;
}

void trial_trees_only(struct trial_trees *t, const char *path)
{
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->tree[i].path, path) != 0)
			continue;
		t->tree[0] = t->tree[i];
		t->tree[1] = (struct trial_tree){0};
		return;
	}
}

void trial_trees_done(struct trial_trees *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->branches[i]);
	free(t->branches);
	free(t->tree);
	*t = (struct trial_trees){0};
}
