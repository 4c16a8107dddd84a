/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the intake role: from sources to postings. INTAKE.md says how.
 *
 *	source -> intake_box -> mails with state "new" -> intake_settle() -> postings, ledger,
 *requests
 */
#ifndef FIRN_SERVE_INTAKE_H
#define FIRN_SERVE_INTAKE_H

#include "base/conf_section.h"
#include "intake/http.h"
#include "series/series.h"
#include "serve/fill.h"
#include "serve/role.h"
#include "store/mails.h"

DEFINE_CLEANUP(struct http *, http, http_free)

/* What came from a source and is not kept yet. It becomes one transaction, with the cursor. */
#define BOX_ITEMS_MAX 200
#define BOX_BYTES_MAX ((size_t)16 << 20)

enum box_kind { BOX_MAIL, BOX_REMOVED, BOX_PURGED, BOX_PATCHWORK };
struct box_item {
	enum box_kind kind;
	char *data; /* of a mail; NULL: `too_large` bytes were not read */
	size_t n, too_large;
	char *place;  /* in the source: see mail_place */
	int64_t date; /* that the source names; 0 */
	struct store_patchwork row;
};
struct intake_box {
	struct store *store;
	const char *list, *source;
	struct box_item *item;
	size_t n, cap, bytes;
	char *cursor; /* once all is kept; NULL: the one that is there */
	/* Another cursor that moves with it: what intake_wait.c has noted; NULL. */
	char *beside_name, *beside;
	size_t kept; /* mails that were new */
};
void box_done(struct intake_box *b);
/* Copies the bytes. */
void box_add_mail(struct intake_box *b, const void *data, size_t n, const char *place,
		  int64_t date);
void box_add_large(struct intake_box *b, size_t n, const char *place, int64_t date);
void box_add_gone(struct intake_box *b, bool purged, const char *place);
void box_add_patchwork(struct intake_box *b, const struct store_patchwork *row);
bool box_is_full(const struct intake_box *b);
/* One transaction; the box is empty then. */
must_check int box_keep(struct intake_box *b, struct err *err);

/* A source of a list, and when it is looked at. */
struct intake;
struct intake_source {
	const struct conf_section *list;
	bool is_patchwork;
	char *name; /* "lore linuxppc-dev", "patchwork ozlabs linuxppc-dev" */
	double due; /* clock_mono() */
	unsigned failures;
	char *words; /* of the last failure; NULL: it answered well */
};
struct intake {
	const struct role_env *env;
	struct http *http;
	struct intake_source *source;
	size_t n_sources, sources_cap;
	double ticked;
	struct fill fill;
};
/* Fills `in->source` from the configuration and the store. */
must_check int intake_sources_make(struct intake *in, struct err *err);
/* Looks at one. Its failure is noted and logged; what is returned is the store's, or
 * ERR_CANCELLED. */
must_check int intake_source_look(struct intake *in, struct intake_source *src, struct err *err);
void intake_done(struct intake *in);
/* Tells that we are alive, once a second at most. */
void intake_tick(void *ctx);

/* What `since-days` of a list means: fixed when the list is looked at for the first time. */
must_check int intake_since(struct store *s, const struct conf_section *list, int64_t *ret_since,
			    struct err *err);

/* One look. An error of the store sets `*ret_ours`. */
must_check int intake_lore(struct intake *in, const struct intake_source *src, bool *ret_ours,
			   struct err *err);
must_check int intake_patchwork(struct intake *in, const struct intake_source *src, bool *ret_ours,
				struct err *err);

/* Mails that Patchwork has and that the list's archive is expected to bring: JSON, under a cursor
 * of its own. */
struct wait_item {
	char *message_id, *mbox;
	int64_t until;
};
struct wait_list {
	struct wait_item *item;
	size_t n, cap;
};
void wait_list_add(struct wait_list *l, const char *message_id, const char *mbox, int64_t until);
void wait_list_drop(struct wait_list *l, size_t i);
void wait_list_done(struct wait_list *l);
/* What cannot be read is an empty one. */
void wait_list_read(struct wait_list *ret, const char *text);
char *wait_list_text(const struct wait_list *l);

