import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DecisionChoice } from '../../shared/decision';
import { type Resolution, resolutionsFor } from '../../shared/inbox';
import { makePlace, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';
import { decide, MB, many, patience, skill } from './growing';

describe('a subtree that was held for its size', patience, () => {
  let sshd: TestSshd;
  let place: SessionPlace;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  beforeEach(async () => {
    place = await makePlace({ sshd });
    await place.local.write(skill);
    await place.start(['first-session']);
  });
  afterEach(() => place.tearDown());
  afterAll(() => sshd.stop());

  const npm = 'skills/web/.npm';
  /** What is held anew once the decision is taken back, or where it does not reach. */
  const again = async (folder: string) => {
    await place.remote.write(many(folder, 21, MB));
    expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: folder, actual: 21 * MB, holding: true }] });
  };
  const revoke = async () => {
    for (const { id } of (await place.call('decision.list', {})).decisions) await place.call('decision.revoke', { id });
  };
  const decisions: {
    readonly [R in Resolution]?: { readonly comes: boolean; readonly kept: DecisionChoice | null; ends(): Promise<void> };
  } = {
    // Left there without a word until it grew much, or the decision is taken back.
    discard: {
      ...{ comes: false, kept: 'growth-declined' },
      async ends() {
        await place.remote.write(many(`${npm}/more`, 21, MB));
        expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: npm, actual: 42 * MB }] });
        await decide(place, 'discard');
        expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [] });
        await revoke();
        expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: npm, actual: 42 * MB }] });
      },
    },
    // A rule keeps it where it is, however much it grows.
    exclude: {
      ...{ comes: false, kept: 'exclude' },
      async ends() {
        await place.remote.write(many(`${npm}/more`, 21, MB));
        const report = await place.end();
        expect(report).toMatchObject({ outcome: 'done', alerts: [] });
        expect(report.ledger.refused.bytes).toBe(42 * MB);
        await revoke();
        expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: npm, actual: 42 * MB }] });
      },
    },
    // Spent with the teardown that brought it.
    release: { comes: true, kept: null, ends: () => again('skills/git/.npm') },
    // As much may come from anywhere, until the decision is taken back.
    expect: {
      ...{ comes: true, kept: 'growth-expected' },
      async ends() {
        await place.remote.write(many('skills/git/.npm', 21, MB));
        expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [], ledger: { written: { files: 21, bytes: 21 * MB } } });
        await revoke();
        await again('skills/git/.cache');
      },
    },
  };
  it.each(resolutionsFor.growth)('does what it says when the decision is %s, through three more sessions and a restart', async (choice) => {
    const { comes, kept, ends } = decisions[choice] ?? expect.fail(`nothing is expected of ${choice}`);
    await place.remote.write(many(npm, 21, MB));
    expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: npm, actual: 21 * MB }] });
    await decide(place, choice);
    for (const session of [1, 2, 3]) {
      if (session === 2) await place.restart();
      expect(await place.start()).toMatchObject({ outcome: 'done', alerts: [] });
      const note = `# Git, session ${session}${'!'.repeat(session)}\n`;
      await place.remote.write({ 'skills/git/SKILL.md': note });
      const report = await place.end();
      expect(report).toMatchObject({ outcome: 'done', alerts: [] });
      const brought = comes && session === 1 ? { files: 22, bytes: 21 * MB + note.length } : { files: 1, bytes: note.length };
      expect(report.ledger.written).toEqual(brought);
      // Nothing is called unchanged that is not here, and what stays there is named.
      const staying = comes ? undefined : { files: 21, bytes: 21 * MB };
      expect(report.ledger.refused.byRule[choice === 'discard' ? 'declined' : 'user-rule']).toEqual(staying);
      expect(report.ledger.unchanged.bytes).toBeLessThan(comes ? 22 * MB : MB);
      expect(report.ledger.onRemote.files).toBe(24);
      expect(report.paths.some(({ path, outcome }) => path.startsWith(npm) && outcome === 'refused')).toBe(!comes);
      expect(await place.inbox()).toEqual([]);
    }
    const [here, there] = [await place.localContents(), await place.remoteContents()];
    expect(here).toEqual(Object.fromEntries(Object.entries(there).filter(([path]) => comes || !path.startsWith(npm))));
    const { decisions: listed } = await place.call('decision.list', {});
    expect(listed.map(({ path, choice: remembered }) => [path, remembered])).toEqual(kept === null ? [] : [[npm, kept]]);
    await ends();
  });

  describe('beside another one, where little is usual', () => {
    const big = 'skills/git/big.bin';
    const decideOne = async (path: string, choice: Resolution) => {
      const ids = (await place.inbox()).flatMap((item) => (item.path === path ? [item.id] : []));
      expect(await place.call('inbox.resolve', { ids, choice })).toMatchObject({ outcome: 'done' });
    };
    const small = (size: number) => place.remote.write({ 'skills/git/small.md': 's'.repeat(size) });
    beforeEach(async () => {
      for (const size of [1, 2, 3]) {
        await small(size);
        expect(await place.end()).toMatchObject({ outcome: 'done' });
      }
      await place.remote.write({ [`${npm}/a`]: Buffer.alloc(40 * MB, 1), [big]: Buffer.alloc(30 * MB, 2) });
      expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: npm }, { culprit: big }] });
      await small(5);
    });

    it.each(['expect', 'release'] as const)(
      'comes home with the rest and raises no question when both are decided by %s',
      async (choice) => {
        await decide(place, choice);
        expect(await place.end()).toMatchObject({ outcome: 'done', alerts: [], ledger: { written: { files: 3, bytes: 70 * MB + 5 } } });
        expect(await place.localContents()).toEqual(await place.remoteContents());
        // Far more elsewhere is another event, as is far more than was decided about in its own place.
        await place.remote.write({ 'skills/web/c.bin': Buffer.alloc(70 * MB, 3), [big]: Buffer.alloc(55 * MB, 4) });
        expect(await place.end()).toMatchObject({ outcome: 'held', alerts: [{ culprit: big }, { culprit: 'skills/web/c.bin' }] });
      },
    );

    it('comes home alone when it is expected, and the other one waits on', async () => {
      await decideOne(npm, 'expect');
      const report = await place.end();
      expect(report).toMatchObject({ outcome: 'held', alerts: [{ culprit: big }], ledger: { written: { files: 2, bytes: 40 * MB + 5 } } });
      expect((await place.inbox()).map(({ path }) => path)).toEqual([big]);
    });
  });
});
