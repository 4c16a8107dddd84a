/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the files that pages refer to, embedded, each under a name that holds its hash: such
 * a name never means anything else, so browsers keep it. */
#ifndef FIRN_WEB_ASSET_H
#define FIRN_WEB_ASSET_H

#include <stdbool.h>
#include <stddef.h>

/* "/assets/style-0123456789ab.css" for "style.css"; NULL when this firn was built without it
 * (plots: uPlot.js, uPlot.css). Constant. */
const char *asset_path(const char *name);

#endif
