/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: how far each epoch of a list was read, as text: "0:COMMIT 1:COMMIT". */
#ifndef FIRN_INTAKE_LORE_CURSOR_H
#define FIRN_INTAKE_LORE_CURSOR_H

#include "base/err.h"
#include "base/str.h"

/* A list with more epochs than this is none. */
#define LORE_EPOCHS_MAX 1000

struct lore_cursor {
	struct lore_place {
		unsigned epoch;
		git_oid commit;
	} * place; /* by epoch */
	size_t n, cap;
};
/* ERR_INFRA when the text is no cursor. */
must_check int cursor_read(const char *text, struct lore_cursor *ret, struct err *err);
void cursor_done(struct lore_cursor *c);
/* NULL: this epoch was not read. */
const git_oid *cursor_get(const struct lore_cursor *c, unsigned epoch);
void cursor_put(struct lore_cursor *c, unsigned epoch, const git_oid *commit);
/* The caller frees. */
char *cursor_text(const struct lore_cursor *c);

#endif
