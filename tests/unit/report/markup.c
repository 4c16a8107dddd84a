// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/report/markup.h"

#include "base/str.h"
#include <ctype.h>

#define DEPTH_MAX 32
#define NAME_MAX_ 32

struct walk {
	const char *page, *at;
	char open[DEPTH_MAX][NAME_MAX_];
	unsigned depth;
};

static char *fault(const struct walk *w, const char *what)
{
	return xasprintf("%s at byte %zu: %.60s", what, (size_t)(w->at - w->page), w->at);
}

static bool take_name(struct walk *w, char name[static NAME_MAX_])
{
	size_t n = 0;

	while (isalnum((unsigned char)w->at[n]) || w->at[n] == '-' || w->at[n] == ':')
		n++;
	if (n == 0 || n >= NAME_MAX_)
		return false;
	snprintf(name, NAME_MAX_, "%.*s", (int)n, w->at);
	w->at += n;
	return true;
}

static bool is_forbidden_element(const char *name)
{
	static const char *const list[] = {"script", "img",  "iframe", "object", "embed", "link",
					   "form",   "base", "image",  "use",	 "audio", "video"};

	for (size_t i = 0; i < array_size(list); i++)
		if (strcmp(name, list[i]) == 0)
			return true;
	return false;
}

/* No handlers, no inline style, and addresses only within the page. */
static bool is_forbidden_attribute(const char *name, const char *value)
{
	return str_starts(name, "on") || strcmp(name, "style") == 0 || strcmp(name, "src") == 0 ||
	       strcmp(name, "xlink:href") == 0 || (strcmp(name, "href") == 0 && value[0] != '#');
}

static char *take_attributes(struct walk *w)
{
	char name[NAME_MAX_];

	while (*w->at == ' ') {
		const char *end;

		w->at++;
		if (!take_name(w, name) || !str_starts(w->at, "=\""))
			return fault(w, "bad attribute");
		w->at += 2;
		if (is_forbidden_attribute(name, w->at))
			return fault(w, "forbidden attribute");
		end = strpbrk(w->at, "\"<");
		if (!end || *end != '"')
			return fault(w, "bad value");
		w->at = end + 1;
	}
	return NULL;
}

static char *take_end(struct walk *w)
{
	char name[NAME_MAX_];

	w->at += 2;
	if (!take_name(w, name) || *w->at != '>')
		return fault(w, "bad end tag");
	if (!w->depth || strcmp(w->open[w->depth - 1], name) != 0)
		return fault(w, "end tag of another element");
	w->depth--;
	w->at++;
	return NULL;
}

static char *take_tag(struct walk *w)
{
	char name[NAME_MAX_], *wrong;

	if (w->at[1] == '/')
		return take_end(w);
	w->at++;
	if (!take_name(w, name))
		return fault(w, "bad tag");
	if (is_forbidden_element(name))
		return fault(w, "forbidden element");
	wrong = take_attributes(w);
	if (wrong)
		return wrong;
	if (str_starts(w->at, "/>")) {
		w->at += 2;
		return NULL;
	}
	if (*w->at != '>' || w->depth == DEPTH_MAX)
		return fault(w, "bad tag");
	w->at++;
	snprintf(w->open[w->depth++], NAME_MAX_, "%s", name);
	return NULL;
}

static char *take_entity(struct walk *w)
{
	static const char *const entities[] = {"&amp;",	 "&lt;",  "&gt;",
					       "&quot;", "&#39;", "&#8722;"};

	for (size_t i = 0; i < array_size(entities); i++) {
		if (str_starts(w->at, entities[i])) {
			w->at += strlen(entities[i]);
			return NULL;
		}
	}
	return fault(w, "bare ampersand");
}

char *markup_fault(const char *page)
{
	static const char doctype[] = "<!DOCTYPE html>\n";
	struct walk w = {.page = page, .at = page};
	char *wrong = NULL;

	if (!str_starts(page, doctype))
		return fault(&w, "no doctype");
	w.at += strlen(doctype);
	while (*w.at && !wrong) {
		unsigned char c = (unsigned char)*w.at;

		if (c == '<')
			wrong = take_tag(&w);
		else if (c == '&')
			wrong = take_entity(&w);
		else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			wrong = fault(&w, "control character");
		else
			w.at++;
	}
	if (!wrong && w.depth)
		wrong = fault(&w, w.open[w.depth - 1]);
	return wrong;
}
