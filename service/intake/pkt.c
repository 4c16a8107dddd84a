// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/pkt.h"

#include <ctype.h>

#define HEAD	4
#define PKT_MAX 65520

void pkt_init(struct pkt_reader *r, pkt_fn *fn, void *ctx)
{
	*r = (struct pkt_reader){.fn = fn, .ctx = ctx};
	str_init(&r->held, PKT_MAX);
}

void pkt_done(struct pkt_reader *r)
{
	str_done(&r->held);
}

/* 0 is a flush; -1: not a length. */
static long length_of(const char *head)
{
	char text[HEAD + 1] = "";

	for (int i = 0; i < HEAD; i++)
		if (!isxdigit((unsigned char)head[i]))
			return -1;
	memcpy(text, head, HEAD);
	return strtol(text, NULL, 16);
}

/* How many bytes the packet still lacks, as far as its beginning tells. */
static int lacks(const struct pkt_reader *r, size_t *ret_n, struct err *err)
{
	long n;

	if (r->held.len < HEAD) {
		*ret_n = HEAD - r->held.len;
		return 0;
	}
	n = length_of(r->held.buf);
	if (n < 0 || (n > 0 && n < HEAD) || n > PKT_MAX)
		return err_set(err, ERR_INFRA, "what came is not git's protocol");
	*ret_n = n ? (size_t)n - r->held.len : 0;
	return 0;
}

static int hand_over(struct pkt_reader *r, struct err *err)
{
	bool flush = strncmp(r->held.buf, "0000", HEAD) == 0;
	int rc = r->fn(r->ctx, flush ? NULL : r->held.buf + HEAD, r->held.len - HEAD, err);

	str_reset(&r->held);
	return rc;
}

int pkt_feed(struct pkt_reader *r, const void *data, size_t n, struct err *err)
{
	const char *p = data;
	int rc = 0;

	while (rc == 0) {
		size_t lack = 0;

		rc = lacks(r, &lack, err);
		if (rc < 0)
			break;
		if (lack == 0) {
			rc = hand_over(r, err);
			continue;
		}
		if (n == 0)
			break;
		lack = lack < n ? lack : n;
		str_add(&r->held, p, lack);
		p += lack;
		n -= lack;
	}
	return rc;
}

int pkt_end(const struct pkt_reader *r, struct err *err)
{
	return r->held.len ? err_set(err, ERR_INFRA, "the answer is cut off") : 0;
}

void pkt_add(struct str *out, const char *fmt, ...)
{
	auto_str struct str line;
	va_list ap;

	str_init(&line, PKT_MAX - HEAD);
	va_start(ap, fmt);
	str_vaddf(&line, fmt, ap);
	va_end(ap);
	str_addf(out, "%04zx%s", line.len + HEAD, line.buf);
}

void pkt_flush(struct str *out)
{
	str_adds(out, "0000");
}
