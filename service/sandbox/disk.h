/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a command writes below the folders that it may write to. A quota would need root and a
 * file system of its own for each slot, so they are watched instead: once a second the file system
 * is asked how much is used (one call), and only when that has grown by a tenth of what is still
 * allowed, or ten seconds have passed, are the folders walked. What is written within a second can
 * so go over the limit before it is seen.
 */
#ifndef FIRN_SANDBOX_DISK_H
#define FIRN_SANDBOX_DISK_H

#include <stdbool.h>
#include <stddef.h>

#define DISK_DIRS_MAX 12

struct disk_use {
	unsigned long bytes; /* on the disk: holes in files are not counted */
	unsigned long files;
};

/* Adds what is below `dir`, or the file of that name, never through a symlink. False, and no
 * further than that, when it is more than `most`, nested deeper than any build is, or kept from
 * being looked into. Files that go away meanwhile are no error. */
bool disk_walk(const char *dir, const struct disk_use *most, struct disk_use *use);

struct disk_watch {
	const char *dir[DISK_DIRS_MAX]; /* or files; NULL at the end; not owned */
	struct disk_use most;
	bool few;  /* files: they are looked at themselves each time, whatever else the disk does */
	bool over; /* found once: stays */

	double looked;	      /* when the file systems were asked: clock_mono() */
	double walked;	      /* and when the folders were looked through */
	struct disk_use used; /* of the file systems then, */
	struct disk_use left; /* and what was still allowed */
};

/* Is it over? Call it as often as you like; `last` when the command has ended. */
bool disk_watch_over(struct disk_watch *w, bool last);
/* "more than 0.5 GiB, or 10000 files, on the disk". The caller frees. */
char *disk_watch_words(const struct disk_watch *w);

#endif
