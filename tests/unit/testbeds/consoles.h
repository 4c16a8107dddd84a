/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Consoles in and boot results out, for the tests here. */
#ifndef FIRN_TESTS_CONSOLES_H
#define FIRN_TESTS_CONSOLES_H

#include "tests/unit/unit.h"

#include "base/fs.h"
#include "testbeds/console.h"

static inline void console_fixture(const char *name, struct str *ret)
{
	auto_free char *path = xasprintf(FIXTURES "/consoles/%s.console", name);
	struct err err = ERR_INIT;

	str_init(ret, 0);
	assert_ok(fs_read(path, (size_t)1 << 20, ERR_INPUT, ret, &err), &err);
}

/* `piece`: how many bytes are fed at a time; 0: all. */
static inline void console_read(const char *text, size_t n, size_t piece, enum console_machine how,
				struct boot_result *ret)
{
	struct console c;

	if (!piece)
		piece = n ? n : 1;
	*ret = (struct boot_result){0};
	console_init(&c, 0);
	for (size_t at = 0; at < n; at += piece)
		console_feed(&c, text + at, n - at < piece ? n - at : piece);
	console_finish(&c, how, 30, ret);
	console_done(&c);
}

static inline void console_says(const char *text, struct boot_result *ret)
{
	console_read(text, strlen(text), 0, CONSOLE_EXITED, ret);
}

static inline bool complaint_shows(const struct complaint *c, const char *word)
{
	for (size_t i = 0; i < c->n_lines; i++)
		if (strstr(c->line[i], word))
			return true;
	return false;
}

#endif
