#!/usr/bin/perl -w
# SPDX-License-Identifier: GPL-2.0-or-later
# agreement.pl [OPTION...] [WORD...]: runs the tree's scripts/checkpatch.pl and the native rules on the same patches and
# compares what they find: level, TYPE, line of the patch, file and line, and the closing counts.
#
#	--set=patches|files	only Debian's patches, or only the files taken as patches (default: both)
#	--config=NAME,...	of strict, plain (in the tree), bare-strict, bare-plain (--no-tree); or all (default: strict)
#	--type=TYPE,...		only findings of these types; counts are not compared
#	--show[=N]		prints the first N differences (40), each with its line of the patch
#	--sample=N		every Nth patch
#	--differences=FILE	where to write all of them (default: DIR/differences)
#	--markdown		prints the tables of checkers/checkpatch/CHECKPATCH.md
#	WORD			only patches whose names have one of the words, or the patches of these files
#
# Environment: NATIVE (the program of native.c), FIRN_TEST_CACHE (DIR is its folder "agreement"); and see corpus.pl.
# Exit status: 0 when the aims are met: 99 % of findings and 97 % of patches the same among patches, 97 % of findings
# among files. The aims are for whole runs; with --type or words it is 0.
#
#	agreement.pl --type=SPACING --show		all about one type
#	agreement.pl --type=SPACING --show net+core	... in some files
#
# What the script printed is kept below DIR/script, by a hash of all that it depends on, since a run costs 0.2 to 0.6 s.
use strict;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use Getopt::Long;

my %config = (
	'strict' => { tree => 1, flags => ['--strict'] },
	'plain' => { tree => 1, flags => [] },
	'bare-strict' => { tree => 0, flags => ['--strict'] },
	'bare-plain' => { tree => 0, flags => [] },
);
my %aim = (patches => { findings => 99, whole => 97 }, files => { findings => 97, whole => 0 });

my ($only_set, $configs, $types, $show, $sample, $differences) = (undef, 'strict', '', undef, 1, undef);
my $markdown;
GetOptions('markdown' => \$markdown, 'set=s' => \$only_set, 'config=s' => \$configs, 'type=s' => \$types, 'show:40' => \$show, 'sample=i' => \$sample,
	'differences=s' => \$differences) or exit 2;
my $native = $ENV{NATIVE} or die "NATIVE is not set\n";
my $dir = ($ENV{FIRN_TEST_CACHE} or die "FIRN_TEST_CACHE is not set\n") . '/agreement';
my @configs = $configs eq 'all' ? qw(strict plain bare-strict bare-plain) : split(/,/, $configs);
my %types = map { $_ => 1 } split(/,/, $types);
my $jobs = $ENV{AGREEMENT_JOBS} || 2;
$config{$_} or die "no configuration is called $_\n" for @configs;

sub file_read {
	my $path = shift;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	local $/;
	my $text = <$in>;
	defined $text ? $text : '';
}

# --- The script

my ($script_id, $tree_id);

sub script_key {
	my ($c, $text) = @_;
	my $tree = $c->{tree} ? $tree_id : '';
	sha256_hex("$script_id\n$tree\n@{$c->{flags}}\n" . $text);
}

sub script_command {
	my ($c, $file, $out) = @_;
	my $where = $c->{tree} ? "$dir/tree" : "$dir/bare";
	my @no_tree = $c->{tree} ? () : ('--no-tree');

	chdir $where or die "$where: $!\n";
	delete @ENV{qw(GIT_DIR GIT_WORK_TREE CHECKPATCH_CONFIG HOME)};
	$ENV{LC_ALL} = 'C.UTF-8';
	$ENV{GIT_CONFIG_GLOBAL} = '/dev/null';
	open(STDOUT, '>', "$out.$$") or die "$out.$$: $!\n";
	open(STDERR, '>', '/dev/null');
	my $status = system('perl', 'scripts/checkpatch.pl', '--show-types', '--color=never', '--no-codespell', @no_tree,
		@{ $c->{flags} }, $file);
	die "$file: the script ended with $status\n" if $status != 0 && $status != 256;
	rename("$out.$$", $out) or die "$out: $!\n";
}

# Runs the script for all that is not kept, some at a time.
sub scripts_run {
	my @todo = @_;
	my ($running, $failed, $done) = (0, 0, 0);

	for my $t (@todo) {
		if ($running >= $jobs) {
			wait();
			$failed ||= $?;
			$running--;
		}
		# The first one alone: it may read the names of all headers and keep them.
		my $pid = fork();
		die "fork: $!\n" if !defined $pid;
		if ($pid == 0) {
			script_command(@$t);
			exit 0;
		}
		$running++;
		if ($done++ == 0) {
			waitpid($pid, 0);
			$failed ||= $?;
			$running--;
		}
		print STDERR "\rscript: $done of ", scalar @todo if -t STDERR && $done % 10 == 0;
	}
	while (wait() > 0) { $failed ||= $? }
	print STDERR "\n" if -t STDERR && @todo;
	die "the script failed\n" if $failed;
}

