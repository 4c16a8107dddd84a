// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/complaint.h"

const char *boot_end_name(enum boot_end e)
{
	static const char *const names[] = {
		[BOOT_DONE] = "done",	  [BOOT_PANIC] = "panic",   [BOOT_HANG] = "hang",
		[BOOT_SILENT] = "silent", [BOOT_EXITED] = "exited", [BOOT_TESTBED] = "testbed",
	};

	return names[e];
}

void boot_result_done(struct boot_result *r)
{
	for (size_t i = 0; i < r->n_complaints; i++)
		complaint_done(&r->complaint[i]);
	for (size_t i = 0; i < r->n_tests; i++) {
		free(r->test[i].name);
		free(r->test[i].note);
	}
	free(r->complaint);
	free(r->test);
	free(r->reason);
	str_done(&r->console);
	*r = (struct boot_result){0};
}
