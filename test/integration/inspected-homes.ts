import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Inspection } from '../../shared/inspection';
import { createRules } from '../../shared/rules';
import { seededBytes } from '../contract/contract-side';
import { sha256, type Tree } from '../support/tree';

export const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
export const mtime = Date.UTC(2026, 8, 1, 12, 0, 0);

const archive = (seed: string): Buffer => gzipSync(seededBytes(6_000_000, seed), { level: 0 });
export const archives = {
  first: archive('first'),
  second: archive('second'),
  third: archive('third'),
  cut: archive('cut').subarray(0, 5_900_000),
};
const lock = (installed: object): string => JSON.stringify({ version: 1, installed }, null, 2);
export const hubLocks = {
  local: lock({ notes: { identifier: 'hub/notes', files: ['SKILL.md'] }, wiki: { identifier: 'hub/wiki' } }),
  remote: lock({
    notes: { files: ['SKILL.md'], identifier: 'hub/notes' },
    wiki: { identifier: 'hub/wiki', updated_at: 'later' },
    extra: {},
  }),
};
export const backups = 'skills/.curator_backups';
const ids = {
  cut: '2026-05-03T07-00-00Z',
  short: '2026-05-02T08-00-00Z-01',
  good: '2026-05-02T08-00-00Z',
  copy: '2026-05-01T13-05-42Z',
};
const manifest = (id: string, reason: string, bytes: number): string =>
  JSON.stringify({ id, reason, created_at: '2026-05-02T10:00:00+02:00', archive: 'skills.tar.gz', archive_bytes: bytes, skill_files: 3 });

export const remoteTree: Tree = {
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
export const localTree: Tree = {
  'config.yaml': 'terminal: {}',
  'skills/notes/SKILL.md': 'a skill',
  'skills/.hub/lock.json': { text: hubLocks.local, mtime },
  [`${backups}/${ids.copy}/skills.tar.gz`]: archives.first,
};

const manifestBytes = (id: string, reason: string, bytes: number): number => Buffer.byteLength(manifest(id, reason, bytes));
const shortBytes = archives.third.length + manifestBytes(ids.short, 'manual', 17);
const goodBytes = archives.second.length + manifestBytes(ids.good, 'pre-run', archives.second.length);
const foreignBytes = ids.good.length + 'not a restore point'.length + 'not one either'.length + 'left by a rollback'.length;
export const remotePoints = {
  cut: { id: ids.cut, reason: null, createdAt: '2026-05-03T07:00:00.000Z', bytes: archives.cut.length },
  short: { id: ids.short, reason: 'manual', createdAt: '2026-05-02T08:00:00.000Z', bytes: shortBytes },
  good: { id: ids.good, reason: 'pre-run', createdAt: '2026-05-02T08:00:00.000Z', bytes: goodBytes },
  copy: { id: ids.copy, reason: null, createdAt: '2026-05-01T13:05:42.000Z', bytes: archives.first.length },
};
const mismatch = `its archive has ${archives.third.length} bytes, its manifest says 17`;

/** What inspection shows of the remote tree; archives are checked where a shell can, not over SFTP. */
export function expectedRemote(home: string, checked: boolean): Inspection['remote'] {
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