# NON_OCTAL_PERMISSIONS has no empty line behind it.
sub is_heading {
	my ($line, $next) = @_;
	return $line =~ /^(?:ERROR|WARNING|CHECK):\w+: / && defined $next && $next =~ /^#\d+:/;
}

# Blocks, each closed by an empty line: "LEVEL:TYPE: message", then "#12: FILE: path:34:", "#12:" or nothing.
sub script_parse {
	my ($text, $file) = @_;
	my (@found, $counts);
	my @line = split /\n/, $text, -1;

	for (my $i = 0; $i < @line; $i++) {
		if ($line[$i] =~ /^total: (\d+) errors, (\d+) warnings,(?: (\d+) checks,)? (\d+) lines checked/) {
			$counts = "$1 $2 " . (defined $3 ? $3 : 0) . " $4";
			last;
		}
		next if $line[$i] eq '';
		if ($line[$i] =~ /^(ERROR|WARNING|CHECK):(\w+): /) {
			my ($level, $type) = ($1, $2);
			my ($at, $place) = (0, '-');
			# What a message quotes may go over several lines.
			my $k = $i + 1;
			$k++ while $k < @line && $line[$k] ne '' && $line[$k] !~ /^#\d+:/;
			if ($k < @line && $line[$k] =~ /^#(\d+):(?: FILE: (.*:\d+):$)?/) {
				$at = $1;
				# A path alone is no place: not all that speak of a file name it.
				$place = $2 if defined $2;
			}
			push @found, "$level $type $at $place";
		}
		$i++ while $i + 1 < @line && $line[$i] ne '' && !is_heading(@line[$i + 1, $i + 2]);
	}
	# A file without text, or one that is no patch, has no totals.
	return { found => \@found, counts => defined $counts ? $counts : 'none' };
}

# --- The native rules

# "= FILE", then "F LEVEL TYPE patch-line place" for each finding, and "T errors warnings checks lines".
sub native_run {
	my ($c, @files) = @_;
	my (%result, $r);
	my @where = $c->{tree} ? ("--tree=$dir/tree") : ('--no-tree');

	open(my $out, '-|', $native, @where, @{ $c->{flags} }, @files) or die "$native: $!\n";
	while (my $line = <$out>) {
		chomp $line;
		if ($line =~ /^= (.*)/) { $r = $result{$1} = { found => [], counts => 'none' } }
		elsif ($line =~ /^F (.*)/) { push @{ $r->{found} }, $1 }
		elsif ($line =~ /^T (.*)/) { $r->{counts} = $1 }
		else { die "$native: what is \"$line\"?\n" }
	}
	close $out or die "$native failed\n";
	return \%result;
}

# --- The comparison

my (%both, %theirs, %ours, @differences);

sub type_of { (split / /, $_[0])[1] }

# What is in the one and not in the other, each as often as it is.
sub compare {
	my ($config, $file, $script, $mine) = @_;
	my %left;
	my @wanted = grep { !%types || $types{ type_of($_) } } @{ $script->{found} };
	my $same = 1;

	$left{$_}++ for grep { !%types || $types{ type_of($_) } } @{ $mine->{found} };
	for my $f (@wanted) {
		if ($left{$f}) { $left{$f}--; $both{ type_of($f) }++; next }
		$theirs{ type_of($f) }++;
		push @differences, ['script', $config, $file, $f];
		$same = 0;
	}
	for my $f (sort keys %left) {
		for (1 .. $left{$f}) {
			$ours{ type_of($f) }++;
			push @differences, ['native', $config, $file, $f];
			$same = 0;
		}
	}
	if (!%types && $script->{counts} ne $mine->{counts}) {
		push @differences, ['counts', $config, $file, "script $script->{counts}, native $mine->{counts}"];
		$same = 0;
	}
	return $same;
}

sub sum { my $n = 0; $n += $_ for @_; $n }

sub percent { my ($part, $whole) = @_; $whole ? 100 * $part / $whole : 100 }

sub table_print {
	my %all = map { $_ => 1 } keys %both, keys %theirs, keys %ours;
	my @row = map { [$_, $both{$_} || 0, $theirs{$_} || 0, $ours{$_} || 0] } keys %all;

	printf "%-36s %7s %11s %11s\n", 'TYPE', 'both', 'only script', 'only native';
	for my $r (sort { $b->[2] + $b->[3] <=> $a->[2] + $a->[3] || $b->[1] <=> $a->[1] || $a->[0] cmp $b->[0] } @row) {
		printf "%-36s %7d %11d %11d\n", @$r;
	}
}

