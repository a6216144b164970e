import { readFile } from 'node:fs/promises';
import ssh2, { type ParsedKey } from 'ssh2';
import { quoteWord } from '../../shared/quote';
import { keyTypeOf } from './host-keys';

const { utils } = ssh2;

/** What a key file turned out to be. `publicBlob` is null when the public half cannot be told without the passphrase. */
export type KeyFile =
  | { readonly kind: 'usable'; readonly file: string; readonly key: ParsedKey; readonly publicBlob: Buffer }
  | { readonly kind: 'encrypted'; readonly file: string; readonly publicBlob: Buffer | null }
  | { readonly kind: 'public-only'; readonly file: string; readonly publicBlob: Buffer }
  | { readonly kind: 'unusable'; readonly file: string; readonly publicBlob: Buffer | null; readonly reason: string };

const maxKeyFileBytes = 1024 * 1024;

/** Reads one identity file. Never throws: what is wrong with it is part of the answer. */
export async function readKeyFile(file: string): Promise<KeyFile> {
  let text: string;
  try {
    const content = await readFile(file);
    if (content.length > maxKeyFileBytes) return { kind: 'unusable', file, publicBlob: null, reason: 'it is far too large for a key' };
    text = content.toString('latin1');
  } catch (error) {
    // The public half alone is enough where an agent holds the other.
    const beside = (error as NodeJS.ErrnoException).code === 'ENOENT' ? await publicBlobBeside(file) : null;
    if (beside !== null) return { kind: 'public-only', file, publicBlob: beside };
    return { kind: 'unusable', file, publicBlob: null, reason: explainRead(error) };
  }
  const besides = await publicBlobBeside(file);
  const foreign = explainFormat(text, file);
  if (foreign !== null) return { kind: 'unusable', file, publicBlob: openSshPublicBlob(text) ?? besides, reason: foreign };
  if (isEncrypted(text)) return { kind: 'encrypted', file, publicBlob: openSshPublicBlob(text) ?? besides };
  const key = parse(text);
  if (key instanceof Error) {
    const reason = `its format is not supported (${key.message}); OpenSSH and PEM keys of type ed25519, ecdsa and rsa are`;
    return { kind: 'unusable', file, publicBlob: openSshPublicBlob(text) ?? besides, reason };
  }
  if (!key.isPrivateKey()) return { kind: 'public-only', file, publicBlob: key.getPublicSSH() };
  return { kind: 'usable', file, key, publicBlob: key.getPublicSSH() };
}

function parse(text: string): ParsedKey | Error {
  try {
    const parsed: ParsedKey | ParsedKey[] | Error = utils.parseKey(text);
    return Array.isArray(parsed) ? (parsed[0] ?? new Error('it holds no key')) : parsed;
  } catch (error) {
    return error as Error;
  }
}

const securityKey =
  'it lies on a security key, which cannot be used from here; make a plain one ("ssh-keygen -t ed25519"), let it in there (authorized_keys) and name it with --identity';

/** What the library cannot read and the user can change, each with the way round; null for everything else. */
function explainFormat(text: string, file: string): string | null {
  const version = /^PuTTY-User-Key-File-(\d+)/.exec(text)?.[1];
  if (version !== undefined && version !== '2') {
    return `it is a PuTTY key of format ${version}; write it as an OpenSSH key with PuTTYgen (Conversions, Export OpenSSH key)`;
  }
  if (/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text)) {
    return `it is a PKCS#8 key; "ssh-keygen -p -f ${quoteWord(file)}" writes it anew in the OpenSSH format, and asks for a passphrase to keep or change`;
  }
  const blob = openSshPublicBlob(text);
  const type = blob === null ? (/^\s*(\S+)/.exec(text)?.[1] ?? '') : keyTypeOf(blob);
  if (/^sk-/.test(type)) return securityKey;
  if (/-cert-v0\d@openssh\.com$/.test(type)) {
    return 'it is a certificate, which cannot be presented; let the plain public key in there (authorized_keys) and name its file instead';
  }
  return null;
}

function explainRead(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'this account may not read it';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return (error as Error).message;
  }
}

function isEncrypted(text: string): boolean {
  if (/^Proc-Type: *4, *ENCRYPTED/m.test(text) || text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) return true;
  if (/^Encryption: (?!none)/m.test(text)) return true;
  const cipher = openSshFields(text)?.[0];
  return cipher !== undefined && cipher.toString('latin1') !== 'none';
}

function openSshPublicBlob(text: string): Buffer | null {
  return openSshFields(text)?.[3] ?? null;
}

// The OpenSSH container states cipher, derivation, its options, a count, and the public key in clear before the private part.
function openSshFields(text: string): readonly Buffer[] | null {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END/.exec(text)?.[1];
  if (body === undefined) return null;
  const blob = Buffer.from(body, 'base64');
  const magic = 'openssh-key-v1\0';
  if (blob.toString('latin1', 0, magic.length) !== magic) return null;
  const fields: Buffer[] = [];
  let offset = magic.length;
  for (const name of ['cipher', 'derivation', 'options', 'public'] as const) {
    if (name === 'public') offset += 4;
    if (offset + 4 > blob.length) return null;
    const length = blob.readUInt32BE(offset);
    if (offset + 4 + length > blob.length) return null;
    fields.push(blob.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return fields;
}

async function publicBlobBeside(file: string): Promise<Buffer | null> {
  try {
    const base64 = (await readFile(`${file}.pub`, 'latin1')).split(/\s+/)[1];
    return base64 ? Buffer.from(base64, 'base64') : null;
  } catch {
    // The public half is only a convenience: without it the agent cannot be asked for this key, which is reported as such.
    return null;
  }
}
