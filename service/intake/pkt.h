/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets of git's protocol (gitprotocol-common(5), "pkt-line"). */
#ifndef FIRN_INTAKE_PKT_H
#define FIRN_INTAKE_PKT_H

#include "base/err.h"
#include "base/str.h"

/* One packet, without its length; `data` is followed by a NUL. NULL for a flush packet. */
typedef int pkt_fn(void *ctx, const char *data, size_t n, struct err *err);

struct pkt_reader {
	pkt_fn *fn;
	void *ctx;
	struct str held; /* a packet that has not come whole */
};
void pkt_init(struct pkt_reader *r, pkt_fn *fn, void *ctx);
void pkt_done(struct pkt_reader *r);
/* Takes bytes as they come. ERR_INFRA when they are no packets; what `fn` returns is passed on. */
must_check int pkt_feed(struct pkt_reader *r, const void *data, size_t n, struct err *err);
/* Nothing may be left at the end. */
must_check int pkt_end(const struct pkt_reader *r, struct err *err);

void pkt_add(struct str *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pkt_flush(struct str *out);

#endif
