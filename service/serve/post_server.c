// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/post_server.h"

#include "base/fs.h"
#include <sys/stat.h>

static enum smtp_tls tls_parse(const char *word)
{
	return strcmp(word, "none") == 0  ? SMTP_PLAIN
	       : strcmp(word, "tls") == 0 ? SMTP_TLS
					  : SMTP_STARTTLS;
}

void post_server_read(const struct role_env *env, struct smtp_server *ret)
{
	*ret = (struct smtp_server){
		.host_port = conf_str(env->conf, CONF_POST_SMTP),
		.tls = tls_parse(conf_str(env->conf, CONF_POST_TLS)),
		.user = conf_str(env->conf, CONF_POST_USER),
		.password_file = conf_str(env->conf, CONF_POST_PASSWORD),
		.ca_file = conf_str(env->conf, CONF_POST_CA),
	};
}

int post_token_read(const struct conf_section *patchwork, struct str *ret, struct err *err)
{
	const char *path = conf_section_str(patchwork, CONF_PATCHWORK_TOKEN);
	struct stat st;
	int rc;

	if (!path)
		return err_set(err, ERR_CONFIG, "[patchwork \"%s\"] has no token-file",
			       patchwork->name);
	if (stat(path, &st) < 0)
		return err_sys(err, ERR_CONFIG, "%s", path);
	if (st.st_mode & S_IRWXO)
		return err_set(err, ERR_CONFIG,
			       "%s: others can read the token: its mode must be 0600 or 0640",
			       path);
	rc = fs_read(path, POST_SECRET_MAX, ERR_CONFIG, ret, err);
	if (rc < 0)
		return rc;
	ret->buf[strcspn(ret->buf, "\r\n")] = '\0';
	return *ret->buf ? 0 : err_set(err, ERR_CONFIG, "%s: there is no token in it", path);
}

void post_secret_wipe(struct str *s)
{
	if (s->cap)
		explicit_bzero(s->buf, s->cap);
	str_done(s);
}
