#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# smtp.pl PORT MODE-FILE DELIVER: a mail server on loopback that misbehaves as the first word of MODE-FILE says, asked anew for
# each mail. Accepted mails are piped to DELIVER with their sender and recipients.
#
#	good		takes it
#	later		451 at the end of it, and does not take it
#	busy		421 instead of a greeting
#	cut		takes it, and cuts the connection before it says so
#	cut-before	cuts the connection in the middle of it
#	refuse		550 to each recipient
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $mode_file, $deliver) = @ARGV;
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 20, ReuseAddr => 1) or die "$port: $!\n";
$SIG{CHLD} = 'IGNORE';

sub mode {
	open my $f, '<', $mode_file or return 'good';
	return (split ' ', <$f> // 'good')[0];
}

sub hand_over {
	my ($text, @who) = @_;
	local $SIG{CHLD} = 'DEFAULT';
	open my $to, '|-', $deliver, shift @who, '--', @who or die "$deliver: $!\n";
	print $to $text;
	close $to;
}

sub talk {
	my $peer = shift;
	my $say = sub { print $peer "$_[0]\r\n"; $peer->flush };
	my (@who, $text);
	return $say->('421 too busy') if mode() eq 'busy';
	$say->('220 stand-in');
	while (defined(my $line = <$peer>)) {
		if ($line =~ /^EHLO/i) { print $peer "250-stand-in\r\n"; $say->('250 8BITMIME') }
		elsif ($line =~ /^MAIL FROM:\s*<(.*?)>/i) { @who = ($1); $say->('250 good') }
		elsif ($line =~ /^RCPT TO:\s*<(.*?)>/i) { mode() eq 'refuse' ? $say->('550 nobody here') : do { push @who, $1; $say->('250 good') } }
		elsif ($line =~ /^DATA/i) {
			$say->('354 go on');
			$text = '';
			while (defined($line = <$peer>) && $line ne ".\r\n") { $text .= $line =~ s/^\.//r =~ s/\r$//r }
			my $mode = mode();
			return if $mode eq 'cut-before' || !defined $line;
			if ($mode eq 'later') { $say->('451 try again'); next }
			hand_over($text, @who);
			return if $mode eq 'cut';
			$say->('250 taken');
		}
		elsif ($line =~ /^QUIT/i) { return $say->('221 bye') }
		else { $say->('250 good') }
	}
}

while (my $peer = $server->accept) {
	my $pid = fork;
	if ($pid == 0) { close $server; talk($peer); exit 0 }
	close $peer;
}
