import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConnections } from '../../../electron/app/connections';
import { type ConnectionStore, foldName } from '../../../electron/store/connections';
import type { Connection, NewConnection } from '../../../shared/connection';
import { AppError } from '../../../shared/errors';

function inMemory(): ConnectionStore {
  let all: readonly Connection[] = [];
  return {
    list: () => all,
    async add(connection) {
      if (all.some(({ name }) => foldName(name) === foldName(connection.name)))
        throw new AppError('connection.exists', { name: connection.name });
      all = [...all, connection];
    },
    async remove(id) {
      all = all.filter((connection) => connection.id !== id);
      return true;
    },
  };
}

const connections = () => createConnections(inMemory(), { now: () => 0, localHome: () => '/home/u/.hermes' });
const box: NewConnection = { name: 'box', address: { kind: 'address', user: 'u', host: 'h', port: 22 } };

describe('connections', () => {
  it('fill in the defaults', async () => {
    expect(await connections().add(box)).toEqual({
      ...box,
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      identityFile: null,
      knownHostsFile: null,
      acceptedHostKey: null,
      useSshConfig: true,
      localHome: '/home/u/.hermes',
      remoteHome: null,
      profile: null,
      roots: ['skills'],
      newSkills: 'bring',
      userRules: [],
      lifted: [],
      createdAt: '1970-01-01T00:00:00.000Z',
    });
  });

  it('are found by id, by name, and by name in other letters', async () => {
    const all = connections();
    const added = await all.add({ ...box, name: 'Büro' });
    for (const wanted of [added.id, 'Büro', 'BÜRO', 'Bu\u0308ro']) expect(all.find(wanted)).toBe(added);
    expect(() => all.find('other')).toThrow(expect.objectContaining({ code: 'connection.unknown', details: { name: 'other' } }));
    await expect(all.add({ ...box, name: 'büro' })).rejects.toMatchObject({ code: 'connection.exists' });
    expect(await all.remove('büro')).toBe(added);
    expect(all.list()).toEqual([]);
    await expect(all.remove('büro')).rejects.toMatchObject({ code: 'connection.unknown' });
  });

  it.each(['', 'x'.repeat(65), '-box', 'a\nb', 'a\u0000', 'a\u202eb', ' box', 'box '])('refuse the name %j', async (name) => {
    await expect(connections().add({ ...box, name })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it.each(['b', 'x'.repeat(64), 'my box', '漢字', '🦀'.repeat(64), '..', 'a/b'])('take the name %j', async (name) => {
    expect((await connections().add({ ...box, name })).name).toBe(name);
  });

  it.each<NewConnection['address']>([
    { kind: 'address', user: '', host: 'h', port: 22 },
    { kind: 'address', user: '-l', host: 'h', port: 22 },
    { kind: 'address', user: 'u', host: '', port: 22 },
    { kind: 'address', user: 'u', host: '-oProxyCommand=x', port: 22 },
    { kind: 'address', user: 'u', host: 'a b', port: 22 },
    { kind: 'address', user: 'u', host: 'a/b', port: 22 },
    { kind: 'address', user: 'u', host: 'a@b', port: 22 },
    { kind: 'address', user: 'u', host: 'h', port: 0 },
    { kind: 'address', user: 'u', host: 'h', port: 65_536 },
    { kind: 'alias', alias: '' },
    { kind: 'alias', alias: '-x' },
    { kind: 'alias', alias: '*.example' },
  ])('refuse the address %j', async (address) => {
    await expect(connections().add({ ...box, address })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it.each([
    '',
    '.',
    './x',
    '~',
    '~/',
    '~//',
    '/',
    '//',
    '/x',
    '/x/',
    'x/y',
    '~user/x',
    '/x/../y',
    '/x/./y',
    '~/..',
    '~/a/..',
    '$HOME/x',
    '/a/b\n',
  ])('refuse the remote home %j', async (remoteHome) => {
    await expect(connections().add({ ...box, remoteHome })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it.each([
    ['~/.hermes', '~/.hermes'],
    ['~//a//b/', '~/a/b'],
    ['/srv//hermes/', '/srv/hermes'],
    ['/home/u/.hermes', '/home/u/.hermes'],
  ])('take the remote home %j as %j', async (remoteHome, kept) => {
    expect((await connections().add({ ...box, remoteHome })).remoteHome).toBe(kept);
  });

  it.each([
    [[]],
    [['']],
    [['/skills']],
    [['skills/']],
    [['..']],
    [['skills/../x']],
    [['./skills']],
    [['-skills']],
    [['sk ills']],
    [['skills', 'skills']],
    [['skills', 'skills/a']],
    [['a/b/c', 'a/b']],
    ...['config.yaml', '.env', 'auth.json', 'state.db', 'state.db-wal', 'sessions', 'Logs', 'memories', 'cron', 'profiles/x/skills'].map(
      (root) => [[root]],
    ),
    ...['.ebbgate', '.curator_backups', 'skills/.hub', 'skills/node_modules', '.Git'].map((root) => [[root]]),
  ])('refuse the roots %j', async (roots) => {
    await expect(connections().add({ ...box, roots })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('take roots beside each other whose names begin alike', async () => {
    const roots = ['skills', 'skills-2', 'plugins/a', 'plugins/ab'];
    expect((await connections().add({ ...box, roots })).roots).toEqual(roots);
  });

  it('make local paths absolute', async () => {
    const added = await connections().add({ ...box, identityFile: '~/.ssh/id', knownHostsFile: 'known', localHome: 'there' });
    expect(added).toMatchObject({
      identityFile: join(homedir(), '.ssh/id'),
      knownHostsFile: resolve('known'),
      localHome: resolve('there'),
    });
  });

  it.each([
    { localHome: '/' },
    { localHome: '' },
    { identityFile: '' },
    { profile: '../x' },
    { profile: '' },
    { acceptHostKey: 'SHA256:short' },
  ])('refuse %j', async (change) => {
    await expect(connections().add({ ...box, ...change })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('keep a fingerprint without its padding', async () => {
    const key = `SHA256:${'A'.repeat(43)}`;
    expect((await connections().add({ ...box, acceptHostKey: `${key}=` })).acceptedHostKey).toBe(key);
  });
});
