import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../../electron/ipc/gate';
import type { Plan } from '../../../shared/plan';
import { planReasons } from '../../../shared/plan';
import { runReport } from '../app/reports';
import { testCli } from './test-cli';

const plan: Plan = {
  fingerprint: 'f'.repeat(64),
  lines: [
    { side: 'remote', id: 'a', path: 'skills/a', bytes: 331_000_000, decision: 'remove', reason: planReasons.older },
    { side: 'local', id: 'b\u001b[2J', path: 'skills/b\u001b[2J', bytes: 5, decision: 'keep', reason: planReasons.foreign },
  ],
};

describe('prune and clean', () => {
  let folder: string;
  let asked: unknown[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
    asked = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const answer = (name: string, report: Parameters<typeof runReport>[0]) => async (params: unknown) => {
    asked.push([name, params]);
    return runReport(report);
  };
  const cli = (report: Parameters<typeof runReport>[0] = { kind: 'prune', plan }) => {
    const names = ['prune', 'clean', 'prune.undo', 'prune.free'] as const;
    return testCli(folder, Object.fromEntries(names.map((name) => [name, answer(name, report)])) as Partial<Handlers>);
  };

  const plain = { connection: 'box', side: 'both', keep: 1, apply: false, purge: false };
  it.each([
    [['prune', 'box'], 'prune', plain],
    [
      ['prune', 'box', '--side', 'remote', '--keep', '3', '--apply', '--plan', 'abc', '--purge'],
      'prune',
      { ...plain, side: 'remote', keep: 3, apply: true, plan: 'abc', purge: true },
    ],
    [
      ['prune', 'box', '--keep-recent', '--include-remote-own', '--check'],
      'prune',
      { ...plain, keepRecent: true, includeRemoteOwn: true, check: true },
    ],
    [['prune', 'box', '--undo'], 'prune.undo', { connection: 'box', kind: 'prune' }],
    [['prune', 'box', '--free'], 'prune.free', { connection: 'box', kind: 'prune' }],
    [['clean', 'box'], 'clean', { connection: 'box', side: 'both', only: [], all: false, apply: false, purge: false }],
    [
      ['clean', 'box', '--side', 'local', '--only', 'a', '--only', 'b', '--apply'],
      'clean',
      { connection: 'box', side: 'local', only: ['a', 'b'], all: false, apply: true, purge: false },
    ],
    [['clean', 'box', '--all'], 'clean', { connection: 'box', side: 'both', only: [], all: true, apply: false, purge: false }],
    [['clean', 'box', '--undo'], 'prune.undo', { connection: 'box', kind: 'clean' }],
    [['clean', 'box', '--free'], 'prune.free', { connection: 'box', kind: 'clean' }],
  ])('ask for %j', async (args, name, params) => {
    expect((await cli().run(...args)).code).toBe(0);
    expect(asked).toEqual([[name, params]]);
  });

  it.each([
    [['prune']],
    [['prune', 'box', '--keep', '0']],
    [['prune', 'box', '--keep', 'all']],
    [['prune', 'box', '--side', 'both-of-them']],
    [['prune', 'box', '--plan', 'abc']],
    [['clean', 'box', '--purge']],
    [['prune', 'box', '--apply', '--undo']],
    [['prune', 'box', '--undo', '--free']],
  ])('refuse %j as bad usage, and do nothing', async (args) => {
    const ran = await cli().run(...args, '--json');
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([2, { schema: 1, error: { code: 'usage.invalid' } }]);
    expect(asked).toEqual([]);
  });

  it('show every line with its reason, and the fingerprint, without what would steer a terminal', async () => {
    const { out } = await cli().run('prune', 'box');
    expect(out).toContain('Nothing was changed');
    expect(out).toMatch(new RegExp(`remove +the remote +331 MB +skills/a: ${planReasons.older}`));
    expect(out).toMatch(new RegExp(`keep +this computer +5 B +skills/b.*: ${planReasons.foreign}`));
    expect(out).toContain(plan.fingerprint);
    expect(out).not.toContain('\u001b');
  });

  it('exit 7 with the new plan when it changed', async () => {
    const stop = { guard: 'plan-changed', message: 'Something changed.', details: {} } as const;
    const ran = await cli({ kind: 'prune', plan, outcome: 'stopped', stop }).run('prune', 'box', '--apply', '--json');
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([7, { plan, stop }]);
  });
});
