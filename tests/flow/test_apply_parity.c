// SPDX-License-Identifier: GPL-2.0-or-later
/* From mails to trees: a case for each thing that a diff can say, and each way in which the tree
 * may have moved on. */
#include "parity.h"

/* `file` holds numbered lines, enough of them for hunks that do not touch; the others are one of
 * each kind. */
#define BASE                                                                                       \
	"rm -rf w cache mails; git init -q -b main w; cd w\n"                                      \
	"seq 1 60 > file; printf 'no newline' > cut; : > empty; printf 'a\\r\\nb\\r\\n' > crlf\n"  \
	"mkdir -p d/e; echo x > d/e/only; echo y > d/other; echo z > 'sp ace'; ln -s file link\n"  \
	"printf '#!/bin/sh\\n' > run; chmod +x run; head -c 3000 /dev/zero | tr '\\0' '\\1' > "    \
	"bin\n"                                                                                    \
	"printf 'b\\0' >> bin; printf '\\0\\001\\002' > bin2; echo q > 'quo\"te'; seq 100 160 > "  \
	"g\n"                                                                                      \
	"git add -A; git commit -qm base\n"

/* What is mailed is main..topic; what it is applied to is main after `move`. */
struct parity_case {
	const char *name;
	const char *change; /* makes commits on topic */
	const char *format; /* more arguments to format-patch */
	const char *move;   /* changes main first; NULL */
};

#define COMMIT "; git add -A; git commit -qm 'mm: change it'"

