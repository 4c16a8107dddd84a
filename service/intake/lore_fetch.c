// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_fetch.h"

#include "base/fault.h"
#include "intake/pkt.h"

#define REFS_MAX ((size_t)4 << 20)
#define PACK_MAX ((size_t)4 << 30)
/* A whole epoch of lore is about a gigabyte. A server that stalls is noticed much earlier. */
#define PACK_TIMEOUT_S (6 * 3600.0)
#define CAPABILITIES   "ofs-delta side-band-64k no-progress agent=firn/" FIRN_VERSION
#define MASTER	       "refs/heads/master"

/* What the first request lists. */
struct refs {
	struct lore_tip *tip;
	bool is_first, has_band;
};

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; (p = strstr(p, word)) != NULL; p += n)
		if ((p == words || p[-1] == ' ') && (!p[n] || strchr(" \n", p[n])))
			return true;
	return false;
}

/* "OID NAME", and after a NUL on the first one what the server can do. */
static int ref_take(void *ctx, const char *data, size_t n, struct err *err)
{
	struct refs *refs = ctx;
	size_t name_len;
	const char *name;

	if (!data || data[0] == '#')
		return 0;
	if (str_starts(data, "ERR "))
		return err_set(err, ERR_INFRA, "the server says: %s", data + 4);
	if (n < GIT_OID_HEXSZ + 2 || data[GIT_OID_HEXSZ] != ' ')
		return err_set(err, ERR_INFRA, "the list of branches is garbage");
	name = data + GIT_OID_HEXSZ + 1;
	name_len = strcspn(name, "\n");
	if (refs->is_first && strlen(data) < n) {
		const char *words = data + strlen(data) + 1;

		refs->has_band = has_word(words, "side-band-64k");
		refs->tip->can_cut = has_word(words, "shallow");
	}
	refs->is_first = false;
	if (name_len != strlen(MASTER) || strncmp(name, MASTER, name_len) != 0)
		return 0;
	refs->tip->has_mail = git_oid_fromstrn(&refs->tip->oid, data, GIT_OID_HEXSZ) == 0;
	return refs->tip->has_mail ? 0 : err_set(err, ERR_INFRA, "the list of branches is garbage");
}

static int refs_read(const struct str *body, struct lore_tip *tip, struct err *err)
{
	struct refs refs = {.tip = tip, .is_first = true};
	struct pkt_reader reader;
	int rc;

	pkt_init(&reader, ref_take, &refs);
	rc = pkt_feed(&reader, body->buf, body->len, err);
	if (rc == 0)
		rc = pkt_end(&reader, err);
	pkt_done(&reader);
	if (rc == 0 && tip->has_mail && !refs.has_band)
		return err_set(err, ERR_INFRA, "the server is too old: no side-band-64k");
	return rc;
}

int lore_fetch_tip(struct http *http, const char *url, struct lore_tip *ret, struct err *err)
{
	auto_free char *full = xasprintf("%s/info/refs?service=git-upload-pack", url);
	auto_http_response struct http_response r = {};
	struct http_request req = {.url = full,
				   .max = REFS_MAX,
				   .content_type = "application/x-git-upload-pack-advertisement"};
	struct lore_tip tip = {};
	int rc = http_run(http, &req, &r, err);

	if (rc < 0)
		return rc;
	if (r.status != 404) {
		rc = http_check(&req, &r, err);
		if (rc < 0)
			return rc;
		tip.exists = true;
		if (refs_read(&r.body, &tip, err) < 0)
			return err_wrap(err, "%s", url);
	}
	*ret = tip;
	return 0;
}

/* An answer to our wishes. */
enum stage { STAGE_SHALLOW, STAGE_ACK, STAGE_PACK, STAGE_END };
struct fetch {
	enum stage stage;
	bool wants_pack, acknowledged;
	struct oids shallow;
	git_indexer *indexer;
	git_indexer_progress progress;
	struct pkt_reader reader;
};

static void oids_drop(struct oids *l, const git_oid *id)
{
	for (size_t i = 0; i < l->n; i++)
		if (git_oid_equal(&l->item[i], id))
			l->item[i--] = l->item[--l->n];
}

static int shallow_take(struct fetch *f, const char *data, struct err *err)
{
	bool begins = str_starts(data, "shallow ");
	git_oid id;

	if (!begins && !str_starts(data, "unshallow "))
		return err_set(err, ERR_INFRA, "the server does not say where history begins");
	if (git_oid_fromstrn(&id, strchr(data, ' ') + 1, strcspn(strchr(data, ' ') + 1, "\n")) < 0)
		return err_set(err, ERR_INFRA, "the server says that history begins at garbage");
	oids_drop(&f->shallow, &id);
	if (begins)
		oids_add(&f->shallow, &id);
	return 0;
}

static int ack_take(struct fetch *f, const char *data, struct err *err)
{
	f->acknowledged = str_starts(data, "ACK ");
	if (!f->acknowledged && !str_starts(data, "NAK"))
		return err_set(err, ERR_INFRA, "the server neither agrees nor disagrees");
	f->stage = f->wants_pack ? STAGE_PACK : STAGE_END;
	return 0;
}

