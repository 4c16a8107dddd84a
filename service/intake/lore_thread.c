// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "intake/gunzip.h"
#include "intake/lore.h"
#include "intake/mbox_split.h"

#include <fcntl.h>
#include <sys/mman.h>

#define GZIP_MAX   ((size_t)64 << 20)
#define THREAD_MAX ((size_t)256 << 20)

/* "https://host/all/" when `base` is the archive, else the inbox; with one "/" at the end. */
static char *inbox_url(const char *base)
{
	const char *host = strstr(base, "://"), *path;
	size_t n = strlen(base);

	path = host ? strchr(host + 3, '/') : base;
	while (n && base[n - 1] == '/')
		n--;
	if (!path || path >= base + n)
		return xasprintf("%.*s/all/", (int)n, base);
	return xasprintf("%.*s/", (int)n, base);
}

/* All inboxes beside this one; NULL when `inbox` is that already. */
static char *all_url(const char *inbox)
{
	const char *end = inbox + strlen(inbox) - 1;

	if (str_ends(inbox, "/all/"))
		return NULL;
	while (end > inbox && end[-1] != '/')
		end--;
	return xasprintf("%.*sall/", (int)(end - inbox), inbox);
}

/* Through a file in memory, as the splitter reads pieces. */
static int mails_split(const struct str *mbox, const char *url, struct mail_list *list,
		       struct err *err)
{
	auto_fd int fd = memfd_create("thread", MFD_CLOEXEC);
	struct intake in = {.list = list};

	if (fd < 0 || fs_write_all(fd, mbox->buf, mbox->len) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return err_sys(err, ERR_INFRA, "cannot keep %s in memory", url);
	return mbox_split(&in, fd, url, err);
}

static void list_cut(struct mail_list *list, size_t n)
{
	while (list->n > n)
		mail_free(list->item[--list->n]);
}

static int thread_unpack(const char *url, const struct str *packed, struct mail_list *list,
			 struct err *err)
{
	auto_str struct str mbox;
	size_t before = list->n;
	int rc;

	str_init(&mbox, THREAD_MAX);
	if (gunzip(packed->buf, packed->len, &mbox, err) < 0)
		return err_wrap(err, "%s", url);
	rc = mails_split(&mbox, url, list, err);
	if (rc < 0)
		list_cut(list, before);
	return rc;
}

/* `*ret_found` false: this inbox has none of it. */
static int thread_get(struct http *http, const char *inbox, const char *id, struct mail_list *list,
		      bool *ret_found, struct err *err)
{
	auto_free char *escaped = http_escape(id),
		       *url = xasprintf("%s%s/t.mbox.gz", inbox, escaped);
	auto_http_response struct http_response r = {};
	struct http_request req = {.url = url, .max = GZIP_MAX, .content_type = "application/gzip"};
	int rc = http_run(http, &req, &r, err);

	if (rc < 0)
		return rc;
	/* 300: public-inbox offers ids that begin alike. */
	*ret_found = r.status != 404 && r.status != 300;
	if (!*ret_found)
		return 0;
	rc = http_check(&req, &r, err);
	return rc < 0 ? rc : thread_unpack(url, &r.body, list, err);
}

int lore_thread(struct http *http, const char *base_url, const char *message_id,
		struct mail_list *list, struct err *err)
{
	auto_free char *inbox = inbox_url(base_url), *all = all_url(inbox);
	bool found = false;
	int rc = thread_get(http, inbox, message_id, list, &found, err);

	if (rc == 0 && !found && all)
		rc = thread_get(http, all, message_id, list, &found, err);
	if (rc == 0 && !found)
		return err_set(err, ERR_INPUT, "%s: the archive has no mail with the id <%s>",
			       inbox, message_id);
	return rc;
}

int lore_has(struct http *http, const char *base_url, const char *message_id, bool *ret_has,
	     struct err *err)
{
	auto_free char *inbox = inbox_url(base_url), *escaped = http_escape(message_id),
		       *url = xasprintf("%s%s/raw", inbox, escaped);
	auto_http_response struct http_response r = {};
	/* public-inbox-httpd answers HEAD as it does GET, without the body. The type tells a page
	 * of somebody else's from a mail. */
	struct http_request req = {.method = "HEAD", .url = url, .content_type = "text/plain"};
	int rc = http_run(http, &req, &r, err);

	if (rc == 0 && r.status != 404 && r.status != 300)
		rc = http_check(&req, &r, err);
	if (rc == 0)
		*ret_has = r.status == 200;
	return rc;
}
