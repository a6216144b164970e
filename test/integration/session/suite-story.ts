import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import { localBookkeeping, localSkills, remoteBookkeeping, remoteWork } from '../../support/seed-homes';
import { countFiles, outcomesOf, pathsOf, type SessionPlace, withoutOwn } from '../../support/session';
import { contentText, type Tree } from '../../support/tree';

function textsOf(tree: Tree): Readonly<Record<string, string>> {
  const entry = (value: Tree[string]) => {
    if (typeof value === 'string' || value instanceof Uint8Array) return contentText(value);
    return 'text' in value ? contentText(value.text) : '';
  };
  return Object.fromEntries(Object.entries(tree).map(([path, value]) => [path, entry(value)]));
}

const bytesOf = (tree: Tree) =>
  Object.values(tree).reduce<number>((sum, value) => {
    const content = typeof value === 'object' && 'text' in value ? value.text : (value as string);
    return sum + Buffer.byteLength(content);
  }, 0);
const tallyOf = (tree: Tree) => ({ files: Object.keys(tree).length, bytes: bytesOf(tree) });
const part = (tree: Tree, folder: string) => Object.fromEntries(Object.entries(tree).filter(([path]) => path.includes(`/${folder}/`)));

/** The story of the seed articles: skills go out, work comes home, bookkeeping stays on both sides. */
export function describeStory(place: () => SessionPlace): void {
  const arrange = async () => {
    await place().local.write({ ...localSkills, ...localBookkeeping });
    await place().remote.write(remoteBookkeeping);
  };

  it('asks before the first session, with totals, and writes nothing on either side', async () => {
    await arrange();
    const before = await place().sides();
    const report = await place().start();
    expect(report.outcome).toBe('stopped');
    expect(exitCodeOf(report)).toBe(7);
    expect(report.stop?.guard).toBe('first-session');
    expect(report.stop?.details).toMatchObject({ ...tallyOf(localSkills), conflicts: 0, refused: tallyOf(localBookkeeping) });
    expect(report.stop?.message).toContain(`${tallyOf(localSkills).files} files (${bytesOf(localSkills)} bytes) would be sent`);
    expect(report.paths).toEqual([]);
    expect(report.ledger.transferred).toEqual({ files: 0, bytes: 0 });
    expect(await place().sides()).toEqual(before);
    expect(await place().session()).toBeNull();
  });

  it('carries skills out and work home while 24 MB of bookkeeping stay where they are', async () => {
    await arrange();
    const pushed = await place().start(['first-session']);
    expect(pushed.outcome).toBe('done');
    expect(pathsOf(pushed, 'written')).toEqual(Object.keys(localSkills).sort());
    expect(pushed.ledger).toMatchObject({
      transferred: tallyOf(localSkills),
      written: tallyOf(localSkills),
      refused: tallyOf(localBookkeeping),
    });
    expect(await place().remoteContents()).toEqual({ ...textsOf(localSkills), ...textsOf(remoteBookkeeping) });
    expect((await place().remote.read()).get('skills/git-helper/scripts/tidy.sh')).toMatchObject({ mode: 0o755 });
    expect((await place().remote.read()).get('skills/writing/SKILL.md')).toMatchObject({ mode: 0o644 });
    expect(await place().session()).toBe('open');

    await place().remote.write(remoteWork);
    const remoteBefore = withoutOwn((await place().sides()).remote);
    const ended = await place().end();
    expect(ended.outcome).toBe('done');
    expect(exitCodeOf(ended)).toBe(0);
    expect(pathsOf(ended, 'written')).toEqual(Object.keys(remoteWork).sort());
    expect(ended.ledger.refused.byTree).toEqual({
      '.curator_backups': tallyOf(part(remoteBookkeeping, '.curator_backups')),
      '.hub': tallyOf(part(remoteBookkeeping, '.hub')),
      node_modules: tallyOf(part(remoteBookkeeping, 'node_modules')),
    });
    expect(ended.ledger.refused.byTree['.curator_backups']?.bytes).toBeGreaterThanOrEqual(24_000_000);
    expect(ended.ledger.refused.estimated).toBe(false);
    expect(ended.ledger.wire.received).toBeLessThan(300_000);
    expect(await place().localContents()).toEqual({ ...textsOf(localSkills), ...textsOf(localBookkeeping), ...textsOf(remoteWork) });
    expect(withoutOwn((await place().sides()).remote)).toEqual(remoteBefore);
    const local = await place().local.read();
    const executable = [...local].flatMap(([path, image]) => (image.kind === 'file' && isExecutable(image.mode) ? [path] : []));
    expect(executable.sort()).toEqual(['skills/git-helper/scripts/tidy.sh', 'skills/release notes/scripts/collect changes.sh']);
    expect(await place().session()).toBeNull();
  });

  it('accounts for every byte of both trees in the ledger', async () => {
    await arrange();
    const inLocal = await countFiles(`${place().localHome}/skills`);
    const pushed = (await place().start(['first-session'])).ledger;
    expect(pushed.written.bytes + pushed.unchanged.bytes + pushed.refused.bytes).toBe(inLocal.bytes);
    expect(pushed.written.files + pushed.unchanged.files + pushed.refused.files).toBe(inLocal.files);

    await place().remote.write({ ...remoteWork, 'skills/.usage.json': '{"git-helper": 20, "writing": 3, "café": 1}\n' });
    await place().local.write({ 'skills/writing/SKILL.md': 'edited here\n' });
    await place().remote.write({ 'skills/writing/SKILL.md': 'edited there too\n' });
    await place().remote.remove('skills/git-helper/references');
    const inRemote = await countFiles(`${place().remoteHome}/skills`);
    const report = await place().end();
    const { ledger, paths } = report;
    expect(outcomesOf(report)).toMatchObject({ 'skills/.usage.json': 'held', 'skills/writing/SKILL.md': 'conflict' });
    const waiting = paths.filter(({ outcome }) => outcome === 'held' || outcome === 'conflict');
    const waitingBytes = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(ledger.onRemote).toEqual(inRemote);
    expect(ledger.written.bytes + ledger.unchanged.bytes + ledger.refused.bytes + waitingBytes).toBe(inRemote.bytes);
    expect(ledger.written.files + ledger.unchanged.files + ledger.refused.files + waiting.length).toBe(inRemote.files);
    expect(ledger.removed).toEqual({ files: 1, bytes: Buffer.byteLength('main, next, topic/*\n') });
    expect(ledger.refused).toMatchObject(
      await countFiles(`${place().remoteHome}/skills`, (path) => /(^|\/)(\.hub|\.curator_backups|node_modules)\//.test(path)),
    );
    expect(ledger.transferred.bytes).toBe(ledger.written.bytes + waitingBytes);
  });

  it('sends no file bytes at a start in a new process when nothing changed', async () => {
    await arrange();
    await place().start(['first-session']);
    await place().remote.write(remoteWork);
    await place().end();
    await place().restart();
    const before = await place().sides();
    const report = await place().start();
    expect(report).toMatchObject({ outcome: 'done', paths: expect.not.arrayContaining([expect.objectContaining({ outcome: 'written' })]) });
    expect(report.ledger.transferred).toEqual({ files: 0, bytes: 0 });
    expect(report.ledger.written).toEqual({ files: 0, bytes: 0 });
    const after = await place().sides();
    expect(after.local).toEqual(before.local);
    expect(withoutOwn(after.remote)).toEqual(withoutOwn(before.remote));
  });

  it('writes nothing in a preview and says what the run would do', async () => {
    await arrange();
    const before = await place().sides();
    const report = await place().preview('push');
    expect(report).toMatchObject({ kind: 'preview', outcome: 'done', ledger: { written: { files: 0, bytes: 0 } } });
    expect(pathsOf(report, 'written')).toEqual(Object.keys(localSkills).sort());
    expect(await place().sides()).toEqual(before);
  });
}

const isExecutable = (mode: number | null) => ((mode ?? 0) & 0o100) !== 0;
