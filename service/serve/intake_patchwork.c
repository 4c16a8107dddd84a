// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A look at a list's project in Patchwork. Its mails are not what was sent, byte for byte: where
 * the list has an archive too, that one gets the time to bring them.
 */
#include "serve/intake.h"

#include "base/clock.h"
#include "base/log.h"
#include "intake/patchwork.h"

#define GRACE_S	 600
#define WAIT_MAX 2000
/* One mail that the server fails to give is tried again later; so many in one look are the server's
 * failure. */
#define FAILURES_MAX 3

struct look {
	struct intake_box box;
	struct patchwork_server server;
	struct wait_list wait;
	const char *name; /* of the [patchwork] */
	int64_t grace;	  /* seconds; 0: the list has no archive, or nobody waits */
	size_t unreadable, failures;
	bool ours, waiting_changed;
};

static int look_keep(struct look *l, struct err *err)
{
	int rc;

	if (l->waiting_changed) {
		free(l->box.beside);
		l->box.beside = wait_list_text(&l->wait);
		l->waiting_changed = false;
	}
	rc = box_keep(&l->box, err);
	l->ours |= rc < 0;
	return rc;
}

static int known(struct look *l, const char *message_id, bool *ret_is, struct err *err)
{
	int rc = store_mail_is_known(l->box.store, message_id, ret_is, err);

	l->ours |= rc < 0;
	return rc;
}

/* A mail that is not there any more, or cannot be read, is passed over: there is nothing to keep.
 */
static int fetch(struct look *l, const char *mbox, struct err *err)
{
	struct mail_list mails = {0};
	struct err why = ERR_INIT;
	int rc = patchwork_mail(&l->server, mbox, &mails, &why);

	if (rc == 0)
		box_add_mail(&l->box, mails.item[0]->raw, mails.item[0]->raw_len, mbox, 0);
	mail_list_done(&mails);
	if (rc == ERR_INPUT) {
		log_warn("%s: passed over: %s", l->box.source, why.msg);
		return 0;
	}
	if (rc < 0)
		*err = why;
	return rc;
}

static bool in_box(const struct look *l, const char *mbox)
{
	for (size_t i = 0; i < l->box.n; i++)
		if (l->box.item[i].place && strcmp(l->box.item[i].place, mbox) == 0)
			return true;
	return false;
}

static bool is_waited_for(const struct look *l, const char *message_id)
{
	for (size_t i = 0; i < l->wait.n; i++)
		if (strcmp(l->wait.item[i].message_id, message_id) == 0)
			return true;
	return false;
}

/* Into the box, or on the list of what is tried later. */
static int fetch_or_wait(struct look *l, const char *message_id, const char *mbox, struct err *err)
{
	int rc = fetch(l, mbox, err);

	if (rc != ERR_INFRA || ++l->failures > FAILURES_MAX || l->wait.n >= WAIT_MAX)
		return rc;
	wait_list_add(&l->wait, message_id, mbox, clock_wall() + GRACE_S);
	l->waiting_changed = true;
	return 0;
}

static int mail_want(struct look *l, const struct patchwork_event *event, struct err *err)
{
	bool is_known = false;
	int rc = known(l, event->message_id, &is_known, err);

	if (rc < 0 || is_known || in_box(l, event->mbox) || is_waited_for(l, event->message_id))
		return rc;
	if (!l->grace || l->wait.n >= WAIT_MAX)
		return fetch_or_wait(l, event->message_id, event->mbox, err);
	wait_list_add(&l->wait, event->message_id, event->mbox, clock_wall() + l->grace);
	l->waiting_changed = true;
	return 0;
}

static int on_event(void *ctx, const struct patchwork_event *event, struct err *err)
{
	struct look *l = ctx;
	int rc = 0;

	if (event->words)
		l->unreadable++;
	if (!event->message_id || !event->number)
		return 0;
	if (event->web_url)
		box_add_patchwork(&l->box,
				  &(struct store_patchwork){.server = (char *)l->name,
							    .message_id = (char *)event->message_id,
							    .url = (char *)event->web_url,
							    .is_cover = event->is_cover,
							    .number = event->number,
							    .series = event->series});
	if (event->mbox)
		rc = mail_want(l, event, err);
	if (rc < 0 || !box_is_full(&l->box))
		return rc;
	l->box.cursor = patchwork_event_cursor(event);
	return look_keep(l, err);
}

