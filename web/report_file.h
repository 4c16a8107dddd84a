/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: reading a report that lies in a work folder. */
#ifndef FIRN_WEB_REPORT_FILE_H
#define FIRN_WEB_REPORT_FILE_H

#include "web/response.h"

/* A checked report. A builder may have left anything at its place: what is no regular file (a link,
 * a FIFO that nobody writes to) is refused, and never waited for. Paths of this machine
 * that it tells (older ones do, and those of runs by hand) are names. */
must_check int report_file_read(const struct request *q, const char *path, json_t **ret_report,
				struct err *err);

#endif
