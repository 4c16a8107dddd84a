// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/reply.h"

#include "series/patch_id.h"

const char *given_state_words(enum given_state state)
{
	static const char *const words[] = {
		[GIVEN_TAKEN] = "taken",
		[GIVEN_CARRIED] = "taken: said to an earlier version of the same patch",
		[GIVEN_NACK] = "noted",
		[GIVEN_MISMATCH] = "not taken: the address is not the sender's",
		[GIVEN_NO_ADDRESS] = "not taken: names no address",
		[GIVEN_STALE] = "not taken: said to an earlier version, which was another patch",
		[GIVEN_REPEATED] = "not taken: the patch has it already",
		[GIVEN_IGNORED] = "not taken: the sender is ignored",
		[GIVEN_QUOTED] = "not taken: quoted",
		[GIVEN_INDENTED] = "not taken: indented",
		[GIVEN_SIGNATURE] = "not taken: below the signature mark",
		[GIVEN_IN_PATCH] = "not taken: belongs to a patch in the reply",
	};

	return words[state];
}

bool given_counts(const struct given *g)
{
	return g->state == GIVEN_TAKEN || g->state == GIVEN_CARRIED;
}

void given_list_done(struct given_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		tag_done(&l->item[i].tag);
	free(l->item);
	*l = (struct given_list){};
}

static bool is_ignored(const struct given_rules *rules, const char *email)
{
	for (const char *const *p = rules->ignore; p && *p; p++)
		if (strcasecmp(*p, email) == 0)
			return true;
	return false;
}

/* Also when a list put its own address into From: */
static bool is_sender(const struct mail *m, const char *email)
{
	struct mail_addr person;
	bool yes = strcasecmp(email, m->from.email) == 0;

	if (!yes && mail_person(m, &person)) {
		yes = strcasecmp(email, person.email) == 0;
		mail_addr_done(&person);
	}
	return yes;
}

static enum given_state state_find(const struct given_rules *rules, const struct tag_line *l,
				   const struct mail *m)
{
	static const enum given_state places[] = {
		[LINE_QUOTED] = GIVEN_QUOTED,
		[LINE_INDENTED] = GIVEN_INDENTED,
		[LINE_SIGNATURE] = GIVEN_SIGNATURE,
		[LINE_PATCH] = GIVEN_IN_PATCH,
	};

	if (l->place != LINE_PLAIN)
		return places[l->place];
	if (is_ignored(rules, m->from.email))
		return GIVEN_IGNORED;
	if (tag_is_nack(&l->tag))
		return GIVEN_NACK;
	if (!tag_is_personal(&l->tag))
		return GIVEN_TAKEN;
	if (!*l->tag.who.email)
		return GIVEN_NO_ADDRESS;
	if (!rules->sloppy && !is_sender(m, l->tag.who.email))
		return GIVEN_MISMATCH;
	return GIVEN_TAKEN;
}

/* Takes the tag over. */
static void given_add(struct given_list *list, struct given g)
{
	if (list->n == GIVEN_MAX) {
		list->truncated = true;
		tag_done(&g.tag);
		return;
	}
	arr_grow(list->item, list->n, list->cap);
	list->item[list->n++] = g;
}

struct to {
	unsigned number, version;
};

static void mail_collect(struct given_list *list, const struct mail *m, struct to to,
			 const struct given_rules *rules)
{
	struct tag_lines lines;

	tags_read(m->text, m->text_len, &lines);
	for (size_t i = 0; i < lines.n; i++) {
		struct tag_line *l = &lines.item[i];
		struct given g = {.state = state_find(rules, l, m),
				  .number = to.number,
				  .version = to.version,
				  .mail = m};

		g.tag = l->tag;
		l->tag = (struct tag){};
		given_add(list, g);
	}
	tag_lines_done(&lines);
}

static void part_collect(struct given_list *list, const struct threads *t, const struct mail *part,
			 struct to to, const struct given_rules *rules)
{
	size_t n;
	const struct thread_reply *r = threads_replies(t, part, &n);

	for (size_t i = 0; i < n; i++)
		mail_collect(list, r[i].mail, to, rules);
}

struct seen {
	unsigned number;
	const struct tag *tag;
	size_t order;	     /* 0: in the commit message */
	struct given *given; /* NULL: in the commit message */
};

static int seen_key_cmp(const struct seen *a, const struct seen *b)
{
	int c = (a->number > b->number) - (a->number < b->number);

	return c ? c : tag_cmp(a->tag, b->tag);
}

static int seen_cmp(const void *pa, const void *pb)
{
	const struct seen *a = pa, *b = pb;
	int c = seen_key_cmp(a, b);

	return c ? c : (a->order > b->order) - (a->order < b->order);
}

