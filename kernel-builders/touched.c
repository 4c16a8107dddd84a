// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/touched.h"

#include "base/cleanup.h"

/* Programs of the host, and what is not built with a kernel's configuration. */
static const char *const elsewhere[] = {"tools/", "scripts/", "Documentation/", "samples/", "usr/"};

bool touched_is_plain(const char *path)
{
	return path[0] != '-' && path[0] != '/' && !strstr(path, "..") &&
	       !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-+.,/@")];
}

char *touched_object(const char *path)
{
	static const char *const endings[][2] = {{".c", ".o"}, {".S", ".o"}};
	size_t n = strlen(path);

	for (size_t i = 0; i < array_size(elsewhere); i++)
		if (str_starts(path, elsewhere[i]))
			return NULL;
	/* Included by others, or run on the host. */
	if (!touched_is_plain(path) || !strchr(path, '/') || str_ends(path, ".lds.S") ||
	    str_ends(path, ".mod.c") || (str_starts(path, "arch/") && strstr(path, "/boot/")))
		return NULL;
	for (size_t i = 0; i < array_size(endings); i++)
		if (str_ends(path, endings[i][0]))
			return xasprintf("%.*s%s", (int)(n - strlen(endings[i][0])), path,
					 endings[i][1]);
	return NULL;
}

bool touched_any(const char *const *paths)
{
	for (; *paths; paths++) {
		auto_free char *object = touched_object(*paths);

		if (object)
			return true;
	}
	return false;
}

bool touched_has_unit(const char *const *paths, const char *unit)
{
	const char *target = strchr(unit, ' ');

	if (!target)
		return true;
	for (; *paths; paths++) {
		auto_free char *object = touched_object(*paths);

		if (object && (strcmp(target + 1, object) == 0 || strcmp(target + 1, *paths) == 0))
			return true;
	}
	return false;
}
