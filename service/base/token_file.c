// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/token_file.h"

#include "base/fs.h"
#include <fcntl.h>
#include <sys/stat.h>

#define FILE_MAX (64 * 1024)
#define BLANK	 " \t"

static int file_check(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(err, ERR_CONFIG, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_CONFIG, "%s is no file", path);
	/* A user's group is commonly his own, as for the other secrets. */
	if (st.st_mode & (S_IROTH | S_IWOTH))
		return err_set(err, ERR_CONFIG,
			       "everybody can read or write to %s: chmod 640, or 600", path);
	return 0;
}

bool token_name_valid(const char *name, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789._@+-";

	for (size_t i = 0; i < n; i++)
		if (!name[i] || !strchr(letters, name[i]))
			return false;
	return n && n <= TOKEN_NAME_MAX;
}

static const char *secret_mistake(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] <= ' ' || s[i] > '~')
			return "the token has characters other than visible ASCII";
	return n < TOKEN_MIN ? "the token needs at least 16 characters" : NULL;
}

/* A line that is neither empty nor a remark; NULL, or what is wrong. */
static const char *line_read(struct tokens *t, const char *s, size_t n)
{
	size_t n_first = strcspn(s, BLANK "\r\n");
	size_t n_blank = n_first < n ? strspn(s + n_first, BLANK) : 0;
	size_t begin = n_first + n_blank;
	bool named = begin < n;
	const char *secret = named ? s + begin : s;
	size_t n_secret = named ? n - begin : n_first;
	const char *mistake;

	if (t->n == TOKENS_MAX)
		return "there are more than 64 tokens";
	mistake = secret_mistake(secret, n_secret);
	if (mistake)
		return mistake;
	if (named && !token_name_valid(s, n_first))
		return "a name has letters, digits and ._@+- only";
	t->token[t->n++] = (struct token){.name = named ? xmemdup(s, n_first) : xstrdup("api"),
					  .secret = xmemdup(secret, n_secret)};
	return NULL;
}

static int lines_read(const char *path, const char *text, struct tokens *t, struct err *err)
{
	unsigned line = 0;

	while (*text) {
		size_t n = strcspn(text, "\n"), used = n;
		const char *mistake = NULL;

		line++;
		while (used && strchr(BLANK "\r", text[used - 1]))
			used--;
		if (used && *text != '#')
			mistake = line_read(t, text, used);
		if (mistake)
			return err_set(err, ERR_CONFIG, "%s:%u: %s", path, line, mistake);
		text += n + (text[n] == '\n');
	}
	return t->n ? 0 : err_set(err, ERR_CONFIG, "%s: there is no token in it", path);
}

int tokens_read(const char *path, struct tokens *ret, struct err *err)
{
	struct tokens tokens = {0};
	struct str data;
	int rc = file_check(path, err);

	if (rc < 0)
		return rc;
	str_init(&data, 0);
	rc = fs_read(path, FILE_MAX, ERR_CONFIG, &data, err);
	if (rc == 0 && strlen(data.buf) != data.len)
		rc = err_set(err, ERR_CONFIG, "%s: has a NUL", path);
	if (rc == 0)
		rc = lines_read(path, data.buf, &tokens, err);
	if (rc == 0)
		*ret = tokens;
	else
		tokens_done(&tokens);
	if (data.cap)
		explicit_bzero(data.buf, data.cap);
	str_done(&data);
	return rc;
}

void tokens_done(struct tokens *t)
{
	for (size_t i = 0; i < t->n; i++) {
		explicit_bzero(t->token[i].secret, strlen(t->token[i].secret));
		free(t->token[i].secret);
		free(t->token[i].name);
	}
	t->n = 0;
}
