import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HomeWatch, isWatched, type WatchRequest, watchHome } from '../../../electron/hygiene/watch';
import { createRules } from '../../../shared/rules';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });

describe('isWatched', () => {
  it.each([
    ['', true],
    ['.sync.lock', true],
    ['config.yaml', false],
    ['memories/a', false],
    ['skills', true],
    ['skills/web/references/deep/file.md', true],
    ['skills/.hub/lock.json', true],
    ['skills/.hub/cache/index', false],
    ['skills/.curator_backups/2026-10-01T04-00-00Z/skills.tar.gz', true],
    ['skills/.curator_backups/.rollback-staging-x/web/SKILL.md', false],
    ['skills/web/node_modules', true],
    ['skills/web/node_modules/a', false],
    ['skills/web/.git/objects', true],
    ['skills/web/.git/objects/ab', false],
  ])('%s: %s', (path, watched) => {
    expect(isWatched(path, rules)).toBe(watched);
  });
});

describe('watchHome', () => {
  let home: string;
  let watch: HomeWatch | null = null;
  let looks = 0;
  let heard: (() => void) | null = null;

  beforeEach(async () => {
    home = join(await makeTempFolder('watch'), 'home');
    looks = 0;
  });
  afterEach(async () => {
    await watch?.stop();
    await removeTempFolder(join(home, '..'));
  });

  const start = (changes: Partial<WatchRequest> = {}) => {
    watch = watchHome({
      ...{ home, rules, pace: { quietMs: 20, longestMs: 200, probeMs: 20, rescanMs: 3_600_000 } },
      onEvents: () => undefined,
      onChange: async () => {
        looks += 1;
        heard?.();
      },
      ...changes,
    });
  };
  /** The next look, from now on. */
  const nextLook = () =>
    new Promise<void>((resolve) => {
      heard = resolve;
    });
  /** Looks until the watch hears `change` by itself, however late it came to be ready. */
  async function hears(change: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; ; round += 1) {
      const before = looks;
      const next = nextLook();
      await change(round);
      await next;
      if (looks > before && round > 0) return;
    }
  }

  it('asks for a look once it watches, and after each change that came to rest', async () => {
    await writeTree(home, { 'skills/web/SKILL.md': 'a' });
    const first = nextLook();
    start();
    await first;
    await hears((round) => writeTree(home, { [`skills/web/${round}.md`]: 'x' }));
    await hears((round) => writeTree(home, { [`skills/.curator_backups/2026-10-0${round + 1}T04-00-00Z/skills.tar.gz`]: 'x' }));
    await hears((round) => writeTree(home, { [`skills/new-${round}/deep/SKILL.md`]: 'x' }));
  });

  it('watches a folder that appears, that another one replaced, and one behind a link', async () => {
    const appeared = nextLook();
    start();
    await mkdir(join(home, 'skills'), { recursive: true });
    await appeared;
    await hears((round) => writeTree(home, { [`skills/${round}.md`]: 'x' }));
    await writeTree(home, { 'other/SKILL.md': 'x' });
    const replaced = nextLook();
    await rename(join(home, 'skills'), join(home, 'away'));
    await rename(join(home, 'other'), join(home, 'skills'));
    await replaced;
    await hears((round) => writeTree(home, { [`skills/b${round}.md`]: 'x' }));
    const elsewhere = join(home, '..', 'elsewhere');
    await writeTree(elsewhere, { 'SKILL.md': 'x' });
    const linked = nextLook();
    await rename(join(home, 'skills'), join(home, 'away too'));
    await symlink(elsewhere, join(home, 'skills'));
    await linked;
    await hears((round) => writeTree(elsewhere, { [`c${round}.md`]: 'x' }));
  });

  it('asks for nothing after it was stopped', async () => {
    await writeTree(home, { 'skills/web/SKILL.md': 'a' });
    const first = nextLook();
    start();
    await first;
    await watch?.stop();
    const before = looks;
    watch?.touch();
    await writeTree(home, { 'skills/web/other.md': 'x' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(before);
  });

  const limit = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
  const failing: readonly (readonly [string, typeof watchFiles])[] = [
    [
      'reached a limit',
      (paths, options): FSWatcher => {
        const watcher = watchFiles(paths, options);
        watcher.once('ready', () => watcher.emit('error', limit));
        return watcher;
      },
    ],
    [
      'cannot begin',
      () => {
        throw limit;
      },
    ],
  ];
  it.each(failing)('tells that no events come when its watcher %s, goes on to look, and tells when they come again', async (_, broken) => {
    await writeTree(home, { 'skills/web/SKILL.md': 'a' });
    let isBroken = true;
    const told: boolean[] = [];
    let heardOf: (available: boolean) => void = () => undefined;
    const next = () =>
      new Promise<boolean>((resolve) => {
        heardOf = resolve;
      });
    const lost = next();
    start({
      pace: { quietMs: 20, longestMs: 200, probeMs: 20, rescanMs: 50 },
      open: (paths, options) => (isBroken ? broken : watchFiles)(paths, options),
      onEvents: (available) => {
        told.push(available);
        heardOf(available);
      },
    });
    expect(await lost).toBe(false);
    await nextLook();
    const found = next();
    isBroken = false;
    expect(await found).toBe(true);
    expect(told).toEqual([false, true]);
    await hears((round) => writeTree(home, { [`skills/web/${round}.md`]: 'x' }));
  });
});
