// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/pack.h"

#include "base/str.h"
#include <arpa/inet.h>
#include <glib.h>
#include <zlib.h>

struct pack_writer {
	git_indexer *indexer;
	git_indexer_progress progress;
	GChecksum *sha1; /* of all that was written: the pack ends in it */
};

static int put(struct pack_writer *w, const void *data, size_t n, struct err *err)
{
	g_checksum_update(w->sha1, data, (gssize)n);
	if (git_indexer_append(w->indexer, data, n, &w->progress) < 0)
		return err_git(err, ERR_INFRA, "cannot write a pack");
	return 0;
}

static int put_header(struct pack_writer *w, size_t n, struct err *err)
{
	struct {
		char magic[4];
		uint32_t version, n;
	} head = {{'P', 'A', 'C', 'K'}, htonl(2), htonl((uint32_t)n)};

	return put(w, &head, sizeof(head), err);
}

/* Type and size: four bits of the size in the first byte, seven in each of the others, the lowest
 * first. */
static int put_object_header(struct pack_writer *w, const struct pack_object *obj, struct err *err)
{
	unsigned char head[16];
	size_t size = obj->bytes.len, n = 0;

	head[n] = (unsigned char)((unsigned)obj->type << 4 | (size & 0x0f));
	for (size >>= 4; size; size >>= 7) {
		head[n++] |= 0x80;
		head[n] = size & 0x7f;
	}
	return put(w, head, n + 1, err);
}

static int put_deflated(struct pack_writer *w, z_stream *z, struct err *err)
{
	unsigned char buf[65536];
	int more, rc;

	do {
		z->next_out = buf;
		z->avail_out = sizeof(buf);
		more = deflate(z, Z_FINISH);
		rc = put(w, buf, sizeof(buf) - z->avail_out, err);
		if (rc)
			return rc;
	} while (more == Z_OK || more == Z_BUF_ERROR);
	return more == Z_STREAM_END
		       ? 0
		       : err_set(err, ERR_INFRA, "zlib cannot deflate: error %d", more);
}

static int put_object(struct pack_writer *w, const struct pack_object *obj, struct err *err)
{
	z_stream z = {.next_in = (Bytef *)obj->bytes.data, .avail_in = (uInt)obj->bytes.len};
	int rc = put_object_header(w, obj, err);

	if (rc)
		return rc;
	/* The fastest level: these packs are short-lived, and git gc packs them again. */
	if (deflateInit(&z, Z_BEST_SPEED) != Z_OK)
		return err_set(err, ERR_INFRA, "zlib cannot start");
	rc = put_deflated(w, &z, err);
	deflateEnd(&z);
	return rc;
}

static int put_all(struct pack_writer *w, const struct pack_object *obj, size_t n, struct err *err)
{
	unsigned char digest[20];
	gsize len = sizeof(digest);
	int rc = put_header(w, n, err);

	for (size_t i = 0; !rc && i < n; i++)
		rc = put_object(w, &obj[i], err);
	if (rc)
		return rc;
	g_checksum_get_digest(w->sha1, digest, &len);
	if (git_indexer_append(w->indexer, digest, len, &w->progress) < 0 ||
	    git_indexer_commit(w->indexer, &w->progress) < 0)
		return err_git(err, ERR_INFRA, "cannot finish a pack");
	return 0;
}

int pack_write(git_repository *repo, const struct pack_object *obj, size_t n, struct err *err)
{
	git_buf path = GIT_BUF_INIT;
	struct pack_writer w = {0};
	int rc;

	if (git_repository_item_path(&path, repo, GIT_REPOSITORY_ITEM_OBJECTS) < 0)
		return err_git(err, ERR_INFRA, "cannot find the objects of %s",
			       git_repository_path(repo));
	auto_free char *dir = xasprintf("%s/pack", path.ptr);
	git_buf_dispose(&path);
	if (git_indexer_new(&w.indexer, dir, 0, NULL, NULL) < 0)
		return err_git(err, ERR_INFRA, "cannot begin a pack in %s", dir);
	w.sha1 = g_checksum_new(G_CHECKSUM_SHA1);
	rc = put_all(&w, obj, n, err);
	g_checksum_free(w.sha1);
	git_indexer_free(w.indexer);
	return rc;
}
