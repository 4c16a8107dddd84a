// SPDX-License-Identifier: GPL-2.0-or-later
#include "mailinfo_gen.h"

#include "unit/unit.h"
#include <inttypes.h>

/* A table of texts, and how many there are. */
#define LIST(name, ...)                                                                            \
	static const char *const name[] = {__VA_ARGS__};                                           \
	enum { name##_n = array_size(name) }

/* "%s" takes an encoded word, or two of them. */
LIST(subjects, "[PATCH] cairn: add a stone", "[PATCH v2 3/7] cairn: add a stone", "cairn: plain",
     "Re: [PATCH] cairn: again", "[RFC] [PATCH net-next] cairn: two prefixes", "[PATCH cairn: open",
     "[PATCH] cairn: folded\n here", "[PATCH] cairn: folded\n\tby a tab  and   blanks ",
     "[PATCH] a line that is\n folded\n\ttwice", "[PATCH] %s", "[PATCH] %s %s", "[PATCH] %s\n %s",
     "[PATCH] %s\n\t%s and words", "[PATCH] x%sy", "%s",
     "[PATCH] \xc3\xbc"
     "ber: raw UTF-8",
     "", "   ", "[PATCH] re: about re", "[PATCH]cairn:no space", "[a][b] [c]: d",
     "RE: re: Re: three", "[PATCH] cairn: \"quoted\" [kept] brackets", ": colon first");

LIST(froms, "Astrid Berg <astrid@example.org>", "astrid@example.org", "<astrid@example.org>",
     "astrid@example.org (Astrid Berg)", "\"Berg, Astrid\" <astrid@example.org>",
     "\"Astrid \\\"Stein\\\" Berg\" <astrid@example.org>",
     "Astrid (of the hills) Berg <a@example.org>", "Astrid Berg <a@example.org> (at home)",
     "  Astrid   Berg\n <astrid@example.org>", "%s <a@example.org>", "%s %s <a@example.org>",
     "\"%s\" <a@example.org>", "%s\n %s <a@example.org>", "Astrid Berg <astrid>", "Astrid Berg",
     "Astrid B. <a@example.org>", "'Astrid' <a@example.org>", "\xc3\x85sa Berg <asa@example.org>",
     "a@example.org <b@example.org>", "Astrid Berg<astrid@example.org>",
     "Astrid <a@example.org>, B <b@example.org>",
     "A name that is longer than sixty columns, so that git takes the address <a@example.org>",
     "Astrid <a@b@example.org>", "Astrid \\ Berg <a@example.org>", "((Astrid)) <a@example.org>",
     "");

LIST(dates, "Tue, 3 Mar 2026 09:00:00 +0100", "3 Mar 2026 09:00:00 -0730",
     "Tue,  3 Mar 2026 9:00 +0000", "Tue, 03 Mar 2026 09:00:00 +0100 (CET)",
     "Tue, 3 Mar 2026 09:00:00 +0000 (+0100)", "Tue, 3 Mar 2026 09:00:00 GMT",
     "Tue, 3 Mar 2026 09:00:00 EST", "Tue, 3 Mar 2026 09:00:00 -0000", "2026-03-03 09:00:00 +0200",
     "2026-03-03T09:00:00+02:00", "2026-03-03T09:00:00Z", "tue, 3 MAR 2026 09:00:00 +05",
     "Tue, 3 March 2026 09:00:00 +0545", "Tue Mar  3 09:00:00 2026",
     "Tue Mar 3 09:00:00 2026 +0100", "Tue, 3 Mar 2026\n 09:00:00 +0100", "3 Mar 05 09:00:00 +0000",
     "31 Dec 99 23:59:60 -1200", "Tue, 3 Mar 2026 09:00:00 CEST", "Tue, 3 Mar 2026 09:00:00",
     "29 Feb 2024 24:00:00 +1400", "Tue, 3 Mar 2026 09:00:00.123 +0100",
     "1 Jan 1970 00:00:00 +0000");

LIST(inbodies, "", "", "", "From: Bjarne Stein <bjarne@example.org>\n\n",
     "\n\nFrom: bjarne@example.org\n\n",
     "From: %s <b@example.org>\nSubject: [x] cairn: of the body\n\n",
     "Subject: cairn: of the body\n that is\n\tfolded\nDate: 2 Feb 2025 10:11:12 +0300\n\n",
     "from: Bjarne <b@example.org>\n\nFrom: of the text\n\n",
     "From: Bjarne <b@example.org>\nNo empty line.\n", "[PATCH] cairn: a line in brackets\n\n",
     "From: Bjarne <b@example.org>\nFrom: Carl <c@example.org>\n\n",
     "Subject:\nFrom: B <b@example.org>\n\n",
     ">From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: x\n\n",
     ">From here on it is text.\n\n", "From: B <b@example.org>\n \n",
     "From: B <b@example.org>\nCc: c@example.org\n\n", "Subject: %s\n  %s\n\n");

LIST(scissors, "", "", "", "", "-- >8 --\n", "-----8<-----\n",
     "Hello.\n\n- - >8 - - cut here - - 8< - -\n", ">8\n", "-- >8 - text text\n",
     "---- 8< ---- cut here and then some more words ----\n",
     "Subject: thrown away\n -- >% --\nFrom: C <c@example.org>\n\n",
     "From: gone@example.org\n\nWords.\n --%<-- \n\n[PATCH] cairn: below\n",
     "one\n-- 8< --\ntwo\n-- 8< --\n", "Subject: kept\n8<->8<-\n\n");

LIST(bodies, "Some words.\n", "",
     "Words.\n\n\n\nMore of them. \t \n\nSigned-off-by: Astrid Berg <astrid@example.org>\n",
     "A list:\n--\n----\n-- \n---x\n - one\n", "\n\nFirst \xc3\xa4\n  indented = 100 %\n.\n..\n",
     "%s in the text, \xc3\x9f too\n",
     "A very long line that goes on and on and on, over the 76 columns that quoted-printable has "
     "for one, and then on for a while\n",
     "=20 =3D =?utf-8?q?not_decoded?= ==\n", "Index of things\ndiffs: none\n", "a\tb\x0c\n");

LIST(breaks, "---\n", "---\nv2: \xc3\xa4nderung\n\n x | 2 +-\n 1 file changed\n\n",
     "--- \t \nnotes\n", "", "", "---\n---\n", "\n---\n\n\n");

#define HUNK "@@ -1,3 +1,3 @@ cairn\n one\n-two\n+zw\xc3\xb6lf = 12 \n \tthree\n"
LIST(diffs, "diff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n" HUNK,
     "--- a/x\n+++ b/x\n" HUNK, "Index: x\n===\n--- x\n+++ x\n" HUNK,
     "diff -up a/x b/x\n--- a/x\n+++ b/x\n" HUNK "-- \n2.39.5\n\n",
     "diff --git a/x b/x\n--- a/x\n+++ b/x\n" HUNK "-- \nAstrid\n");

LIST(words,
     "\xc3\xbc"
     "ber Gr\xc3\xb6\xc3\x9f"
     "e",
     "Bj\xc3\xb6rn", "plain", "a_b?c=d");

/* Those that have all of `words` and what the bodies hold. */
LIST(charsets, "utf-8", "UTF-8", "iso-8859-1", "ISO-8859-15", "windows-1252", "cp850");

LIST(ids, "<1@example.org>", "<a/b%25c+d=e&f@example.org>", " <x@example.org> (comment)",
     "no-brackets@example.org", "<>", "<a b@c>", "");

enum {
	SHAPE_PLAIN,
	SHAPE_PLAIN2,
	SHAPE_PLAIN3,
	SHAPE_ATTACHED,
	SHAPE_TWO_TEXTS,
	SHAPE_NESTED,
	SHAPE_NO_END,
	SHAPES
};

/* What one mail is made by. */
struct rules {
	uint64_t state;
	int encode, shape, flowed;
	bool crlf, quoted_cr, mbox;
	const char *charset; /* NULL: not declared */
};

/* SplitMix64: one multiplication more than a counter, and the same everywhere. */
static unsigned pick(struct rules *r, unsigned n)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ (z >> 31)) % n);
}

