import { describe, expect, it } from 'vitest';
import { collectFindings } from '../../../electron/hygiene/collect';
import { describeSide, type Findings } from '../../../electron/hygiene/findings';
import type { SeenEntry, TreeReader } from '../../../electron/hygiene/tree-reader';
import { createRules } from '../../../shared/rules';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
const id = (day: number): string => `2026-05-0${day}T13-05-42Z`;
const backups = '/h/skills/.curator_backups';

/** A disk as a table: text of a file, `null` for what cannot be read; folders are where files are. */
function tableReader(files: Readonly<Record<string, string | null>>, asked: string[] = []): TreeReader {
  const kindAt = (path: string): SeenEntry['kind'] | null =>
    path in files ? 'file' : Object.keys(files).some((file) => file.startsWith(`${path}/`)) ? 'folder' : null;
  const entry = (path: string, kind: SeenEntry['kind']): SeenEntry => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    kind,
    size: files[path]?.length ?? 7,
    mtime: 0,
  });
  const locked = (path: string): boolean => files[`${path}/locked`] === null;
  return {
    look: async (path) => {
      const kind = kindAt(path);
      return kind === null ? 'missing' : entry(path, kind);
    },
    list: async (folder) => {
      asked.push(folder);
      if (kindAt(folder) !== 'folder') return 'missing';
      if (locked(folder)) return 'unreadable';
      const below = Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
      const names = new Set(below.map((file) => file.slice(folder.length + 1).split('/')[0] ?? ''));
      return [...names].map((name) => entry(`${folder}/${name}`, kindAt(`${folder}/${name}`) ?? 'other'));
    },
    read: async (file) => {
      const content = files[file];
      return content === undefined ? 'missing' : content === null ? 'unreadable' : Buffer.from(content);
    },
    gunzips: async (file) => {
      asked.push(file);
      return files[file] === null ? 'unreadable' : files[file] !== 'damaged';
    },
  };
}

function collect(files: Readonly<Record<string, string | null>>, asked?: string[]): Promise<Findings> {
  const request = { side: 'remote', base: '/h', profile: null, rules, evidence: ['/bin/hermes'], remains: [], now: null } as const;
  return collectFindings(tableReader(files, asked), request);
}

describe('collectFindings', () => {
  it.each([
    ['the home is missing', {}, 'There is no Hermes home at /h.'],
    ['the home cannot be read', { '/h/locked': null }, 'The Hermes home /h cannot be read.'],
    ['the home is a file', { '/h': 'text' }, '/h is not a folder.'],
    ['skills cannot be read', { '/h/skills/locked': null }, 'The folder /h/skills cannot be read.'],
    ['there are no skills', { '/h/SOUL.md': 'x' }, null],
  ])('says what is the matter when %s', async (_, files, problem) => {
    expect((await collect(files)).problem).toBe(problem);
  });

  it('marks what it could not read as estimated, and says that there may be more', async () => {
    const findings = await collect({ '/h/skills/a/.venv/x': '12', '/h/skills/a/.venv/deep/locked': null, '/h/skills/b/locked': null });
    const side = describeSide(findings, null);
    expect({ trees: side.trees, readable: side.readable, problem: side.problem }).toEqual({
      trees: [{ name: '.venv', path: 'skills/a/.venv', files: 1, bytes: 2, estimated: true }],
      readable: true,
      problem: 'Some folders below skills could not be read; there may be more in them.',
    });
  });

  it('unpacks archives from the newest on until the first good one', async () => {
    const asked: string[] = [];
    const archive = (day: number): string => `${backups}/${id(day)}/skills.tar.gz`;
    const files = {
      [archive(1)]: 'never needed',
      [archive(2)]: 'good',
      [archive(3)]: null,
      [archive(4)]: 'damaged',
      [archive(5)]: 'known to be short',
      [`${backups}/${id(5)}/manifest.json`]: '{"archive_bytes": 1}',
      [`${backups}/${id(6)}/manifest.json`]: '{}',
    };
    const { restorePoints } = describeSide(await collect(files, asked), null);
    expect(asked.filter((path) => path.endsWith('.gz'))).toEqual([archive(4), archive(3), archive(2)]);
    expect(restorePoints.map(({ restorable }) => restorable)).toEqual([false, false, false, null, true, null]);
  });

  it('reads no folder inside an excluded one twice over, and none through another name', async () => {
    const asked: string[] = [];
    const findings = await collect({ '/h/skills/node_modules/a/node_modules/b.js': '123', '/h/skills/notes/venv-guide.md': 'x' }, asked);
    expect(findings.own.trees).toEqual([{ name: 'node_modules', path: 'skills/node_modules', files: 1, bytes: 3, complete: true }]);
    expect(asked.filter((path) => path.startsWith('/h/skills/node_modules')).sort()).toEqual([
      '/h/skills/node_modules',
      '/h/skills/node_modules/a',
      '/h/skills/node_modules/a/node_modules',
    ]);
  });

  it.each([
    ['state.db in the home', { '/h/state.db': '' }, true],
    ['an executable on the path', { '/h/SOUL.md': '', '/bin/hermes': '' }, true],
    ['an executable in its own environment', { '/h/hermes-agent/venv/bin/hermes': '' }, true],
    ['restore points and ledger blobs', { [`${backups}/${id(1)}/skills.tar.gz`]: 'x', '/h/.curator_backups/blobs/ab': 'x' }, false],
  ])('takes %s for evidence that it runs Hermes: %s', async (_, files, runs) => {
    expect((await collect(files)).runsHermes).toBe(runs);
  });

  it('tells a hub lock that cannot be read from one that is not there', async () => {
    const [unreadable, missing] = await Promise.all([collect({ '/h/skills/.hub/lock.json': null }), collect({ '/h/skills/.hub/x': '' })]);
    expect([unreadable.hubLock.state, missing.hubLock.state]).toEqual(['unreadable', 'missing']);
  });
});
