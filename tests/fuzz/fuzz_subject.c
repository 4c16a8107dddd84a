// SPDX-License-Identifier: GPL-2.0-or-later
/* A subject line: whatever it holds, the result is in its bounds, and what is left of the text has
 * nothing more to be taken off. */
#include "fuzz.h"

#include "series/message.h"
#include <stdlib.h>

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void check(const struct subject *s, size_t n)
{
	auto_free char *again = subject_clean(s->text);

	must(s->version >= 1 && s->version <= 9999 && s->minor <= 9999);
	must(s->number <= 9999 && s->total >= 1 && s->total <= 9999);
	must(s->numbered || (s->number == 1 && s->total == 1));
	must(strlen(s->text) <= n && strlen(s->prefixes) <= n);
	must(strcmp(again, s->text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *line = xmemdup((const char *)data, size);
	auto_free char *reply = xasprintf("Re: %s", line);
	struct subject s, r;

	subject_parse(line, &s);
	check(&s, size);
	subject_parse(reply, &r);
	check(&r, size + 4);
	must(r.is_reply && strcmp(r.text, s.text) == 0);
	subject_done(&s);
	subject_done(&r);
	return 0;
}
