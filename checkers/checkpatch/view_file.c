// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of files, and what kind of file each is. */
#include "checkers/checkpatch/view_read.h"

static const struct suffix {
	const char *end;
	unsigned kind;
} suffixes[] = {
	{".c", FILE_C},	      {".h", FILE_H},	    {".S", FILE_ASM},	 {".s", FILE_ASM},
	{".mk", FILE_MAKE},   {".dts", FILE_DTS},   {".dtsi", FILE_DTS}, {".dtso", FILE_DTS},
	{".yaml", FILE_YAML}, {".rst", FILE_RST},   {".sh", FILE_SHELL}, {".pl", FILE_PERL},
	{".pm", FILE_PERL},   {".py", FILE_PYTHON}, {".awk", FILE_AWK},	 {".lds", FILE_LD},
	{".txt", FILE_TXT},   {".rs", FILE_RUST},
};

unsigned path_kind(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (str_starts(name, "Kconfig"))
		return FILE_KCONFIG;
	if (str_starts(name, "Makefile") || str_starts(name, "Kbuild"))
		return FILE_MAKE;
	for (size_t i = 0; i < array_size(suffixes); i++)
		if (str_ends(name, suffixes[i].end))
			return suffixes[i].kind;
	return FILE_OTHER;
}

/* A name as it stands after "---" or "+++", without its first folder; NULL for /dev/null. */
static char *name_take(const char *s, size_t n)
{
	const char *slash;
	size_t len = 0;

	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (len < n && s[len] != '\t' && s[len] != '\r' && s[len] != ' ')
		len++;
	if (len == 9 && memcmp(s, "/dev/null", 9) == 0)
		return NULL;
	if (len > 1 && s[0] == '"' && s[len - 1] == '"') {
		s++;
		len -= 2;
	}
	slash = memchr(s, '/', len);
	if (!slash)
		return xmemdup(s, len);
	return xmemdup(slash + 1, len - (size_t)(slash + 1 - s));
}

static bool in_checked_folder(const char *path)
{
	return str_starts(path, "net/") || str_starts(path, "drivers/net/") ||
	       str_starts(path, "drivers/staging/");
}

void file_set_path(struct view_file *f, const char *path)
{
	char *copy = xstrdup(path);

	free(f->path);
	f->path = copy;
	f->kind = path_kind(copy);
	f->checks = in_checked_folder(copy);
}

static void name_set(char **name, char *value)
{
	free(*name);
	*name = value;
}

void file_read_old(struct view_file *f, const char *s, size_t n)
{
	name_set(&f->old_path, name_take(s, n));
	f->is_new = !f->old_path;
	if (f->old_path)
		file_set_path(f, f->old_path);
}

void file_read_new(struct view_file *f, const char *s, size_t n)
{
	name_set(&f->new_path, name_take(s, n));
	f->is_gone = !f->new_path;
	if (f->new_path)
		file_set_path(f, f->new_path);
}

/* "diff --git a/x b/x" tells the name when no "+++" does: modes, renames, binaries. */
void file_read_git(struct view_file *f, const char *s, size_t n)
{
	const char *space;

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\r'))
		n--;
	space = memrchr(s, ' ', n);
	if (!space)
		return;
	file_read_new(f, space + 1, (size_t)(s + n - space - 1));
	if (f->new_path)
		name_set(&f->old_path, xstrdup(f->new_path));
	f->is_new = f->is_gone = false;
}

static uint32_t octal(const char *s, size_t n)
{
	uint32_t mode = 0;

	for (size_t i = 0; i < n && i < 8 && s[i] >= '0' && s[i] <= '7'; i++)
		mode = mode * 8 + (uint32_t)(s[i] - '0');
	return mode;
}

static bool starts(const char *s, size_t n, const char *word, const char **ret_rest)
{
	size_t len = strlen(word);

	*ret_rest = s + len;
	return n >= len && memcmp(s, word, len) == 0;
}

/* "index 1234..5678 100644" */
static void read_index(struct view_file *f, const char *s, size_t n)
{
	const char *dots = memmem(s, n, "..", 2), *space = memchr(s, ' ', n);

	if (!dots)
		return;
	name_set(&f->old_id, xmemdup(s, (size_t)(dots - s)));
	if (space && space > dots)
		f->mode = octal(space + 1, (size_t)(s + n - space - 1));
}

bool file_read_extended(struct view_file *f, const char *s, size_t n)
{
	const char *rest;

	if (starts(s, n, "index ", &rest)) {
		read_index(f, rest, n - (size_t)(rest - s));
		return true;
	}
	if (starts(s, n, "new file mode ", &rest)) {
		f->is_new = true;
		f->mode = octal(rest, n - (size_t)(rest - s));
		return true;
	}
	if (starts(s, n, "new mode ", &rest)) {
		f->mode = octal(rest, n - (size_t)(rest - s));
		return true;
	}
	if (starts(s, n, "deleted file mode ", &rest)) {
		f->is_gone = true;
		return true;
	}
	if (starts(s, n, "rename ", &rest)) {
		f->is_renamed = true;
		return true;
	}
	return starts(s, n, "old mode ", &rest) || starts(s, n, "similarity index ", &rest) ||
	       starts(s, n, "dissimilarity index ", &rest) || starts(s, n, "copy ", &rest);
}

void file_done(struct view_file *f)
{
	free(f->path);
	free(f->old_path);
	free(f->new_path);
	free(f->old_id);
}
