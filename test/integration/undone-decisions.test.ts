import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Resolution } from '../../shared/inbox';
import type { RunReport } from '../../shared/run-report';
import { box, makePlace, outcomesOf, pathsOf, type SessionPlace } from '../support/session';
import { startSshd, type TestSshd } from '../support/sshd';

let sshd: TestSshd;
let place: SessionPlace;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  place = await makePlace({ sshd });
});
afterEach(() => place.tearDown());

const L = 'edited here, on this computer\n';
const R = 'edited there\n';
const file = 'skills/a/SKILL.md';
const copy = 'skills/a/SKILL.ebbgate-copy-build-box.md';

/** A teardown that brings one file and raises a conflict about another, which is then decided. */
async function decideConflict(choice: Resolution): Promise<void> {
  await place.local.write({ [file]: 'first\n', 'skills/b.md': 'b\n' });
  await place.start(['first-session']);
  await place.local.write({ [file]: L });
  await place.remote.write({ [file]: R, 'skills/b.md': 'b, improved there\n' });
  await place.end();
  await resolveOnly(choice);
}

async function resolveOnly(choice: Resolution): Promise<void> {
  const items = await place.inbox();
  expect(items.map(({ path }) => path)).toEqual([file]);
  await place.call('inbox.resolve', { ids: items.map(({ id }) => id), choice });
}

const undo = (): Promise<RunReport> => place.call('undo', { connection: box });
const here = async () => (await place.localContents())[file];

describe('a decision about a conflict', () => {
  it.each(['keep-both', 'keep-remote'] as const)(
    'that is undone (%s) is asked for again, and no push writes over the remote',
    async (choice) => {
      await decideConflict(choice);
      expect((await undo()).outcome).toBe('done');
      expect([await here(), (await place.localContents())[copy]]).toEqual([L, undefined]);
      expect(outcomesOf(await place.start())).toEqual({ [file]: 'conflict' });
      expect((await place.remoteContents())[file]).toBe(R);
      const { decisions } = await place.call('decision.list', { connection: box });
      expect(decisions.map(({ path, choice: remembered }) => [path, remembered])).toEqual(choice === 'keep-both' ? [] : [[file, 'undone']]);
      expect(outcomesOf(await place.end())).toEqual({ [file]: 'conflict' });
      await resolveOnly('keep-remote');
      expect(await here()).toBe(R);
    },
  );

  it.each(['keep-local', 'discard', 'exclude'] as const)(
    'that wrote nothing (%s) is not passed over by an undo that names no run',
    async (choice) => {
      await decideConflict(choice);
      expect(await place.ask('undo', { connection: box })).toMatchObject({ ok: false, error: { code: 'undo.other-run' } });
      expect((await place.localContents())['skills/b.md']).toBe('b, improved there\n');
      const { next } = await place.call('undo.usage', { connection: box });
      expect(next?.kind).toBe('sync-back');
      expect(await place.ask('undo', { connection: box, run: 'another' })).toMatchObject({ ok: false, error: { code: 'undo.other-run' } });
      await place.call('undo', { connection: box, run: next?.run });
      expect(await place.localContents()).toMatchObject({ [file]: L, 'skills/b.md': 'b\n' });
    },
  );

  it('to keep both, undone and done again, holds; undone after its push it takes back the copy alone', async () => {
    await decideConflict('keep-both');
    await undo();
    await undo();
    expect((await place.localContents())[copy]).toBe(R);
    expect(pathsOf(await place.start(), 'written')).toEqual([file]);
    await undo();
    expect([await here(), (await place.localContents())[copy]]).toEqual([L, undefined]);
    // What went out since is what both sides agree on.
    await place.remote.write({ [file]: 'first\n' });
    expect((await place.start()).outcome).toBe('done');
    expect((await place.remoteContents())[file]).toBe('first\n');
  });
});
