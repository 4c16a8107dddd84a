// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "report/escape.h"
#include "report/metric.h"
#include "report/plot.h"
#include <math.h>

typedef void escaper(struct str *out, const char *s, size_t n);

static void check(escaper *fn, const char *in, size_t n, const char *want)
{
	auto_str struct str out;

	str_init(&out, 0);
	fn(&out, in, n);
	assert_string_equal(out.buf, want);
}

#define assert_escaped(fn, in, want) check(fn, in, sizeof(in) - 1, want)

static void a_terminal_gets_no_controls(void **state)
{
	(void)state;
	assert_escaped(term_text, "plain text, Bo M\xc3\xbcller", "plain text, Bo M\xc3\xbcller");
	assert_escaped(term_text, "\x1b[31mred\x07", "\\x1b[31mred\\x07");
	assert_escaped(term_text, "a\nb\rc\x7f", "a\\nb\\x0dc\\x7f");
	assert_escaped(term_text, "a\0b", "a\\x00b");
	assert_escaped(term_text, "bad \xff\xc0\x80", "bad \\xff\\xc0\\x80");
	assert_escaped(term_text, "cut \xe2\x82", "cut \\xe2\\x82");
	/* C1 controls, right-to-left override, zero-width space, line separator */
	assert_escaped(term_text,
		       "\xc2\x9b"
		       "31m",
		       "\\u{9b}31m");
	assert_escaped(term_text, "\xe2\x80\xae\xe2\x80\x8b\xe2\x80\xa8",
		       "\\u{202e}\\u{200b}\\u{2028}");
}

static void tabs_keep_their_columns(void **state)
{
	(void)state;
	assert_escaped(term_text, "\tx", "        x");
	assert_escaped(term_text, "+\tif", "+       if");
	assert_escaped(term_text, "\xe6\xbc\xa2\tx", "\xe6\xbc\xa2      x");
	assert_escaped(term_text, "\x1b\tx", "\\x1b    x");
}

static void html_is_text(void **state)
{
	(void)state;
	assert_escaped(html_text, "<a href='x'>\"&\"</a>",
		       "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;");
	assert_escaped(html_text, "a\tb\nc\x1b\xe2\x80\xae", "a\tb\nc\\x1b\\u{202e}");
	assert_escaped(html_text, "\xff\0", "\\xff\\x00");
}

static void widths_are_columns(void **state)
{
	(void)state;
	assert_int_equal(term_width("M\xc3\xbcller", 7), 6);
	assert_int_equal(term_width("\xe6\xbc\xa2\xe5\xad\x97", 6), 4);
	assert_int_equal(term_width("e\xcc\x81", 3), 1);
	assert_int_equal(term_fit("\xe6\xbc\xa2\xe5\xad\x97", 6, 3), 3);
	assert_int_equal(term_fit("abc", 3, 9), 3);
}

static void numbers_read_well(void **state)
{
	char buf[NUMBER_MAX];

	(void)state;
	assert_string_equal(number_text(36412, 0, buf), "36,412");
	assert_string_equal(number_text(999, 0, buf), "999");
	assert_string_equal(number_text(-1234567.891, 2, buf), "-1,234,567.89");
	assert_string_equal(number_text(-0.0001, 1, buf), "0.0");
	assert_string_equal(number_text(NAN, 1, buf), "-");
	assert_true(strlen(number_text(1e308, 2, buf)) < NUMBER_MAX);
	assert_string_equal(change_text(0.0031034, buf), "+0.31 %");
	assert_string_equal(change_text(-0.769, buf), "-76.9 %");
	assert_string_equal(change_text(0, buf), "0 %");
	assert_string_equal(change_text(0.0000111, buf), "+0.0011 %");
	assert_string_equal(change_text(3.325, buf), "+332 %");
	assert_string_equal(percent_text(-0.018, buf), "1.80 %");
}

