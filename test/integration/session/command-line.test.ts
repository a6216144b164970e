import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Status, WireError } from '../../../shared/contract';
import type { InboxItem } from '../../../shared/inbox';
import type { RunReport } from '../../../shared/run-report';
import type { Session } from '../../../shared/session';
import { type BuiltCli, builtCli } from '../../support/built-cli';
import { localBookkeeping, localSkills, remoteBookkeeping, remoteWork } from '../../support/seed-homes';
import { pathsOf } from '../../support/session';
import { startSshd, type TestSshd } from '../../support/sshd';
import { ensureBuilt } from '../../support/stood-in-app';
import { contentsOf, folderHome, makeTempFolder, removeTempFolder, type TestHome, writeTree } from '../../support/tree';

let sshd: TestSshd;
let folder: string;
let cli: BuiltCli;
let local: TestHome;
let remote: TestHome;
beforeAll(async () => {
  ensureBuilt();
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  folder = await makeTempFolder('cli');
  cli = builtCli(folder);
  local = folderHome(cli.hermesHome);
  remote = folderHome(join(sshd.home, '.hermes'));
  await writeTree(folder, { hermes: { folder: true } });
  await writeTree(sshd.home, { '.hermes': { folder: true } });
  expect(await cli.addConnection(sshd)).toMatchObject({ code: 0, stderr: '' });
});
afterEach(async () => {
  await removeTempFolder(folder);
  await removeTempFolder(join(sshd.home, '.hermes'));
});

type Failure = { readonly schema: number; readonly error: WireError };
const start = (...more: readonly string[]) => cli.json<RunReport>('session', 'start', 'build-box', ...more);
const end = (...more: readonly string[]) => cli.json<RunReport>('session', 'end', 'build-box', ...more);

