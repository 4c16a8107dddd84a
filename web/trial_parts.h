/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what the pages about a trial share. */
#ifndef FIRN_WEB_TRIAL_PARTS_H
#define FIRN_WEB_TRIAL_PARTS_H

#include "web/html.h"

/* It waits or runs: there is more to come. */
bool trial_is_open(const struct store_trial *t);
/* Links to what the page is a part of; `here` is markup, NULL on the trial's own page. */
void crumbs(struct str *out, const struct store_trial *t, const char *here);
/* A word for html_word(). */
const char *step_word(const struct store_step *s);
/* What it is doing, where it runs. */
void step_progress(struct str *out, const struct store_step *s);
/* How long it took, or takes so far. */
void step_time(struct str *out, const struct store_step *s);

#endif
