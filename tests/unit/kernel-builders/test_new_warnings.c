// SPDX-License-Identifier: GPL-2.0-or-later
/* Warnings as sets, with lines as a patch moves them; and options and sizes of two kernels. */
#include "trees.h"

#include "base/fs.h"
#include "kernel-builders/config_diff.h"
#include "kernel-builders/new_warnings.h"
#include "kernel-builders/sizes.h"
#include "kernel-builders/warnings.h"
#include <elf.h>

#define SET_MAX 8

/* One warning of a table: path NULL is the end. */
struct w {
	const char *path;
	unsigned line;
	const char *function, *text;
};

static size_t set_make(const struct w *w, struct diagnostic *ret)
{
	size_t n = 0;

	for (; w[n].text; n++)
		ret[n] = (struct diagnostic){.path = (char *)w[n].path,
					     .line = w[n].line,
					     .function = (char *)w[n].function,
					     .text = (char *)w[n].text,
					     .excerpt = (char *)""};
	return n;
}

/* Of a patch that puts 3 lines in front of line 10, rewrites line 20, takes away 30 to 33 and adds
 * 5 at the end, of mm/a.c. */
static const struct line_hunk hunks[] = {
	{9, 0, 10, 3}, {20, 1, 23, 1}, {30, 4, 32, 0}, {50, 0, 50, 5}};

static const struct {
	const char *what;
	struct w base[SET_MAX], now[SET_MAX];
	const char *is_new; /* a digit for each of `now` */
	const char *gone;   /* and of `base` */
} cases[] = {
	{"the same place", {{"mm/b.c", 7, "f", "x"}}, {{"mm/b.c", 7, "f", "x"}}, "0", "0"},
	{"moved down by what stands above it",
	 {{"mm/a.c", 12, "f", "x"}},
	 {{"mm/a.c", 15, "f", "x"}},
	 "0",
	 "0"},
	{"above all changes", {{"mm/a.c", 9, "f", "x"}}, {{"mm/a.c", 9, "f", "x"}}, "0", "0"},
	{"the old line is another place now",
	 {{"mm/a.c", 12, "f", "x"}},
	 {{"mm/a.c", 12, "f", "x"}},
	 "1",
	 "1"},
	{"the line was rewritten, the warning stays",
	 {{"mm/a.c", 20, "f", "x"}},
	 {{"mm/a.c", 23, "f", "x"}},
	 "0",
	 "0"},
	{"a function was moved within the file",
	 {{"mm/a.c", 31, "f", "x"}},
	 {{"mm/a.c", 52, "f", "x"}},
	 "0",
	 "0"},
	{"the same words, of another function",
	 {{"mm/a.c", 31, "f", "x"}},
	 {{"mm/a.c", 52, "g", "x"}},
	 "1",
	 "1"},
	{"a function was moved to another file",
	 {{"mm/a.c", 31, "f", "x"}},
	 {{"mm/c.c", 3, "f", "x"}},
	 "0",
	 "0"},
	{"copied, and the old one stays: one is new",
	 {{"mm/a.c", 5, "f", "x"}},
	 {{"mm/a.c", 5, "f", "x"}, {"mm/c.c", 3, "f", "x"}},
	 "01",
	 "0"},
	{"two of one line, one of them new",
	 {{"mm/b.c", 7, "f", "x"}},
	 {{"mm/b.c", 7, "f", "x"}, {"mm/b.c", 7, "f", "x"}},
	 "01",
	 "0"},
	{"mended", {{"mm/b.c", 7, "f", "x"}}, {{0}}, "", "1"},
	{"without a place",
	 {{NULL, 0, NULL, "modpost: a"}},
	 {{NULL, 0, NULL, "modpost: a"}},
	 "0",
	 "0"},
	{"without a place, and new", {{0}}, {{NULL, 0, NULL, "modpost: a"}}, "1", ""},
	{"offsets say nothing",
	 {{"mm/a.o", 0, "f", "objtool: f+0x1c: unreachable instruction"}},
	 {{"mm/a.o", 0, "f", "objtool: f+0x24: unreachable instruction"}},
	 "0",
	 "0"},
	{"a renamed file", {{"mm/old.c", 7, "f", "x"}}, {{"mm/new.c", 8, "f", "x"}}, "0", "0"},
	/* "<stdin>:1519:2: warning: #warning syscall x not implemented", "{standard input}:17: ..."
	 */
	{"lines of what is no file say nothing",
	 {{NULL, 1519, NULL, "x"}},
	 {{NULL, 1521, NULL, "x"}},
	 "0",
	 "0"},
	{"a frame that was too large, and has another size now",
	 {{"mm/b.c", 7, "f", "the frame size of 1040 bytes is larger than 1024 bytes"}},
	 {{"mm/b.c", 7, "f", "the frame size of 1056 bytes is larger than 1024 bytes"}},
	 "0",
	 "0"},
	{"a file that is gone", {{"mm/gone.c", 7, "f", "x"}}, {{"mm/b.c", 7, "f", "y"}}, "1", "1"},
};

