// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Developer's Certificate of Origin: the author signed off, and whoever sent the patch on did
 * so too, last (Documentation/process/submitting-patches.rst, "Sign your work").
 *
 * The Sender: header is not looked at: mailing lists put themselves there.
 */
#include "checkers/checker.h"
#include "checkers/trailer.h"

#include <strings.h>

struct signoff {
	char *name, *email;
	unsigned line; /* of the message */
};

struct signoffs {
	struct signoff *item;
	size_t n, cap;
};

static void signoffs_cleanup(struct signoffs *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].name);
		free(s->item[i].email);
	}
	free(s->item);
}

static void signoffs_read(struct signoffs *s, const char *message)
{
	struct trailer_iter it = {0};
	struct trailer t;

	while (trailer_next(&it, message, "Signed-off-by", &t)) {
		arr_grow(s->item, s->n, s->cap);
		struct signoff *one = &s->item[s->n++];

		one->line = t.line;
		trailer_ident(&t, &one->name, &one->email);
	}
}

static const struct signoff *signoffs_by_email(const struct signoffs *s, const char *email)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcasecmp(s->item[i].email, email) == 0)
			return &s->item[i];
	return NULL;
}

static const struct signoff *signoffs_by_name(const struct signoffs *s, const char *name)
{
	for (size_t i = 0; i < s->n && *name; i++)
		if (strcasecmp(s->item[i].name, name) == 0)
			return &s->item[i];
	return NULL;
}

enum { AUTHOR, SENDER };

static const char *const role_name[] = {"author", "sender"};
static const char *const role_type[] = {"NO_AUTHOR_SIGN_OFF", "NO_SENDER_SIGN_OFF"};

static void finding_other_address(struct check_result *r, int role, const struct signoff *s,
				  const char *email)
{
	check_result_add(r, FINDING_WARNING, "FROM_SIGN_OFF_MISMATCH", NULL, 0,
			 CHECK_MESSAGE_LINE + s->line - 1,
			 "%s signed off as <%s>, and the %s's address is <%s>", s->name, s->email,
			 role_name[role], email);
}

/* One person's sign-off, by address, else by name; NULL and a finding when there is none. */
static const struct signoff *check_person(struct check_result *r, const struct signoffs *all,
					  int role, const struct mail_addr *who)
{
	const struct signoff *s = signoffs_by_email(all, who->email);

	if (s)
		return s;
	s = signoffs_by_name(all, who->name);
	if (s)
		finding_other_address(r, role, s, who->email);
	else
		check_result_add(r, FINDING_ERROR, role_type[role], NULL, 0, 0,
				 "no Signed-off-by: of the %s, %s <%s>", role_name[role], who->name,
				 who->email);
	return s;
}

/* The list of sign-offs is the way that the patch took: whoever sent it is the last. When From: is
 * the author's, the mail may be git format-patch's of a commit that others passed on, so that is
 * only noted. */
static void check_order(struct check_result *r, const struct signoffs *all,
			const struct signoff *sender, bool is_author)
{
	const struct signoff *last = &all->item[all->n - 1];

	if (strcasecmp(sender->email, last->email) == 0 ||
	    strcasecmp(sender->name, last->name) == 0)
		return;
	check_result_add(r, is_author ? FINDING_NOTE : FINDING_WARNING, "SIGN_OFF_ORDER", NULL, 0,
			 CHECK_MESSAGE_LINE + last->line - 1,
			 "the last Signed-off-by: is of %s <%s>, and the mail is from %s",
			 last->name, last->email, sender->name);
}

static void check_sender(struct check_result *r, const struct signoffs *all,
			 const struct mail_addr *sender, const struct mail_addr *author)
{
	const struct signoff *by_author = check_person(r, all, AUTHOR, author);
	bool same = strcasecmp(sender->email, author->email) == 0;
	const struct signoff *by_sender = same ? by_author : check_person(r, all, SENDER, sender);

	if (by_sender)
		check_order(r, all, by_sender, same);
}

/* A list may put its own address in From: and tell nowhere whose mail that was. */
static void check_hidden(struct check_result *r, const struct signoffs *all,
			 const struct patch *patch, const struct mail_addr *author)
{
	const struct mail_addr *from = &patch->mail->from;
	bool has_author = strcasecmp(author->email, from->email) != 0;

	if (has_author)
		check_person(r, all, AUTHOR, author);
	check_result_add(r, FINDING_NOTE, "SENDER_UNKNOWN", NULL, 0, 0,
			 "the list hides who sent this (%s): %s", from->name,
			 has_author ? "only the author was looked at" : "nobody was looked for");
}

static void check_people(struct check_result *r, const struct signoffs *all,
			 const struct patch *patch)
{
	const struct mail_addr author = {patch->author.name, patch->author.email};
	struct mail_addr sender;

	if (!mail_person(patch->mail, &sender)) {
		check_hidden(r, all, patch, &author);
		return;
	}
	check_sender(r, all, &sender, &author);
	mail_addr_done(&sender);
}

static void conclude(struct check_result *r, const struct signoffs *all)
{
	const struct finding *worst = NULL;

	for (size_t i = 0; i < r->n; i++)
		if (!worst || r->finding[i].level > worst->level)
			worst = &r->finding[i];
	if (worst && worst->level == FINDING_ERROR)
		check_result_reason(r, OUTCOME_FAIL, "%s", worst->message);
	else if (worst && worst->level == FINDING_WARNING)
		check_result_reason(r, OUTCOME_WARN, "%s", worst->message);
	else
		check_result_reason(r, OUTCOME_PASS, "signed off by %s <%s>%s", all->item[0].name,
				    all->item[0].email, all->n > 1 ? " and others" : "");
}

static int signoff_run(const struct check_env *env, const struct patch *patch,
		       struct check_result *ret, struct err *err)
{
	auto_cleanup(signoffs) struct signoffs all = {0};

	(void)err;
	if (env->last_is_offer && patch == &env->series->patch[env->series->n_patches - 1]) {
		check_result_reason(ret, OUTCOME_SKIP, "an offer in a reply needs no sign-off yet");
		return 0;
	}
	signoffs_read(&all, patch->message);
	if (all.n)
		check_people(ret, &all, patch);
	else
		check_result_add(ret, FINDING_ERROR, "MISSING_SIGN_OFF", NULL, 0, 0,
				 "no Signed-off-by: line");
	conclude(ret, &all);
	return 0;
}

const struct checker checker_signoff = {
	.name = "signoff",
	.summary = "author and sender have signed off",
	.run = signoff_run,
};
