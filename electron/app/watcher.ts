import type { Connection } from '../../shared/connection';
import type { LinkView, WireError } from '../../shared/contract';
import { AppError, isOffline, toWireError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';
import type { Connector } from '../ssh/connector';
import type { SshConnection } from '../ssh/ssh-connection';

/** Times, in milliseconds. */
export interface WatchPace {
  /** Before the first new attempt; doubled with each, never above `longestMs`. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** A link that held for so long ends the outage. */
  readonly steadyMs: number;
  /** How long a link has to prove that it is alive, after a sleep or a change of network. */
  readonly proofMs: number;
}

export const usualPace: WatchPace = { firstMs: 1000, longestMs: 60_000, steadyMs: 60_000, proofMs: 5000 };

/** What the watcher of one session needs. */
export interface WatcherDeps {
  /** Asks nobody: what needs a person fails, and pauses. */
  readonly connect: Connector;
  /** Ends the session; what became of it comes back as the report of a run. */
  end(connection: Connection): Promise<unknown>;
  /** A link's view changed. */
  changed(): void;
  /** A session's link is up, or free again after a run: its end can be made ready on it. */
  idle(connection: Connection, link: SshConnection): void;
  /** Told once for each outage. */
  outage(connection: Connection, error: WireError): void;
  readonly pace: WatchPace;
  /** At least 0 and below 1. */
  random(): number;
}

/** After so many ends that failed although the link was up, only the person tries again. */
const longestStreak = 5;

/** One attempt and the link that came of it. Whoever holds another one cannot touch this one's link. */
interface Attempt {
  readonly controller: AbortController;
  link: SshConnection | null;
}

/** The link of one connection's session. */
export class Watcher {
  view: LinkView | null = null;
  private attempt: Attempt | null = null;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isTold = false;
  private isEndDue = false;
  private ends = 0;

  constructor(
    private readonly connection: Connection,
    private readonly deps: WatcherDeps,
  ) {}

  /** Keeps a link from now on, unless one is up already. */
  keep(): void {
    this.isEndDue = false;
    this.ends = 0;
    const { link } = this;
    if (link === null) this.begin();
    else this.deps.idle(this.connection, link);
  }

  /** The link, for a run to use and to leave open; null while there is none. */
  get link(): SshConnection | null {
    return this.view?.state === 'up' ? (this.attempt?.link ?? null) : null;
  }

  /** The end found no remote: the link is not to be trusted either. False when it was tried often enough. */
  endWhenBack(error: WireError): boolean {
    this.isEndDue = true;
    if (this.ends >= longestStreak) return false;
    this.lost(error);
    return true;
  }

  retry(): void {
    if (this.view?.state === 'paused') this.begin();
  }

  /** Waiting ends, and no attempt that began before counts. What needs a person stays paused. */
  tryNow(): void {
    if (this.view?.state === 'up' || this.view?.state === 'paused') return;
    this.failures = 0;
    this.begin();
  }

  async leave(): Promise<void> {
    clearTimeout(this.timer);
    const { attempt } = this;
    this.attempt = null;
    attempt?.controller.abort();
    await attempt?.link?.close();
  }

  private begin(): void {
    void this.leave();
    const own: Attempt = { controller: new AbortController(), link: null };
    this.attempt = own;
    void this.hold(own).catch((error: unknown) => {
      if (this.attempt === own) this.failed(error);
    });
  }

  private async hold(own: Attempt): Promise<void> {
    const link = await this.deps.connect(this.connection, { signal: own.controller.signal });
    if (this.attempt !== own) return link.close();
    own.link = link;
    this.up();
    const error = await link.closed;
    const { host, port } = link.target;
    if (this.attempt === own) this.lost(toWireError(error ?? new AppError('ssh.lost', { host, port, reason: causePhrases.closed })));
  }

  private up(): void {
    this.show({ state: 'up', error: null });
    if (!this.isEndDue && this.link !== null) this.deps.idle(this.connection, this.link);
    this.timer = setTimeout(() => {
      this.failures = 0;
      this.isTold = false;
    }, this.deps.pace.steadyMs);
    if (!this.isEndDue) return;
    this.ends += 1;
    // A run that is under way already tells us itself when it is over.
    void this.deps.end(this.connection).catch(() => undefined);
  }

  private failed(error: unknown): void {
    const wire = toWireError(error);
    if (mendsItself(wire.code)) {
      this.lost(wire);
      return;
    }
    void this.leave();
    this.show({ state: 'paused', error: wire });
    this.tell(wire);
  }

  private lost(error: WireError): void {
    void this.leave();
    this.failures += 1;
    this.timer = setTimeout(() => this.begin(), backOff(this.failures, this.deps.pace, this.deps.random()));
    this.show({ state: 'lost', error });
    this.tell(error);
  }

  private show(view: LinkView): void {
    this.view = view;
    this.deps.changed();
  }

  private tell(error: WireError): void {
    if (this.isTold) return;
    this.isTold = true;
    this.deps.outage(this.connection, error);
  }
}

/** Milliseconds until the next attempt after so many failures; spread, so that many links do not come back at one moment. */
export function backOff(failures: number, { firstMs, longestMs }: WatchPace, random: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + random / 2);
}

/** Whether an attempt that failed so is worth another without a person. A server that is just starting or ending breaks the handshake. */
function mendsItself(code: string): boolean {
  return isOffline(code) || code === 'ssh.protocol';
}
