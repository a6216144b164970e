import { appendFile, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAgreedTexts } from '../../../electron/app/agreed-texts';
import { createMemoryEndpoint } from '../../support/memory-endpoint';
import { createMemoryHome } from '../../support/memory-home';
import { makeTempFolder, removeTempFolder, sha256 } from '../../support/tree';
import { agreements } from '../engine/entries';

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('texts');
});
afterEach(() => removeTempFolder(folder));

const file = () => join(folder, 'texts', 'c.jsonl');
const localWith = (tree: Readonly<Record<string, string | Uint8Array>>) =>
  createMemoryEndpoint({ side: 'local', home: createMemoryHome(tree) });
const agreeOn = (texts: Readonly<Record<string, string>>) => ({ entries: agreements(texts) });
const textOf = async (texts: ReturnType<typeof openAgreedTexts>, content: string) =>
  (await texts.find('c', sha256(content)))?.toString() ?? null;

describe('agreed texts', () => {
  it('keep what was agreed on anew, privately, and read nothing else', async () => {
    const texts = openAgreedTexts(folder);
    const local = localWith({ 'skills/a.md': 'one \u{1f30a}\n', 'skills/b.md': 'two\n' });
    await texts.keep(
      'c',
      local,
      agreeOn({ 'skills/b.md': 'two\n' }),
      agreeOn({ 'skills/a.md': 'one \u{1f30a}\n', 'skills/b.md': 'two\n' }),
    );
    expect(local.sent).toEqual(['skills/a.md']);
    expect([await textOf(texts, 'one \u{1f30a}\n'), await textOf(texts, 'two\n')]).toEqual(['one \u{1f30a}\n', null]);
    expect(await texts.find('d', sha256('one \u{1f30a}\n'))).toBeNull();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    await texts.forget('c');
    expect(await textOf(texts, 'one \u{1f30a}\n')).toBeNull();
  });

  it('leave out what is no text, too long, or not what was agreed on any more', async () => {
    const texts = openAgreedTexts(folder, { text: 10, all: 1000 });
    const binary = Buffer.from([0xff, 0xfe, 0x61]);
    const local = localWith({
      'skills/nul.md': 'a\0b',
      'skills/long.md': 'longer than 10\n',
      'skills/saved.md': 'saved\n',
      'skills/x.bin': binary,
    });
    const agreed = agreements({ 'skills/nul.md': 'a\0b', 'skills/long.md': 'longer than 10\n', 'skills/saved.md': 'sent.\n' });
    const entries = new Map([...agreed, ['skills/x.bin', { hash: sha256(binary), size: 3, executable: false }]]);
    await texts.keep('c', local, null, { entries });
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('stay bounded: what is no longer agreed on goes, and the oldest of the rest', async () => {
    const texts = openAgreedTexts(folder, { text: 100, all: 300 });
    const version = (name: string, number: number) => `${name} in version ${number}\n`;
    for (let number = 1; number <= 12; number += 1) {
      const now = { 'skills/a.md': version('a', number), 'skills/b.md': version('b', 1) };
      await texts.keep('c', localWith(now), number === 1 ? null : agreeOn({ 'skills/b.md': version('b', 1) }), agreeOn(now));
    }
    expect((await stat(file())).size).toBeLessThan(600);
    expect(await textOf(texts, version('a', 12))).toBe(version('a', 12));
    expect(await textOf(texts, version('a', 1))).toBeNull();
  });

  it('are passed over where a line is cut or changed, and the others are found', async () => {
    const texts = openAgreedTexts(folder);
    const one = { 'skills/a.md': 'one\n' };
    await texts.keep('c', localWith(one), null, agreeOn(one));
    await appendFile(file(), `${JSON.stringify({ hash: sha256('two\n'), text: 'not two' })}\n{"hash":"${sha256('three\n')}","te`);
    const four = { 'skills/d.md': 'four\n' };
    await texts.keep('c', localWith(four), null, agreeOn(four));
    expect(await Promise.all(['one\n', 'two\n', 'three\n', 'four\n'].map((text) => textOf(texts, text)))).toEqual([
      'one\n',
      null,
      null,
      'four\n',
    ]);
    await truncate(file(), (await readFile(file())).length - 5);
    expect(await textOf(texts, 'one\n')).toBe('one\n');
  });
});