# For --markdown: a line for each set, and what differs, by type and set.
my (@set_rows, %type_cells);

sub markdown_add {
	my ($set, @row) = @_;
	push @set_rows, sprintf('| %s | %.2f %% of %d | %d | %d | %.2f %% of %d |', $set, @row);
	for my $type (keys %theirs, keys %ours) {
		my @n = ($both{$type} || 0, $theirs{$type} || 0, $ours{$type} || 0);
		$type_cells{$type}{$set} = "$n[0], $n[1], $n[2]";
		$type_cells{$type}{differ} += $n[1] + $n[2] if !$type_cells{$type}{"counted $set"}++;
	}
}

sub markdown_print {
	print "\n| | the same | only the script | only firn | texts that are the same |\n|---|---|---|---|---|\n";
	print "$_\n" for @set_rows;
	print "\n| TYPE | patches: the same, script, firn | files: the same, script, firn |\n|---|---|---|\n";
	for my $type (sort { $type_cells{$b}{differ} <=> $type_cells{$a}{differ} || $a cmp $b } keys %type_cells) {
		my $cell = $type_cells{$type};
		printf "| %s | %s | %s |\n", $type, map { defined $cell->{$_} ? $cell->{$_} : '' } qw(patches files);
	}
}

sub difference_text {
	my ($who, $config, $file, $what) = @{ $_[0] };
	my $text = "$who $config " . basename($file) . ": $what\n";

	if ($what =~ /^\w+ \w+ (\d+) / && $1) {
		my @line = split /\n/, file_read($file), -1;
		my $line = $1 <= @line ? $line[$1 - 1] : '';
		$text .= '    |' . substr($line, 0, 200) . "\n";
	}
	return $text;
}

sub differences_print {
	my $shown = 0;
	my $path = $differences || "$dir/differences";

	open(my $out, '>', $path) or die "$path: $!\n";
	for my $d (@differences) {
		my $text = difference_text($d);
		print $out $text;
		print $text if defined $show && $shown++ < $show;
	}
	close $out;
	print scalar @differences, " differences, all in $path\n";
}

# Compares one set in all configurations. True when the aims are met.
sub set_compare {
	my ($set, @files) = @_;
	my ($n, $whole, @todo, %key) = (0, 0);

	%both = %theirs = %ours = ();
	for my $c (@configs) {
		for my $f (@files) {
			$key{$c}{$f} = script_key($config{$c}, file_read($f));
			my $out = "$dir/script/$key{$c}{$f}";
			push @todo, [$config{$c}, $f, $out] if !-e $out;
		}
	}
	scripts_run(@todo);
	for my $c (@configs) {
		my $mine = native_run($config{$c}, @files);
		for my $f (@files) {
			my $script = script_parse(file_read("$dir/script/$key{$c}{$f}"), $f);
			$n++;
			$whole += compare($c, $f, $script, $mine->{$f} || { found => [], counts => 'none' });
		}
	}
	my ($b, $t, $o) = (sum(values %both), sum(values %theirs), sum(values %ours));
	my ($findings, $patches) = (percent($b, $b + $t + $o), percent($whole, $n));
	print "\n$set:\n" if @files > 1;
	table_print();
	printf "%s: %.2f %% of %d findings are the same (%d only the script's, %d only native); %.2f %% of %d patches\n", $set,
		$findings, $b + $t + $o, $t, $o, $patches, $n;
	markdown_add($set, $findings, $b + $t + $o, $t, $o, $patches, $n);
	my $a = $aim{$set} or return 1;
	return $findings >= $a->{findings} && $patches >= $a->{whole};
}

sub files_of {
	my $set = shift;
	my $i = 0;
	my @files = glob("$dir/$set/*.patch");
	@files = grep { my $f = $_; grep { index(basename($f), $_) >= 0 } @ARGV } @files if @ARGV;
	return grep { $i++ % $sample == 0 } @files;
}

system(dirname(abs_path($0)) . '/corpus.pl', $dir) == 0 or die "there is no corpus\n";
make_path("$dir/script");
$script_id = sha256_hex(file_read("$dir/bare/scripts/checkpatch.pl"));
$tree_id = file_read("$dir/tree/.git/refs/heads/" . basename(glob("$dir/tree/.git/refs/heads/*")));
chomp $tree_id;

my $good = 1;
my @given = map { abs_path($_) } grep { -f } @ARGV;
@ARGV = grep { !-f } @ARGV;
my $partial = %types || @ARGV || @given;
if (@given) {
	set_compare('given', @given);
} else {
	for my $set ($only_set ? $only_set : qw(patches files)) {
		my @files = files_of($set);
		$good &= set_compare($set, @files) if @files;
	}
}
differences_print();
markdown_print() if $markdown;
exit($good || $partial ? 0 : 1);