static const struct parity_case cases[] = {
	{"one line", "sed -i s/^30$/thirty/ file" COMMIT, "", NULL},
	{"first and last line", "sed -i '1s/.*/one/;$s/.*/last/' file" COMMIT, "", NULL},
	{"three patches",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^31$/next/ file" COMMIT
	 "; echo n > n" COMMIT,
	 "", NULL},
	{"new files",
	 "mkdir -p n/m; echo a > n/m/a; : > n/e; printf x > n/cut; echo b > d/b" COMMIT, "", NULL},
	{"deleted files", "git rm -q file empty d/e/only cut link bin" COMMIT, "--binary", NULL},
	{"rename", "git mv file d/file" COMMIT, "-M", NULL},
	{"rename and change", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT, "-M", NULL},
	{"copy and change",
	 "cp file copy; sed -i s/^9$/nine/ copy; sed -i s/^30$/thirty/ file" COMMIT,
	 "-C --find-copies-harder", NULL},
	{"rename to a name that was taken", "git mv -f file g" COMMIT, "-M -B", NULL},
	{"names swapped", "mv file t; mv g file; mv t g" COMMIT, "-M -B", NULL},
	{"rewritten", "seq 200 260 > file" COMMIT, "-B", NULL},
	{"modes", "chmod +x file; chmod -x run" COMMIT, "", NULL},
	{"mode and contents", "chmod +x file; sed -i s/^30$/thirty/ file" COMMIT, "", NULL},
	{"links", "ln -sf g link; ln -s nowhere link2" COMMIT, "", NULL},
	{"link becomes a file", "rm link; echo file > link" COMMIT, "", NULL},
	{"file becomes a link", "rm g; ln -s file g" COMMIT, "", NULL},
	{"file becomes a folder", "rm g; mkdir g; echo a > g/a" COMMIT, "", NULL},
	{"folder becomes a file", "rm -r d; echo d > d" COMMIT, "", NULL},
	{"binary delta", "printf more >> bin" COMMIT, "--binary", NULL},
	{"binary literal", "printf '\\3\\0\\2\\1' > bin2; printf '\\0\\7' > new" COMMIT, "--binary",
	 NULL},
	{"binary deleted and renamed", "git rm -q bin2; git mv bin bin3" COMMIT, "--binary -M",
	 NULL},
	{"binary on another base", "printf more >> bin" COMMIT, "--binary",
	 "printf less >> bin" COMMIT},
	{"newline at the end", "echo >> cut; printf 'no more' > d/other" COMMIT, "", NULL},
	{"odd names",
	 "echo 1 > 'a b  c'; echo 2 > \"t\tab\"; echo 3 > 'gr\303\274n'; echo 4 >> 'quo\"te'; "
	 "chmod +x 'sp ace';"
	 "git mv link 'new link'" COMMIT,
	 "-M", NULL},
	{"empty file grows, another shrinks", "echo 1 > empty; : > g" COMMIT, "", NULL},
	{"carriage returns", "printf 'a\\r\\nc\\r\\n' > crlf" COMMIT, "", NULL},
	{"new file with carriage returns", "printf 'a\\r\\n' > crlf2" COMMIT, "", NULL},
	{"lines like a diff",
	 "printf -- '-- a\\n++ b\\n@@ -1 +1 @@\\n' > like; printf -- '- x\\n+ y\\n' >> file" COMMIT
	 "; printf -- '-- c\\n' > like" COMMIT,
	 "", NULL},
	{"no context", "sed -i s/^30$/thirty/ file" COMMIT, "-U0", NULL},
	{"no context at the end", "echo 61 >> file" COMMIT, "-U0", NULL},
	{"one line of context", "sed -i 's/^30$/thirty/;s/^40$/forty/' file" COMMIT, "-U1", NULL},
	{"much context", "sed -i 's/^30$/thirty/;s/^40$/forty/' file" COMMIT, "-U200", NULL},
	{"no prefix", "sed -i s/^30$/thirty/ file" COMMIT, "--no-prefix", NULL},
	{"other prefixes", "sed -i s/^30$/thirty/ file" COMMIT,
	 "--src-prefix=old/ --dst-prefix=new/", NULL},
	{"moved down", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i '1i\\0' file; sed -i 10,12d file" COMMIT},
	{"moved far", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "seq 1000 3000 | cat - file > t; mv t file" COMMIT},
	{"start moved", "sed -i s/^1$/one/ file" COMMIT, "", "sed -i '1i\\0' file" COMMIT},
	{"end moved", "sed -i s/^60$/sixty/ file" COMMIT, "", "echo 61 >> file" COMMIT},
	{"context changed", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^32$/XXXII/ file" COMMIT},
	{"in already", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^30$/thirty/ file" COMMIT},
	{"file is gone", "sed -i s/^30$/thirty/ file" COMMIT, "", "git rm -q file" COMMIT},
	{"file is there", "echo 1 > n" COMMIT, "", "echo 1 > n" COMMIT},
	{"mode differs", "sed -i s/^30$/thirty/ file" COMMIT, "", "chmod +x file" COMMIT},
	{"type differs", "sed -i s/^130$/thirty/ g" COMMIT, "", "rm g; ln -s file g" COMMIT},
	{"second patch fails",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^50$/fifty/ file" COMMIT, "",
	 "sed -i s/^51$/LI/ file" COMMIT},
	{"attached", "sed -i s/^30$/thirty/ file" COMMIT "; echo u >> g" COMMIT, "--attach", NULL},
	{"inlined", "sed -i s/^30$/thirty/ file" COMMIT, "--inline", NULL},
	{"cover and versions", "echo 1 > n" COMMIT "; echo 2 >> n" COMMIT,
	 "--cover-letter -v3 --rfc --thread", NULL},
	{"long message",
	 "echo 1 > n; git add n; printf 'mm/x: a subject that is so long that format-patch has to "
	 "fold it when it "
	 "writes the mail header\\n\\nBody \303\274ber alles.\\n\\n  indented\\n---not a "
	 "cut\\nSigned-off-by: W "
	 "<w@example.org>\\n' | git commit -qF -",
	 "", NULL},
	{"3-way: near lines changed", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^33$/XXXIII/ file" COMMIT},
	{"3-way: second patch on the author's blob",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^20$/twenty/ file" COMMIT, "",
	 "sed -i 's/^33$/XXXIII/;s/^23$/XXIII/' file" COMMIT},
	{"3-way: renamed upstream", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "git mv file d/e/moved" COMMIT},
	{"3-way: renamed and changed upstream", "sed -i s/^30$/thirty/ file" COMMIT, "",
	 "git mv file d/e/moved; sed -i s/^3$/three/ d/e/moved" COMMIT},
	{"3-way: renamed by both", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT, "-M",
	 "git mv file d/f2; sed -i s/^3$/three/ d/f2" COMMIT},
	{"3-way: renamed by both, otherwise", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT,
	 "-M", "git mv file d/f3; sed -i s/^3$/three/ d/f3" COMMIT},
	{"3-way: rename of a changed file", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT,
	 "-M", "sed -i s/^31$/three/ file; sed -i s/^3$/three/ file" COMMIT},
	{"3-way: rename of a changed file, near",
	 "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT, "-M",
	 "sed -i s/^33$/three/ file" COMMIT},
	{"3-way: rename without -M", "git mv file d/f2; sed -i s/^30$/thirty/ d/f2" COMMIT,
	 "--no-renames", "sed -i s/^3$/three/ file" COMMIT},
	{"3-way: deleted by both", "git rm -q file; sed -i s/^130$/x/ g" COMMIT, "",
	 "git rm -q file" COMMIT},
	{"3-way: deleted here, moved there", "git rm -q file" COMMIT, "", "git mv file d/f" COMMIT},
	{"3-way: deleted here, changed there", "git rm -q file" COMMIT, "",
	 "sed -i s/^3$/three/ file" COMMIT},
	{"3-way: created by both", "echo n > n; sed -i s/^30$/thirty/ file" COMMIT, "",
	 "echo n > n; sed -i s/^33$/three/ file" COMMIT},
	{"3-way: created by both, otherwise", "echo n > n" COMMIT, "", "echo m > n" COMMIT},
	{"3-way: created with another mode", "echo n > n; chmod +x n" COMMIT, "",
	 "echo n > n" COMMIT},
	{"3-way: mode changed by both", "chmod +x file" COMMIT, "", "chmod +x file" COMMIT},
	{"3-way: mode, and near lines", "chmod +x file; sed -i s/^30$/thirty/ file" COMMIT, "",
	 "sed -i s/^33$/three/ file" COMMIT},
	{"3-way: binary in already", "printf more >> bin" COMMIT, "--binary",
	 "printf more >> bin" COMMIT},
	{"3-way: link changed by both", "ln -sf g link" COMMIT, "", "ln -sf d link" COMMIT},
	{"3-way: first of three is in",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^10$/ten/ file" COMMIT
	 "; sed -i s/^50$/fifty/ file" COMMIT,
	 "", "sed -i s/^30$/thirty/ file" COMMIT},
	{"3-way: all are in",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^10$/ten/ file" COMMIT, "",
	 "sed -i s/^30$/thirty/ file" COMMIT "; sed -i s/^10$/ten/ file" COMMIT},
	{"3-way: copy of a changed file",
	 "cp file copy; sed -i s/^9$/nine/ copy; sed -i s/^30$/thirty/ file" COMMIT,
	 "-C --find-copies-harder", "sed -i s/^33$/three/ file" COMMIT},
	{"3-way: folder in the way", "echo n > n" COMMIT, "", "mkdir n; echo n > n/n" COMMIT},
	{"3-way: carriage returns", "printf 'a\\r\\nc\\r\\n' > crlf" COMMIT, "",
	 "printf 'x\\r\\na\\r\\nb\\r\\n' > crlf" COMMIT},
	{"author with a name",
	 "echo 1 > n; git add n; git commit -qm x --author='J\303\266rg \"X\" M. <j@example.org>' "
	 "--date='2024-02-29T12:00:00 -0330'",
	 "--from='Somebody Else <e@example.org>'", NULL},
};

static void make_mails(const struct parity_case *c)
{
	auto_free char *script = xasprintf(
		BASE
		"git checkout -q -b topic; %s\n"
		"git format-patch -q -o ../mails %s main > /dev/null\ngit checkout -q main\n%s\n",
		c->change, c->format, c->move ? c->move : ":");

	sh_must(script);
}

static void cases_agree(void **state)
{
	size_t differ = 0;

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_free char *why = NULL;

		make_mails(&cases[i]);
		why = compare();
		if (why)
			print_message("%s: %s\n", cases[i].name, why);
		differ += why != NULL;
	}
	assert_int_equal(differ, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cases_agree)};

	parity_main(tests);
}