#define PICK(r, list) list[pick(r, list##_n)]

/* The text with an encoded word for each "%s". */
static void worded_add(struct str *out, struct rules *r, const char *text)
{
	static const char how[] = "qQbB";

	for (; *text; text++) {
		if (text[0] == '%' && text[1] == 's') {
			encode_word(out, PICK(r, charsets), how[pick(r, 4)], PICK(r, words));
			text++;
		} else {
			str_addc(out, *text);
		}
	}
}

static void headers_add(struct str *out, struct rules *r, struct made *m)
{
	unsigned subject = pick(r, subjects_n), from = pick(r, froms_n), date = pick(r, dates_n);

	snprintf(m->label, sizeof(m->label), "subject %u, from %u, date %u", subject, from, date);
	str_addf(out, "Received: by example.org; Mon, 2 Mar 2026 00:00:00 +0000\nMessage-ID: %s\n",
		 PICK(r, ids));
	if (pick(r, 8) == 0)
		str_adds(out, "Subject: an earlier one\nDate: 1 Jan 2001 00:00:00 +0000\n");
	str_adds(out, pick(r, 5) ? "From: " : "FROM:");
	worded_add(out, r, froms[from]);
	str_adds(out, "\nSubject: ");
	worded_add(out, r, subjects[subject]);
	str_addf(out, "\nDate: %s\n", dates[date]);
}

