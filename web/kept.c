// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/kept.h"

#include <sys/stat.h>

static bool is_current(const struct kept *k)
{
	struct stat st;

	return k->store && stat(k->path, &st) == 0 && st.st_dev == k->dev && st.st_ino == k->ino;
}

int kept_store(struct kept *k, struct store **ret_store, struct err *err)
{
	struct stat st = {0};
	int rc;

	if (is_current(k)) {
		*ret_store = k->store;
		return 0;
	}
	kept_done(k);
	/* Looked at before it is opened: one that is replaced between is opened once more. */
	if (stat(k->path, &st) < 0)
		return err_sys(err, ERR_CONFIG, "%s", k->path);
	rc = store_open(k->path, STORE_READ, &k->store, err);
	if (rc < 0)
		return rc;
	k->dev = st.st_dev;
	k->ino = st.st_ino;
	k->opened++;
	*ret_store = k->store;
	return 0;
}

struct kept_version kept_version(struct kept *k)
{
	struct kept_version v = {0};
	struct err err = ERR_INIT;
	struct store *store;

	if (kept_store(k, &store, &err) == 0 && store_data_version(store, &v.version, &err) == 0)
		v.opened = k->opened;
	return v;
}

void kept_done(struct kept *k)
{
	if (k->store)
		store_close(k->store);
	k->store = NULL;
}
