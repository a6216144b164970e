import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Params } from '../../shared/contract';
import { planReasons as reasonOf } from '../../shared/plan';
import { box } from '../support/session';
import { readTree, writeTree } from '../support/tree';
import { usePruning } from './pruning';

const modules = 'skills/notes/node_modules';

describe('clean, against a real SSH server and real folders', () => {
  const here = usePruning();
  const { arrange, undo, whole } = here;
  /** Asks while this computer's temporary folder is one that is empty of what others left in theirs. */
  const ask = async (request: Partial<Params<'clean'>> = {}) => {
    vi.stubEnv('TMPDIR', temporary);
    return here.place
      .ask('clean', { connection: box, side: 'both', only: [], all: false, apply: false, ...request })
      .finally(() => vi.unstubAllEnvs());
  };
  const clean = async (request: Partial<Params<'clean'>> = {}) => {
    const answer = await ask(request);
    return answer.ok ? answer.value : expect.fail(answer.error.message);
  };
  const history = async () => (await here.place.call('history.list', {})).runs;

  let temporary: string;
  beforeEach(async () => {
    temporary = join(here.bin(), 'tmp');
    await mkdir(temporary);
  });
  const left = (name: string) => join(temporary, name);
  /** What lies there, apart from our own lock. */
  const inTemporary = async () => [...(await readTree(temporary))].filter(([path]) => !path.startsWith('ebbgate-'));
  const names = async () => (await readdir(temporary)).filter((name) => !name.startsWith('ebbgate-')).sort();

  /** The number of a process that ended. */
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const [folder, archive, link] = [`hermes-sync-back-${gone}-ab`, `hermes-sync-back-${gone}-cd.tar`, `hermes-sync-back-${gone}-link`];

  it('removes only the leftovers of the remote that were chosen of the shown plan, and puts them back', async () => {
    await arrange();
    const before = await whole();
    const listed = await clean();
    expect(listed.plan?.lines).toEqual([
      {
        side: 'remote',
        id: modules,
        path: modules,
        bytes: 5000 + '../p/index.js'.length,
        decision: 'keep',
        reason: reasonOf['not-chosen'],
      },
    ]);
    expect(listed.notes).toContainEqual(expect.stringContaining('--only'));
    expect(await ask({ only: ['skills/.archive'] })).toMatchObject({
      value: { outcome: 'failed', error: { code: 'usage.invalid' } },
    });
    expect(await whole()).toEqual(before);
    const report = await clean({ only: [modules], apply: true, plan: listed.plan?.fingerprint });
    expect(report).toMatchObject({ kind: 'clean', outcome: 'done', ledger: { removed: { files: 2 } } });
    expect(Object.keys(await here.place.remoteContents()).filter((name) => name.startsWith(modules))).toEqual([]);
    expect((await undo('clean')).outcome).toBe('done');
    expect(await whole()).toEqual(before);
  });

  it('refuses to be carried out with nothing chosen, and leaves no line in the history where there is nothing', async () => {
    await arrange();
    expect(await ask({ apply: true })).toMatchObject({
      ok: false,
      error: { code: 'usage.invalid', message: expect.stringContaining('--only') },
    });
    expect(await clean({ side: 'local', all: true, apply: true })).toMatchObject({ outcome: 'done', plan: { lines: [] } });
    expect(await history()).toEqual([]);
  });

  it('removes what a dead sync-back left here, keeps it for an undo, and touches neither a live one nor a link', async () => {
    await arrange();
    const owner = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await writeTree(temporary, {
        [`${folder}/part/skills.tar`]: 'twelve bytes',
        [archive]: 'an archive',
        'elsewhere/keep': 'kept',
        [link]: { link: 'elsewhere' },
        [`hermes-sync-back-${owner.pid}-ef/part.tar`]: 'in use',
        'hermes-sync-back-notes.txt': 'no process in its name',
      });
      const before = await inTemporary();
      const { plan } = await clean({ side: 'local' });
      const reason = reasonOf['sync-back'];
      const line = (name: string) => ({ side: 'local', id: left(name), path: left(name), decision: 'keep' });
      expect(plan?.lines).toEqual([
        { ...line(folder), bytes: 12, reason },
        { ...line(archive), bytes: 10, reason },
        { ...line(link), bytes: 'elsewhere'.length, reason: reasonOf.link },
      ]);
      expect(await inTemporary()).toEqual(before);
      const report = await clean({ side: 'local', all: true, apply: true, plan: plan?.fingerprint });
      expect(report).toMatchObject({ outcome: 'done', ledger: { removed: { files: 2, bytes: 22 } } });
      expect(await names()).toEqual(['elsewhere', link, `hermes-sync-back-${owner.pid}-ef`, 'hermes-sync-back-notes.txt'].sort());
      expect((await undo('clean')).paths.map(({ path, outcome }) => [path, outcome])).toEqual([
        [left(folder), 'written'],
        [left(archive), 'written'],
      ]);
      expect(await inTemporary()).toEqual(before);
    } finally {
      owner.kill();
      await once(owner, 'exit');
    }
  });

  it('takes both sides as one plan, and deletes for good at once when told to', async () => {
    await arrange();
    await writeTree(temporary, { [`${folder}/part.tar`]: 'twelve bytes' });
    const { plan } = await clean();
    expect(plan?.lines.map(({ path }) => path)).toEqual([left(folder), modules]);
    const report = await clean({ only: [left(folder), modules], apply: true, plan: plan?.fingerprint, purge: true });
    expect(report.paths.map(({ path, outcome }) => [path, outcome])).toEqual([
      [left(folder), 'removed'],
      [modules, 'removed'],
    ]);
    expect(await names()).toEqual([]);
    expect((await here.place.call('prune.removed', { connection: box })).runs).toEqual([]);
    expect((await history()).map(({ id }) => id)).toEqual([report.id]);
  });

  it('is put back and freed apart from a prune, and each names the other when only that has something', async () => {
    await arrange();
    const pruned = await here.apply({ side: 'remote' });
    const cleaned = await clean({ side: 'remote', all: true, apply: true });
    const trash = () => readdir(join(here.place.remoteHome, '.ebbgate/trash'));
    expect(await here.place.call('prune.free', { connection: box, kind: 'prune' })).toMatchObject({ kind: 'prune', outcome: 'done' });
    expect(await trash()).toEqual([cleaned.id]);
    for (const request of ['prune.free', 'prune.undo'] as const) {
      expect(await here.place.ask(request, { connection: box, kind: 'prune' })).toMatchObject({
        ok: false,
        error: {
          code: 'prune.nothing-kept',
          details: { kind: 'prune', other: 'clean' },
          message: expect.stringContaining('"clean" with --undo'),
        },
      });
    }
    expect(await here.place.ask('prune.undo', { connection: box, run: pruned.id })).toMatchObject({
      error: { details: { kind: null, other: null } },
    });
    expect((await undo('clean')).paths.map(({ path }) => path)).toEqual([modules]);
    expect(await trash()).toEqual([]);
  });

  it('shows the new plan and removes nothing when another folder took the name of a listed one', async () => {
    await arrange();
    await writeTree(temporary, { [`${folder}/part.tar`]: { text: 'twelve bytes', mtime: 1_700_000_000_000 } });
    const { plan } = await clean({ side: 'local' });
    await rename(left(folder), left('aside'));
    await writeTree(temporary, { [`${folder}/part.tar`]: { text: 'twelve bytes', mtime: 1_700_000_000_000 } });
    const report = await clean({ side: 'local', only: [left(folder)], apply: true, plan: plan?.fingerprint });
    expect(report).toMatchObject({ outcome: 'stopped', stop: { guard: 'plan-changed' }, paths: [] });
    expect(await names()).toEqual(['aside', folder]);
  });
});