static void map_make(struct line_map *m)
{
	for (size_t i = 0; i < array_size(hunks); i++)
		line_map_add(m, "mm/a.c", "mm/a.c", &hunks[i]);
	line_map_add(m, "mm/old.c", "mm/new.c", &(struct line_hunk){1, 0, 2, 1});
	line_map_add(m, "mm/gone.c", NULL, NULL);
}

static void assert_flags(const char *what, const bool *flag, size_t n, const char *wanted)
{
	if (strlen(wanted) != n)
		fail_msg("%s: %zu, not %zu", what, n, strlen(wanted));
	for (size_t i = 0; i < n; i++)
		if (flag[i] != (wanted[i] == '1'))
			fail_msg("%s: number %zu", what, i);
}

static void old_warnings_are_not_new(void **state)
{
	auto_line_map struct line_map map = {0};

	(void)state;
	map_make(&map);
	for (size_t i = 0; i < array_size(cases); i++) {
		struct diagnostic base[SET_MAX], now[SET_MAX];
		const struct warning_set old = {base, set_make(cases[i].base, base)},
					 new = {now, set_make(cases[i].now, now)};
		bool is_new[SET_MAX], gone[SET_MAX];

		new_warnings(&old, &new, &map, is_new, gone);
		assert_flags(cases[i].what, is_new, new.n, cases[i].is_new);
		assert_flags(cases[i].what, gone, old.n, cases[i].gone);
	}
}

/* Hunks as libgit2 gives them for real blobs. */
static void lines_are_mapped_through_trees(void **state)
{
	char dir[] = "/tmp/firn-test-XXXXXX";
	auto_git(repository) git_repository *repo = NULL;
	auto_git(commit) git_commit *old_commit = NULL, *new_commit = NULL;
	auto_line_map struct line_map map = {0};
	auto_free char *path = NULL;
	const struct line_rename rename = {"was.c", "is.c"};
	struct line_map_spec spec = {.rename = &rename, .n_renames = 1};
	const char *to = NULL;
	struct err err = ERR_INIT;
	git_oid old, new;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/r.git", dir);
	spec.repo = repo = tree_repo(path);
	old = tree_commit(repo, NULL,
			  (const struct tree_file[]){{"a.c", "1\n2\n3\n4\n", 0},
						     {"same.c", "1\n", 0},
						     {"was.c", "1\n2\n3\n", 0},
						     {"gone.c", "1\n", 0},
						     {0}});
	new = tree_commit(repo, &old,
			  (const struct tree_file[]){{"a.c", "0\n1\nTWO\n3\n4\n", 0},
						     {"was.c", NULL, 0},
						     {"is.c", "0\n1\n2\n3\n", 0},
						     {"gone.c", NULL, 0},
						     {0}});
	assert_int_equal(git_commit_lookup(&old_commit, repo, &old), 0);
	assert_int_equal(git_commit_lookup(&new_commit, repo, &new), 0);
	git_oid_cpy(&spec.old_tree, git_commit_tree_id(old_commit));
	git_oid_cpy(&spec.new_tree, git_commit_tree_id(new_commit));
	assert_ok(line_map_make(&spec, &map, &err), &err);
	assert_int_equal(line_map_forward(&map, "a.c", 1, &to), 2);
	assert_int_equal(line_map_forward(&map, "a.c", 2, &to), 0);
	assert_int_equal(line_map_forward(&map, "a.c", 4, &to), 5);
	assert_string_equal(to, "a.c");
	assert_int_equal(line_map_forward(&map, "same.c", 1, &to), 1);
	assert_int_equal(line_map_forward(&map, "was.c", 3, &to), 4);
	assert_string_equal(to, "is.c");
	assert_int_equal(line_map_forward(&map, "gone.c", 1, &to), 0);
	assert_null(to);
	assert_ok(fs_rmtree(dir, &err), &err);
}

