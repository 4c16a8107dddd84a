// SPDX-License-Identifier: GPL-2.0-or-later
/* A patch or cover as an mbox: decoded, with trailers of the replies, nothing escaped. */
#include "stand_in.h"

static bool is_ascii(const char *p)
{
	for (; *p; p++)
		if ((unsigned char)*p > 126)
			return false;
	return true;
}

/* An address in angle brackets stays as it is. */
static void write_header(struct str *out, const char *name, const char *value)
{
	const char *address = str_ends(value, ">") ? strrchr(value, '<') : NULL;
	const char *end = address ?: value + strlen(value);

	if (is_ascii(value)) {
		str_addf(out, "%s: %s\n", name, value);
		return;
	}
	while (end > value && end[-1] == ' ')
		end--;
	str_addf(out, "%s: =?utf-8?q?", name);
	for (const char *p = value; p < end; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == ' ')
			str_addc(out, '_');
		else if (c > 126 || c < 33 || strchr("=?_", c))
			str_addf(out, "=%02X", c);
		else
			str_addc(out, *p);
	}
	str_addf(out, "?=%s%s\n", address ? " " : "", address ?: "");
}

static void write_headers(const struct part *p, struct str *out)
{
	const char *name;
	json_t *value;

	json_object_foreach (p->headers, name, value) {
		if (strcasecmp(name, "Content-Type") != 0 &&
		    strcasecmp(name, "Content-Transfer-Encoding") != 0)
			write_header(out, name, json_string_value(value));
	}
}

static bool is_trailer(const char *line, size_t n)
{
	static const char *const names[] = {"Acked-by:", "Reviewed-by:", "Tested-by:", NULL};

	for (const char *const *t = names; *t; t++)
		if (n > strlen(*t) && strncasecmp(line, *t, strlen(*t)) == 0)
			return true;
	return false;
}

/* What replies to the patch have of trailers goes behind its own. */
static void write_trailers(const struct server *s, const struct part *p, struct str *out)
{
	for (size_t i = 0; i < s->comments.n; i++) {
		const struct part *c = s->comments.item[i];

		if (c->on_cover || c->about != p->id)
			continue;
		for (const char *line = c->content; *line;) {
			size_t n = strcspn(line, "\n");

			if (is_trailer(line, n))
				str_addf(out, "%.*s\n", (int)n, line);
			line += n + (line[n] == '\n');
		}
	}
}

/* Above the "---", if there is one. */
static void write_content(const struct server *s, const struct part *p, bool is_cover,
			  struct str *out)
{
	const char *cut = strstr(p->content, "\n---\n");

	if (is_cover) {
		str_addf(out, "%s\n", p->content);
	} else if (cut) {
		str_add(out, p->content, (size_t)(cut - p->content) + 1);
		write_trailers(s, p, out);
		str_addf(out, "%s\n", cut + 1);
	} else {
		str_addf(out, "%s\n", p->content);
		write_trailers(s, p, out);
	}
}

/* The date that a mbox begins with, in the form of ctime(3). */
static void write_from(const struct part *p, struct str *out)
{
	struct tm tm = {0};
	char buf[40];

	strptime(p->date, "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(buf, sizeof(buf), "%a %b %e %H:%M:%S %Y", &tm);
	str_addf(out, "From patchwork %s\n", buf);
}

void mbox_write(const struct server *s, const struct part *p, bool is_cover, struct str *out)
{
	const struct person *who = list_get(&s->people, p->submitter);
	char *from = xasprintf("%s <%s>", who->name, who->email);
	bool plain = is_ascii(p->content) && (is_cover || is_ascii(p->diff));

	write_from(p, out);
	str_adds(out, "Content-Type: text/plain; charset=\"utf-8\"\nMIME-Version: 1.0\n");
	str_addf(out, "Content-Transfer-Encoding: %s\n", plain ? "7bit" : "8bit");
	write_header(out, "X-Patchwork-Submitter", from);
	str_addf(out, "X-Patchwork-Id: %u\n", p->id);
	write_headers(p, out);
	str_addc(out, '\n');
	write_content(s, p, is_cover, out);
	if (!is_cover)
		str_addf(out, "\n%s", p->diff);
	free(from);
}
