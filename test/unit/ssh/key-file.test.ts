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
    ['ecdsa in PKCS8', { type: 'ecdsa', format: 'PKCS8' }],
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

  it('says that a format is not supported', async () => {
    const file = makeKey(dir, 'pkcs8', { type: 'ecdsa', format: 'PKCS8' });
    expect(await readKeyFile(file)).toMatchObject({ kind: 'unusable', reason: expect.stringMatching(/format is not supported/) });
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
