/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `firn status` knows, as JSON:
 *
 *	serve: pid (0: does not run), post; sources: as object_source() of store/objects.h has them,
 *	with good_age (seconds; missing: never); mails: all, new, postings, incomplete; trials:
 *	running, waiting, finished, now (trial, list, title, message_id, step, done, total, left,
 *	progress); testbeds: object_testbed(); outbox: open, held, failed; disks: path, free, size
 *	(bytes); limits: what bounded the last build, "cgroup-v2" (null: none yet)
 */
#ifndef FIRN_COMMANDS_STATUS_MAKE_H
#define FIRN_COMMANDS_STATUS_MAKE_H

#include "base/json.h"
#include "commands/service.h"

must_check int status_make(struct service *s, const char *cache_dir, json_t **ret_status,
			   struct err *err);

#endif
