// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/cgroup.h"

#include "base/fs.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define MAIN_GROUP  "firn-main"
#define OWN_MAX	    ((size_t)1 << 16)
#define CONTROLLERS "+memory +pids"

void cgroup_place_done(struct cgroup_place *p)
{
	for (size_t i = 0; i < CGROUP_DIRS; i++)
		free(p->dir[i]);
	free(p->why);
	*p = (struct cgroup_place){0};
}

/* Is `word` one of `n` bytes of words with `sep` between? */
static bool has_word(const char *list, size_t n, char sep, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list, *end = list + n; p < end; p++) {
		const char *stop = memchr(p, sep, (size_t)(end - p)) ?: end;

		if ((size_t)(stop - p) == len && memcmp(p, word, len) == 0)
			return true;
		p = stop;
	}
	return false;
}

/* The path of the line "4:cpu,cpuacct:/path" for a controller, "0::/path" for "". cgroups(7). The
 * caller frees. */
static char *own_path(const char *own, const char *controller)
{
	for (const char *line = own; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strcspn(line, "\n");
		const char *list = memchr(line, ':', n);
		const char *path =
			list ? memchr(list + 1, ':', n - (size_t)(list + 1 - line)) : NULL;
		size_t names = path ? (size_t)(path - list) - 1 : 0;

		if (path && (*controller ? has_word(list + 1, names, ',', controller) : !names))
			return xmemdup(path + 1, n - (size_t)(path + 1 - line));
	}
	return NULL;
}

static char *file_text(const char *dir, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	struct err ignored = ERR_INIT;
	struct str text;

	str_init(&text, OWN_MAX);
	if (fs_read(path, OWN_MAX, ERR_INFRA, &text, &ignored) < 0)
		str_reset(&text);
	while (text.len && text.buf[text.len - 1] == '\n')
		text.buf[--text.len] = '\0';
	return str_take(&text);
}

static bool file_write(const char *dir, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	auto_fd int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static bool lists(const char *dir, const char *name)
{
	auto_free char *text = file_text(dir, name);

	return has_word(text, strlen(text), ' ', "memory") &&
	       has_word(text, strlen(text), ' ', "pids");
}

/* Without cpu the weight is not set, and that is all. */
static bool hands_on(const char *dir)
{
	if (access(dir, W_OK) < 0)
		return false;
	if (lists(dir, "cgroup.subtree_control"))
		return true;
	if (!file_write(dir, "cgroup.subtree_control", CONTROLLERS) ||
	    !lists(dir, "cgroup.subtree_control"))
		return false;
	file_write(dir, "cgroup.subtree_control", "+cpu");
	return true;
}

/* systemd marks what it leaves to others; without root, what it has given to our user. */
static bool is_delegated(const char *dir)
{
	char mark[4] = "";
	struct stat st;

	if (geteuid() != 0)
		return stat(dir, &st) == 0 && st.st_uid == geteuid();
	return (getxattr(dir, "user.delegate", mark, sizeof(mark)) > 0 ||
		getxattr(dir, "trusted.delegate", mark, sizeof(mark)) > 0) &&
	       mark[0] == '1';
}

static void move_processes(const char *from, const char *to)
{
	auto_free char *list = file_text(from, "cgroup.procs");
	char *save = NULL;

	for (char *pid = strtok_r(list, "\n", &save); pid; pid = strtok_r(NULL, "\n", &save))
		file_write(to, "cgroup.procs", pid);
}

/* Somebody may be forked while we look: a few times. */
static bool take_over(const char *dir)
{
	auto_free char *main_group = xasprintf("%s/" MAIN_GROUP, dir);

	if (!is_delegated(dir) || (mkdir(main_group, 0755) < 0 && errno != EEXIST))
		return false;
	for (unsigned i = 0; i < 5; i++) {
		move_processes(dir, main_group);
		if (hands_on(dir))
			return true;
	}
	return false;
}

static char *own_dir(const char *root, const char *own, const char *controller)
{
	auto_free char *path = own_path(own, controller);
	auto_free char *dir = xasprintf("%s%s", root, path && strcmp(path, "/") != 0 ? path : "");

	/* In a container the path may be the host's. */
	return fs_exists(dir) ? take(dir) : xstrdup(root);
}

static bool find_v2(const char *root, const char *own, struct cgroup_place *ret)
{
	auto_free char *dir = own_dir(root, own, "");
	auto_free char *top = xasprintf("%s/firn", root);

	if (!lists(root, "cgroup.controllers"))
		return false;
	if (str_ends(dir, "/" MAIN_GROUP))
		*strrchr(dir, '/') = '\0';
	if (hands_on(dir) || take_over(dir)) {
		ret->dir[0] = take(dir);
	} else if (geteuid() == 0 && hands_on(root) && (mkdir(top, 0755) == 0 || errno == EEXIST) &&
		   hands_on(top)) {
		ret->dir[0] = take(top);
	} else {
		return false;
	}
	ret->version = CGROUP_V2;
	return true;
}

static char *v1_dir(const char *root, const char *own, const char *controller)
{
	auto_free char *top = xasprintf("%s/%s", root, controller);
	auto_free char *dir = own_dir(top, own, controller);

	return access(dir, W_OK) == 0 ? take(dir) : NULL;
}

static bool find_v1(const char *root, const char *own, struct cgroup_place *ret)
{
	auto_free char *memory = v1_dir(root, own, "memory"), *pids = v1_dir(root, own, "pids");

	if (!memory || !pids)
		return false;
	ret->version = CGROUP_V1;
	ret->dir[0] = take(memory);
	ret->dir[1] = take(pids);
	ret->dir[2] = v1_dir(root, own, "cpu");
	return true;
}

void cgroup_place_find(const char *root, const char *own, struct cgroup_place *ret)
{
	bool unified = lists(root, "cgroup.controllers");

	*ret = (struct cgroup_place){0};
	if (find_v2(root, own, ret) || (!unified && find_v1(root, own, ret)))
		return;
	ret->why =
		unified ? xasprintf("the group of this process below %s is not delegated to it "
				    "(systemd: Delegate=yes)",
				    root)
			: xasprintf("there are no groups below %s that this user may make", root);
}
