// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about sign-offs and the other trailers of a message. */
#include "checkers/checkpatch/address.h"
#include "checkers/checkpatch/rule.h"
#include "intake/mail.h"

#include <ctype.h>
#include <strings.h>

/* A line such as " Reviewed-by:  A <a@example.org>". */
struct trailer_line {
	uint32_t at;
	const char *key, *key_end; /* with its colon */
	const char *value, *end;   /* without spaces around it */
	size_t space_before, space_after;
	bool single_space; /* exactly one ' ' behind the colon */
};

/* Known ones. Others are let pass when one of these is a part of them, such as
 * Reported-and-tested-by. */
static const char *const tags[] = {
	"signed-off-by:", "co-developed-by:", "acked-by:",    "tested-by:", "reviewed-by:",
	"reported-by:",	  "suggested-by:",    "assisted-by:", "to:",	    "cc:",
};

static bool key_is_known(const struct trailer_line *t)
{
	size_t n = (size_t)(t->key_end - t->key);

	for (size_t i = 0; i < array_size(tags); i++) {
		size_t len = strlen(tags[i]);

		if (n >= len && strncasecmp(t->key_end - len, tags[i], len) == 0)
			return true;
	}
	return false;
}

static bool key_is(const struct trailer_line *t, const char *key)
{
	return strlen(key) == (size_t)(t->key_end - t->key) &&
	       strncasecmp(t->key, key, strlen(key)) == 0;
}

/* Letters, digits and '-', then "-by:"; or To: and Cc:. */
static const char *key_end(const char *s, const char *end)
{
	const char *at = s;

	while (at < end && (isalnum((unsigned char)*at) || *at == '-' || *at == '_'))
		at++;
	if (at == end || *at != ':')
		return NULL;
	if (at - s > 3 && strncasecmp(at - 3, "-by", 3) == 0)
		return at + 1;
	return at - s == 2 && (strncasecmp(s, "to", 2) == 0 || strncasecmp(s, "cc", 2) == 0)
		       ? at + 1
		       : NULL;
}

static bool trailer_read(const struct view *v, uint32_t i, struct trailer_line *ret)
{
	const char *s = v->line[i].raw, *end = s + v->line[i].raw_len, *key = s, *value;
	struct trailer_line t = {.at = i};

	while (key < end && isspace((unsigned char)*key))
		key++;
	t.key = key;
	t.key_end = key_end(key, end);
	if (!t.key_end)
		return false;
	for (value = t.key_end; value < end && isspace((unsigned char)*value); value++)
		;
	t.space_before = (size_t)(key - s);
	t.space_after = (size_t)(value - t.key_end);
	t.single_space = t.space_after == 1 && *t.key_end == ' ';
	while (end > value && isspace((unsigned char)end[-1]))
		end--;
	t.value = value;
	t.end = end;
	*ret = t;
	return true;
}

/* "Reviewed-by:" for REVIEWED-BY:. */
static bool key_is_written_well(const struct trailer_line *t)
{
	if (t->key_end - t->key <= 4) /* To:, Cc: */
		return true;
	for (const char *s = t->key; s < t->key_end; s++)
		if (s == t->key ? islower((unsigned char)*s) : isupper((unsigned char)*s))
			return false;
	return true;
}

static void say(struct rule_run *run, const struct rule *rule, const struct trailer_line *t,
		const char *what)
{
	rule_report_at(run, rule, t->at, what);
}

static void check_form(struct rule_run *run, const struct rule *rule, const struct trailer_line *t)
{
	if (!key_is_known(t))
		say(run, rule, t, "this is none of the usual ones");
	if (t->space_before)
		say(run, rule, t, "there is space in front of it");
	if (!key_is_written_well(t))
		say(run, rule, t, "only its first letter is a capital");
	if (!t->single_space)
		say(run, rule, t, "one space goes behind the colon");
}

static bool is_remark(const char *s)
{
	size_t n = strlen(s);

	return *s == '\0' || *s == '#' || (*s == '(' && s[n - 1] == ')');
}

static bool is_stable(const struct address *a)
{
	return strcasecmp(a->email, "stable@vger.kernel.org") == 0 ||
	       strcasecmp(a->email, "stable@kernel.org") == 0;
}

static const struct rule *rule_stable(void);

