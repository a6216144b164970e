import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSecrets } from '../../../electron/store/secrets';
import { testCipher } from '../../support/cipher';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

let folder: string;
let file: string;
let cipher: ReturnType<typeof testCipher>;
beforeEach(async () => {
  folder = await makeTempFolder('secrets');
  file = join(folder, 'secrets.json');
  cipher = testCipher();
});
afterEach(() => removeTempFolder(folder));

describe('remembered secrets', () => {
  it('are told to the next process by connection and name, lie in a private file, and are nowhere in plain', async () => {
    const first = await openSecrets(file, cipher);
    await Promise.all([
      first.of('a').set('passphrase of /k', 'open sesame'),
      first.of('a').set('password of x', 'pässword'),
      first.of('b').set('password of x', 'of b'),
    ]);
    const second = await openSecrets(file, cipher);
    expect(await second.of('a').get('passphrase of /k')).toBe('open sesame');
    expect(await second.of('a').get('password of x')).toBe('pässword');
    expect(await second.of('b').get('password of x')).toBe('of b');
    expect(await second.of('b').get('passphrase of /k')).toBeNull();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    for (const secret of ['open sesame', 'pässword', 'of b']) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });

  it('are replaced, forgotten one by one and all together', async () => {
    const secrets = await openSecrets(file, cipher);
    await secrets.of('a').set('one', 'old');
    await secrets.of('a').set('one', 'new');
    await secrets.of('a').set('two', '2');
    await secrets.of('b').set('one', '1');
    expect(await secrets.of('a').get('one')).toBe('new');
    await secrets.of('a').forget('one');
    expect([await secrets.of('a').get('one'), await secrets.of('a').get('two')]).toEqual([null, '2']);
    await secrets.forgetAll('a');
    expect([secrets.holds('a'), secrets.holds('b')]).toEqual([false, true]);
    expect(JSON.parse(await readFile(file, 'utf8')).secrets).toHaveLength(1);
  });

  it('are neither added nor read without a cipher that is to be trusted, and forgotten all the same', async () => {
    const secrets = await openSecrets(file, cipher);
    await secrets.of('a').set('one', '1');
    cipher.trusted = false;
    await secrets.of('a').set('two', '2');
    expect([secrets.canRemember(), await secrets.of('a').get('one'), await secrets.of('a').get('two')]).toEqual([false, null, null]);
    cipher.trusted = true;
    expect([await secrets.of('a').get('one'), await secrets.of('a').get('two')]).toEqual(['1', null]);
    const without = await openSecrets(file, null);
    await without.of('a').set('two', '2');
    expect([without.canRemember(), without.holds('a'), await without.of('a').get('one')]).toEqual([false, true, null]);
    await without.forgetAll('a');
    expect((await openSecrets(file, cipher)).holds('a')).toBe(false);
  });

  it('make no file before there is one to keep', async () => {
    const secrets = await openSecrets(file, cipher);
    await secrets.forgetAll('a');
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('that another key encrypted, or that nobody understands, are asked for again', async () => {
    await (await openSecrets(file, cipher)).of('a').set('one', '1');
    expect(await (await openSecrets(file, testCipher())).of('a').get('one')).toBeNull();
    await writeFile(file, '{"version":1,"secrets":[{');
    const secrets = await openSecrets(file, cipher);
    expect(secrets.holds('a')).toBe(false);
    await secrets.of('a').set('one', 'anew');
    expect(await (await openSecrets(file, cipher)).of('a').get('one')).toBe('anew');
  });

  it('that cannot be written are said to have failed, and stay as they were', async () => {
    const secrets = await openSecrets(file, cipher);
    await mkdir(file);
    await expect(secrets.of('a').set('one', '1')).rejects.toMatchObject({ code: 'store.failed', details: { file } });
    expect(secrets.holds('a')).toBe(false);
    await rm(file, { recursive: true });
    await secrets.of('a').set('one', '1');
    expect(secrets.holds('a')).toBe(true);
  });
});
