// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of series. */
#include "store/views.h"

#include "base/str.h"
#include "store/sql.h"

/* A file filter that fewer postings than this match is looked up first; of one that matches more,
 * the rows are walked and asked. */
#define FILE_FEW 2000

#define COLUMNS                                                                                    \
	"p.id, t.id, coalesce(p.list, t.list), coalesce(p.title, t.title),"                        \
	" coalesce(p.author_name || ' <' || p.author_email || '>', t.author),"                     \
	" coalesce(p.message_id, t.message_id), coalesce(p.version, t.version), p.total, p.have,"  \
	" coalesce(p.date, t.started, t.queued), p.state, p.reason, p.newer, t.state, t.outcome,"  \
	" t.started, t.finished, t.words, t.boot_id, t.pid, t.pid_start"
#define FROM_TRIAL " FROM trial t LEFT JOIN posting p ON p.id = t.posting WHERE "
#define FROM_POSTING                                                                               \
	" FROM posting p LEFT JOIN trial t ON t.id ="                                              \
	" (SELECT max(id) FROM trial WHERE trial.posting = p.id) WHERE "

void view_series_done(struct view_series *v)
{
	free(v->list);
	free(v->title);
	free(v->author);
	free(v->message_id);
	free(v->reason);
	free(v->words);
	*v = (struct view_series){0};
}

void view_series_list_done(struct view_series_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		view_series_done(&l->row[i]);
	free(l->row);
	*l = (struct view_series_list){0};
}

const char *const view_states[] = {
	"pass",	     "warn",	    "fail",    "error",	     "skip",	   "running",  "waiting",
	"cancelled", "interrupted", "planned", "incomplete", "left alone", "replaced", NULL};

bool view_state_known(const char *word)
{
	for (size_t i = 0; view_states[i]; i++)
		if (strcmp(view_states[i], word) == 0)
			return true;
	return false;
}

const char *view_series_word(const struct view_series *v)
{
	if (v->trial)
		return v->state == STORE_TRIAL_FINISHED ? outcome_name(v->outcome)
							: store_trial_state_name(v->state);
	if (v->posting_state != STORE_POSTING_COMPLETE)
		return store_posting_state_name(v->posting_state);
	return v->newer ? "replaced" : "planned";
}

static enum store_posting_state posting_state_of(const char *word)
{
	for (int i = STORE_POSTING_INCOMPLETE; word && i < STORE_POSTING_LEFT_ALONE; i++)
		if (strcmp(store_posting_state_name((enum store_posting_state)i), word) == 0)
			return (enum store_posting_state)i;
	return STORE_POSTING_LEFT_ALONE;
}

static char *text_of(sqlite3_stmt *stmt, int column)
{
	char *text = sql_column_text(stmt, column);

	return text ? text : xstrdup("");
}

static void trial_read(sqlite3_stmt *stmt, struct view_series *v)
{
	const char *outcome = (const char *)sqlite3_column_text(stmt, 14);
	struct owner owner = owner_read(stmt, 18);

	v->state = trial_state_parse((const char *)sqlite3_column_text(stmt, 13));
	if (v->state == STORE_TRIAL_RUNNING && !owner_alive(&owner))
		v->state = STORE_TRIAL_INTERRUPTED;
	v->outcome = outcome ? outcome_parse(outcome) : OUTCOME_ERROR;
	v->started = sqlite3_column_int64(stmt, 15);
	v->finished = sqlite3_column_int64(stmt, 16);
	v->words = sql_column_text(stmt, 17);
}

static void row_read(sqlite3_stmt *stmt, struct view_series *v)
{
	*v = (struct view_series){
		.posting = sqlite3_column_int64(stmt, 0),
		.trial = sqlite3_column_int64(stmt, 1),
		.list = text_of(stmt, 2),
		.title = text_of(stmt, 3),
		.author = text_of(stmt, 4),
		.message_id = text_of(stmt, 5),
		.version = (unsigned)sqlite3_column_int64(stmt, 6),
		.total = (unsigned)sqlite3_column_int64(stmt, 7),
		.have = (unsigned)sqlite3_column_int64(stmt, 8),
		.date = sqlite3_column_int64(stmt, 9),
		.posting_state = posting_state_of((const char *)sqlite3_column_text(stmt, 10)),
		.reason = text_of(stmt, 11),
		.newer = sqlite3_column_int64(stmt, 12),
	};
	if (v->trial)
		trial_read(stmt, v);
}