static void check_address(struct rule_run *run, const struct rule *rule,
			  const struct trailer_line *t)
{
	struct address a;

	if (!address_parse(t->value, (size_t)(t->end - t->value), &a)) {
		rule_report_as(run, rule, FINDING_ERROR, t->at, "there is no mail address in it");
		return;
	}
	if (!a.is_tidy)
		say(run, rule, t, "the address ends in a dot or comma");
	if (is_stable(&a) && (*a.name || (*a.rest && *a.rest != '#')))
		rule_report_at(run, rule_stable(), t->at, NULL);
	else if (!is_stable(&a) && !is_remark(a.rest))
		say(run, rule, t, "put what stands behind the address in brackets, or behind a #");
	address_done(&a);
}

/* "agent:model", and then the tools. */
static bool is_assistant(const struct trailer_line *t)
{
	const char *end = t->value, *colon;

	while (end < t->end && !isspace((unsigned char)*end))
		end++;
	colon = memchr(t->value, ':', (size_t)(end - t->value));
	return colon && colon > t->value && colon + 1 < end;
}

/* Key and value without spaces and in small letters: those that are the same are said twice. */
static char *trailer_hash(const struct trailer_line *t)
{
	struct str s;

	str_init(&s, 0);
	for (const char *c = t->key; c < t->end; c++)
		if (!isspace((unsigned char)*c))
			str_addc(&s, (char)tolower((unsigned char)*c));
	return str_take(&s);
}

/* The mail's author, as the From: line says, or one in the body; of several the last. False when
 * there is none. The caller frees. */
static bool author_read(const struct view *v, struct address *ret)
{
	auto_free char *decoded = NULL;
	auto_str struct str value;
	bool found = false;

	str_init(&value, 0);
	for (uint32_t i = 0; i < v->first_diff; i++) {
		const struct view_line *l = &v->line[i];

		if (l->raw_len < 5 || strncasecmp(l->raw, "From:", 5) != 0)
			continue;
		str_reset(&value);
		str_add(&value, l->raw + 5, l->raw_len - 5);
		/* Folded lines. */
		for (l++; l < &v->line[v->first_diff] && l->raw_len && strchr(" \t", *l->raw); l++)
			str_add(&value, l->raw, l->raw_len);
		found = true;
	}
	if (!found)
		return false;
	decoded = mail_header_decode(value.buf);
	return address_parse(decoded, strlen(decoded), ret);
}

/* Co-developed-by: is for others than the author, and the sign-off of the same one follows. */
static void check_codeveloper(struct rule_run *run, const struct rule *rule, const struct view *v,
			      const struct trailer_line *t)
{
	size_t n = (size_t)(t->end - t->value);
	struct trailer_line next;
	struct address a, author;
	bool is_author = false;

	if (address_parse(t->value, n, &a)) {
		if (author_read(v, &author)) {
			is_author = address_compare(&a, &author) == ADDRESS_SAME;
			address_done(&author);
		}
		address_done(&a);
	}
	if (is_author)
		say(run, rule, t, "the author needs none");
	else if (t->at + 1 >= v->n || !trailer_read(v, t->at + 1, &next) ||
		 !key_is(&next, "signed-off-by:"))
		say(run, rule, t, "the Signed-off-by: of the same person has to follow at once");
	else if ((size_t)(next.end - next.value) != n || memcmp(next.value, t->value, n) != 0)
		say(run, rule, t, "the Signed-off-by: that follows is somebody else's");
}

static void check_trailer(struct rule_run *run, const struct rule *rule, const struct view *v,
			  const struct trailer_line *t)
{
	check_form(run, rule, t);
	if (key_is(t, "assisted-by:")) {
		if (!is_assistant(t))
			say(run, rule, t, "name agent:model here, and then the tools");
		return;
	}
	check_address(run, rule, t);
	if (key_is(t, "co-developed-by:"))
		check_codeveloper(run, rule, v, t);
}

static void find_bad_trailers(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	const struct view *v = s->view;
	struct word_set *seen = word_set_new();

	for (uint32_t i = 0; i < v->first_diff; i++) {
		auto_free char *hash = NULL;
		struct trailer_line t;

		if (!(v->line[i].kind & (LINE_LOG | LINE_BELOW)) || !trailer_read(v, i, &t))
			continue;
		check_trailer(run, rule, v, &t);
		hash = trailer_hash(&t);
		if (word_set_has(seen, hash, strlen(hash)))
			say(run, rule, &t, "the same is there already");
		word_set_add(seen, hash, strlen(hash), NULL);
	}
	word_set_free(seen);
}

