import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestCli, testCli } from './test-cli';

let folder: string;
let cli: TestCli;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  cli = testCli(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
