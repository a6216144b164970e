import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../electron/cli/run-commands';
import type { RunReport } from '../../../shared/run-report';
import { dense } from '../../support/seed-homes';
import { box, type SessionPlace } from '../../support/session';
import type { TestSshd } from '../../support/sshd';
import { contentText } from '../../support/tree';

const big = dense(12_000_000);
const before = { 'skills/a/SKILL.md': 'old\n', 'skills/big/SKILL.md': 'old big\n' };
const after = { 'skills/a/SKILL.md': 'new and longer\n', 'skills/big/SKILL.md': 'new big and longer\n', 'skills/big/data.bin': big };
const afterTexts = { ...after, 'skills/big/data.bin': contentText(big) };

/** Runs, and calls `act` at the first byte of content. */
async function actMidway(place: SessionPlace, run: () => Promise<RunReport>, act: () => void): Promise<RunReport> {
  let acted = false;
  const stopListening = place.listen((event) => {
    if (acted || event.event !== 'progress' || event.data.phase !== 'transferring' || event.data.done === 0) return;
    acted = true;
    act();
  });
  const report = await run().finally(stopListening);
  expect(acted).toBe(true);
  return report;
}

/** Every file is as it was or as it will be, and nothing else is there. */
function expectOldOrNew(contents: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(contents)) {
    const known = [(before as Record<string, string>)[path], (afterTexts as Record<string, string>)[path]];
    expect(known, path).toContain(text);
  }
  expect(Object.keys(contents)).toEqual(expect.arrayContaining(Object.keys(before)));
}

/** Runs that end in the middle: nothing is half-written, and the same again completes. */
export function describeInterruptions(place: () => SessionPlace, sshd: () => TestSshd): void {
  const interruptions = [
    { how: 'the link is cut', act: () => void sshd().dropConnections(), outcome: 'failed', code: 'ssh.lost', exit: 6 },
    {
      how: 'it is cancelled',
      act: () => void place().call('run.cancel', { connection: box }),
      ...{ outcome: 'interrupted', code: 'run.cancelled', exit: 1 },
    },
  ] as const;

  for (const { how, act, outcome, code, exit } of interruptions) {
    it(`leaves every local file old or new when ${how} during an end, and the next end completes`, async () => {
      await place().local.write(before);
      await place().start(['first-session']);
      await place().remote.write(after);
      const report = await actMidway(place(), () => place().end(), act);
      expect(report).toMatchObject({ outcome, error: { code } });
      expect(exitCodeOf(report)).toBe(exit);
      expect(await place().session()).toBe('pending');
      expectOldOrNew(await place().localContents());
      await place().restart();
      expect(await place().session()).toBe('pending');
      const again = await place().end();
      expect(again.outcome).toBe('done');
      expect(await place().localContents()).toEqual(afterTexts);
      expect(await place().remoteContents()).toEqual(afterTexts);
      expect(await place().session()).toBeNull();
      expect(await place().end()).toMatchObject({ outcome: 'done', paths: [] });
    });

    it(`leaves every remote file old or new when ${how} during a start, and the next start completes`, async () => {
      await place().local.write(before);
      await place().start(['first-session']);
      await place().end();
      await place().local.write(after);
      const report = await actMidway(place(), () => place().start(), act);
      expect(report).toMatchObject({ outcome, error: { code } });
      expect(exitCodeOf(report)).toBe(exit);
      expectOldOrNew(await place().remoteContents());
      expect(await place().localContents()).toEqual(afterTexts);
      const again = await place().start();
      expect(again.outcome).toBe('done');
      expect(await place().remoteContents()).toEqual(afterTexts);
      const left = [...(await place().remote.read()).keys()].filter(
        (path) => path.startsWith('.ebbgate/') && !/^\.ebbgate\/(id|cache)(\/|$)/.test(path),
      );
      expect(left).toEqual([]);
    });
  }
}
