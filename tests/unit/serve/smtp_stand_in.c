// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/serve/smtp_stand_in.h"

#include "base/str.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct session {
	FILE *in, *out;
	const char *folder, *behaviour;
	struct str to, mail;
	size_t last; /* where the last recipient begins */
};

unsigned smtp_stand_in_count(const char *folder)
{
	auto_dir DIR *d = opendir(folder);
	const struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d)))
		n += str_ends(e->d_name, ".eml");
	return n;
}

static void file_write(const char *folder, unsigned n, const char *suffix, const struct str *text)
{
	auto_free char *path = xasprintf("%s/%u.%s", folder, n, suffix);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text->buf, 1, text->len, f) != text->len || fclose(f))
		err(1, "%s", path);
}

static void keep(struct session *s)
{
	unsigned n = smtp_stand_in_count(s->folder) + 1;

	file_write(s->folder, n, "to", &s->to);
	file_write(s->folder, n, "eml", &s->mail);
}

static void say(struct session *s, const char *text)
{
	fprintf(s->out, "%s\r\n", text);
	fflush(s->out);
}

/* "MAIL 451": the answer to this command; NULL: as usual. */
static const char *wrong(const struct session *s, const char *command)
{
	size_t n = strlen(command);

	if (strncmp(s->behaviour, command, n) == 0 && s->behaviour[n] == ' ')
		return s->behaviour + n + 1;
	if (str_starts(s->behaviour, "refuse ") && strcmp(command, "RCPT") == 0 &&
	    strstr(s->to.buf + s->last, s->behaviour + strlen("refuse ")))
		return "550";
	return NULL;
}

static bool mail_read(struct session *s)
{
	char line[4096];

	while (fgets(line, sizeof(line), s->in)) {
		if (strcmp(s->behaviour, "cut-early") == 0)
			return false;
		if (strcmp(line, ".\r\n") == 0)
			return true;
		str_adds(&s->mail, line + (line[0] == '.'));
	}
	return false;
}

static void answer(struct session *s, const char *command, const char *good)
{
	const char *code = wrong(s, command);
	auto_free char *bad = xasprintf("%s told to say so", code ?: "");

	say(s, code ? bad : good);
}

/* False: the connection is cut. */
static bool data(struct session *s)
{
	if (wrong(s, "DATA")) {
		answer(s, "DATA", "");
		return true;
	}
	say(s, "354 go on");
	if (!mail_read(s))
		return false;
	if (!wrong(s, "END"))
		keep(s);
	if (strcmp(s->behaviour, "mute") == 0)
		pause();
	if (strcmp(s->behaviour, "cut") == 0)
		return false;
	answer(s, "END", "250 taken");
	return true;
}

static bool command(struct session *s, const char *line)
{
	if (str_starts(line, "DATA"))
		return data(s);
	if (str_starts(line, "RCPT")) {
		s->last = s->to.len;
		str_adds(&s->to, line);
	}
	if (str_starts(line, "QUIT")) {
		say(s, "221 bye");
		return false;
	}
	if (str_starts(line, "HELO"))
		line = "EHLO";
	for (const char *const *c = (const char *const[]){"EHLO", "MAIL", "RCPT", NULL}; *c; c++)
		if (str_starts(line, *c)) {
			answer(s, *c, "250 fine");
			return true;
		}
	say(s, "250 fine");
	return true;
}

static void session_run(int fd, const char *folder, const char *behaviour)
{
	struct session s = {.in = fdopen(fd, "r"),
			    .out = fdopen(dup(fd), "w"),
			    .folder = folder,
			    .behaviour = behaviour};
	char line[4096];

	str_init(&s.to, 0);
	str_init(&s.mail, 0);
	if (strcmp(behaviour, "garbage") == 0) {
		say(&s, "\x01\xff HTTP/1.1 200 what?");
		_exit(0);
	}
	say(&s, "220 stand-in");
	while (fgets(line, sizeof(line), s.in) && command(&s, line))
		;
	_exit(0);
}

static void exec_run(int fd, const char *program)
{
	dup2(fd, 0);
	dup2(fd, 1);
	execl("/bin/sh", "sh", "-c", program, (char *)NULL);
	_exit(127);
}

static bool has_id(const char *folder, const char *id)
{
	auto_free char *line = xasprintf("Message-ID: <%s>", id);
	auto_dir DIR *d = opendir(folder);
	const struct dirent *e;
	char buf[65536];
	bool has = false;

	while (!has && d && (e = readdir(d))) {
		auto_free char *path = xasprintf("%s/%s", folder, e->d_name);
		auto_file FILE *f = str_ends(e->d_name, ".eml") ? fopen(path, "r") : NULL;

		if (!f)
			continue;
		buf[fread(buf, 1, sizeof(buf) - 1, f)] = '\0';
		has = strstr(buf, line);
	}
	return has;
}

static void archive_run(int fd, const char *folder)
{
	char line[4096], request[4096] = "";
	FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
	char *id = NULL, *end;
	bool has;

	while (fgets(line, sizeof(line), in) && strcmp(line, "\r\n") != 0)
		if (!*request)
			snprintf(request, sizeof(request), "%s", line);
	end = strstr(request, "/raw");
	if (end)
		*end = '\0';
	id = strrchr(request, '/');
	has = end && id && (end = strstr(id, "%40"), true);
	if (has && end) {
		*end = '@';
		memmove(end + 1, end + 3, strlen(end + 3) + 1);
	}
	has = has && has_id(folder, id + 1);
	fprintf(out,
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
		has ? "200 OK" : "404 Not Found", has ? "text/plain" : "text/html");
	fflush(out);
	_exit(0);
}

/* Sessions one after the other: the next behaviour is the next connection's. */
static void serve(int listener, const char *folder, const char *const *behaviour)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		pid_t pid = fork();

		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(listener);
			if (!behaviour)
				archive_run(fd, folder);
			if (str_starts(*behaviour, "exec "))
				exec_run(fd, *behaviour + strlen("exec "));
			session_run(fd, folder, *behaviour);
		}
		close(fd);
		if (behaviour && behaviour[1])
			behaviour++;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

static struct smtp_stand_in start(const char *folder, const char *const *behaviour)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct smtp_stand_in s = {0};

	if (bind(fd, (const struct sockaddr *)&at, n) < 0 || listen(fd, 16) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &n) < 0)
		err(1, "a port");
	s.port = ntohs(at.sin_port);
	s.pid = fork();
	if (s.pid == 0)
		serve(fd, folder, behaviour);
	close(fd);
	return s;
}

struct smtp_stand_in smtp_stand_in_start(const char *folder, const char *const *behaviour)
{
	return start(folder, behaviour);
}

struct smtp_stand_in archive_stand_in_start(const char *folder)
{
	return start(folder, NULL);
}

void smtp_stand_in_stop(struct smtp_stand_in *s)
{
	if (s->pid > 0) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	s->pid = 0;
}
