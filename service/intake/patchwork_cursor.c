// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a walk over Patchwork's events ended: "1 DATE ID,ID,...".
 *
 * The dates are naive, and from Patchwork 3.2 on in the server's zone: when its clock goes back in
 * autumn, an hour's events have dates that were there before. And a transaction that ends late
 * shows an event with a date before others. So events are asked for from some time before the
 * newest date on, and the cursor has the ids that are known from that time.
 */
#include "intake/patchwork_walk.h"

#include "base/clock.h"
#include <ctype.h>

#define CURSOR_MARK "1 "
/* An hour of a clock that goes back, and one for what comes late. */
#define OVERLAP_S 7200
/* The zone farthest from UTC, RFC 3339's naive dates being anywhere: Kiribati. */
#define ZONE_S ((int64_t)14 * 3600)
/* A day of the busiest list is about 3,000 events. */
#define SEEN_MAX 20000

static const char *date_end(const char *text)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd";
	const char *p = text;

	for (const char *f = form; *f; f++, p++)
		if (*f == 'd' ? !isdigit((unsigned char)*p) : *p != *f)
			return NULL;
	if (*p == '.' && isdigit((unsigned char)p[1]))
		for (p++; isdigit((unsigned char)*p); p++)
			;
	return p;
}

static bool is_zone(const char *p)
{
	return !*p || strcmp(p, "Z") == 0 || *p == '+' || *p == '-';
}

static bool date_time(const char *date, int64_t *ret_t)
{
	struct tm tm = {0};
	const char *end = strptime(date, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!end)
		return false;
	*ret_t = timegm(&tm);
	return true;
}

char *walk_date(const char *text)
{
	const char *end = date_end(text);
	int64_t t;

	if (!end || !is_zone(end) || end - text > 26 || !date_time(text, &t))
		return NULL;
	return xmemdup(text, (size_t)(end - text));
}

char *walk_date_of(int64_t t)
{
	char buf[32];
	time_t when = (time_t)t;
	struct tm tm;

	if (t < 0 || !gmtime_r(&when, &tm) || tm.tm_year > 8099) /* four digits of year */
		return xstrdup("1970-01-01T00:00:00");
	strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%S", &tm);
	return xstrdup(buf);
}

char *walk_date_shift(const char *date, int64_t seconds)
{
	int64_t t;

	return date_time(date, &t) ? walk_date_of(t + seconds) : xstrdup(date);
}

char *walk_since(const char *date)
{
	return walk_date_shift(date, -OVERLAP_S);
}

static void ids_add(struct walk_ids *ids, int64_t id)
{
	arr_grow(ids->id, ids->n, ids->cap);
	ids->id[ids->n++] = id;
}

static int id_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void ids_sort(struct walk_ids *ids)
{
	if (ids->n)
		qsort(ids->id, ids->n, sizeof(*ids->id), id_order);
}

bool walk_has_seen(const struct patchwork_walk *w, int64_t id)
{
	return w->seen.n && bsearch(&id, w->seen.id, w->seen.n, sizeof(id), id_order);
}

/* "ID,ID,..." to the end of the text. */
static bool ids_read(struct walk_ids *ids, const char *p)
{
	while (*p) {
		char *end;
		long long id = strtoll(p, &end, 10);

		if (end == p || id <= 0 || (*end && *end != ','))
			return false;
		ids_add(ids, id);
		p = *end ? end + 1 : end;
	}
	ids_sort(ids);
	return true;
}

int walk_begin(struct patchwork_walk *w, const char *cursor, int64_t since, struct err *err)
{
	const char *p = cursor + strlen(CURSOR_MARK), *space;

	if (!*cursor) {
		w->date = walk_date_of(since - ZONE_S);
		return 0;
	}
	if (str_starts(cursor, CURSOR_MARK) && (space = strchr(p, ' '))) {
		auto_free char *date = xmemdup(p, (size_t)(space - p));

		w->date = walk_date(date);
		if (w->date && ids_read(&w->seen, space + 1))
			return 0;
	}
	return err_set(err, ERR_INPUT,
		       "the place up to which Patchwork was read is not readable: %s", cursor);
}

static bool is_told(const struct patchwork_walk *w, size_t i)
{
	return i < w->told || walk_has_seen(w, w->item[i].id);
}

char *walk_cursor(const struct patchwork_walk *w, const char *date)
{
	auto_free char *since = walk_since(date);
	struct walk_ids ids = {0};
	struct str s;

	for (size_t i = 0; i < w->n; i++)
		if (is_told(w, i) && strcmp(w->item[i].date, since) >= 0)
			ids_add(&ids, w->item[i].id);
	ids_sort(&ids);
	str_init(&s, 0);
	str_addf(&s, CURSOR_MARK "%s ", date);
	for (size_t i = ids.n > SEEN_MAX ? ids.n - SEEN_MAX : 0; i < ids.n; i++)
		str_addf(&s, "%lld%s", (long long)ids.id[i], i + 1 < ids.n ? "," : "");
	free(ids.id);
	return str_take(&s);
}

const char *walk_newest(const struct patchwork_walk *w)
{
	auto_free char *limit = walk_date_of(clock_wall() + ZONE_S);
	const char *newest = w->date;

	for (size_t i = 0; i < w->n && i < w->told; i++)
		if (strcmp(w->item[i].date, newest) > 0 && strcmp(w->item[i].date, limit) <= 0)
			newest = w->item[i].date;
	return newest;
}
