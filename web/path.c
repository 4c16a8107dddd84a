// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/path.h"

#include "web/decode.h"

/* Each takes the bytes of one hole. */
static bool read_number(const char *s, size_t n, int64_t *ret)
{
	bool digits = n && n <= 18;

	for (size_t i = 0; i < n && digits; i++)
		digits = s[i] >= '0' && s[i] <= '9';
	if (!digits || (*s == '0' && n > 1))
		return false;
	*ret = strtoll(s, NULL, 10);
	return true;
}

static bool read_id(const char *s, size_t n, struct path_parts *ret)
{
	if (!ret->id)
		return read_number(s, n, &ret->id) && ret->id;
	return read_number(s, n, &ret->id2);
}

static char *decoded(const char *s, size_t n, size_t max)
{
	auto_str struct str out;

	str_init(&out, max);
	return percent_decode(&out, s, n, false) && out.len ? str_take(&out) : NULL;
}

static bool read_name(const char *s, size_t n, struct path_parts *ret)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789._+-";
	auto_free char *name = decoded(s, n, PATH_NAME_MAX);

	if (!name || name[strspn(name, letters)] || !name[strspn(name, ".")])
		return false;
	ret->name = take(name);
	return true;
}

static bool read_rest(const char *s, size_t n, struct path_parts *ret)
{
	auto_free char *rest = decoded(s, n, PATH_REST_MAX);

	if (!rest)
		return false;
	for (const unsigned char *c = (const unsigned char *)rest; *c; c++)
		if (*c < ' ' || *c == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0)) /* C1 too */
			return false;
	ret->rest = take(rest);
	return true;
}

static const struct hole {
	const char *text;
	bool rest; /* a / does not end it */
	bool (*read)(const char *s, size_t n, struct path_parts *ret);
} holes[] = {
	{"{id}", false, read_id},
	{"{name}", false, read_name},
	{"{rest}", true, read_rest},
};

static const struct hole *hole_at(const char *pattern)
{
	for (size_t i = 0; i < array_size(holes); i++)
		if (str_starts(pattern, holes[i].text))
			return &holes[i];
	return NULL;
}

/* How many bytes of the path a hole takes; what follows it in the pattern is of the same word, or
 * the end. */
static size_t hole_length(const struct hole *hole, const char *after, const char *path)
{
	size_t n = hole->rest ? strlen(path) : strcspn(path, "/");
	size_t n_after = strcspn(after, "/");

	if (n_after && n > n_after && strncmp(path + n - n_after, after, n_after) == 0)
		n -= n_after;
	return n;
}

static bool match(const char *pattern, const char *path, struct path_parts *ret)
{
	while (*pattern) {
		const struct hole *hole = hole_at(pattern);

		if (hole) {
			pattern += strlen(hole->text);
			size_t n = hole_length(hole, pattern, path);

			if (!hole->read(path, n, ret))
				return false;
			path += n;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return !*path;
}

bool path_match(const char *pattern, const char *path, struct path_parts *ret)
{
	struct path_parts parts = {0};

	if (!match(pattern, path, &parts)) {
		path_parts_done(&parts);
		return false;
	}
	*ret = parts;
	return true;
}

void path_parts_done(struct path_parts *p)
{
	free(p->name);
	free(p->rest);
	*p = (struct path_parts){0};
}
