// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/conf_section.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/str.h"
#include "intake/http.h"
#include "serve/trial_child.h"

/* What an older version, a reply with a tag or an offer may be away; and how much of it. */
#define AROUND_S   (60 * 24 * 3600)
#define AROUND_MAX 1000
#define DONE	   ".done"

static int mail_write(const struct store_mail *m, const char *dir, struct err *err)
{
	/* By date, as the list is; the id keeps a name from being used twice. */
	auto_free char *path =
		xasprintf("%s/%011lld-%lld.eml", dir, (long long)m->date, (long long)m->id);

	if (!m->raw || strcmp(m->state, "removed") == 0)
		return 0;
	return fs_write_atomic(path, m->raw, m->raw_len, err);
}

static int list_write(const struct store_mail_list *list, const char *dir, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < list->n; i++)
		rc = mail_write(&list->mail[i], dir, err);
	return rc;
}

/* The patches themselves, should there be so much around them that they are left out. */
static int patches_write(struct store *s, const struct store_posting *p, const char *dir,
			 struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->n_patches; i++) {
		auto_store_mail_list struct store_mail_list list = {0};

		rc = store_mail_list_by_id(s, p->patch[i].message_id, &list, err);
		for (size_t k = 0; rc == 0 && k < list.n; k++)
			if (list.mail[k].id == p->patch[i].mail)
				rc = mail_write(&list.mail[k], dir, err);
	}
	return rc;
}

int trial_input_write(struct store *s, const struct store_posting *p, const char *dir,
		      struct err *err)
{
	auto_free char *done = xasprintf("%s/" DONE, dir);
	auto_store_mail_list struct store_mail_list list = {0};
	int rc;

	if (fs_exists(done))
		return 0;
	rc = fs_mkdirs(dir, err);
	if (rc == 0 && p->n_patches)
		rc = store_mail_list_around(s, p->patch[0].mail, AROUND_S, AROUND_MAX, &list, err);
	if (rc == 0)
		rc = list_write(&list, dir, err);
	if (rc == 0)
		rc = patches_write(s, p, dir, err);
	fault_point("trial-input");
	return rc < 0 ? rc : fs_write_atomic(done, "", 0, err);
}

char *trial_input_link(const struct conf *conf, const struct store_posting *posting)
{
	const struct conf_section *list = conf_section_find(conf, CONF_SECTION_LIST, posting->list);
	const char *url = list ? conf_section_str(list, CONF_LIST_LORE) : NULL;
	auto_free char *id = url ? http_escape(posting->message_id) : NULL;

	return url ? xasprintf("%s%s%s/", url, str_ends(url, "/") ? "" : "/", id) : NULL;
}
