// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/report_file.h"

#include "base/json.h"
#include "report/report.h"
#include "web/work_file.h"
#include <fcntl.h>
#include <sys/stat.h>

#define REPORT_MAX ((size_t)64 << 20)

static int file_open(const char *path, size_t *ret_size, struct err *err)
{
	auto_fd int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(err, ERR_INPUT, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_INPUT, "%s is no regular file", path);
	if ((size_t)st.st_size > REPORT_MAX)
		return err_set(err, ERR_INPUT, "%s is larger than the limit of %zu bytes", path,
			       REPORT_MAX);
	*ret_size = (size_t)st.st_size;
	return take_fd(&fd);
}

int report_file_read(const char *path, json_t **ret_report, struct err *err)
{
	auto_json json_t *report = NULL;
	auto_str struct str text;
	json_error_t wrong;
	size_t size = 0;
	auto_fd int fd = file_open(path, &size, err);
	int rc = 0;

	str_init(&text, REPORT_MAX);
	if (fd < 0)
		return ERR_INPUT;
	if (!work_read(fd, 0, size, &text))
		return err_sys(err, ERR_INPUT, "cannot read %s", path);
	report = json_loadb(text.buf, text.len, JSON_ALLOW_NUL, &wrong);
	if (!report)
		return err_set(err, ERR_INPUT, "%s:%d: %s", path, wrong.line, wrong.text);
	rc = report_check(report, err);
	if (rc == 0)
		*ret_report = take(report);
	return rc;
}
