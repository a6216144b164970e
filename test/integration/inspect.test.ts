import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectLocal, inspectRemote, inspectSides } from '../../electron/hygiene/inspect';
import { connectSsh } from '../../electron/ssh/client';
import type { SshConnection } from '../../electron/ssh/ssh-connection';
import { isAppError } from '../../shared/errors';
import type { Inspection } from '../../shared/inspection';
import { createRules } from '../../shared/rules';
import { seededBytes } from '../contract/contract-side';
import { makeBusyboxPath } from '../support/busybox';
import { type SshdOptions, startSshd } from '../support/sshd';
import { makeTempFolder, readTree, removeTempFolder, sha256, type Tree, writeTree } from '../support/tree';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
const patience = AbortSignal.timeout(60_000);
const mtime = Date.UTC(2026, 8, 1, 12, 0, 0);

const archive = (seed: string): Buffer => gzipSync(seededBytes(6_000_000, seed), { level: 0 });
const archives = {
  first: archive('first'),
  second: archive('second'),
  third: archive('third'),
  cut: archive('cut').subarray(0, 5_900_000),
};
const lock = (installed: object): string => JSON.stringify({ version: 1, installed }, null, 2);
const hubLocks = {
  local: lock({ notes: { identifier: 'hub/notes', files: ['SKILL.md'] }, wiki: { identifier: 'hub/wiki' } }),
  remote: lock({
    notes: { files: ['SKILL.md'], identifier: 'hub/notes' },
    wiki: { identifier: 'hub/wiki', updated_at: 'later' },
    extra: {},
  }),
};
const backups = 'skills/.curator_backups';
const ids = {
  cut: '2026-05-03T07-00-00Z',
  short: '2026-05-02T08-00-00Z-01',
  good: '2026-05-02T08-00-00Z',
  copy: '2026-05-01T13-05-42Z',
};
const manifest = (id: string, reason: string, bytes: number): string =>
  JSON.stringify({ id, reason, created_at: '2026-05-02T10:00:00+02:00', archive: 'skills.tar.gz', archive_bytes: bytes, skill_files: 3 });

const remoteTree: Tree = {
  'skills/notes/SKILL.md': 'a skill',
  'skills/notes/node_modules/p/index.js': 'x'.repeat(5000),
  'skills/notes/node_modules/p/node_modules/q.js': 'x'.repeat(700),
  'skills/notes/node_modules/odd\nname 12 34\n.js': 'x'.repeat(30),
  'skills/.hub/lock.json': { text: hubLocks.remote, mtime },
  [`${backups}/${ids.cut}/skills.tar.gz`]: archives.cut,
  [`${backups}/${ids.short}/skills.tar.gz`]: archives.third,
  [`${backups}/${ids.short}/manifest.json`]: manifest(ids.short, 'manual', 17),
  [`${backups}/${ids.good}/skills.tar.gz`]: archives.second,
  [`${backups}/${ids.good}/manifest.json`]: manifest(ids.good, 'pre-run', archives.second.length),
  [`${backups}/${ids.copy}/skills.tar.gz`]: archives.first,
  [`${backups}/2026-05-04T00-00-00Z`]: { link: ids.good },
  [`${backups}/${ids.copy} (copy)/skills.tar.gz`]: 'not a restore point',
  [`${backups}/before-trip/skills.tar.gz`]: 'not one either',
  [`${backups}/.rollback-staging-x/part`]: 'left by a rollback',
  '.curator_backups/blobs/ab/cdef': 'ledger',
  'profiles/work/skills/.archive/old/SKILL.md': 'archived',
  [`profiles/work/${backups}/${ids.good}/skills.tar.gz`]: gzipSync('small'),
};
const localTree: Tree = {
  'config.yaml': 'terminal: {}',
  'skills/notes/SKILL.md': 'a skill',
  'skills/.hub/lock.json': { text: hubLocks.local, mtime },
  [`${backups}/${ids.copy}/skills.tar.gz`]: archives.first,
};

const manifestBytes = (id: string, reason: string, bytes: number): number => Buffer.byteLength(manifest(id, reason, bytes));
const shortBytes = archives.third.length + manifestBytes(ids.short, 'manual', 17);
const goodBytes = archives.second.length + manifestBytes(ids.good, 'pre-run', archives.second.length);
const foreignBytes = ids.good.length + 'not a restore point'.length + 'not one either'.length + 'left by a rollback'.length;
const remotePoints = {
  cut: { id: ids.cut, reason: null, createdAt: '2026-05-03T07:00:00.000Z', bytes: archives.cut.length },
  short: { id: ids.short, reason: 'manual', createdAt: '2026-05-02T08:00:00.000Z', bytes: shortBytes },
  good: { id: ids.good, reason: 'pre-run', createdAt: '2026-05-02T08:00:00.000Z', bytes: goodBytes },
  copy: { id: ids.copy, reason: null, createdAt: '2026-05-01T13:05:42.000Z', bytes: archives.first.length },
};
const mismatch = `its archive has ${archives.third.length} bytes, its manifest says 17`;

function expectedRemote(home: string, checked: boolean): Inspection['remote'] {
  const plain = { problem: null, copyOfOtherSide: false };
  const size = { estimated: false };
  const backupBytes = archives.cut.length + shortBytes + goodBytes + archives.first.length + foreignBytes;
  return {
    readable: true,
    problem: null,
    home,
    runsHermes: false,
    trees: [
      { name: '.curator_backups', path: backups, files: 10, bytes: backupBytes, ...size },
      { name: '.hub', path: 'skills/.hub', files: 1, bytes: Buffer.byteLength(hubLocks.remote), ...size },
      { name: 'node_modules', path: 'skills/notes/node_modules', files: 3, bytes: 5730, ...size },
    ],
    ledgerBlobs: { files: 1, bytes: 6 },
    profiles: [
      {
        name: 'work',
        trees: [
          { name: '.archive', path: 'skills/.archive', files: 1, bytes: 8, ...size },
          { name: '.curator_backups', path: backups, files: 1, bytes: gzipSync('small').length, ...size },
        ],
        restorePoints: [
          { ...remotePoints.good, ...plain, reason: null, bytes: gzipSync('small').length, restorable: checked ? true : null },
        ],
      },
    ],
    hubLock: {
      state: 'present',
      mtime: new Date(mtime).toISOString(),
      sha256: sha256(hubLocks.remote),
      verdict: 'differs',
      differingSkills: ['extra', 'wiki'],
    },
    restorePoints: [
      checked
        ? { ...remotePoints.cut, ...plain, restorable: false, problem: 'its archive is damaged: it cannot be unpacked to the end' }
        : { ...remotePoints.cut, ...plain, restorable: null },
      { ...remotePoints.short, ...plain, restorable: false, problem: mismatch },
      { ...remotePoints.good, ...plain, restorable: checked ? true : null },
      { ...remotePoints.copy, ...plain, restorable: null, copyOfOtherSide: checked },
    ],
    leftovers: [
      { path: 'skills/notes/node_modules', bytes: 5730, reason: expect.stringContaining('node_modules') },
      { path: `${backups}/.rollback-staging-x`, bytes: 18, reason: expect.stringContaining('rollback') },
    ],
  };
}

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

  it('gives the same numbers over SFTP alone, with archives not checked', async () => {
    const { inspection, wire } = await inspectBoth({ sftpOnly: true });
    expect(inspection.remote).toEqual(expectedRemote(remote, false));
    expect(wire).toBeLessThan(200_000);
  });

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
