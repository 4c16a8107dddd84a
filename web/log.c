// SPDX-License-Identifier: GPL-2.0-or-later
/* Which files of a work folder are logs. */
#include "web/log.h"

#include "web/work_file.h"
#include <dirent.h>

#define JOBS "jobs"

static bool is_log(const char *file)
{
	return strcmp(file, "log") == 0 || str_ends(file, ".log") || str_ends(file, ".console") ||
	       str_ends(file, ".profile");
}

bool log_name_ok(const char *name)
{
	const char *job = str_starts(name, JOBS "/") ? name + strlen(JOBS "/") : "";
	const char *slash = strchr(job, '/');

	return slash && work_path_ok(name) && is_log(slash + 1);
}

int log_open(const char *work_dir, const char *name, int64_t *ret_size)
{
	return log_name_ok(name) ? work_open(work_dir, name, ret_size) : -1;
}

void log_list_done(struct log_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	*l = (struct log_list){0};
}

static void list_add(struct log_list *l, const char *job, const char *file)
{
	if (l->n == LOG_LIST_MAX) {
		l->more = true;
		return;
	}
	arr_grow(l->name, l->n, l->cap);
	l->name[l->n++] = xasprintf(JOBS "/%s/%s", job, file);
}

/* Is this job's folder, "03-build-base", one of the step's? */
static bool belongs(const char *job, const char *step)
{
	size_t digits = strspn(job, "0123456789"), n = step ? strlen(step) : 0;
	const char *name = job + digits + 1;

	if (!digits || job[digits] != '-' || !work_word_ok(job, strlen(job)))
		return false;
	return !step || (strncmp(name, step, n) == 0 && (!name[n] || name[n] == '-'));
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void list_sort(struct log_list *l)
{
	if (l->n)
		qsort(l->name, l->n, sizeof(*l->name), by_version);
}

void log_list_jobs(const char *work_dir, const char *step, struct log_list *ret)
{
	auto_fd int fd = work_open_dir(work_dir, JOBS);
	auto_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (!dir)
		return;
	fd = -1; /* the DIR's */
	while ((e = readdir(dir)))
		if (belongs(e->d_name, step))
			list_add(ret, e->d_name, "log");
	list_sort(ret);
}

static void list_files(const char *work_dir, const char *job, struct log_list *ret)
{
	auto_free char *path = xasprintf(JOBS "/%s", job);
	auto_fd int fd = work_open_dir(work_dir, path);
	auto_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (!dir)
		return;
	fd = -1;
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, "log") != 0 && is_log(e->d_name) &&
		    work_word_ok(e->d_name, strlen(e->d_name)))
			list_add(ret, job, e->d_name);
}

void log_list_others(const char *work_dir, const char *step, struct log_list *ret)
{
	auto_log_list struct log_list jobs = {0};

	log_list_jobs(work_dir, step, &jobs);
	for (size_t i = 0; i < jobs.n; i++) {
		const char *job = jobs.name[i] + strlen(JOBS "/");
		auto_free char *name = xmemdup(job, strcspn(job, "/"));

		list_files(work_dir, name, ret);
	}
	list_sort(ret);
}
