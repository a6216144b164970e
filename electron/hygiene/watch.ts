import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { type Rules, restorePointsName } from '../../shared/rules';
import { syncLockName } from '../hermes/home';
import { isRebuildable } from './leftovers';

/** What to watch, and whom to tell. Milliseconds. */
export interface WatchRequest {
  /** Absolute Hermes home. */
  readonly home: string;
  readonly rules: Rules;
  /** Something may have changed and has come to rest, or has gone on for long. Calls never overlap. */
  readonly onChange: () => Promise<void>;
  /** Events went missing, or are to be had again. Until told otherwise they are there. */
  readonly onEvents: (available: boolean) => void;
  /** Makes the watcher; the library's own when left out. */
  readonly open?: typeof watch | undefined;
  readonly pace?: Partial<WatchPace> | undefined;
}

export interface WatchPace {
  /** Changes have come to rest after so long without one, and are looked at anyhow after so long with them. */
  readonly quietMs: number;
  readonly longestMs: number;
  /** How often the folder is asked whether it is still the same one: it may be renamed, unmounted, or appear. */
  readonly probeMs: number;
  /** How often is looked without any event: not every disk tells, and none tells everything. */
  readonly rescanMs: number;
}

const usualPace: WatchPace = { quietMs: 1000, longestMs: 4000, probeMs: 5000, rescanMs: 10 * 60_000 };

export interface HomeWatch {
  /** Asks for a look soon, as an event does. */
  touch(): void;
  stop(): Promise<void>;
}

/** Watches a Hermes home's `skills` and Hermes's lock. Events only say when to look; what changed is found by looking. */
export function watchHome(request: WatchRequest): HomeWatch {
  return new Watch(request);
}

class Watch implements HomeWatch {
  private readonly pace: WatchPace;
  private readonly timers: readonly NodeJS.Timeout[];
  private watcher: FSWatcher | null = null;
  private hasEvents = true;
  private identity: string | null = null;
  private quiet: NodeJS.Timeout | null = null;
  private since: number | null = null;
  private looking: Promise<void> | null = null;
  private isAgain = false;
  private isStopped = false;
  private probing: Promise<void>;

  constructor(private readonly request: WatchRequest) {
    this.pace = { ...usualPace, ...request.pace };
    this.timers = [
      setInterval(() => {
        this.probing = this.probing.then(() => this.probe());
      }, this.pace.probeMs),
      setInterval(() => {
        // What stood in the way of events may be gone by now: the next probe watches anew.
        if (!this.hasEvents) this.identity = null;
        this.look();
      }, this.pace.rescanMs),
    ];
    // Watching keeps no process alive by itself.
    for (const timer of this.timers) timer.unref();
    this.probing = this.probe();
  }

  touch(): void {
    if (this.isStopped) return;
    const now = performance.now();
    this.since ??= now;
    if (this.quiet !== null) clearTimeout(this.quiet);
    const left = this.since + this.pace.longestMs - now;
    this.quiet = setTimeout(() => this.look(), Math.max(0, Math.min(this.pace.quietMs, left)));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    if (this.quiet !== null) clearTimeout(this.quiet);
    await this.probing;
    await this.watcher?.close();
    await this.looking;
  }

  private look(): void {
    if (this.quiet !== null) clearTimeout(this.quiet);
    this.quiet = null;
    this.since = null;
    if (this.isStopped) return;
    if (this.looking !== null) {
      this.isAgain = true;
      return;
    }
    // A look that fails is made again with the next event, or at the next rescan.
    this.looking = this.request
      .onChange()
      .catch(() => undefined)
      .then(() => {
        this.looking = null;
        if (!this.isAgain) return;
        this.isAgain = false;
        this.touch();
      });
  }

  /** Watches anew when another folder has the name now. A watcher holds on to the folder, not to the name. */
  private async probe(): Promise<void> {
    if (this.isStopped) return;
    const identity = await identityOf(this.request.home);
    if (identity === this.identity) return;
    this.identity = identity;
    await this.watcher?.close();
    try {
      this.watcher = this.isStopped ? null : await this.open();
    } catch {
      this.watcher = null;
      this.tellEvents(false);
    }
    // What happened while nobody watched.
    this.touch();
  }

  private async open(): Promise<FSWatcher> {
    const { home, rules } = this.request;
    const skills = await realpath(join(home, 'skills')).catch(() => join(home, 'skills'));
    const below = (path: string): string | null => {
      for (const [base, prefix] of [
        [skills, 'skills'],
        [home, ''],
      ] as const) {
        const inside = relative(base, path).split(sep).join('/');
        if (inside !== '..' && !inside.startsWith('../')) return [prefix, inside].filter((part) => part !== '').join('/');
      }
      return null;
    };
    const watcher = (this.request.open ?? watch)([home, skills], {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      ignored: (path) => {
        const inside = below(path);
        return inside === null || !isWatched(inside, rules);
      },
    });
    let isWhole = true;
    // An exhausted number of watches, or a disk that cannot be watched: the rescan goes on.
    watcher.on('error', () => {
      isWhole = false;
      this.tellEvents(false);
    });
    watcher.on('ready', () => {
      if (isWhole) this.tellEvents(true);
      this.touch();
    });
    watcher.on('all', () => this.touch());
    return watcher;
  }

  private tellEvents(available: boolean): void {
    if (this.isStopped || available === this.hasEvents) return;
    this.hasEvents = available;
    this.request.onEvents(available);
  }
}

/** Whether events at a path are worth having. Bookkeeping is watched to where something new appears, not to its depths. */
export function isWatched(path: string, rules: Rules): boolean {
  const [top, ...names] = path.split('/');
  if (path === '' || path === syncLockName) return true;
  if (top !== 'skills') return false;
  for (let depth = 1; depth <= names.length; depth += 1) {
    const tree = rules.treeOf(['skills', ...names.slice(0, depth)].join('/'));
    if (tree === null) continue;
    const deepest = isRebuildable(tree) ? 0 : tree === restorePointsName ? 2 : 1;
    return names.length - depth <= deepest;
  }
  return true;
}

/** Changes when another folder, or none, has the name. */
async function identityOf(home: string): Promise<string> {
  const of = async (path: string) => {
    const found = await stat(path, { bigint: true }).catch(() => null);
    return found === null ? '-' : `${found.dev}:${found.ino}`;
  };
  return `${await of(home)} ${await of(join(home, 'skills'))}`;
}
