// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/token.h"

#include "base/fs.h"
#include "web/web.h"
#include <fcntl.h>
#include <sys/stat.h>

#define TOKEN_FILE_MAX 4096

static int token_file_check(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(err, ERR_CONFIG, "web.token-file: %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_CONFIG, "web.token-file: %s is no file", path);
	/* A user's group is commonly his own, as for the other secrets. */
	if (st.st_mode & (S_IROTH | S_IWOTH))
		return err_set(err, ERR_CONFIG,
			       "web.token-file: everybody can read or write to %s: chmod 640, or "
			       "600",
			       path);
	return 0;
}

static int token_check(const char *path, const char *token, struct err *err)
{
	size_t n = strlen(token);

	for (size_t i = 0; i < n; i++)
		if (token[i] <= ' ' || token[i] > '~')
			return err_set(err, ERR_CONFIG,
				       "web.token-file: the token in %s has characters other than "
				       "visible ASCII",
				       path);
	if (n < WEB_TOKEN_MIN)
		return err_set(err, ERR_CONFIG,
			       "web.token-file: the token in %s has %zu characters and needs at "
			       "least %d",
			       path, n, WEB_TOKEN_MIN);
	return 0;
}

int web_token_read(const char *path, char **ret_token, struct err *err)
{
	struct str data;
	int rc = token_file_check(path, err);

	if (rc < 0)
		return rc;
	str_init(&data, 0);
	rc = fs_read(path, TOKEN_FILE_MAX, ERR_CONFIG, &data, err);
	if (rc == 0) {
		data.buf[strcspn(data.buf, "\r\n")] = '\0';
		rc = token_check(path, data.buf, err);
	}
	if (rc == 0)
		*ret_token = xstrdup(data.buf);
	if (data.cap)
		explicit_bzero(data.buf, data.cap);
	str_done(&data);
	return rc;
}

void web_token_free(char *token)
{
	if (token)
		explicit_bzero(token, strlen(token));
	free(token);
}

/* RFC 6750, 2.1. */
static const char *bearer(const char *authorization)
{
	static const char scheme[] = "Bearer ";
	const size_t n = sizeof(scheme) - 1;

	if (!authorization || strncasecmp(authorization, scheme, n) != 0)
		return NULL;
	return authorization + n + strspn(authorization + n, " ");
}

bool token_given(const char *authorization)
{
	return bearer(authorization) != NULL;
}

/* How long it takes tells the length of the token at most, never how much of it is right. */
bool token_is_right(const char *authorization, const char *token)
{
	const char *given = bearer(authorization);
	size_t n = strlen(token), have = given ? strlen(given) : 0;
	volatile unsigned char differs = have != n;

	for (size_t i = 0; given && i < n; i++)
		differs |= (unsigned char)(given[i < have ? i : have] ^ token[i]);
	return !differs;
}
