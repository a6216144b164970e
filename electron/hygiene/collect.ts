import type { Rules } from '../../shared/rules';
import type { Tally } from '../../shared/run-report';
import { type Findings, type FoundHome, type FoundTree, homeProblem, nothingFound } from './findings';
import { hubLockPath, readHubLock } from './hub-lock';
import { type FoundLeftover, isRollbackStaging } from './leftovers';
import { type FoundArchive, type FoundPoint, idsToVerify, idTime, isRestorePointId } from './restore-points';
import type { SeenEntry, TreeReader } from './tree-reader';

/** Which home to look at, and how. */
export interface CollectRequest {
  readonly side: Findings['side'];
  /** The Hermes home that holds the profiles. */
  readonly base: string;
  readonly profile: string | null;
  readonly rules: Rules;
  /** Absolute paths of which any is evidence that this side runs Hermes. */
  readonly evidence: readonly string[];
  /** Remains of Hermes runs outside the home. */
  readonly remains: readonly FoundLeftover[];
  /** Milliseconds since 1970: a restore point dated later proves nothing about older ones. Null: no date is too late. */
  readonly now: number | null;
}

/** Files in the Hermes home that Hermes itself writes when it runs there. */
export const hermesFiles = ['state.db', 'config.yaml', 'auth.json'] as const;

/** Where a Hermes that was installed into the home has its executable. */
export const hermesPrograms = [
  'hermes-agent/venv/bin/hermes',
  'hermes-agent/.venv/bin/hermes',
  'venv/bin/hermes',
  '.venv/bin/hermes',
] as const;

const manifestLimit = 64 * 1024;

/** Looks at one side through a reader. Reads no content of excluded trees but the hub's lock file, manifests and archives. */
export async function collectFindings(reader: TreeReader, request: CollectRequest): Promise<Findings> {
  return new Collector(reader, request).run();
}

class Collector {
  constructor(
    private readonly reader: TreeReader,
    private readonly request: CollectRequest,
  ) {}

  async run(): Promise<Findings> {
    const { side, base, profile, remains } = this.request;
    const home = profile === null ? base : `${base}/profiles/${profile}`;
    const problem = await this.problemOf(home);
    if (problem !== null) return nothingFound(side, home, problem);
    const own = await this.home(home);
    return {
      side,
      home,
      problem: null,
      runsHermes: await this.runsHermes(home),
      own: { ...own, leftovers: [...own.leftovers, ...remains] },
      ledgerBlobs: tallyOf(await this.measure(`${home}/.curator_backups/blobs`)),
      hubLock: (await readHubLock(this.reader, `${home}/${hubLockPath}`)).found,
      profiles: await this.profiles(),
    };
  }

  private async problemOf(home: string): Promise<string | null> {
    return homeProblem(home, await this.stateOf(home), await this.stateOf(`${home}/skills`));
  }

  private async stateOf(folder: string): Promise<string> {
    const seen = await this.reader.look(folder, { follow: true });
    if (typeof seen === 'string') return seen;
    if (seen.kind !== 'folder') return 'other';
    return (await this.reader.list(folder)) === 'unreadable' ? 'unreadable' : 'ok';
  }

  private async runsHermes(home: string): Promise<boolean> {
    const { base, evidence } = this.request;
    const homes = home === base ? [base] : [base, home];
    const files = homes.flatMap((folder) => [...hermesFiles, ...hermesPrograms].map((name) => `${folder}/${name}`));
    for (const path of [...files, ...evidence]) {
      if (typeof (await this.reader.look(path, { follow: true })) !== 'string') return true;
    }
    return false;
  }

  private async profiles(): Promise<Findings['profiles']> {
    const listed = await this.reader.list(`${this.request.base}/profiles`);
    if (typeof listed === 'string') return [];
    const names = listed.filter(({ kind, name }) => kind === 'folder' && !name.startsWith('.')).map(({ name }) => name);
    const found: { name: string; home: FoundHome }[] = [];
    for (const name of names.sort()) found.push({ name, home: await this.home(`${this.request.base}/profiles/${name}`) });
    return found;
  }

