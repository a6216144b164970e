import type { GrowthAlert, Tally } from '../../shared/run-report';
import { type EnginePath, isWithin } from './entry';
import type { GrowthFacts, GrowthMark, HeldSubtree } from './growth-context';
import { grewMuch, growthLimits, isUnusual, tallyGrewMuch, usualOf } from './growth-figures';
import { GrowthTree, type PlannedFile, parentOf } from './growth-tree';
import { type GrowthRule, growthReason } from './growth-words';

/** Share of the excess that a folder must hold to explain it. */
const nearlyAll = 0.9;
export interface GrowthInput extends GrowthFacts {
  readonly roots: readonly EnginePath[];
  readonly planned: readonly PlannedFile[];
  /** Folders that are here, or were agreed on. */
  readonly knownFolders: ReadonlySet<EnginePath>;
  readonly skills: ReadonlySet<EnginePath>;
}

export interface GrowthVerdict {
  readonly held: readonly HeldSubtree[];
  /** Held files, with the path of their subtree. */
  readonly heldFiles: ReadonlyMap<EnginePath, EnginePath>;
  /** Declined files, with the path of their subtree: they stay on the remote without a question. */
  readonly left: ReadonlyMap<EnginePath, EnginePath>;
  /** Released and expected subtrees that did not outgrow what was decided: they come home. */
  readonly explained: readonly EnginePath[];
  readonly alerts: readonly GrowthAlert[];
}

export const nothingHeld: GrowthVerdict = { held: [], heldFiles: new Map(), left: new Map(), explained: [], alerts: [] };

/**
 * Finds what would bring far more home than usual, from lengths alone, before anything is downloaded. What explains it is held and
 * the rest may come; when no single folder explains it, all is held. Held, left and the rest together are what was planned.
 */
export function detectGrowth(input: GrowthInput): GrowthVerdict {
  const detector = new Detector(input);
  detector.applyDecisions();
  detector.checkNewFolders();
  detector.checkFiles();
  detector.checkTotal();
  detector.checkUsual();
  return detector.verdict();
}

type Measure = 'bytes' | 'files';

class Detector {
  private readonly open: GrowthTree;
  private readonly usual: Tally | null;
  private readonly withSkills = new Set<EnginePath>();
  private readonly held: HeldSubtree[] = [];
  private readonly heldFiles = new Map<EnginePath, EnginePath>();
  private readonly left = new Map<EnginePath, EnginePath>();
  private readonly explained: EnginePath[] = [];
  private readonly alerts: GrowthAlert[] = [];

  constructor(private readonly input: GrowthInput) {
    this.open = new GrowthTree(input.planned);
    this.usual = usualOf(input.usual);
    for (const skill of input.skills) for (let at = skill; at !== ''; at = parentOf(at)) this.withSkills.add(at);
  }

  verdict(): GrowthVerdict {
    const { held, heldFiles, left, explained, alerts } = this;
    return { held, heldFiles, left, explained, alerts };
  }

  /** Earlier decisions come first, the narrowest path before those around it: what was decided counts for nothing else any more. */
  applyDecisions(): void {
    const { declined, released, held, expected } = this.input;
    const decisions = [
      ...declined.map((mark) => ({ path: mark.path, apply: () => this.leave(mark) })),
      ...released.map((mark) => ({ path: mark.path, apply: () => this.letCome(mark) })),
      // A question that waits is answered by its own decision alone.
      ...held.map((path) => ({ path, apply: () => this.hold(path, 'undecided', null) })),
      ...expected.map((mark) => ({ path: mark.path, apply: () => this.letCome(mark) })),
    ];
    for (const { apply } of deepestFirst(decisions)) apply();
  }

  private leave(mark: GrowthMark): void {
    const files = this.open.within(mark.path).filter(({ mtime }) => mark.newest === null || mtime <= mark.newest);
    if (tallyGrewMuch(sum(files), mark)) return;
    for (const { path } of this.open.take(files)) this.left.set(path, mark.path);
  }

  private letCome(mark: GrowthMark): void {
    const files = this.open.within(mark.path);
    if (tallyGrewMuch(sum(files), mark)) return;
    this.open.take(files);
    this.explained.push(mark.path);
  }

  checkNewFolders(): void {
    for (const folder of this.newFolders()) {
      const isTooMuch = (amount: Tally) => this.exceeds(folder, amount, growthLimits.folder);
      const amount = this.open.amountOf(folder);
      if (!isTooMuch(amount)) continue;
      const measure = this.beyond(folder, amount, 'bytes', growthLimits.folder.bytes) ? 'bytes' : 'files';
      const culprit = this.explain(folder, amount[measure], measure, (part) => isTooMuch(minus(amount, part)));
      this.hold(this.widen(culprit), 'folder', null);
    }
  }

  checkFiles(): void {
    for (const { path, bytes, before } of this.open.files()) {
      // A file before this one may have taken its whole folder.
      if (this.open.amountOf(path).files === 0) continue;
      const grown = before === null || bytes - before >= growthLimits.fileBytes || bytes >= 2 * before;
      if (grown && this.beyond(path, { files: 1, bytes }, 'bytes', growthLimits.fileBytes)) this.hold(this.widen(path), 'file', null);
    }
  }

  checkTotal(): void {
    const total = this.open.amountOf('');
    const isTooMuch = (amount: Tally) => this.beyond('', amount, 'bytes', growthLimits.totalBytes);
    if (isTooMuch(total)) this.holdCulprit('total', total, total.bytes, 'bytes', (part) => isTooMuch(minus(total, part)));
  }

