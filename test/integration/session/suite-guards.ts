import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import type { RunReport } from '../../../shared/run-report';
import { pathsOf, type SessionPlace, withoutOwn } from '../../support/session';

const skills = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`skills/skill-${index}/SKILL.md`, `${text} ${index}\n`]));

/** Runs, and checks that a guard stopped it before the first write on either side. */
async function expectStop(place: SessionPlace, run: () => Promise<RunReport>, guard: string): Promise<RunReport> {
  const before = await place.sides();
  const report = await run();
  expect(report).toMatchObject({ outcome: 'stopped', stop: { guard }, paths: [] });
  expect(exitCodeOf(report)).toBe(7);
  expect(report.ledger).toMatchObject({
    transferred: { files: 0, bytes: 0 },
    written: { files: 0, bytes: 0 },
    removed: { files: 0, bytes: 0 },
  });
  expect(await place.sides()).toEqual(before);
  return report;
}

/** What stops a run, and how it goes on when the user lets it through. */
export function describeGuards(place: () => SessionPlace): void {
  const agree = async (count: number) => {
    await place().local.write(skills(count, 'agreed'));
    expect((await place().start(['first-session'])).outcome).toBe('done');
  };

  it('stops at a rebuilt remote that has no home, deletes nothing, and starts over when it may', async () => {
    await agree(12);
    await rm(place().remoteHome, { recursive: true });
    await expectStop(place(), () => place().end(), 'remote-empty');
    const stop = await expectStop(place(), () => place().start(), 'remote-empty');
    expect(stop.stop?.details).toEqual({ root: 'skills', known: 12, found: 0 });
    const report = await place().start(['remote-empty']);
    expect(report).toMatchObject({ outcome: 'done', ledger: { written: { files: 12 }, removed: { files: 0 } } });
    expect(await place().remoteContents()).toEqual(skills(12, 'agreed'));
    expect(await place().localContents()).toEqual(skills(12, 'agreed'));
    expect(await place().end()).toMatchObject({ outcome: 'done', paths: [] });
  });

  it('stops at an emptied remote folder, and a sync-back let through deletes nothing either', async () => {
    await agree(3);
    await place().remote.remove('skills');
    await place().remote.write({ skills: { folder: true } });
    await expectStop(place(), () => place().end(), 'remote-empty');
    const report = await place().end(['remote-empty']);
    expect(report).toMatchObject({ outcome: 'done', ledger: { removed: { files: 0 } } });
    expect(await place().localContents()).toEqual(skills(3, 'agreed'));
  });

  it('stops at an emptied local home, and brings the skills back when it may', async () => {
    await agree(12);
    await place().local.remove('skills');
    await expectStop(place(), () => place().start(), 'local-empty');
    await expectStop(place(), () => place().end(), 'local-empty');
    const report = await place().end(['local-empty']);
    expect(report).toMatchObject({ outcome: 'done', ledger: { written: { files: 12 }, removed: { files: 0 } } });
    expect(await place().localContents()).toEqual(skills(12, 'agreed'));
    expect(await place().remoteContents()).toEqual(skills(12, 'agreed'));
  });

  it('asks before it removes more than a tenth of the files, in either direction', async () => {
    await agree(40);
    for (const index of [1, 2, 3, 4, 5]) await place().remote.remove(`skills/skill-${index}`);
    const back = await expectStop(place(), () => place().end(), 'mass-delete');
    expect(back.stop?.details).toEqual({ removed: 5, total: 40 });
    const gone = [1, 2, 3, 4, 5].map((index) => `skills/skill-${index}/SKILL.md`);
    expect(pathsOf(await place().end(['mass-delete']), 'removed')).toEqual(gone);
    expect(await place().localContents()).toEqual(await place().remoteContents());

    for (const index of [11, 12, 13, 14, 15]) await place().local.remove(`skills/skill-${index}`);
    await expectStop(place(), () => place().start(), 'mass-delete');
    expect(pathsOf(await place().start(['mass-delete']), 'removed')).toHaveLength(5);
    expect(Object.keys(await place().remoteContents())).toHaveLength(30);
  });

  it('removes fewer than five files without asking', async () => {
    await agree(6);
    for (const index of [1, 2, 3, 4]) await place().remote.remove(`skills/skill-${index}`);
    expect(pathsOf(await place().end(), 'removed')).toHaveLength(4);
    expect(Object.keys(await place().localContents()).sort()).toEqual(['skills/skill-0/SKILL.md', 'skills/skill-5/SKILL.md']);
  });

  it('asks before it overwrites more than half of the files', async () => {
    await agree(38);
    await place().remote.write(skills(20, 'rewritten there'));
    const stop = await expectStop(place(), () => place().end(), 'mass-change');
    expect(stop.stop?.details).toEqual({ overwritten: 20, total: 38 });
    const report = await place().end(['mass-change']);
    expect(pathsOf(report, 'written')).toEqual(Object.keys(skills(20, '')).sort());
    expect(await place().localContents()).toEqual({ ...skills(38, 'agreed'), ...skills(20, 'rewritten there') });
  });

  for (const [how, replace] of [
    ['another marker', (file: string) => writeFile(file, `${'f'.repeat(32)}\n`)],
    ['no marker', (file: string) => rm(file)],
  ] as const) {
    it(`stops at a remote with ${how}, and starts over without deletions when it may`, async () => {
      await agree(8);
      await replace(join(place().remoteHome, '.ebbgate/id'));
      await place().remote.remove('skills/skill-3');
      await place().remote.write({ 'skills/skill-4/SKILL.md': 'of the other machine\n' });
      await expectStop(place(), () => place().end(), 'identity-changed');
      await expectStop(place(), () => place().start(), 'identity-changed');
      const report = await place().end(['identity-changed']);
      expect(report).toMatchObject({ outcome: 'held', ledger: { removed: { files: 0 }, written: { files: 0 } } });
      expect(pathsOf(report, 'conflict')).toEqual(['skills/skill-4/SKILL.md']);
      expect(await place().localContents()).toEqual(skills(8, 'agreed'));
      const again = await place().end();
      expect(again.outcome).toBe('held');
      expect(withoutOwn((await place().sides()).remote).has('skills/skill-3/SKILL.md')).toBe(false);
    });
  }
}
