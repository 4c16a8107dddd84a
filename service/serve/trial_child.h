/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One trial of the service, in a process of its own: `firn trial ID`, which the engine starts.
 *
 * DATA/trials/ID holds what it is made of and what comes of it: input/ (the mails as they were when
 * it first began), base.json (the base that was chosen then), mails/, jobs/, report.json and
 * report.html. A trial that was interrupted begins again there: what its jobs found is not found
 * out a second time.
 */
#ifndef FIRN_SERVE_TRIAL_CHILD_H
#define FIRN_SERVE_TRIAL_CHILD_H

#include "base/conf.h"
#include "store/mails.h"
#include "store/queue.h"

struct trial_child {
	struct conf *conf; /* what the plan pins is set in it */
	const char *data_dir, *cache_dir;
	struct store *store;
	int64_t id;
};

/* Waits until standard input has a byte: then the store knows this process. False: it never will.
 */
bool trial_child_wait(int fd);

/* Runs the trial and leaves it finished, or waiting with the reason. An error when the store cannot
 * be written, or when it was cancelled: the trial is then for the engine to put back. */
must_check int trial_child_run(const struct trial_child *c, struct err *err);

/* DATA/trials/ID; the caller frees. */
char *trial_child_dir(const char *data_dir, int64_t id);

/* Ends a trial as an error of ours: says so on Patchwork where something is pending. */
struct trial_child_lost {
	const struct conf *conf;
	struct store *store;
	int64_t id;
};
must_check int trial_child_give_up(const struct trial_child_lost *lost, const char *words,
				   struct err *err);

/* trial_input.c: writes the mails of a posting, and those around it, into `dir`; once. */
must_check int trial_input_write(struct store *s, const struct store_posting *posting,
				 const char *dir, struct err *err);
/* The series in its list's archive; NULL: it has none. The caller frees. */
char *trial_input_link(const struct conf *conf, const struct store_posting *posting);

#endif