static void feed(struct diagnostics *d, const char *const *lines)
{
	for (; *lines; lines++)
		if (!diagnostics_read_unit(d, *lines))
			diagnostics_read(d, *lines);
}

static size_t built(json_t *kept, const char *const *lines, const char *const *touched)
{
	const struct warnings_spec spec = {.src = "/nowhere", .touched = touched};
	struct diagnostics d = {0};
	size_t n;

	feed(&d, lines);
	warnings_complete(&d, kept, &spec);
	n = d.n;
	diagnostics_done(&d);
	return n;
}

#define lines(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A build prints only what it makes. */
static void warnings_stay_until_their_unit_is_made_again(void **state)
{
	auto_json json_t *kept = json_object();

	(void)state;
	assert_int_equal(built(kept,
			       lines("  CC      a.o", "a.c:1:1: warning: one", "  CC      b.o",
				     "b.c:1:1: warning: two", "h.h:1:1: warning: both",
				     "  CC      c.o", "h.h:1:1: warning: both"),
			       NULL),
			 3);
	assert_int_equal(built(kept, lines("  CC      other.o"), NULL), 3);
	assert_int_equal(built(kept, lines("  CC      a.o"), NULL), 2);
	/* the other one that includes it still has it */
	assert_int_equal(built(kept, lines("  CC      b.o"), NULL), 1);
	assert_int_equal(built(kept, lines("  CC      c.o"), NULL), 0);
	assert_int_equal(json_object_size(kept), 0);
}

static void of_touched_objects_only_theirs_count(void **state)
{
	auto_json json_t *kept = json_object();
	const char *const *all = lines("  CC      x/a.o", "x/a.o: warning: one",
				       "  CHECK   /src/x/b.c", "x.h:1:1: warning: two");

	(void)state;
	assert_int_equal(built(kept, all, lines("x/a.c")), 1);
	assert_int_equal(built(kept, all, lines("x/b.c")), 1);
	assert_int_equal(built(kept, all, lines("x/c.c")), 0);
}

static const struct {
	const char *base, *patched, *word; /* of the only change; NULL: none */
} options[] = {
	{"CONFIG_A=y\n", "CONFIG_A=y\n", NULL},
	{"# CONFIG_A is not set\n", "CONFIG_A=y\n", "on"},
	{"", "CONFIG_A=m\n", "on"},
	{"CONFIG_A=y\n", "# CONFIG_A is not set\n", "off"},
	{"CONFIG_A=y\n", "", "off"},
	{"CONFIG_A=y\n", "CONFIG_A=m\n", "changed"},
	{"CONFIG_A=\"x\"\n", "CONFIG_A=\"y\"", "changed"},
	{"", "# CONFIG_A is not set\n", "new"},
	{"# CONFIG_A is not set\n", "", "gone"},
	{"# a comment\nCONFIG_B=y\n", "CONFIG_B=y\n# CONFIG_B=n\n#\n\nCONFIG\n", NULL},
};

static void options_that_change_are_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(options); i++) {
		auto_json json_t *list = config_diff(options[i].base, options[i].patched);
		const json_t *row = json_array_get(list, 0);

		assert_int_equal(json_array_size(list), options[i].word ? 1 : 0);
		if (options[i].word) {
			assert_string_equal(json_string_value(json_object_get(row, "option")),
					    "CONFIG_A");
			assert_string_equal(json_string_value(json_object_get(row, "word")),
					    options[i].word);
		}
	}
}

static long long number(const json_t *obj, const char *key)
{
	return json_integer_value(json_object_get(obj, key));
}

