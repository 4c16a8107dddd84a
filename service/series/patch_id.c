// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * git's definition, in short: the SHA-1 of each file's diff without white space, without line
 * numbers and without the index line; these are added up, so that the order of files makes no
 * difference. A text ends where its last hunk is complete and no "diff" line follows.
 */
#include "series/patch_id.h"

#include "base/hash.h"
#include <ctype.h>
#include <glib.h>

#define SHA1_LEN 20

enum in { IN_PROSE, IN_HEADER, IN_HUNKS, IN_BINARY };

struct reader {
	GChecksum *sha1; /* of the file at hand */
	uint8_t sum[SHA1_LEN];
	enum in in;
	uint64_t old_left, new_left;   /* lines of the hunk at hand */
	char ids[2][PATCH_ID_HEX_MAX]; /* of the index line */
	size_t hashed;
};

struct line {
	const char *p;
	size_t n;
};

static bool starts(struct line l, const char *prefix)
{
	size_t n = strlen(prefix);

	return l.n >= n && memcmp(l.p, prefix, n) == 0;
}

/* The sum of all files, as little-endian numbers of 160 bits. */
static void file_close(struct reader *r)
{
	uint8_t digest[SHA1_LEN];
	gsize len = sizeof(digest);
	unsigned carry = 0;

	g_checksum_get_digest(r->sha1, digest, &len);
	g_checksum_reset(r->sha1);
	for (size_t i = 0; i < SHA1_LEN; i++) {
		carry += (unsigned)r->sum[i] + digest[i];
		r->sum[i] = (uint8_t)carry;
		carry >>= 8;
	}
}

/* git's own notion, which leaves out form feeds. */
static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void line_hash(struct reader *r, struct line l)
{
	size_t begin = 0;

	for (size_t i = 0; i <= l.n; i++) {
		if (i < l.n && !is_space(l.p[i]))
			continue;
		g_checksum_update(r->sha1, (const guchar *)l.p + begin, (gssize)(i - begin));
		r->hashed += i - begin;
		begin = i + 1;
	}
}

static void id_copy(char *out, const char *p, size_t n)
{
	n = n < PATCH_ID_HEX_MAX - 1 ? n : PATCH_ID_HEX_MAX - 1;
	memcpy(out, p, n);
	out[n] = '\0';
}

/* "index 1234567..89abcde 100644": says which contents a binary patch is about. */
static void index_read(struct reader *r, struct line l)
{
	const char *dots = memmem(l.p, l.n, "..", 2), *end = l.p + l.n, *space;

	if (!dots)
		return;
	space = memchr(dots, ' ', (size_t)(end - dots));
	id_copy(r->ids[0], l.p + 6, (size_t)(dots - l.p - 6));
	id_copy(r->ids[1], dots + 2, (size_t)((space ? space : end) - dots - 2));
}

/* "@@ -1,2 +3 @@" */
static uint64_t count_read(const char **p, const char *end, char sign)
{
	uint64_t n = 0;

	while (*p < end && **p != sign)
		++*p;
	while (*p < end && **p != ',' && **p != ' ')
		++*p;
	if (*p == end || **p == ' ')
		return 1;
	while (++*p < end && isdigit((unsigned char)**p))
		n = n < UINT32_MAX ? n * 10 + (uint64_t)(**p - '0') : n;
	return n;
}

static void hunk_open(struct reader *r, struct line l)
{
	const char *p = l.p;

	r->old_left = count_read(&p, l.p + l.n, '-');
	r->new_left = count_read(&p, l.p + l.n, '+');
}