static void changes_have_their_interval(void **state)
{
	struct metric m = {.has_change = true,
			   .has_interval = true,
			   .change = 0.0124,
			   .low = 0.008,
			   .high = 0.0171};
	char buf[NUMBER_MAX];

	(void)state;
	assert_string_equal(metric_change_text(&m, buf), "+1.24 % (0.80 to 1.71)");
	m.low = -0.769;
	assert_string_equal(metric_change_text(&m, buf), "+1.24 % (-76.9 to 1.7)");
	m.exact = true;
	assert_string_equal(metric_change_text(&m, buf), "+1.24 %");
	m.has_change = false;
	assert_string_equal(metric_change_text(&m, buf), "-");
	assert_string_equal(difference_text(793792, buf), "+793,792");
	assert_string_equal(difference_text(-1536, buf), "-1,536");
	assert_string_equal(difference_text(0, buf), "0");
}

static unsigned ticks(double lo, double hi, double *ret_first)
{
	struct plot_axis a = {.lo = lo, .hi = hi, .from = 0, .to = 100};
	unsigned n = 0;
	double value;

	if (!axis_fit(&a, 3))
		return 0;
	while (axis_tick(&a, n, &value)) {
		if (n++ == 0)
			*ret_first = value;
		assert_true(axis_at(&a, value) >= -1 && axis_at(&a, value) <= 101);
	}
	return n;
}

static void axes_have_round_ticks_or_none(void **state)
{
	double first = 0;

	(void)state;
	assert_int_equal(ticks(36398, 36539, &first), 3);
	assert_true(first == 36400);
	assert_true(ticks(0, 1e-9, &first) >= 2);
	assert_true(ticks(-5, 5, &first) >= 2);
	/* Nothing here may loop for long, or draw nonsense. */
	assert_int_equal(ticks(1, 1, &first), 0);
	assert_int_equal(ticks(2, 1, &first), 0);
	assert_int_equal(ticks(1e300, 1e300 * (1 + 1e-15), &first), 0);
	assert_int_equal(ticks(-1.7e308, 1.7e308, &first), 0);
	assert_int_equal(ticks(NAN, 1, &first), 0);
	assert_true(ticks(0, 1.7e308, &first) < 13);
}

static void log_axes_have_powers_of_ten(void **state)
{
	struct plot_axis a = {.log = true, .lo = 30000, .hi = 2e7, .to = 100};
	static const double few[] = {20, 50, 100, 200};
	char buf[NUMBER_MAX];
	double value;

	(void)state;
	assert_true(axis_fit(&a, 3));
	assert_true(axis_tick(&a, 0, &value) && value == 1e5);
	assert_true(axis_tick(&a, 2, &value) && value == 1e7);
	assert_false(axis_tick(&a, 3, &value));
	assert_true(axis_at(&a, 30000) == 0);
	assert_string_equal(axis_label(&a, 1e5, buf), "100,000");
	assert_string_equal(axis_label(&a, 1e7, buf), "10 M");
	a.lo = 11;
	a.hi = 300;
	assert_true(axis_fit(&a, 3));
	for (unsigned i = 0; i < array_size(few); i++)
		assert_true(axis_tick(&a, i, &value) && value == few[i]);
	assert_false(axis_tick(&a, 4, &value));
	a.lo = 0;
	assert_false(axis_fit(&a, 3));
	a.lo = 1e-280;
	a.hi = 1e280;
	assert_true(axis_fit(&a, 3));
	for (unsigned i = 0; axis_tick(&a, i, &value); i++)
		assert_true(i < 6 && axis_at(&a, value) <= 100.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_gets_no_controls),
		cmocka_unit_test(tabs_keep_their_columns),
		cmocka_unit_test(html_is_text),
		cmocka_unit_test(widths_are_columns),
		cmocka_unit_test(numbers_read_well),
		cmocka_unit_test(changes_have_their_interval),
		cmocka_unit_test(axes_have_round_ticks_or_none),
		cmocka_unit_test(log_axes_have_powers_of_ten),
	};

	return cmocka_run_group_tests_name("report-escape", tests, NULL, NULL);
}
