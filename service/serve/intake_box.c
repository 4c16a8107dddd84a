// SPDX-License-Identifier: GPL-2.0-or-later
/* What came from a source becomes rows. */
#include "serve/intake.h"

#include "base/clock.h"
#include "intake/mail.h"

/* A Date: that is so far from what the archive says is a wrong clock. */
#define DATE_OFF_S ((int64_t)30 * 24 * 3600)

static void item_done(struct box_item *it)
{
	free(it->data);
	free(it->place);
	free(it->row.server);
	free(it->row.message_id);
	free(it->row.url);
}

static void box_empty(struct intake_box *b)
{
	for (size_t i = 0; i < b->n; i++)
		item_done(&b->item[i]);
	b->n = 0;
	b->bytes = 0;
	free(take(b->cursor));
	free(take(b->beside));
}

void box_done(struct intake_box *b)
{
	box_empty(b);
	free(b->item);
	free(b->beside_name);
	*b = (struct intake_box){0};
}

static struct box_item *box_add(struct intake_box *b, enum box_kind kind, const char *place)
{
	arr_grow(b->item, b->n, b->cap);
	b->item[b->n] = (struct box_item){.kind = kind, .place = place ? xstrdup(place) : NULL};
	return &b->item[b->n++];
}

void box_add_mail(struct intake_box *b, const void *data, size_t n, const char *place, int64_t date)
{
	struct box_item *it = box_add(b, BOX_MAIL, place);

	it->data = xmemdup(data, n);
	it->n = n;
	it->date = date;
	b->bytes += n;
}

void box_add_large(struct intake_box *b, size_t n, const char *place, int64_t date)
{
	struct box_item *it = box_add(b, BOX_MAIL, place);

	it->too_large = n;
	it->date = date;
}

void box_add_gone(struct intake_box *b, bool purged, const char *place)
{
	box_add(b, purged ? BOX_PURGED : BOX_REMOVED, place);
}

void box_add_patchwork(struct intake_box *b, const struct store_patchwork *row)
{
	struct box_item *it = box_add(b, BOX_PATCHWORK, NULL);

	it->row = *row;
	it->row.server = xstrdup(row->server);
	it->row.message_id = xstrdup(row->message_id);
	it->row.url = xstrdup(row->url);
}

bool box_is_full(const struct intake_box *b)
{
	return b->n >= BOX_ITEMS_MAX || b->bytes >= BOX_BYTES_MAX;
}

/* All ids that the mail names: References, then In-Reply-To; NULL at the end. */
static const char **refs_of(const struct mail *m)
{
	const char **refs = xcalloc(m->n_references + 2, sizeof(*refs));
	size_t n = 0;

	/* The nearest first: the store keeps a bounded number. */
	if (m->in_reply_to)
		refs[n++] = m->in_reply_to;
	for (size_t i = m->n_references; i > 0; i--)
		refs[n++] = m->references[i - 1];
	return refs;
}

static int64_t date_of(const struct mail *m, int64_t told)
{
	if (!m->has_date)
		return told ? told : clock_wall();
	if (told && (m->date > told + DATE_OFF_S || m->date < told - DATE_OFF_S))
		return told;
	return m->date;
}

/* A mail whose posting was left alone by the lists that had it so far, and that is on one more now:
 * looked at again. */
static int reopen(struct intake_box *b, int64_t id, const char *message_id, struct err *err)
{
	auto_store_mail_list struct store_mail_list l = {0};
	auto_store_posting struct store_posting p = {0};
	const struct store_mail *m = NULL;
	int rc = store_mail_list_by_id(b->store, message_id, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.mail[i].id == id)
			m = &l.mail[i];
	if (rc < 0 || !m || !m->posting ||
	    (strcmp(m->state, "patch") != 0 && strcmp(m->state, "cover") != 0))
		return rc;
	rc = store_posting_get(b->store, m->posting, &p, err);
	if (rc < 0 || p.state != STORE_POSTING_LEFT_ALONE)
		return rc;
	return store_mail_settle(b->store, id, "new", "", m->posting, m->number, err);
}