static void symbols_are_compared_by_name(void **state)
{
	auto_sizes struct sizes a = {0}, b = {0};
	auto_json json_t *found = NULL;
	const json_t *symbols;

	(void)state;
	size_list_add(&a.sections, ".text", 100);
	size_list_add(&b.sections, ".text", 130);
	size_list_add(&a.symbols, "same", 10);
	size_list_add(&b.symbols, "same", 10);
	size_list_add(&a.symbols, "twice", 4);
	size_list_add(&a.symbols, "twice", 4);
	size_list_add(&b.symbols, "twice", 20);
	size_list_add(&a.symbols, "shrinks", 9);
	size_list_add(&b.symbols, "shrinks", 8);
	size_list_add(&a.symbols, "goes", 2);
	size_list_add(&b.symbols, "comes", 3);
	size_list_sort(&a.symbols);
	size_list_sort(&b.symbols);
	found = sizes_compare(&a, &b);
	assert_int_equal(number(found, "base"), 100);
	assert_int_equal(number(found, "patched"), 130);
	assert_int_equal(number(found, "grown"), 1);
	assert_int_equal(number(found, "shrunk"), 1);
	assert_int_equal(number(found, "added"), 1);
	assert_int_equal(number(found, "removed"), 1);
	symbols = json_object_get(found, "symbols");
	assert_int_equal(json_array_size(symbols), 4);
	assert_string_equal(json_string_value(json_object_get(json_array_get(symbols, 0), "name")),
			    "twice");
}

/* This program is one. */
static void an_elf_file_is_read(void **state)
{
	auto_sizes struct sizes s = {0}, none = {0};
	struct err err = ERR_INIT;
	bool found = false;

	(void)state;
	assert_ok(sizes_read("/proc/self/exe", &s, &err), &err);
	for (size_t i = 0; i < s.symbols.n; i++)
		found = found || strcmp(s.symbols.item[i].name, "an_elf_file_is_read") == 0;
	assert_true(found);
	assert_true(s.sections.n > 3);
	assert_err(sizes_read(__FILE__, &none, &err), &err, ERR_INPUT, "not an ELF file");
	assert_err(sizes_read("/nowhere", &none, &err), &err, ERR_INFRA, "/nowhere");
}

/* An ELF file of `n` tables of symbols, all of them the same `symbols`. */
static void elf_write(const char *path, unsigned n, unsigned symbols)
{
	const Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					     ELFDATA2LSB, EV_CURRENT},
				 .e_type = ET_EXEC,
				 .e_machine = EM_PPC64,
				 .e_version = EV_CURRENT,
				 .e_shoff = sizeof(head),
				 .e_ehsize = sizeof(head),
				 .e_shentsize = sizeof(Elf64_Shdr),
				 .e_shnum = (Elf64_Half)(n + 2),
				 .e_shstrndx = 1};
	const size_t data = sizeof(head) + (n + 2) * sizeof(Elf64_Shdr);
	const Elf64_Sym symbol = {.st_name = 1, .st_info = STT_OBJECT, .st_size = 8};
	const Elf64_Shdr table = {.sh_type = SHT_SYMTAB,
				  .sh_offset = data + 8,
				  .sh_size = symbols * sizeof(symbol),
				  .sh_link = 1,
				  .sh_entsize = sizeof(symbol)};
	const Elf64_Shdr first[] = {{0}, {.sh_type = SHT_STRTAB, .sh_offset = data, .sh_size = 8}};
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(&head, sizeof(head), 1, f);
	fwrite(first, sizeof(first), 1, f);
	for (unsigned i = 0; i < n; i++)
		fwrite(&table, sizeof(table), 1, f);
	fwrite("\0symbol", 8, 1, f);
	for (unsigned i = 0; i < symbols; i++)
		fwrite(&symbol, sizeof(symbol), 1, f);
	assert_int_equal(fclose(f), 0);
}

/* A small file may say a large thing many times over. */
static void an_elf_file_does_not_fill_the_memory(void **state)
{
	auto_sizes struct sizes few = {0}, many = {0};
	char path[] = "/tmp/firn-test-XXXXXX";
	struct err err = ERR_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	elf_write(path, 2, 1000);
	assert_ok(sizes_read(path, &few, &err), &err);
	assert_int_equal(few.symbols.n, 1);
	assert_int_equal(few.symbols.item[0].size, 2 * 1000 * 8);
	elf_write(path, 300, 10000);
	assert_err(sizes_read(path, &many, &err), &err, ERR_INPUT, "symbols");
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_warnings_are_not_new),
		cmocka_unit_test(lines_are_mapped_through_trees),
		cmocka_unit_test(warnings_stay_until_their_unit_is_made_again),
		cmocka_unit_test(of_touched_objects_only_theirs_count),
		cmocka_unit_test(options_that_change_are_told),
		cmocka_unit_test(symbols_are_compared_by_name),
		cmocka_unit_test(an_elf_file_is_read),
		cmocka_unit_test(an_elf_file_does_not_fill_the_memory),
	};

	return cmocka_run_group_tests_name("base against patched", tests, NULL, NULL);
}