/* The message, or the patch. */
static void part_add(struct str *out, struct rules *r, const char *type, const struct str *text)
{
	auto_str struct str bytes, ends;

	str_init(&bytes, 0);
	str_init(&ends, 0);
	charset_add(&bytes, r->charset ? r->charset : "utf-8", text->buf, text->len);
	if (r->quoted_cr)
		crlf_add(&ends, bytes.buf, bytes.len);
	else
		str_add(&ends, bytes.buf, bytes.len);
	if (r->charset || strcmp(type, "text/plain") != 0 || r->flowed)
		str_addf(out, "Content-Type: %s%s%s%s\n", type, r->charset ? "; charset=" : "",
			 r->charset ? r->charset : "", r->flowed ? ";\n format=flowed" : "");
	if (encode_name[r->encode])
		str_addf(out, "Content-Transfer-Encoding: %s\n", encode_name[r->encode]);
	str_addc(out, '\n');
	encode_add(out, r->encode, ends.buf, ends.len);
}

static void multipart_begin(struct str *out, const char *kind, const char *boundary)
{
	str_addf(out, "Content-Type: multipart/%s;\n\tboundary=\"%s\"\n\nA preamble.\n", kind,
		 boundary);
}

static void multipart_add(struct str *out, struct rules *r, const struct str *text,
			  const struct str *patch)
{
	bool nested = r->shape == SHAPE_NESTED;

	multipart_begin(out, "mixed", "=_b'(1)?");
	str_adds(out, "--=_b'(1)?\n");
	if (nested) {
		str_adds(out, "Content-Type: multipart/alternative; boundary=\"inner b\"\n\n\n");
		str_adds(out, "--inner b\n");
	}
	part_add(out, r, "text/plain", text);
	if (nested)
		str_adds(out, "\n--inner b--\n\n");
	else
		str_addc(out, '\n');
	str_adds(out, "--=_b'(1)?\n");
	if (!r->flowed)
		r->encode = (int)pick(r, ENCODES);
	part_add(out, r,
		 r->shape == SHAPE_ATTACHED ? "text/x-patch; name=\"x.patch\"" : "text/plain",
		 patch);
	if (r->shape != SHAPE_NO_END)
		str_adds(out, "\n--=_b'(1)?--\nAn epilogue.\n");
}

