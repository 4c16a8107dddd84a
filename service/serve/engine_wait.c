// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/engine.h"

int64_t engine_backoff(unsigned tries)
{
	unsigned shift = tries > 1 ? tries - 1 : 0;

	return shift > 5 ? ENGINE_WAIT_MAX : (int64_t)ENGINE_WAIT_MIN << shift;
}

/* As long again as it has been waiting. A clock that went back counts as no time. */
int64_t engine_backoff_since(int64_t since, int64_t now)
{
	int64_t waited = now - since;

	return waited < ENGINE_WAIT_MIN	  ? ENGINE_WAIT_MIN
	       : waited > ENGINE_WAIT_MAX ? ENGINE_WAIT_MAX
					  : waited;
}
