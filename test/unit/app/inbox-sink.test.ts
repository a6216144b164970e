import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Inbox, inboxId, openInbox } from '../../../electron/app/inbox';
import { inboxSink } from '../../../electron/app/inbox-sink';
import type { IncomingFile } from '../../../electron/engine/endpoint';
import type { WaitingItem } from '../../../electron/engine/run';
import { makeTempFolder, removeTempFolder } from '../../support/tree';
import { file } from '../engine/entries';

let folder: string;
let inbox: Inbox;
beforeEach(async () => {
  folder = await makeTempFolder('sink');
  inbox = await openInbox(join(folder, 'inbox'));
});
afterEach(() => removeTempFolder(folder));

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const sink = (connection = 'c') => inboxSink(inbox, connection, join(folder, 'run', 'inbox'), () => now);
const item = (path: string, remote: string | null, why: WaitingItem['why'] = 'conflict'): WaitingItem => ({
  ...{ path, why, reason: 'edited on both sides' },
  ...{ local: file('local', null), remote: remote === null ? null : file(remote, true) },
});
const arriving = (path: string, ...chunks: readonly string[]): IncomingFile => ({
  path,
  size: chunks.join('').length,
  body: (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })(),
});
const listed = () => inbox.list().map(({ path, kind, stored }) => [path, kind, stored]);
const contentOf = async (path: string) => readFile(inbox.contentFile(inboxId('c', path)) ?? '', 'utf8');

describe('a remote version', () => {
  it('is fetched, checked and handed to the inbox with its item, once', async () => {
    const conflict = item('skills/a.md', 'remote text');
    const first = sink();
    expect(first.lacks(conflict)).toBe(true);
    expect(await first.store(conflict, arriving('skills/a.md', 'remote', ' text'))).toBe(true);
    await first.settle([conflict], ['conflict']);
    expect(inbox.list()).toEqual([
      {
        ...{
          id: inboxId('c', 'skills/a.md'),
          kind: 'conflict',
          connection: 'c',
          path: 'skills/a.md',
          bytes: 11,
          reason: 'edited on both sides',
        },
        ...{ createdAt: '2026-01-02T03:04:05.000Z', stored: true },
        local: { hash: file('local').hash, bytes: 5, executable: false },
        remote: { hash: file('remote text').hash, bytes: 11, executable: true },
      },
    ]);
    expect(await contentOf('skills/a.md')).toBe('remote text');
    expect([sink().lacks(conflict), sink('other').lacks(conflict), sink().lacks(item('skills/a.md', 'a newer one'))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('that is not what the listing said is not kept, and is asked for again', async () => {
    const conflict = item('skills/a.md', 'remote text');
    const first = sink();
    expect(await first.store(conflict, arriving('skills/a.md', 'something else'))).toBe(false);
    expect(await readdir(join(folder, 'run', 'inbox'))).toEqual([]);
    await first.settle([conflict], ['conflict']);
    expect([listed(), sink().lacks(conflict)]).toEqual([[['skills/a.md', 'conflict', false]], true]);
  });

  it('that breaks off in the middle is not kept', async () => {
    const conflict = item('skills/a.md', 'remote text');
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('remote');
      throw new Error('the line is gone');
    };
    const first = sink();
    await expect(first.store(conflict, { path: 'skills/a.md', size: 11, body: broken() })).rejects.toThrow('the line is gone');
    await first.settle([conflict], ['conflict']);
    expect(listed()).toEqual([['skills/a.md', 'conflict', false]]);
  });

  it('that does not exist is nothing to fetch', async () => {
    const removed = item('skills/a.md', null);
    expect(sink().lacks(removed)).toBe(false);
    await sink().settle([removed], ['conflict']);
    expect(inbox.list()).toMatchObject([{ bytes: 5, remote: null, stored: false }]);
  });
});

describe('settling', () => {
  it('drops what does not wait any more, of these kinds and this connection only', async () => {
    await sink('other').settle([item('skills/x.md', null)], ['conflict']);
    await sink().settle(
      [item('skills/a.md', null), item('skills/b.md', null, 'guarded'), item('skills/c.md', null, 'review')],
      ['conflict', 'guarded', 'review'],
    );
    // As a push does: it knows of conflicts alone.
    await sink().settle([item('skills/n.md', null), item('skills/g.md', null, 'guarded')], ['conflict']);
    expect(listed().map(([path, kind]) => [path, kind])).toEqual([
      ['skills/b.md', 'guarded'],
      ['skills/c.md', 'review'],
      ['skills/n.md', 'conflict'],
      ['skills/x.md', 'conflict'],
    ]);
  });

  it('keeps the stored version of an item that waits on', async () => {
    const conflict = item('skills/a.md', 'remote text');
    const first = sink();
    await first.store(conflict, arriving('skills/a.md', 'remote text'));
    await first.settle([conflict], ['conflict']);
    await sink().settle([conflict], ['conflict', 'guarded', 'review']);
    expect([listed(), await contentOf('skills/a.md')]).toEqual([[['skills/a.md', 'conflict', true]], 'remote text']);
  });
});