/* How the author is among those who signed off: the last that is alike, unless one is the same. */
static enum address_match author_match(const struct view *v, size_t *ret_signoffs)
{
	enum address_match match = ADDRESS_OTHER, one;
	struct address author, a;
	struct trailer_line t;
	bool known = author_read(v, &author);

	*ret_signoffs = 0;
	for (uint32_t i = 0; i < v->first_diff; i++) {
		if (!(v->line[i].kind & (LINE_LOG | LINE_BELOW)) || !trailer_read(v, i, &t) ||
		    !key_is(&t, "signed-off-by:"))
			continue;
		++*ret_signoffs;
		if (!known || !address_parse(t.value, (size_t)(t.end - t.value), &a))
			continue;
		one = address_compare(&author, &a);
		address_done(&a);
		if (one != ADDRESS_OTHER && match != ADDRESS_SAME)
			match = one;
	}
	if (known)
		address_done(&author);
	return match;
}

static void find_no_signoff(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	size_t n;

	author_match(s->view, &n);
	if (s->view->n_files && n == 0)
		rule_report(run, rule, s, NULL);
}

static void find_no_author(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	size_t n;

	if (author_match(s->view, &n) == ADDRESS_OTHER && n && s->view->n_files)
		rule_report(run, rule, s, NULL);
}

static void find_other_author(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	static const char *const what[] = {
		[ADDRESS_OTHER_NAME] = "the names differ",
		[ADDRESS_OTHER_EMAIL] = "the addresses differ",
		[ADDRESS_OTHER_SUBADDRESS] = "what follows the + in the address differs",
		[ADDRESS_OTHER_COMMENT] = "the comments, or capitals of the address, differ",
	};
	size_t n;
	enum address_match m = author_match(s->view, &n);

	if (m == ADDRESS_OTHER || m == ADDRESS_SAME || !s->view->n_files)
		return;
	rule_report_as(run, rule, m == ADDRESS_OTHER_COMMENT ? FINDING_CHECK : FINDING_WARNING,
		       VIEW_NONE, what[m]);
}

static const char help_stable[] =
	"The stable trees are served by programs that read this line: \"Cc: stable@vger.kernel.org "
	"# 5.10\".";

static const struct rule rules[] = {
	{
		.type = "BAD_SIGN_OFF",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.not_in_source = true,
		.find = find_bad_trailers,
		.message = "a trailer is not as it should be",
		.help = "Trailers are read by programs. They look like \"Reviewed-by: A "
			"<a@example.org>\"; "
			"Documentation/process/submitting-patches.rst has those in use.",
	},
	{
		.type = "BAD_STABLE_ADDRESS_STYLE",
		.level = FINDING_WARNING,
		.scope = 0, /* told by the rule before */
		.message = "the stable list has no name, and versions stand behind a #",
		.help = help_stable,
	},
	{
		.type = "MISSING_SIGN_OFF",
		.level = FINDING_ERROR,
		.scope = RULE_PATCH,
		.not_in_source = true,
		.find = find_no_signoff,
		.message = "there is no Signed-off-by:",
		.help = "It says that you may pass the change on under its licence: the "
			"Developer's "
			"Certificate of Origin in Documentation/process/submitting-patches.rst.",
	},
	{
		.type = "NO_AUTHOR_SIGN_OFF",
		.level = FINDING_ERROR,
		.scope = RULE_PATCH,
		.not_in_source = true,
		.find = find_no_author,
		.message = "there is no Signed-off-by: of the author",
		.help = "Whom From: names has to sign off too.",
	},
	{
		.type = "FROM_SIGN_OFF_MISMATCH",
		.level = FINDING_WARNING,
		.scope = RULE_PATCH,
		.not_in_source = true,
		.find = find_other_author,
		.message = "From: and the author's Signed-off-by: are not the same",
		.help = "git counts them as two people. A mail program that writes From: anew is "
			"often "
			"the cause: put the right one in the first line of the body.",
	},
};

static const struct rule *rule_stable(void)
{
	return &rules[1];
}

const struct rule_family family_trailer = {"trailer", rules, array_size(rules)};
