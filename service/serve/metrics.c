// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/metrics.h"

#include "store/metrics.h"
#include <sys/statvfs.h>

bool metrics_disk(const char *dir, double *ret_free, double *ret_size)
{
	struct statvfs v;

	if (statvfs(dir, &v) < 0)
		return false;
	*ret_free = (double)v.f_bavail * (double)v.f_frsize;
	*ret_size = (double)v.f_blocks * (double)v.f_frsize;
	return true;
}

static void disk(struct str *ret, const char *name, const char *help, bool want_free,
		 const char *const *dirs)
{
	metrics_family(ret, name, "gauge", help);
	for (size_t i = 0; dirs[i]; i += 2) {
		const char *label[] = {"folder", dirs[i], NULL};
		double free_bytes, size;

		if (metrics_disk(dirs[i + 1], &free_bytes, &size))
			metrics_sample(ret, name, label, want_free ? free_bytes : size);
	}
}

int metrics_write(struct store *s, const char *data_dir, const char *cache_dir, struct str *ret,
		  struct err *err)
{
	const char *dirs[] = {"data", data_dir, "cache", cache_dir, NULL};
	const char *version[] = {"version", FIRN_VERSION, NULL};

	metrics_family(ret, "firn_build_info", "gauge", "The firn that tells this.");
	metrics_sample(ret, "firn_build_info", version, 1);
	disk(ret, "firn_disk_free_bytes", "Room on the file system of a folder.", true, dirs);
	disk(ret, "firn_disk_size_bytes", "Size of the file system of a folder.", false, dirs);
	return store_metrics(s, ret, err);
}
