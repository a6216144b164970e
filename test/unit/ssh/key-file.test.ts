import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeyFile } from '../../../electron/ssh/key-file';
import { type KeyOptions, makeKey, publicBlob } from '../../support/keys';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ebbgate-keys-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('readKeyFile', () => {
  const usable: readonly (readonly [string, KeyOptions])[] = [
    ['ed25519', { type: 'ed25519' }],
    ['ecdsa', { type: 'ecdsa' }],
    ['rsa', { type: 'rsa' }],
    ['rsa in PEM', { type: 'rsa', format: 'PEM' }],
  ];
  it.each(usable)('reads an open key: %s', async (name, options) => {
    const file = makeKey(dir, `open ${name}`, options);
    expect(await readKeyFile(file)).toMatchObject({ kind: 'usable', file, publicBlob: publicBlob(file) });
  });

  const locked: readonly (readonly [string, KeyOptions])[] = [
    ['ed25519', { type: 'ed25519' }],
    ['rsa in PEM', { type: 'rsa', format: 'PEM' }],
  ];
  it.each(locked)('tells a key protected by a passphrase: %s', async (name, options) => {
    const file = makeKey(dir, `locked ${name}`, { ...options, passphrase: 'secret' });
    expect(await readKeyFile(file)).toEqual({ kind: 'encrypted', file, publicBlob: publicBlob(file) });
  });

  it('knows the public half of a protected OpenSSH key without a file beside it', async () => {
    const file = makeKey(dir, 'alone', { passphrase: 'secret' });
    const blob = publicBlob(file);
    rmSync(`${file}.pub`);
    expect(await readKeyFile(file)).toEqual({ kind: 'encrypted', file, publicBlob: blob });
  });

  it.each([
    ['a PKCS#8 key', () => makeKey(dir, 'pkcs8', { type: 'ecdsa', format: 'PKCS8' }), /PKCS#8.*ssh-keygen -p -f .*pkcs8'"/],
    [
      'a locked PKCS#8 key',
      () => makeKey(dir, 'pkcs8 2', { type: 'rsa', format: 'PKCS8', passphrase: 'long enough' }),
      /PKCS#8.*ssh-keygen -p -f '.*pkcs8 2'"/,
    ],
    ['a new PuTTY key', () => put('box.ppk', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n'), /PuTTY key of format 3.*PuTTYgen/],
    ['a security key', () => put('id_sk', openSshKey('sk-ssh-ed25519@openssh.com')), /security key.*--identity/],
    ['a certificate', () => makeCertificate(), /certificate.*authorized_keys/],
  ])('names the way round %s', async (_what, make, words) => {
    expect(await readKeyFile(make())).toMatchObject({ kind: 'unusable', reason: expect.stringMatching(words) });
  });

  it('takes the public half where only that is here', async () => {
    const file = makeKey(dir, 'half');
    rmSync(file);
    expect(await readKeyFile(file)).toEqual({ kind: 'public-only', file, publicBlob: publicBlob(file) });
  });

  it('says that a file holds no key, only a public one, or is not there', async () => {
    const text = join(dir, 'text');
    writeFileSync(text, 'hello');
    expect(await readKeyFile(text)).toMatchObject({ kind: 'unusable', reason: expect.stringMatching(/not supported/) });
    const pair = makeKey(dir, 'pair');
    renameSync(`${pair}.pub`, join(dir, 'public'));
    expect(await readKeyFile(join(dir, 'public'))).toMatchObject({ kind: 'public-only' });
    expect(await readKeyFile(join(dir, 'absent'))).toMatchObject({ kind: 'unusable', reason: 'there is no such file' });
    expect(await readKeyFile(dir)).toMatchObject({ kind: 'unusable', reason: 'it is a folder' });
  });

  it('does not choke on a cut OpenSSH key', async () => {
    const file = join(dir, 'cut');
    writeFileSync(
      file,
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${Buffer.from('openssh-key-v1\0\0\0\0\x09').toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`,
    );
    chmodSync(file, 0o600);
    expect(await readKeyFile(file)).toMatchObject({ kind: 'unusable' });
  });
});

function put(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
}

function makeCertificate(): string {
  const [authority, key] = [makeKey(dir, 'authority'), makeKey(dir, 'certified')];
  execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'me', `${key}.pub`], { stdio: 'pipe' });
  return `${key}-cert.pub`;
}

/** An open key of the given type in the OpenSSH container, as far as its public part. */
function openSshKey(type: string): string {
  const field = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const publicPart = field(type).toString('latin1');
  const blob = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    Buffer.from([0, 0, 0, 1]),
    field(publicPart),
  ]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${blob.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
