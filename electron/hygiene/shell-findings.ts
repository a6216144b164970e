import { gunzipSync } from 'node:zlib';
import type { Rules } from '../../shared/rules';
import type { Tally } from '../../shared/run-report';
import { archiveKey, type Findings, type FoundHome, type FoundTree, homeProblem, nothingFound } from './findings';
import { describeHubLock, type FoundHubLock, hubLockLimit, missingHubLock, unreadableHubLock } from './hub-lock';
import type { FoundLeftover } from './leftovers';
import type { FoundArchive, FoundPoint } from './restore-points';

/** What the output of inspect.sh says. */
export type ShellAnswer =
  | { readonly kind: 'found'; readonly findings: Findings }
  | { readonly kind: 'no-home'; readonly path: string }
  /** The shell lacks a tool, or the output does not come from our script, or it broke off before the facts ended. */
  | { readonly kind: 'unusable'; readonly detail: string };

interface HomeDraft {
  readonly name: string;
  readonly trees: FoundTree[];
  readonly points: FoundPoint[];
  readonly leftovers: FoundLeftover[];
  complete: boolean;
  linked: boolean;
}

type Checks = { gzip: Map<string, boolean>; sha: Map<string, string> };

/** The marker after which everything is there; the output may go on until it, and nothing after it counts. */
export function endOf(marker: string): string {
  return `\0${marker}-end\0`;
}

/** Reads the script's output. What a start-up file printed around it is not looked at. */
export function readShellAnswer(output: Buffer, marker: string, rules: Rules): ShellAnswer {
  const begin = `\0${marker}-begin\0`;
  const at = output.indexOf(begin);
  if (at < 0) return { kind: 'unusable', detail: 'the shell did not run what was sent' };
  return new Answer(output.subarray(at + begin.length), marker, rules).read();
}

/** Thrown and caught here alone: the output ends in the middle, which is no different from never having come. */
const cut = Symbol('cut');

class Answer {
  private at = 0;
  private compressed = false;
  private place: { readonly home: string; readonly problem: string | null } | null = null;
  private runsHermes = false;
  private blobs: Tally = { files: 0, bytes: 0 };
  private hubLock: FoundHubLock = missingHubLock;
  private readonly homes: HomeDraft[] = [];
  private readonly checks: Checks = { gzip: new Map(), sha: new Map() };

  constructor(
    private readonly output: Buffer,
    private readonly marker: string,
    private readonly rules: Rules,
  ) {}

  read(): ShellAnswer {
    let ended = false;
    try {
      for (let word = this.word(); word !== `${this.marker}-end`; word = this.word()) {
        if (word === 'no-home') return { kind: 'no-home', path: this.word() };
        if (word === 'no-tool') return { kind: 'unusable', detail: `the remote has no ${this.word()}` };
        if (word === 'facts-end') ended = true;
        else this.take(word);
      }
      ended = true;
    } catch (error) {
      if (error !== cut) throw error;
      // Once the facts are complete, only checks of archives are missing: those count as not checked.
    }
    if (!ended || this.place === null) return { kind: 'unusable', detail: 'the output broke off' };
    return { kind: 'found', findings: this.findings(this.place) };
  }

  private take(word: string): void {
    switch (word) {
      case 'gz':
        this.compressed = this.word() === '1';
        return;
      case 'home':
        this.place = this.home();
        return;
      case 'hermes':
        this.runsHermes = true;
        return;
      case 'blobs': {
        const { files, bytes } = this.tally();
        this.blobs = { files, bytes };
        return;
      }
      case 'hub':
        this.hubLock = this.hub(this.word(), this.word());
        return;
      case 'enter':
        this.homes.push({ name: this.word(), trees: [], points: [], leftovers: [], complete: true, linked: false });
        return;
      case 'gzip':
        this.checks.gzip.set(archiveKey(this.word(), this.word()), this.word() === 'good');
        return;
      case 'sha':
        this.checks.sha.set(archiveKey(this.word(), this.word()), this.word());
        return;
      default:
        this.takeInHome(word);
    }
  }

