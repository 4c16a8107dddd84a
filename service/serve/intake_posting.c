// SPDX-License-Identifier: GPL-2.0-or-later
/* Series become postings. */
#include "serve/intake.h"

#include "base/hash.h"

/* Over what is tried: a cover letter that comes late is no reason to try again. */
static char *digest_make(const struct series *s)
{
	char hex[HASH_HEX_MAX];
	struct str all;

	str_init(&all, 0);
	for (size_t i = 0; i < s->n_patches; i++) {
		const struct patch *p = &s->patch[i];
		char part[HASH_HEX_MAX];

		str_addf(&all, "%u %s", p->subject.number,
			 hash_hex(p->message, strlen(p->message), part));
		str_addf(&all, " %s\n", hash_hex(p->diff_text, p->diff_len, part));
	}
	hash_hex(all.buf, all.len, hex);
	str_done(&all);
	return xstrdup(hex);
}

static void patch_put(struct store_posting *p, const struct around *a, unsigned number,
		      const struct mail *m)
{
	const struct store_mail *row = around_stored(a, m);

	p->patch[p->n_patches++] = (struct store_posting_patch){
		.number = number,
		.message_id = xstrdup(row->message_id),
		.subject = xstrdup(row->subject),
		.mail = row->id,
	};
}

static void posting_fill(struct store_posting *p, const struct around *a, const struct series *s)
{
	const struct mail *first = s->cover ? s->cover : s->patch[0].mail;

	*p = (struct store_posting){
		.message_id = xstrdup(s->message_id),
		.title = xstrdup(s->title),
		.author_name = xstrdup(s->author.name),
		.author_email = xstrdup(s->author.email),
		.version = s->version,
		.minor = s->minor,
		.total = s->total,
		.have = (unsigned)s->n_patches,
		.date = around_stored(a, first)->date,
		.digest = digest_make(s),
		.state = series_is_complete(s) ? STORE_POSTING_COMPLETE : STORE_POSTING_INCOMPLETE,
		.patch = xcalloc(s->n_patches + 1, sizeof(*p->patch)),
	};
	if (s->cover)
		patch_put(p, a, 0, s->cover);
	for (size_t i = 0; i < s->n_patches; i++)
		patch_put(p, a, s->patch[i].subject.number, s->patch[i].mail);
}

/* "6 of 7, waiting for 5/7" */
static char *incomplete_say(const struct series *s)
{
	struct str why;

	str_init(&why, 200);
	str_addf(&why, "%zu of %u patches, waiting for", s->n_patches, s->total);
	for (size_t i = 0; i < s->n_missing && i < 5; i++)
		str_addf(&why, "%s %u/%u", i ? "," : "", s->missing[i], s->total);
	if (s->n_missing > 5)
		str_adds(&why, " and more");
	return str_take(&why);
}

/* The lists of the configuration that any of its own mails was seen on, NULL at the end. */
static int lists_of(const struct around *a, const struct series *s, const char ***ret_lists,
		    struct err *err)
{
	const struct conf_section *list;
	const char **lists = NULL;
	size_t n = 0, cap = 0;
	int rc = 0;

	for (size_t i = 0; (list = conf_section_nth(a->st->conf, CONF_SECTION_LIST, i)); i++) {
		bool is_on = false;

		for (size_t k = 0; k < s->n_patches && rc == 0 && !is_on; k++)
			rc = store_mail_is_on(a->st->store, around_stored(a, s->patch[k].mail)->id,
					      list->name, &is_on, err);
		if (rc < 0)
			break;
		arr_grow(lists, n, cap);
		lists[n] = list->name;
		n += is_on;
	}
	arr_grow(lists, n, cap);
	lists[n] = NULL;
	if (rc < 0) {
		free(lists);
		return rc;
	}
	*ret_lists = lists;
	return 0;
}

int64_t posting_of(const struct around *a, const struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++) {
		const struct store_mail *row = around_stored(a, s->patch[i].mail);

		if (!s->patch[i].borrowed && row->posting)
			return row->posting;
	}
	return 0;
}

/* The list that tests it since it was first seen; NULL. */
static int list_before(const struct around *a, const struct series *s, char **ret_list,
		       struct err *err)
{
	auto_store_posting struct store_posting p = {0};
	int64_t id = posting_of(a, s);
	int rc = id ? store_posting_get(a->st->store, id, &p, err) : 0;

	if (rc == 0 && id && p.state != STORE_POSTING_LEFT_ALONE)
		*ret_list = take(p.list);
	return rc;
}

static int posting_write(struct around *a, size_t i, struct err *err)
{
	const struct series *s = &a->set.series[i];
	auto_free const char **lists = NULL;
	auto_free char *before = NULL;
	auto_store_posting struct store_posting p = {0};
	struct verdict v = {0};
	int rc = lists_of(a, s, &lists, err);

	if (rc == 0)
		rc = list_before(a, s, &before, err);
	if (rc == 0)
		rc = rule_apply(a->st, s, lists, before, &v, err);
	if (rc < 0)
		return rc;
	posting_fill(&p, a, s);
	p.list = xstrdup(v.list ? v.list->name : "");
	if (!v.list)
		v.reason = xstrdup("no list of the configuration has it");
	if (v.reason)
		p.state = STORE_POSTING_LEFT_ALONE;
	p.reason = v.reason				 ? v.reason
		   : p.state == STORE_POSTING_INCOMPLETE ? incomplete_say(s)
							 : xstrdup("");
	a->st->postings++;
	rc = store_posting_put(a->st->store, &p, &a->posting[i], err);
	return rc < 0 ? rc : posting_texts(a, a->posting[i], s, err);
}

/* One of its own mails is new, and all that belongs to it can be seen from here. */
static bool is_to_write(const struct around *a, const struct series *s)
{
	for (size_t i = 0; i <= s->n_patches; i++) {
		const struct mail *m = i < s->n_patches ? s->patch[i].mail : s->cover;
		const struct store_mail *row = m ? around_stored(a, m) : NULL;

		if (!row || (i < s->n_patches && s->patch[i].borrowed))
			continue;
		if (strcmp(row->state, "new") == 0 && around_owns(a, row))
			return true;
	}
	return false;
}

static int versions_write(const struct around *a, const bool *written, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < a->set.n_series && rc == 0; i++) {
		const struct series *older = a->set.series[i].older;
		size_t k = older ? (size_t)(older - a->set.series) : 0;

		if (older && (written[i] || written[k]) && a->posting[i] && a->posting[k] &&
		    a->posting[i] != a->posting[k]) {
			rc = store_posting_link(a->st->store, a->posting[k], a->posting[i], err);
			if (rc == 0)
				rc = posting_since(a, a->posting[i], older, &a->set.series[i], err);
		}
	}
	return rc;
}

int around_postings(struct around *a, struct err *err)
{
	auto_free bool *written = xcalloc(a->set.n_series + 1, sizeof(*written));
	int rc = 0;

	a->posting = xcalloc(a->set.n_series + 1, sizeof(*a->posting));
	for (size_t i = 0; i < a->set.n_series && rc == 0; i++) {
		written[i] = is_to_write(a, &a->set.series[i]);
		if (written[i])
			rc = posting_write(a, i, err);
		else
			a->posting[i] = posting_of(a, &a->set.series[i]);
	}
	return rc < 0 ? rc : versions_write(a, written, err);
}
