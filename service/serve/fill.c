// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/fill.h"

#include "base/clock.h"
#include "base/log.h"

#define TELL_S 30.0

void fill_tell(struct fill *f, const char *what, int64_t left)
{
	if (!f->begun) {
		f->total = left;
		f->next_tell = clock_mono() + TELL_S;
		log_info("the store is of an older firn: %s are filled in, %lld", what,
			 (long long)left);
	} else if (left == 0) {
		log_info("%s: all %lld are filled in", what, (long long)f->total);
	} else if (clock_mono() >= f->next_tell) {
		f->next_tell = clock_mono() + TELL_S;
		log_info("%s: %lld of %lld are filled in", what, (long long)(f->total - left),
			 (long long)f->total);
	}
	f->begun = true;
}
