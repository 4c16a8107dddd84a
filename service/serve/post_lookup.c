// SPDX-License-Identifier: GPL-2.0-or-later
/* A mail that was handed over, and the answer lost: the list's archive knows whether it went out.
 */
#include "intake/lore.h"
#include "report/mail_message.h"
#include "serve/post_deliver.h"
#include "serve/post_server.h"
#include "store/queue.h"

static bool goes_to(const struct store_post *post, const char *address)
{
	auto_mail_recipients struct mail_recipients to;
	bool is = false;

	mail_recipients_read(post->want, &to);
	for (size_t i = 0; i < to.n; i++)
		is = is || (!to.item[i].dropped && strcasecmp(to.item[i].email, address) == 0);
	return is;
}

int deliver_has_archive(struct deliver *d, const struct store_post *post, const char **ret_url,
			struct err *err)
{
	const struct conf_section *list;
	struct store_queued trial = {0};
	const char *address;
	int rc = store_queue_get(d->env->store, post->trial, &trial, err);

	if (rc < 0)
		return rc;
	list = conf_section_find(d->env->conf, CONF_SECTION_LIST, trial.list);
	store_queued_done(&trial);
	address = list ? conf_section_str(list, CONF_LIST_ADDRESS) : NULL;
	*ret_url =
		address && goes_to(post, address) ? conf_section_str(list, CONF_LIST_LORE) : NULL;
	return 0;
}

enum deliver_seen deliver_lookup(struct deliver *d, const struct store_post *post,
				 struct err *words)
{
	const char *url = NULL;
	bool has = false;

	if (deliver_has_archive(d, post, &url, words) < 0)
		return DELIVER_LATER;
	if (!url)
		return DELIVER_NOWHERE;
	if (lore_has(d->http, url, post->target, &has, words) < 0)
		return DELIVER_LATER;
	return has ? DELIVER_THERE : DELIVER_ABSENT;
}
