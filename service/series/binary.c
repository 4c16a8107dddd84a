// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "GIT binary patch": git's base85 (the alphabet of RFC 1924, five characters for four bytes), each
 * line with its length in front, of zlib data that is either the contents or a delta against the
 * old ones.
 */
#include "series/binary.h"

#include "series/diff_parse.h"
#include <zlib.h>

static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			       "!#$%&()*+-;<=>?@^_`{|}~";

/* Bytes that a data line holds: 'A' is 1 and 'z' is 52. 0 for any other character. */
static size_t line_bytes(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (size_t)(c - 'A') + 1;
	if (c >= 'a' && c <= 'z')
		return (size_t)(c - 'a') + 27;
	return 0;
}

/* Five characters to a big-endian word. */
static bool base85_word(const char *p, uint32_t *ret)
{
	uint64_t word = 0;

	for (int i = 0; i < 5; i++) {
		const char *at = p[i] ? strchr(alphabet, p[i]) : NULL;

		if (!at)
			return false;
		word = word * 85 + (uint64_t)(at - alphabet);
	}
	*ret = (uint32_t)word;
	return word <= UINT32_MAX;
}

static bool base85_line(struct span s, struct str *out)
{
	size_t n = s.n ? line_bytes(s.p[0]) : 0;

	if (!n || s.n - 1 != (n + 3) / 4 * 5)
		return false;
	for (const char *p = s.p + 1; n; p += 5) {
		size_t take = n < 4 ? n : 4;
		uint32_t word;

		if (!base85_word(p, &word))
			return false;
		for (size_t i = 0; i < take; i++)
			str_addc(out, (char)(word >> (24 - 8 * i)));
		n -= take;
	}
	return true;
}

/* Inflates to exactly n bytes; NULL when the data give more or less. */
static char *inflate_exactly(const struct str *packed, size_t n)
{
	/* One byte more, so that data that go on are seen, and an empty result has somewhere to go.
	 */
	auto_free char *data = xmalloc(n + 1);
	z_stream z = {.next_in = (Bytef *)packed->buf,
		      .avail_in = (uInt)packed->len,
		      .next_out = (Bytef *)data,
		      .avail_out = (uInt)(n + 1)};
	int rc;

	if (inflateInit(&z) != Z_OK)
		return NULL;
	rc = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	return rc == Z_STREAM_END && z.total_out == n ? take(data) : NULL;
}

/* Past the cap digits no longer count: it is too much anyway. What follows them does not either:
 * git's strtoul(). */
static bool size_parse(struct span s, size_t *ret)
{
	size_t value = 0, i = 0;

	for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++) {
		if (value <= DIFF_INFLATED_MAX)
			value = value * 10 + (size_t)(s.p[i] - '0');
	}
	*ret = value;
	return i > 0;
}

/* "literal 1234" or "delta 12", which announces a half. */
static bool half_begins(struct span s, bool *ret_delta, size_t *ret_size)
{
	*ret_delta = span_starts(s, "delta ");
	if (!*ret_delta && !span_starts(s, "literal "))
		return false;
	return size_parse(span_after(s, *ret_delta ? 6 : 8), ret_size);
}

/* The data lines, and the empty line that must close them. */
static int half_read(struct diff_reader *r, struct str *packed, struct err *err)
{
	for (; reader_line(r).n; reader_next(r)) {
		if (!base85_line(reader_line(r), packed))
			return err_set(err, ERR_PATCH, "line %u: corrupt binary patch", r->line);
	}
	if (reader_at_end(r))
		return err_set(err, ERR_PATCH, "line %u: the binary patch is cut off", r->line);
	reader_next(r);
	return 0;
}

static int half_parse(struct diff_reader *r, struct diff_binary *half, struct err *err)
{
	auto_str struct str packed;
	uint32_t first = r->line;
	size_t size;
	bool delta;
	int rc;

	str_init(&packed, 0);
	if (!half_begins(reader_line(r), &delta, &size))
		return 0;
	r->inflated += size;
	if (r->inflated > DIFF_INFLATED_MAX)
		return err_set(err, ERR_PATCH,
			       "line %u: binary patches of more than %zu MiB in one mail", first,
			       DIFF_INFLATED_MAX >> 20);
	reader_next(r);
	rc = half_read(r, &packed, err);
	if (rc)
		return rc;
	half->data = inflate_exactly(&packed, size);
	if (!half->data)
		return err_set(err, ERR_PATCH,
			       "line %u: the binary patch does not inflate to %zu bytes", first,
			       size);
	half->present = true;
	half->delta = delta;
	half->len = size;
	return 0;
}

int binary_parse(struct diff_reader *r, struct diff_file *f, struct err *err)
{
	uint32_t first = r->line;
	int rc = half_parse(r, &f->forward, err);

	if (rc)
		return rc;
	if (!f->forward.present)
		return err_set(
			err, ERR_PATCH,
			"line %u: neither \"literal\" nor \"delta\" after \"GIT binary patch\"",
			first);
	return half_parse(r, &f->reverse, err);
}

/* Delta format: gitformat-pack(5), "Deltified representation". */
struct delta {
	const unsigned char *pos, *end;
};

/* Seven bits a byte, the lowest first. */
static bool delta_size(struct delta *d, size_t *ret)
{
	size_t value = 0;

	for (unsigned shift = 0; d->pos < d->end && shift < 56; shift += 7) {
		unsigned char c = *d->pos++;

		value |= (size_t)(c & 0x7f) << shift;
		if (!(c & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

/* The bytes of a number that the bits of `which` say are there. */
static bool delta_number(struct delta *d, unsigned which, size_t *ret)
{
	size_t value = 0;

	for (unsigned i = 0; which >> i; i++) {
		if (!(which >> i & 1))
			continue;
		if (d->pos == d->end)
			return false;
		value |= (size_t)*d->pos++ << (8 * i);
	}
	*ret = value;
	return true;
}

static bool delta_copy(struct delta *d, unsigned op, struct bytes old, struct str *out)
{
	size_t offset, n;

	if (!delta_number(d, op & 0x0f, &offset) || !delta_number(d, op >> 4 & 0x07, &n))
		return false;
	if (!n)
		n = 0x10000;
	return offset <= old.len && n <= old.len - offset && str_add(out, old.data + offset, n);
}

static bool delta_insert(struct delta *d, unsigned n, struct str *out)
{
	if (!n || n > (size_t)(d->end - d->pos))
		return false;
	d->pos += n;
	return str_add(out, d->pos - n, n);
}

static bool delta_run(struct bytes patch, struct bytes old, struct str *out)
{
	struct delta d = {(const unsigned char *)patch.data,
			  (const unsigned char *)patch.data + patch.len};
	size_t old_len, new_len;

	if (!delta_size(&d, &old_len) || !delta_size(&d, &new_len) || old_len != old.len ||
	    new_len > DIFF_INFLATED_MAX)
		return false;
	str_init(out, new_len ? new_len : 1);
	while (d.pos < d.end) {
		unsigned op = *d.pos++;

		if (!(op & 0x80 ? delta_copy(&d, op & 0x7f, old, out) : delta_insert(&d, op, out)))
			return false;
	}
	return out->len == new_len;
}

bool binary_apply(const struct diff_binary *half, struct bytes old, struct str *ret_new)
{
	auto_str struct str out;

	str_init(&out, half->len ? half->len : 1);
	if (half->delta) {
		if (!delta_run((struct bytes){half->data, half->len}, old, &out))
			return false;
	} else {
		str_add(&out, half->data, half->len);
	}
	str_done(ret_new);
	*ret_new = out;
	str_init(&out, 0);
	return true;
}
