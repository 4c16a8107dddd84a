// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random histories: a topic branch is mailed, and applied to where its upstream has gone meanwhile,
 * which edits, moves, deletes and creates files, and takes some of the patches.
 *
 * FIRN_PARITY_ROUNDS: how many series of each sort (110), from FIRN_PARITY_SEED (1) on.
 */
#include "parity.h"

/* xorshift: the same numbers everywhere. */
static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % n;
}

#define FILES_MAX 10
#define TEXT_MAX  4096
#define NAME_SIZE 32

struct file {
	char name[NAME_SIZE]; /* "": there is none */
	bool executable;
	char text[TEXT_MAX];
	size_t len;
};

/* All files of a commit. */
struct world {
	struct file file[FILES_MAX];
};

/* What is being made: a stream for git-fast-import(1). */
struct history {
	struct str stream;
	unsigned mark;
	void (*line)(char *buf, size_t size); /* makes up a line */
};

/* Few different lines, so that a hunk has many places where it could go. */
static void line_common(char *buf, size_t size)
{
	snprintf(buf, size, "%.*s\n", (int)random_below(3), &"{}\t}"[random_below(3)]);
}

/* Lines that tell one file from another, but for some. */
static void line_own(char *buf, size_t size)
{
	if (random_below(5))
		snprintf(buf, size, "line %u of its own\n", random_below(100000));
	else
		line_common(buf, size);
}

static void text_append(struct file *f, const char *text)
{
	size_t n = strlen(text);

	if (f->len + n > TEXT_MAX)
		return;
	memcpy(f->text + f->len, text, n);
	f->len += n;
}

static void lines_append(const struct history *h, struct file *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		char line[64];

		h->line(line, sizeof(line));
		text_append(f, line);
	}
}

static size_t line_start(const struct file *f, size_t at)
{
	while (at && f->text[at - 1] != '\n')
		at--;
	return at;
}

/* Some lines out, some in. */
static void file_edit(const struct history *h, struct file *f)
{
	struct file next = *f;
	size_t at = line_start(f, random_below((uint32_t)f->len + 1));
	size_t cut = at + random_below(40);

	cut = line_start(f, cut < f->len ? cut : f->len);
	cut = cut > at ? cut : at;
	next.len = at;
	lines_append(h, &next, random_below(4));
	for (size_t i = cut; i < f->len && next.len < TEXT_MAX; i++)
		next.text[next.len++] = f->text[i];
	*f = next;
}

static struct file *file_pick(struct world *w)
{
	for (unsigned i = 0; i < 50; i++) {
		struct file *f = &w->file[random_below(FILES_MAX)];

		if (f->name[0])
			return f;
	}
	return NULL;
}

static struct file *file_free(struct world *w)
{
	for (unsigned i = 0; i < FILES_MAX; i++) {
		if (!w->file[i].name[0])
			return &w->file[i];
	}
	return NULL;
}

/* `name` may be that of one of the files. */
static void name_make(const struct world *w, char name[static NAME_SIZE])
{
	static const char *const folder[] = {"", "d/", "d/e/"};
	char next[NAME_SIZE];
	bool taken;

	do {
		taken = false;
		snprintf(next, sizeof(next), "%sf%u", folder[random_below(3)], random_below(12));
		for (unsigned i = 0; i < FILES_MAX; i++)
			taken = taken || strcmp(w->file[i].name, next) == 0;
	} while (taken);
	memcpy(name, next, sizeof(next));
}

static void file_create(const struct history *h, struct world *w)
{
	struct file *f = file_free(w);

	if (!f)
		return;
	*f = (struct file){0};
	name_make(w, f->name);
	lines_append(h, f, 5 + random_below(40));
}

static void file_copy(struct world *w, const struct file *from)
{
	struct file *f = file_free(w);

	if (!f)
		return;
	*f = *from;
	f->name[0] = '\0';
	name_make(w, f->name);
}

static void world_change(const struct history *h, struct world *w)
{
	struct file *f = file_pick(w);

	if (!f) {
		file_create(h, w);
		return;
	}
	switch (random_below(14)) {
	case 0: file_create(h, w); break;
	case 1: f->name[0] = '\0'; break;
	case 2: name_make(w, f->name); break;
	case 3: f->executable = !f->executable; break;
	case 4: file_copy(w, f); break;
	case 5:
		name_make(w, f->name);
		file_edit(h, f);
		break;
	default: file_edit(h, f); break;
	}
}

