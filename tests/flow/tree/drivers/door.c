// SPDX-License-Identifier: GPL-2.0-or-later

/* Is it open? */
static int open_now;

int door_open(void)
{
	open_now = 1;
	return open_now;
}

int door_close(void)
{
	open_now = 0;
	return open_now;
}