/* From mails to postings. */
struct settle {
	const struct conf *conf;
	struct store *store;
	void (*on_tick)(void *ctx); /* NULL */
	void *ctx;
	size_t settled, postings; /* counts, for the log and the bench */
	size_t looked;		  /* mails that were read for it */
	/* The new mails in hand, by id, and which of them are settled. */
	struct store_mail_list fresh;
	bool *done;
};
/* Until no mail is "new". ERR_CANCELLED between two neighbourhoods. */
must_check int intake_settle(struct settle *st, struct err *err);

/* How far around a mail its author's other mails are read, and how many in all. What is settled is
 * at most half as far away, so that it has seen as much around itself. */
#define AROUND_S   ((int64_t)28 * 24 * 3600)
#define AROUND_MAX 2000

/* One neighbourhood in hand. */
struct around {
	struct settle *st;
	struct store_mail_list stored;
	struct mail_list mails; /* what of it can be parsed, and is the first with its id */
	struct around_place {
		const struct mail *mail;
		size_t at; /* in `stored` */
	} * place;	   /* of each of `mails`, by address */
	char **wrong;	   /* of each of `stored`: why it is not among `mails`; NULL */
	const struct store_mail *centre;
	bool wide;	/* its author's mails are here, not its thread alone */
	int64_t radius; /* seconds */
	struct series_set set;
	int64_t *posting; /* of each series: its id in the store, 0 */
};
/* The neighbourhood of a mail of `st->fresh`. */
must_check int around_read(struct around *a, struct settle *st, const struct store_mail *centre,
			   struct err *err);
void around_done(struct around *a);
#define auto_around __attribute__((cleanup(around_done)))
/* The stored mail of one of `mails`. */
const struct store_mail *around_stored(const struct around *a, const struct mail *m);
/* All that answers it, and that it answers, is here. */
bool around_sees(const struct around *a, const struct store_mail *m);
/* And all that may be a series with it. */
bool around_owns(const struct around *a, const struct store_mail *m);

/* intake_posting.c: writes the series that have new mails, and links versions. */
must_check int around_postings(struct around *a, struct err *err);

/* The posting that has one of the series' own mails already, 0. */
int64_t posting_of(const struct around *a, const struct series *s);

/* intake_fill.c: what a store of an older firn lacks of its postings, for a second. */
must_check int intake_fill(struct settle *st, struct fill *f, bool *ret_more, struct err *err);

/* intake_text.c: what is kept of a posting for who looks at it. */
must_check int posting_texts(const struct around *a, int64_t posting, const struct series *s,
			     struct err *err);
must_check int posting_since(const struct around *a, int64_t posting, const struct series *older,
			     const struct series *newer, struct err *err);

/* intake_rule.c: whose rules hold for a series, and whether it is tested. */
struct verdict {
	const struct conf_section *list; /* NULL: of none */
	char *reason;			 /* why it is left alone; NULL: it is tested */
};
/* `lists`: names of the lists that it was seen on, NULL at the end; `keep`: the list that tests it
 * already, NULL. */
must_check int rule_apply(const struct settle *st, const struct series *s, const char *const *lists,
			  const char *keep, struct verdict *ret, struct err *err);

/* intake_tree.c: a list's tree, at the first of its branches or HEAD; both NULL when there is none,
 * or it cannot be read. */
struct list_tree {
	git_repository *repo;
	git_tree *tree;
};
void list_tree_open(const struct conf *conf, const struct conf_section *list,
		    struct list_tree *ret);
void list_tree_done(struct list_tree *t);
#define auto_list_tree __attribute__((cleanup(list_tree_done)))
/* Could a patch that touches these be for it? Without a tree, by the kernel's usual folders. */
bool tree_may_have(const git_tree *tree, const struct series *s);

/* The pattern of `files`: a path prefix, or a glob. */
bool path_matches(const char *pattern, const char *path);

/* "series 3" becomes "posting 71". The caller frees. */
char *reason_rename(const char *reason, const int64_t *posting, size_t n);

#endif