static void commit_add(struct history *h, const char *branch, unsigned parent,
		       const struct world *w)
{
	h->mark++;
	str_addf(&h->stream,
		 "commit refs/heads/%s\nmark :%u\ncommitter C <c@example.org> %u +0000\n"
		 "data 17\nmm: change it %03u\n",
		 branch, h->mark, 1700000000 + h->mark, h->mark);
	if (parent)
		str_addf(&h->stream, "from :%u\n", parent);
	str_adds(&h->stream, "deleteall\n");
	for (unsigned i = 0; i < FILES_MAX; i++) {
		const struct file *f = &w->file[i];

		if (!f->name[0])
			continue;
		str_addf(&h->stream, "M %s inline %s\ndata %zu\n",
			 f->executable ? "100755" : "100644", f->name, f->len);
		str_add(&h->stream, f->text, f->len);
		str_addc(&h->stream, '\n');
	}
}

static bool file_same(const struct file *a, const struct file *b)
{
	return strcmp(a->name, b->name) == 0 && a->executable == b->executable &&
	       a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static bool world_same(const struct world *a, const struct world *b)
{
	for (unsigned i = 0; i < FILES_MAX; i++) {
		if ((a->file[i].name[0] || b->file[i].name[0]) &&
		    !file_same(&a->file[i], &b->file[i]))
			return false;
	}
	return true;
}

/* Takes over what a commit has changed from `before` to `after`, where it can. */
static void world_take(struct world *w, const struct world *before, const struct world *after)
{
	for (unsigned i = 0; i < FILES_MAX; i++) {
		if (!file_same(&before->file[i], &after->file[i]) &&
		    file_same(&before->file[i], &w->file[i]))
			w->file[i] = after->file[i];
	}
}

#define PATCHES_MAX 3

static void history_make(struct history *h, struct world *base)
{
	struct world topic[PATCHES_MAX + 1] = {*base}, main_world = *base;
	unsigned patches = 1 + random_below(PATCHES_MAX), base_mark, parent;

	commit_add(h, "base", 0, base);
	base_mark = parent = h->mark;
	for (unsigned i = 0; i < patches; i++) {
		topic[i + 1] = topic[i];
		/* A commit without a change makes a mail without a diff. */
		do
			world_change(h, &topic[i + 1]);
		while (random_below(3) || world_same(&topic[i], &topic[i + 1]));
		commit_add(h, "topic", parent, &topic[i + 1]);
		parent = h->mark;
	}
	parent = base_mark;
	for (uint32_t i = 0; i < 1 + random_below(3); i++) {
		unsigned taken = random_below(patches * 3);

		if (taken < patches)
			world_take(&main_world, &topic[taken], &topic[taken + 1]);
		else
			world_change(h, &main_world);
		commit_add(h, "main", parent, &main_world);
		parent = h->mark;
	}
}

/* False when chance made no patch. */
static bool history_import(const struct history *h)
{
	auto_free char *path = xasprintf("%s/stream", scratch);
	auto_free char *made = NULL, *script = NULL;
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, h->stream.buf, h->stream.len, &err), &err);
	script = xasprintf(
		"rm -rf w cache mails; git init -q -b main w; cd w\n"
		"git fast-import --quiet --date-format=raw < ../stream; git reset -q --hard main\n"
		"git format-patch -q -M%u0%% -U%u -o ../mails base..topic; ls ../mails/*",
		5 + random_below(3), 1 + random_below(4));
	made = sh(script);
	return made != NULL;
}

static char *round_run(uint32_t seed, void (*line)(char *, size_t), uint32_t files)
{
	struct history h = {.line = line};
	static struct world base;
	char *why = NULL;

	base = (struct world){0};
	random_state = seed * 2654435761u + 1;
	str_init(&h.stream, 0);
	for (uint32_t i = 0; i < files; i++)
		file_create(&h, &base);
	history_make(&h, &base);
	if (history_import(&h))
		why = compare();
	str_done(&h.stream);
	return why;
}

static uint32_t env_number(const char *name, uint32_t dflt)
{
	const char *value = getenv(name);

	return value ? (uint32_t)strtoul(value, NULL, 10) : dflt;
}

static void rounds_agree(void (*line)(char *, size_t), uint32_t files)
{
	uint32_t rounds = env_number("FIRN_PARITY_ROUNDS", 110);
	uint32_t seed = env_number("FIRN_PARITY_SEED", 1), differ = 0;

	for (uint32_t i = seed; i < seed + rounds; i++) {
		auto_free char *why = round_run(i, line, files);

		if (why)
			print_message("seed %u: %s\n", i, why);
		differ += why != NULL;
	}
	assert_int_equal(differ, 0);
}

static void files_that_are_alike_agree(void **state)
{
	(void)state;
	rounds_agree(line_common, 2);
}

static void files_that_differ_agree(void **state)
{
	(void)state;
	rounds_agree(line_own, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_are_alike_agree),
		cmocka_unit_test(files_that_differ_agree),
	};

	parity_main(tests);
}
