// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/views.h"

#include "base/str.h"
#include "store/sql.h"

void view_request_list_done(struct view_request_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		store_request_done(&l->row[i].request);
		store_answer_done(&l->row[i].answer);
	}
	free(l->row);
	*l = (struct view_request_list){0};
}

static int row_read(struct store *s, int64_t id, struct view_request_list *l, struct err *err)
{
	struct view_request row = {0};
	int rc = store_request_get(s, id, &row.request, err);

	if (rc == 0)
		rc = store_request_look(s, id, &row.answer, err);
	if (rc < 0) {
		store_request_done(&row.request);
		return rc;
	}
	arr_grow(l->row, l->n, l->cap);
	l->row[l->n++] = row;
	return 0;
}

int view_requests(struct store *s, int64_t before, unsigned limit, struct view_request_list *ret,
		  struct err *err)
{
	auto_view_request_list struct view_request_list l = {0};
	auto_stmt sqlite3_stmt *stmt = NULL;
	int64_t id[VIEW_LIMIT_MAX + 1];
	size_t n = 0;
	int rc = sql_prepare(s,
			     "SELECT id FROM request WHERE via = 'web' AND id < :before"
			     " ORDER BY id DESC",
			     &stmt, err);

	if (rc < 0)
		return rc;
	limit = limit && limit < VIEW_LIMIT_MAX ? limit : VIEW_LIMIT_MAX;
	sql_int(stmt, ":before", before ? before : INT64_MAX);
	rc = sql_ids(s, stmt, limit + 1, id, &n, "listing requests", err);
	for (size_t i = 0; rc == 0 && i < n && i < limit; i++)
		rc = row_read(s, id[i], &l, err);
	if (rc < 0)
		return rc;
	l.more = n > limit;
	*ret = l;
	l = (struct view_request_list){0};
	return 0;
}
