import { readFile } from 'node:fs/promises';
import ssh2, { type ParsedKey } from 'ssh2';

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
    return { kind: 'unusable', file, publicBlob: null, reason: explainRead(error) };
  }
  const besides = await publicBlobBeside(file);
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
