// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/outcome.h"

#include "base/cleanup.h"
#include <string.h>

static const char *const names[] = {
	[OUTCOME_SKIP] = "skip",   [OUTCOME_PASS] = "pass", [OUTCOME_WARN] = "warn",
	[OUTCOME_ERROR] = "error", [OUTCOME_FAIL] = "fail",
};

const char *outcome_name(enum outcome o)
{
	return o < array_size(names) ? names[o] : "error";
}

enum outcome outcome_parse(const char *name)
{
	for (size_t i = 0; i < array_size(names); i++)
		if (name && strcmp(names[i], name) == 0)
			return (enum outcome)i;
	return OUTCOME_ERROR;
}

enum outcome outcome_worse(enum outcome a, enum outcome b)
{
	return a > b ? a : b;
}
