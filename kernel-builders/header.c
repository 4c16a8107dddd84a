// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/header.h"

#include "base/cleanup.h"
#include "base/str.h"

/* A short name is in many paths. */
#define NAME_MIN 5
/* "drivers/gpu/drm/": so much is one part of the tree. */
#define PART_DEPTH 3

/* Behind arch/ARCH/; NULL: it is not there. */
static const char *in_arch(const char *path)
{
	const char *rest = str_starts(path, "arch/") ? strchr(path + strlen("arch/"), '/') : NULL;

	return rest ? rest + 1 : NULL;
}

struct header header_of(const char *path)
{
	static const char uapi[] = "uapi/", include[] = "include/";
	const char *top = in_arch(path) ?: path;
	struct header h = {.path = path};

	if (!str_starts(top, include))
		return h;
	h.name[0] = top + strlen(include);
	/* Those of include/uapi/ are found by both; what is of the same name in include/ includes
	 * them. */
	if (str_starts(h.name[0], uapi))
		h.name[1] = h.name[0] + strlen(uapi);
	return h;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* # include <x.h> */
static void line_read(const char *p, const char *end, struct str *s)
{
	static const char include[] = "include";
	size_t n = strlen(include);
	const char *close;

	p = skip_blanks(p, end);
	if (p == end || *p++ != '#')
		return;
	p = skip_blanks(p, end);
	if ((size_t)(end - p) <= n || strncmp(p, include, n) != 0)
		return;
	p = skip_blanks(p + n, end);
	if (p == end || (*p != '<' && *p != '"'))
		return;
	close = memchr(p + 1, *p == '<' ? '>' : '"', (size_t)(end - p - 1));
	if (close)
		str_addf(s, "%.*s\n", (int)(close - p), p);
}

char *header_includes(const char *text, size_t n)
{
	const char *end = text + n;
	auto_str struct str s;

	str_init(&s, 0);
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text)) ?: end;

		line_read(text, newline, &s);
		text = newline + (newline < end);
	}
	return str_take(&s);
}

/* `name` as the compiler looks for it first: beside the file. NULL: outside of the tree. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 0;

	for (; str_starts(name, "../"); name += strlen("../")) {
		if (!n)
			return NULL;
		for (n--; n && path[n - 1] != '/';)
			n--;
	}
	return xasprintf("%.*s%s", (int)n, path, str_starts(name, "./") ? name + 2 : name);
}

/* How many folders, and what is the length of the first `most`? */
static size_t depth_of(const char *path, size_t most, size_t *ret_len)
{
	size_t depth = 0;

	*ret_len = 0;
	for (const char *slash = strchr(path, '/'); slash && depth < most;
	     slash = strchr(slash + 1, '/'), depth++)
		*ret_len = (size_t)(slash - path) + 1;
	return depth;
}

static bool same_part(const char *a, const char *b)
{
	size_t n;

	depth_of(a, PART_DEPTH, &n);
	return n && strncmp(a, b, n) == 0;
}

static bool ends_with_name(const char *path, const char *name)
{
	size_t n = strlen(path), k = strlen(name);

	return n > k && path[n - k - 1] == '/' && strcmp(path + n - k, name) == 0;
}

/* `quoted`: what is beside the file goes first. */
static bool is_it(const struct header *h, const char *path, const char *name, bool quoted,
		  header_has_fn *has, void *ctx)
{
	auto_free char *near = quoted ? beside(path, name) : NULL;

	if (near && strcmp(near, h->path) == 0)
		return true;
	if (near && has(ctx, near))
		return false;
	for (size_t i = 0; i < array_size(h->name) && h->name[i]; i++)
		if (strcmp(h->name[i], name) == 0)
			return true;
	return !h->name[0] && same_part(h->path, path) && ends_with_name(h->path, name);
}

bool header_is_included(const struct header *h, const char *path, const char *includes,
			header_has_fn *has, void *ctx)
{
	const char *base = strrchr(h->path, '/') ? strrchr(h->path, '/') + 1 : h->path;

	for (size_t n; *includes; includes += n + 1) {
		auto_free char *name = NULL;

		n = strcspn(includes, "\n");
		/* Most are none of it. */
		if (n < strlen(base) + 1 ||
		    strncmp(includes + n - strlen(base), base, strlen(base)) != 0)
			continue;
		name = xmemdup(includes + 1, n - 1);
		if (is_it(h, path, name, includes[0] == '"', has, ctx))
			return true;
	}
	return false;
}

/* include/linux/NAME/x.h, include/NAME/x.h, include/linux/NAME.h: NAME; NULL: it is in no include/.
 */
static char *subsystem(const char *path)
{
	const char *name = header_of(path).name[0], *slash;

	if (name && str_starts(name, "uapi/"))
		name += strlen("uapi/");
	if (name && str_starts(name, "linux/"))
		name += strlen("linux/");
	slash = name ? strchr(name, '/') : NULL;
	return name ? xmemdup(name, slash ? (size_t)(slash - name) : strcspn(name, ".")) : NULL;
}

char *header_home(const char *path, header_has_fn *has, void *ctx)
{
	/* Where the folder of a subsystem is, that its headers are named after. */
	static const char *const above[] = {"",	   "kernel/", "drivers/", "drivers/gpu/",
					    "fs/", "lib/",    "security/"};
	auto_free char *name = subsystem(path);
	const char *rest = in_arch(path), *slash = strrchr(path, '/');

	if (!header_of(path).name[0])
		return xmemdup(path, slash ? (size_t)(slash - path) + 1 : 0);
	if (rest)
		return xmemdup(path, (size_t)(rest - path));
	for (size_t i = 0; name && i < array_size(above); i++) {
		auto_free char *home = xasprintf("%s%s/", above[i], name);

		if (has(ctx, home))
			return take(home);
	}
	return xstrdup("");
}

static size_t stem_of(const char *path, const char **ret)
{
	const char *slash = strrchr(path, '/');

	*ret = slash ? slash + 1 : path;
	return strcspn(*ret, ".");
}

/* 0: of the same name; 1: its path has the name; 2: neither. */
static unsigned name_class(const char *header, const char *path)
{
	const char *of_header, *of_path;
	size_t n = stem_of(header, &of_header), k = stem_of(path, &of_path);

	if (n < NAME_MIN || !memmem(path, strlen(path), of_header, n))
		return 2;
	return n != k || strncmp(of_header, of_path, n) != 0;
}

bool header_is_namesake(const char *header, const char *path)
{
	return name_class(header, path) == 0;
}

unsigned header_distance(const char *header, const char *home, const char *path)
{
	size_t home_len, path_len, shared = 0;
	size_t up = depth_of(home, 100, &home_len), down = depth_of(path, 100, &path_len);

	for (size_t i = 0; i < home_len && i < path_len && home[i] == path[i]; i++)
		shared += home[i] == '/';
	return name_class(header, path) * 65536 + (unsigned)(up - shared) * 256 +
	       (unsigned)(down - shared);
}
