/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What make is called with, for a build in the sandbox and for a person who repeats it. */
#ifndef FIRN_KERNEL_BUILDERS_MAKE_H
#define FIRN_KERNEL_BUILDERS_MAKE_H

#include "kernel-builders/builder.h"
#include "kernel-builders/words.h"

struct make_place {
	const char *src, *build, *config; /* folders, and the file for KCONFIG_ALLCONFIG */
	unsigned jobs;			  /* 0: make -j$(nproc) for a person */
};

/* make with what every call has. */
void make_begin(struct words *w, const struct builder *b, const struct make_place *at);
/* W=, C= and what they need: for calls that compile. */
void make_levels(struct words *w, const struct builder *b);
/* The target that makes the base configuration. */
const char *make_config_target(const struct builder *b);
/* Do fragments go into .config behind it, to be followed by olddefconfig? */
bool make_config_appends(const struct builder *b);
/* What make is asked for: "vmlinux modules" or what the row says. Without "modules" where the text
 * `config` (NULL: not known) has CONFIG_MODULES off: make would end badly. "": nothing. The caller
 * frees. */
char *make_targets(const struct builder *b, const char *config);
/* Do these targets make modules, given that CONFIG_MODULES is on? */
bool make_targets_modules(const char *targets);
/* Is an option such as "CONFIG_MODULES" y in a text in the form of .config? */
bool make_config_is_on(const char *config, const char *option);
/* Does the row make a vmlinux? */
bool make_has_vmlinux(const struct builder *b);

#endif
