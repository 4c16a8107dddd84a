// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/view.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/escape.h"
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A live line is not drawn more often than this, in seconds; elsewhere than on a terminal, long
 * work says so once a minute. */
#define DRAW_S	0.2
#define PLAIN_S 60

static unsigned columns(const struct view *v)
{
	struct winsize ws;

	if (ioctl(fileno(v->out), TIOCGWINSZ, &ws) < 0 || ws.ws_col < 40)
		return 80;
	return ws.ws_col;
}

void view_init(struct view *v, FILE *out)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool tty = isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;

	*v = (struct view){.out = out, .live = tty, .colour = tty && !(no_color && *no_color)};
}

void view_clear(struct view *v)
{
	if (v->live && v->step)
		fputs("\r\033[K", v->out);
	fflush(v->out);
}

static void draw_now(const struct view *v, double now)
{
	char span[CLOCK_SPAN_MAX], usual[CLOCK_SPAN_MAX];
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s, "  ...   %-19s %s", v->step, clock_span(now - v->began, span));
	if (v->expected > 1)
		str_addf(&s, " (usually %s)", clock_span(v->expected, usual));
	if (v->total)
		str_addf(&s, " [%u/%u]", v->done, v->total);
	str_addf(&s, " %s", v->what);
	if (v->live)
		fprintf(v->out, "\r\033[K%.*s", (int)term_fit(s.buf, s.len, columns(v) - 1), s.buf);
	else
		fprintf(v->out, "%s\n", s.buf);
	fflush(v->out);
}

static void draw(struct view *v)
{
	double now = clock_mono();

	if (!v->step || now - v->drawn < (v->live ? DRAW_S : PLAIN_S))
		return;
	v->drawn = now;
	draw_now(v, now);
}

static void on_begin(void *ctx, const char *name)
{
	struct view *v = ctx;

	v->step = name;
	v->what[0] = '\0';
	v->done = v->total = 0;
	v->began = clock_mono();
	v->drawn = v->live ? 0 : v->began;
	v->expected = v->expect ? v->expect(v->ctx, name) : 0;
	draw(v);
}

static void on_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	struct view *v = ctx;
	auto_str struct str text;

	/* Names of files and subjects of mails come from strangers. */
	str_init(&text, 4 * sizeof(v->what));
	term_text(&text, what, strnlen(what, sizeof(v->what)));
	snprintf(v->what, sizeof(v->what), "%.*s",
		 (int)term_fit(text.buf, text.len, sizeof(v->what) - 1), text.buf);
	v->done = done;
	v->total = total;
	if (v->doing && v->step)
		v->doing(v->ctx, v);
	draw(v);
}

static void on_tick(void *ctx)
{
	draw(ctx);
}

static void print_step(const struct view *v, const json_t *step)
{
	const char *reason = json_get_str(step, "reason", "");
	const char *name = json_get_str(step, "name", ""),
		   *outcome = json_get_str(step, "outcome", "");
	char span[CLOCK_SPAN_MAX];
	auto_str struct str line;

	str_init(&line, 0);
	term_text(&line, reason, strlen(reason));
	fprintf(v->out, "  %-5s %-19s %s (%s)\n", outcome, name, line.buf,
		clock_span(json_get_num(step, "seconds", 0), span));
}

static void on_end(void *ctx, const json_t *step)
{
	struct view *v = ctx;

	view_clear(v);
	if (v->step)
		print_step(v, step);
	v->step = NULL;
	fflush(v->out);
	if (v->ended)
		v->ended(v->ctx, step);
}

struct trial_observer view_observer(struct view *v)
{
	return (struct trial_observer){.step_begin = on_begin,
				       .step_progress = on_progress,
				       .tick = on_tick,
				       .step_end = on_end,
				       .ctx = v};
}
