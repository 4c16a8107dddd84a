#!/usr/bin/perl -w
# SPDX-License-Identifier: GPL-2.0-or-later
# lore_import.pl INBOX FILE...: adds mails to a public-inbox in order, in one process. With ROTATE set, they begin
# a new epoch. With REMOVE set, the inbox's newest copies of them are taken back instead.
use strict;
use PublicInbox::Config;
use PublicInbox::InboxWritable;
use PublicInbox::Eml;

my $name = shift or die "usage: $0 INBOX FILE...\n";
my $inbox = PublicInbox::Config->new->lookup_name($name) or die "no inbox $name\n";
my $writer = PublicInbox::InboxWritable->new($inbox)->importer(0);
$writer->{rotate_bytes} = 1 if $ENV{ROTATE};
my $failed;
for my $file (@ARGV) {
	open my $in, '<', $file or die "$file: $!";
	my $text = do { local $/; <$in> };
	my $mail = PublicInbox::Eml->new(\$text);
	my $done = $ENV{REMOVE} ? $writer->remove($mail) : $writer->add($mail);
	$failed = $file if !$done;
}
$writer->done;
die "not done: $failed\n" if defined $failed;
