// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of a mail: patch, cover letter or comment, the series that it joins, and the events
 * of that, in the order that Patchwork makes them in. */
#include "stand_in.h"

#include <sys/time.h>

void list_add(struct list *l, void *item)
{
	arr_grow(l->item, l->n, l->cap);
	l->item[l->n++] = item;
}

void *list_get(const struct list *l, unsigned id)
{
	return id && id <= l->n ? l->item[id - 1] : NULL;
}

static char *naive(int64_t t)
{
	time_t when = (time_t)t;
	char buf[32];
	struct tm tm;

	gmtime_r(&when, &tm);
	strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%S", &tm);
	return xstrdup(buf);
}

static char *naive_us(int64_t us)
{
	char *second = naive(us / 1000000), *date;

	if (us % 1000000 == 0)
		return second;
	date = xasprintf("%s.%06d", second, (int)(us % 1000000));
	free(second);
	return date;
}

static int64_t now_us(const struct server *s)
{
	static int64_t last;
	struct timeval tv;
	int64_t us;

	gettimeofday(&tv, NULL);
	us = ((int64_t)tv.tv_sec + s->zone_minutes * 60) * 1000000 + tv.tv_usec;
	last = us > last ? us : last + 1;
	return last;
}

char *server_now(struct server *s)
{
	return naive_us(now_us(s));
}

void event_add(struct server *s, const char *category, const struct event *about)
{
	struct event *e = xmalloc(sizeof(*e));

	*e = *about;
	e->id = (unsigned)s->events.n + 1;
	e->category = category;
	e->date = naive_us(now_us(s) - s->late_s * 1000000);
	list_add(&s->events, e);
	/* By date, as they are listed. */
	for (size_t i = s->events.n - 1; i > 0; i--) {
		struct event *before = s->events.item[i - 1];

		if (strcmp(before->date, e->date) <= 0)
			break;
		s->events.item[i] = before;
		s->events.item[i - 1] = e;
	}
}

unsigned server_project(struct server *s, const char *name)
{
	struct project *p;

	for (size_t i = 0; i < s->projects.n; i++)
		if (strcmp(((struct project *)s->projects.item[i])->name, name) == 0)
			return (unsigned)i + 1;
	p = xcalloc(1, sizeof(*p));
	p->id = (unsigned)s->projects.n + 1;
	p->name = xstrdup(name);
	list_add(&s->projects, p);
	return p->id;
}

static unsigned person_of(struct server *s, const struct mail_addr *a)
{
	struct person *p;

	for (size_t i = 0; i < s->people.n; i++)
		if (strcasecmp(((struct person *)s->people.item[i])->email, a->email) == 0)
			return (unsigned)i + 1;
	p = xcalloc(1, sizeof(*p));
	p->id = (unsigned)s->people.n + 1;
	p->name = xstrdup(a->name);
	p->email = xstrdup(a->email);
	list_add(&s->people, p);
	return p->id;
}

/* Where the diff begins; its end when there is none. */
static const char *diff_of(const char *text)
{
	static const char *const begins[] = {"\ndiff --git ", "\n--- a/", NULL};

	for (const char *const *b = begins; *b; b++) {
		const char *p = strstr(text, *b);

		if (p)
			return p + 1;
	}
	return text + strlen(text);
}

/* Without the signature below "-- ". */
static size_t signed_len(const char *text, size_t n)
{
	const char *signature = memmem(text, n, "\n-- \n", 5);

	return signature ? (size_t)(signature - text) + 1 : n;
}

static void text_split(struct part *p, const char *text)
{
	const char *diff = diff_of(text);
	size_t n = signed_len(text, (size_t)(diff - text));

	while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	p->content = xmemdup(text, n);
	if (*diff)
		p->diff = xmemdup(diff, signed_len(diff, strlen(diff)));
}

/* Every header of the mail, decoded. */
static json_t *headers_of(const struct mail *m)
{
	json_t *headers = json_object();
	const char *p = m->raw, *end = strstr(m->raw, "\n\n");

	while (p && end && p < end) {
		const char *next = p, *colon = strchr(p, ':');
		char *name, *raw, *value;

		do
			next = strchr(next, '\n') + 1;
		while (*next == ' ' || *next == '\t');
		if (colon && colon < next) {
			name = xmemdup(p, (size_t)(colon - p));
			raw = xmemdup(colon + 1, (size_t)(next - colon) - 1);
			value = mail_header_decode(raw);
			json_object_set_new(headers, name, json_string(value));
			free(name);
			free(raw);
			free(value);
		}
		p = next;
	}
	return headers;
}

static struct part *part_new(struct server *s, unsigned project, const struct mail *m,
			     const struct subject *subject)
{
	struct part *p = xcalloc(1, sizeof(*p));

	p->project = project;
	p->submitter = person_of(s, &m->from);
	p->number = subject->number;
	p->message_id = xstrdup(m->message_id);
	p->date = naive(m->date);
	p->name = xstrdup(subject->name);
	p->subject = xstrdup(m->subject);
	p->prefixes = json_incref(subject->prefixes);
	p->headers = headers_of(m);
	text_split(p, m->text);
	return p;
}

static struct part *part_find(const struct list *l, unsigned project, const char *id)
{
	for (size_t i = 0; i < l->n; i++) {
		struct part *p = l->item[i];

		if (p->project == project && strcmp(p->message_id, id) == 0)
			return p;
	}
	return NULL;
}

