// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/thread.h"

#include "series/mail_kind.h"

/* The newest of References that are looked up: enough for a deep thread with holes. */
#define ANCESTORS_MAX 64

struct node {
	const struct mail *mail;
	struct node *kept;   /* the one that counts for its Message-ID */
	struct node *parent; /* what it answers, of what is here */
	const struct mail *answered;
	bool is_part, is_reply;
	bool done; /* `answered` is known, or about to be: the way up may be a circle */
};

struct threads {
	struct node *node;   /* sorted by mail */
	struct node **by_id; /* sorted by Message-ID; only those that count */
	struct thread_part *part;
	struct thread_reply *reply; /* sorted by `to`, then by date */
	size_t n, n_by_id, n_parts, n_replies;
};

static int ptr_cmp(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int node_cmp(const void *a, const void *b)
{
	return ptr_cmp(((const struct node *)a)->mail, ((const struct node *)b)->mail);
}

static int part_cmp(const void *pa, const void *pb)
{
	const struct thread_part *a = pa, *b = pb;
	int c = ptr_cmp(a->mail, b->mail);

	return c ? c : (a->series > b->series) - (a->series < b->series);
}

/* A total order of mails that are not the same byte for byte. */
static int mail_order(const struct mail *a, const struct mail *b)
{
	const char *x = a->message_id ? a->message_id : "", *y = b->message_id ? b->message_id : "";
	int c = (a->date > b->date) - (a->date < b->date);

	if (!c)
		c = strcmp(x, y);
	if (!c)
		c = (a->raw_len > b->raw_len) - (a->raw_len < b->raw_len);
	return c ? c : memcmp(a->raw, b->raw, a->raw_len);
}

int thread_mail_order(const void *a, const void *b)
{
	return mail_order(*(const struct mail *const *)a, *(const struct mail *const *)b);
}

static int reply_cmp(const void *pa, const void *pb)
{
	const struct thread_reply *a = pa, *b = pb;
	int c = ptr_cmp(a->to, b->to);

	return c ? c : mail_order(a->mail, b->mail);
}

static int by_id_cmp(const void *pa, const void *pb)
{
	const struct node *a = *(struct node *const *)pa, *b = *(struct node *const *)pb;
	int c = strcmp(a->mail->message_id, b->mail->message_id);

	if (!c)
		c = b->is_part - a->is_part;
	return c ? c : mail_order(a->mail, b->mail);
}

static int id_cmp(const void *key, const void *node)
{
	return strcmp(key, (*(struct node *const *)node)->mail->message_id);
}

static struct node *node_of(const struct threads *t, const struct mail *m)
{
	struct node key = {.mail = m};

	return bsearch(&key, t->node, t->n, sizeof(key), node_cmp);
}

static struct node *node_find(const struct threads *t, const char *id)
{
	struct node **hit = bsearch(id, t->by_id, t->n_by_id, sizeof(*t->by_id), id_cmp);

	return hit ? *hit : NULL;
}

const struct thread_part *threads_part(const struct threads *t, const struct mail *m)
{
	size_t lo = 0, hi = t->n_parts;

	while (lo < hi) { /* the first of the equal ones */
		size_t mid = lo + (hi - lo) / 2;

		if (ptr_cmp(t->part[mid].mail, m) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->n_parts && t->part[lo].mail == m ? &t->part[lo] : NULL;
}

static void parts_make(struct threads *t, const struct series_set *set)
{
	size_t max = set->n_series;

	for (size_t i = 0; i < set->n_series; i++)
		max += set->series[i].n_patches;
	t->part = xcalloc(max, sizeof(*t->part));
	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		if (s->cover)
			t->part[t->n_parts++] = (struct thread_part){.mail = s->cover, .series = i};
		for (size_t k = 0; k < s->n_patches; k++)
			t->part[t->n_parts++] =
				(struct thread_part){.mail = s->patch[k].mail,
						     .series = i,
						     .number = s->patch[k].subject.number,
						     .patch = &s->patch[k]};
	}
	qsort(t->part, t->n_parts, sizeof(*t->part), part_cmp);
}

static bool is_reply(const struct mail *m)
{
	struct subject s;
	bool yes;

	subject_parse(m->subject, &s);
	yes = s.is_reply || (m->in_reply_to && !mail_is_tagged(m));
	subject_done(&s);
	return yes;
}

static void nodes_make(struct threads *t, const struct mail_list *mails)
{
	t->n = mails->n;
	t->node = xcalloc(mails->n, sizeof(*t->node));
	for (size_t i = 0; i < mails->n; i++)
		t->node[i].mail = mails->item[i];
	qsort(t->node, t->n, sizeof(*t->node), node_cmp);
	for (size_t i = 0; i < t->n; i++) {
		struct node *n = &t->node[i];

		n->kept = n;
		n->is_part = threads_part(t, n->mail) != NULL;
		n->is_reply = !n->is_part && is_reply(n->mail);
	}
}

static void ids_make(struct threads *t)
{
	size_t kept = 0;

	t->by_id = xcalloc(t->n, sizeof(*t->by_id));
	for (size_t i = 0; i < t->n; i++)
		if (t->node[i].mail->message_id)
			t->by_id[t->n_by_id++] = &t->node[i];
	qsort(t->by_id, t->n_by_id, sizeof(*t->by_id), by_id_cmp);
	for (size_t i = 0; i < t->n_by_id; i++) {
		struct node *n = t->by_id[i], *last = kept ? t->by_id[kept - 1] : NULL;

		if (last && strcmp(last->mail->message_id, n->mail->message_id) == 0)
			n->kept = n->is_part ? n : last;
		else
			t->by_id[kept++] = n;
	}
	t->n_by_id = kept;
}

/* The nearest of what a mail says that it answers, of what is here; only parts of a series if
 * `part`. */
static struct node *ancestor(const struct threads *t, const struct node *n, bool part)
{
	const struct mail *m = n->mail;
	struct node *hit = m->in_reply_to ? node_find(t, m->in_reply_to) : NULL;

	if (hit && hit != n && (!part || hit->is_part))
		return hit;
	for (size_t i = m->n_references; i > 0 && i + ANCESTORS_MAX > m->n_references; i--) {
		hit = node_find(t, m->references[i - 1]);
		if (hit && hit != n && (!part || hit->is_part))
			return hit;
	}
	return NULL;
}

/*
 * Up from reply to reply, since References are cut short in long threads, and some mailers put only
 * the beginning of the thread there; then what the mail itself names.
 */
static void answered_find(const struct threads *t, struct node *from, struct node **path)
{
	const struct mail *found = NULL;
	const struct node *direct;
	struct node *n = from;
	size_t depth = 0;

	for (; n && !n->done && !n->is_part; n = n->parent) {
		n->done = true;
		path[depth++] = n;
	}
	if (n)
		found = n->is_part ? n->mail : n->answered;
	while (depth > 0) {
		n = path[--depth];
		if (!found && (direct = ancestor(t, n, true)))
			found = direct->mail;
		n->answered = found;
	}
}

static void replies_make(struct threads *t)
{
	auto_free struct node **path = xcalloc(t->n, sizeof(struct node *));

	t->reply = xcalloc(t->n, sizeof(*t->reply));
	for (size_t i = 0; i < t->n; i++)
		t->node[i].parent = ancestor(t, &t->node[i], false);
	for (size_t i = 0; i < t->n; i++) {
		struct node *n = &t->node[i];

		answered_find(t, n, path);
		if (n->is_reply && n->answered && n->kept == n)
			t->reply[t->n_replies++] =
				(struct thread_reply){.mail = n->mail, .to = n->answered};
	}
	qsort(t->reply, t->n_replies, sizeof(*t->reply), reply_cmp);
}

struct threads *threads_new(const struct mail_list *mails, const struct series_set *set)
{
	struct threads *t = xcalloc(1, sizeof(*t));

	parts_make(t, set);
	nodes_make(t, mails);
	ids_make(t);
	replies_make(t);
	return t;
}

void threads_free(struct threads *t)
{
	if (!t)
		return;
	free(t->node);
	free(t->by_id);
	free(t->part);
	free(t->reply);
	free(t);
}

const struct mail *threads_answered(const struct threads *t, const struct mail *m)
{
	const struct node *n = node_of(t, m);

	return n && n->is_reply ? n->answered : NULL;
}

const struct mail *threads_parent(const struct threads *t, const struct mail *m)
{
	const struct node *n = node_of(t, m);

	return n && n->parent ? n->parent->mail : NULL;
}

const struct mail *threads_kept(const struct threads *t, const struct mail *m)
{
	const struct node *n = node_of(t, m);

	return n ? n->kept->mail : m;
}

bool threads_is_reply(const struct threads *t, const struct mail *m)
{
	const struct node *n = node_of(t, m);

	return n && n->is_reply;
}

const struct mail *threads_find(const struct threads *t, const char *message_id)
{
	const struct node *n = node_find(t, message_id);

	return n ? n->mail : NULL;
}

const struct thread_reply *threads_replies(const struct threads *t, const struct mail *part,
					   size_t *ret_n)
{
	size_t lo = 0, hi = t->n_replies, end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ptr_cmp(t->reply[mid].to, part) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < t->n_replies && t->reply[end].to == part;)
		end++;
	*ret_n = end - lo;
	return t->reply + lo;
}
