/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of config_check(). */
#ifndef FIRN_SERVE_CONFIG_CHECKS_H
#define FIRN_SERVE_CONFIG_CHECKS_H

#include "base/conf_section.h"
#include "base/str.h"
#include "serve/config_check.h"

struct checks {
	const char *path;
	const struct config_checker *checker;
	const struct conf *conf;
	unsigned mistakes;
};

enum checks_what { CHECKS_MISTAKE, CHECKS_WARNING };
void checks_say(struct checks *c, enum checks_what what, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Files with secrets: there, readable, not empty, and by nobody else. */
void checks_files(struct checks *c);
/* Addresses, repositories, steps and benchmarks of sections. */
void checks_sections(struct checks *c);
/* What posting and the status pages need. */
void checks_together(struct checks *c);

/* For tests: whether traffic to this address leaves the machine without encryption. */
bool address_in_clear(const char *url);

#endif
