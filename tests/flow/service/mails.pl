#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A mailing list that never was: series with and without cover letters, single patches, new versions, replies with and
# without tags, pull requests, robots, talk, and mail that is broken; about as many of each as a busy architecture list
# has. The same seed gives the same bytes.
#
#	mails.pl [OPTION...] N
#
#	--seed S	another list (1)
#	--start T	date of the first mail, seconds since 1970
#	--rate R	mails a day (150)
#	--prefix P	begins each Message-ID ("m")
#	--plain		no broken mails, no duplicates
#	--dir DIR	files DIR/000001.eml ... and nothing on standard output; else a stream for git fast-import, one
#			commit a mail as public-inbox has it
#	--on		the stream goes on from what refs/heads/master has
#	--truth FILE	a line for each mail: kind, Message-ID
#
# Each patch makes one new file below drivers/, so that it applies to any tree without it.
use strict;
use warnings;
use Digest::SHA qw(sha1_hex);
use Getopt::Long;
use POSIX qw(strftime);

my %opt = (seed => 1, start => 1790000000, rate => 150, prefix => 'm');
GetOptions(\%opt, qw(seed=i start=i rate=f prefix=s plain dir=s on truth=s)) or exit 2;
my $wanted = shift // die "usage: $0 [OPTION...] N\n";

# Not Perl's: it differs between versions.
my $state = $opt{seed};
sub dice { $state = ($state * 1103515245 + 12345) & 0x7fffffff; return ($state >> 8) % $_[0]; }
sub pick { return $_[dice(scalar @_)]; }

my @people;
for my $last (qw(Example Sample Instance Model Case Pattern Specimen Type Kind Form Sort Class Copy Draft Sketch Outline)) {
	push @people, map { { name => "$_ $last", mail => lc("$_.$last") . '@example.org' } } qw(Ada Bert Cleo Dora Emil Fay Gus Hana Ivo Jill);
}
my @words = qw(clock door lamp pump valve wheel gate bell fan lock gauge relay);
my @verbs = ('add a way to %s', 'fix the %s on resume', 'rework how the %s waits', 'drop an unused %s', 'make the %s quieter');
my @tags = qw(Reviewed-by Acked-by Tested-by);
my (@queue, @done, $serial, $thread);
$serial = $thread = 0;

sub message_id { return $opt{prefix} . ++$serial . '.' . sha1_hex("$opt{seed} $serial") =~ s/(.{12}).*/$1/r . '@example.org'; }

# later SECONDS MAIL: it is sent then.
sub later { my ($at, $mail) = @_; push @queue, { at => int $at, order => scalar @queue + $serial * 1000, %$mail }; return $mail; }

sub diff {
	my ($name, $lines) = @_;
	my @code = ('// SPDX-License-Identifier: GPL-2.0-or-later', '', "/* How often it was asked. */", "static int ${name}_asked;", '');
	for my $i (1 .. $lines) {
		push @code, "int ${name}_$i(int way)", '{', "\t${name}_asked += way;", "\treturn ${name}_asked * $i;", '}', '';
	}
	pop @code;
	$code[3] .= ' ' if dice(6) == 0;	# something for checkpatch
	my $text = join('', map { "$_\n" } @code);
	my $blob = substr sha1_hex('blob ' . length($text) . "\0$text"), 0, 12;
	my $n = @code;
	return " drivers/$name.c | $n " . '+' x 20 . "\n 1 file changed, $n insertions(+)\n create mode 100644 drivers/$name.c\n\n" .
		"diff --git a/drivers/$name.c b/drivers/$name.c\nnew file mode 100644\nindex 000000000000..$blob\n" .
		"--- /dev/null\n+++ b/drivers/$name.c\n\@\@ -0,0 +1,$n \@\@\n" . join('', map { "+$_\n" } @code) . "-- \n2.43.0\n\n";
}