static int mail_keep(struct intake_box *b, const struct box_item *it, const struct mail *m,
		     struct err *err)
{
	auto_free const char **refs = refs_of(m);
	const char *id = m->message_id ? m->message_id : "";
	struct mail_addr person = {0};
	const struct mail_addr *who = mail_person(m, &person) ? &person : &m->from;
	struct store_mail_new new = {.message_id = id,
				     .refs = refs,
				     .subject = m->subject,
				     .date = date_of(m, it->date),
				     .raw = it->data,
				     .raw_len = it->n,
				     .list = b->list,
				     .source = b->source,
				     .place = it->place};
	bool is_new = false, elsewhere = false;
	int64_t mail = 0;
	int rc;

	new.from_name = who->name;
	new.from_email = who->email;
	rc = store_mail_is_elsewhere(b->store, &new, &elsewhere, err);
	if (rc == 0)
		rc = store_mail_add(b->store, &new, &mail, &is_new, err);
	b->kept += rc == 0 && is_new;
	if (rc == 0 && !is_new && elsewhere)
		rc = reopen(b, mail, id, err);
	mail_addr_done(&person);
	return rc;
}

/* What is no mail is kept too, and its state is known at once. */
static int unreadable_keep(struct intake_box *b, const struct box_item *it, const char *reason,
			   struct err *err)
{
	auto_free char *note = xasprintf("%s: %zu bytes, not kept\n", it->place, it->too_large);
	const struct store_mail_new new = {.message_id = "",
					   .subject = "",
					   .from_name = "",
					   .from_email = "",
					   .date = it->date ? it->date : clock_wall(),
					   .raw = it->data ? it->data : note,
					   .raw_len = it->data ? it->n : strlen(note),
					   .list = b->list,
					   .source = b->source,
					   .place = it->place};
	bool is_new = false;
	int64_t mail = 0;
	int rc = store_mail_add(b->store, &new, &mail, &is_new, err);

	if (rc < 0 || !is_new)
		return rc;
	b->kept++;
	return store_mail_settle(b->store, mail, "unreadable", reason, 0, 0, err);
}

static int data_keep(struct intake_box *b, const struct box_item *it, struct err *err)
{
	struct err why = ERR_INIT;
	struct mail *m = NULL;
	int rc;

	if (!it->data) {
		err_set(&why, ERR_INPUT, "it is too large: %zu bytes", it->too_large);
		return unreadable_keep(b, it, why.msg, err);
	}
	rc = mail_parse(it->data, it->n, it->place, &m, &why);
	if (rc == ERR_INPUT)
		return unreadable_keep(b, it, why.msg, err);
	if (rc < 0) {
		*err = why;
		return rc;
	}
	rc = mail_keep(b, it, m, err);
	mail_free(m);
	return rc;
}

static int item_keep(struct intake_box *b, const struct box_item *it, struct err *err)
{
	switch (it->kind) {
	case BOX_MAIL: return data_keep(b, it, err);
	case BOX_REMOVED:
	case BOX_PURGED:
		return store_mail_remove(b->store, b->source, it->place, it->kind == BOX_PURGED,
					 err);
	case BOX_PATCHWORK: return store_patchwork_put(b->store, &it->row, err);
	}
	return 0;
}

int box_keep(struct intake_box *b, struct err *err)
{
	auto_free char *doing = xasprintf("keeping what came from %s", b->source);
	auto_batch struct store_batch batch = {0};
	int rc = 0;

	if (!b->n && !b->cursor && !b->beside)
		return 0;
	rc = store_batch_begin(&batch, b->store, err);
	for (size_t i = 0; i < b->n && rc == 0; i++)
		rc = item_keep(b, &b->item[i], err);
	if (rc == 0 && b->cursor)
		rc = store_cursor_set(b->store, b->source, b->cursor, err);
	if (rc == 0 && b->beside)
		rc = store_cursor_set(b->store, b->beside_name, b->beside, err);
	if (rc == 0)
		rc = store_batch_commit(&batch, doing, err);
	if (rc == 0)
		box_empty(b);
	return rc;
}
