import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunReport } from '../../shared/run-report';
import { ModelPlace } from '../support/model';
import { contentsOf } from '../support/tree';

let place: ModelPlace;
afterEach(() => place.tearDown());

const before = { 'skills/a/SKILL.md': 'old a\n', 'skills/a/notes.md': 'old notes of a\n', 'skills/b/SKILL.md': 'old text of b\n' };
const after = {
  'skills/a/SKILL.md': 'newer text of a\n',
  'skills/a/run.sh': 'a new script of a\n',
  'skills/b/SKILL.md': 'newer text of b\n',
};
/** What a skill may look like: wholly old or wholly new. */
const skillsOf = (contents: Readonly<Record<string, string>>, skill: string) =>
  Object.fromEntries(Object.entries(contents).filter(([path]) => path.startsWith(`skills/${skill}/`)));

const run = (direction: 'push' | 'sync-back'): Promise<RunReport> =>
  place.app.runs.run(place.app.connection, { direction, allow: ['first-session'], dryRun: false });
const local = async () => contentsOf(await place.local.read());

/** Both sides as `before`, and then a day's work on the remote: edits, a new file, and one that goes. */
async function arrange(): Promise<void> {
  place = await ModelPlace.make({ newSkills: 'bring', executableBits: true });
  await place.local.write(before);
  await run('push');
  await run('sync-back');
  await place.remote.write(after);
  await place.remote.remove('skills/a/notes.md');
}

async function expectComplete(): Promise<void> {
  expect((await run('sync-back')).outcome).toBe('done');
  const { 'skills/here/SKILL.md': _, 'skills/there/SKILL.md': __, ...rest } = await local();
  expect(rest).toEqual(after);
}

const odd = [
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'there is no permission for it'],
  ['EBUSY', 'it is in use'],
  ['ENOSPC', 'the disk is full'],
  ['EIO', 'the disk reported an error'],
] as const;

describe('a disk that refuses once', { timeout: 300_000 }, () => {
  for (const when of ['before', 'after'] as const) {
    it(`leaves whole skills and says why, ${when} any operation, and the same again completes`, async () => {
      const reasons = new Set<string>();
      for (let at = 0; at < 30; at += 1) {
        const [code, words] = odd[at % odd.length] ?? odd[0];
        await arrange();
        place.weather.fault = { at, when, code };
        const report = await run('sync-back');
        place.weather.fault = null;
        const context = `${code} ${when} operation ${at}: ${JSON.stringify(report.paths)}`;
        expect(['done', 'partly'], context).toContain(report.outcome);
        for (const skill of ['a', 'b'])
          expect([skillsOf(before, skill), skillsOf(after, skill)], context).toContainEqual(skillsOf(await local(), skill));
        const failed = report.paths.filter(({ outcome }) => outcome === 'failed');
        if (report.outcome === 'partly') expect(failed.map(({ reason }) => reason).join(), context).toContain(words);
        for (const { reason } of failed) reasons.add(reason ?? '');
        await expectComplete();
        if (at < 29) await place.tearDown();
      }
      expect(reasons.size).toBeGreaterThan(3);
    });
  }
});

describe('a file that stays locked', () => {
  it('keeps its skill as it was, run after run, and lets every other skill through', async () => {
    await arrange();
    const lock = {
      when: 'before',
      code: 'EBUSY',
      at: ({ name, argument }: { name: string; argument: string }) => name === 'keepCopy' && argument === 'skills/a/SKILL.md',
    } as const;
    for (let round = 0; round < 2; round += 1) {
      place.weather.fault = lock;
      const report = await run('sync-back');
      expect(report.outcome).toBe('partly');
      expect(skillsOf(await local(), 'a')).toEqual(skillsOf(before, 'a'));
      expect(skillsOf(await local(), 'b')).toEqual(skillsOf(after, 'b'));
    }
    place.weather.fault = null;
    await expectComplete();
  });
});

describe('an execute bit that a user changes in the middle of a run', () => {
  it('is an edit: the file stays, with its skill, and is a conflict in the next run', async () => {
    await arrange();
    place.weather.meanwhile = () => chmod(join(place.localHome, 'skills/a/notes.md'), 0o755);
    expect((await run('sync-back')).outcome).toBe('partly');
    expect(skillsOf(await local(), 'a')).toEqual(skillsOf(before, 'a'));
    expect((await run('sync-back')).outcome).toBe('held');
    expect(place.app.inbox.list().map(({ kind, path }) => `${kind} ${path}`)).toEqual(['conflict skills/a/notes.md']);
    expect((await local())['skills/a/notes.md']).toBe(before['skills/a/notes.md']);
  });
});

describe('a clock that is set back between two runs', () => {
  it('hides no edit, not even one of the same length and time, and undoes the run that was last', async () => {
    await arrange();
    await expectComplete();
    place.clockError = -3 * 24 * 3_600_000;
    await place.restart();
    await place.local.stealthEdit('skills/b/SKILL.md', 'NEWER TEXT OF B\n');
    await place.remote.write({ 'skills/a/SKILL.md': 'the newest text of a\n' });
    expect((await run('sync-back')).outcome).toBe('done');
    expect(await local()).toMatchObject({ 'skills/a/SKILL.md': 'the newest text of a\n', 'skills/b/SKILL.md': 'NEWER TEXT OF B\n' });
    expect((await place.app.undoer.undo(place.app.connection)).outcome).toBe('done');
    expect(await local()).toMatchObject({ ...after, 'skills/b/SKILL.md': 'NEWER TEXT OF B\n' });
    expect((await run('push')).outcome).toBe('done');
    expect(contentsOf(await place.remote.read())).toMatchObject({ 'skills/b/SKILL.md': 'NEWER TEXT OF B\n' });
  });
});
