// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/offer.h"

#include "series/message.h"
#include "series/reply_lines.h"
#include <ctype.h>

/* Headers of quoted diffs that are looked up in the mail they may come from. */
#define QUOTED_HEADERS_MAX 16

static void patch_name(struct offer *o)
{
	struct subject *s = &o->patch.subject;
	char *text = xasprintf("offer: %s", s->text);

	free(s->text);
	s->text = text;
	s->is_reply = false;
	s->is_patch = true;
}

/* A mail that holds only this much of the other. The texts are the caller's. */
static struct mail mail_cut(const struct mail *m, char *text, char *bytes)
{
	struct mail cut = *m;

	cut.text = text;
	cut.text_len = strlen(text);
	cut.bytes = bytes;
	cut.bytes_len = strlen(bytes);
	return cut;
}

/* What of a text is the offer: the patch behind the scissors, or all from the diff on. */
static char *text_cut(const char *text, size_t n, bool *ret_whole)
{
	struct reply_lines r;

	reply_lines_begin(&r, text, n);
	*ret_whole = r.patch != NULL;
	if (r.patch)
		return xmemdup(r.patch, (size_t)(r.patch_end - r.patch));
	return r.diff ? xmemdup(r.diff, (size_t)(r.end - r.diff)) : NULL;
}

/* In an attached patch there may be more headers before those that git knows in a body. */
static void headers_skip(char *text)
{
	static const char *const known[] = {"From: ", "Subject: ", "Date: "};
	char *p = text;

	while (*p && *p != '\n') {
		for (size_t i = 0; i < array_size(known); i++)
			if (str_starts(p, known[i])) {
				memmove(text, p, strlen(p) + 1);
				return;
			}
		if (!isalpha((unsigned char)*p) || !strchr(p, ':'))
			return;
		p = strchrnul(p, '\n');
		p += *p == '\n';
	}
}

static void message_make(struct offer *o)
{
	const struct mail *m = o->mail;
	struct patch *p = &o->patch;
	const char *body = strchr(p->message, '\n');
	char *message = xasprintf(
		"%s%s\n[ offered by %s in <%s> ]\n", p->subject.text, body && body[1] ? body : "\n",
		*m->from.name ? m->from.name : m->from.email, m->message_id ? m->message_id : "");

	free(p->message);
	p->message = message;
}

static void files_list(struct offer *o)
{
	const struct diff *d = o->patch.diff;

	if (!d)
		return;
	o->file = xcalloc(d->n_files, sizeof(*o->file));
	for (size_t i = 0; i < d->n_files; i++)
		o->file[o->n_files++] = xstrdup(diff_file_path(&d->file[i]));
}

/* A diff that stands in the text as it is. False when there is none. */
static bool plain_read(struct offer *o)
{
	const struct mail *m = o->mail;
	auto_free char *text = text_cut(m->text, m->text_len, &o->whole);
	auto_free char *bytes = text_cut(m->bytes, m->bytes_len, &o->whole);
	struct mail cut;

	if (!text || !bytes)
		return false;
	headers_skip(text);
	headers_skip(bytes);
	cut = mail_cut(m, text, bytes);
	patch_read(&cut, &o->patch);
	o->patch.mail = m;
	if (!patch_has_diff(&o->patch))
		return false;
	if (o->patch.diff_error)
		o->wrong = xstrdup(o->patch.diff_error);
	files_list(o);
	return true;
}

static bool line_has(const struct reply_line *l, const char *prefix)
{
	size_t n = strlen(prefix);

	return l->len > n && memcmp(l->text, prefix, n) == 0;
}

/* The first line of a diff in a line that is quoted or indented. */
static bool is_header(const struct reply_line *l)
{
	return line_has(l, "diff --git a/") || line_has(l, "--- a/");
}

static bool text_holds(const char *text, size_t n, const struct reply_line *l)
{
	return memmem(text, n, l->text, l->len) != NULL;
}