  private async home(home: string): Promise<FoundHome> {
    const { trees, complete } = await this.trees(home);
    const backups = `${home}/skills/.curator_backups`;
    const seen = await this.reader.look(backups, { follow: false });
    const listed = typeof seen !== 'string' && seen.kind === 'folder' ? await this.reader.list(backups) : [];
    const folders = typeof listed === 'string' ? [] : listed.filter(({ kind }) => kind === 'folder').map(({ name }) => name);
    const points = await Promise.all(folders.filter(isRestorePointId).map((id) => this.point(`${backups}/${id}`, id)));
    const leftovers: FoundLeftover[] = [];
    for (const name of folders.filter(isRollbackStaging)) {
      const { bytes } = await this.measure(`${backups}/${name}`);
      leftovers.push({ path: `skills/.curator_backups/${name}`, bytes, cause: 'rollback' });
    }
    return {
      ...{ trees, complete: complete && listed !== 'unreadable', points: await this.verified(backups, points), leftovers },
      linked: typeof seen !== 'string' && seen.kind === 'link',
    };
  }

  /** The topmost excluded directories below `skills`; the root may be a link, nothing below is followed. */
  private async trees(home: string): Promise<{ readonly trees: readonly FoundTree[]; readonly complete: boolean }> {
    const trees: FoundTree[] = [];
    let complete = true;
    const walk = async (folder: string): Promise<void> => {
      const listed = await this.reader.list(`${home}/${folder}`);
      if (listed === 'unreadable') complete = false;
      if (typeof listed === 'string') return;
      const folders = listed.filter(({ kind }) => kind === 'folder').map(({ name }) => `${folder}/${name}`);
      await Promise.all(
        folders.map(async (path) => {
          const name = this.request.rules.treeOf(path);
          if (name === null) await walk(path);
          else trees.push({ name, path, ...(await this.measure(`${home}/${path}`)) });
        }),
      );
    };
    await walk('skills');
    return { trees: trees.sort((a, b) => (a.path < b.path ? -1 : 1)), complete };
  }

  /** Everything below that is not a directory, by its own length. */
  private async measure(folder: string): Promise<Tally & { readonly complete: boolean }> {
    const listed = await this.reader.list(folder);
    if (typeof listed === 'string') return { files: 0, bytes: 0, complete: listed === 'missing' };
    const below = await Promise.all(listed.map((entry) => this.sizeOf(`${folder}/${entry.name}`, entry)));
    return below.reduce(
      (sum, part) => ({ files: sum.files + part.files, bytes: sum.bytes + part.bytes, complete: sum.complete && part.complete }),
      { files: 0, bytes: 0, complete: true },
    );
  }

  private async sizeOf(path: string, entry: SeenEntry): Promise<Tally & { readonly complete: boolean }> {
    return entry.kind === 'folder' ? this.measure(path) : { files: 1, bytes: entry.size, complete: true };
  }

  private async point(folder: string, id: string): Promise<FoundPoint> {
    const [{ bytes }, archive, manifest] = await Promise.all([
      this.measure(folder),
      this.archive(`${folder}/skills.tar.gz`),
      this.reader.read(`${folder}/manifest.json`, manifestLimit),
    ]);
    return { id, bytes, archive, manifest: typeof manifest === 'string' ? null : manifest.toString('utf8') };
  }

  private async archive(file: string): Promise<FoundArchive> {
    const seen = await this.reader.look(file, { follow: false });
    if (typeof seen === 'string') return { state: seen };
    // A link is no archive: what it leads to may go at any time.
    if (seen.kind !== 'file') return { state: 'missing' };
    return { state: 'present', size: seen.size, gzip: null, sha256: null };
  }

  /** Reads archives newest first until the first good one that is not dated in the future. */
  private async verified(backups: string, points: readonly FoundPoint[]): Promise<readonly FoundPoint[]> {
    const archives = new Map<string, FoundArchive>(points.map(({ id, archive }) => [id, archive]));
    for (const id of idsToVerify(points)) {
      const archive = archives.get(id);
      if (archive?.state !== 'present') continue;
      const gzip = await this.reader.gunzips(`${backups}/${id}/skills.tar.gz`);
      if (gzip === null) break;
      archives.set(id, gzip === 'unreadable' ? { state: 'unreadable' } : { ...archive, gzip });
      if (gzip === true && (idTime(id) ?? 0) <= (this.request.now ?? Number.POSITIVE_INFINITY)) break;
    }
    return points.map((point) => ({ ...point, archive: archives.get(point.id) ?? point.archive }));
  }
}

function tallyOf({ files, bytes }: Tally): Tally {
  return { files, bytes };
}
