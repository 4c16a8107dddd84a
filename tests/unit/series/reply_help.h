/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mailbox of tests/fixtures/replies, sorted into series, and who answers what. */
#ifndef FIRN_TESTS_REPLY_HELP_H
#define FIRN_TESTS_REPLY_HELP_H

#include "../unit.h"

#include "intake/source.h"
#include "series/thread.h"

struct box {
	struct mail_list mails;
	struct series_set set;
	struct threads *threads;
};

static inline void box_sort(struct box *b)
{
	struct err err = ERR_INIT;

	assert_ok(collate(&b->mails, &b->set, &err), &err);
	b->threads = threads_new(&b->mails, &b->set);
}

static inline void box_unsort(struct box *b)
{
	threads_free(b->threads);
	series_set_done(&b->set);
}

static inline void box_open_at(struct box *b, const char *path)
{
	struct err err = ERR_INIT;

	*b = (struct box){};
	assert_ok(source_read(path, &b->mails, &err), &err);
	box_sort(b);
}

static inline void box_open(struct box *b, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), FIXTURES "/replies/%s", name);
	box_open_at(b, path);
}

static inline void box_done(struct box *b)
{
	box_unsort(b);
	mail_list_done(&b->mails);
}

/* The same mails in another order. */
static inline void box_shuffle(struct box *b, unsigned seed)
{
	box_unsort(b);
	for (size_t i = b->mails.n; i > 1; i--) {
		size_t k = (seed = seed * 1103515245u + 12345u) / 65536u % i;
		struct mail *m = b->mails.item[k];

		b->mails.item[k] = b->mails.item[i - 1];
		b->mails.item[i - 1] = m;
	}
	box_sort(b);
}

#endif