/* Why a diff that does not stand plainly in the text cannot be tried; NULL when there is none. A
 * review quotes what it is about: only a diff that is not from the answered mail is an offer. */
static const char *damage_find(const struct mail *m, const struct mail *parent)
{
	unsigned headers = 0;
	struct reply_line l;
	struct reply_lines r;

	reply_lines_begin(&r, m->text, m->text_len);
	while (reply_lines_next(&r, &l)) {
		if (l.place == LINE_PLAIN && line_has(&l, "@@ -") && r.pos < r.end &&
		    strchr(" +-", *r.pos))
			return "the diff does not say which file it is for";
		if (l.place != LINE_QUOTED && l.place != LINE_INDENTED)
			continue;
		reply_line_unquote(&l);
		if (!is_header(&l))
			continue;
		if (l.place == LINE_INDENTED)
			return "the diff is indented";
		if (parent && headers++ < QUOTED_HEADERS_MAX &&
		    !text_holds(parent->text, parent->text_len, &l))
			return "the diff is quoted";
	}
	return NULL;
}

static bool damaged_read(struct offer *o, const struct mail *parent)
{
	const char *why = damage_find(o->mail, parent);

	if (!why)
		return false;
	o->wrong = xstrdup(why);
	ident_from_mail(o->mail, &o->patch.author);
	o->patch.mail = o->mail;
	o->patch.message = xstrdup("");
	o->patch.below = xstrdup("");
	o->patch.diff_text = xstrdup("");
	return true;
}

static void offer_done(struct offer *o)
{
	for (size_t i = 0; i < o->n_files; i++)
		free(o->file[i]);
	free(o->file);
	free(o->wrong);
	patch_done(&o->patch);
}

static void offer_add(struct offers *list, const struct threads *t, const struct mail *m,
		      const struct thread_part *to)
{
	struct offer o = {.mail = m, .series = SIZE_MAX};

	if (to) {
		o.series = to->series;
		o.number = to->number;
	}
	subject_parse(m->subject, &o.patch.subject);
	if (!plain_read(&o) && !damaged_read(&o, threads_parent(t, m))) {
		offer_done(&o);
		return;
	}
	if (!to && !o.wrong)
		o.wrong = xstrdup("the patch that it answers is not here");
	patch_name(&o);
	message_make(&o);
	arr_grow(list->item, list->n, list->cap);
	list->item[list->n++] = o;
}

static void part_offers(struct offers *list, const struct threads *t, size_t series,
			const struct mail *part)
{
	const struct thread_part *to = part ? threads_part(t, part) : NULL;
	const struct thread_reply *r;
	size_t n;

	if (!to || to->series != series)
		return;
	r = threads_replies(t, part, &n);
	for (size_t i = 0; i < n; i++)
		offer_add(list, t, r[i].mail, to);
}

/* Replies to what is not here. */
static void stray_offers(struct offers *list, const struct threads *t,
			 const struct mail_list *mails)
{
	auto_free const struct mail **stray = xcalloc(mails->n, sizeof(*stray));
	size_t n = 0;

	for (size_t i = 0; i < mails->n; i++) {
		const struct mail *m = mails->item[i];

		if (threads_is_reply(t, m) && !threads_answered(t, m) && threads_kept(t, m) == m)
			stray[n++] = m;
	}
	qsort(stray, n, sizeof(*stray), thread_mail_order);
	for (size_t i = 0; i < n; i++)
		offer_add(list, t, stray[i], NULL);
}

void offers_find(const struct threads *t, const struct mail_list *mails,
		 const struct series_set *set, struct offers *ret_offers)
{
	struct offers list = {};

	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		part_offers(&list, t, i, s->cover);
		for (size_t k = 0; k < s->n_patches; k++)
			part_offers(&list, t, i, s->patch[k].mail);
	}
	stray_offers(&list, t, mails);
	*ret_offers = list;
}

