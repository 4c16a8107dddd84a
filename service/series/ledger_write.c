// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/ledger.h"

#include "base/json.h"

/* Columns. A longer Message-ID stays whole, since it is there to be copied; a subject is cut. */
#define ID_COLUMNS	40
#define SUBJECT_COLUMNS 48
#define LINE_MAX_BYTES	8192

/* Bytes of UTF-8 that do not begin a character take no column. */
static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += !is_continuation(*s);
	return n;
}

static void column_add(struct str *out, const char *s, size_t width)
{
	size_t n = columns(s);

	str_adds(out, s);
	for (; n < width; n++)
		str_addc(out, ' ');
	str_adds(out, "  ");
}

/* The caller frees. */
static char *subject_cut(const char *s)
{
	size_t n = 0, at = 0;

	if (columns(s) <= SUBJECT_COLUMNS)
		return xstrdup(s);
	while (n < SUBJECT_COLUMNS - 3 || is_continuation(s[at]))
		n += !is_continuation(s[at++]);
	return xasprintf("%.*s...", (int)at, s);
}

static const char *id_of(const struct ledger_row *row)
{
	if (!row->mail)
		return "-";
	return row->mail->message_id ? row->mail->message_id : "(no Message-ID)";
}

struct widths {
	size_t number, state, id, subject;
};

static void widen(size_t *width, size_t n, size_t max)
{
	n = n < max ? n : max;
	if (n > *width)
		*width = n;
}

static struct widths widths_find(const struct ledger *l)
{
	struct widths w = {.number = 1};

	for (size_t n = l->n; n >= 10; n /= 10)
		w.number++;
	for (size_t i = 0; i < l->n; i++) {
		const struct ledger_row *row = &l->row[i];

		widen(&w.state, columns(mail_state_name(row->state)), SIZE_MAX);
		widen(&w.id, columns(id_of(row)), ID_COLUMNS);
		widen(&w.subject, columns(row->mail ? row->mail->subject : "-"), SUBJECT_COLUMNS);
	}
	return w;
}

static char *line_make(const struct ledger_row *row, const struct widths *w)
{
	auto_free char *subject = subject_cut(row->mail ? row->mail->subject : "-");
	struct str out;

	str_init(&out, LINE_MAX_BYTES);
	if (row->number)
		str_addf(&out, "%*zu  ", (int)w->number, row->number);
	else
		str_addf(&out, "%*s  ", (int)w->number, "-");
	column_add(&out, mail_state_name(row->state), w->state);
	column_add(&out, id_of(row), w->id);
	column_add(&out, subject, w->subject);
	str_adds(&out, row->reason);
	return str_take(&out);
}

char **ledger_lines(const struct ledger *l)
{
	struct widths w = widths_find(l);
	char **line = xcalloc(l->n, sizeof(*line));

	for (size_t i = 0; i < l->n; i++)
		line[i] = line_make(&l->row[i], &w);
	return line;
}

static json_t *row_json(const struct ledger_row *row)
{
	json_t *obj = json_object();
	const struct mail *m = row->mail;

	if (row->number)
		json_object_set_new(obj, "number", json_integer((json_int_t)row->number));
	json_object_set_new(obj, "state", json_text(mail_state_name(row->state)));
	if (row->series) {
		json_object_set_new(obj, "series", json_integer((json_int_t)row->series));
		json_object_set_new(obj, "patch", json_integer(row->patch));
	}
	if (m) {
		json_object_set_new(obj, "message_id", json_text(m->message_id));
		json_object_set_new(obj, "subject", json_text(m->subject));
		json_object_set_new(obj, "from", json_text(m->from.email));
	}
	json_object_set_new(obj, "reason", json_text(row->reason));
	return obj;
}

json_t *ledger_json(const struct ledger *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, row_json(&l->row[i]));
	return rows;
}
