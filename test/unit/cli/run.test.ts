import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inboxId, openInbox } from '../../../electron/app/inbox';
import type { Handlers } from '../../../electron/ipc/gate';
import { takeOwnerLock } from '../../../electron/store/owner-lock';
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

const addBox = (to: TestCli = cli) => to.run('connection', 'add', 'box', '--address', 'u@h');
const ending = (report: Partial<RunReport>): Partial<Handlers> => ({ 'session.end': async () => runReport(report) });

describe('connection', () => {
  it('adds, lists and removes, each with one document', async () => {
    const added = await cli.run('connection', 'add', 'box', '--address', 'me@[::1]:2222', '--json');
    expect([added.code, added.err]).toEqual([0, '']);
    const listed = await cli.run('connection', 'list', '--json');
    const { schema, connections } = JSON.parse(listed.out);
    expect(schema).toBe(1);
    expect(connections).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        name: 'box',
        address: { kind: 'address', user: 'me', host: '::1', port: 2222 },
        identityFile: null,
        knownHostsFile: null,
        acceptedHostKey: null,
        useSshConfig: true,
        localHome: cli.hermesHome,
        remoteHome: null,
        profile: null,
        roots: ['skills'],
        newSkills: 'bring',
        userRules: [],
        lifted: [],
        createdAt: expect.any(String),
      },
    ]);
    expect(JSON.parse(added.out)).toEqual({ schema: 1, connection: connections[0] });
    expect((await cli.run('connection', 'remove', 'BOX', '--json')).code).toBe(0);
    expect(JSON.parse((await cli.run('connection', 'list', '--json')).out)).toEqual({ schema: 1, connections: [] });
  });

  it('keeps every option, with files made absolute', async () => {
    const key = `SHA256:${'a'.repeat(43)}`;
    const files = ['--identity', 'id', '--known-hosts', './known'];
    const rest = ['--remote-home', '/srv/x/.hermes/', '--profile', 'work', '--roots', 'skills,plugins/a', '--new-skills', 'review'];
    await cli.run('connection', 'add', 'box', '--alias', 'there', '--accept-host-key', key, '--no-ssh-config', ...files, ...rest);
    const [connection] = JSON.parse((await cli.run('--json', 'connection', 'list')).out).connections;
    expect(connection).toMatchObject({
      address: { kind: 'alias', alias: 'there' },
      identityFile: resolve('id'),
      knownHostsFile: resolve('known'),
      acceptedHostKey: key,
      useSshConfig: false,
      remoteHome: '/srv/x/.hermes',
      profile: 'work',
      roots: ['skills', 'plugins/a'],
      newSkills: 'review',
    });
  });

  it('shows checks and exits 6 when one fails', async () => {
    const checks = [
      { id: 'reach', ok: true, detail: 'answered', fix: null },
      { id: 'login', ok: false, detail: 'rejected', fix: 'add the key' },
    ];
    cli = testCli(folder, { 'connection.test': async () => ({ ok: false, checks }) });
    const json = await cli.run('connection', 'test', 'box', '--json');
    expect([json.code, JSON.parse(json.out)]).toEqual([6, { schema: 1, ok: false, checks }]);
    const text = await cli.run('connection', 'test', 'box');
    expect(text.out).toBe('ok    reach: answered\nFAIL  login: rejected\n      add the key\n');
  });
});

describe('global options', () => {
  it('are taken before and after the command', async () => {
    const other = join(folder, 'other');
    for (const args of [
      ['--data-dir', other, '--json', 'connection', 'list'],
      ['connection', '--json', 'list', '--data-dir', other],
      ['connection', 'list', '--data-dir', other, '--json'],
    ]) {
      const { code, out } = await cli.run(...args);
      expect([code, JSON.parse(out)]).toEqual([0, { schema: 1, connections: [] }]);
    }
    expect(readdirSync(folder).sort()).toEqual(['hermes', 'other']);
  });

  it('fix the local Hermes home of a connection when it is added', async () => {
    await cli.run('connection', 'add', 'box', '--address', 'u@h', '--hermes-home', join(folder, 'elsewhere'));
    const [connection] = JSON.parse((await cli.run('connection', 'list', '--json')).out).connections;
    expect(connection.localHome).toBe(join(folder, 'elsewhere'));
  });
});