/* The cover, patch or comment with this id. */
static struct part *any_find(struct server *s, unsigned project, const char *id)
{
	return part_find(&s->patches, project, id)
		       ?: part_find(&s->covers, project, id)
				  ?: part_find(&s->comments, project, id);
}

/* The mail that this one answers, nearest first. */
static struct part *parent_of(struct server *s, unsigned project, const struct mail *m)
{
	struct part *p = NULL;

	if (m->in_reply_to)
		p = any_find(s, project, m->in_reply_to);
	for (size_t i = m->n_references; i-- && !p;)
		p = any_find(s, project, m->references[i]);
	return p;
}

static struct series *series_new(struct server *s, const struct part *p, const struct subject *sub)
{
	struct series *r = xcalloc(1, sizeof(*r));

	r->id = (unsigned)s->series.n + 1;
	r->project = p->project;
	r->submitter = p->submitter;
	r->version = sub->version;
	r->total = sub->total;
	r->date = xstrdup(p->date);
	r->patch = xcalloc(r->total ?: 1, sizeof(*r->patch));
	list_add(&s->series, r);
	event_add(s, "series-created", &(struct event){.project = p->project, .series = r->id});
	return r;
}

/* By its references, else by who sent it and what stands in the brackets. */
static struct series *series_find(struct server *s, const struct part *p, const struct part *parent,
				  const struct subject *sub)
{
	struct series *r = parent ? list_get(&s->series, parent->series) : NULL;

	if (r && r->version == sub->version && r->total == sub->total)
		return r;
	for (size_t i = s->series.n; i-- && sub->numbered;) {
		r = s->series.item[i];
		if (r->project == p->project && r->submitter == p->submitter && !r->completed &&
		    r->version == sub->version && r->total == sub->total)
			return r;
	}
	return NULL;
}

/* A patch is complete when all before it are there: that may complete others behind it. */
static void tell_completed(struct server *s, struct series *r, unsigned number)
{
	unsigned first = 0;

	while (first < r->total && r->patch[first])
		first++;
	if (number > first)
		return;
	for (unsigned i = number - 1; i < first; i++)
		event_add(s, "patch-completed",
			  &(struct event){
				  .project = r->project, .patch = r->patch[i], .series = r->id});
	if (r->received == r->total && !r->completed) {
		r->completed = true;
		event_add(s, "series-completed",
			  &(struct event){.project = r->project, .series = r->id});
	}
}

static void take_cover(struct server *s, struct part *p, struct part *parent,
		       const struct subject *sub)
{
	struct series *r = series_find(s, p, parent, sub);

	if (!r || r->cover)
		r = series_new(s, p, sub);
	p->id = (unsigned)s->covers.n + 1;
	p->series = r->id;
	r->cover = p->id;
	free(r->name);
	r->name = xstrdup(sub->title);
	list_add(&s->covers, p);
	event_add(s, "cover-created", &(struct event){.project = p->project, .cover = p->id});
}

static void take_patch(struct server *s, struct part *p, struct part *parent,
		       const struct subject *sub)
{
	struct series *r;
	unsigned n = sub->number;

	p->id = (unsigned)s->patches.n + 1;
	list_add(&s->patches, p);
	event_add(s, "patch-created", &(struct event){.project = p->project, .patch = p->id});
	r = series_find(s, p, parent, sub);
	if (!r || n == 0 || n > r->total || r->patch[n - 1])
		r = series_new(s, p, sub);
	if (n == 0 || n > r->total)
		return;
	p->series = r->id;
	r->patch[n - 1] = p->id;
	r->received++;
	if (!r->name || (n == 1 && !r->cover)) {
		free(r->name);
		r->name = xstrdup(p->name);
	}
	tell_completed(s, r, n);
}

static void take_comment(struct server *s, struct part *p, const struct part *parent)
{
	p->on_cover =
		list_get(&s->covers, parent->id) == parent || (parent->about && parent->on_cover);
	p->about = parent->about ?: parent->id;
	p->id = (unsigned)s->comments.n + 1;
	p->series = parent->series;
	list_add(&s->comments, p);
	event_add(s, p->on_cover ? "cover-comment-created" : "patch-comment-created",
		  &(struct event){.project = p->project,
				  .cover = p->on_cover ? p->about : 0,
				  .patch = p->on_cover ? 0 : p->about,
				  .comment = p->id});
}

static void part_free(struct part *p)
{
	json_decref(p->headers);
	json_decref(p->prefixes);
	free(p->message_id);
	free(p->date);
	free(p->name);
	free(p->subject);
	free(p->content);
	free(p->diff);
	free(p);
}

void server_take(struct server *s, unsigned project, const struct mail *m)
{
	struct part *p, *parent;
	struct subject sub;

	if (!m->message_id || any_find(s, project, m->message_id))
		return;
	subject_parse(m->subject, &sub);
	p = part_new(s, project, m, &sub);
	parent = parent_of(s, project, m);
	if (!sub.reply && p->diff)
		take_patch(s, p, parent, &sub);
	else if (!sub.reply && sub.numbered && sub.number == 0)
		take_cover(s, p, parent, &sub);
	else if (parent)
		take_comment(s, p, parent);
	else
		part_free(p);
	subject_done(&sub);
}
