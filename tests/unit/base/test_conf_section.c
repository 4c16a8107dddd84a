// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/conf_section.h"
#include "base/fs.h"
#include "base/str.h"
#include <git2.h>

static char path[] = "/tmp/firn-conf-XXXXXX";

static void write_file(const char *text)
{
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

static void collect(void *ctx, const char *message)
{
	struct str *all = ctx;

	str_adds(all, strrchr(message, '-') ? strstr(message, path) + strlen(path) : message);
	str_addc(all, '\n');
}

static const char good[] = "[list \"linuxppc-dev\"]\n"
			   "\tlore = https://lore.example.org/linuxppc-dev/\n"
			   "\ttree = powerpc,mainline\n"
			   "\tfiles = arch/powerpc/,mm/\n"
			   "\tmail-list\n"
			   "\taddress = linuxppc-dev@lists.example.org\n"
			   "[tree \"powerpc\"]\n"
			   "\tpath = /srv/powerpc.git\n"
			   "[tree \"mainline\"]\n"
			   "\tpath = /srv/linux.git\n"
			   "\tinterval = 3600\n"
			   "[post]\n"
			   "\tmode = moderated\n";

static void reads_sections(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;
	const struct conf_section *list;

	(void)state;
	write_file(good);
	assert_ok(conf_read(&conf, path, NULL, NULL, &err), &err);
	list = conf_section_find(&conf, CONF_SECTION_LIST, "linuxppc-dev");
	assert_non_null(list);
	assert_ptr_equal(list, conf_section_nth(&conf, CONF_SECTION_LIST, 0));
	assert_null(conf_section_nth(&conf, CONF_SECTION_LIST, 1));
	auto_free char **trees = conf_section_words(list, CONF_LIST_TREE);
	assert_string_equal(trees[0], "powerpc");
	assert_string_equal(trees[1], "mainline");
	assert_null(trees[2]);
	auto_free char **none = conf_section_words(list, CONF_LIST_SUBJECT);
	assert_null(none[0]);
	assert_true(conf_section_bool(list, CONF_LIST_MAIL_LIST));
	assert_string_equal(conf_section_str(list, CONF_LIST_MAIL), "failure");
	assert_int_equal(
		conf_section_int(conf_section_nth(&conf, CONF_SECTION_TREE, 1), CONF_TREE_INTERVAL),
		3600);
	assert_string_equal(conf_str(&conf, CONF_POST_MODE), "moderated");
	conf_done(&conf);
}

static void names_each_mistake_with_its_line(void **state)
{
	struct conf conf = {0};
	struct err err = ERR_INIT;
	auto_str struct str all;

	(void)state;
	str_init(&all, 0);
	write_file("[list \"a\"]\n"
		   "\tlore = ftp://x\n"
		   "\tcolour = red\n"
		   "\tmail = sometimes\n"
		   "[list]\n"
		   "\tlore = https://lore.example.org/a/\n"
		   "[list \"b c\"]\n"
		   "\tproject = p\n"
		   "[post]\n"
		   "\tmode = loud\n");
	assert_int_equal(conf_read(&conf, path, collect, &all, &err), ERR_CONFIG);
	assert_string_equal(
		all.buf,
		":2: [list \"a\"] lore: \"ftp://x\" is not an http or https address\n"
		":3: unknown key colour in [list \"a\"]\n"
		":4: [list \"a\"] mail: \"sometimes\" is none of never, failure, warning, always\n"
		":6: [list] needs a name: [list \"NAME\"]\n"
		":8: the name in [list \"b c\"] may have letters, digits and ._- only\n"
		":10: post.mode: \"loud\" is none of dry-run, moderated, live\n"
		":2: [list \"a\"] has no source: neither lore nor patchwork\n");
	conf_done(&conf);
}

static void checks_what_belongs_together(void **state)
{
	static const struct {
		const char *list, *mistake;
	} rows[] = {
		{"lore = https://x.example.org/\n", ":2: [list \"a\"] has no tree\n"},
		{"lore = https://x.example.org/\ntree = t,u\n",
		 ":3: [list \"a\"] names the tree \"u\", and there is no [tree \"u\"]\n"},
		{"patchwork = p\ntree = t\n",
		 ":2: [list \"a\"] patchwork and project go together\n"},
		{"patchwork = p\nproject = q\ntree = t\n",
		 ":2: [list \"a\"] names the patchwork \"p\", and there is no [patchwork "
		 "\"p\"]\n"},
		{"lore = https://x.example.org/\ntree = t\ndkim = results\n",
		 ":2: [list \"a\"] dkim = results needs authserv\n"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_free char *text = xasprintf(
			"[list \"a\"]\n%s[tree \"t\"]\npath = /srv/t.git\n", rows[i].list);
		struct conf conf = {0};
		struct err err = ERR_INIT;
		auto_str struct str all;

		str_init(&all, 0);
		write_file(text);
		assert_int_equal(conf_read(&conf, path, collect, &all, &err), ERR_CONFIG);
		assert_string_equal(all.buf, rows[i].mistake);
		conf_done(&conf);
	}
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	git_libgit2_init();
	close(fd);
	return fd < 0;
}

static int teardown(void **state)
{
	(void)state;
	git_libgit2_shutdown();
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_sections),
		cmocka_unit_test(names_each_mistake_with_its_line),
		cmocka_unit_test(checks_what_belongs_together),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