describe('mistakes', () => {
  it.each([
    [[]],
    [['connection']],
    [['nonsense']],
    [['connection', 'nonsense']],
    [['status', '--nonsense']],
    [['status', 'too', 'many']],
    [['connection', 'add']],
    [['connection', 'add', 'box']],
    [['connection', 'add', 'box', '--address', 'u@h', '--alias', 'a']],
    [['connection', 'add', 'box', '--address', 'host-only']],
    [['connection', 'add', 'box', '--address', 'u@h:0']],
    [['connection', 'add', 'box', '--address', 'u@h:99999']],
    [['connection', 'add', 'box', '--address', 'u@-oProxyCommand=x']],
    [['connection', 'add', 'box', '--alias', '-x']],
    [['connection', 'add', 'box', '--alias', '']],
    [['connection', 'add', '', '--address', 'u@h']],
    [['connection', 'add', 'box', '--address', 'u@h', '--new-skills', 'maybe']],
    [['connection', 'add', 'box', '--address', 'u@h', '--remote-home', '~']],
    [['connection', 'add', 'box', '--address', 'u@h', '--remote-home', '']],
    [['connection', 'add', 'box', '--address', 'u@h', '--roots', 'skills,skills/a']],
    [['connection', 'add', 'box', '--address', 'u@h', '--roots', '']],
    [['connection', 'add', 'box', '--address', 'u@h', '--accept-host-key', 'yes']],
    [['connection', 'remove', 'nobody']],
    [['session', 'start']],
    [['session', 'start', 'box', '--allow', 'same-folder']],
    [['session', 'end', 'box', '--allow', 'first-session,nonsense']],
    [['session', 'end', 'box', '--allow']],
    [['preview', 'box']],
    [['preview', 'box', '--direction', 'undo']],
    [['inspect', 'box', '--side', 'left']],
    [['history', '--limit', '0']],
    [['history', 'nobody']],
    [['inbox', 'list', 'nobody']],
    [['serve', '--port', '70000']],
    [['status', '--data-dir', '']],
    [['status', '--data-dir']],
  ])('exit 2 with a sentence, and with --json as one document: %j', async (args) => {
    const text = await cli.run(...args);
    expect(text).toMatchObject({ code: 2, out: '' });
    expect(text.err).toMatch(/^\S.*\n/);
    expect(text.err).not.toMatch(/ {4}at |undefined|\[object/);
    // In front, because the last argument may be an option without its value.
    const json = await cli.run('--json', ...args);
    expect([json.code, json.err]).toEqual([2, '']);
    expect(JSON.parse(json.out)).toEqual({
      schema: 1,
      error: {
        code: expect.stringMatching(/^(usage\.invalid|connection\.unknown)$/),
        message: expect.any(String),
        details: expect.any(Object),
      },
    });
  });

  it('leave no data folder behind when the command line itself is wrong', async () => {
    await cli.run('session', 'start', 'box', '--allow', 'nonsense');
    await cli.run('--help');
    expect([cli.composed(), readdirSync(folder)]).toEqual([0, ['hermes']]);
  });

  it('name an unknown connection', async () => {
    const { code, out } = await cli.run('connection', 'remove', 'nobody', '--json');
    expect([code, JSON.parse(out).error]).toMatchObject([2, { code: 'connection.unknown', details: { name: 'nobody' } }]);
  });

  it('are not what help is', async () => {
    const { code, out, err } = await cli.run('session', 'start', '--help');
    expect([code, err]).toEqual([0, '']);
    for (const word of ['--allow', '--json', '--data-dir', '--hermes-home']) expect(out).toContain(word);
  });
});

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
      ending({ outcome: 'held', ledger, paths: [path, { ...path, path: 'skills/r', outcome: 'refused' }], notes: ['a note'] }),
    );
    const { code, out } = await cli.run('session', 'end', 'box');
    expect(code).toBe(3);
    expect(out).toContain('Held: 1 item waits');
    expect(out).toContain('    node_modules  903 files, 41 MB');
    expect(out).toContain('written         1 file, 3.2 MB');
    expect(out).toContain('conflict  skills/\\u001b[2Ja/SKILL.md (1.2 kB): both changed');
    expect(out).toContain('Note: a note');
    expect(out).not.toContain('skills/r ');
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