describe('the built command line', { timeout: 240_000 }, () => {
  it('plays the seed story, one process for each command', async () => {
    await local.write({ ...localSkills, ...localBookkeeping });
    await remote.write(remoteBookkeeping);
    const hubLocks = async () => [
      await readFile(join(cli.hermesHome, 'skills/.hub/lock.json'), 'utf8'),
      await readFile(join(sshd.home, '.hermes/skills/.hub/lock.json'), 'utf8'),
    ];
    const locksBefore = await hubLocks();
    const asked = await start();
    expect(asked).toMatchObject({
      code: 7,
      document: { schema: 1, outcome: 'stopped', stop: { guard: 'first-session', details: { files: 7 } } },
    });
    expect(await start('--allow', 'first-session')).toMatchObject({
      code: 0,
      document: { kind: 'push', ledger: { written: { files: 7 } } },
    });
    await remote.write(remoteWork);
    const ended = await end();
    expect(ended.code).toBe(0);
    expect(pathsOf(ended.document, 'written')).toEqual(Object.keys(remoteWork).sort());
    expect(ended.document.ledger.refused.byTree['.curator_backups']?.bytes).toBeGreaterThanOrEqual(24_000_000);
    expect(ended.document.ledger.wire.received).toBeLessThan(300_000);
    expect(await hubLocks()).toEqual(locksBefore);
    expect((await local.read()).get('skills/release notes/scripts/collect changes.sh')).toMatchObject({
      mode: expect.toSatisfy(isExecutable),
    });
    const again = await start();
    expect(again).toMatchObject({
      code: 0,
      document: { ledger: { transferred: { files: 0, bytes: 0 }, written: { files: 0, bytes: 0 } } },
    });
    const history = await cli.json<{ readonly runs: readonly RunReport[] }>('history', 'build-box');
    expect(history.document.runs.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'push done',
      'sync-back done',
      'push done',
      'push stopped',
    ]);
    const sessions = await cli.json<{ readonly sessions: readonly Session[] }>('session', 'list');
    expect(sessions.document.sessions.map(({ state }) => state)).toEqual(['open']);
  });

  it('exits with 3 while a conflict or a guarded file waits, and lists both', async () => {
    await local.write({ 'skills/a/SKILL.md': 'a\n', 'skills/.usage.json': '{}\n' });
    await start('--allow', 'first-session');
    await local.write({ 'skills/a/SKILL.md': 'edited here\n' });
    await remote.write({ 'skills/a/SKILL.md': 'edited there too\n', 'skills/.usage.json': '{"a": 1}\n' });
    expect(await end()).toMatchObject({ code: 3, document: { outcome: 'held' } });
    const inbox = await cli.json<{ readonly items: readonly InboxItem[] }>('inbox', 'list');
    expect(inbox.code).toBe(0);
    expect(inbox.document.items.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'conflict skills/a/SKILL.md',
      'guarded skills/.usage.json',
    ]);
    const status = await cli.json<Status>('status');
    expect(status).toMatchObject({ code: 0, document: { connections: [{ state: 'needs-you', needsYou: 2 }] } });
    expect(contentsOf(await local.read())).toMatchObject({ 'skills/a/SKILL.md': 'edited here\n', 'skills/.usage.json': '{}\n' });
  });

  it('answers bad input with one document, one sentence, its exit code and no stack trace', async () => {
    const cases: readonly (readonly [readonly string[], string, number])[] = [
      [['session', 'start', 'nowhere'], 'connection.unknown', 2],
      [['session', 'start', 'build-box', '--allow', 'everything'], 'usage.invalid', 2],
      [['session', 'start'], 'usage.invalid', 2],
      [['connection', 'add', 'build-box', '--address', 'a@b'], 'connection.exists', 2],
      [['connection', 'add', 'x', '--address', 'nobody'], 'usage.invalid', 2],
    ];
    for (const [args, code, exit] of cases) {
      const { code: got, document } = await cli.json<Failure>(...args);
      expect({ args, exit: got, code: document.error.code }).toEqual({ args, exit, code });
      const { stdout, stderr, code: plain } = await cli.run(...args);
      expect({ plain, stdout }).toEqual({ plain: exit, stdout: '' });
      expect(stderr.length).toBeGreaterThan(10);
      expect(stderr).not.toMatch(/\n\s+at |node:internal|\.js:\d+/);
    }
  });

  it('says at once that a broken state.json was set aside, and where', async () => {
    await local.write({ 'skills/a/SKILL.md': 'a\n' });
    const file = join(cli.dataDir, 'state.json');
    await writeFile(file, 'not json');
    const { code, stdout, stderr } = await cli.run('session', 'start', 'build-box', '--json');
    expect({ code, error: (JSON.parse(stdout) as Failure).error.code }).toEqual({ code: 2, error: 'connection.unknown' });
    const aside = /state\.json\.broken-\d+/.exec(stderr)?.[0] ?? 'nowhere';
    expect(await readFile(join(cli.dataDir, aside), 'utf8')).toBe('not json');
    await cli.addConnection(sshd);
    expect(await start('--allow', 'first-session')).toMatchObject({ code: 0, document: { outcome: 'done' } });
  });

  it('fails at once, with what it needs, where nobody can type a passphrase', async () => {
    const identity = sshd.makeKey('locked', { passphrase: 'open sesame', authorized: true });
    await cli.run('connection', 'remove', 'build-box');
    await cli.addConnection(sshd, '--identity', identity);
    expect(await start('--allow', 'first-session')).toMatchObject({
      code: 6,
      document: { outcome: 'failed', error: { code: 'ssh.passphrase-needed', details: { file: identity } } },
    });
  });

  it('imports what the SSH and Hermes configuration name, once', async () => {
    await writeTree(folder, {
      '.ssh/config': 'Host far\n  HostName far.example\n  User ann\nHost code\n  HostName github.com\n',
      'hermes/.env': 'TERMINAL_ENV=ssh\nTERMINAL_SSH_HOST=box.example\nTERMINAL_SSH_USER=ann\n',
    });
    type Imported = { readonly proposals: readonly { savedAs: string | null }[]; readonly added: readonly string[] };
    const shown = await cli.run('connection', 'import');
    expect(shown.stdout).toMatch(/box\.example +ann@box\.example +new .*\n.*far +far +new /);
    expect((await cli.json<Imported>('connection', 'import', '--apply')).document.added).toEqual(['box.example', 'far']);
    const again = (await cli.json<Imported>('connection', 'import', '--apply')).document;
    expect([again.added, again.proposals.map(({ savedAs }) => savedAs)]).toEqual([[], ['box.example', 'far']]);
    expect((await cli.run('connection', 'import', 'nowhere')).code).toBe(2);
  });

  it('is served by a running serve, which keeps the data folder', async () => {
    await local.write({ 'skills/a/SKILL.md': 'a\n' });
    const serve = cli.spawn('serve');
    const exited = once(serve, 'exit');
    try {
      const [line] = (await once(createInterface(serve.stdout as Readable), 'line')) as [string];
      expect(line).toMatch(/^READY http:\/\/127\.0\.0\.1:\d+\//);
      const owner = async () =>
        JSON.parse((await readFile(join(cli.dataDir, 'owner.lock'), 'utf8')).split('\n')[0] ?? '') as { pid: number };
      expect((await owner()).pid).toBe(serve.pid);
      expect(await start()).toMatchObject({ code: 7, document: { stop: { guard: 'first-session' } } });
      expect(await start('--allow', 'first-session')).toMatchObject({ code: 0, document: { ledger: { written: { files: 1 } } } });
      expect(await end()).toMatchObject({ code: 0, document: { outcome: 'done' } });
      expect((await owner()).pid).toBe(serve.pid);
    } finally {
      serve.kill('SIGTERM');
    }
    expect((await exited)[0]).toBe(0);
    expect((await cli.json<{ readonly runs: readonly RunReport[] }>('history')).document.runs).toHaveLength(3);
  });
});

const isExecutable = (mode: number) => (mode & 0o100) !== 0;
