import { randomBytes } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashInThread, listInThread, readInThread } from '../../../electron/endpoints/local-worker';
import type { IncomingFile } from '../../../electron/engine/endpoint';
import { patience } from '../../contract/contract-side';
import { makeTempFolder, removeTempFolder, sha256, writeTree } from '../../support/tree';

let home: string;
beforeEach(async () => {
  home = await makeTempFolder('thread');
});
afterEach(() => removeTempFolder(home));

const wanted = (...paths: readonly string[]) => paths.map((path) => ({ path, size: 0 }));

async function contentsOf(files: AsyncIterable<IncomingFile>): Promise<Readonly<Record<string, Buffer>>> {
  const contents: Record<string, Buffer> = {};
  for await (const { path, body } of files) contents[path] = await buffer(body);
  return contents;
}

it('reads small files together and large ones in pieces, byte for byte and in order', async () => {
  const large = randomBytes(1_500_000);
  await mkdir(join(home, 'skills'));
  const names = Array.from({ length: 700 }, (_, index) => `skills/${String(index).padStart(3, '0')}.md`);
  for (const name of names) await writeFile(join(home, name), name);
  await writeFile(join(home, 'skills/200.large'), large);
  await writeFile(join(home, 'skills/empty'), '');
  const order = [...names.slice(0, 200), 'skills/200.large', 'skills/empty', ...names.slice(200), 'skills/gone'];
  const contents = await contentsOf(readInThread(home, wanted(...order), patience));
  expect(Object.keys(contents)).toEqual(order.slice(0, -1));
  expect(contents['skills/200.large']?.equals(large)).toBe(true);
  expect(contents['skills/empty']?.length).toBe(0);
  expect(names.filter((name) => contents[name]?.toString() !== name)).toEqual([]);
});

it('goes on with the next file when one is left unread', async () => {
  await mkdir(join(home, 'skills'));
  await writeFile(join(home, 'skills/large'), randomBytes(3_000_000));
  await writeFile(join(home, 'skills/small'), 'small');
  const seen: string[] = [];
  for await (const { path, body } of readInThread(home, wanted('skills/large', 'skills/small'), patience)) {
    seen.push(path);
    if (path === 'skills/small') seen.push((await buffer(body)).toString());
  }
  expect(seen).toEqual(['skills/large', 'skills/small', 'small']);
});

it('ends with run.cancelled in the middle of a reading, and serves the next request', async () => {
  await mkdir(join(home, 'skills'));
  await writeFile(join(home, 'skills/large'), randomBytes(8_000_000));
  const controller = new AbortController();
  const reading = (async () => {
    for await (const { body } of readInThread(home, wanted('skills/large'), controller.signal))
      for await (const _ of body) controller.abort();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'run.cancelled' });
  await writeFile(join(home, 'skills/a'), 'one');
  expect([...(await hashInThread(home, ['skills/a'], patience))]).toEqual([['skills/a', sha256('one')]]);
});

it('reads and hashes nothing through links, and enters no skipped folder', async () => {
  await writeTree(home, { 'outside/x': 'secret', 'skills/a.md': 'in', 'skills/node_modules/p.js': 'not listed' });
  await symlink('../outside', join(home, 'skills/folder'));
  await symlink('../outside/x', join(home, 'skills/file'));
  const paths = ['skills/folder/x', 'skills/file', 'skills/a.md'];
  expect([...(await hashInThread(home, paths, patience)).keys()]).toEqual(['skills/a.md']);
  expect(Object.keys(await contentsOf(readInThread(home, wanted(...paths), patience)))).toEqual(['skills/a.md']);
  const { entries } = await listInThread({ home, roots: ['skills'], skipped: ['node_modules'], lookedAt: Date.now() }, patience);
  expect([...entries].map(([path, { kind }]) => [path, kind])).toEqual([
    ['skills/a.md', 'file'],
    ['skills/file', 'link'],
    ['skills/folder', 'link'],
  ]);
});
