import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileUserRules } from '../../electron/app/user-rules';
import type { RunReport } from '../../shared/run-report';
import type { ModelPlace } from '../support/model';
import { contentsOf, readTree, sha256 } from '../support/tree';
import { type Side, type Version, type View, viewOf } from './user';

/** Both trees at one moment. */
export interface Moment {
  readonly local: View;
  readonly remote: View;
  /** Everything that can be seen of a side, as text. */
  readonly images: Readonly<Record<Side, string>>;
}

export async function momentOf(place: ModelPlace): Promise<Moment> {
  const image = async (side: Side) => JSON.stringify([...(await place[side].read())].filter(([path]) => path.split('/')[0] !== '.ebbgate'));
  return {
    local: await viewOf(place, 'local'),
    remote: await viewOf(place, 'remote'),
    images: { local: await image('local'), remote: await image('remote') },
  };
}

/** What a run did, as the oracle is asked about it. */
export interface Happened {
  readonly direction: 'push' | 'sync-back';
  readonly before: Moment;
  /** After a user did something in the middle of the run; `before` when nobody did. */
  readonly middle: Moment;
  readonly after: Moment;
  /** Null when the process was killed. */
  readonly report: RunReport | null;
}

/** Knows what users wrote and saw, and says what must not have happened. Knows nothing of baselines. */
export class Oracle {
  /** Contents that no user has replaced or removed. */
  readonly owed = new Set<string>();
  /** Versions that both sides once had at a path after a run, or that a user decided about. */
  readonly #agreed = new Map<string, Set<string>>();
  /** The last version of a path that a run certainly recorded as equal on both sides. */
  readonly #recorded = new Map<string, string>();
  /** Recorded versions that a user removed, until something of that path is wanted again. */
  readonly removed: Readonly<Record<Side, Map<string, string>>> = { local: new Map(), remote: new Map() };
  readonly #texts = new Map<string, string>();

  constructor(
    private readonly place: ModelPlace,
    private readonly executableBits: boolean,
  ) {}

  wrote(side: Side, path: string, text: string): void {
    this.owed.add(text);
    this.#texts.set(sha256(text), text);
    this.removed[side].delete(path);
  }

  /** A user who sees a version replaces or removes it. */
  gaveUp(text: string): void {
    this.owed.delete(text);
  }

