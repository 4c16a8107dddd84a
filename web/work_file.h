/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: reading below the work folder of a trial. What is there was made by tools that ran
 * strangers' code: no link is followed, and only regular files are read. */
#ifndef FIRN_WEB_WORK_FILE_H
#define FIRN_WEB_WORK_FILE_H

#include "base/str.h"
#include <stdint.h>

#define WORK_PATH_MAX 256

/* A word of a path that firn made: letters, digits, ._+:=@,- and no dot at its beginning. */
bool work_word_ok(const char *s, size_t n);
/* Words with a / between them. */
bool work_path_ok(const char *path);

/* Opens "jobs/03-build/log" for reading: a regular file. -1 for everything else, and for a path
 * that is not as above. */
int work_open(const char *work_dir, const char *path, int64_t *ret_size);
/* The same for a folder. */
int work_open_dir(const char *work_dir, const char *path);

/* pread(2) from there until `n` bytes came or the file ends. */
bool work_read(int fd, int64_t from, size_t n, struct str *ret);

#endif
