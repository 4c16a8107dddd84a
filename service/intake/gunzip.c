// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/gunzip.h"

#include <zlib.h>

#define WINDOW_GZIP (16 + MAX_WBITS)

static void inflate_cleanup(z_stream *z)
{
	inflateEnd(z);
}

static int inflate_all(z_stream *z, struct str *out, struct err *err)
{
	unsigned char piece[65536];
	int rc = Z_OK;

	while (z->avail_in || rc == Z_OK) {
		if (rc == Z_STREAM_END && inflateReset(z) != Z_OK)
			return err_set(err, ERR_INFRA, "zlib does not start");
		z->next_out = piece;
		z->avail_out = sizeof(piece);
		rc = inflate(z, Z_NO_FLUSH);
		if (rc != Z_OK && rc != Z_STREAM_END)
			return err_set(err, ERR_INFRA, "%s",
				       rc == Z_BUF_ERROR ? "gzip data that is cut short"
							 : "damaged gzip data");
		if (!str_add(out, piece, sizeof(piece) - z->avail_out))
			return err_set(err, ERR_INFRA, "more than %zu bytes when unpacked",
				       out->max);
	}
	return 0;
}

int gunzip(const void *data, size_t n, struct str *out, struct err *err)
{
	__attribute__((cleanup(inflate_cleanup))) z_stream z = {};

	if (n > UINT32_MAX || n < 2 || memcmp(data, "\x1f\x8b", 2) != 0)
		return err_set(err, ERR_INFRA, "not gzip data");
	if (inflateInit2(&z, WINDOW_GZIP) != Z_OK)
		return err_set(err, ERR_INFRA, "zlib does not start");
	z.next_in = (Bytef *)data;
	z.avail_in = (unsigned)n;
	return inflate_all(&z, out, err);
}
