import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function whereIs(name: string): string {
  const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** A folder of links and scripts, for a remote whose PATH is this folder alone. */
export function makeToolFolder(
  folder: string,
  tools: { readonly links: Readonly<Record<string, string>>; readonly scripts?: Readonly<Record<string, string>> },
): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries(tools.links)) symlinkSync(whereIs(file), join(folder, name));
  for (const [name, text] of Object.entries(tools.scripts ?? {})) writeFileSync(join(folder, name), text, { mode: 0o755 });
  return folder;
}

/** Toybox's own tools with the awk that Android puts beside them, and a shell. */
export function makeToyboxPath(folder: string): string {
  const applets = execFileSync(whereIs('toybox'), { encoding: 'utf8' })
    .split(/\s+/)
    .filter((name) => name !== '' && name !== 'awk' && name !== 'sh');
  const beside = { sh: 'sh', awk: 'original-awk' };
  return makeToolFolder(folder, { links: { ...Object.fromEntries(applets.map((name) => [name, 'toybox'])), ...beside } });
}

const posixTools = 'cat chmod cmp cp date dd df gzip head mkdir mktemp mv rm rmdir sh sleep split tail uname wc xargs'.split(' ');

const bsdFind = `#!/bin/sh
for word do case $word in -printf|-regextype|-regex) echo "find: $word: unknown primary or operator" >&2; exit 1 ;; esac; done
exec /usr/bin/find "$@"
`;

const bsdStat = `#!/usr/bin/perl
use Time::HiRes ();
my ($flag, $format, @files) = @ARGV;
if ($flag ne '-f') { print STDERR "stat: illegal option -- c\\n"; exit 1; }
my $failed = 0;
for my $file (@files) {
  my @s = Time::HiRes::lstat($file);
  if (!@s) { print STDERR "stat: $file: stat: No such file or directory\\n"; $failed = 1; next; }
  my %f = (d => $s[0], i => $s[1], p => sprintf('%o', $s[2]), z => $s[7], Fm => sprintf('%.9f', $s[9]), Fc => sprintf('%.9f', $s[10]), N => $file);
  (my $line = $format) =~ s/%(Fm|Fc|d|i|p|z|N)/$f{$1}/g;
  print "$line\\n";
}
exit $failed;
`;

/**
 * What macOS and the BSDs bring: their own archiver and awk, `shasum`, and `find` and `stat` of their kind, which are not to be had
 * here and are stood in for by scripts that take and refuse the same arguments.
 */
export function makeBsdPath(folder: string): string {
  const own = { tar: 'bsdtar', awk: 'original-awk', shasum: 'shasum' };
  return makeToolFolder(folder, {
    links: { ...Object.fromEntries(posixTools.map((name) => [name, name])), ...own },
    scripts: { find: bsdFind, stat: bsdStat },
  });
}
