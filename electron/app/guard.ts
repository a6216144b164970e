import { randomBytes } from 'node:crypto';
import type { Connection } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import type { GuardEvent, GuardView, WatchedHome } from '../../shared/guard';
import { pathPhrases } from '../../shared/phrases/paths';
import type { Rules } from '../../shared/rules';
import type { RunReport } from '../../shared/run-report';
import { takeFootprint } from '../hygiene/footprint';
import { type HubCopy, openHubCopy } from '../hygiene/hub-copy';
import { hubLockPath } from '../hygiene/hub-lock';
import { createLocalReader } from '../hygiene/local-reader';
import type { HomeWatch, WatchRequest } from '../hygiene/watch';
import type { StateFile } from '../store/state-file';
import type { GrowthBook } from './growth';
import { nextEvents, withoutLock } from './guard-events';
import { type GuardedHome, guardedHomes } from './guard-homes';
import { type LookResult, lookAtHome, ownPathsSince } from './guard-look';
import type { GuardRecord, GuardRecords } from './guard-records';
import { createWatching, type Watching } from './guard-watching';
import type { History } from './history';
import { localResult } from './run-report';
import type { Runs } from './runs';

export interface GuardDeps {
  readonly state: StateFile;
  readonly records: GuardRecords;
  /** Folder of the last good lock files. */
  readonly copies: string;
  readonly history: History;
  readonly growth: Pick<GrowthBook, 'context'>;
  readonly runs: Pick<Runs, 'isRunning' | 'runOwn'>;
  /** Whether homes are watched at all. */
  isOn(): boolean;
  connections(): readonly Connection[];
  homeOf(connection: Connection): string;
  rulesFor(connection: Connection): Promise<Rules>;
  /** Whether Hermes holds its lock in the home right now. */
  isHeld(home: string): Promise<boolean>;
  /** Keeps everybody else out of the home while its files are written. */
  lockHome(home: string, signal: AbortSignal): Promise<{ release(): Promise<void> }>;
  watchHome(request: WatchRequest): Promise<HomeWatch>;
  changed(): void;
  readonly now: () => number;
}

/** Guard mode: looks at the local `skills` of every connection, and tells what no run of ours brought. Deletes and restores nothing by itself. */
export interface Guarding {
  /** What waits for a decision, from what is stored. */
  events(): readonly GuardEvent[];
  view(): GuardView;
  /** Compares every home with how it was at the last look. */
  look(): Promise<void>;
  /** Watches from now on, until stopped. Does nothing when it does already. */
  start(): void;
  /** To be called when connections, settings or runs changed. */
  refresh(): void;
  stop(): Promise<void>;
  /** Writes the last good lock file of that event's home over what lies there. It is a run. */
  putBack(id: string): Promise<RunReport>;
  /** Takes what is there for good. */
  dismiss(id: string): Promise<void>;
}

/** While Hermes holds its lock there is more to come; so long it is waited for before the first word, in milliseconds. */
const patienceMs = 5000;
/** Runs among which ours since the last look are looked for. */
const runsLookedAt = 100;

export function createGuard(deps: GuardDeps): Guarding {
  return new Guard(deps);
}

