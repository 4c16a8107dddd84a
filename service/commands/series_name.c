// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/series_name.h"

#include "base/conf_section.h"
#include "base/str.h"
#include "intake/lore.h"
#include "intake/patchwork.h"
#include "store/mails.h"
#include "store/queue.h"

/* RFC 5322, 3.6.4, without the brackets. */
static bool is_message_id(const char *text, size_t n)
{
	const char *at = memchr(text, '@', n);

	if (!at || at == text || at == text + n - 1)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] <= ' ' || strchr("<>\"", text[i]) || text[i] == 0x7f)
			return false;
	return true;
}

/* The [patchwork] whose url the link begins with. */
static const char *server_of(const struct conf *conf, const char *base)
{
	const struct conf_section *s;

	for (size_t i = 0; (s = conf_section_nth(conf, CONF_SECTION_PATCHWORK, i)) != NULL; i++) {
		const char *url = conf_section_str(s, CONF_PATCHWORK_URL);
		size_t n = strlen(url);

		while (n && url[n - 1] == '/')
			n--;
		if (strncmp(url, base, n) == 0 && (base[n] == '/' || !base[n]))
			return s->name;
	}
	return NULL;
}

static int by_number(struct service *s, const char *base, int64_t patch, int64_t series,
		     char **ret_message_id, struct err *err)
{
	const char *server = server_of(&s->conf, base);
	struct store_patchwork_list l = {0};
	int rc;

	if (!server)
		return err_set(err, ERR_USAGE,
			       "%s is the url of no [patchwork] in the "
			       "configuration",
			       base);
	rc = patch ? store_patchwork_by_number(s->store, server, patch, &l, err)
		   : store_patchwork_by_series(s->store, server, series, &l, err);
	if (rc == 0 && l.n == 0)
		rc = err_set(err, ERR_INPUT,
			     "the store does not know %s %lld of %s yet: give its message ID",
			     patch ? "patch" : "series", (long long)(patch ? patch : series),
			     server);
	if (rc == 0)
		*ret_message_id = xstrdup(l.row[0].message_id);
	store_patchwork_list_done(&l);
	return rc;
}

static int by_link(struct service *s, const char *text, char **ret_message_id, struct err *err)
{
	auto_free char *base = NULL, *id = NULL;
	int64_t patch = 0, series = 0;

	if (patchwork_link_parse(text, &base, &id, &patch, &series) && !id)
		return by_number(s, base, patch, series, ret_message_id, err);
	if (!id) {
		free(take(base));
		if (!lore_link_parse(text, &base, &id))
			return err_set(err, ERR_USAGE,
				       "%s is a link to no public-inbox and no Patchwork", text);
	}
	*ret_message_id = take(id);
	return 0;
}

int series_name(struct service *s, const char *text, char **ret_message_id, struct err *err)
{
	size_t n = strlen(text);

	if (strstr(text, "://"))
		return by_link(s, text, ret_message_id, err);
	if (n > 2 && text[0] == '<' && text[n - 1] == '>') {
		text++;
		n -= 2;
	}
	if (!is_message_id(text, n))
		return err_set(err, ERR_USAGE, "\"%s\" is neither a message ID nor a link", text);
	*ret_message_id = xmemdup(text, n);
	return 0;
}

int trial_name(struct service *s, const char *text, int64_t *ret_trial, struct err *err)
{
	auto_free char *id = NULL;
	int64_t posting = 0, trial = 0;
	int rc;

	if (*text && strspn(text, "0123456789") == strlen(text))
		return parse_id(text, "a trial", ret_trial, err);
	rc = series_name(s, text, &id, err);
	if (rc == 0)
		rc = store_posting_find(s->store, id, &posting, err);
	if (rc == 0)
		rc = store_queue_newest(s->store, posting, &trial, err);
	if (rc == 0 && !trial)
		rc = err_set(err, ERR_INPUT, "%s has not been tried", id);
	if (rc == 0)
		*ret_trial = trial;
	return rc;
}
