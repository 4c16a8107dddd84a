// SPDX-License-Identifier: GPL-2.0-or-later
/* api-fill STORE FOLDER: makes a store with something of everything. */
#include "unit/web/api_fill.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;

	if (argc != 3) {
		fputs("usage: api-fill STORE FOLDER\n", stderr);
		return 2;
	}
	if (api_fill(argv[1], argv[2], "mm: <b>tidy</b> \xc3\xbcp\xff", &err) == 0)
		return 0;
	fprintf(stderr, "api-fill: %s\n", err.msg);
	return 1;
}
