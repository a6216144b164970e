import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handlers } from '../../../electron/ipc/gate';
import { AppError } from '../../../shared/errors';
import type { RunReport } from '../../../shared/run-report';
import { emptyLedger, runReport } from '../app/reports';
import { composeApp, type TestCli, testCli } from './test-cli';

let folder: string;
let cli: TestCli;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  cli = testCli(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ending = (report: Partial<RunReport>): Partial<Handlers> => ({ 'session.end': async () => runReport(report) });

describe('runs', () => {
  const unreachable = { code: 'ssh.refused', message: 'refused', details: {} };
  it.each([
    ['done', null, 0],
    ['partly', null, 4],
    ['held', null, 3],
    ['stopped', null, 7],
    ['interrupted', null, 1],
    ['failed', unreachable, 6],
    ['failed', { code: 'local.no-space', message: 'no space', details: {} }, 1],
    ['failed', { code: 'run.busy', message: 'busy', details: {} }, 5],
    ['failed', null, 1],
  ] as const)('%s, with the error %j, exit %i and print the report itself', async (outcome, error, code) => {
    const report = runReport({ outcome, error });
    cli = testCli(folder, { 'session.end': async () => report });
    const ended = await cli.run('session', 'end', 'box', '--json');
    expect([ended.code, JSON.parse(ended.out)]).toEqual([code, report]);
  });

  it.each([
    ['run.busy', { connection: 'box', holder: 'another run' }, 5],
    ['ssh.timed-out', { host: 'h', port: 22, seconds: 10 }, 6],
    ['local.failed', { operation: 'read', path: 'x', reason: 'y' }, 1],
  ] as const)('that fail without a report with %s print the error and exit by its cause', async (code, details, exit) => {
    cli = testCli(folder, {
      'session.start': async () => {
        throw new AppError(code, details);
      },
    });
    const started = await cli.run('session', 'start', 'box', '--json');
    expect(started.code).toBe(exit);
    expect(JSON.parse(started.out)).toMatchObject({ schema: 1, error: { code, details } });
  });

  it('hand on the guards to let through and the direction', async () => {
    const asked: unknown[] = [];
    const note = async (params: unknown): Promise<RunReport> => {
      asked.push(params);
      return runReport();
    };
    cli = testCli(folder, { 'session.start': note, 'session.end': note, preview: note });
    await cli.run('session', 'start', 'box', '--allow', 'first-session,mass-delete', '--allow', 'mass-delete');
    await cli.run('session', 'end', 'box');
    await cli.run('preview', 'box', '--direction', 'sync-back');
    expect(asked).toEqual([
      { connection: 'box', allow: ['first-session', 'mass-delete'] },
      { connection: 'box', allow: [] },
      { connection: 'box', direction: 'sync-back' },
    ]);
  });

  it('stop at the next safe point when asked to, exit 1, and leave at once when asked twice', async () => {
    let cancel: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    cli = testCli(folder, {
      'session.end': async () => {
        begun();
        await cancelled;
        return runReport({ outcome: 'interrupted' });
      },
      'run.cancel': async ({ connection }) => {
        expect(connection).toBe('box');
        cancel();
        return {};
      },
    });
    const run = cli.run('session', 'end', 'box', '--json');
    await running;
    cli.stop();
    cli.stop();
    const { code, out, err } = await run;
    expect([code, JSON.parse(out).outcome, cli.exits]).toEqual([1, 'interrupted', [1]]);
    expect(err).toContain('safe point');
  });

  it.each([
    ['done', 0],
    ['partly', 4],
  ] as const)('exit as a run says that was %s when the wish to stop comes too late', async (outcome, expected) => {
    cli = testCli(folder, {
      prune: async () => {
        cli.stop();
        return runReport({ outcome });
      },
      'run.cancel': async () => ({}),
    });
    const { code, err } = await cli.run('prune', 'box', '--apply');
    expect([code, cli.exits]).toEqual([expected, []]);
    expect(err).toContain('safe point');
  });

  it('do not begin when asked to stop while the application is made', async () => {
    cli = testCli(
      folder,
      {},
      {
        compose: async (options) => {
          cli.stop();
          return composeApp(options, {});
        },
      },
    );
    const { code, out } = await cli.run('session', 'end', 'box', '--json');
    expect([code, JSON.parse(out).error.code]).toEqual([1, 'run.cancelled']);
  });

  it('count each question once, however many files and alerts it has', async () => {
    const held = { outcome: 'held', change: 'create', bytes: 9, reason: 'too much in skills/a; nothing of it was downloaded' } as const;
    cli = testCli(
      folder,
      ending({
        outcome: 'held',
        paths: [
          ...['a/1', 'a/2'].map((path) => ({ ...held, path: `skills/${path}` })),
          ...['n/1', 'n/2'].map((path) => ({ ...held, path: `skills/${path}`, reason: 'part of a new skill, to be reviewed' })),
        ],
        alerts: [{ kind: 'growth', actual: 9, usual: 0, culprit: 'skills/a', holding: true }],
      }),
    );
    const { out } = await cli.run('session', 'end', 'box');
    expect(out).toContain('Held: 3 items wait');
    expect(out).toContain('Growth: 9 B, skills/a, held');
  });

  it('are told to people in a few lines, with nothing that steers a terminal', async () => {
    const ledger = {
      ...emptyLedger,
      refused: { files: 903, bytes: 41_000_000, estimated: true, byTree: { node_modules: { files: 903, bytes: 41_000_000 } }, byRule: {} },
      written: { files: 1, bytes: 3_200_000 },
    };
    const path = {
      path: 'skills/\u001b[2Ja/SKILL.md',
      outcome: 'conflict',
      change: 'update',
      bytes: 1200,
      reason: 'both changed',
    } as const;
    cli = testCli(
      folder,
      ending({
        outcome: 'held',
        ledger,
        paths: [
          path,
          { ...path, path: 'skills/r', outcome: 'refused', reason: 'excluded-name: .git' },
          { ...path, path: 'skills/link', outcome: 'refused', reason: 'symbolic-link: symbolic link' },
        ],
        notes: ['a note'],
      }),
    );
    const { code, out } = await cli.run('session', 'end', 'box');
    expect(code).toBe(3);
    expect(out).toContain('Held: 1 item waits');
    expect(out).toContain('    node_modules  903 files, 41 MB');
    expect(out).toContain('written         1 file, 3.2 MB');
    expect(out).toContain('conflict  skills/\\u001b[2Ja/SKILL.md (1.2 kB): both changed');
    expect(out).toContain('Note: a note');
    // Bookkeeping is in the ledger; whatever else did not travel is named.
    expect(out).not.toContain('skills/r ');
    expect(out).toContain('skills/link ');
    expect(out).not.toContain('\u001b');
  });

  it('name the way through a guard that has one, and none for one that has not', async () => {
    const stopped = (guard: 'mass-delete' | 'same-folder') =>
      ending({ outcome: 'stopped', stop: { guard, message: 'Too much.', details: {} } });
    cli = testCli(folder, stopped('mass-delete'));
    expect((await cli.run('session', 'end', 'box')).out).toContain('--allow mass-delete');
    cli = testCli(folder, stopped('same-folder'));
    expect((await cli.run('session', 'end', 'box')).out).not.toContain('--allow');
  });
});
