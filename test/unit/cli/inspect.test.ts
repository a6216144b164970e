import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors';
import type { InspectedSide, RestorePoint } from '../../../shared/inspection';
import { testCli } from './test-cli';

const point = (day: number, parts: Partial<RestorePoint> = {}): RestorePoint => ({
  ...{ id: `2026-11-${String(day).padStart(2, '0')}T04-00-00Z`, reason: null, createdAt: null, bytes: 4_000_000 },
  ...{ restorable: null, problem: null, copyOfOtherSide: false, ...parts },
});

const side = (parts: Partial<InspectedSide> = {}): InspectedSide => ({
  ...{ readable: true, problem: null, home: '/home/me/.hermes', runsHermes: false, trees: [], profiles: [], restorePoints: [] },
  ...{ ledgerBlobs: { files: 0, bytes: 0 }, leftovers: [] },
  hubLock: { state: 'missing', mtime: null, sha256: null, verdict: 'unknown', differingSkills: [] },
  ...parts,
});

const parity = { state: 'not-found', file: null, added: [], absent: [], unusable: [] } as const;

describe('inspect', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ebbgate-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('says what of a side was not looked at, with what was', async () => {
    const local = side({ problem: 'skills/.curator_backups is a link.', runsHermes: true });
    const { out } = await testCli(folder, { inspect: async () => ({ local, remote: null, parity }) }).run('inspect', 'box');
    expect(out).toMatch(/^This computer: \/home\/me\/\.hermes\n {2}skills\/\.curator_backups is a link\.\n {2}Hermes +runs here\n/);
  });

  it('says of the hub lock and of each restore point what there is to say', async () => {
    const local = side({
      hubLock: {
        ...{ state: 'present', mtime: '2026-11-10T09:00:00.000Z', sha256: 'ab'.repeat(32), verdict: 'differs' },
        differingSkills: ['git-workflow'],
      },
      restorePoints: [
        point(20, { restorable: false, problem: 'cut short' }),
        point(13, { restorable: true, reason: 'manual', copyOfOtherSide: true }),
        ...Array.from({ length: 11 }, (_, index) => point(12 - index)),
      ],
      profiles: [
        {
          ...{ name: 'work', restorePoints: [point(1)] },
          trees: [{ name: '.venv', path: 'profiles/work/skills/ml/.venv', files: 9, bytes: 81_000, estimated: true }],
        },
      ],
    });
    const { out, code } = await testCli(folder, { inspect: async () => ({ local, remote: null, parity }) }).run('inspect', 'box');
    expect(code).toBe(0);
    expect(out).toMatch(/hub lock +present, changed .*, SHA-256 abababababab…, another one on each side: git-workflow/);
    expect(out).toMatch(/restore points +13, 52 MB/);
    expect(out).toMatch(/ 2026-11-20T04-00-00Z +4\.0 MB, cannot be restored: cut short/);
    expect(out).toMatch(/ 2026-11-13T04-00-00Z +4\.0 MB, manual, can be restored, a copy of one on this computer/);
    expect(out).toMatch(/ 2026-11-05T04-00-00Z +4\.0 MB, not checked\n +and 3 more/);
    expect(out).toMatch(/profiles\/work\/skills\/ml\/\.venv +9 files, 81 kB or more\n +profile work/);
  });

  it('shows this computer when the remote is away, and exits 6', async () => {
    const sides: string[] = [];
    const cli = testCli(folder, {
      inspect: async ({ side: asked }) => {
        sides.push(asked);
        if (asked !== 'local') throw new AppError('ssh.refused', { host: 'h', port: 22 });
        return { local: side(), remote: null, parity };
      },
    });
    const { out, code } = await cli.run('inspect', 'box', '--json');
    expect([code, sides]).toEqual([6, ['both', 'local']]);
    expect(JSON.parse(out)).toMatchObject({ local: { readable: true }, remote: null, error: { code: 'ssh.refused' } });
    expect((await cli.run('inspect', 'box')).out).toMatch(/This computer: .*[\s\S]*The remote: h refused the connection/);
    expect((await cli.run('inspect', 'box', '--side', 'remote')).code).toBe(6);
    expect(sides).toEqual(['both', 'local', 'both', 'local', 'remote']);
  });
});
