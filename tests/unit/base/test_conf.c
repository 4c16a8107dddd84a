// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/conf.h"
#include "base/fs.h"
#include "base/str.h"
#include <git2.h>

static char path[] = "/tmp/firn-conf-XXXXXX";

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void collect(void *ctx, const char *message)
{
	struct str *all = ctx;

	str_adds(all, strrchr(message, '/') + 1 + strlen("firn-conf-XXXXXX"));
	str_addc(all, '\n');
}

static void reads_values(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;

	(void)state;
	write_file("[cache]\n\tdir = /srv/firn\n[bench] samples = 5\n lmbs = 16,256\n");
	assert_ok(conf_read(&conf, path, NULL, NULL, &err), &err);
	assert_string_equal(conf_str(&conf, CONF_CACHE_DIR), "/srv/firn");
	assert_int_equal(conf_int(&conf, CONF_BENCH_SAMPLES), 5);
	assert_int_equal(conf_int(&conf, CONF_BOOT_TIMEOUT), 300);
	auto_free unsigned *lmbs = conf_list(&conf, CONF_BENCH_LMBS);
	assert_int_equal(lmbs[0], 16);
	assert_int_equal(lmbs[1], 256);
	assert_int_equal(lmbs[2], 0);
	conf_done(&conf);
}

static void names_each_mistake_with_its_line(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;
	auto_str struct str all;

	(void)state;
	str_init(&all, 0);
	write_file("[bench]\n\tsamples = 5\n\tsamples = many\n[cache]\n\tdir = "
		   "here\n\n[Nonsense]\n\tKey = 1\n[bench]\n"
		   "lmbs = 16,0\n");
	assert_int_equal(conf_read(&conf, path, collect, &all, &err), ERR_CONFIG);
	assert_string_equal(all.buf, ":3: bench.samples: \"many\" is not a number\n"
				     ":5: cache.dir: \"here\" is not an absolute path\n"
				     ":8: unknown key nonsense.key\n"
				     ":10: bench.lmbs: 0 is not between 1 and 4096\n");
	assert_non_null(strstr(err.msg, ":3: bench.samples"));
	conf_done(&conf);
}

static void says_what_cannot_be_parsed(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;

	(void)state;
	write_file("[bench\nsamples = 3\n");
	assert_int_equal(conf_read(&conf, path, NULL, NULL, &err), ERR_CONFIG);
	assert_non_null(strstr(err.msg, "firn-conf"));
	assert_err(conf_read(&conf, "/nonexistent/firn", NULL, NULL, &err), &err, ERR_CONFIG,
		   "No such file");
	conf_done(&conf);
}

static void command_line_values_are_checked(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(conf_set(&conf, CONF_BENCH_SAMPLES, "1001", &err), &err, ERR_USAGE,
		   "between 0 and 1000");
	assert_err(conf_set(&conf, CONF_BENCH_LMBS, "16,,64", &err), &err, ERR_USAGE, "list");
	assert_err(conf_set(&conf, CONF_BENCH_LMBS, "16,64 ", &err), &err, ERR_USAGE, "list");
	assert_err(conf_set(&conf, CONF_TESTBED_NAME, "", &err), &err, ERR_USAGE, "empty");
	assert_ok(conf_set(&conf, CONF_BENCH_LMBS, "16", &err), &err);
	assert_string_equal(conf_str(&conf, CONF_BENCH_LMBS), "16");
	conf_done(&conf);
}

static void reads_words(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_true(conf_has_word(&conf, CONF_BENCH_RUN, "ipi"));
	assert_false(conf_has_word(&conf, CONF_BENCH_RUN, "http"));
	assert_ok(conf_set(&conf, CONF_BENCH_RUN, "http", &err), &err);
	assert_true(conf_has_word(&conf, CONF_BENCH_RUN, "http"));
	assert_false(conf_has_word(&conf, CONF_BENCH_RUN, "htt"));
	assert_false(conf_has_word(&conf, CONF_BENCH_RUN, "https"));
	assert_false(conf_has_word(&conf, CONF_BENCH_RUN, ""));
	assert_ok(conf_set(&conf, CONF_BENCH_RUN, "ipi,http", &err), &err);
	assert_true(conf_has_word(&conf, CONF_BENCH_RUN, "http"));
	assert_false(conf_has_word(&conf, CONF_BENCH_RUN, "hot-add"));
	assert_err(conf_set(&conf, CONF_BENCH_RUN, "ipi, http", &err), &err, ERR_USAGE, "words");
	assert_err(conf_set(&conf, CONF_BENCH_RUN, "ipi,", &err), &err, ERR_USAGE, "words");
	assert_err(conf_set(&conf, CONF_BENCH_RUN, "", &err), &err, ERR_USAGE, "words");
	conf_done(&conf);
}

static void reads_booleans_as_git_does(void **state)
{
	static const char *const yes[] = {"profile = true", "profile = yes", "profile = on",
					  "profile = 1", "profile"},
				 *const no[] = {"profile = false", "profile = no", "profile = 0",
						"profile ="};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < array_size(yes) + array_size(no); i++) {
		bool want = i < array_size(yes);
		auto_free char *text =
			xasprintf("[bench]\n\t%s\n", want ? yes[i] : no[i - array_size(yes)]);
		struct conf conf = {0};

		write_file(text);
		assert_ok(conf_read(&conf, path, NULL, NULL, &err), &err);
		assert_non_null(conf.value[CONF_BENCH_PROFILE]);
		assert_int_equal(conf_bool(&conf, CONF_BENCH_PROFILE), want);
		conf_done(&conf);
	}
}

static void defaults_of_each_type(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_true(conf_bool(&conf, CONF_BENCH_PROFILE));
	assert_false(conf_bool(&conf, CONF_BENCH_ATTRIBUTE));
	auto_free unsigned *cpus = conf_list(&conf, CONF_BENCH_CPUS);
	assert_int_equal(cpus[0], 0);
	assert_err(conf_set(&conf, CONF_BENCH_PROFILE, "maybe", &err), &err, ERR_USAGE,
		   "neither true nor false");
	/* What a key's own checks would refuse is no default. */
	for (size_t i = 0; i < CONF_N; i++) {
		if (!conf_keys[i].dflt)
			continue;
		assert_ok(conf_set(&conf, (enum conf_id)i, conf_keys[i].dflt, &err), &err);
	}
	conf_done(&conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_values),
		cmocka_unit_test(names_each_mistake_with_its_line),
		cmocka_unit_test(says_what_cannot_be_parsed),
		cmocka_unit_test(command_line_values_are_checked),
		cmocka_unit_test(reads_words),
		cmocka_unit_test(reads_booleans_as_git_does),
		cmocka_unit_test(defaults_of_each_type),
	};
	int fd = mkstemp(path), rc;

	assert_true(fd >= 0);
	close(fd);
	git_libgit2_init();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return rc;
}