/* A clock that was put back makes nothing wait for ever. */
static bool is_due(const struct look *l, const struct wait_item *it)
{
	int64_t now = clock_wall();

	return !l->grace || it->until <= now || it->until > now + GRACE_S;
}

static int waiting_later(struct look *l, const struct wait_item *it)
{
	wait_list_add(&l->wait, it->message_id, it->mbox, it->until);
	return 0;
}

static int waiting_one(struct look *l, const struct wait_item *it, struct err *err)
{
	bool is_known = false;
	int rc = known(l, it->message_id, &is_known, err);

	if (rc < 0)
		return rc;
	if (!is_known && !is_due(l, it))
		return waiting_later(l, it);
	l->waiting_changed = true;
	return is_known ? 0 : fetch_or_wait(l, it->message_id, it->mbox, err);
}

/* Those whose time is up, or that have come; as many as one transaction holds. */
static int waiting_look(struct look *l, struct err *err)
{
	struct wait_list before = l->wait;
	int rc = 0;

	l->wait = (struct wait_list){0};
	for (size_t i = 0; i < before.n && rc == 0; i++)
		rc = box_is_full(&l->box) ? waiting_later(l, &before.item[i])
					  : waiting_one(l, &before.item[i], err);
	wait_list_done(&before);
	return rc < 0 ? rc : look_keep(l, err);
}

static int walk(struct look *l, const char *project, int64_t since, struct err *err)
{
	auto_free char *from = NULL, *waiting = NULL, *to = NULL;
	int rc = store_cursor_get(l->box.store, l->box.source, &from, err);

	if (rc == 0)
		rc = store_cursor_get(l->box.store, l->box.beside_name, &waiting, err);
	l->ours = rc < 0;
	if (rc < 0)
		return rc;
	wait_list_read(&l->wait, waiting);
	rc = waiting_look(l, err);
	if (rc == 0)
		rc = patchwork_events(&l->server, project, from, since, on_event, l, &to, err);
	if (rc < 0)
		return rc;
	if (strcmp(from, to) != 0) {
		free(l->box.cursor);
		l->box.cursor = take(to);
	}
	return look_keep(l, err);
}

int intake_patchwork(struct intake *in, const struct intake_source *src, bool *ret_ours,
		     struct err *err)
{
	const char *name = conf_section_str(src->list, CONF_LIST_PATCHWORK);
	const struct conf_section *server =
		conf_section_find(in->env->conf, CONF_SECTION_PATCHWORK, name);
	bool archive = conf_section_str(src->list, CONF_LIST_LORE) != NULL;
	struct look l = {.box = {.store = in->env->store,
				 .list = src->list->name,
				 .source = src->name,
				 .beside_name = xasprintf("%s waiting", src->name)},
			 .name = name,
			 .grace = archive && !in->env->once ? GRACE_S : 0};
	int64_t since = 0;
	int rc = server ? intake_since(in->env->store, src->list, &since, err)
			: err_set(err, ERR_CONFIG, "no [patchwork \"%s\"]", name);

	*ret_ours = true;
	if (rc == 0) {
		l.server = (struct patchwork_server){
			.url = conf_section_str(server, CONF_PATCHWORK_URL), .http = in->http};
		rc = walk(&l, conf_section_str(src->list, CONF_LIST_PROJECT), since, err);
		*ret_ours = l.ours;
	}
	if (l.box.kept)
		log_info("%s: %zu new mails", src->name, l.box.kept);
	if (l.unreadable)
		log_warn("%s: %zu events could not be read", src->name, l.unreadable);
	box_done(&l.box);
	wait_list_done(&l.wait);
	return rc;
}
