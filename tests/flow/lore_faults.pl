#!/usr/bin/perl -w
# SPDX-License-Identifier: GPL-2.0-or-later
# lore_faults.pl UPSTREAM-PORT MODE-FILE: an HTTP server that passes requests on, and what comes back as the word in
# MODE-FILE says: pass, html, cut (half of a pack), damage (one byte of a pack), garbage (no list of branches), silent,
# or a status. Prints its port, and ends when its standard input does.
use strict;
use IO::Socket::INET;
use IO::Select;

my ($upstream, $mode_file) = @ARGV;
my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 16, ReuseAddr => 1) or die "listen: $@";
$| = 1;
print $listen->sockport, "\n";
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';

sub mode { open my $in, '<', $mode_file or return 'pass'; my $word = <$in>; chomp $word; $word }

sub request { # the head and the body
	my $client = shift;
	my $head = '';
	while ($head !~ /\r\n\r\n/) { sysread($client, $head, 65536, length $head) or return }
	my ($n) = $head =~ /^content-length: *(\d+)/im;
	my $begin = index($head, "\r\n\r\n") + 4;
	while (defined $n && length($head) < $begin + $n) { sysread($client, $head, 65536, length $head) or return }
	$head;
}

sub pass_on {
	my $text = shift;
	my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $upstream) or return '';
	$text =~ s/\r\n\r\n/\r\nConnection: close\r\n\r\n/;
	print $server $text;
	my $answer = '';
	while (sysread($server, $answer, 65536, length $answer)) {}
	$answer;
}

sub plain { my ($status, $type, $body, $more) = @_; "HTTP/1.1 $status\r\nContent-Type: $type\r\nContent-Length: " . length($body) . "\r\nConnection: close\r\n" . ($more // '') . "\r\n$body" }

sub answer {
	my $text = shift;
	my $mode = mode();
	my $is_pack = $text =~ m{^POST \S+/git-upload-pack } && $text =~ /done\n/;
	return plain('200 OK', 'text/html; charset=utf-8', '<!doctype html><title>Making sure you are not a bot!</title>') if $mode eq 'html';
	return plain("$1 No", 'text/plain', 'no', "Retry-After: 7\r\n") if $mode =~ /^(\d+)$/;
	return plain('200 OK', 'application/x-git-upload-pack-advertisement', "0042zzzz refs/heads/master\0\xff\xfe garbage and more of this garbage....")
		if $mode eq 'garbage' && $text =~ m{info/refs};
	sleep 60 if $mode eq 'silent';
	my $answer = pass_on($text);
	return substr($answer, 0, length($answer) / 2) if $mode eq 'cut' && $is_pack;
	substr($answer, length($answer) * 0.6, 1) ^= "\x55" if $mode eq 'damage' && $is_pack;
	$answer;
}

my @children;
my $ready = IO::Select->new($listen, \*STDIN);
while (my @which = $ready->can_read) {
	last if grep { $_ == \*STDIN } @which;
	my $client = $listen->accept or next;
	my $child = fork;
	if (!$child) {
		my $text = request($client);
		print $client answer($text) if defined $text;
		exit 0;
	}
	push @children, $child if mode() eq 'silent';
	close $client;
}
kill 'KILL', @children; # those that are silent
