// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "report/report.h"

int report_html_write(const json_t *report, const char *path, struct err *err)
{
	auto_free char *page = NULL;
	size_t n = 0;
	FILE *mem = open_memstream(&page, &n);
	int rc;

	if (!mem)
		return err_sys(err, ERR_INFRA, "cannot write %s", path);
	rc = report_html(report, mem, err);
	if (fclose(mem) != 0 && rc == 0)
		rc = err_sys(err, ERR_INFRA, "cannot write %s", path);
	return rc < 0 ? rc : fs_write_atomic(path, page, n, err);
}
