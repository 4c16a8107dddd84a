// SPDX-License-Identifier: GPL-2.0-or-later
/* What a message looks like on a terminal and in the journal. */
#include "unit/unit.h"

#include "base/log.h"
#include "base/str.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char said[1000];

/* Standard error goes to a file; it is the journal's when `journal` is set. */
static const char *say(bool journal, const char *const *fields, const char *message)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	struct stat st;
	ssize_t n;

	assert_int_equal(fstat(fileno(file), &st), 0);
	auto_free char *stream = xasprintf("%llu:%llu", (unsigned long long)st.st_dev,
					   (unsigned long long)st.st_ino + !journal);
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fileno(file), STDERR_FILENO);
	log_fields(LOG_WARN, fields, "%s", message);
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(fileno(file), said, sizeof(said) - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	fclose(file);
	unsetenv("JOURNAL_STREAM");
	return said;
}

static void test_terminal(void **state)
{
	(void)state;
	assert_string_equal(say(false, NULL, "a\n\tb\x1b[1m"), "firn: warning: a\n\tb\\x1b[1m\n");
	log_role("post");
	assert_string_equal(say(false, NULL, "a"), "firn: post: warning: a\n");
	log_role(NULL);
}

/* Nobody can begin an entry of their own. */
static void test_journal(void **state)
{
	(void)state;
	assert_string_equal(say(true, NULL, "a\n<0>b"), "<4>a\\x0a<0>b\n");
	log_role("post");
	assert_string_equal(say(true, NULL, "a"), "<4>post: a role=post\n");
	log_role(NULL);
}

static void test_fields(void **state)
{
	const char *const fields[] = {"trial",	     "12", "none", NULL, "id",
				      "a \"b\"\n=c", "e",  "",	   NULL};

	(void)state;
	assert_string_equal(say(true, fields, "begins"),
			    "<4>begins trial=12 id=\"a \\\"b\\\"\\x0a=c\" e=\"\"\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_journal),
		cmocka_unit_test(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
