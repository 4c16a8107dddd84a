/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How somebody without firn comes to a commit of ours: builds[].commands in ../report/SCHEMA.md. */
#ifndef FIRN_TRIAL_BY_HAND_H
#define FIRN_TRIAL_BY_HAND_H

#include "trial/run.h"

/* The commit to check out: the base. What firn put on top of it is in firn's own repository alone,
 * and is never named. */
const git_oid *by_hand_base(const struct trial *t);

/* Puts the commands behind the first (the checkout) that apply what the series needs, in order, and
 * then its own first `k` patches: a line each series. By message ID with b4(1); mails that have
 * none by their files in the work folder. */
void by_hand_apply(const struct trial *t, size_t k, json_t *commands);

#endif
