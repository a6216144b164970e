import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import { runReport } from '../app/reports';
import { composeApp, type TestCli, testCli } from './test-cli';

let folder: string;
let cli: TestCli;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  cli = testCli(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('serve and demo', () => {
  it('says where the window is, opens it if asked, and ends when stopped', async () => {
    const seen: unknown[] = [];
    cli = testCli(
      folder,
      {},
      {
        startWebHost: async ({ host, port }) => {
          seen.push(port, await host.dispatch('status', {}));
          queueMicrotask(() => setImmediate(() => cli.stop()));
          return { url: 'http://127.0.0.1:1/?token=x', close: async () => void seen.push('closed') };
        },
        openBrowser: (url) => void seen.push(url),
      },
    );
    expect(await cli.run('serve', '--port', '0', '--open')).toEqual({ code: 0, out: 'READY http://127.0.0.1:1/?token=x\n', err: '' });
    expect(seen).toEqual([0, { ok: true, value: { connections: [], needsYou: 0 } }, 'http://127.0.0.1:1/?token=x', 'closed']);
    expect(readdirSync(cli.dataDir)).not.toContain('owner.lock');
  });

  it('fails as the window does', async () => {
    cli = testCli(
      folder,
      {},
      {
        startWebHost: async () => {
          throw new AppError('web.not-built', { path: 'out' });
        },
      },
    );
    const { code, out } = await cli.run('serve', '--json');
    expect([code, JSON.parse(out).error.code]).toEqual([1, 'web.not-built']);
    expect(readdirSync(cli.dataDir)).not.toContain('owner.lock');
  });

  it('ends with a sentence when the app that answers it ends', async () => {
    let serving: () => void = () => undefined;
    const isServing = new Promise<void>((resolve) => {
      serving = resolve;
    });
    cli = testCli(
      folder,
      {},
      {
        startWebHost: async () => {
          serving();
          return { url: 'x', close: async () => undefined };
        },
      },
    );
    const owner = await composeApp(cli, {});
    const run = cli.run('serve');
    await isServing;
    await owner.dispose();
    expect(await run).toMatchObject({ code: 1, err: expect.stringContaining('went away') });
  });

  it('hands its options to the demo, prints its sync-back and leaves with its exit code', async () => {
    const asked: unknown[] = [];
    cli = testCli(
      folder,
      {},
      {
        playDemo: async ({ once, keep, say }) => {
          asked.push({ once, keep });
          say('the story');
          return runReport({ outcome: asked.length === 1 ? 'held' : 'done' });
        },
      },
    );
    const first = await cli.run('demo', '--once', '--json');
    expect([first.code, JSON.parse(first.out).outcome, first.err]).toEqual([3, 'held', 'the story\n']);
    expect((await cli.run('demo', '--keep')).code).toBe(0);
    expect(asked).toEqual([
      { once: true, keep: false },
      { once: false, keep: true },
    ]);
  });

  it('opens the window of the demo unless told otherwise', async () => {
    const opened: string[] = [];
    cli = testCli(
      folder,
      {},
      {
        playDemo: async ({ showWindow }) => {
          await showWindow({ dispatch: async () => ({ ok: true, value: {} }), listen: () => () => undefined });
          return runReport();
        },
        startWebHost: async () => {
          queueMicrotask(() => setImmediate(() => cli.stop()));
          return { url: 'http://127.0.0.1:1/?token=x', close: async () => undefined };
        },
        openBrowser: (url) => void opened.push(url),
      },
    );
    expect((await cli.run('demo', '--no-open')).out).toContain('READY http://127.0.0.1:1/?token=x\n');
    expect(opened).toEqual([]);
    await cli.run('demo');
    expect(opened).toEqual(['http://127.0.0.1:1/?token=x']);
  });
});
