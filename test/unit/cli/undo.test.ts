import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../../shared/contract';
import { runReport } from '../app/reports';
import { composeApp, testCli } from './test-cli';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('undo', () => {
  const kept = { runs: 3, files: 1, bytes: 3_200_000 };
  const usage = { ...kept, next: { run: 'run-7', kind: 'sync-back', time: '2026-05-01T12:00:00.000Z' } as const };

  it('says how much is kept, and deletes it, without undoing anything', async () => {
    const freed: string[] = [];
    const cli = testCli(folder, {
      'undo.usage': async () => usage,
      'undo.free': async ({ connection }) => {
        freed.push(connection);
        return kept;
      },
    });
    expect(await cli.run('undo', 'box', '--size')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Kept for undo: 3 runs, 1 file, 3\.2 MB\.\nNext: the sync-back of .* \(run-7\)\.\n$/),
    });
    expect(JSON.parse((await cli.run('undo', 'box', '--size', '--json')).out)).toEqual({ schema: 1, ...usage });
    expect(freed).toEqual([]);
    expect((await cli.run('undo', 'box', '--free')).out).toBe('Deleted for good: 3 runs, 1 file, 3.2 MB.\n');
    expect(freed).toEqual(['box']);
    expect((await cli.run('undo', 'box', '--size', '--free')).code).toBe(2);
  });

  it('tells people once that an interrupted run is looked after first', async () => {
    const event: AppEvent = {
      event: 'progress',
      data: { connection: 'c', kind: 'sync-back', phase: 'recovering', done: 0, total: 2, unit: 'files' },
    };
    const handlers = { undo: async () => runReport({ kind: 'undo' }) };
    const compose = async (options: Parameters<typeof composeApp>[0] & { readonly listen?: (event: AppEvent) => void }) => {
      for (let count = 0; count < 2; count += 1) options.listen?.(event);
      return composeApp(options, handlers);
    };
    expect((await testCli(folder, handlers, { compose, showsProgress: true }).run('undo', 'box')).err).toBe(
      'Looking after an interrupted run…\n',
    );
    expect((await testCli(folder, handlers, { compose }).run('undo', 'box')).err).toBe('');
  });
});
