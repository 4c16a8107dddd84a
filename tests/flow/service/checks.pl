#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# checks.pl URL PROJECT [date]: the checks that a Patchwork has, a line each: Message-ID, with `date` when it came, context,
# state, description.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my ($url, $project, $dated) = @ARGV;
my $http = HTTP::Tiny->new(timeout => 30);

sub all {
	my $next = shift;
	my @all;
	while ($next) {
		my $r = $http->get($next);
		die "$next: $r->{status} $r->{reason}\n" unless $r->{success};
		push @all, @{ decode_json($r->{content}) };
		$next = ($r->{headers}{link} // '') =~ /<([^>]*)>; rel="next"/ ? $1 : undef;
	}
	return @all;
}
binmode STDOUT, ':utf8';
for my $patch (all("$url/api/1.2/patches/?project=$project&order=id&per_page=250")) {
	print join(' ', $patch->{msgid} =~ s/[<>]//gr, @$_{ $dated ? 'date' : (), 'context', 'state' }, $_->{description} // '') . "\n"
		for all("$url/api/1.2/patches/$patch->{id}/checks/?order=id&per_page=250");
}
