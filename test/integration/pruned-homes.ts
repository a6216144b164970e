import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { seededBytes } from '../contract/contract-side';
import { sha256, type Tree, type TreeImage } from '../support/tree';

export const backups = 'skills/.curator_backups';

/** An archive of so many bytes or a little more, the same every time. */
export const archive = (seed: string, bytes = 50_000): Buffer => gzipSync(seededBytes(bytes, seed), { level: 0 });
const manifest = (id: string, bytes: number): string => JSON.stringify({ id, reason: 'pre-run', archive_bytes: bytes });

export const ids = {
  future: '2999-01-01T00-00-00Z',
  cut: '2026-05-10T04-00-00Z',
  newest: '2026-05-09T04-00-00Z-01',
  sameSecond: '2026-05-09T04-00-00Z',
  copy: '2026-05-02T04-00-00Z',
  oldest: '2026-05-01T04-00-00Z',
} as const;

const old = Date.UTC(2026, 4, 1);

function restorePoint(id: string, bytes: Buffer, mtime: number): Tree {
  return {
    [`${backups}/${id}/skills.tar.gz`]: { text: bytes, mtime },
    [`${backups}/${id}/manifest.json`]: { text: manifest(id, bytes.length), mtime: mtime + 1000, mode: 0o600 },
  };
}

/** A remote with everything a prune could take for a restore point, times shuffled against the ids. */
export const remoteTree: Tree = {
  'skills/notes/SKILL.md': 'a skill',
  ...restorePoint(ids.future, archive('future'), old + 1000),
  [`${backups}/${ids.cut}/skills.tar.gz`]: { text: archive('cut').subarray(0, 40_000), mtime: old + 3000 },
  ...restorePoint(ids.newest, archive('newest'), old),
  ...restorePoint(ids.sameSecond, archive('same'), old + 9000),
  ...restorePoint(ids.copy, archive('copy'), old + 5000),
  ...restorePoint(ids.oldest, archive('oldest'), old + 20_000),
  [`${backups}/2026-05-03T04-00-00Z`]: { link: ids.oldest },
  [`${backups}/before-trip/skills.tar.gz`]: archive('trip', 1000),
  [`${backups}/${ids.oldest} (copy)/skills.tar.gz`]: archive('oldest'),
  [`${backups}/.rollback-staging-x/part`]: { text: 'left by a rollback', mtime: old },
  [`${backups}/notes.txt`]: 'a file',
  '.curator_backups/blobs/ab/cdef': 'ledger',
  'skills/notes/node_modules/p/index.js': 'x'.repeat(5000),
  'skills/notes/node_modules/.bin/p': { link: '../p/index.js' },
  'skills/.hub/lock.json': '{"installed":{}}',
  'skills/.archive/gone/SKILL.md': 'archived',
};

export const localTree: Tree = {
  'skills/notes/SKILL.md': 'a skill',
  ...restorePoint(ids.newest, archive('newest'), old),
  ...restorePoint(ids.copy, archive('copy'), old + 7000),
  ...restorePoint(ids.oldest, archive('other'), old + 8000),
  [`${backups}/before-trip/skills.tar.gz`]: archive('trip', 1000),
};

/** Gives folders times of their own: writing a tree has made all of them now. */
export function ageFolders(home: string, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const at = join(home, backups, name);
    mkdirSync(at, { recursive: true });
    const seconds = old / 1000 + index * 77;
    utimesSync(at, seconds, seconds);
  }
}

/** What one restore point takes. */
export function pointBytes(id: string, seed: string): number {
  return archive(seed).length + Buffer.byteLength(manifest(id, archive(seed).length));
}

/** Everything but what this app keeps in a home, with hashes. */
export function digest(images: ReadonlyMap<string, TreeImage>): string {
  return sha256(JSON.stringify([...images].filter(([path]) => path.split('/')[0] !== '.ebbgate')));
}
