/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mails, where they came from, the postings that are made of them, and how far each source has been
 * read. Written by the intake role alone.
 *
 * What belongs together is done in one batch, so that a crash leaves all of it or nothing:
 *
 *	auto_batch struct store_batch b = {0};
 *	rc = store_batch_begin(&b, store, err);
 *	... store_mail_add(), store_cursor_set() ...
 *	return store_batch_commit(&b, "keeping 25 mails of linuxppc-dev", err);
 */
#ifndef FIRN_STORE_MAILS_H
#define FIRN_STORE_MAILS_H

#include "store/store.h"

/* A transaction. Rolls back when it goes out of scope uncommitted. */
struct store_batch {
	struct store *open; /* NULL: none */
};
must_check int store_batch_begin(struct store_batch *b, struct store *s, struct err *err);
must_check int store_batch_commit(struct store_batch *b, const char *doing, struct err *err);
void store_batch_cleanup(struct store_batch *b);
#define auto_batch __attribute__((cleanup(store_batch_cleanup)))

/* How far a source was read: "" when it never was. The caller frees. */
must_check int store_cursor_get(struct store *s, const char *source, char **ret_value,
				struct err *err);
must_check int store_cursor_set(struct store *s, const char *source, const char *value,
				struct err *err);

/* How a source is. A failure counts up and sets when it may be asked again (seconds since 1970);
 * success begins anew. `words` NULL: it answered well. */
must_check int store_source_tell(struct store *s, const char *source, const char *words,
				 int64_t not_before, struct err *err);
struct store_source {
	char *name, *words; /* words NULL: none */
	int64_t tried, good, not_before;
	unsigned failures;
};
struct store_source_list {
	struct store_source *source;
	size_t n, cap;
};
must_check int store_source_list(struct store *s, struct store_source_list *ret, struct err *err);
void store_source_list_done(struct store_source_list *l);

/* A mail as it came, and what intake read out of it. */
struct store_mail_new {
	const char *message_id;	 /* "" when it has none */
	const char *const *refs; /* ids that it names, NULL at the end; without <> */
	const char *subject, *from_name, *from_email;
	int64_t date;
	const void *raw;
	size_t raw_len;
	const char *list, *source, *place; /* see mail_place */
};
/* Keeps it with state "new", and joins the threads that it connects. One whose id and bytes are
 * known gets one more place, and `*ret_new` is false. */
must_check int store_mail_add(struct store *s, const struct store_mail_new *mail, int64_t *ret_id,
			      bool *ret_new, struct err *err);
/* It is here with these bytes, but was not seen on `mail->list` so far. */
must_check int store_mail_is_elsewhere(struct store *s, const struct store_mail_new *mail,
				       bool *ret_is, struct err *err);
/* Any mail has this id. */
must_check int store_mail_is_known(struct store *s, const char *message_id, bool *ret_is,
				   struct err *err);
/* The mail was seen on this list. */
must_check int store_mail_is_on(struct store *s, int64_t mail, const char *list, bool *ret_is,
				struct err *err);
/* What became of it: `state` is a word of series/ledger.h. posting 0: none. */
must_check int store_mail_settle(struct store *s, int64_t mail, const char *state,
				 const char *reason, int64_t posting, unsigned number,
				 struct err *err);
/* The archive took it back: removed = true keeps the bytes, false (a purge) drops them too. By its
 * place in a source. 0 also when it never was here. */
must_check int store_mail_remove(struct store *s, const char *source, const char *place, bool purge,
				 struct err *err);

struct store_mail {
	int64_t id, date, received, thread, posting;
	char *message_id, *subject, *from_name, *from_email, *state, *reason;
	char *list; /* the first place's */
	char *raw;  /* NULL unless asked for, or purged */
	size_t raw_len;
	unsigned number;
};
struct store_mail_list {
	struct store_mail *mail;
	size_t n, cap;
	bool more;
};
void store_mail_list_done(struct store_mail_list *l);
#define auto_store_mail_list __attribute__((cleanup(store_mail_list_done)))

/* Mails whose state is "new", oldest first, at most `limit`; without raw. */
must_check int store_mail_list_new(struct store *s, unsigned limit, struct store_mail_list *ret,
				   struct err *err);
