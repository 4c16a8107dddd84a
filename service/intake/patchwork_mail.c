// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails out of Patchwork: one, those of a series, and where one is by its Message-ID. */
#include "intake/patchwork_api.h"

#include <ctype.h>

/* A server with more projects than this and no msgid= is not searched through. */
#define PROJECTS_MAX 50

/* The text after a first line "From patchwork DATE". Patchwork escapes no "From " in a body: what
 * looks like more mails is one. */
static void skip_from_line(const char **data, size_t *n)
{
	const char *nl;

	if (*n < 5 || memcmp(*data, "From ", 5) != 0 || !(nl = memchr(*data, '\n', *n)))
		return;
	*n -= (size_t)(nl + 1 - *data);
	*data = nl + 1;
}

static int mbox_get(const struct patchwork_server *s, const char *url, struct http_response *ret,
		    struct err *err)
{
	const struct http_request req = {.url = url, .max = MAIL_MAX, .content_type = "text/plain"};
	int rc = http_run(s->http, &req, ret, err);

	if (rc < 0)
		return rc;
	if (ret->status == 404)
		return err_set(err, ERR_INPUT, "%s: Patchwork has no such mail", url);
	return http_check(&req, ret, err);
}

int patchwork_mail(const struct patchwork_server *s, const char *mbox_url, struct mail_list *list,
		   struct err *err)
{
	auto_free char *url = patchwork_own_url(s, mbox_url);
	struct http_response r = {0};
	struct mail *mail = NULL;
	const char *data;
	size_t n;
	int rc;

	if (!url)
		return err_set(err, ERR_INPUT,
			       "the address of a mail leads away from %s: not fetched", s->url);
	rc = mbox_get(s, url, &r, err);
	if (rc == 0) {
		data = r.body.buf;
		n = r.body.len;
		skip_from_line(&data, &n);
		rc = mail_parse(data, n, url, &mail, err);
	}
	if (rc == 0)
		mail_list_add(list, mail);
	http_response_done(&r);
	return rc;
}

/* The cover letter or a patch, as a member of a series tells of it. */
static int part_get(const struct patchwork_server *s, const json_t *part, struct mail_list *list,
		    struct err *err)
{
	auto_free char *mbox = patchwork_own_member(s, part, "mbox");

	if (mbox)
		return patchwork_mail(s, mbox, list, err);
	if (json_object_get(part, "mbox"))
		return err_set(err, ERR_INPUT, "mail %lld has an address that leads away from %s",
			       (long long)patchwork_id(part, "id"), s->url);
	/* API 1.0 has none for a cover letter. */
	mail_list_note(list, "%s: mail %lld is not to be had from this version of the API", s->url,
		       (long long)patchwork_id(part, "id"));
	return 0;
}

static int parts_get(const struct patchwork_server *s, const json_t *series, struct mail_list *list,
		     struct err *err)
{
	const json_t *cover = json_object_get(series, "cover_letter"),
		     *patches = json_object_get(series, "patches"), *patch;
	size_t i;
	int rc = 0;

	if (!json_is_array(patches))
		return err_set(err, ERR_INFRA, "%s: the answer is not a series", s->url);
	if (json_is_object(cover))
		rc = part_get(s, cover, list, err);
	json_array_foreach (patches, i, patch) {
		if (rc < 0)
			break;
		rc = part_get(s, patch, list, err);
	}
	return rc;
}

int patchwork_series(const struct patchwork_server *s, int64_t series, struct mail_list *list,
		     struct err *err)
{
	auto_free char *path = xasprintf("series/%lld/", (long long)series);
	auto_json json_t *json = NULL;
	struct http_response r = {0};
	int rc = patchwork_get(s, path, &r, &json, NULL, err);

	http_response_done(&r);
	return rc < 0 ? rc : parts_get(s, json, list, err);
}

/* A patch or cover is in one series, but the answer has a list from times when it was in many. */
static int64_t first_series(const json_t *part)
{
	return patchwork_id(json_array_get(json_object_get(part, "series"), 0), "id");
}

int patchwork_series_of(const struct patchwork_server *s, int64_t patch, int64_t *ret_series,
			struct err *err)
{
	auto_free char *path = xasprintf("patches/%lld/", (long long)patch);
	auto_json json_t *json = NULL;
	struct http_response r = {0};
	int rc = patchwork_get(s, path, &r, &json, NULL, err);

