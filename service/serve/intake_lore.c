// SPDX-License-Identifier: GPL-2.0-or-later
/* A look at a list's archive. */
#include "serve/intake.h"

#include "base/fs.h"
#include "base/log.h"
#include "intake/lore.h"

struct look {
	struct intake_box box;
	bool ours; /* the store failed, not the archive */
};

static int look_keep(struct look *l, struct err *err)
{
	int rc = box_keep(&l->box, err);

	l->ours |= rc < 0;
	return rc;
}

static int on_event(void *ctx, const struct lore_event *event, const char *cursor, struct err *err)
{
	struct look *l = ctx;

	/* The blob: a removal names the same one as the mail. */
	if (event->kind != LORE_MAIL)
		box_add_gone(&l->box, event->kind == LORE_PURGED, event->blob);
	else if (event->data)
		box_add_mail(&l->box, event->data, event->n, event->blob, event->date);
	else
		box_add_large(&l->box, event->n, event->blob, event->date);
	free(l->box.cursor);
	l->box.cursor = xstrdup(cursor);
	return box_is_full(&l->box) ? look_keep(l, err) : 0;
}

static int follow(struct look *l, const struct lore_list *list, struct http *http, struct err *err)
{
	auto_free char *from = NULL, *to = NULL;
	struct err later = ERR_INIT;
	int rc = store_cursor_get(l->box.store, l->box.source, &from, err);
	int kept;

	l->ours = rc < 0;
	if (rc < 0)
		return rc;
	rc = lore_follow(list, http, from, on_event, l, &to, err);
	if (rc == 0 && strcmp(from, to) != 0) {
		free(l->box.cursor);
		l->box.cursor = take(to);
	}
	if (l->ours)
		return rc;
	/* What came before the archive failed is kept. */
	kept = look_keep(l, rc < 0 ? &later : err);
	if (kept < 0 && rc < 0)
		*err = later;
	return kept < 0 ? kept : rc;
}

int intake_lore(struct intake *in, const struct intake_source *src, bool *ret_ours, struct err *err)
{
	const struct conf_section *sec = src->list;
	auto_free char *dir = xasprintf("%s/lore/%s", in->env->data_dir, sec->name);
	struct lore_list list = {.url = conf_section_str(sec, CONF_LIST_LORE),
				 .dir = dir,
				 .on_tick = intake_tick,
				 .ctx = in};
	struct look l = {.box = {.store = in->env->store, .list = sec->name, .source = src->name}};
	int rc = fs_mkdirs(dir, err);

	*ret_ours = true;
	if (rc == 0)
		rc = intake_since(in->env->store, sec, &list.since, err);
	if (rc < 0)
		return rc;
	rc = follow(&l, &list, in->http, err);
	*ret_ours = l.ours;
	if (l.box.kept)
		log_info("%s: %zu new mails", src->name, l.box.kept);
	box_done(&l.box);
	return rc;
}
