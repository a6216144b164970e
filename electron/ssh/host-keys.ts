import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../shared/errors';

/** One line of a known_hosts file that names a key. */
export interface KnownKey {
  readonly file: string;
  readonly line: number;
  readonly marker: 'none' | 'revoked' | 'cert-authority';
  readonly names: string;
  readonly type: string;
  readonly key: Buffer;
}

/** What known_hosts says about a key that was shown. */
export type HostKeyVerdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'changed'; readonly expected: readonly string[]; readonly file: string; readonly line: number }
  | { readonly kind: 'revoked'; readonly file: string; readonly line: number };

/** A host as known_hosts names it. With an alias the port plays no part, as in OpenSSH. */
export interface HostName {
  readonly host: string;
  readonly port: number;
  readonly alias: string | null;
}

/** The SHA-256 fingerprint as `ssh-keygen -l` prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The type a public key blob names; empty when the blob is malformed. */
export function keyTypeOf(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length <= 64 && key.length >= 4 + length ? key.toString('latin1', 4, 4 + length) : '';
}

/** The name under which known_hosts lists a host: lower case, `[host]:port` only for a port other than 22. */
export function knownName(name: HostName): string {
  if (name.alias !== null) return name.alias.toLowerCase();
  const host = name.host.toLowerCase();
  return name.port === 22 ? host : `[${host}]:${name.port}`;
}

/** Reads several files in order. A missing file is empty; one that cannot be read is an error, since "unknown" would be untrue. */
export async function readKnownHosts(files: readonly string[]): Promise<readonly KnownKey[]> {
  const keys: KnownKey[] = [];
  for (const file of files) {
    try {
      keys.push(...parseKnownHosts(await readFile(file, 'utf8'), file));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      throw new AppError('local.failed', { operation: 'read', path: file, reason: (error as Error).message }, { cause: error });
    }
  }
  return keys;
}

/** The lines of one known_hosts file; lines that name no usable key are passed over, as OpenSSH does. */
export function parseKnownHosts(text: string, file: string): readonly KnownKey[] {
  const keys: KnownKey[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const fields = raw.trim().split(/[ \t]+/);
    if (fields[0]?.startsWith('#')) continue;
    const marker = fields[0]?.startsWith('@') ? fields.shift() : '';
    const [names, type, base64] = fields;
    if (!names || !type || !base64) continue;
    const key = Buffer.from(base64, 'base64');
    if (keyTypeOf(key) !== type) continue;
    if (marker !== '' && marker !== '@revoked' && marker !== '@cert-authority') continue;
    const kind = marker === '@revoked' ? 'revoked' : marker === '@cert-authority' ? 'cert-authority' : 'none';
    keys.push({ file, line: index + 1, marker: kind, names, type, key });
  }
  return keys;
}

/** The verdict on a shown key. Any listed key of the host other than the shown one counts as changed: known types are offered first. */
export function judgeHostKey(known: readonly KnownKey[], name: HostName, shown: Buffer): HostKeyVerdict {
  const wanted = knownName(name);
  const listed = known.filter((entry) => entry.marker !== 'cert-authority' && nameMatches(entry.names, wanted));
  const bare = bareEntries(known, name);
  const revoked = [...listed, ...bare].find((entry) => entry.marker === 'revoked' && entry.key.equals(shown));
  if (revoked) return { kind: 'revoked', file: revoked.file, line: revoked.line };
  const trusted = listed.filter((entry) => entry.marker === 'none');
  if (trusted.some((entry) => entry.key.equals(shown))) return { kind: 'match' };
  const type = keyTypeOf(shown);
  const other = trusted.find((entry) => entry.type === type) ?? trusted[0];
  if (other) {
    return { kind: 'changed', expected: trusted.map((entry) => fingerprintOf(entry.key)), file: other.file, line: other.line };
  }
  return bare.some((entry) => entry.marker === 'none' && entry.key.equals(shown)) ? { kind: 'match' } : { kind: 'unknown' };
}

/** Key types listed for a host, so that they are asked for first. */
export function knownKeyTypes(known: readonly KnownKey[], name: HostName): readonly string[] {
  const wanted = knownName(name);
  const listed = known.filter((entry) => entry.marker === 'none' && nameMatches(entry.names, wanted));
  const entries = listed.length > 0 ? listed : bareEntries(known, name).filter((entry) => entry.marker === 'none');
  return [...new Set(entries.map((entry) => entry.type))];
}

/** Adds one line for a key the person agreed to. Only ever appends, so a link or a concurrent writer loses nothing. */
export async function appendHostKey(file: string, name: HostName, key: Buffer): Promise<void> {
  const line = `${knownName(name)} ${keyTypeOf(key)} ${key.toString('base64')}\n`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1, '\n');
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      await handle.write(last[0] === 0x0a ? line : `\n${line}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new AppError('local.failed', { operation: 'add a line to', path: file, reason: (error as Error).message }, { cause: error });
  }
}

// OpenSSH accepts a key listed under the bare name for a host reached through another port, but never calls it changed.
function bareEntries(known: readonly KnownKey[], name: HostName): readonly KnownKey[] {
  if (name.alias !== null || name.port === 22) return [];
  const bare = name.host.toLowerCase();
  return known.filter((entry) => entry.marker !== 'cert-authority' && nameMatches(entry.names, bare));
}

function nameMatches(names: string, wanted: string): boolean {
  if (names.startsWith('|')) return hashMatches(names, wanted);
  let hit = false;
  for (const pattern of names.split(',')) {
    const negated = pattern.startsWith('!');
    if (!globMatches(negated ? pattern.slice(1) : pattern, wanted)) continue;
    if (negated) return false;
    hit = true;
  }
  return hit;
}

function hashMatches(field: string, wanted: string): boolean {
  const [, version, salt, hash] = field.split('|');
  if (version !== '1' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const actual = createHmac('sha1', Buffer.from(salt, 'base64')).update(wanted).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function globMatches(pattern: string, wanted: string): boolean {
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`).test(wanted);
}