/* A line of a header. False when the text ends here. */
static bool header_take(struct reader *r, struct line l)
{
	if (starts(l, "GIT binary patch") || starts(l, "Binary files")) {
		line_hash(r, (struct line){r->ids[0], strlen(r->ids[0])});
		line_hash(r, (struct line){r->ids[1], strlen(r->ids[1])});
		r->in = IN_BINARY;
		file_close(r);
		return true;
	}
	if (starts(l, "index ")) {
		index_read(r, l);
		return true;
	}
	if (starts(l, "--- ")) {
		r->in = IN_HUNKS;
		r->old_left = r->new_left = 1; /* this line and the next: not between hunks yet */
	} else if (!l.n || !isalpha((unsigned char)*l.p)) {
		return false;
	}
	if (r->in == IN_HUNKS)
		r->old_left--;
	line_hash(r, l);
	return true;
}

static bool hunk_take(struct reader *r, struct line l)
{
	if (!r->old_left && !r->new_left) {
		if (starts(l, "@@ -")) {
			hunk_open(r, l);
			return true;
		}
		if (!starts(l, "diff "))
			return false;
		file_close(r);
		r->in = IN_HEADER;
		line_hash(r, l);
		return true;
	}
	if (l.n && (*l.p == '-' || *l.p == ' ') && r->old_left)
		r->old_left--;
	if (l.n && (*l.p == '+' || *l.p == ' ') && r->new_left)
		r->new_left--;
	line_hash(r, l);
	return true;
}

/* False when the text ends here. */
static bool line_take(struct reader *r, struct line l)
{
	if (starts(l, "\\ ") && l.n > 11) /* "\ No newline at end of file" */
		return true;
	switch (r->in) {
	case IN_HEADER: return header_take(r, l);
	case IN_HUNKS: return hunk_take(r, l);
	default: /* git leaves the line out that ends a binary patch */
		if (!starts(l, "diff "))
			return true;
		if (r->in == IN_PROSE)
			line_hash(r, l);
		r->in = IN_HEADER;
		return true;
	}
}

bool patch_id(const char *text, size_t n, char ret_hex[static PATCH_ID_HEX_MAX])
{
	struct reader r = {.sha1 = g_checksum_new(G_CHECKSUM_SHA1)};
	const char *end = text + n;

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		struct line l = {text, (size_t)((nl ? nl : end) - text)};

		if (!line_take(&r, l))
			break;
		text = nl ? nl + 1 : end;
	}
	file_close(&r);
	g_checksum_free(r.sha1);
	if (!r.hashed)
		return false;
	for (size_t i = 0; i < SHA1_LEN; i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", r.sum[i]);
	return true;
}

struct keyed {
	char hex[PATCH_ID_HEX_MAX];
	size_t index;
};

static int keyed_cmp(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;
	int c = strcmp(a->hex, b->hex);

	return c ? c : (a->index > b->index) - (a->index < b->index);
}

static int key_find(const void *key, const void *keyed)
{
	return strcmp(key, ((const struct keyed *)keyed)->hex);
}

/* Plain diffs, as quilt writes them, have no id of git's: their bytes are compared. */
static void patch_key(const struct patch *p, char hex[static PATCH_ID_HEX_MAX])
{
	if (!patch_id(p->diff_text, p->diff_len, hex))
		hash_hex(p->diff_text, p->diff_len, hex);
}

size_t *patch_pairs_find(const struct series *series, const struct series *old)
{
	auto_free struct keyed *key = xcalloc(old->n_patches, sizeof(*key));
	size_t *old_of = xcalloc(series->n_patches, sizeof(*old_of));
	char hex[PATCH_ID_HEX_MAX];

	for (size_t i = 0; i < old->n_patches; i++) {
		patch_key(&old->patch[i], key[i].hex);
		key[i].index = i;
	}
	qsort(key, old->n_patches, sizeof(*key), keyed_cmp);
	for (size_t i = 0; i < series->n_patches; i++) {
		const struct keyed *hit;

		patch_key(&series->patch[i], hex);
		hit = bsearch(hex, key, old->n_patches, sizeof(*key), key_find);
		old_of[i] = hit ? hit->index : SIZE_MAX;
	}
	return old_of;
}
