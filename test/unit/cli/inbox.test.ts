import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../../electron/ipc/gate';
import type { Decision } from '../../../shared/decision';
import { AppError } from '../../../shared/errors';
import { type InboxItem, resolutions } from '../../../shared/inbox';
import type { PathReport, RunReport } from '../../../shared/run-report';
import { runReport } from '../app/reports';
import { testCli } from './test-cli';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept: PathReport = { path: 'skills/a', outcome: 'refused', change: 'update', bytes: 5, reason: 'kept as it is here' };

function answering(report: Parameters<typeof runReport>[0], asked: unknown[] = []): Partial<Handlers> {
  return {
    'inbox.resolve': async (params) => {
      asked.push(params);
      return runReport({ kind: 'resolve', ...report });
    },
  };
}

describe('inbox', () => {
  it.each(resolutions)('%s asks for all ids at once and prints the report', async (choice) => {
    const asked: unknown[] = [];
    const cli = testCli(folder, answering({ paths: [kept] }, asked));
    const { code, out } = await cli.run('inbox', choice, 'one', 'two', '--json');
    expect(asked).toEqual([{ ids: ['one', 'two'], choice }]);
    expect([code, JSON.parse(out)]).toEqual([0, runReport({ kind: 'resolve', paths: [kept] })]);
  });

  it('tells in words what became of each path, without figures that say nothing', async () => {
    const { out } = await testCli(folder, answering({ paths: [kept] })).run('inbox', 'keep-local', 'one');
    expect(out).toContain('Decision, box');
    expect(out).toContain('refused  skills/a (5 B): kept as it is here');
    expect(out).not.toContain('on the wire');
  });

  it('exits by the outcome of the run', async () => {
    const failed = { ...kept, outcome: 'failed' } as const;
    const cli = testCli(folder, answering({ outcome: 'partly', paths: [failed] }));
    expect((await cli.run('inbox', 'keep-remote', 'one')).code).toBe(4);
  });

  it.each([
    [new AppError('inbox.unknown', { id: 'nobody' }), 2, '"nobody"'],
    [new AppError('inbox.several-connections', {}), 2, 'more than one connection'],
    [new AppError('inbox.not-allowed', { path: 'p', kind: 'growth', choice: 'release', possible: ['discard'] }), 2, 'discard'],
    [new AppError('inbox.not-stored', { path: 'skills/a' }), 1, '"session end" fetches it'],
    [new AppError('run.busy', { connection: 'box', holder: 'a run' }), 5, 'busy'],
  ] as const)('exits by the error %s', async (error, code, words) => {
    const throwing = async () => {
      throw error;
    };
    const answer = await testCli(folder, { 'inbox.resolve': throwing }).run('inbox', 'release', 'nobody');
    expect(answer).toMatchObject({ code, out: '' });
    expect(answer.err).toContain(words);
  });

  it('asked to stop, cancels the run of the connection whose items these are', async () => {
    const item = {
      id: 'one',
      kind: 'conflict',
      connection: 'c',
      path: 'skills/a',
      bytes: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
    } as const;
    const waiting: InboxItem = { ...item, reason: 'r', local: null, remote: null, stored: false };
    const cancelled: string[] = [];
    let end: (report: RunReport) => void = () => undefined;
    const cli = testCli(folder, {
      'inbox.list': async () => ({ items: [{ ...waiting, id: 'other', connection: 'd' }, waiting], bytes: 0 }),
      'inbox.resolve': () =>
        new Promise((resolve) => {
          end = resolve;
          cli.stop();
        }),
      'run.cancel': async ({ connection }) => {
        cancelled.push(connection);
        end(runReport({ kind: 'resolve', outcome: 'interrupted' }));
        return {};
      },
    });
    const { code, out, err } = await cli.run('inbox', 'keep-remote', 'one', '--json');
    expect([code, JSON.parse(out).outcome, cancelled]).toEqual([1, 'interrupted', ['c']]);
    expect(err).toContain('safe point');
  });

  it('needs an id, and knows no other choice', async () => {
    const cli = testCli(folder, answering({}));
    expect((await cli.run('inbox', 'discard')).code).toBe(2);
    expect((await cli.run('inbox', 'burn', 'one')).code).toBe(2);
  });

  it('lists decisions and takes one back', async () => {
    const made = { connection: 'c', hash: null, createdAt: '2026-01-01T00:00:00.000Z' };
    const decisions: readonly Decision[] = [{ ...made, id: 'd1', path: 'skills/big\u202e', choice: 'exclude' }];
    const revoked: string[] = [];
    const cli = testCli(folder, {
      'decision.list': async () => ({ decisions }),
      'decision.revoke': async ({ id }) => {
        if (id !== 'd1') throw new AppError('decision.unknown', { id });
        revoked.push(id);
        return {};
      },
    });
    expect(JSON.parse((await cli.run('inbox', 'decisions', '--json')).out)).toEqual({ schema: 1, decisions });
    expect((await cli.run('inbox', 'decisions')).out).toMatch(/^d1 {2}exclude {2}.*skills\/big\\u202e\n$/);
    expect((await cli.run('inbox', 'revoke', 'd1')).code).toBe(0);
    expect(revoked).toEqual(['d1']);
    const unknown = await cli.run('inbox', 'revoke', 'nobody');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('"nobody"')]);
  });
});
