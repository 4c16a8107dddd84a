// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/source.h"

const struct source *const sources[] = {
	&source_link, /* first: an id looks like the name of a file */
	&source_mbox,
	NULL,
};

int source_read(const char *spec, struct mail_list *list, struct err *err)
{
	size_t before = list->n;

	for (const struct source *const *s = sources; *s; s++) {
		int rc;

		if (!(*s)->accepts(spec))
			continue;
		rc = (*s)->read(spec, list, err);
		if (rc == 0 && list->n == before)
			return err_set(err, ERR_INPUT, "%s is empty: it holds no mail", spec);
		return rc;
	}
	return err_set(err, ERR_INPUT, "%s: nothing here can read this", spec);
}
