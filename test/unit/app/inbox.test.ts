import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inboxId, type NewInboxItem, openInbox } from '../../../electron/app/inbox';

let folder: string;
let inboxFolder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-inbox-'));
  inboxFolder = join(folder, 'inbox');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function conflict(path: string, remote: string | null, changes: Partial<NewInboxItem> = {}): NewInboxItem {
  const version = remote === null ? null : { hash: hashOf(remote), bytes: Buffer.byteLength(remote), executable: false };
  return {
    kind: 'conflict',
    connection: 'c',
    path,
    bytes: version?.bytes ?? 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    reason: 'changed on both sides',
    local: { hash: hashOf('local'), bytes: 5, executable: false },
    remote: version,
    ...changes,
  };
}

function staged(text: string): string {
  const file = join(folder, `staged-${hashOf(text).slice(0, 8)}`);
  writeFileSync(file, text);
  return file;
}

describe('openInbox', () => {
  it('keeps item and content, private, and finds both again', async () => {
    const inbox = await openInbox(inboxFolder);
    const item = await inbox.put(conflict('skills/a/SKILL.md', 'remote text'), staged('remote text'));
    expect(item).toEqual({ ...conflict('skills/a/SKILL.md', 'remote text'), id: inboxId('c', 'skills/a/SKILL.md'), stored: true });
    const again = await openInbox(inboxFolder);
    expect(again.list()).toEqual([item]);
    expect(again.notes).toEqual([]);
    const content = again.contentFile(item.id) ?? '';
    expect(readFileSync(content, 'utf8')).toBe('remote text');
    expect(statSync(content).mode & 0o777).toBe(0o600);
    expect(statSync(join(inboxFolder, item.id)).mode & 0o777).toBe(0o700);
  });

  it('has one item for a path and one copy for the same content, however often it comes', async () => {
    const inbox = await openInbox(inboxFolder);
    const first = await inbox.put(conflict('skills/a', 'one'), staged('one'));
    const again = await inbox.put(conflict('skills/a', 'one', { createdAt: '2026-02-02T00:00:00.000Z' }), staged('one'));
    expect(again).toEqual(first);
    expect(readdirSync(join(inboxFolder, first.id)).sort()).toEqual([hashOf('one'), 'item.json'].sort());
  });

  it('replaces the older version of a path and drops its content', async () => {
    const inbox = await openInbox(inboxFolder);
    await inbox.put(conflict('skills/a', 'one'), staged('one'));
    const second = await inbox.put(conflict('skills/a', 'two!', { createdAt: '2026-02-02T00:00:00.000Z' }), staged('two!'));
    expect((await openInbox(inboxFolder)).list()).toEqual([second]);
    expect(second.createdAt).toBe('2026-02-02T00:00:00.000Z');
    expect(readdirSync(join(inboxFolder, second.id)).sort()).toEqual([hashOf('two!'), 'item.json'].sort());
  });

  it('keeps what is stored when the same version is only named again, and says when a version is not stored', async () => {
    const inbox = await openInbox(inboxFolder);
    await inbox.put(conflict('skills/a', 'one'), staged('one'));
    expect((await inbox.put(conflict('skills/a', 'one'), null)).stored).toBe(true);
    const other = await inbox.put(conflict('skills/a', 'another'), null);
    expect(other.stored).toBe(false);
    expect(inbox.contentFile(other.id)).toBeNull();
    expect(readdirSync(join(inboxFolder, other.id))).toEqual(['item.json']);
  });

  it('takes a version that is gone on the remote', async () => {
    const item = await (await openInbox(inboxFolder)).put(conflict('skills/a', null), null);
    expect(item).toMatchObject({ remote: null, stored: false });
  });

  it('lists by connection, oldest first', async () => {
    const inbox = await openInbox(inboxFolder);
    await inbox.put(conflict('skills/b', 'b', { createdAt: '2026-01-02T00:00:00.000Z' }), staged('b'));
    await inbox.put(conflict('skills/a', 'a', { createdAt: '2026-01-03T00:00:00.000Z' }), staged('a'));
    await inbox.put(conflict('skills/a', 'a', { connection: 'd' }), staged('a'));
    expect(inbox.list().map(({ connection, path }) => `${connection} ${path}`)).toEqual(['d skills/a', 'c skills/b', 'c skills/a']);
    expect(inbox.list('c').map(({ path }) => path)).toEqual(['skills/b', 'skills/a']);
    expect(inbox.list('nobody')).toEqual([]);
  });

  it('removes an item with its content, and bears removing it twice', async () => {
    const inbox = await openInbox(inboxFolder);
    const item = await inbox.put(conflict('skills/a', 'a'), staged('a'));
    await inbox.remove(item.id);
    await inbox.remove(item.id);
    expect(inbox.list()).toEqual([]);
    expect(readdirSync(inboxFolder)).toEqual([]);
  });

  it('drops what does not wait any more, of that connection and those kinds alone', async () => {
    const inbox = await openInbox(inboxFolder);
    await inbox.put(conflict('skills/gone', '1'), staged('1'));
    await inbox.put(conflict('skills/waits', '2'), staged('2'));
    await inbox.put(conflict('skills/held', '3', { kind: 'review' }), staged('3'));
    await inbox.put(conflict('skills/gone', '4', { connection: 'd' }), staged('4'));
    await inbox.reconcileWith('c', ['conflict', 'guarded'], new Set(['skills/waits']));
    expect(inbox.list().map(({ connection, path }) => `${connection} ${path}`)).toEqual([
      'd skills/gone',
      'c skills/held',
      'c skills/waits',
    ]);
    expect((await openInbox(inboxFolder)).list()).toEqual(inbox.list());
  });

  it('passes over broken items with a note, leaves them, and clears what a crash left half-made', async () => {
    const inbox = await openInbox(inboxFolder);
    const good = await inbox.put(conflict('skills/a', 'a'), staged('a'));
    mkdirSync(join(inboxFolder, 'broken'));
    writeFileSync(join(inboxFolder, 'broken', 'item.json'), '{"id":');
    mkdirSync(join(inboxFolder, '.new-0123'));
    writeFileSync(join(inboxFolder, '.new-0123', 'item.json'), '{}');
    const again = await openInbox(inboxFolder);
    expect(again.list()).toEqual([good]);
    expect(again.notes).toHaveLength(1);
    expect(readdirSync(inboxFolder).sort()).toEqual([good.id, 'broken'].sort());
  });

  it('says that a version is not stored when its content is missing or cut', async () => {
    const inbox = await openInbox(inboxFolder);
    const item = await inbox.put(conflict('skills/a', 'whole'), staged('whole'));
    writeFileSync(inbox.contentFile(item.id) ?? '', 'who');
    const again = await openInbox(inboxFolder);
    expect(again.get(item.id)?.stored).toBe(false);
    const repaired = await again.put(conflict('skills/a', 'whole'), staged('whole'));
    expect(repaired.stored).toBe(true);
    expect(readFileSync(again.contentFile(item.id) ?? '', 'utf8')).toBe('whole');
  });

  it('keeps the older item when the content of the newer one is not there', async () => {
    const inbox = await openInbox(inboxFolder);
    const item = await inbox.put(conflict('skills/a', 'one'), staged('one'));
    await expect(inbox.put(conflict('skills/a', 'two!'), join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'store.failed' });
    await expect(inbox.put(conflict('skills/b', 'two!'), join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'store.failed' });
    expect((await openInbox(inboxFolder)).list()).toEqual([item]);
    expect(readFileSync(inbox.contentFile(item.id) ?? '', 'utf8')).toBe('one');
  });
});
