import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareItem, longestCompared } from '../../../electron/app/compare-item';
import { versionSources } from '../../../electron/app/version-sources';
import { createLocalEndpoint } from '../../../electron/endpoints/local';
import type { InboxItem } from '../../../shared/inbox';
import { sha256 } from '../../support/tree';
import { A, eachInItsOwnPlace, L, path, place, R } from './resolving';

eachInItsOwnPlace();

const text = (content: string) => ({ state: 'available', bytes: Buffer.byteLength(content), text: content });
const gone = { state: 'gone', bytes: null, text: null };

/** Texts kept when both sides agreed, by hash. */
let texts: ReadonlyMap<string, string> = new Map();

const compare = (item: InboxItem) => {
  const local = createLocalEndpoint({ home: place.home, stagingDir: place.home, undoDir: place.home, now: Date.now });
  const find = async (_connection: string, hash: string) => {
    const found = texts.get(hash);
    return found === undefined ? null : Buffer.from(found);
  };
  const { inbox, records, undoDir } = place;
  return compareItem(item, versionSources({ local, inbox, records, texts: { find }, undoDirs: [undoDir] }));
};

describe('compareItem', () => {
  it('shows the file here as it is now, the remote version from the inbox, and whether the file changed since', async () => {
    await place.write({ [path]: L });
    await place.agree({ [path]: A });
    const item = await place.wait({ path, local: L, remote: R });
    expect(await compare(item)).toEqual({
      base: { state: 'not-kept', bytes: A.length, text: null },
      local: text(L),
      remote: text(R),
      localChanged: false,
    });
    await place.write({ [path]: 'edited once more\n' });
    expect(await compare(item)).toMatchObject({ local: text('edited once more\n'), localChanged: true });
  });

  it('finds the common version where one side still has it, or a run kept it', async () => {
    await place.agree({ [path]: A });
    await place.write({ [path]: A });
    const guarded = await place.wait({ kind: 'guarded', path, local: A, remote: R });
    expect((await compare(guarded)).base).toEqual(text(A));
    await place.write({ [path]: L });
    expect((await compare(await place.wait({ path, local: L, remote: A }))).base).toEqual(text(A));
    // A decision replaces the common version, so that it is only in the undo store.
    await place.write({ [path]: A });
    await place.resolve('keep-remote', (await place.wait({ path, local: A, remote: L })).id);
    await place.agree({ [path]: A });
    expect((await compare(await place.wait({ path, local: L, remote: R }))).base).toEqual(text(A));
  });

  it('finds the common version among the texts kept when both sides agreed', async () => {
    await place.write({ [path]: L });
    await place.agree({ [path]: A });
    texts = new Map([[sha256(A), A]]);
    expect((await compare(await place.wait({ path, local: L, remote: R }))).base).toEqual(text(A));
    texts = new Map();
  });

  it('tells a file that is gone from one that is not kept', async () => {
    const item = await place.wait({ path, local: null, remote: R, stored: false });
    expect(await compare(item)).toEqual({
      base: gone,
      local: gone,
      remote: { state: 'not-kept', bytes: R.length, text: null },
      localChanged: false,
    });
    await place.write({ [path]: L });
    expect(await compare(await place.wait({ path, local: L, remote: null }))).toMatchObject({ local: text(L), remote: gone });
  });

  it('shows no text of what is none, or is too long', async () => {
    const long = 'x'.repeat(longestCompared + 1);
    await place.write({ [path]: long });
    const item = await place.wait({ path, local: long, remote: 'a\0b' });
    expect(await compare(item)).toMatchObject({
      local: { state: 'available', bytes: long.length, text: null },
      remote: { state: 'available', bytes: 3, text: null },
      localChanged: false,
    });
    await writeFile(join(place.home, path), Buffer.from([0xff, 0xfe, 0x61]));
    expect((await compare(item)).local).toEqual({ state: 'available', bytes: 3, text: null });
    const fits = 'x'.repeat(longestCompared);
    expect((await compare(await place.wait({ path, local: L, remote: fits }))).remote).toEqual(text(fits));
    expect((await compare(await place.wait({ path, local: L, remote: long }))).remote).toEqual({
      state: 'available',
      bytes: long.length,
      text: null,
    });
  });

  it('never follows a link in the place of the file', async () => {
    await place.write({ 'secret.txt': 'secret\n', [path]: { link: '../../secret.txt' } });
    expect(JSON.stringify(await compare(await place.wait({ path, local: L, remote: R })))).not.toContain('secret');
  });

  it('has nothing to show of a folder that grew', async () => {
    await place.write({ 'skills/big/SKILL.md': L });
    const item = await place.wait({ kind: 'growth', path: 'skills/big', local: null, remote: null });
    expect(await compare(item)).toEqual({
      base: gone,
      local: gone,
      remote: { state: 'not-kept', bytes: 0, text: null },
      localChanged: false,
    });
  });
});