void offers_done(struct offers *o)
{
	for (size_t i = 0; i < o->n; i++)
		offer_done(&o->item[i]);
	free(o->item);
	*o = (struct offers){};
}

const struct offer *offers_get(const struct offers *o, const char *message_id)
{
	size_t n = strlen(message_id);

	if (n >= 2 && *message_id == '<' && message_id[n - 1] == '>') {
		message_id++;
		n -= 2;
	}
	for (size_t i = 0; i < o->n; i++) {
		const char *id = o->item[i].mail->message_id;

		if (id && strlen(id) == n && memcmp(id, message_id, n) == 0)
			return &o->item[i];
	}
	return NULL;
}

static void number_set(struct subject *s, unsigned number, unsigned total)
{
	s->number = number;
	s->total = total;
	s->numbered = true;
}

/* The same patch, read again: nothing is shared between the two. */
static void patch_again(const struct patch *p, unsigned total, struct patch *ret)
{
	subject_parse(p->mail->subject, &ret->subject);
	patch_read(p->mail, ret);
	number_set(&ret->subject, p->subject.number, total);
}

static void offer_patch(const struct offer *o, unsigned number, struct patch *ret)
{
	const struct patch *p = &o->patch;
	struct err err = ERR_INIT;

	subject_parse("", &ret->subject);
	free(ret->subject.text);
	ret->subject.text = xstrdup(p->subject.text);
	ret->subject.is_patch = true;
	number_set(&ret->subject, number, number);
	ret->mail = o->mail;
	ret->author = p->author;
	ret->author.name = xstrdup(p->author.name);
	ret->author.email = xstrdup(p->author.email);
	ret->message = xstrdup(p->message);
	ret->below = xstrdup(p->below);
	ret->diff_text = xmemdup(p->diff_text, p->diff_len);
	ret->diff_len = p->diff_len;
	if (diff_parse(ret->diff_text, ret->diff_len, &ret->diff, &err) < 0)
		ret->diff_error = xstrdup(err.msg);
}

/* How many patches come before the offer. */
static unsigned patches_before(const struct offer *o, const struct series *s,
			       enum offer_where where)
{
	unsigned answered = o->number ? o->number : s->total;

	if (where == OFFER_ON_TOP)
		return answered;
	return o->number ? answered - 1 : 0;
}

static void series_build(const struct offer *o, const struct series *from, unsigned before,
			 struct series *s)
{
	s->title = xstrdup(o->patch.subject.text);
	s->message_id = xstrdup(o->mail->message_id ? o->mail->message_id : "");
	s->version = from->version;
	s->total = before + 1;
	ident_from_mail(o->mail, &s->author);
	s->cover = from->cover;
	s->base_commit = from->base_commit ? xstrdup(from->base_commit) : NULL;
	s->patch = xcalloc(from->n_patches + 1, sizeof(*s->patch));
	for (size_t i = 0; i < from->n_patches && from->patch[i].subject.number <= before; i++)
		patch_again(&from->patch[i], before + 1, &s->patch[s->n_patches++]);
	offer_patch(o, before + 1, &s->patch[s->n_patches++]);
}

int offer_series(const struct offer *o, const struct series_set *set, enum offer_where where,
		 struct series_set *ret_set, struct err *err)
{
	const struct series *from;
	struct series *s;
	unsigned before;

	if (o->wrong || o->series >= set->n_series)
		return err_set(err, ERR_PATCH, "the offer in %s cannot be tried: %s",
			       o->mail->origin,
			       o->wrong ? o->wrong : "what it answers is not here");
	from = &set->series[o->series];
	before = patches_before(o, from, where);
	if (from->n_missing && from->missing[0] <= before)
		return err_set(err, ERR_INPUT,
			       "the offer in %s comes after patch %u/%u, and patch %u is missing",
			       o->mail->origin, before, from->total, from->missing[0]);
	s = xcalloc(1, sizeof(*s));
	series_build(o, from, before, s);
	*ret_set = (struct series_set){.series = s, .n_series = 1};
	return 0;
}
