import type { EnginePath, ListedEntry } from '../engine/entry';

/** How the remote prints a record: GNU find, `stat -c` (busybox, toybox), or BSD `stat -f`. */
export type Tier = 'gnu' | 'statc' | 'bsd';

/** Leading numbers of a record, before the path. */
const fieldCount: Readonly<Record<Tier, number>> = { gnu: 6, statc: 10, bsd: 5 };

/** Reads one record of remote.sh. Null when it is not one. */
export function parseRecord(record: Buffer, tier: Tier): { readonly path: EnginePath; readonly entry: ListedEntry } | null {
  let at = 0;
  for (let field = 0; field < fieldCount[tier]; field++) {
    at = record.indexOf(' ', at) + 1;
    if (at === 0) return null;
  }
  const fields = record.toString('latin1', 0, at).split(' ');
  const size = Number(fields[1]);
  const mtime = tier === 'statc' ? Date.parse(`${fields[2]}T${fields[3]?.slice(0, 12)}Z`) : Number(fields[2]) * 1000;
  // GNU find prints permissions and kind apart, `stat -c` too (octal, then the whole mode in hex), BSD one octal number.
  const permissions = Number.parseInt(fields[tier === 'statc' ? 8 : 4] ?? '', 8);
  const kind = tier === 'gnu' ? kindOfLetter(fields[5]) : kindOfMode(tier === 'statc' ? Number.parseInt(fields[9] ?? '', 16) : permissions);
  if (!Number.isSafeInteger(size) || size < 0 || Number.isNaN(permissions)) return null;
  const executable = (permissions & 0o100) !== 0;
  return {
    path: decodeName(record.subarray(at)),
    entry: { kind, size, mtime: Number.isNaN(mtime) ? 0 : mtime, executable, hash: null, stamp: '' },
  };
}

/** Bytes of a name as text. What is not UTF-8 carries U+FFFD, which the rules refuse. */
export function decodeName(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function kindOfLetter(letter: string | undefined): ListedEntry['kind'] {
  return letter === 'f' ? 'file' : letter === 'l' ? 'link' : 'other';
}

function kindOfMode(mode: number): ListedEntry['kind'] {
  const type = mode & 0o170000;
  return type === 0o100000 ? 'file' : type === 0o120000 ? 'link' : 'other';
}

/** What GNU find writes for bytes it would not print: a letter, the character itself, or three octal digits. */
const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, "'": 39, '"': 34, '\\': 92, '?': 63 };

/** A name as GNU find quotes it in the C locale; null when it holds an escape that nobody knows. */
function unescapeName(text: string): string | null {
  const parts: Buffer[] = [];
  for (const [, plain, octal, letter] of text.matchAll(/([^\\]+)|\\(?:([0-7]{3})|(.?))/gs)) {
    const code = octal === undefined ? escapes[letter ?? ''] : Number.parseInt(octal, 8);
    if (plain !== undefined) parts.push(Buffer.from(plain));
    else if (code === undefined) return null;
    else parts.push(Buffer.from([code]));
  }
  return decodeName(Buffer.concat(parts));
}

/**
 * The path in a complaint of the remote's `find` (`find: 'skills/a': Permission denied`). A complaint that names none, or none
 * below a root, makes every root unreadable: nothing may be taken for deleted.
 */
export function parseUnreadable(complaint: string, roots: readonly string[]): readonly EnginePath[] {
  const [, text] = /^find: (.*): [^:]*$/s.exec(complaint) ?? [];
  if (text === undefined) return roots;
  const path = /^'.*'$/s.test(text) ? unescapeName(text.slice(1, -1)) : text;
  const named = path !== null && roots.some((root) => path === root || path.startsWith(`${root}/`));
  return named ? [path] : roots;
}