/* Marks what a patch's message, or an earlier mail, has already. */
static void repeated_mark(struct given_list *list, const struct series *s)
{
	auto_free struct tag_lines *message = xcalloc(s->n_patches, sizeof(*message));
	auto_free struct seen *seen = NULL;
	size_t n = 0, max = list->n;

	for (size_t i = 0; i < s->n_patches; i++) {
		tags_read(s->patch[i].message, strlen(s->patch[i].message), &message[i]);
		max += message[i].n;
	}
	seen = xcalloc(max, sizeof(*seen));
	for (size_t i = 0; i < s->n_patches; i++)
		for (size_t k = 0; k < message[i].n; k++)
			seen[n++] = (struct seen){.number = s->patch[i].subject.number,
						  .tag = &message[i].item[k].tag};
	for (size_t i = 0; i < list->n; i++)
		if (given_counts(&list->item[i]))
			seen[n++] = (struct seen){.number = list->item[i].number,
						  .tag = &list->item[i].tag,
						  .order = i + 1,
						  .given = &list->item[i]};
	qsort(seen, n, sizeof(*seen), seen_cmp);
	for (size_t i = 1; i < n; i++)
		if (seen[i].given && seen_key_cmp(&seen[i - 1], &seen[i]) == 0)
			seen[i].given->state = GIVEN_REPEATED;
	for (size_t i = 0; i < s->n_patches; i++)
		tag_lines_done(&message[i]);
}

void given_collect(const struct threads *t, const struct series *s, const struct given_rules *rules,
		   struct given_list *ret_list)
{
	struct to to = {.version = s->version};
	struct given_list list = {};

	if (s->cover)
		part_collect(&list, t, s->cover, to, rules);
	for (size_t i = 0; i < s->n_patches; i++) {
		to.number = s->patch[i].subject.number;
		to.version = s->patch[i].subject.version; /* a composed series has several */
		part_collect(&list, t, s->patch[i].mail, to, rules);
	}
	repeated_mark(&list, s);
	*ret_list = list;
}

struct carry {
	struct given_list *list;
	const struct series *s, *old;
	const size_t *old_of;
	size_t *now_of; /* the reverse of old_of */
};

static void carried_add(struct given_list *list, const struct given *g, enum given_state state,
			unsigned number)
{
	struct given copy = *g;

	tag_copy(&copy.tag, &g->tag);
	copy.state = state;
	copy.number = number;
	given_add(list, copy);
}

/* What was said to the whole series is for each of its patches. */
static void series_carry(const struct carry *c, const struct given *g)
{
	size_t same = 0;

	for (size_t i = 0; i < c->s->n_patches; i++)
		same += c->old_of[i] != SIZE_MAX;
	if (same == c->s->n_patches) {
		carried_add(c->list, g, GIVEN_CARRIED, 0);
		return;
	}
	for (size_t i = 0; i < c->s->n_patches; i++)
		if (c->old_of[i] != SIZE_MAX)
			carried_add(c->list, g, GIVEN_CARRIED, c->s->patch[i].subject.number);
	carried_add(c->list, g, GIVEN_STALE, 0);
}

static int number_cmp(const void *key, const void *patch)
{
	unsigned a = *(const unsigned *)key, b = ((const struct patch *)patch)->subject.number;

	return (a > b) - (a < b);
}

static void patch_carry(const struct carry *c, const struct given *g)
{
	const struct patch *p =
		bsearch(&g->number, c->old->patch, c->old->n_patches, sizeof(*p), number_cmp);
	size_t now = p ? c->now_of[p - c->old->patch] : SIZE_MAX;

	if (now == SIZE_MAX)
		carried_add(c->list, g, GIVEN_STALE, g->number);
	else
		carried_add(c->list, g, GIVEN_CARRIED, c->s->patch[now].subject.number);
}

void given_carry(struct given_list *list, const struct series *s, const struct given_list *earlier,
		 const struct series *old, const size_t *old_of)
{
	auto_free size_t *now_of = xcalloc(old->n_patches, sizeof(*now_of));
	struct carry c = {.list = list, .s = s, .old = old, .old_of = old_of, .now_of = now_of};

	for (size_t i = 0; i < old->n_patches; i++)
		now_of[i] = SIZE_MAX;
	for (size_t i = 0; i < s->n_patches; i++)
		if (old_of[i] != SIZE_MAX)
			now_of[old_of[i]] = i;
	for (size_t i = 0; i < earlier->n; i++) {
		const struct given *g = &earlier->item[i];

		if (!given_counts(g) && g->state != GIVEN_REPEATED)
			continue;
		if (g->number == 0)
			series_carry(&c, g);
		else
			patch_carry(&c, g);
	}
	repeated_mark(list, s);
}

void given_of_versions(const struct threads *t, const struct series *s,
		       const struct given_rules *rules, struct given_list *ret_list)
{
	const struct series **version;
	struct given_list list;
	size_t n = 1;

	for (const struct series *p = s; p->older; p = p->older)
		n++;
	version = xcalloc(n, sizeof(*version)); /* the newest first */
	version[0] = s;
	for (size_t i = 1; i < n; i++)
		version[i] = version[i - 1]->older;
	given_collect(t, version[n - 1], rules, &list);
	for (size_t i = n - 1; i > 0; i--) {
		auto_free size_t *old_of = patch_pairs_find(version[i - 1], version[i]);
		struct given_list newer;

		given_collect(t, version[i - 1], rules, &newer);
		given_carry(&newer, version[i - 1], &list, version[i], old_of);
		given_list_done(&list);
		list = newer;
	}
	free(version);
	*ret_list = list;
}
