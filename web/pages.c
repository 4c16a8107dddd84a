// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/response.h"

/* For whoever watches the service: 200 when it could serve a page. */
void page_health(const struct request *q, struct response *r)
{
	struct store *store = NULL;

	if (respond_store(q, r, &store) < 0)
		return;
	r->type = "text/plain; charset=utf-8";
	str_adds(&r->body, "ok\n");
}
