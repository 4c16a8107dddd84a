// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as a patch and as a source file, through the native rules. */
#include "fuzz.h"

#include "checkers/checkpatch/checkpatch.h"
#include "checkers/checkpatch/view.h"

static void check(const uint8_t *data, size_t n, const struct checkpatch_options *o)
{
	const struct check_env env = {0};
	struct check_result r = {0};
	struct err err = ERR_INIT;

	if (checkpatch_text(&env, o, (const char *)data, n, &r, &err) < 0)
		abort();
	check_result_done(&r);
}

static void ask(const uint8_t *data, size_t n)
{
	struct view v;

	view_read(&v, (const char *)data, n);
	for (uint32_t i = 0; i < v.n; i++) {
		if (view_line_at(&v, v.line[i].start) != i && v.line[i].len)
			abort();
		(void)view_format_line(&v, i);
		if (v.line[i].hunk != VIEW_NONE)
			(void)view_block(&v, v.line[i].start);
	}
	view_done(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct checkpatch_options patch = {.strict = true, .new_only = true},
					source = {.is_source = true, .path = "net/fuzz.c"};

	check(data, n, &patch);
	check(data, n, &source);
	ask(data, n);
	return 0;
}
