// SPDX-License-Identifier: GPL-2.0-or-later
/* Where firn does not do as git does, each with its reason: firn makes of `mail` what git makes of
 * `oracle`. */
#include "mailinfo_gen.h"

#define WHO	    "From: Astrid Berg <astrid@example.org>\n"
#define DATE	    "Date: Tue, 3 Mar 2026 09:00:00 +0100\n"
#define SUBJECT	    "Subject: [PATCH] cairn: a\n"
#define HEAD	    WHO SUBJECT DATE
#define DIFF	    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
#define SEPARATOR   "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
#define MULTI(kind) "Content-Type: multipart/" kind "; boundary=b\n\n"

static const struct {
	const char *why, *mail, *oracle;
} table[] = {
	{"a list hid the author, and Reply-To: names her; git keeps the list",
	 "From: Astrid Berg via the-list <the-list@example.org>\nReply-To: Astrid Berg "
	 "<astrid@example.org>\n" SUBJECT DATE "\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"no Date:, and a server tells when it came; git takes the time of its own run",
	 "Received: from a by b; Tue, 3 Mar 2026 09:00:00 +0100\n" WHO SUBJECT
	 "\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"a Date: that cannot be read; git am ends there",
	 "Received: from a by b; Tue, 3 Mar 2026 09:00:00 +0100\n" WHO SUBJECT
	 "Date: some day\n\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"a Date: in the body that cannot be read is passed over; git am ends there",
	 HEAD "\nDate: some day\n\nText.\n---\n" DIFF, HEAD "\nText.\n---\n" DIFF},
	{"a year of two digits is RFC 5322 4.3's; git refuses most",
	 WHO SUBJECT "Date: 3 Mar 26 09:00:00 +0100\n\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"8-bit text without a charset that is not UTF-8 is Latin-1, since a commit message is "
	 "UTF-8; git keeps the bytes",
	 HEAD "\nGr\xfc\xdf"
	      "e.\n---\n" DIFF,
	 HEAD "Content-Type: text/plain; charset=iso-8859-1\n\nGr\xfc\xdf"
	      "e.\n---\n" DIFF},
	{"the same in a header",
	 "From: Bj\xf6rn <astrid@example.org>\n" SUBJECT DATE "\nText.\n---\n" DIFF,
	 "From: =?iso-8859-1?q?Bj=F6rn?= <astrid@example.org>\n" SUBJECT DATE
	 "\nText.\n---\n" DIFF},
	{"text that is not in the charset that it names: U+FFFD; git am ends there",
	 HEAD "Content-Type: text/plain; charset=us-ascii\n\nGr\xc3\xbc\xc3\x9f"
	      "e.\n---\n" DIFF,
	 HEAD "\nGr\xc3\xbc\xc3\x9f"
	      "e.\n---\n" DIFF},
	{"a charset that nobody knows: as if there were none; git am ends there",
	 HEAD "Content-Type: text/plain; charset=klingon\n\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"headers in the body are in the body's charset; git keeps the bytes",
	 HEAD "Content-Type: text/plain; charset=iso-8859-1\n\nFrom: Bj\xf6rn "
	      "<b@example.org>\n\nText.\n---\n" DIFF,
	 HEAD "\nFrom: Bj\xc3\xb6rn <b@example.org>\n\nText.\n---\n" DIFF},
	{"what looks like an encoded word and is none stays as it is; git am ends there",
	 WHO "Subject: [PATCH] a =? b ?= c\n" DATE "\nText.\n---\n" DIFF,
	 WHO "Subject: a =?utf-8?q?=3D=3F_b?= ?= c\n" DATE "\nText.\n---\n" DIFF},
	{"the space that RFC 3676 puts in front of a line goes in any encoding; git leaves it in "
	 "quoted-printable, after a "
	 "line that goes on",
	 HEAD "Content-Type: text/plain; format=flowed\nContent-Transfer-Encoding: "
	      "quoted-printable\n\nA =20\n  b.\n---\n" DIFF,
	 HEAD "\nA   b.\n---\n" DIFF},
	{"a multipart in a multipart begins with its first boundary; git takes one line after its "
	 "headers for text, a "
	 "boundary too",
	 HEAD MULTI("mixed") "--b\nContent-Type: multipart/mixed; "
			     "boundary=c\n\n--c\n\nText.\n---\n" DIFF "--c--\n--b--\n",
	 HEAD MULTI("mixed") "--b\nContent-Type: multipart/mixed; "
			     "boundary=c\n\n\n--c\n\nText.\n---\n" DIFF "--c--\n--b--\n"},
	{"the preamble of a multipart in a multipart is for nobody; git makes it the message",
	 HEAD MULTI("mixed") "--b\nContent-Type: multipart/mixed; "
			     "boundary=c\n\nHello.\n--c\n\nText.\n---\n" DIFF "--c--\n--b--\n",
	 HEAD MULTI("mixed") "--b\nContent-Type: multipart/mixed; "
			     "boundary=c\n\n\n--c\n\nText.\n---\n" DIFF "--c--\n--b--\n"},
	{"control characters in a header become spaces: it is shown on terminals",
	 WHO "Subject: [PATCH] cairn: a\x1b[31m\n" DATE "\nText.\n---\n" DIFF,
	 WHO "Subject: [PATCH] cairn: a [31m\n" DATE "\nText.\n---\n" DIFF},
	{"the HTML of an alternative is left out; git adds it to the patch",
	 HEAD MULTI("alternative") "--b\n\nText.\n---\n" DIFF
				   "--b\nContent-Type: text/html\n\n<p>Text.\n--b--\n",
	 HEAD MULTI("alternative") "--b\n\nText.\n---\n" DIFF "--b--\n"},
	{"HTML first: as above; git makes it the message",
	 HEAD MULTI(
		 "alternative") "--b\nContent-Type: text/html\n\n<p>Text.\n--b\n\nText.\n---\n" DIFF
				"--b--\n",
	 HEAD MULTI("alternative") "--b\n\nText.\n---\n" DIFF "--b--\n"},
	{"a signature is no part of the patch; git adds it",
	 HEAD MULTI("signed") "--b\n\nText.\n---\n" DIFF
			      "--b\nContent-Type: application/pgp-signature\n\n-----BEGIN PGP "
			      "SIGNATURE-----\n--b--\n",
	 HEAD MULTI("signed") "--b\n\nText.\n---\n" DIFF "--b--\n"},
	{"an attachment that is neither text nor a patch is left out; git adds it",
	 HEAD MULTI("mixed") "--b\n\nText.\n---\n" DIFF
			     "--b\nContent-Type: application/x-gzip\nContent-Transfer-Encoding: "
			     "base64\n\nLWludCBhOwo=\n--b--\n",
	 HEAD MULTI("mixed") "--b\n\nText.\n---\n" DIFF "--b--\n"},
	{"a mail in a mail, a bounce for instance, is not this mail; git adds it",
	 HEAD MULTI("mixed") "--b\n\nText.\n---\n" DIFF "--b\nContent-Type: message/rfc822\n\n" HEAD
			     "\nNo.\n--b--\n",
	 HEAD MULTI("mixed") "--b\n\nText.\n---\n" DIFF "--b--\n"},
	{"a whole file by git-format-patch(1) is attached: its headers count, and not what is said "
	 "about it; "
	 "git makes all of it the message",
	 "From: List <list@example.org>\nSubject: my patch\nDate: Wed, 4 Mar 2026 09:00:00 "
	 "+0100\n" MULTI(
		 "mixed") "--b\n\nSee attachment.\n--b\nContent-Type: text/x-patch; "
			  "name=a.patch\n\n" SEPARATOR HEAD
			  "Cc: c@example.org\nContent-Transfer-Encoding: 8bit\n\nText.\n---\n" DIFF
			  "--b--\n",
	 HEAD "\nText.\n---\n" DIFF "\n"},
	{"the same without words round it",
	 "From: List <list@example.org>\nSubject: my patch\nDate: Wed, 4 Mar 2026 09:00:00 +0100\n"
	 "Content-Type: text/x-patch; name=a.patch\n\n" SEPARATOR HEAD "\nText.\n---\n" DIFF,
	 HEAD "\nText.\n---\n" DIFF},
	{"encoded lines that do not hold whole groups of base64 are one stream, RFC 4648; git "
	 "drops what is left of each",
	 HEAD "Content-Transfer-Encoding: base64\n\nVGV4dC\n4KLS0tCi0\ntLSBhL3gKKysrIGIveAo\n=\n",
	 HEAD "\nText.\n---\n--- a/x\n+++ b/x\n"},
	{"two texts of which the first has no line end: on lines of their own; git joins them",
	 HEAD MULTI("mixed") "--b\nContent-Transfer-Encoding: "
			     "base64\n\nVGV4dC4=\n--b\n\nMore.\n---\n" DIFF "--b--\n",
	 HEAD "\nText.\nMore.\n---\n" DIFF "\n"},
};

bool made_deliberate(struct made *ret, unsigned n)
{
	if (n >= array_size(table))
		return false;
	*ret = (struct made){.why = table[n].why};
	str_init(&ret->mail, 0);
	str_init(&ret->oracle, 0);
	str_adds(&ret->mail, table[n].mail);
	str_adds(&ret->oracle, table[n].oracle);
	return true;
}