  checkUsual(): void {
    for (const measure of ['bytes', 'files'] as const) {
      const total = this.open.amountOf('');
      const history = this.input.usual.map((past) => past[measure]);
      const isTooMuch = (amount: Tally) =>
        isUnusual(amount[measure], history, growthLimits.above[measure]) && this.beyond('', amount, measure, growthLimits.above[measure]);
      if (!isTooMuch(total)) continue;
      const excess = total[measure] - (this.usual?.[measure] ?? 0);
      this.holdCulprit('unusual', total, excess, measure, (part) => isTooMuch(minus(total, part)));
    }
  }

  /** Holds the folder that explains the excess, or everything when none does. */
  private holdCulprit(rule: GrowthRule, total: Tally, excess: number, measure: Measure, leavesTooMuch: (part: Tally) => boolean): void {
    const culprit = this.explain('', excess, measure, leavesTooMuch);
    if (culprit !== '' && !this.input.roots.includes(culprit)) {
      this.hold(this.widen(culprit), rule, total);
      return;
    }
    // One event, one alert, however many roots it takes.
    const roots = this.input.roots.filter((root) => this.open.amountOf(root).files > 0);
    const [largest] = roots.toSorted((a, b) => this.open.amountOf(b)[measure] - this.open.amountOf(a)[measure]);
    for (const root of roots) this.hold(root, rule, total, root === largest);
  }

  /** Goes down from a folder as long as one thing in it holds nearly all of the excess and what is left without it is fine. */
  private explain(from: EnginePath, excess: number, measure: Measure, leavesTooMuch: (part: Tally) => boolean): EnginePath {
    for (let at = from; ; ) {
      const next = this.open.largestIn(at, measure);
      const amount = next === null ? null : this.open.amountOf(next);
      if (next === null || amount === null || amount[measure] < nearlyAll * excess || leavesTooMuch(amount)) return at;
      at = next;
    }
  }

  /** Something inside a new folder is named by that folder, up to the skill it belongs to: half a cache is of no use. */
  private widen(path: EnginePath): EnginePath {
    let at = path;
    for (let up = parentOf(at); this.isNewFolder(up) && !this.withSkills.has(up) && !this.input.skills.has(at); up = parentOf(at)) at = up;
    return at;
  }

  private isNewFolder(folder: EnginePath): boolean {
    return this.input.roots.some((root) => folder.startsWith(`${root}/`)) && !this.input.knownFolders.has(folder);
  }

  /** Folders that are new here, without those inside another one. */
  private newFolders(): ReadonlySet<EnginePath> {
    const folders = new Set<EnginePath>();
    for (const { path } of this.open.files()) {
      let outermost: EnginePath | null = null;
      for (let at = parentOf(path); this.isNewFolder(at); at = parentOf(at)) outermost = at;
      if (outermost !== null) folders.add(outermost);
    }
    return folders;
  }

  private exceeds(path: EnginePath, amount: Tally, limits: Tally): boolean {
    return this.beyond(path, amount, 'bytes', limits.bytes) || this.beyond(path, amount, 'files', limits.files);
  }

  /** At a limit or over it, and not what the user called expected there. */
  private beyond(path: EnginePath, amount: Tally, measure: Measure, limit: number): boolean {
    const floor = this.floorAt(path)[measure];
    return amount[measure] >= limit && (floor === 0 || grewMuch(amount[measure], floor, growthLimits.above[measure]));
  }

  /** What is expected of the subtree a path lies in; elsewhere, the most that is expected of any. */
  private floorAt(path: EnginePath): Tally {
    const { expected } = this.input;
    const around = subtreeAround(
      path,
      expected.map((mark) => mark.path),
    );
    const counting = around === null ? expected : expected.filter((mark) => mark.path === around);
    return { files: most(counting.map(({ files }) => files)), bytes: most(counting.map(({ bytes }) => bytes)) };
  }

  private hold(path: EnginePath, rule: GrowthRule, total: Tally | null, alert = true): void {
    const files = this.open.take(this.open.within(path));
    if (files.length === 0) return;
    for (const file of files) this.heldFiles.set(file.path, path);
    const amount = sum(files);
    const actual = total ?? amount;
    const newest = this.isNewFolder(path) ? null : files.reduce((latest, { mtime }) => Math.max(latest, mtime), 0);
    const before = files.length === 1 ? (files[0]?.before ?? null) : null;
    const reason = growthReason({ rule, path, amount, actual, usual: this.usual, before });
    this.held.push({ path, ...amount, newest, rule, reason });
    if (alert) this.alerts.push({ kind: 'growth', actual: actual.bytes, usual: this.usual?.bytes ?? 0, culprit: path, holding: true });
  }
}

function sum(files: readonly PlannedFile[]): Tally {
  return { files: files.length, bytes: files.reduce((bytes, file) => bytes + file.bytes, 0) };
}

function most(amounts: readonly number[]): number {
  return amounts.reduce((largest, amount) => Math.max(largest, amount), 0);
}

function minus(a: Tally, b: Tally): Tally {
  return { files: a.files - b.files, bytes: a.bytes - b.bytes };
}

function deepestFirst<T extends { readonly path: EnginePath }>(decisions: readonly T[]): readonly T[] {
  return decisions.toSorted((a, b) => b.path.split('/').length - a.path.split('/').length || (a.path < b.path ? -1 : 1));
}

/** The narrowest of some subtrees that contains a path; null when none does. */
export function subtreeAround(path: EnginePath, subtrees: Iterable<EnginePath>): EnginePath | null {
  let found: EnginePath | null = null;
  for (const subtree of subtrees) if (isWithin(path, subtree) && subtree.length > (found?.length ?? 0)) found = subtree;
  return found;
}