class Guard implements Guarding {
  private readonly looked = new Map<string, Pick<WatchedHome, 'state' | 'lookedAt'>>();
  /** Homes of which a look was put off. */
  private readonly due = new Set<string>();
  private readonly heldSince = new Map<string, number>();
  private readonly watching: Watching;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: GuardDeps) {
    const homes = () => (deps.isOn() ? this.homes().map(({ home }) => home) : []);
    this.watching = createWatching(homes, (home, onEvents) => this.watch(home, onEvents), deps.changed);
  }

  events(): readonly GuardEvent[] {
    return this.deps.state.state.guard ?? [];
  }

  view(): GuardView {
    const homes = this.homes().map(({ home, connections }): WatchedHome => {
      const { state, lookedAt } = this.looked.get(home) ?? { state: 'first-look', lookedAt: null };
      return { home, connections: connections.map(({ id }) => id), state, lookedAt, watch: this.watching.watchOf(home) };
    });
    return { watching: this.watching.isStarted && this.deps.isOn(), homes, events: this.events() };
  }

  look(): Promise<void> {
    return this.inTurn(async () => {
      for (const home of this.homes()) await this.lookAt(home, true);
    });
  }

  start(): void {
    this.watching.start();
  }

  refresh(): void {
    this.watching.refresh();
    for (const one of this.homes()) if (this.due.has(one.home) && !this.isBusy(one)) this.watching.touch(one.home);
  }

  async stop(): Promise<void> {
    await this.watching.stop();
    await this.last;
  }

  async putBack(id: string): Promise<RunReport> {
    const { event, connection, home, copy } = this.open(id);
    if (event.hubLock === null) throw new AppError('guard.nothing-kept', { home });
    return this.deps.runs.runOwn(connection, 'put-back', async (_run, signal) => {
      const lock = await this.deps.lockHome(home, signal);
      try {
        const back = await copy.putBack();
        if (back.kind === 'not-kept') throw new AppError('guard.nothing-kept', { home });
        if (back.kind === 'obstructed') {
          throw new AppError('local.failed', { operation: 'write', path: hubLockPath, reason: 'skills/.hub is not a plain folder' });
        }
        await this.change((events) => events.flatMap((one) => (one.id === id ? withoutLock(one) : [one])));
        const change = back.existed ? 'update' : 'create';
        const line = { path: hubLockPath, outcome: 'written', change, bytes: back.bytes, reason: pathPhrases['good-lock'] } as const;
        return localResult([line], back.replaced === null ? [] : [`What lay there is kept as ${back.replaced}.`]);
      } finally {
        await lock.release();
      }
    });
  }

  async dismiss(id: string): Promise<void> {
    const { event, copy } = this.open(id);
    if (event.hubLock !== null) await copy.accept();
    await this.change((events) => events.filter((one) => one.id !== id));
  }

  private homes(): readonly GuardedHome[] {
    return guardedHomes(this.deps.connections(), this.deps.homeOf);
  }

  private copyOf({ home, key }: GuardedHome): HubCopy {
    return openHubCopy({ home, folder: this.deps.copies, key });
  }

  private open(id: string) {
    const event = this.events().find((one) => one.id === id);
    const found = this.homes().find(({ connections }) => connections.some((one) => one.id === event?.connection));
    if (event === undefined || found === undefined) throw new AppError('guard.unknown', { id });
    return { event, connection: found.connections[0], home: found.home, copy: this.copyOf(found) };
  }

  private isBusy({ connections }: GuardedHome): boolean {
    return connections.some(({ id }) => this.deps.runs.isRunning(id));
  }

  private async watch(home: string, onEvents: WatchRequest['onEvents']): Promise<HomeWatch> {
    const found = this.homes().find((one) => one.home === home);
    if (found === undefined) throw new AppError('guard.unknown', { id: home });
    const rules = await this.deps.rulesFor(found.connections[0]);
    return this.deps.watchHome({ home, rules, onEvents, onChange: () => this.inTurn(() => this.lookAt(found, false)) });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** One look. Where a run of ours works it is put off until that has ended, so that its own work is known. */
  private async lookAt(home: GuardedHome, isAsked: boolean): Promise<void> {
    this.due.add(home.home);
    if (this.isBusy(home)) return;
    const { records, now } = this.deps;
    const before = await records.read(home.key);
    const result = await this.compare(home, before);
    if (result === null) return;
    if (!isAsked && this.isToWait(home.home, result)) return this.watching.touch(home.home);
    await records.save(home.key, result.record);
    this.due.delete(home.home);
    await this.tell(home, result);
    const state = result.state === 'ok' && before === null ? 'first-look' : result.state;
    this.looked.set(home.home, { state, lookedAt: new Date(now()).toISOString() });
  }

  /** Null when a run of ours began meanwhile: it may have written some of what was seen, and is not in the history yet. */
  private async compare(home: GuardedHome, before: GuardRecord | null): Promise<LookResult | null> {
    const { deps } = this;
    const [{ id }] = home.connections;
    const rules = await deps.rulesFor(home.connections[0]);
    const now = await takeFootprint(createLocalReader(new AbortController().signal), home.home, rules, deps.now());
    const { past, expected } = await deps.growth.context(id);
    const runs = await deps.history.list({ limit: runsLookedAt });
    if (this.isBusy(home)) return null;
    const ours = runs.filter(({ connection }) => home.connections.some((one) => one.id === connection.id));
    return lookAtHome({
      ...{ before, now, copy: this.copyOf(home), isHeld: () => deps.isHeld(home.home) },
      own: ownPathsSince(ours, before?.footprint.takenAt ?? 0),
      isToldOf: this.events().some(({ connection, source }) => connection === id && source === 'hermes'),
      growth: { usual: past.map(({ incoming }) => incoming), expected },
    });
  }

  private isToWait(home: string, { isHeld }: LookResult): boolean {
    const since = this.heldSince.get(home) ?? this.deps.now();
    if (isHeld) this.heldSince.set(home, since);
    else this.heldSince.delete(home);
    return isHeld && this.deps.now() - since < patienceMs;
  }

  private async tell(home: GuardedHome, { state, arrival, hubLock, byHermes }: LookResult): Promise<void> {
    if (state !== 'ok') return;
    const [{ id: connection }] = home.connections;
    const canPutBack = hubLock !== null;
    const source = byHermes ? 'hermes' : 'other';
    const at = new Date(this.deps.now()).toISOString();
    const facts = { id: randomBytes(8).toString('hex'), connection, at, source, arrival, hubLock, canPutBack } as const;
    await this.change((events) => {
      const mine = events.filter((event) => event.side === 'local' && event.connection === connection);
      return [...events.filter((event) => !mine.includes(event)), ...nextEvents(mine, facts)];
    });
  }

  private async change(edit: (events: readonly GuardEvent[]) => readonly GuardEvent[]): Promise<void> {
    const next = edit(this.events());
    if (JSON.stringify(next) === JSON.stringify(this.events())) return;
    await this.deps.state.update((draft) => {
      draft.guard = edit(draft.guard ?? []).map((event) => structuredClone(event) as NonNullable<typeof draft.guard>[number]);
    });
    this.deps.changed();
  }
}
