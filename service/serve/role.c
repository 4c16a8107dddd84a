// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/role.h"

#include "base/clock.h"
#include "base/proc.h"
#include <math.h>
#include <poll.h>

const struct role *const roles[] = {&role_intake, &role_engine, &role_post, NULL};

/* SQLite tells of changes by others only when asked: so often is quick enough for people, and costs
 * a read of one page. */
#define LOOK_S 0.25

/* A store that cannot be read now (busy, disk) is looked at again. */
static int64_t version_now(const struct role_env *env, int64_t before)
{
	struct err ignored = ERR_INIT;
	int64_t version = before;

	if (store_data_version(env->store, &version, &ignored) < 0)
		return before;
	return version;
}

bool role_wait(const struct role_env *env, double until)
{
	int64_t before = version_now(env, 0);

	while (!cancel_requested()) {
		struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};
		double left = until - clock_mono();

		if (env->alive)
			env->alive(env->ctx);
		if (left <= 0 || version_now(env, before) != before)
			return true;
		if (poll(&cancel, 1, (int)ceil(fmin(left, LOOK_S) * 1000)) < 0 && errno != EINTR)
			return true;
	}
	return false;
}