/*
 * Everything that must be looked at together with this mail: its thread, and what the same author
 * sent within `window_s` of its date (unthreaded series, older versions), and the threads of that;
 * with raw, at most `limit` (the nearest in time, then by id; `more` is set). Itself is always
 * among them. Order: date, then id.
 */
must_check int store_mail_list_around(struct store *s, int64_t mail, int64_t window_s,
				      unsigned limit, struct store_mail_list *ret, struct err *err);
/* By Message-ID, with raw: several when one id was used twice. */
must_check int store_mail_list_by_id(struct store *s, const char *message_id,
				     struct store_mail_list *ret, struct err *err);
/* One, by its row; without raw. ERR_INPUT when there is none. */
must_check int store_mail_get(struct store *s, int64_t id, struct store_mail_list *ret,
			      struct err *err);
/* The ledger: newest first, all or of one list; without raw. */
must_check int store_mail_list_ledger(struct store *s, const char *list, unsigned limit,
				      unsigned offset, struct store_mail_list *ret,
				      struct err *err);

/* Postings. */
enum store_posting_state {
	STORE_POSTING_INCOMPLETE,
	STORE_POSTING_COMPLETE,
	STORE_POSTING_LEFT_ALONE, /* `reason` says why it is not tested */
};
struct store_posting_patch {
	unsigned number; /* 0: the cover letter */
	char *message_id, *subject;
	int64_t mail;
};
struct store_posting {
	int64_t id, date, seen, changed, chain, newer;
	char *list, *message_id, *title, *author_name, *author_email, *digest, *reason;
	unsigned version, minor, total, have;
	enum store_posting_state state;
	struct store_posting_patch *patch; /* by number */
	size_t n_patches;
};
void store_posting_done(struct store_posting *p);
#define auto_store_posting __attribute__((cleanup(store_posting_done)))
const char *store_posting_state_name(enum store_posting_state s);

/* Writes a posting and its patches. It is the one that has any of these mails as the same number
 * already (`id` is ignored), else a new one. `newer` and `chain` are not touched:
 * store_posting_link(). */
must_check int store_posting_put(struct store *s, const struct store_posting *p, int64_t *ret_id,
				 struct err *err);
/* The files that it touches, in place of those before. More than STORE_FILES_MAX are not kept. */
#define STORE_FILES_MAX 10000
must_check int store_posting_files(struct store *s, int64_t posting, const char *const *paths,
				   size_t n, struct err *err);
/* What is shown of it as text: the cover letter, cut at STORE_TEXT_MAX bytes; and what changed
 * since the version before ("since" of report/SCHEMA.md as text). Each leaves the other as it is.
 */
#define STORE_TEXT_MAX (64 * 1024)
must_check int store_posting_cover(struct store *s, int64_t posting, const char *cover,
				   struct err *err);
must_check int store_posting_since(struct store *s, int64_t posting, const char *since,
				   struct err *err);
/* `older` is replaced by `newer`; they, and what is linked to them, get one chain. */
must_check int store_posting_link(struct store *s, int64_t older, int64_t newer, struct err *err);
/* `ret` zeroed by the caller; ERR_INPUT when there is none. */
must_check int store_posting_get(struct store *s, int64_t id, struct store_posting *ret,
				 struct err *err);
/* The posting that has this mail as cover letter or patch, or that this mail answers. ERR_INPUT. */
must_check int store_posting_find(struct store *s, const char *message_id, int64_t *ret_id,
				  struct err *err);

/* What Patchwork calls a mail. */
struct store_patchwork {
	char *server, *message_id, *url;
	bool is_cover;
	int64_t number, series; /* ids there; series 0: unknown */
};
struct store_patchwork_list {
	struct store_patchwork *row;
	size_t n, cap;
};
must_check int store_patchwork_put(struct store *s, const struct store_patchwork *row,
				   struct err *err);
must_check int store_patchwork_by_message(struct store *s, const char *message_id,
					  struct store_patchwork_list *ret, struct err *err);
must_check int store_patchwork_by_series(struct store *s, const char *server, int64_t series,
					 struct store_patchwork_list *ret, struct err *err);
/* A patch (no cover letter) by its id there: one row, or none. */
must_check int store_patchwork_by_number(struct store *s, const char *server, int64_t number,
					 struct store_patchwork_list *ret, struct err *err);
void store_patchwork_list_done(struct store_patchwork_list *l);

#endif
