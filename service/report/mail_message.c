// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole message. */
#include "report/mail_message.h"

#include "base/json.h"
#include "report/escape.h"

#define ID_MAX	 900 /* "<ID>" must fit a line of 998 */
#define REFS_MAX 20  /* the newest: a reader finds the thread by any of them */

/* LEFT@RIGHT of visible ASCII without what would end it. RFC 5322 3.6.4, and the obsolete forms
 * that are seen. */
static bool id_ok(const char *id)
{
	size_t n = strlen(id);

	if (n == 0 || n > ID_MAX)
		return false;
	for (; *id; id++)
		if (*id <= ' ' || *id == 0x7f || (unsigned char)*id >= 0x80 || strchr("<>", *id))
			return false;
	return true;
}

/* A JSON string, all of it; "" for one with an inner NUL. */
static const char *text_of(const json_t *value)
{
	const char *s = json_string_value(value);

	return s && strlen(s) == json_string_length(value) ? s : "";
}

static void mailbox_list(struct str *out, const char *header, const struct mail_recipients *to,
			 bool cc)
{
	bool first = true;

	for (size_t i = 0; i < to->n; i++) {
		const struct mail_recipient *r = &to->item[i];

		if (r->dropped || r->cc != cc)
			continue;
		auto_free char *mailbox = mail_mailbox(r->name, r->email);

		/* One a line. */
		str_addf(out, "%s%s ", first ? header : ",\r\n", first ? ":" : "");
		mail_fold(out, first ? strlen(header) + 2 : 1, mailbox);
		first = false;
	}
	if (!first)
		str_adds(out, "\r\n");
}

static void header_from(struct str *out, const char *from, const char *email)
{
	const char *open = strrchr(from, '<');
	size_t n = open ? (size_t)(open - from) : 0;

	while (n && from[n - 1] == ' ')
		n--;
	if (n > 1 && from[0] == '"' && from[n - 1] == '"') {
		from++;
		n -= 2;
	}
	auto_free char *name = xmemdup(from, n), *mailbox = mail_mailbox(name, email);

	str_adds(out, "From: ");
	mail_fold(out, strlen("From: "), mailbox);
	str_adds(out, "\r\n");
}

/* RFC 5322 3.3. In English whatever the locale is. */
static void header_date(struct str *out, int64_t date)
{
	static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	time_t t = (time_t)date;
	struct tm tm = {0};

	gmtime_r(&t, &tm);
	str_addf(out, "Date: %s, %d %s %d %02d:%02d:%02d +0000\r\n", days[tm.tm_wday], tm.tm_mday,
		 months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static void header_refs(struct str *out, const json_t *want)
{
	const json_t *refs = json_object_get(want, "references"), *ref;
	const char *answers = text_of(json_object_get(want, "in_reply_to"));
	size_t n = json_array_size(refs), i;
	bool first = true;

	if (id_ok(answers))
		str_addf(out, "In-Reply-To: <%s>\r\n", answers);
	json_array_foreach (refs, i, ref) {
		if (i + REFS_MAX < n || !id_ok(text_of(ref)))
			continue;
		str_addf(out, "%s <%s>", first ? "References:" : "\r\n", text_of(ref));
		first = false;
	}
	if (first && id_ok(answers))
		str_addf(out, "References: <%s>", answers);
	if (!first || id_ok(answers))
		str_adds(out, "\r\n");
}

/* Auto-Submitted (RFC 3834) keeps robots from answering. No Precedence: RFC 3834 has nothing to do
 * with it, and lists hold back what is "bulk". No List-Unsubscribe: we are no list; the footer says
 * how to opt out. */
static void headers_rest(struct str *out, const struct mail_compose_options *opt,
			 const char *encoding)
{
	str_adds(out, "Auto-Submitted: auto-generated\r\n");
	if (opt->trial)
		str_addf(out, "X-Firn-Trial: %lld\r\n", (long long)opt->trial);
	str_addf(out,
		 "MIME-Version: 1.0\r\n"
		 "Content-Type: text/plain; charset=utf-8\r\n"
		 "Content-Transfer-Encoding: %s\r\n"
		 "\r\n",
		 encoding);
}

/* What cannot be shown, and bytes that are not UTF-8, are written out; lines stay. */
static char *body_clean(const json_t *want)
{
	const json_t *value = json_object_get(want, "body");
	const char *s = json_string_value(value), *end = s ? s + json_string_length(value) : NULL;
	auto_str struct str out;

	str_init(&out, 1 << 20);
	while (s && s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s)) ?: end;

		term_text(&out, s, (size_t)(eol - s));
		str_addc(&out, '\n');
		s = eol + 1;
	}
	return str_take(&out);
}

int mail_compose(const json_t *want, const struct mail_recipients *to,
		 const struct mail_compose_options *opt, struct str *ret, struct err *err)
{
	auto_free char *from = NULL, *text = body_clean(want);
	auto_str struct str body;
	const char *encoding;
	int rc = mail_from_address(opt->from, &from, err);

	str_init(&body, 0);
	if (rc < 0)
		return rc;
	if (!id_ok(opt->message_id) || !strchr(opt->message_id, '@'))
		return err_set(err, ERR_INPUT, "a mail cannot have the id \"%s\"", opt->message_id);
	if (!mail_recipients_left(to))
		return err_set(err, ERR_INPUT, "nobody is left to write to");
	encoding = mail_body_encode(&body, text);
	str_reset(ret);
	header_from(ret, opt->from, from);
	mailbox_list(ret, "To", to, false);
	mailbox_list(ret, "Cc", to, true);
	mail_header_text(ret, "Subject", text_of(json_object_get(want, "subject")));
	header_date(ret, opt->date);
	str_addf(ret, "Message-ID: <%s>\r\n", opt->message_id);
	header_refs(ret, want);
	headers_rest(ret, opt, encoding);
	str_add(ret, body.buf, body.len);
	return 0;
}
