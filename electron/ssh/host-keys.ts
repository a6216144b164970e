import { createHash, createHmac } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../shared/errors';
import { quoteWord } from '../../shared/quote';
import { listMatches } from './patterns';

/** One line of a known_hosts file that names a key. */
export interface KnownKey {
  readonly file: string;
  readonly line: number;
  readonly marker: 'none' | 'revoked' | 'cert-authority';
  readonly names: string;
  readonly type: string;
  readonly key: Buffer;
}

/** Where a known_hosts file says something. */
export type KnownPlace = Pick<KnownKey, 'file' | 'line'>;

/** What known_hosts says about a key that was shown. */
export type HostKeyVerdict =
  | { readonly kind: 'match' }
  /** `authority`: an authority is trusted to vouch for the host, which takes a certificate that the library cannot ask for. */
  | { readonly kind: 'unknown'; readonly authority: KnownPlace | null }
  /** `forget`: the command that removes what is known; null where only an editor can, because a pattern names the host. */
  | ({ readonly kind: 'changed'; readonly expected: readonly string[]; readonly forget: string | null } & KnownPlace)
  | ({ readonly kind: 'revoked' } & KnownPlace);

// The key types that the library can ask a server for. Another one may be listed, but no server will ever show it to us.
const askedTypes: readonly string[] = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

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
    if (keyTypeOf(key) !== type || !isWhole(key)) continue;
    if (marker !== '' && marker !== '@revoked' && marker !== '@cert-authority') continue;
    const kind = marker === '@revoked' ? 'revoked' : marker === '@cert-authority' ? 'cert-authority' : 'none';
    keys.push({ file, line: index + 1, marker: kind, names, type, key });
  }
  return keys;
}

/** The lines that name a host, in order, whatever their marker. */
export function linesFor(known: readonly KnownKey[], name: HostName): readonly KnownKey[] {
  const wanted = knownName(name);
  return known.filter((entry) => nameMatches(entry.names, wanted));
}

/**
 * The verdict on a shown key. Any listed key of the host other than the shown one counts as changed: known types are offered
 * first, so a server that shows another one no longer has the known one.
 */
export function judgeHostKey(known: readonly KnownKey[], name: HostName, shown: Buffer): HostKeyVerdict {
  const listed = linesFor(known, name);
  const bare = bareLines(known, name);
  const revoked = [...listed, ...bare].find((entry) => entry.marker === 'revoked' && entry.key.equals(shown));
  if (revoked) return { kind: 'revoked', file: revoked.file, line: revoked.line };
  const trusted = listed.filter(isTrusted);
  if (trusted.some((entry) => entry.key.equals(shown))) return { kind: 'match' };
  const type = keyTypeOf(shown);
  const other = trusted.find((entry) => entry.type === type) ?? trusted[0];
  if (other) {
    const expected = [...new Set(trusted.map((entry) => fingerprintOf(entry.key)))];
    return { kind: 'changed', expected, file: other.file, line: other.line, forget: forgetCommand(other, name) };
  }
  if (bare.some((entry) => isTrusted(entry) && entry.key.equals(shown))) return { kind: 'match' };
  const authority = [...listed, ...bare].find((entry) => entry.marker === 'cert-authority');
  return { kind: 'unknown', authority: authority ? { file: authority.file, line: authority.line } : null };
}

/** Key types listed for a host, so that they are asked for first. */
export function knownKeyTypes(known: readonly KnownKey[], name: HostName): readonly string[] {
  const listed = linesFor(known, name).filter(isTrusted);
  const entries = listed.length > 0 ? listed : bareLines(known, name).filter(isTrusted);
  return [...new Set(entries.map((entry) => entry.type))];
}

/** The line that lists a key under the host's name, without its end. */
export function knownLine(name: HostName, key: Buffer): string {
  return `${knownName(name)} ${keyTypeOf(key)} ${key.toString('base64')}`;
}

/** Adds one line for a key the person agreed to. Only ever appends, in one write, so a link or a concurrent writer loses nothing. */
export async function appendHostKey(file: string, name: HostName, key: Buffer): Promise<void> {
  const line = knownLine(name, key);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1, '\n');
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      await handle.write(`${last[0] === 0x0a ? '' : '\n'}${line}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { host, port } = name;
    throw new AppError('ssh.host-key-not-kept', { host, port, file, line, reason: (error as Error).message }, { cause: error });
  }
}

// OpenSSH accepts a key listed under the bare name for a host reached through another port, but never calls it changed.
function bareLines(known: readonly KnownKey[], name: HostName): readonly KnownKey[] {
  return name.alias !== null || name.port === 22 ? [] : linesFor(known, { ...name, port: 22 });
}

function isTrusted({ marker, type }: KnownKey): boolean {
  return marker === 'none' && askedTypes.includes(type);
}

// ssh-keygen leaves lines alone that name the host through a pattern.
function forgetCommand({ file, names }: KnownKey, name: HostName): string | null {
  if (!names.startsWith('|') && /[*?!]/.test(names)) return null;
  return `ssh-keygen -R ${shellWord(knownName(name))} -f ${shellWord(file)}`;
}

function shellWord(word: string): string {
  return process.platform === 'win32' ? `"${word}"` : quoteWord(word);
}

/** Whether a key blob is made of whole fields to its end; OpenSSH passes over a line whose key is cut. */
function isWhole(key: Buffer): boolean {
  let at = 0;
  let fields = 0;
  while (at + 4 <= key.length) {
    at += 4 + key.readUInt32BE(at);
    fields += 1;
  }
  return at === key.length && fields >= 2;
}

function nameMatches(names: string, wanted: string): boolean {
  if (names.startsWith('|')) return hashMatches(names, wanted);
  return listMatches(names.toLowerCase().split(','), wanted);
}

function hashMatches(field: string, wanted: string): boolean {
  const [, version, encodedSalt] = field.split('|');
  const salt = Buffer.from(encodedSalt ?? '', 'base64');
  // OpenSSH takes no salt of another length than the digest's.
  if (version !== '1' || salt.length !== 20) return false;
  return field === `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(wanted).digest('base64')}`;
}
