// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message.h"

static void series_done(struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++)
		patch_done(&s->patch[i]);
	ident_done(&s->author);
	free(s->patch);
	free(s->title);
	free(s->message_id);
	free(s->missing);
	free(s->base_commit);
}

void series_set_done(struct series_set *set)
{
	for (size_t i = 0; i < set->n_series; i++)
		series_done(&set->series[i]);
	for (size_t i = 0; i < set->n_fates; i++)
		free(set->fate[i].why);
	free(set->series);
	free(set->fate);
	*set = (struct series_set){};
}
