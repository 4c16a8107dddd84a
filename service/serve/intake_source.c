// SPDX-License-Identifier: GPL-2.0-or-later
/* Which sources there are, when each is looked at, and what is said about it. */
#include "serve/intake.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"

/* However the clock jumps: nothing waits longer than the longest back-off. */
#define WAIT_MAX_S 3960

int intake_since(struct store *s, const struct conf_section *list, int64_t *ret_since,
		 struct err *err)
{
	auto_free char *name = xasprintf("since %s", list->name);
	auto_free char *value = NULL;
	int64_t since;
	int rc = store_cursor_get(s, name, &value, err);

	if (rc < 0)
		return rc;
	since = strtoll(value, NULL, 10);
	if (since <= 0) {
		auto_free char *text = NULL;

		since = clock_wall() -
			conf_section_int(list, CONF_LIST_SINCE_DAYS) * (int64_t)24 * 3600;
		text = xasprintf("%lld", (long long)since);
		rc = store_cursor_set(s, name, text, err);
	}
	if (rc == 0)
		*ret_since = since;
	return rc;
}

static void source_add(struct intake *in, const struct conf_section *list, bool is_patchwork)
{
	char *name = is_patchwork
			     ? xasprintf("patchwork %s %s",
					 conf_section_str(list, CONF_LIST_PATCHWORK), list->name)
			     : xasprintf("lore %s", list->name);

	arr_grow(in->source, in->n_sources, in->sources_cap);
	in->source[in->n_sources++] = (struct intake_source){
		.list = list, .is_patchwork = is_patchwork, .name = name, .due = clock_mono()};
}

/* What is known of a source from before. */
static void source_recall(const struct intake *in, const struct store_source *known)
{
	for (size_t i = 0; i < in->n_sources; i++) {
		struct intake_source *src = &in->source[i];
		int64_t wait = known->not_before - clock_wall();

		if (strcmp(src->name, known->name) != 0)
			continue;
		src->failures = known->failures;
		src->words = known->words ? xstrdup(known->words) : NULL;
		if (wait > 0 && wait <= WAIT_MAX_S && !in->env->once)
			src->due = clock_mono() + (double)wait;
	}
}

int intake_sources_make(struct intake *in, struct err *err)
{
	const struct conf *conf = in->env->conf;
	const struct conf_section *list;
	struct store_source_list known = {0};
	int rc;

	/* The archives first: what they bring need not be fetched from Patchwork. */
	for (size_t i = 0; (list = conf_section_nth(conf, CONF_SECTION_LIST, i)); i++)
		if (conf_section_str(list, CONF_LIST_LORE))
			source_add(in, list, false);
	for (size_t i = 0; (list = conf_section_nth(conf, CONF_SECTION_LIST, i)); i++)
		if (conf_section_str(list, CONF_LIST_PATCHWORK))
			source_add(in, list, true);
	rc = store_source_list(in->env->store, &known, err);
	for (size_t i = 0; rc == 0 && i < known.n; i++)
		source_recall(in, &known.source[i]);
	store_source_list_done(&known);
	return rc;
}

void intake_done(struct intake *in)
{
	for (size_t i = 0; i < in->n_sources; i++) {
		free(in->source[i].name);
		free(in->source[i].words);
	}
	free(in->source);
	http_free(in->http);
	*in = (struct intake){0};
}

void intake_tick(void *ctx)
{
	struct intake *in = ctx;

	if (!in->env->alive || clock_mono() - in->ticked < 1)
		return;
	in->ticked = clock_mono();
	in->env->alive(in->env->ctx);
}

/* Sources that fail together are not asked again together. */
static uint64_t seed_of(const struct intake_source *src)
{
	char hex[HASH_HEX_MAX];

	hash_hex(src->name, strlen(src->name), hex);
	hex[15] = '\0';
	return strtoull(hex, NULL, 16) + src->failures;
}

static int source_good(struct intake *in, struct intake_source *src, struct err *err)
{
	if (src->words)
		log_info("%s: answers again", src->name);
	free(take(src->words));
	src->failures = 0;
	src->due = clock_mono() + (double)conf_int(in->env->conf, CONF_SERVE_POLL);
	return store_source_tell(in->env->store, src->name, NULL, 0, err);
}

/* The same failure, however many milliseconds it took this time. */
static bool same_words(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	for (;; a++, b++) {
		a += strspn(a, digits);
		b += strspn(b, digits);
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static int source_bad(struct intake *in, struct intake_source *src, const char *words,
		      struct err *err)
{
	double wait = http_backoff(++src->failures, -1, seed_of(src));

	if (!src->words || !same_words(src->words, words))
		log_warn("%s: %s", src->name, words);
	free(src->words);
	src->words = xstrdup(words);
	src->due = clock_mono() + wait;
	return store_source_tell(in->env->store, src->name, words, clock_wall() + (int64_t)wait + 1,
				 err);
}

int intake_source_look(struct intake *in, struct intake_source *src, struct err *err)
{
	bool ours = false;
	int rc = src->is_patchwork ? intake_patchwork(in, src, &ours, err)
				   : intake_lore(in, src, &ours, err);

	if (rc < 0 && (ours || rc == ERR_CANCELLED))
		return rc;
	if (rc < 0) {
		auto_free char *words = xstrdup(err->msg);

		return source_bad(in, src, words, err);
	}
	return source_good(in, src, err);
}