	http_response_done(&r);
	if (rc == 0)
		*ret_series = first_series(json);
	return rc;
}

struct found {
	int64_t number, series;
};

/* An older API ignores a filter that it does not know: the answer must be looked at. */
static bool take_match(const json_t *parts, const char *message_id, struct found *ret)
{
	const json_t *part;
	size_t i;

	json_array_foreach (parts, i, part) {
		auto_free char *id = patchwork_message_id(part);

		if (id && strcmp(id, message_id) == 0 && patchwork_id(part, "id")) {
			*ret = (struct found){patchwork_id(part, "id"), first_series(part)};
			return true;
		}
	}
	return false;
}

static int ask(const struct patchwork_server *s, const char *kind, const char *message_id,
	       unsigned *ret_minor, struct found *ret, struct err *err)
{
	auto_free char *id = http_escape(message_id), *path = xasprintf("%s/?msgid=%s", kind, id);
	auto_json json_t *json = NULL;
	struct http_response r = {0};
	int rc = patchwork_get(s, path, &r, &json, ret_minor, err);

	http_response_done(&r);
	return rc < 0 ? rc : take_match(json, message_id, ret);
}

/* Patchwork's own escape of a slash comes before that of the URL. */
static char *web_segment(const char *message_id)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (const char *p = message_id; *p; p++) {
		if (*p == '/')
			str_adds(&s, "%2F");
		else
			str_addc(&s, *p);
	}
	return http_escape(s.buf);
}

/* "X-Patchwork-Id: 5" in the headers. */
static int64_t id_in_mbox(const char *mbox)
{
	static const char name[] = "\nX-Patchwork-Id:";
	const char *end = strstr(mbox, "\n\n"), *p = strcasestr(mbox, name);
	char *stop;
	long long n;

	if (!p || (end && p > end))
		return 0;
	n = strtoll(p + strlen(name), &stop, 10);
	return n > 0 && isspace((unsigned char)*stop) ? n : 0;
}

static int ask_web(const struct patchwork_server *s, const char *project, const char *message_id,
		   struct found *ret, struct err *err)
{
	auto_free char *name = http_escape(project), *id = web_segment(message_id),
		       *path = xasprintf("project/%s/patch/%s/mbox/", name, id),
		       *url = patchwork_url(s, path);
	struct http_response r = {0};
	int rc = mbox_get(s, url, &r, err);

	if (rc == 0)
		ret->number = id_in_mbox(r.body.buf);
	http_response_done(&r);
	if (rc == ERR_INPUT)
		return 0;
	if (rc < 0 || !ret->number)
		return rc;
	rc = patchwork_series_of(s, ret->number, &ret->series, err);
	return rc < 0 ? rc : 1;
}

/* By way of the pages, one project after the other. */
static int search_web(const struct patchwork_server *s, const char *message_id, struct found *ret,
		      struct err *err)
{
	auto_json json_t *projects = NULL;
	struct http_response r = {0};
	const json_t *project;
	size_t i;
	int rc = patchwork_get(s, "projects/?per_page=250", &r, &projects, NULL, err);

	http_response_done(&r);
	json_array_foreach (projects, i, project) {
		const char *name = json_string_value(json_object_get(project, "link_name"));

		if (rc != 0 || i >= PROJECTS_MAX)
			break;
		if (name)
			rc = ask_web(s, name, message_id, ret, err);
	}
	return rc;
}

int patchwork_find(const struct patchwork_server *s, const char *message_id, int64_t *ret_patch,
		   int64_t *ret_series, struct err *err)
{
	struct found f = {0};
	unsigned minor = 0;
	bool is_cover = false;
	int rc = ask(s, "patches", message_id, &minor, &f, err);

	if (rc == 0) {
		rc = ask(s, "covers", message_id, &minor, &f, err);
		is_cover = rc > 0;
	}
	if (rc == 0 && minor < 2)
		rc = search_web(s, message_id, &f, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return err_set(err, ERR_INPUT, "%s has no patch or cover letter with the id <%s>",
			       s->url, message_id);
	*ret_patch = is_cover ? 0 : f.number;
	*ret_series = f.series;
	return 0;
}
