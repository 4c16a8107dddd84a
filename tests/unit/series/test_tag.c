// SPDX-License-Identifier: GPL-2.0-or-later
#include "../unit.h"

#include "series/tag.h"

static void read_text(const char *text, struct tag_lines *ret)
{
	tags_read(text, strlen(text), ret);
}

/* The only tag of a text. */
static void assert_tag(const char *text, const char *name, const char *value, const char *email,
		       enum line_place place)
{
	struct tag_lines l;

	read_text(text, &l);
	if (l.n != 1)
		fail_msg("\"%s\" has %zu tags", text, l.n);
	assert_string_equal(l.item[0].tag.name, name);
	assert_string_equal(l.item[0].tag.value, value);
	assert_string_equal(l.item[0].tag.who.email, email);
	assert_int_equal(l.item[0].place, place);
	tag_lines_done(&l);
}

static void assert_none(const char *text)
{
	struct tag_lines l;

	read_text(text, &l);
	if (l.n != 0)
		fail_msg("\"%s\" has a tag", text);
	tag_lines_done(&l);
}

static void plain_ones(void **state)
{
	(void)state;
	assert_tag("Reviewed-by: Ann <ann@example.org>\n", "Reviewed-by", "Ann <ann@example.org>",
		   "ann@example.org", LINE_PLAIN);
	assert_tag("x\nreported-and-tested-by:  ann@example.org\n", "reported-and-tested-by",
		   "ann@example.org", "ann@example.org", LINE_PLAIN);
	assert_tag("Acked-by: Ann <ann@example.org> # for b@c\n", "Acked-by",
		   "Ann <ann@example.org> # for b@c", "ann@example.org", LINE_PLAIN);
	assert_tag("Reviewed-by: me\n", "Reviewed-by", "me", "", LINE_PLAIN);
	assert_tag("Link: https://example.org/a@b\n", "Link", "https://example.org/a@b", "",
		   LINE_PLAIN);
	assert_tag("Fixes: 0123456789ab (\"x\")", "Fixes", "0123456789ab (\"x\")", "", LINE_PLAIN);
}

static void no_tags(void **state)
{
	(void)state;
	assert_none("Note: ann@example.org\n");
	assert_none("Cc: Ann <ann@example.org>\n");
	assert_none("To: Ann <ann@example.org>\n");
	assert_none("Reviewed-by:\n");
	assert_none("Reviewed-by:ann@example.org\n");
	assert_none("It was Reviewed-by: Ann <ann@example.org>\n");
	assert_none("+Reviewed-by: Ann <ann@example.org>\n");
	assert_none("by: Ann <ann@example.org>\n");
	assert_none("Nearby is a NACK\n");
	assert_none("NACK byte on the bus\nNAKed by nobody\n");
}

static void places(void **state)
{
	(void)state;
	assert_tag("> Acked-by: Ann <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_QUOTED);
	assert_tag("  >> Acked-by: Ann <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_QUOTED);
	assert_tag("| Acked-by: Ann <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_QUOTED);
	assert_tag("\tAcked-by: Ann <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_INDENTED);
	assert_tag("x\n-- \nAcked-by: Ann <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_SIGNATURE);
	assert_tag("-----Original Message-----\nAcked-by: Ann <a@example.org>\n", "Acked-by",
		   "Ann <a@example.org>", "a@example.org", LINE_QUOTED);
	assert_tag("x\n-- >8 --\nAcked-by: Ann <a@example.org>\n---\ndiff --git a/x b/x\n",
		   "Acked-by", "Ann <a@example.org>", "a@example.org", LINE_PATCH);
	/* Scissors around something that is no patch. */
	assert_tag("--8<--\nlog\n-->8--\nAcked-by: Ann <a@example.org>\n", "Acked-by",
		   "Ann <a@example.org>", "a@example.org", LINE_PLAIN);
}

static void broken_lines(void **state)
{
	(void)state;
	assert_tag("Acked-by: Ann With A Long Name\n<a@example.org>\n", "Acked-by",
		   "Ann With A Long Name <a@example.org>", "a@example.org", LINE_PLAIN);
	assert_tag("> Acked-by: Ann\n>  <a@example.org>\n", "Acked-by", "Ann <a@example.org>",
		   "a@example.org", LINE_QUOTED);
	assert_tag("Fixes: 0123456789ab (\"one\n two\")\n", "Fixes", "0123456789ab (\"one two\")",
		   "", LINE_PLAIN);
	assert_tag("Acked-by: Ann\n> <a@example.org>\n", "Acked-by", "Ann", "", LINE_PLAIN);
}

static void nacks(void **state)
{
	static const char *const yes[] = {"NACK\n", "NAK, it breaks\n", "NACK from me\n", "NAK."};

	(void)state;
	for (size_t i = 0; i < array_size(yes); i++) {
		struct tag_lines l;

		read_text(yes[i], &l);
		assert_int_equal(l.n, 1);
		assert_true(tag_is_nack(&l.item[0].tag));
		tag_lines_done(&l);
	}
	assert_none("> NACK\n");
}

static void comparing(void **state)
{
	struct tag_lines l;

	(void)state;
	read_text("Acked-by: Ann <a@example.org>\nacked-BY: A. N. N. <A@example.org> # yes\n"
		  "Acked-by: Ann <b@example.org>\nFixes: 1 (a)\nFixes: 2 (a)\n",
		  &l);
	assert_int_equal(l.n, 5);
	assert_int_equal(tag_cmp(&l.item[0].tag, &l.item[1].tag), 0);
	assert_int_not_equal(tag_cmp(&l.item[0].tag, &l.item[2].tag), 0);
	assert_int_not_equal(tag_cmp(&l.item[3].tag, &l.item[4].tag), 0);
	assert_true(tag_is_verdict(&l.item[1].tag));
	assert_false(tag_is_personal(&l.item[3].tag));
	tag_lines_done(&l);
}

/* What strangers can make of it ends, and soon. */
static void hostile(void **state)
{
	struct tag_lines l;
	struct str s;

	(void)state;
	str_init(&s, 0);
	for (unsigned i = 0; i < 2 * TAGS_MAX; i++)
		str_adds(&s, "Acked-by: Ann\n");
	read_text(s.buf, &l);
	assert_int_equal(l.n, TAGS_MAX);
	tag_lines_done(&l);
	str_done(&s);
	assert_none("");
	assert_none("\n\n>\n> > >\n-- \n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_ones), cmocka_unit_test(no_tags),
		cmocka_unit_test(places),     cmocka_unit_test(broken_lines),
		cmocka_unit_test(nacks),      cmocka_unit_test(comparing),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
