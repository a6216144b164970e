import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countFiles, outcomesOf, pathsOf, type SessionPlace } from '../../support/session';
import { contentsOf, readTree, writeTree } from '../../support/tree';

async function listenAt(file: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve));
  return server;
}

/** Links, pipes and sockets, on both sides. */
export function describeKinds(place: () => SessionPlace): void {
  const outside = () => join(place().folder, 'outside');
  const special = () => ({
    'skills/a/SKILL.md': 'a\n',
    'skills/a/link.md': { link: join(outside(), 'secret.md') },
    'skills/linked': { link: outside() },
    'skills/a/pipe': { fifo: true } as const,
    'skills/.curator_backups/x/pipe': { fifo: true } as const,
  });
  const refused = ['skills/a/link.md', 'skills/a/pipe', 'skills/a/socket', 'skills/linked'];
  const byRule = { 'symbolic-link': { files: 2 }, 'special-file': { files: 2, bytes: 0 }, 'excluded-name': { files: 1, bytes: 0 } };

  it('refuses links, pipes and sockets here, and never sends what lies behind them', async () => {
    await writeTree(outside(), { 'secret.md': 'secret\n', 'deep/more.md': 'more\n' });
    await place().local.write(special());
    const server = await listenAt(join(place().localHome, 'skills/a/socket'));
    try {
      const report = await place().start(['first-session']);
      expect(report).toMatchObject({ outcome: 'done', ledger: { refused: { byRule }, transferred: { files: 1, bytes: 2 } } });
      expect(pathsOf(report, 'refused')).toEqual(refused);
      expect(report.ledger.refused.bytes + report.ledger.written.bytes).toBe((await countFiles(join(place().localHome, 'skills'))).bytes);
      expect(await place().remoteContents()).toEqual({ 'skills/a/SKILL.md': 'a\n' });
    } finally {
      server.close();
    }
  });

  it('refuses links, pipes and sockets there, and never brings what lies behind them', async () => {
    await writeTree(outside(), { 'secret.md': 'secret\n', 'deep/more.md': 'more\n' });
    await place().remote.write(special());
    const server = await listenAt(join(place().remoteHome, 'skills/a/socket'));
    try {
      const report = await place().end(['first-session']);
      expect(report).toMatchObject({ outcome: 'done', ledger: { refused: { byRule }, transferred: { files: 1, bytes: 2 } } });
      expect(pathsOf(report, 'refused')).toEqual(refused);
      expect(report.ledger.onRemote).toEqual(await countFiles(join(place().remoteHome, 'skills')));
      expect(await place().localContents()).toEqual({ 'skills/a/SKILL.md': 'a\n' });
    } finally {
      server.close();
    }
  });

  it('deletes nothing there when a file or a folder here became a link, and writes through neither', async () => {
    const files = { 'skills/a/SKILL.md': 'a\n', 'skills/a/notes.md': 'notes\n', 'skills/b/SKILL.md': 'b\n' };
    await place().local.write(files);
    await place().start(['first-session']);
    await writeTree(outside(), { 'notes.md': 'elsewhere\n', 'b/SKILL.md': 'elsewhere too\n' });
    await place().local.remove('skills/a/notes.md');
    await place().local.remove('skills/b');
    await place().local.write({ 'skills/a/notes.md': { link: join(outside(), 'notes.md') }, 'skills/b': { link: join(outside(), 'b') } });
    const pushed = await place().start();
    expect(pushed).toMatchObject({ outcome: 'done', ledger: { removed: { files: 0 }, written: { files: 0 } } });
    expect(await place().remoteContents()).toEqual(files);
    await place().remote.write({ 'skills/a/notes.md': 'edited there\n', 'skills/b/SKILL.md': 'edited there too\n' });
    const back = await place().end();
    expect(outcomesOf(back)).toEqual({});
    expect(await place().localContents()).toEqual({
      'skills/a/SKILL.md': 'a\n',
      'skills/a/notes.md': `-> ${join(outside(), 'notes.md')}`,
      'skills/b': `-> ${join(outside(), 'b')}`,
    });
    await expectOutside({ 'notes.md': 'elsewhere\n', 'b/SKILL.md': 'elsewhere too\n' });
  });

  it('deletes nothing here when a file or a folder there became a link, and writes through neither', async () => {
    const files = { 'skills/a/SKILL.md': 'a\n', 'skills/a/notes.md': 'notes\n', 'skills/b/SKILL.md': 'b\n' };
    await place().local.write(files);
    await place().start(['first-session']);
    await writeTree(outside(), { 'notes.md': 'elsewhere\n', 'b/SKILL.md': 'elsewhere too\n' });
    await place().remote.remove('skills/a/notes.md');
    await place().remote.remove('skills/b');
    await place().remote.write({ 'skills/a/notes.md': { link: join(outside(), 'notes.md') }, 'skills/b': { link: join(outside(), 'b') } });
    const back = await place().end();
    expect(back).toMatchObject({ outcome: 'done', ledger: { removed: { files: 0 }, written: { files: 0 }, transferred: { files: 0 } } });
    expect(await place().localContents()).toEqual(files);
    await place().local.write({ 'skills/a/notes.md': 'edited here\n', 'skills/b/SKILL.md': 'edited here too\n' });
    expect(outcomesOf(await place().start())).toEqual({});
    expect((await place().remoteContents())['skills/b']).toBe(`-> ${join(outside(), 'b')}`);
    await expectOutside({ 'notes.md': 'elsewhere\n', 'b/SKILL.md': 'elsewhere too\n' });
  });

  async function expectOutside(files: Readonly<Record<string, string>>): Promise<void> {
    expect(contentsOf(await readTree(outside()))).toEqual(files);
  }
}
