import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SFTPWrapper } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSftpEndpoint } from '../../electron/endpoints/remote-sftp';
import type { Endpoint, IncomingFile } from '../../electron/engine/endpoint';
import { connectSsh } from '../../electron/ssh/client';
import { isAppError } from '../../shared/errors';
import { applyChanges, incoming, listSkills, patience, readAll, write } from '../contract/contract-side';
import { changeSftp, statusError } from '../support/sftp-faults';
import { startSshd, type TestSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';
import { folderHome, makeTempFolder, readTree, removeTempFolder, writeTree } from '../support/tree';

describe('the SFTP endpoint against a real SSH server', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let parent: string;
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd({ sftpOnly: true });
  });
  afterAll(() => sshd.stop());
  beforeEach(async () => {
    parent = await makeTempFolder('sftp-more');
    await mkdir(join(parent, 'hermes'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await removeTempFolder(parent);
  });

  interface More {
    readonly remoteHome?: string | null;
    readonly clientId?: string;
    readonly profile?: string;
    readonly change?: (sftp: SFTPWrapper) => void;
    readonly server?: TestSshd;
  }

  async function open({
    server = sshd,
    change,
    remoteHome = join(parent, 'hermes'),
    clientId = 'laptop',
    profile,
  }: More = {}): Promise<Endpoint> {
    const connection = await connectSsh(server.target(), { signal: patience, acceptHostKey: null });
    const changed = change === undefined ? connection : changeSftp(connection, change);
    const endpoint = createSftpEndpoint({ connection: changed, remoteHome, profile: profile ?? null, clientId, now: Date.now });
    ends.push(
      () => connection.close(),
      () => endpoint.close(),
    );
    return endpoint;
  }

  const started = async (options: SshdOptions): Promise<TestSshd> => {
    const server = await startSshd(options);
    ends.push(() => server.stop());
    return server;
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (isAppError(error) ? error.code : String(error)),
    );
  const names = async (): Promise<readonly string[]> => [...(await readTree(join(parent, 'hermes'))).keys()].sort();

  it('finds .hermes in the account’s folder, and a home given by ~/', async () => {
    const server = await started({ sftpOnly: true, home: parent });
    await writeTree(parent, { '.hermes/skills/a.md': 'one', 'other/skills/b.md': 'two' });
    const first = await listSkills(await open({ server, remoteHome: null }));
    const second = await listSkills(await open({ server, remoteHome: '~/other' }));
    expect([first, second].map(({ home, entries }) => [home, ...entries.keys()])).toEqual([
      [join(parent, '.hermes'), 'skills/a.md'],
      [join(parent, 'other'), 'skills/b.md'],
    ]);
  });

  it.each([
    ['the account’s own folder', '~', 'remote.home-invalid'],
    ['a relative path', 'hermes', 'remote.home-invalid'],
    ['nothing', '', 'remote.home-invalid'],
    ['a folder of the disk’s root', '/srv', 'remote.home-invalid'],
    ['the root', '/', 'remote.home-invalid'],
    ['a way through ..', '/srv/a/../../b', 'remote.home-invalid'],
    ['another user’s folder', '~root/x', 'remote.home-invalid'],
    ['a folder whose parent is missing', '~/nowhere/hermes', 'remote.home-missing'],
  ])('refuses %s as the home and makes nothing', async (_, remoteHome, code) => {
    const server = await started({ sftpOnly: true, home: parent });
    const endpoint = await open({ server, remoteHome });
    expect(
      await codeOf(endpoint.apply({ changes: [write('skills/a.md', 'one')], contents: incoming({ 'skills/a.md': 'one' }) }, patience)),
    ).toBe(code);
    expect([...(await readTree(parent)).keys()]).toEqual(['hermes']);
  });

  it('refuses a link that leads to the account’s own folder', async () => {
    const server = await started({ sftpOnly: true, home: parent });
    await writeTree(parent, { disguise: { link: '.' } });
    expect(await codeOf(listSkills(await open({ server, remoteHome: '~/disguise' })))).toBe('remote.home-invalid');
  });

  it('makes a profile’s home with the first write, and lists it as missing before', async () => {
    const endpoint = await open({ profile: 'work' });
    const before = await listSkills(endpoint);
    await applyChanges(endpoint, [write('skills/a.md', 'one')], { 'skills/a.md': 'one' });
    expect([before.missingRoots, before.freeBytes === null, await names()]).toEqual([
      ['skills'],
      false,
      ['profiles', 'profiles/work', 'profiles/work/skills', 'profiles/work/skills/a.md'],
    ]);
  });

  it('gives files 0644 or 0755 and new folders 0755, whatever was there', async () => {
    await writeTree(join(parent, 'hermes'), { 'skills/a.md': { text: 'one', mode: 0o666 } });
    const endpoint = await open();
    const expected = (await listSkills(endpoint)).entries.get('skills/a.md') ?? null;
    const changes = [write('skills/a.md', 'two two', { expected }), write('skills/new/run.sh', '#!/bin/sh', { executable: true })];
    await applyChanges(endpoint, changes, { 'skills/a.md': 'two two', 'skills/new/run.sh': '#!/bin/sh' });
    const tree = await readTree(join(parent, 'hermes'));
    const modes = ['skills/a.md', 'skills/new', 'skills/new/run.sh'].map((path) => {
      const image = tree.get(path);
      return image !== undefined && 'mode' in image ? image.mode?.toString(8) : undefined;
    });
    expect(modes).toEqual(['644', '755', '755']);
  });

  it('sweeps what a broken run of the same client left, and nothing of another’s', async () => {
    const writing = async (clientId: string, change: (sftp: SFTPWrapper) => void): Promise<string> => {
      const endpoint = await open({ clientId, change });
      return codeOf(endpoint.apply({ changes: [write('skills/a.md', 'one')], contents: incoming({ 'skills/a.md': 'one' }) }, patience));
    };
    const breakOff = (sftp: SFTPWrapper): void => {
      Object.assign(sftp, { fsetstat: () => sftp.end() });
    };
    expect([await writing('laptop', breakOff), await writing('desktop', breakOff)]).toEqual(['ssh.lost', 'ssh.lost']);
    expect((await names()).filter((name) => name.includes('.ebbgate-new-'))).toHaveLength(2);
    const endpoint = await open({ clientId: 'laptop' });
    await listSkills(endpoint);
    await applyChanges(endpoint, [write('skills/b.md', 'two two')], { 'skills/b.md': 'two two' });
    expect((await names()).filter((name) => name.includes('.ebbgate-new-'))).toHaveLength(1);
  });

  it('ends with ssh.lost when the link drops, with every file old or new', async () => {
    const server = await started({ sftpOnly: true });
    await writeTree(join(parent, 'hermes'), { 'skills/a.md': 'as it was' });
    const endpoint = await open({ server });
    const expected = (await listSkills(endpoint)).entries.get('skills/a.md') ?? null;
    const contents = (async function* (): AsyncGenerator<IncomingFile> {
      yield {
        path: 'skills/a.md',
        size: 7,
        body: (async function* () {
          yield Buffer.from('changed');
        })(),
      };
      server.dropConnections();
      await new Promise(() => undefined);
    })();
    const changes = [write('skills/a.md', 'changed', { expected }), write('skills/b.md', 'never')];
    expect(await codeOf(endpoint.apply({ changes, contents }, patience))).toBe('ssh.lost');
    const image = (await readTree(join(parent, 'hermes'))).get('skills/a.md');
    expect(['as it was', 'changed']).toContain(image?.kind === 'file' ? image.text : image);
  });

  it('says remote.disk-full when the server only says that it failed and no space is left', async () => {
    const full = (sftp: SFTPWrapper): void => {
      const fail = (...rest: unknown[]): void => {
        setImmediate(() => (rest.at(-1) as (error: Error) => void)(statusError(4, 'Failure')));
      };
      const noSpace = (_: string, done: (error: undefined, facts: object) => void): void => {
        setImmediate(() => done(undefined, { f_frsize: 4096, f_bavail: 0 }));
      };
      Object.assign(sftp, { write: fail, ext_openssh_statvfs: noSpace });
    };
    const endpoint = await open({ change: full });
    const request = { changes: [write('skills/a.md', 'one')], contents: incoming({ 'skills/a.md': 'one' }) };
    expect(await codeOf(endpoint.apply(request, patience))).toBe('remote.disk-full');
    expect(await names()).toEqual(['skills']);
  });

  it('notices a later write of the same length in the same second', async () => {
    const stealthy = folderHome(join(parent, 'hermes'));
    await stealthy.write({ 'skills/a.md': 'old text', 'skills/b.md': 'old text' });
    const endpoint = await open();
    const listing = await listSkills(endpoint);
    await stealthy.stealthEdit('skills/a.md', 'new text');
    const changes = [...listing.entries].map(([path, expected]) => write(path, 'incoming', { expected }));
    const results = await applyChanges(endpoint, changes, { 'skills/a.md': 'incoming', 'skills/b.md': 'incoming' });
    expect(results).toEqual({ 'skills/a.md': expect.stringContaining('changed'), 'skills/b.md': true });
  });

  it('refuses content that is not what its hash says', async () => {
    const endpoint = await open();
    const results = await applyChanges(endpoint, [write('skills/a.md', 'announced')], { 'skills/a.md': 'different' });
    expect([results, await names()]).toEqual([{ 'skills/a.md': expect.stringContaining('changed') }, ['skills']]);
  });

  it('streams a thousand small files in the order asked', async () => {
    const paths = Array.from({ length: 1000 }, (_, index) => `skills/${index % 7}/${index}.md`);
    await writeTree(join(parent, 'hermes'), Object.fromEntries(paths.map((path, index) => [path, 'x'.repeat(index)])));
    const endpoint = await open();
    const read = await readAll(
      endpoint.read(
        paths.map((path, index) => ({ path, size: index })),
        patience,
      ),
    );
    expect(read).toEqual(paths.map((path, index) => [path, 'x'.repeat(index)]));
  });

  it('says that an account which prints text on login has no usable SFTP', async () => {
    const server = await started({ login: 'noisy' });
    const error = await listSkills(await open({ server })).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isAppError(error, 'ssh.no-shell') ? error.details.detail : error).toContain('prints text on login');
  });
});