describe('looking', () => {
  it('prints each answer as one document', async () => {
    const side = { local: null, remote: null };
    cli = testCli(folder, { inspect: async () => side });
    await addBox();
    const inbox = await openInbox(join(cli.dataDir, 'inbox'));
    const [{ id }] = JSON.parse((await cli.run('connection', 'list', '--json')).out).connections;
    const version = { hash: 'a'.repeat(64), bytes: 3, executable: false };
    const kept = {
      kind: 'conflict',
      connection: id,
      path: 'skills/a',
      bytes: 3,
      createdAt: 'x',
      reason: 'r',
      local: null,
      remote: version,
    } as const;
    const item = await inbox.put(kept, null);
    writeFileSync(
      join(cli.dataDir, 'history.jsonl'),
      `${JSON.stringify(runReport({ connection: { id, name: 'box' }, startedAt: new Date().toISOString() }))}\n`,
    );
    const documents = await Promise.all(
      [['session', 'list'], ['inbox', 'list'], ['inbox', 'list', 'box'], ['status'], ['inspect', 'box'], ['history', 'box']].map(
        async (args) => {
          const { code, out, err } = await cli.run(...args, '--json');
          return [code, err, JSON.parse(out)];
        },
      ),
    );
    const items = [{ ...kept, id: inboxId(id, 'skills/a'), stored: false }];
    expect(items).toEqual([item]);
    expect(documents.slice(0, 5)).toEqual([
      [0, '', { schema: 1, sessions: [] }],
      [0, '', { schema: 1, items }],
      [0, '', { schema: 1, items }],
      [0, '', { schema: 1, connections: [], needsYou: 1 }],
      [0, '', { schema: 1, ...side }],
    ]);
    expect(documents[5]).toMatchObject([0, '', { schema: 1, runs: [{ id: 'run' }] }]);
  });

  it('says in words that there is nothing', async () => {
    for (const args of [['connection', 'list'], ['session', 'list'], ['inbox', 'list'], ['history'], ['status']]) {
      const { code, out } = await cli.run(...args);
      expect([code, out]).toEqual([0, expect.stringMatching(/^(There are no|No|Nothing) .*\.\n$|^Nothing waits\.\n$/)]);
    }
  });
});

describe('the data folder', () => {
  it('is taken and left again by a command', async () => {
    await addBox();
    expect(readdirSync(cli.dataDir).sort()).toEqual(['inbox', 'state.json']);
  });

  it('works on with a broken state.json, which is set aside', async () => {
    await addBox();
    writeFileSync(join(cli.dataDir, 'state.json'), '{"version":1,');
    const { code, out } = await cli.run('connection', 'list', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { schema: 1, connections: [] }]);
    const aside = readdirSync(cli.dataDir).filter((name) => name.startsWith('state.json.broken-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(cli.dataDir, aside[0] ?? ''), 'utf8')).toBe('{"version":1,');
  });

  it('exits 1 with a sentence when it cannot be written', async () => {
    const inTheWay = join(folder, 'file');
    writeFileSync(inTheWay, '');
    const { code, out, err } = await cli.run('status', '--data-dir', join(inTheWay, 'data'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^Ebbgate could not make .*: part of the path is a file.*\n$/);
    mkdirSync(join(cli.dataDir, 'state.json'), { recursive: true });
    expect((await cli.run('status', '--json')).code).toBe(1);
  });

  it('is served by the process that owns it', async () => {
    await addBox();
    const owner = await composeApp(cli, {});
    const before = cli.composed();
    const listed = JSON.parse((await cli.run('connection', 'list', '--json')).out);
    expect([listed.connections.length, cli.composed()]).toEqual([1, before]);
    await owner.dispose();
  });

  it('is busy, exit 5, when its owner does not answer', async () => {
    mkdirSync(cli.dataDir);
    const lock = await takeOwnerLock(cli.dataDir);
    const { code, out } = await cli.run('status', '--json');
    expect([code, JSON.parse(out).error]).toMatchObject([5, { code: 'store.busy', details: { pid: process.pid } }]);
    await lock.release();
    expect((await cli.run('status', '--json')).code).toBe(0);
  });

  it('takes every change of commands that run at once', async () => {
    const clis = Array.from({ length: 8 }, () => testCli(folder, {}, { busyWaitMs: 20_000 }));
    const added = await Promise.all(clis.map((one, i) => one.run('connection', 'add', `box ${i}`, '--address', 'u@h')));
    expect(added.map(({ code, err }) => [code, err])).toEqual(clis.map(() => [0, '']));
    expect(JSON.parse((await cli.run('connection', 'list', '--json')).out).connections).toHaveLength(8);
  });
});

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
});