static int list_fill(struct store *s, sqlite3_stmt *stmt, unsigned limit,
		     struct view_series_list *ret, struct err *err)
{
	auto_view_series_list struct view_series_list l = {0};
	int rc;

	while ((rc = sql_step(s, stmt, "listing series", err)) > 0) {
		if (l.n == limit) {
			l.more = true;
			break;
		}
		arr_grow(l.row, l.n, l.cap);
		row_read(stmt, &l.row[l.n++]);
	}
	if (rc < 0)
		return rc;
	*ret = l;
	l = (struct view_series_list){0};
	return 0;
}

/* A query in the making: conditions are added, then their values are bound. */
struct query {
	struct store *s;
	const struct view_filter *f;
	struct str sql;
	char *author, *text; /* patterns of LIKE; NULL: no such filter */
	char *file_end;	     /* behind all paths that begin with f->file; NULL */
	int64_t finished;    /* of the trial that was shown last */
	bool by_time;
};

static void query_cleanup(struct query *q)
{
	str_done(&q->sql);
	free(q->author);
	free(q->text);
	free(q->file_end);
}
#define auto_query __attribute__((cleanup(query_cleanup)))

static bool given(const char *word)
{
	return word && *word;
}

/* "%a part%", its own wildcards escaped. */
static char *pattern_of(const char *part)
{
	struct str s;

	str_init(&s, 4096);
	str_addc(&s, '%');
	for (; *part; part++) {
		if (strchr("%_\\", *part))
			str_addc(&s, '\\');
		str_addc(&s, *part);
	}
	str_addc(&s, '%');
	return str_take(&s);
}

