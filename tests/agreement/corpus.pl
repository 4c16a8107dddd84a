#!/usr/bin/perl -w
# SPDX-License-Identifier: GPL-2.0-or-later
# corpus.pl DIR: what checkpatch.pl and the native rules are compared on, made once below DIR from
#
#	FIRN_TEST_TREE		a git repository of Linux, whose HEAD is taken
#	FIRN_TEST_PATCHES	a folder with Debian's kernel patches
#
# DIR/tree	HEAD checked out, with a .git that has HEAD alone: what most people who unpack a tree have, and no
#		commit that a patch names is in it
# DIR/bare	scripts/checkpatch.pl of it and nothing else, for --no-tree
# DIR/patches	every patch once, by its text; also those in DIR/debian (debian-patches.sh brings more)
# DIR/files	400 files of the tree, each as the patch that adds it
#
# The files are those of at most 100,000 bytes whose paths have the least hashes: the same ones whenever the tree is the
# same, and nobody chose them.
use strict;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Basename;
use File::Find;
use File::Path qw(make_path remove_tree);

my $FILES = 400;
my $SIZE_MAX = 100_000;
my $KINDS = qr{\.(?:c|h|S|dts|dtsi|yaml|rst|sh)$|(?:^|/)(?:Makefile|Kconfig)[^/]*$};

my $dir = shift or die "usage: corpus.pl DIR\n";
my $repo = $ENV{FIRN_TEST_TREE} or die "FIRN_TEST_TREE is not set\n";
my $patches = $ENV{FIRN_TEST_PATCHES} or die "FIRN_TEST_PATCHES is not set\n";
$ENV{GIT_CONFIG_GLOBAL} = dirname(abs_path($0)) . '/../fixtures/git.config';

sub run { system(@_) == 0 or die "@_: failed\n" }

sub git { # the output of git on the repository
	open(my $git, '-|', 'git', '-C', $repo, @_) or die "git: $!\n";
	local $/;
	my $out = <$git>;
	close $git or die "git @_: failed\n";
	$out;
}

sub file_read {
	my $path = shift;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	local $/;
	scalar <$in>;
}

sub file_write {
	my ($path, $text) = @_;
	open(my $out, '>:raw', $path) or die "$path: $!\n";
	print $out $text;
	close $out or die "$path: $!\n";
}

# Makes a folder aside, and moves it to its name when it is whole.
sub make_folder {
	my ($name, $make) = @_;
	return if -e "$dir/$name";
	remove_tree("$dir/$name.new");
	make_path("$dir/$name.new");
	$make->("$dir/$name.new");
	rename("$dir/$name.new", "$dir/$name") or die "$dir/$name: $!\n";
}

sub make_tree {
	my $to = shift;
	my $head = git('rev-parse', 'HEAD^{commit}');
	chomp $head;
	run('sh', '-c', 'git -C "$1" archive "$2" | tar -C "$3" -x', 'sh', $repo, $head, $to);
	run('git', 'init', '-q', $to);
	my $objects = git('rev-parse', '--path-format=absolute', '--git-path', 'objects');
	file_write("$to/.git/objects/info/alternates", $objects);
	run('git', '-C', $to, 'update-ref', 'HEAD', $head);
	run('git', '-C', $to, 'read-tree', 'HEAD');
}

sub make_bare {
	my $to = shift;
	make_path("$to/scripts");
	file_write("$to/scripts/checkpatch.pl", git('show', 'HEAD:scripts/checkpatch.pl'));
}

sub make_patches {
	my $to = shift;
	my (@found, %seen);
	find({ no_chdir => 1, wanted => sub {
		push @found, $_ if -f && m{/patches[^/]*/} && !m{/series[^/]*$} } }, grep { -d } $patches, "$dir/debian");
	for my $path (sort @found) {
		my $text = file_read($path);
		my $hash = substr(sha256_hex($text), 0, 6);
		my ($name) = $path =~ m{([^/]+?)(?:\.patch)?$};
		next if $seen{$hash}++ || $text !~ /^\+\+\+ /m;
		file_write("$to/$name-$hash.patch", $text);
	}
}

# A new file with its lines all added, as git format-patch writes it.
sub wrap {
	my ($path, $mode, $blob, $text) = @_;
	my $whole = $text =~ /\n\z/;
	my @lines = split /\n/, $text, -1;
	pop @lines if $whole;
	my $n = @lines;
	my $id = substr($blob, 0, 12);
	return "From: Ada Example <ada\@example.org>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n" .
		"Subject: [PATCH] tree: add a file\n\nA file of the tree is added as if it were new.\n\n" .
		"Signed-off-by: Ada Example <ada\@example.org>\n---\n $path | $n +\n 1 file changed, $n insertions(+)\n" .
		" create mode $mode $path\n\ndiff --git a/$path b/$path\nnew file mode $mode\nindex 000000000000..$id\n" .
		"--- /dev/null\n+++ b/$path\n\@\@ -0,0 +1,$n \@\@\n" . join('', map { "+$_\n" } @lines) .
		($whole ? '' : "\\ No newline at end of file\n") . "-- \n2.39.2\n\n";
}

sub make_files {
	my $to = shift;
	my %file;
	for (split /\0/, git('ls-tree', '-rlz', 'HEAD')) {
		my ($mode, $blob, $size, $path) = /^(\d+) blob (\w+) +(\d+)\t(.*)$/s or next;
		next if $path !~ $KINDS || $size > $SIZE_MAX || $size == 0 || $mode eq '120000';
		$file{sha256_hex($path)} = [$path, $mode, $blob];
	}
	for my $key ((sort keys %file)[0 .. $FILES - 1]) {
		my ($path, $mode, $blob) = @{ $file{$key} };
		my $name = $path =~ tr{/}{+}r;
		file_write("$to/$name.patch", wrap($path, $mode, $blob, git('cat-file', 'blob', $blob)));
	}
}

make_path($dir);
make_folder('tree', \&make_tree);
make_folder('bare', \&make_bare);
make_folder('patches', \&make_patches);
make_folder('files', \&make_files);
