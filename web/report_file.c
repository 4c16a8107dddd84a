// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/report_file.h"

#include "base/json.h"
#include "base/local_names.h"
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

/* What was given to a run by hand stands in the command that repeats it: "firn run /a/b.mbox --tree
 * '/a/my linux' --testbed replay:/a/boots". */
static void names_of_command(struct local_names *l, const char *command)
{
	while (*command) {
		size_t n = *command == '\'' ? 1 + strcspn(command + 1, "'") : strcspn(command, " ");
		auto_free char *word =
			xmemdup(command + (*command == '\''), n - (*command == '\''));
		const char *colon = strstr(word, ":/");

		if (word[0] == '/') {
			local_names_add_base(l, word);
		} else if (colon && colon[2] != '/') {
			auto_free char *label = testbed_label(word);

			local_names_add(l, colon + 1, label);
		}
		command += n;
		command += strspn(command, "' ");
	}
}

static void paths_name(const struct request *q, json_t *report)
{
	const json_t *base = json_object_get(report, "base");
	const char *tree = json_get_str(base, "tree", NULL),
		   *name = json_get_str(base, "name", NULL);
	const char *store = q->opt->store_path, *slash = strrchr(store, '/');
	auto_free char *dir = xmemdup(store, slash ? (size_t)(slash - store) : 0);
	auto_local_names struct local_names names = {0};

	local_names_conf(&names, q->opt->conf, dir, q->opt->cache_dir);
	if (tree && name)
		local_names_add(&names, tree, name);
	names_of_command(&names, json_get_str(report, "repeat", ""));
	local_names_json(&names, report);
}

int report_file_read(const struct request *q, const char *path, json_t **ret_report,
		     struct err *err)
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
	if (rc < 0)
		return rc;
	paths_name(q, report);
	*ret_report = take(report);
	return 0;
}
