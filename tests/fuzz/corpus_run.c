// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a fuzz target on files, and on the files in folders: corpus-run PATH... */
#include "fuzz.h"

#include "base/fs.h"
#include <dirent.h>
#include <sys/stat.h>

#define INPUT_MAX ((size_t)16 << 20)

static int file_run(const char *path, struct err *err)
{
	auto_str struct str text;
	uint8_t *exact;
	int rc;

	str_init(&text, INPUT_MAX);
	rc = fs_read(path, INPUT_MAX, ERR_INPUT, &text, err);
	if (rc)
		return rc;
	/* In memory of just its size, so that the sanitizer sees the first byte behind it. */
	exact = xmalloc(text.len ? text.len : 1);
	memcpy(exact, text.buf, text.len);
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(exact, text.len);
	free(exact);
	return 0;
}

static int path_run(const char *path, size_t *count, struct err *err)
{
	auto_dir DIR *dir = opendir(path);
	const struct dirent *e;
	int rc = 0;

	if (!dir) {
		++*count;
		return file_run(path, err);
	}
	while (!rc && (e = readdir(dir))) {
		auto_free char *file = xasprintf("%s/%s", path, e->d_name);

		if (e->d_name[0] == '.')
			continue;
		++*count;
		rc = file_run(file, err);
	}
	return rc;
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		if (path_run(argv[i], &count, &err)) {
			fprintf(stderr, "%s\n", err.msg);
			return 1;
		}
	}
	if (!count)
		fprintf(stderr, "there is nothing to run\n");
	return count ? 0 : 1;
}