  private takeInHome(word: string): void {
    const draft = this.homes.at(-1);
    if (draft === undefined) throw cut;
    if (word === 'partial') draft.complete = false;
    else if (word === 'linked') draft.linked = true;
    else if (word === 'tree') draft.trees.push(this.tree(this.word()));
    else if (word === 'point') draft.points.push(this.point(this.word()));
    else if (word === 'left') {
      const path = this.word();
      draft.leftovers.push({ path, bytes: this.tally().bytes, cause: this.word() === 'rollback' ? 'rollback' : 'sync-back' });
    } else throw cut;
  }

  private home(): { readonly home: string; readonly problem: string | null } {
    const home = this.word();
    return { home, problem: homeProblem(home, this.word(), this.word()) };
  }

  private tree(path: string): FoundTree {
    const name = this.rules.treeOf(path) ?? path.slice(path.lastIndexOf('/') + 1);
    return { name, path, ...this.tally() };
  }

  private point(id: string): FoundPoint {
    const { bytes } = this.tally();
    const state = this.word();
    const size = Number(this.word());
    const known: FoundArchive =
      state === 'present' && Number.isSafeInteger(size) ? { state, size, gzip: null, sha256: null } : { state: 'unreadable' };
    const archive: FoundArchive = state === 'missing' ? { state } : known;
    return { id, bytes, archive, manifest: this.text()?.toString('utf8') ?? null };
  }

  private hub(state: string, seconds: string): FoundHubLock {
    const text = this.text();
    if (state === 'missing') return missingHubLock;
    if (state !== 'present' || text === null) return unreadableHubLock;
    return describeHubLock(text, /^\d{1,11}$/.test(seconds) ? Number(seconds) * 1000 : null);
  }

  private findings({ home, problem }: { readonly home: string; readonly problem: string | null }): Findings {
    if (problem !== null) return nothingFound('remote', home, problem);
    const [own, ...profiles] = this.homes.map((draft) => ({ name: draft.name, home: this.checked(draft) }));
    if (own === undefined) return nothingFound('remote', home, `The Hermes home ${home} cannot be read.`);
    const { runsHermes, blobs: ledgerBlobs, hubLock } = this;
    return { side: 'remote', home, problem, runsHermes, own: own.home, ledgerBlobs, hubLock, profiles };
  }

  private checked({ name, trees, points, leftovers, complete, linked }: HomeDraft): FoundHome {
    const checked = points.map((point): FoundPoint => {
      const key = archiveKey(name, point.id);
      const { archive } = point;
      if (archive.state !== 'present') return point;
      const sha = this.checks.sha.get(key) ?? '';
      const sha256 = /^[0-9a-f]{64}$/.test(sha) ? sha : null;
      return { ...point, archive: { ...archive, gzip: this.checks.gzip.get(key) ?? null, sha256 } };
    });
    return { trees: [...trees].sort((a, b) => (a.path < b.path ? -1 : 1)), points: checked, leftovers, complete, linked };
  }

  /** Numbers as `count` prints them: files, bytes, and how often something could not be read. */
  private tally(): Tally & { readonly complete: boolean } {
    const [files = Number.NaN, bytes = Number.NaN, failures = 1] = this.word().split(' ').map(Number);
    if (!Number.isSafeInteger(files) || !Number.isSafeInteger(bytes)) throw cut;
    return { files, bytes, complete: failures === 0 };
  }

  private text(): Buffer | null {
    if (this.word() !== 'text') return null;
    const opening = `${this.marker}<`;
    const start = this.at + opening.length;
    const end = this.output.indexOf(`${this.marker}>`, start);
    if (end < 0 || this.output.toString('latin1', this.at, start) !== opening) throw cut;
    this.at = end + opening.length;
    return inflate(this.output.subarray(start, end), this.compressed);
  }

  private word(): string {
    const end = this.output.indexOf(0, this.at);
    if (end < 0) throw cut;
    const word = this.output.toString('utf8', this.at, end);
    this.at = end + 1;
    return word;
  }
}

function inflate(bytes: Buffer, compressed: boolean): Buffer | null {
  if (!compressed) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: 2 * hubLockLimit });
  } catch {
    // It could not be read to the end there; like a file that cannot be read.
    return null;
  }
}