sub patch {
	my ($s, $i, $version) = @_;
	my $p = $s->{patch}[$i - 1];
	my $of = $s->{total} > 1 ? sprintf(' %0*d/%d', length $s->{total}, $i, $s->{total}) : '';
	my $v = $version > 1 ? " v$version" : '';
	return {
		kind => 'patch', from => $s->{author}, subject => "[PATCH$v$of] $p->{title}", id => message_id(),
		body => "It has been asked for. Version $version has it in " . ($version * 3 + $i) . " lines less.\n\n" .
			"Signed-off-by: $s->{author}{name} <$s->{author}{mail}>\n---\n" . diff($p->{name}, $p->{lines} + $version),
	};
}

sub replies {
	my ($s, $at, @to) = @_;
	for (1 .. dice(10)) {
		my $to = pick(@to);
		my $from = pick(@people);
		my $tagged = dice(3) == 0 && $to->{kind} eq 'patch';
		my @lines = split /\n/, $to->{body};
		my $quoted = join '', map { "> $_\n" } splice @lines, 0, 4;
		$at += 60 + dice(40000);
		push @to, later($at, {
			kind => $tagged ? 'tags' : 'reply', from => $from, subject => 'Re: ' . $to->{subject} =~ s/^Re: //r, id => message_id(),
			refs => [@{ $to->{refs} // [] }, $to->{id}],
			body => "On some day, $to->{from}{name} wrote:\n$quoted\n" .
				($tagged ? pick(@tags) . ": $from->{name} <$from->{mail}>\n" : "What does it do when " . pick(@words) . " and " . pick(@words) . " meet?\n" . "There is more to say about it, and less time.\n" x dice(12)),
		});
	}
}

sub post {
	my ($s, $at, $version, @refs) = @_;
	my @mails;
	my $cover = $s->{cover} ? { kind => 'cover', from => $s->{author}, id => message_id(), refs => [@refs],
		subject => "[PATCH" . ($version > 1 ? " v$version" : '') . sprintf(' %0*d/%d', length $s->{total}, 0, $s->{total}) . "] $s->{title}",
		body => "A series of $s->{total}, begun because of thread $s->{thread}.\n\n" . join('', map { "  $_->{title}\n" } @{ $s->{patch} }) . "\n-- \n2.43.0\n\n" } : undef;
	push @mails, $cover if $cover;
	for my $i (1 .. $s->{total}) {
		my $p = patch($s, $i, $version);
		$p->{refs} = $cover ? [@refs, $cover->{id}] : @mails ? [$mails[0]{id}] : [@refs];
		push @mails, $p;
	}
	later($at + $_ * 2 + (dice(20) ? 0 : dice(9)), $mails[$_]) for 0 .. $#mails;
	$s->{first} = $mails[0]{id};
	replies($s, $at + 300, @mails);
	if ($version < 4 && dice(3) == 0) {
		later($at + 86400 * (1 + dice(5)), { again => [$s, $version + 1, $mails[0]{id}] });
	}
}

sub begin {
	my $at = shift;
	my $what = dice(100);
	my $who = pick(@people);
	$thread++;
	if ($what < 60) {
		my $total = $what < 32 ? 1 : 2 + dice(4) + (dice(8) ? 0 : dice(12));
		my $s = { author => $who, thread => $thread, total => $total, cover => $total > 1 && dice(6) > 0, title => pick(@words) . ": many small things ($thread)" };
		for my $i (1 .. $total) {
			my $word = pick(@words);
			push @{ $s->{patch} }, { name => "$opt{prefix}_${word}_${thread}_$i", lines => 2 + dice(18), title => "$word: " . sprintf(pick(@verbs), $word) . " ($thread.$i)" };
		}
		post($s, $at, 1);
	} elsif ($what < 63) {
		later($at, { kind => 'pull request', from => $who, id => message_id(), subject => "[GIT PULL] " . pick(@words) . " changes $thread",
			body => "Hi,\n\nThe following changes since commit " . sha1_hex("a$thread") . ":\n\n  before\n\nare available in the Git repository at:\n\n" .
				"  https://git.example.org/tree.git tags/t-$thread\n\nfor you to fetch changes up to " . sha1_hex("b$thread") . ":\n\n  after\n\n" . '-' x 64 . "\n" });
	} elsif ($what < 72) {
		later($at, { kind => 'robot', from => { name => 'kernel test robot', mail => 'robot@example.org' }, id => message_id(),
			subject => "[tree:branch] build success " . sha1_hex("c$thread"), more => "Auto-Submitted: auto-generated\n", body => "branch HEAD: " . sha1_hex("c$thread") . "\n\nelapsed time: 720m\n" . "config_$_ defconfig gcc\n" x 40 }) for 1;
	} elsif ($opt{plain} || $what < 99) {
		my $m = later($at, { kind => 'other', from => $who, id => message_id(), subject => "What about the " . pick(@words) . "? ($thread)", body => "It came up today, and nobody knew.\n" x (1 + dice(20)) });
		replies({}, $at + 60, $m);
	} else {
		later($at, { kind => 'broken', from => $who, id => pick('', message_id(), @done ? pick(@done) : ''), subject => pick("\xff\xfe?", '=?utf-8?q?=ff=fe?=', '', '[PATCH 1/2'),
			more => pick('', "Content-Type: multipart/mixed\n", "References: <<><\n", "X-Long: " . 'x' x 70000 . "\n"), body => pick('', "\0\0\0", "\x80" x 500, "From the middle\n") });
	}
}

sub text {
	my $m = shift;
	my $t = "From: $m->{from}{name} <$m->{from}{mail}>\nTo: demo\@lists.example.org\n";
	$t .= "Cc: " . join(",\n\t", map { "$_->{name} <$_->{mail}>" } @people[0 .. 2]) . "\n" if @{ $m->{refs} // [] };
	$t .= "Subject: $m->{subject}\nDate: " . strftime('%a, %d %b %Y %H:%M:%S +0000', gmtime $m->{at}) . "\n";
	$t .= "Message-ID: <$m->{id}>\n" if $m->{id} ne '';
	my @refs = @{ $m->{refs} // [] };
	$t .= "In-Reply-To: <$refs[-1]>\nReferences: " . join("\n\t", map { "<$_>" } @refs) . "\n" if @refs;
	return $t . ($m->{more} // '') . "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n$m->{body}";
}

my ($written, $truth) = (0);
if ($opt{truth}) { open $truth, '>', $opt{truth} or die "$opt{truth}: $!\n" }

sub send_out {
	my $m = shift;
	my $t = text($m);
	$written++;
	push @done, $m->{id};
	shift @done if @done > 1000;
	print $truth "$m->{kind}\t$m->{id}\n" if $truth;
	if ($opt{dir}) {
		open my $f, '>', sprintf("%s/%06d.eml", $opt{dir}, $written) or die "$opt{dir}: $!\n";
		print $f $t;
		return;
	}
	print "commit refs/heads/master\ncommitter $m->{from}{name} <$m->{from}{mail}> $m->{at} +0000\ndata 1\nx\n";
	print "from refs/heads/master^0\n" if $opt{on} && $written == 1;
	print "M 100644 inline m\ndata " . length($t) . "\n$t\n";
}

# A thread is begun about every so many mails of its own and of what comes later of it.
my $at = $opt{start};
while ($written < $wanted) {
	begin($at);
	$at += int(86400 / $opt{rate} * 8 * (1 + dice(200)) / 100) || 1;
	@queue = sort { $a->{at} <=> $b->{at} || $a->{order} <=> $b->{order} } @queue;
	while ($written < $wanted && @queue && $queue[0]{at} < $at) {
		my $m = shift @queue;
		if ($m->{again}) { post($m->{again}[0], $m->{at}, @{ $m->{again} }[1, 2]); @queue = sort { $a->{at} <=> $b->{at} || $a->{order} <=> $b->{order} } @queue; }
		else { send_out($m) }
	}
}
