/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU's side of a profile: the plugin that counts (plugin/profile.c) and the file that it writes.
 */
#ifndef FIRN_TESTBEDS_EMULATOR_PROFILE_H
#define FIRN_TESTBEDS_EMULATOR_PROFILE_H

#include "testbeds/testbed.h"

/* Puts a copy of the plugin beside spec->profile, where the sandbox's user can read it, and makes
 * that file, empty, for it to write. `*ret_plugin` is the copy's path; the caller frees and unlinks
 * it. ERR_CONFIG when there is no plugin, or when spec->count is not set: with more than one thread
 * the counts would be wrong. */
must_check int emulator_profile_prepare(const struct boot_spec *spec, char **ret_plugin,
					struct err *err);

#endif