static int file_is_rare(const struct query *q, bool *ret_rare, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(q->s,
			     "SELECT count(*) FROM (SELECT 1 FROM posting_file"
			     " WHERE path >= :file AND path < :end LIMIT :few)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":file", q->f->file);
	sql_text(stmt, ":end", q->file_end);
	sql_int(stmt, ":few", FILE_FEW);
	rc = sql_step(q->s, stmt, "looking for files", err);
	if (rc < 0)
		return rc;
	*ret_rare = sqlite3_column_int64(stmt, 0) < FILE_FEW;
	return 0;
}

/* Paths are compared byte by byte: 0xff is in none of them. `posting` is the column. */
static int file_add(struct query *q, const char *posting, struct err *err)
{
	bool rare = false;
	int rc;

	q->file_end = xasprintf("%s\xff", q->f->file);
	rc = file_is_rare(q, &rare, err);
	if (rc < 0)
		return rc;
	if (rare)
		str_addf(&q->sql,
			 " AND %s IN (SELECT posting FROM posting_file"
			 " WHERE path >= :file AND path < :end)",
			 posting);
	else
		str_addf(&q->sql,
			 " AND EXISTS (SELECT 1 FROM posting_file WHERE posting = %s"
			 " AND path >= :file AND path < :end)",
			 posting);
	return 0;
}

/* Those that do not depend on the kind of query. `of` is the table: "t" or "p". */
static int filters_add(struct query *q, char of, struct err *err)
{
	const char *author = of == 't' ? "t.author" : "p.author_name || ' <' || p.author_email";
	const struct view_filter *f = q->f;

	if (given(f->list))
		str_addf(&q->sql, " AND %c.list = :list", of);
	if (given(f->author)) {
		q->author = pattern_of(f->author);
		str_addf(&q->sql, " AND (%s) LIKE :author ESCAPE '\\'", author);
	}
	if (given(f->text)) {
		q->text = pattern_of(f->text);
		str_addf(&q->sql,
			 " AND (%c.title LIKE :text ESCAPE '\\' OR (%s) LIKE :text ESCAPE '\\')",
			 of, author);
	}
	return given(f->file) ? file_add(q, of == 't' ? "t.posting" : "p.id", err) : 0;
}

static void bind(const struct query *q, sqlite3_stmt *stmt, unsigned limit)
{
	const struct view_filter *f = q->f;

	sql_int(stmt, ":limit", (int64_t)limit + 1);
	if (given(f->list))
		sql_text(stmt, ":list", f->list);
	if (q->author)
		sql_text(stmt, ":author", q->author);
	if (q->text)
		sql_text(stmt, ":text", q->text);
	if (given(f->file)) {
		sql_text(stmt, ":file", f->file);
		sql_text(stmt, ":end", q->file_end);
	}
	if (f->before)
		sql_int(stmt, ":before", f->before);
	if (f->before && q->by_time)
		sql_int(stmt, ":finished", q->finished);
}

static unsigned limit_of(const struct view_filter *f)
{
	return f->limit && f->limit < VIEW_LIMIT_MAX ? f->limit : VIEW_LIMIT_MAX;
}

static int query_run(struct query *q, struct view_series_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	unsigned limit = limit_of(q->f);
	int rc = sql_prepare(q->s, q->sql.buf, &stmt, err);

	if (rc < 0)
		return rc;
	bind(q, stmt, limit);
	return list_fill(q->s, stmt, limit, ret, err);
}

static int finished_of(struct query *q, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(q->s, "SELECT coalesce(finished, 0) FROM trial WHERE id = :id", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", q->f->before);
	rc = sql_step(q->s, stmt, "turning a page", err);
	q->finished = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	return rc < 0 ? rc : 0;
}

/* The last finished trial of each posting. The words come from view_states[]: none needs a value
 * to be bound. */
static int verdicts(struct query *q, struct view_series_list *ret, struct err *err)
{
	int rc = q->f->before ? finished_of(q, err) : 0;

	q->by_time = true;
	str_adds(&q->sql, "SELECT " COLUMNS FROM_TRIAL "t.state = 'finished'");
	if (given(q->f->state))
		str_addf(&q->sql, " AND t.outcome = '%s'", q->f->state);
	if (rc == 0)
		rc = filters_add(q, 't', err);
	if (q->f->before)
		str_adds(&q->sql, " AND t.finished <= :finished"
				  " AND (t.finished < :finished OR t.id < :before)");
	str_adds(&q->sql, " AND NOT EXISTS (SELECT 1 FROM trial later"
			  " WHERE later.posting = t.posting AND later.id > t.id"
			  " AND later.state = 'finished')"
			  " ORDER BY t.finished DESC, t.id DESC LIMIT :limit");
	return rc < 0 ? rc : query_run(q, ret, err);
}

/* Each of these states has an index of its own: without a word SQLite would walk the table, which
 * is in the wanted order. */
static int trials_in(struct query *q, const char *state, struct view_series_list *ret,
		     struct err *err)
{
	int rc;

	str_addf(&q->sql,
		 "SELECT " COLUMNS " FROM trial t INDEXED BY trial_%s"
		 " LEFT JOIN posting p ON p.id = t.posting WHERE t.state = '%s'",
		 state, state);
	rc = filters_add(q, 't', err);
	if (q->f->before)
		str_adds(&q->sql, " AND t.id < :before");
	str_adds(&q->sql, " ORDER BY t.id DESC LIMIT :limit");
	return rc < 0 ? rc : query_run(q, ret, err);
}

/* A trial whose process is gone says in the store that it runs. */
static void keep_those(struct view_series_list *l, enum store_trial_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->row[i].state == state)
			l->row[n++] = l->row[i];
		else
			view_series_done(&l->row[i]);
	}
	l->n = n;
}

static int postings(struct query *q, const char *where, struct view_series_list *ret,
		    struct err *err)
{
	int rc;

