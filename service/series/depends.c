// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/depends.h"

#include "series/patch_id.h"

/* A circle of more series is named by its first ones. */
#define CYCLE_NAMES_MAX 20

struct by_patch_id {
	char hex[PATCH_ID_HEX_MAX];
	size_t series, patch;
};

struct by_change_id {
	const char *id;
	unsigned version;
	size_t series;
};

struct depends_index {
	const struct threads *threads;
	const struct series_set *set;
	struct by_patch_id *patch;
	struct by_change_id *change;
	size_t n_patches, n_changes;
};

static int size_order(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int patch_order(const void *pa, const void *pb)
{
	const struct by_patch_id *a = pa, *b = pb;
	int c = strcmp(a->hex, b->hex);

	return c ? c : size_order(a->series, b->series);
}

static int change_order(const void *pa, const void *pb)
{
	const struct by_change_id *a = pa, *b = pb;
	int c = strcmp(a->id, b->id);

	if (!c)
		c = size_order(a->version, b->version);
	return c ? c : size_order(a->series, b->series);
}

struct depends_index *depends_index_new(const struct threads *t, const struct series_set *set)
{
	struct depends_index *index = xcalloc(1, sizeof(*index));
	size_t max = 0;

	for (size_t i = 0; i < set->n_series; i++)
		max += set->series[i].n_patches;
	*index = (struct depends_index){.threads = t, .set = set};
	index->patch = xcalloc(max, sizeof(*index->patch));
	index->change = xcalloc(set->n_series, sizeof(*index->change));
	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		if (s->change_id)
			index->change[index->n_changes++] = (struct by_change_id){
				.id = s->change_id, .version = s->version, .series = i};
		for (size_t k = 0; k < s->n_patches; k++) {
			struct by_patch_id *p = &index->patch[index->n_patches];

			*p = (struct by_patch_id){.series = i, .patch = k};
			if (patch_id(s->patch[k].diff_text, s->patch[k].diff_len, p->hex))
				index->n_patches++;
		}
	}
	qsort(index->patch, index->n_patches, sizeof(*index->patch), patch_order);
	qsort(index->change, index->n_changes, sizeof(*index->change), change_order);
	return index;
}

void depends_index_free(struct depends_index *index)
{
	if (!index)
		return;
	free(index->patch);
	free(index->change);
	free(index);
}

static bool message_find(const struct depends_index *index, const char *id,
			 struct depends_step *ret)
{
	const struct mail *m = threads_find(index->threads, id);
	const struct thread_part *part = m ? threads_part(index->threads, m) : NULL;

	if (!part)
		return false;
	*ret = (struct depends_step){.series = part->series,
				     .n_patches = index->set->series[part->series].n_patches};
	return true;
}

/* The version that is asked for, of several postings of it the last; without a version the newest.
 */
static bool change_find(const struct depends_index *index, const struct dep *d,
			struct depends_step *ret)
{
	bool found = false;

	for (size_t i = 0; i < index->n_changes; i++) {
		const struct by_change_id *c = &index->change[i];

		if (strcmp(c->id, d->value) != 0 || (d->version && c->version != d->version))
			continue;
		found = true;
		*ret = (struct depends_step){.series = c->series,
					     .n_patches = index->set->series[c->series].n_patches};
	}
	return found;
}

