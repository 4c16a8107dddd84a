// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/evict_disk.h"

#include "base/str.h"
#include <fts.h>
#include <sys/stat.h>

#define BLOCK	    512
#define ALIVE_EVERY 4096

struct sum {
	int64_t used, newest;
};

static struct sum walk(const char *path, void (*alive)(void *ctx), void *ctx)
{
	char *paths[] = {(char *)path, NULL};
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	const FTSENT *e;
	struct sum sum = {0};

	for (size_t n = 1; fts && (e = fts_read(fts)); n++) {
		if (e->fts_info == FTS_F || e->fts_info == FTS_D || e->fts_info == FTS_SL) {
			sum.used += (int64_t)e->fts_statp->st_blocks * BLOCK;
			if (e->fts_info == FTS_F && e->fts_statp->st_mtime > sum.newest)
				sum.newest = e->fts_statp->st_mtime;
		}
		if (alive && n % ALIVE_EVERY == 0)
			alive(ctx);
	}
	if (fts)
		fts_close(fts);
	return sum;
}

int64_t disk_used(const char *path, void (*alive)(void *ctx), void *ctx)
{
	return walk(path, alive, ctx).used;
}

static int by_age(const void *pa, const void *pb)
{
	const struct disk_entry *a = pa, *b = pb;

	return a->last_usage != b->last_usage ? (a->last_usage > b->last_usage ? 1 : -1)
					      : strcmp(a->name, b->name);
}

void disk_list(const char *path, struct disk_list *ret)
{
	auto_dir DIR *dir = opendir(path);
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		auto_free char *at = xasprintf("%s/%s", path, d->d_name);

		if (d->d_name[0] == '.')
			continue;
		struct sum sum = walk(at, NULL, NULL);

		arr_grow(ret->entry, ret->n, ret->cap);
		ret->entry[ret->n++] = (struct disk_entry){.name = xstrdup(d->d_name),
							   .path = take(at),
							   .used = sum.used,
							   .last_usage = sum.newest};
	}
	if (ret->n)
		qsort(ret->entry, ret->n, sizeof(*ret->entry), by_age);
}

void disk_list_done(struct disk_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->entry[i].name);
		free(l->entry[i].path);
	}
	free(l->entry);
	*l = (struct disk_list){0};
}