  /** A user removed, or moved away, what was there. */
  tookAway(side: Side, path: string, version: Version): void {
    if (this.#recorded.get(path) === this.key(version)) this.removed[side].set(path, this.key(version));
  }

  textOf(hash: string): string {
    return this.#texts.get(hash) ?? `text of ${hash}`;
  }

  agree(path: string, version: Version | null): void {
    const versions = this.#agreed.get(path) ?? new Set();
    versions.add(this.key(version));
    this.#agreed.set(path, versions);
  }

  key(version: Version | null | undefined): string {
    if (version === null || version === undefined) return 'nothing';
    return this.executableBits ? `${version.executable ? 'x' : '-'} ${version.text}` : version.text;
  }

  /** Nothing is known of earlier removals any more. */
  forgetRemovals(): void {
    this.removed.local.clear();
    this.removed.remote.clear();
    this.#recorded.clear();
  }

  /** Why a path has to stay as it is on both sides; null when it may cross. */
  refusal(path: string): string | null {
    if (/(^|\/)(node_modules|\.curator_backups)\//.test(path) || /\.db$/.test(path)) return 'bookkeeping';
    if (path.includes('.ebbgate')) return 'our own';
    return compileUserRules(this.place.app.connection.userRules)?.matches(path, false) ?? null;
  }

  /** Every content that somebody still wants is somewhere. */
  async expectNothingLost(): Promise<void> {
    const found = new Set<string>();
    for (const side of ['local', 'remote'] as const)
      for (const { text } of (await viewOf(this.place, side)).files.values()) found.add(text);
    for (const text of Object.values(contentsOf(await readTree(this.place.dataDir)))) found.add(text);
    for (const text of this.owed) if (!found.has(text)) throw new Error(`lost: ${text}`);
  }

  /** Nothing of ours is left where it does not belong, and nothing was written through a link. */
  async expectTidy(): Promise<void> {
    for (const path of (await this.place.local.read()).keys()) if (path.includes('.ebbgate-new')) throw new Error(`left over: ${path}`);
    const runs = await readdir(join(this.place.dataDir, 'runs')).catch(() => []);
    if (runs.length > 0) throw new Error(`left over: ${runs.join()}`);
    const outside = JSON.stringify(contentsOf(await readTree(this.place.outside)));
    if (outside !== '{"secret.txt":"nobody touches this"}') throw new Error(`written through a link: ${outside}`);
  }

  /** The other side is untouched, and every change follows from what both sides knew. */
  async expectAllowed(happened: Happened): Promise<void> {
    const { direction, middle, after, report } = happened;
    const [sender, receiver] = direction === 'push' ? (['local', 'remote'] as const) : (['remote', 'local'] as const);
    if (middle.images[sender] !== after.images[sender]) throw new Error(`a ${direction} changed the ${sender} side`);
    const kept = new Set(Object.values(contentsOf(await readTree(join(this.place.dataDir, 'undo')).catch(() => new Map()))));
    const changed = changedPaths(middle[receiver], after[receiver], (version) => this.key(version));
    for (const path of changed) {
      const problem = this.#problemOf(path, happened, { sender, receiver, kept });
      if (problem !== null) throw new Error(`${direction} changed ${path} on the ${receiver} side: ${problem}`);
    }
    if (report !== null && report.error === null && report.outcome !== 'stopped') expectTold(report, changed, this.executableBits);
    this.#learn(happened, sender, receiver);
  }

  #problemOf(
    path: string,
    { direction, before, middle, after }: Happened,
    { sender, receiver, kept }: { readonly sender: Side; readonly receiver: Side; readonly kept: ReadonlySet<string> },
  ): string | null {
    const old = middle[receiver].files.get(path);
    const made = after[receiver].files.get(path);
    const refusal = this.refusal(path);
    if (refusal !== null) return `it stays because of ${refusal}`;
    const isGuarded = path === 'skills/.usage.json';
    if (isGuarded && (direction === 'sync-back' || made === undefined)) return 'it is guarded';
    const wanted = [before, middle].map((moment) => this.key(moment[sender].files.get(path)));
    if (!wanted.includes(this.key(made))) return `it is not what the ${sender} side has: ${this.key(made)}`;
    const known = this.#agreed.get(path);
    if (old !== undefined && known?.has(this.key(old)) !== true) return `it was never agreed on: ${this.key(old)}`;
    if (old !== undefined && direction === 'sync-back' && made?.text !== old.text && !kept.has(old.text))
      return 'the old content is not kept';
    if (old === undefined && made !== undefined && this.removed[receiver].get(path) === this.key(made)) return 'it had been removed there';
    return null;
  }

  #learn({ before, middle, after, report }: Happened, sender: Side, receiver: Side): void {
    const isWhole = report !== null && report.error === null && report.outcome !== 'stopped';
    const failed = new Set(report?.paths.flatMap(({ path, outcome }) => (outcome === 'failed' ? [path] : [])));
    for (const path of new Set([...after.local.files.keys(), ...after.remote.files.keys(), ...this.#agreed.keys()])) {
      const there = after[receiver].files.get(path) ?? null;
      const sent = [before, middle, after].map((moment) => moment[sender].files.get(path) ?? null);
      if (sent.some((version) => this.key(version) === this.key(there))) this.agree(path, there);
      const isEqual = sent.every((version) => this.key(version) === this.key(there));
      if (isWhole && isEqual && there !== null && !failed.has(path) && this.refusal(path) === null)
        this.#recorded.set(path, this.key(there));
      else this.#recorded.delete(path);
    }
  }
}

export function changedPaths(before: View, after: View, key: (version: Version | undefined) => string): readonly string[] {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])];
  return paths.filter((path) => key(before.files.get(path)) !== key(after.files.get(path))).sort();
}

function expectTold({ paths }: RunReport, changed: readonly string[], executableBits: boolean): void {
  const told = paths.flatMap(({ path, outcome }) => (outcome === 'written' || outcome === 'removed' ? [path] : [])).sort();
  // A bit that one side does not have is told where nothing is seen.
  if (!executableBits && changed.every((path) => told.includes(path))) return;
  if (JSON.stringify(told) !== JSON.stringify(changed)) throw new Error(`told ${told.join()}, changed ${changed.join()}`);
}