/* The first of the sorted patches that is not before `key`. */
static size_t patches_from(const struct depends_index *index, const struct by_patch_id *key)
{
	size_t lo = 0, hi = index->n_patches;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (patch_order(&index->patch[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A patch may stand unchanged in several versions: the one that was the newest when the series was
 * posted is meant, else the first that came after it. Patches before it in its series are needed,
 * too; those behind it are not. */
static bool patch_find(const struct depends_index *index, const char *hex, size_t of,
		       struct depends_step *ret)
{
	struct by_patch_id key = {.series = of};
	const struct by_patch_id *p = index->patch;
	size_t i;

	memcpy(key.hex, hex, strlen(hex) + 1); /* value_read() saw to its length */
	i = patches_from(index, &key);
	if (i > 0 && strcmp(p[i - 1].hex, hex) == 0)
		i--;
	while (i < index->n_patches && p[i].series == of && strcmp(p[i].hex, hex) == 0)
		i++;
	if (i == index->n_patches || strcmp(p[i].hex, hex) != 0)
		return false;
	*ret = (struct depends_step){.series = p[i].series, .n_patches = p[i].patch + 1};
	return true;
}

/* A series on the way down. */
struct frame {
	size_t series;
	struct deps deps;
	size_t next;
};

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct walk {
	const struct depends_index *index;
	struct depends_plan *plan;
	struct frame *frame;
	size_t n_frames, frames_cap;
	enum visit *visit; /* one for each series */
	size_t *wanted;	   /* patches of each series */
};

static const char *series_id(const struct walk *w, size_t series)
{
	const struct series *s = &w->index->set->series[series];

	return *s->message_id ? s->message_id : s->title;
}

/* Takes the text over. Who names each patch of a series gets one answer. */
static void problem_add(struct depends_plan *p, enum depends_problem_kind kind, char *text)
{
	if (p->n_problems && strcmp(p->problem[p->n_problems - 1].text, text) == 0) {
		free(text);
		return;
	}
	arr_grow(p->problem, p->n_problems, p->problems_cap);
	p->problem[p->n_problems++] = (struct depends_problem){.kind = kind, .text = text};
}

static void cycle_report(struct walk *w, size_t series)
{
	size_t begin = w->n_frames, named = 0;
	struct str text;

	str_init(&text, 16384);
	while (w->frame[--begin].series != series)
		;
	str_addf(&text, "<%s> depends on ", series_id(w, series));
	for (size_t i = begin + 1; i < w->n_frames && named < CYCLE_NAMES_MAX; i++, named++)
		str_addf(&text, "<%s>, which depends on ", series_id(w, w->frame[i].series));
	if (begin + 1 + named < w->n_frames)
		str_addf(&text, "%zu more, the last on ", w->n_frames - begin - 1 - named);
	if (begin + 1 == w->n_frames)
		str_adds(&text, "itself");
	else
		str_addf(&text, "<%s>", series_id(w, series));
	problem_add(w->plan, DEPENDS_CYCLE, str_take(&text));
}

static void missing_report(struct walk *w, const struct frame *f, const struct dep *d)
{
	static const char *const what[] = {
		[DEP_MESSAGE_ID] = "no patch or cover letter with this Message-ID is here",
		[DEP_CHANGE_ID] = "no series with this change-id is here",
		[DEP_PATCH_ID] = "no patch with this id is here",
		[DEP_UNCLEAR] = "names no mail",
	};
	bool unclear = d->kind == DEP_UNCLEAR;

	problem_add(w->plan, unclear ? DEPENDS_UNCLEAR : DEPENDS_MISSING,
		    xasprintf("<%s> says \"%s\", but %s%s", series_id(w, f->series), d->text,
			      unclear ? "that " : "", what[d->kind]));
}

static void frame_push(struct walk *w, struct depends_step s)
{
	struct frame f = {.series = s.series};

	if (s.n_patches > w->wanted[s.series])
		w->wanted[s.series] = s.n_patches;
	if (w->visit[s.series] == VISIT_OPEN)
		cycle_report(w, s.series);
	if (w->visit[s.series] != VISIT_NEW)
		return;
	w->visit[s.series] = VISIT_OPEN;
	deps_read(&w->index->set->series[s.series], &f.deps);
	arr_grow(w->frame, w->n_frames, w->frames_cap);
	w->frame[w->n_frames++] = f;
}

static void frame_pop(struct walk *w)
{
	struct frame *f = &w->frame[--w->n_frames];
	struct depends_plan *p = w->plan;

	w->visit[f->series] = VISIT_DONE;
	arr_grow(p->step, p->n_steps, p->steps_cap);
	p->step[p->n_steps++] = (struct depends_step){.series = f->series};
	deps_done(&f->deps);
}

static bool dep_find(const struct walk *w, size_t of, const struct dep *d, struct depends_step *ret)
{
	switch (d->kind) {
	case DEP_MESSAGE_ID: return message_find(w->index, d->value, ret);
	case DEP_CHANGE_ID: return change_find(w->index, d, ret);
	case DEP_PATCH_ID: return patch_find(w->index, d->value, of, ret);
	default: return false;
	}
}

static void dep_follow(struct walk *w, size_t frame)
{
	struct frame *f = &w->frame[frame];
	const struct dep *d = &f->deps.item[f->next++];
	struct depends_step step;

	if (d->kind == DEP_BASE_COMMIT)
		return;
	if (dep_find(w, f->series, d, &step))
		frame_push(w, step);
	else
		missing_report(w, f, d);
}

void depends_plan_make(const struct depends_index *index, size_t series,
		       struct depends_plan *ret_plan)
{
	size_t n = index->set->n_series;
	struct depends_plan plan = {};
	struct walk w = {.index = index, .plan = &plan};

	w.visit = xcalloc(n, sizeof(*w.visit));
	w.wanted = xcalloc(n, sizeof(*w.wanted));
	frame_push(&w, (struct depends_step){.series = series,
					     .n_patches = index->set->series[series].n_patches});
	while (w.n_frames) {
		const struct frame *top = &w.frame[w.n_frames - 1];

		if (top->next < top->deps.n)
			dep_follow(&w, w.n_frames - 1);
		else
			frame_pop(&w);
	}
	for (size_t i = 0; i < plan.n_steps; i++)
		plan.step[i].n_patches = w.wanted[plan.step[i].series];
	free(w.frame);
	free(w.visit);
	free(w.wanted);
	*ret_plan = plan;
}

void depends_plan_done(struct depends_plan *p)
{
	for (size_t i = 0; i < p->n_problems; i++)
		free(p->problem[i].text);
	free(p->problem);
	free(p->step);
	*p = (struct depends_plan){};
}