	str_addf(&q->sql, "SELECT " COLUMNS FROM_POSTING "%s", where);
	rc = filters_add(q, 'p', err);
	if (q->f->before)
		str_adds(&q->sql, " AND p.id < :before");
	str_adds(&q->sql, " ORDER BY p.id DESC LIMIT :limit");
	return rc < 0 ? rc : query_run(q, ret, err);
}

/* Few are in these states, and the last one has no index: nearly all postings get a trial soon. */
#define AMONG_NEWEST "p.id > (SELECT max(id) FROM posting) - 20000 AND "

static const struct {
	const char *word, *where; /* NULL: a state of the trial */
} posting_words[] = {
	{"incomplete", "p.state = 'incomplete'"},
	{"left alone", "p.state = 'left alone'"},
	{"planned", "p.id IN (SELECT posting FROM to_plan) AND t.id IS NULL"},
	{"replaced", AMONG_NEWEST "p.state = 'complete' AND p.newer IS NOT NULL AND t.id IS NULL"},
};

static const char *posting_where(const char *state)
{
	for (size_t i = 0; state && i < array_size(posting_words); i++)
		if (strcmp(posting_words[i].word, state) == 0)
			return posting_words[i].where;
	return NULL;
}

static void query_init(struct query *q, struct store *s, const struct view_filter *f)
{
	*q = (struct query){.s = s, .f = f};
	str_init(&q->sql, 0);
}

static int by_state(struct query *q, struct view_series_list *ret, struct err *err)
{
	const char *state = q->f->state, *where = posting_where(state);
	int rc;

	if (where)
		return postings(q, where, ret, err);
	if (strcmp(state, "waiting") == 0 || strcmp(state, "cancelled") == 0)
		return trials_in(q, state, ret, err);
	if (strcmp(state, "running") != 0 && strcmp(state, "interrupted") != 0)
		return verdicts(q, ret, err);
	rc = trials_in(q, "running", ret, err);
	if (rc == 0)
		keep_those(ret, strcmp(state, "running") == 0 ? STORE_TRIAL_RUNNING
							      : STORE_TRIAL_INTERRUPTED);
	return rc;
}

int view_verdicts(struct store *s, const struct view_filter *f, struct view_series_list *ret,
		  struct err *err)
{
	auto_query struct query q;

	query_init(&q, s, f);
	if (!given(f->state))
		return verdicts(&q, ret, err);
	if (!view_state_known(f->state))
		return err_set(err, ERR_INPUT, "there is no such state");
	return by_state(&q, ret, err);
}

int64_t view_key(const struct view_filter *f, const struct view_series *last)
{
	return posting_where(f->state) ? last->posting : last->trial;
}

int view_postings(struct store *s, const struct view_filter *f, struct view_series_list *ret,
		  struct err *err)
{
	auto_query struct query q;

	query_init(&q, s, f);
	return postings(&q, "1", ret, err);
}

/* One query with :id. */
static int rows_of(struct store *s, const char *sql, int64_t id, struct view_series_list *ret,
		   struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	return list_fill(s, stmt, VIEW_LIMIT_MAX, ret, err);
}

int view_versions(struct store *s, int64_t chain, struct view_series_list *ret, struct err *err)
{
	return rows_of(s,
		       "SELECT " COLUMNS FROM_POSTING "p.chain = :id"
		       " ORDER BY p.version, p.minor, p.id LIMIT 100",
		       chain, ret, err);
}

int view_trials(struct store *s, int64_t posting, struct view_series_list *ret, struct err *err)
{
	return rows_of(s,
		       "SELECT " COLUMNS FROM_TRIAL "t.posting = :id ORDER BY t.id DESC LIMIT 50",
		       posting, ret, err);
}

int view_posting(struct store *s, int64_t posting, struct view_series *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_row(s, "SELECT " COLUMNS FROM_POSTING "p.id = :id", "series", posting, &stmt,
			 err);

	if (rc == 0)
		row_read(stmt, ret);
	return rc;
}
