// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/base_hint.h"

#include "base/str.h"

/* No branch has a longer name, and no subject more words. */
#define WORD_MAX  100
#define WORDS_MAX 16

void base_hint_done(struct base_hint *h)
{
	free(h->word);
	free(h->ref);
	*h = (struct base_hint){0};
}

/* A stranger wrote it: a plain name, without the characters that git's globs know. */
static bool word_plain(const char *w)
{
	size_t n = strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-");

	return n && !w[n] && n <= WORD_MAX && *w != '-' && *w != '/' && !strstr(w, "..");
}

/* Customary in brackets, and about the mail. */
static bool word_is_of_mail(const char *w)
{
	static const char *const word[] = {"PATCH", "RFC", "RFT",   "RESEND", "REPOST",
					   "WIP",   "RFD", "DRAFT", "PULL",   "GIT"};

	for (size_t i = 0; i < array_size(word); i++) {
		if (strcasecmp(w, word[i]) == 0)
			return true;
	}
	return false;
}

static bool ref_commit(git_reference *ref, git_oid *ret_id, git_time_t *ret_time)
{
	auto_git(object) git_object *commit = NULL;

	if (git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) < 0)
		return false;
	*ret_id = *git_object_id(commit);
	*ret_time = git_commit_time((git_commit *)commit);
	return true;
}

static void hint_take(struct base_hint *h, const git_reference *ref, const git_oid *id)
{
	free(h->ref);
	h->ref = xstrdup(git_reference_shorthand(ref));
	h->commit = *id;
}

static bool hint_exact(git_repository *user, const char *word, struct base_hint *h)
{
	static const char *const place[] = {"refs/heads/", "refs/tags/", "refs/remotes/"};

	for (size_t i = 0; i < array_size(place); i++) {
		auto_free char *name = xasprintf("%s%s", place[i], word);
		git_reference *ref;
		git_time_t t;
		git_oid id;
		bool found;

		if (git_reference_lookup(&ref, user, name) < 0)
			continue;
		found = ref_commit(ref, &id, &t);
		if (found)
			hint_take(h, ref, &id);
		git_reference_free(ref);
		if (found)
			return true;
	}
	return false;
}

static bool hint_remote(git_repository *user, const char *word, struct base_hint *h)
{
	auto_free char *glob = xasprintf("refs/remotes/*/%s", word);
	git_reference_iterator *it;
	git_reference *ref;
	git_time_t newest = 0;

	if (git_reference_iterator_glob_new(&it, user, glob) < 0)
		return false;
	while (git_reference_next(&ref, it) == 0) {
		git_time_t t;
		git_oid id;

		if (ref_commit(ref, &id, &t) && (!h->ref || t > newest)) {
			hint_take(h, ref, &id);
			newest = t;
		}
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return h->ref;
}

static bool hint_word(git_repository *user, const char *word, struct base_hint *h)
{
	if (!word_plain(word) || word_is_of_mail(word))
		return false;
	if (!hint_exact(user, word, h) && !hint_remote(user, word, h))
		return false;
	h->word = xstrdup(word);
	return true;
}

static bool hint_prefixes(git_repository *user, const char *prefixes, struct base_hint *h)
{
	auto_free char *copy = xstrdup(prefixes);
	char *rest = copy, *word;

	for (size_t n = 0; n < WORDS_MAX && (word = strsep(&rest, " ,;[]"));) {
		if (!*word)
			continue;
		n++;
		if (hint_word(user, word, h))
			return true;
	}
	return false;
}

void base_hint_find(git_repository *user, const struct series *series, struct base_hint *ret_hint)
{
	const char *prefixes = series->n_patches ? series->patch[0].subject.prefixes : NULL;

	*ret_hint = (struct base_hint){0};
	if (prefixes && hint_prefixes(user, prefixes, ret_hint))
		return;
	if (series->cover) {
		struct subject cover;

		subject_parse(series->cover->subject, &cover);
		hint_prefixes(user, cover.prefixes, ret_hint);
		subject_done(&cover);
	}
}
