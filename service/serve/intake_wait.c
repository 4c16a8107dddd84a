// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails that Patchwork knows and the archive has not brought yet. */
#include "serve/intake.h"

#include <jansson.h>

void wait_list_add(struct wait_list *l, const char *message_id, const char *mbox, int64_t until)
{
	arr_grow(l->item, l->n, l->cap);
	l->item[l->n++] = (struct wait_item){
		.message_id = xstrdup(message_id), .mbox = xstrdup(mbox), .until = until};
}

void wait_list_drop(struct wait_list *l, size_t i)
{
	free(l->item[i].message_id);
	free(l->item[i].mbox);
	l->n--;
	memmove(&l->item[i], &l->item[i + 1], (l->n - i) * sizeof(*l->item));
}

void wait_list_done(struct wait_list *l)
{
	while (l->n)
		wait_list_drop(l, l->n - 1);
	free(l->item);
	*l = (struct wait_list){0};
}

void wait_list_read(struct wait_list *ret, const char *text)
{
	auto_json json_t *rows = json_loads(text, 0, NULL);
	const json_t *row;
	size_t i;

	json_array_foreach (rows, i, row) {
		const char *id = json_string_value(json_array_get(row, 0));
		const char *mbox = json_string_value(json_array_get(row, 1));

		if (id && mbox)
			wait_list_add(ret, id, mbox, json_integer_value(json_array_get(row, 2)));
	}
}

char *wait_list_text(const struct wait_list *l)
{
	auto_json json_t *rows = json_array();
	char *text;

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows,
				      json_pack("[ssI]", l->item[i].message_id, l->item[i].mbox,
						(json_int_t)l->item[i].until));
	text = json_dumps(rows, JSON_COMPACT);
	return text ? text : xstrdup("[]");
}
