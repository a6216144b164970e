import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalEndpoint } from '../../electron/endpoints/local';
import { createLocalDisk } from '../../electron/endpoints/local-disk';
import { applyChanges } from '../../electron/engine/apply';
import type { Disk } from '../../electron/engine/disk';
import type { Change, Listing } from '../../electron/engine/endpoint';
import { createJournal, type JournalHead, type JournalLog, readJournal } from '../../electron/engine/journal';
import { type Recovered, recover } from '../../electron/engine/recover';
import type { SavedChange } from '../../electron/engine/saved-change';
import { incoming, outcomes, patience, remove, scanSkills, write } from '../contract/contract-side';
import { createFaultyDisk, type Fault } from '../support/faulty-disk';
import { contentsOf, makeTempFolder, readTree, removeTempFolder, type Tree, type TreeImage, writeTree } from '../support/tree';

/** Two skills with every kind of change, a skill that is new, and files that stand alone. Contents differ in length. */
export const oldTree: Tree = {
  'skills/a/SKILL.md': { text: 'old a', mtime: 1_600_000_000_000 },
  'skills/a/run.sh': { text: 'old script of a', mode: 0o640, mtime: 1_600_000_001_000 },
  'skills/a/sub/gone.md': { text: 'goes away', mode: 0o604, mtime: 1_600_000_002_000 },
  'skills/b/SKILL.md': { text: 'old text of b', mtime: 1_600_000_003_000 },
  'skills/b/stays.md': 'not touched by anything',
  'skills/lone.md': { text: 'old lone file', mtime: 1_600_000_004_000 },
  'skills/leaves.md': { text: 'a lone file that leaves', mtime: 1_600_000_005_000 },
};

export const newContents: Readonly<Record<string, string>> = {
  'skills/a/SKILL.md': 'newer text of a',
  'skills/a/run.sh': '#!/bin/sh\n# newer script of a',
  'skills/a/deep/er/new.md': 'created in a new folder',
  'skills/b/SKILL.md': 'b',
  'skills/b/more.md': 'one more for b',
  'skills/c/SKILL.md': 'a whole new skill',
  'skills/lone.md': 'newer lone file, longer',
};

/** Paths by what must be wholly old or wholly new. */
export const groups: readonly (readonly string[])[] = [
  ['skills/a/SKILL.md', 'skills/a/run.sh', 'skills/a/deep/er/new.md', 'skills/a/sub/gone.md'],
  ['skills/b/SKILL.md', 'skills/b/more.md'],
  ['skills/c/SKILL.md'],
  ['skills/lone.md'],
  ['skills/leaves.md'],
];

/** Everything the batch removes. */
export const removedPaths = ['skills/a/sub/gone.md', 'skills/leaves.md'];

export function changesFor(listing: Listing): readonly Change[] {
  const update = (path: string, group?: string): Change =>
    write(path, newContents[path] ?? '', {
      expected: listing.entries.get(path) ?? null,
      executable: path.endsWith('.sh'),
      ...(group === undefined ? {} : { group }),
    });
  const writes = [
    update('skills/a/SKILL.md', 'a'),
    update('skills/a/run.sh', 'a'),
    update('skills/a/deep/er/new.md', 'a'),
    update('skills/b/SKILL.md', 'b'),
    update('skills/b/more.md', 'b'),
    update('skills/c/SKILL.md', 'c'),
    update('skills/lone.md'),
  ];
  const there = (path: string) => listing.entries.has(path);
  return [
    ...writes.filter(
      (change) => change.expected?.kind !== 'file' || change.kind !== 'write' || change.expected.hash !== change.content.hash,
    ),
    ...(there('skills/a/sub/gone.md') ? [remove('skills/a/sub/gone.md', listing, 'a')] : []),
    ...(there('skills/leaves.md') ? [remove('skills/leaves.md', listing)] : []),
  ];
}

/** A home with the old tree, and one batch of changes to it that may be cut short. */
export class CrashPlace {
  readonly home: string;
  journal = '';
  saved: SavedChange[] = [];

  private constructor(
    readonly folder: string,
    private readonly runId = '1',
  ) {
    this.home = join(folder, 'home');
  }

  static async make(): Promise<CrashPlace> {
    const place = new CrashPlace(await makeTempFolder('crash'));
    await writeTree(place.folder, { 'home/skills': { folder: true } });
    await writeTree(place.home, oldTree);
    return place;
  }

  /** The same home in the next run, with folders of its own. */
  async nextRun(): Promise<CrashPlace> {
    return new CrashPlace(this.folder, '2');
  }

  options() {
    return {
      home: this.home,
      stagingDir: join(this.folder, 'staged', this.runId),
      undoDir: join(this.folder, 'undo', this.runId),
      now: () => Date.now(),
    };
  }

  head(): JournalHead {
    const { home, stagingDir, undoDir } = this.options();
    const connection = { id: '1', name: 'box' };
    return {
      ...{ runId: 'run', kind: 'sync-back', connection, pid: process.pid, home, stagingDir, undoDir },
      ...{ startedAt: '2026-01-02T03:04:05.000Z', undoes: null },
    };
  }

  log(): JournalLog {
    return {
      append: async (line) => {
        this.journal += line;
      },
    };
  }

  disk(): Disk {
    return createLocalDisk({ ...this.options(), wait: async () => undefined });
  }

  /** Carries out the batch; returns the number of operations that changed something, the results, and what failed the whole. */
  async apply(fault: Fault | null) {
    const listing = await scanSkills(createLocalEndpoint(this.options()));
    const faulty = createFaultyDisk(this.disk(), fault);
    // No test waits for the clock.
    const disk = { ...faulty.disk, settle: async () => undefined };
    const record = {
      journal: createJournal(faulty.log(this.log()), this.head()),
      saved: ({ changes }: { readonly changes: readonly SavedChange[] }) => void this.saved.push(...changes),
    };
    const request = { changes: changesFor(listing), contents: incoming(newContents) };
    const result = await applyChanges(disk, request, patience, record).then(outcomes, (error: unknown) => error);
    return { result, operations: faulty.calls, hasFailed: faulty.hasFailed() };
  }

  /** What the next start does; with a fault, it may be cut short as well. */
  async recover(
    fault: Fault | null = null,
    goesOn = false,
  ): Promise<{ readonly operations: number; readonly recovered: Recovered | null }> {
    const journal = readJournal(this.journal);
    const faulty = createFaultyDisk(this.disk(), fault);
    if (journal.kind !== 'read') return { operations: 0, recovered: null };
    this.journal = journal.text;
    const recovered = await recover(faulty.disk, journal, goesOn).catch(() => null);
    return { operations: faulty.calls.length, recovered };
  }

  /** What the user saves after the crash, as editors do it: a new file in the place of the old. */
  async edit(path: string, text: string): Promise<void> {
    await writeTree(this.folder, { edited: text });
    await rename(join(this.folder, 'edited'), join(this.home, path));
  }

  images(): Promise<ReadonlyMap<string, TreeImage>> {
    return readTree(this.home);
  }

  async texts(): Promise<Readonly<Record<string, string>>> {
    return contentsOf(await readTree(this.home));
  }

  /** Every content that exists anywhere. */
  async everything(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const text of Object.values(contentsOf(await readTree(this.folder)))) found.add(text);
    return found;
  }

  /** Names of own temporary files in the home. */
  async leftovers(): Promise<readonly string[]> {
    return [...(await readTree(this.home)).keys()].filter((path) => path.includes('.ebbgate'));
  }

  tearDown(): Promise<void> {
    return removeTempFolder(this.folder);
  }
}
