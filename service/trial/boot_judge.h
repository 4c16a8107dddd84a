/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A boot beside the base's boot on the same machine. Both are the data of boot jobs. */
#ifndef FIRN_TRIAL_BOOT_JUDGE_H
#define FIRN_TRIAL_BOOT_JUDGE_H

#include <jansson.h>
#include <stdbool.h>

/* How bad it was. */
enum boot_badness {
	BOOT_GOOD,
	BOOT_DOUBTFUL, /* a new stall: a busy host can make one */
	BOOT_BAD, /* did not come up, or warned, oopsed, locked up, or failed one of init's tests */
};

struct boot_verdict {
	enum boot_badness badness;
	char *words;	  /* NULL when good */
	json_t *evidence; /* array; may be NULL */
};

/* `ret` is zeroed. */
void boot_judge(const json_t *base, const json_t *patched, struct boot_verdict *ret);
void boot_verdict_done(struct boot_verdict *v);

/* Did it reach its end? */
bool boot_done(const json_t *data);

#endif
