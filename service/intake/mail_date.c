// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dates of mails, read word by word as git does, since their order is often wrong and git's reading
 * is the one that ends up in the history: git-commit(1), "DATE FORMATS". Unlike git, nothing here
 * depends on the clock or the time zone of this machine: a date without a zone is UTC, and two
 * digits of a year are RFC 5322 4.3's.
 */
#include "intake/mail_internal.h"

#include <ctype.h>

struct date {
	int year, month, day, hour, minute, second; /* -1: not seen */
	int zone;				    /* minutes east */
	bool has_zone;
};

/* RFC 5322 4.3, and what European mailers write. Hours east. */
static const struct zone {
	const char *name;
	int hours;
} zones[] = {
	{"UTC", 0},   {"GMT", 0},  {"UT", 0},	{"Z", 0},    {"EST", -5},  {"EDT", -4},
	{"CST", -6},  {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8},  {"PDT", -7},
	{"HST", -10}, {"WET", 0},  {"BST", 1},	{"CET", 1},  {"MET", 1},   {"CEST", 2},
	{"MEST", 2},  {"EET", 2},  {"EEST", 3}, {"JST", 9},  {"NZST", 12}, {"NZDT", 13},
};

static int month_find(const char *word, size_t n)
{
	static const char *const names[] = {"January",	 "February", "March",	 "April",
					    "May",	 "June",     "July",	 "August",
					    "September", "October",  "November", "December"};

	for (int i = 0; i < (int)array_size(names) && n >= 3; i++)
		if (n <= strlen(names[i]) && strncasecmp(word, names[i], n) == 0)
			return i;
	return -1;
}

static size_t word_take(struct date *d, const char *p)
{
	size_t n = 0;
	int month;

	while (isalpha((unsigned char)p[n]))
		n++;
	month = month_find(p, n);
	if (month >= 0)
		d->month = month;
	for (size_t i = 0; i < array_size(zones) && !d->has_zone; i++) {
		if (strlen(zones[i].name) != n || strncasecmp(p, zones[i].name, n) != 0)
			continue;
		d->zone = zones[i].hours * 60;
		d->has_zone = true;
	}
	return n;
}

/* Digits at `p`; *ret_n is how many. */
static int number_read(const char *p, size_t *ret_n)
{
	int value = 0;
	size_t n;

	for (n = 0; isdigit((unsigned char)p[n]); n++)
		if (value < 100000000)
			value = value * 10 + (p[n] - '0');
	*ret_n = n;
	return value;
}

/* "+0100", "+01:00" or "+01". The last one counts, also in a comment: git believes it. */
static size_t zone_take(struct date *d, const char *p)
{
	size_t n, more = 0;
	int value = number_read(p + 1, &n), hours = value, minutes = 0;

	if (n == 4) {
		hours = value / 100;
		minutes = value % 100;
	} else if (n != 2) {
		return 1 + n;
	} else if (p[3] == ':') {
		minutes = number_read(p + 4, &more);
		if (more++ != 2)
			return n + more;
	}
	if (hours < 24 && minutes < 60) {
		d->zone = (hours * 60 + minutes) * (*p == '-' ? -1 : 1);
		d->has_zone = true;
	}
	return 1 + n + more;
}

/* Up to three numbers with `sep` between them, and a fraction of a second. */
static size_t group_read(const char *p, char sep, int value[3])
{
	size_t at = 0, n;

	value[2] = 0;
	for (int i = 0; i < 3; i++) {
		value[i] = number_read(p + at, &n);
		at += n;
		if (i == 2 || p[at] != sep || !isdigit((unsigned char)p[at + 1]))
			break;
		at++;
	}
	if (sep == ':' && p[at] == '.')
		at += 1 + strspn(p + at + 1, "0123456789");
	return at;
}

static size_t time_take(struct date *d, const char *p)
{
	int v[3];
	size_t n = group_read(p, ':', v);

	if (v[0] <= 24 && v[1] < 60 && v[2] <= 60) {
		d->hour = v[0];
		d->minute = v[1];
		d->second = v[2];
	}
	return n;
}

/* ISO 8601, 2026-11-30. */
static size_t day_take(struct date *d, const char *p)
{
	int v[3];
	size_t n = group_read(p, '-', v);

	if (v[0] >= 1970 && v[0] < 2100 && v[1] >= 1 && v[1] <= 12 && v[2] >= 1 && v[2] <= 31) {
		d->year = v[0];
		d->month = v[1] - 1;
		d->day = v[2];
	}
	return n;
}

static size_t number_take(struct date *d, const char *p)
{
	size_t n;
	int value = number_read(p, &n);

	if (p[n] == ':' && isdigit((unsigned char)p[n + 1]))
		return time_take(d, p);
	if (n == 4 && p[n] == '-' && isdigit((unsigned char)p[n + 1]))
		return day_take(d, p);
	if (n == 4 && value > 1900 && value < 2100)
		d->year = value;
	else if (n <= 2 && value > 0 && value < 32 && d->day < 0)
		d->day = value;
	else if (n == 2 && d->year < 0)
		d->year = value + (value < 50 ? 2000 : 1900);
	return n;
}

bool mail_date_parse(const char *value, int64_t *ret_date, int *ret_tz_minutes)
{
	struct date d = {-1, -1, -1, -1, -1, -1, 0, false};
	struct tm tm = {};

	while (*value) {
		if (isalpha((unsigned char)*value))
			value += word_take(&d, value);
		else if (isdigit((unsigned char)*value))
			value += number_take(&d, value);
		else if ((*value == '+' || *value == '-') && isdigit((unsigned char)value[1]))
			value += zone_take(&d, value);
		else
			value++;
	}
	if (d.year < 1970 || d.month < 0 || d.day < 0 || d.hour < 0)
		return false;
	tm = (struct tm){.tm_year = d.year - 1900,
			 .tm_mon = d.month,
			 .tm_mday = d.day,
			 .tm_hour = d.hour,
			 .tm_min = d.minute,
			 .tm_sec = d.second};
	*ret_date = (int64_t)timegm(&tm) - d.zone * 60;
	*ret_tz_minutes = d.zone;
	return true;
}
