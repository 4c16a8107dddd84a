/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every cmocka program here needs. */
#ifndef FIRN_TESTS_UNIT_H
#define FIRN_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"

/* Fails with firn's own message. */
#define assert_ok(call, err)                                                                       \
	do {                                                                                       \
		if ((call) < 0)                                                                    \
			fail_msg("%s: %s", #call, (err)->msg);                                     \
	} while (0)

/* The call fails with this kind, and its message holds this text. */
#define assert_err(call, err, want_kind, want_text)                                                \
	do {                                                                                       \
		assert_int_equal((call), (want_kind));                                             \
		if (!strstr((err)->msg, (want_text)))                                              \
			fail_msg("message \"%s\" lacks \"%s\"", (err)->msg, (want_text));          \
	} while (0)

#endif
