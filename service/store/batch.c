// SPDX-License-Identifier: GPL-2.0-or-later
/* Transactions, for callers outside of store/. */
#include "store/mails.h"

#include "store/sql.h"

int store_batch_begin(struct store_batch *b, struct store *s, struct err *err)
{
	auto_txn struct txn txn = {0};
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		b->open = take(txn.open);
	return rc;
}

int store_batch_commit(struct store_batch *b, const char *doing, struct err *err)
{
	auto_txn struct txn txn = {.open = b->open};

	b->open = NULL;
	return txn_commit(&txn, doing, err);
}

void store_batch_cleanup(struct store_batch *b)
{
	struct txn txn = {.open = b->open};

	b->open = NULL;
	txn_cleanup(&txn);
}
