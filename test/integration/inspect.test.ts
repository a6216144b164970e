import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectLocal, inspectRemote, inspectSides } from '../../electron/hygiene/inspect';
import { connectSsh } from '../../electron/ssh/client';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { isAppError } from '../../shared/errors';
import type { Inspection } from '../../shared/inspection';
import { makeBusyboxPath } from '../support/busybox';
import { startSshd } from '../support/sshd';
import type { SshdOptions } from '../support/sshd-config';
import { makeTempFolder, readTree, removeTempFolder, sha256, writeTree } from '../support/tree';
import { archives, backups, expectedRemote, hubLocks, localTree, mtime, remotePoints, remoteTree, rules } from './inspected-homes';

const patience = new AbortController().signal;

describe('inspect against a real SSH server', () => {
  let folder: string;
  let local: string;
  let remoteUser: string;
  let remote: string;
  const ends: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = await makeTempFolder('inspect');
    local = join(folder, 'local');
    remoteUser = join(folder, 'remote user');
    remote = join(remoteUser, '.hermes');
    for (const name of [local, remoteUser, join(folder, 'tmp')]) await mkdir(name);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await removeTempFolder(folder);
  });

  async function connect(options: SshdOptions = {}): Promise<SshConnection> {
    const sshd = await startSshd(options);
    ends.push(() => sshd.stop());
    const connection = await connectSsh(sshd.target(), { signal: patience, acceptHostKey: null });
    ends.push(() => connection.close());
    return connection;
  }

  const localSide = (profile: string | null = null) => ({ home: local, profile, rules, temporaryFolder: join(folder, 'tmp') });
  const remoteSide = (connection: SshConnection, profile: string | null = null) => ({ connection, remoteHome: remote, profile, rules });

  async function inspectBoth(options: SshdOptions): Promise<{ readonly inspection: Inspection; readonly wire: number }> {
    await writeTree(local, localTree);
    await writeTree(remote, remoteTree);
    const before = [await readTree(local), await readTree(remoteUser)];
    const connection = await connect(options);
    const inspection = await inspectSides({ local: localSide(), remote: remoteSide(connection) }, patience);
    expect([await readTree(local), await readTree(remoteUser)]).toEqual(before);
    const { sent, received } = connection.wire();
    return { inspection, wire: sent + received };
  }

  it('gives exact numbers of both sides, moves no archive and writes nothing', async () => {
    const { inspection, wire } = await inspectBoth({});
    expect(inspection.remote).toEqual(expectedRemote(remote, true));
    expect(inspection.local).toEqual({
      readable: true,
      problem: null,
      home: local,
      runsHermes: true,
      trees: [
        { name: '.curator_backups', path: backups, files: 1, bytes: archives.first.length, estimated: false },
        { name: '.hub', path: 'skills/.hub', files: 1, bytes: Buffer.byteLength(hubLocks.local), estimated: false },
      ],
      ledgerBlobs: { files: 0, bytes: 0 },
      profiles: [],
      hubLock: {
        state: 'present',
        mtime: new Date(mtime).toISOString(),
        sha256: sha256(hubLocks.local),
        verdict: 'differs',
        differingSkills: ['extra', 'wiki'],
      },
      restorePoints: [{ ...remotePoints.copy, problem: null, restorable: true, copyOfOtherSide: true }],
      leftovers: [],
    });
    expect(wire).toBeLessThan(200_000);
  });

  it.each(['fish', 'noisy', 'busybox'] as const)('gives the same numbers when the login shell is %s', async (login) => {
    const path = login === 'busybox' ? { path: makeBusyboxPath(join(folder, 'bin')) } : {};
    const { inspection } = await inspectBoth({ login, ...path });
    expect(inspection.remote).toEqual(expectedRemote(remote, true));
  });

  it('gives the same numbers by ls where there is no stat, marked as estimated where a name broke its lines', async () => {
    const path = makeBusyboxPath(join(folder, 'bin'), ['stat']);
    const { inspection } = await inspectBoth({ login: 'busybox', path });
    const expected = expectedRemote(remote, true);
    const trees = expected?.trees.map((tree) => ({
      ...tree,
      estimated: inspection.remote?.trees.find(({ name }) => name === tree.name)?.estimated,
    }));
    expect(inspection.remote?.trees).toEqual(trees);
    expect(inspection.remote?.restorePoints).toEqual(expected?.restorePoints);
  });

  it('takes SFTP where the shell has no find', async () => {
    const path = makeBusyboxPath(join(folder, 'bin'), ['find']);
    const { inspection } = await inspectBoth({ login: 'busybox', path });
    expect(inspection.remote).toEqual(expectedRemote(remote, false));
  });

  it('gives the same numbers over SFTP alone, with archives not checked', async () => {
    const { inspection, wire } = await inspectBoth({ sftpOnly: true });
    expect(inspection.remote).toEqual(expectedRemote(remote, false));
    expect(wire).toBeLessThan(200_000);
  });

  it('costs no more on the wire for 100 000 files in refused trees', async () => {
    const trees = { 'skills/web/node_modules': 60_000, 'skills/.archive': 40_000 };
    await writeTree(remote, { 'skills/web/SKILL.md': 'a skill' });
    for (const [path, count] of Object.entries(trees)) {
      await mkdir(join(remote, path));
      execFileSync('sh', ['-c', `seq 1 ${count} | xargs touch`], { cwd: join(remote, path) });
    }
    const connection = await connect();
    const found = await inspectRemote(remoteSide(connection), patience);
    expect(Object.fromEntries(found.own.trees.map(({ path, files }) => [path, files]))).toEqual(trees);
    const { sent, received } = connection.wire();
    expect(sent + received).toBeLessThan(200_000);
    // Making and removing so many files is what takes long.
  }, 240_000);

  it('looks at the chosen profile, and still lists all profiles', async () => {
    await writeTree(remote, remoteTree);
    const connection = await connect();
    const found = await inspectRemote(remoteSide(connection, 'work'), patience);
    expect({ home: found.home, trees: found.own.trees.map(({ path }) => path) }).toEqual({
      home: `${remote}/profiles/work`,
      trees: [backups, 'skills/.archive'].sort(),
    });
    expect(found.profiles.map(({ name }) => name)).toEqual(['work']);
  });

  it.each([
    ['a shell', {}],
    ['SFTP alone', { sftpOnly: true }],
  ] as const)('says that there is no Hermes home, through %s', async (_, options) => {
    const connection = await connect(options);
    const { remote: side } = await inspectSides({ local: null, remote: remoteSide(connection) }, patience);
    expect({ readable: side?.readable, problem: side?.problem, points: side?.restorePoints }).toEqual({
      readable: false,
      problem: `There is no Hermes home at ${remote}.`,
      points: [],
    });
    expect(await readTree(remoteUser)).toEqual(new Map());
  });

  it.each([
    ['a shell', {}],
    ['SFTP alone', { sftpOnly: true }],
  ] as const)('says that restore points behind a link were not looked at, through %s', async (_, options) => {
    const linked = { 'elsewhere/2026-05-01T04-00-00Z/skills.tar.gz': 'x', [backups]: { link: '../elsewhere' } };
    await writeTree(local, linked);
    await writeTree(remote, { ...linked, [`profiles/work/${backups}`]: { link: '../../../elsewhere' } });
    const connection = await connect(options);
    const { local: here, remote: there } = await inspectSides({ local: localSide(), remote: remoteSide(connection) }, patience);
    const said = (path: string) => `${path} is a link: nothing in it was looked at, and nothing will be touched.`;
    const advice = 'Put the folder itself there to see and prune its restore points.';
    expect(here).toMatchObject({ readable: true, restorePoints: [], problem: `${said(backups)} ${advice}` });
    expect(there).toMatchObject({
      readable: true,
      restorePoints: [],
      problem: `${said(backups)} ${said(`profiles/work/${backups}`)} ${advice}`,
    });
  });

  it('finds the default home in the account’s folder, and Hermes on its path', async () => {
    await writeTree(remote, { 'skills/notes/SKILL.md': 'a skill' });
    await writeTree(remoteUser, { '.local/bin/hermes': { text: '#!/bin/sh\n', executable: true } });
    const connection = await connect({ home: remoteUser });
    const found = await inspectRemote({ connection, remoteHome: null, profile: null, rules }, patience);
    expect({ home: found.home, problem: found.problem, runsHermes: found.runsHermes }).toEqual({
      home: remote,
      problem: null,
      runsHermes: true,
    });
  });

  it('names the folder whose absence makes a remote home impossible', async () => {
    const connection = await connect();
    const inspecting = inspectRemote({ connection, remoteHome: join(folder, 'nowhere', 'hermes'), profile: null, rules }, patience);
    const error = await inspecting.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isAppError(error, 'remote.home-missing') ? error.details.path : error).toBe(join(folder, 'nowhere'));
  });

  it('says so when the account gives neither a shell nor SFTP', async () => {
    const connection = await connect({ login: 'closed' });
    const error = await inspectRemote(remoteSide(connection), patience).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isAppError(error, 'ssh.no-shell') ? error.code : error).toBe('ssh.no-shell');
  });

  it('lists what killed sync-backs left in the temporary folder, and not what a running one uses', async () => {
    await writeTree(local, localTree);
    await writeTree(join(folder, 'tmp'), {
      'hermes-sync-back-4194999-ab/part.tar': 'twelve bytes',
      [`hermes-sync-back-${process.pid}-cd/part.tar`]: 'in use',
      'hermes-sync-back-notes.txt': 'no process in its name',
    });
    const { local: side } = await inspectSides({ local: localSide(), remote: null }, patience);
    expect(side?.leftovers).toEqual([
      { path: join(folder, 'tmp', 'hermes-sync-back-4194999-ab'), bytes: 12, reason: expect.stringContaining('sync-back') },
    ]);
  });

  it('ends with run.cancelled when it is cancelled, on either side', async () => {
    await writeTree(local, localTree);
    const connection = await connect();
    const cancelled = AbortSignal.abort();
    const codes = await Promise.all(
      [inspectLocal(localSide(), cancelled), inspectRemote(remoteSide(connection), cancelled)].map((inspecting) =>
        inspecting.then(
          () => 'no error',
          (reason: unknown) => (isAppError(reason) ? reason.code : String(reason)),
        ),
      ),
    );
    expect(codes).toEqual(['run.cancelled', 'run.cancelled']);
  });
});