static void texts_make(struct rules *r, struct made *m, struct str *text, struct str *patch)
{
	unsigned inbody = pick(r, inbodies_n), cut = pick(r, scissors_n), body = pick(r, bodies_n),
		 end = pick(r, breaks_n);
	size_t len = strlen(m->label);

	snprintf(m->label + len, sizeof(m->label) - len,
		 ", in body %u, scissors %u, text %u, break %u", inbody, cut, body, end);
	worded_add(text, r, scissors[cut]);
	worded_add(text, r, inbodies[inbody]);
	worded_add(text, r, bodies[body]);
	str_adds(patch, breaks[end]);
	if (pick(r, 12))
		str_adds(patch, PICK(r, diffs));
}

static void body_add(struct str *out, struct rules *r, struct made *m)
{
	auto_str struct str text, patch;

	str_init(&text, 0);
	str_init(&patch, 0);
	texts_make(r, m, &text, &patch);
	if (r->shape >= SHAPE_ATTACHED && patch.len) {
		multipart_add(out, r, &text, &patch);
		return;
	}
	str_add(&text, patch.buf, patch.len);
	part_add(out, r, "text/plain", &text);
}

static void rules_make(struct rules *r, struct made *m)
{
	size_t len;

	r->encode = (int)pick(r, ENCODES);
	r->shape = (int)pick(r, SHAPES);
	r->flowed = pick(r, 10) == 0 && r->encode != ENCODE_QP && r->encode != ENCODE_BASE64;
	r->crlf = pick(r, 4) == 0;
	r->quoted_cr = pick(r, 10) == 0 && (r->encode == ENCODE_QP || r->encode == ENCODE_BASE64);
	r->mbox = pick(r, 3) == 0;
	r->charset = pick(r, 3) ? PICK(r, charsets) : NULL;
	len = strlen(m->label);
	snprintf(m->label + len, sizeof(m->label) - len, ", %s, shape %d%s%s%s%s, %s",
		 encode_name[r->encode] ? encode_name[r->encode] : "7bit", r->shape,
		 r->flowed ? ", flowed" : "", r->crlf ? ", CRLF" : "",
		 r->quoted_cr ? ", quoted CR" : "", r->mbox ? ", mbox" : "",
		 r->charset ? r->charset : "no charset");
}

static void made_init(struct made *m)
{
	*m = (struct made){};
	str_init(&m->mail, 0);
	str_init(&m->oracle, 0);
}

void made_done(struct made *m)
{
	str_done(&m->mail);
	str_done(&m->oracle);
}

/* mboxrd. */
static void mbox_escape(struct str *s)
{
	struct str out;
	bool bol = true;

	str_init(&out, 0);
	for (size_t i = 0; i < s->len; i++) {
		if (bol && str_starts(s->buf + i + strspn(s->buf + i, ">"), "From "))
			str_addc(&out, '>');
		str_addc(&out, s->buf[i]);
		bol = s->buf[i] == '\n';
	}
	str_done(s);
	*s = out;
}

void made_random(struct made *ret, unsigned n)
{
	struct rules r = {.state = n};
	auto_str struct str text;

	made_init(ret);
	str_init(&text, 0);
	headers_add(&text, &r, ret);
	rules_make(&r, ret);
	if (r.mbox)
		str_adds(&ret->mail, "From astrid@example.org Tue Mar  3 09:00:00 2026\n");
	body_add(&text, &r, ret);
	if (r.mbox)
		mbox_escape(&text);
	if (r.crlf)
		crlf_add(&ret->mail, text.buf, text.len);
	else
		str_add(&ret->mail, text.buf, text.len);
	str_add(&ret->oracle, ret->mail.buf, ret->mail.len);
}