/* The first byte says what it is: a piece of the pack, a message for people, the last words. */
static int band_take(struct fetch *f, const char *data, size_t n, struct err *err)
{
	if (n && data[0] == 3)
		return err_set(err, ERR_INFRA, "the server says: %s", data + 1);
	if (n < 1 || data[0] < 1 || data[0] > 3)
		return err_set(err, ERR_INFRA, "what came is not a pack");
	if (data[0] == 1 && git_indexer_append(f->indexer, data + 1, n - 1, &f->progress) < 0)
		return err_git(err, ERR_INFRA, "cannot file the mails that came");
	return 0;
}

static int answer_take(void *ctx, const char *data, size_t n, struct err *err)
{
	struct fetch *f = ctx;

	if (data && f->stage != STAGE_PACK && str_starts(data, "ERR "))
		return err_set(err, ERR_INFRA, "the server says: %s", data + 4);
	if (!data) {
		f->stage += f->stage == STAGE_SHALLOW || f->stage == STAGE_PACK;
		return 0;
	}
	switch (f->stage) {
	case STAGE_SHALLOW: return shallow_take(f, data, err);
	case STAGE_ACK: return ack_take(f, data, err);
	case STAGE_PACK: return band_take(f, data, n, err);
	case STAGE_END: break;
	}
	return 0;
}

static int body_take(void *ctx, const void *data, size_t n, struct err *err)
{
	struct fetch *f = ctx;

	return pkt_feed(&f->reader, data, n, err);
}

static void wish_write(const struct lore_want *want, bool wants_pack, struct str *out)
{
	char hex[GIT_OID_HEXSZ + 1];

	pkt_add(out, "want %s " CAPABILITIES "%s\n", git_oid_tostr(hex, sizeof(hex), want->tip),
		want->shallow && (want->depth || want->shallow->n) ? " shallow" : "");
	for (size_t i = 0; want->shallow && i < want->shallow->n; i++)
		pkt_add(out, "shallow %s\n",
			git_oid_tostr(hex, sizeof(hex), &want->shallow->item[i]));
	if (want->depth)
		pkt_add(out, "deepen %u\n", want->depth);
	pkt_flush(out);
	if (want->have)
		pkt_add(out, "have %s\n", git_oid_tostr(hex, sizeof(hex), want->have));
	if (wants_pack)
		pkt_add(out, "done\n");
	else
		pkt_flush(out);
}

static int fetch_run(struct http *http, const char *url, const struct lore_want *want,
		     struct fetch *f, struct err *err)
{
	static const char *const headers[] = {"Content-Type: application/x-git-upload-pack-request",
					      "Accept: application/x-git-upload-pack-result", NULL};
	auto_free char *full = xasprintf("%s/git-upload-pack", url);
	auto_http_response struct http_response r = {};
	auto_str struct str wish;
	struct http_request req = {.method = "POST",
				   .url = full,
				   .headers = headers,
				   .on_body = body_take,
				   .ctx = f,
				   .max = PACK_MAX,
				   .timeout_s = PACK_TIMEOUT_S,
				   .content_type = "application/x-git-upload-pack-result"};
	int rc;

	str_init(&wish, 0);
	wish_write(want, f->wants_pack, &wish);
	req.body = wish.buf;
	req.body_len = wish.len;
	rc = http_run(http, &req, &r, err);
	if (rc == 0)
		rc = http_check(&req, &r, err);
	if (rc == 0 && (f->reader.held.len || f->stage != STAGE_END))
		rc = err_set(err, ERR_INFRA, "%s: the answer is cut off", full);
	return rc;
}

static void fetch_begin(struct fetch *f, unsigned depth)
{
	f->stage = depth ? STAGE_SHALLOW : STAGE_ACK;
	pkt_init(&f->reader, answer_take, f);
}

static void fetch_done(struct fetch *f)
{
	pkt_done(&f->reader);
	oids_done(&f->shallow);
	git_indexer_free(f->indexer); /* what was not committed is deleted */
}

int lore_fetch_knows(struct http *http, const char *url, const git_oid *tip, const git_oid *commit,
		     bool *ret_knows, struct err *err)
{
	struct lore_want want = {.tip = tip, .have = commit};
	struct fetch f = {};
	int rc;

	fetch_begin(&f, 0);
	rc = fetch_run(http, url, &want, &f, err);
	if (rc == 0)
		*ret_knows = f.acknowledged;
	fetch_done(&f);
	return rc;
}

static int pack_file(const char *url, struct fetch *f, struct err *err)
{
	fault_point("pack");
	if (git_indexer_commit(f->indexer, &f->progress) < 0)
		return err_git(err, ERR_INFRA, "%s: the pack that came is damaged", url);
	fault_point("packed");
	return 0;
}

int lore_fetch_pack(struct http *http, const char *url, const struct lore_want *want,
		    struct err *err)
{
	struct fetch f = {.wants_pack = true};
	int rc;

	fetch_begin(&f, want->depth);
	for (size_t i = 0; i < want->shallow->n; i++)
		oids_add(&f.shallow, &want->shallow->item[i]);
	if (git_indexer_new(&f.indexer, want->pack_dir, 0, NULL, NULL) < 0)
		rc = err_git(err, ERR_INFRA, "cannot write into %s", want->pack_dir);
	else
		rc = fetch_run(http, url, want, &f, err);
	if (rc == 0)
		rc = pack_file(url, &f, err);
	if (rc == 0) {
		oids_done(want->shallow);
		*want->shallow = f.shallow;
		f.shallow = (struct oids){};
	}
	fetch_done(&f);
	return rc;
}
