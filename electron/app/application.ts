// Longer than a file should be, because it is one list: a short answer for each request.
import type { Connection } from '../../shared/connection';
import type { LinkView, Reply } from '../../shared/contract';
import { AppError } from '../../shared/errors';
import type { InboxComparison, InboxItem, Resolution } from '../../shared/inbox';
import type { SideName } from '../../shared/inspection';
import type { Guard, RunReport } from '../../shared/run-report';
import type { Session } from '../../shared/session';
import type { EventHub, Handlers } from '../ipc/gate';
import type { FailedTests } from '../store/failed-tests';
import type { SecretStore } from '../store/secrets';
import type { SessionStore } from '../store/sessions';
import type { SettingsStore } from '../store/settings';
import type { AgreedTexts } from './agreed-texts';
import type { Connections } from './connections';
import type { Decisions } from './decisions';
import type { Guarding } from './guard';
import { guardHandlers } from './guard-handlers';
import type { History } from './history';
import { exportHistory, seriesOf } from './history-export';
import { findRun, rowsOf } from './history-rows';
import type { Inbox } from './inbox';
import { nextToUndo, undoNext } from './next-undo';
import { latest } from './past-runs';
import type { Prompts } from './prompts';
import type { Prunes } from './prune';
import type { Resolver } from './resolve';
import type { RunRecords } from './run-records';
import type { RunDirection, Runs } from './runs';
import { viewOf } from './status';
import type { Undoer } from './undo';

/** What the application is made of. */
export interface ApplicationParts {
  readonly connections: Connections;
  readonly sessions: SessionStore;
  readonly settings: SettingsStore;
  readonly history: History;
  readonly inbox: Inbox;
  readonly decisions: Decisions;
  readonly resolver: Resolver;
  readonly undoer: Undoer;
  readonly prunes: Prunes;
  readonly prompts: Prompts;
  readonly secrets: SecretStore;
  readonly failedTests: FailedTests;
  readonly guard: Guarding;
  readonly records: RunRecords;
  readonly texts: Pick<AgreedTexts, 'forget'>;
  readonly runs: Runs;
  readonly events: EventHub;
  readonly now: () => number;
  /** Remarks from start-up that belong into the next report. */
  readonly notes: readonly string[];
  compare(item: InboxItem): Promise<InboxComparison>;
  /** Remotes that the user's own configuration names. */
  proposals(localHome: string | undefined): Promise<Reply<'connection.proposals'>>;
  inspect(connection: Connection, side: SideName | 'both'): Promise<Reply<'inspect'>>;
  test(connection: Connection, acceptHostKey: string | null): Promise<Reply<'connection.test'>>;
  linkOf(connection: string): LinkView | null;
  /** Ends the wait of a link that is to be rebuilt. */
  tryNow(connection: string): void;
}

/** Runs looked at for a connection's last teardown. */
const recentRuns = 50;

/** One short answer for each request; every host uses the same. */
export function createHandlers(parts: ApplicationParts): Handlers {
  const { connections, sessions, history, inbox, decisions, runs, events } = parts;
  const app = new Application(parts);
  const idOf = (connection: string | undefined) => (connection === undefined ? undefined : connections.find(connection).id);
  return {
    'connection.list': async () => ({ connections: connections.list() }),
    'connection.add': async (params) => app.changed(await connections.add(params)),
    'connection.remove': async ({ connection }) => app.changed(await app.remove(connection)),
    'connection.forget-secrets': async ({ connection }) => {
      await parts.secrets.forgetAll(connections.find(connection).id);
      return app.changed({});
    },
    'connection.try-now': async ({ connection }) => {
      parts.tryNow(connections.find(connection).id);
      return {};
    },
    'connection.test': ({ connection, acceptHostKey }) => app.test(connections.find(connection), acceptHostKey ?? null),
    'connection.proposals': ({ localHome }) => parts.proposals(localHome),
    'prompt.list': async () => ({ prompts: parts.prompts.list() }),
    'prompt.answer': async ({ id, answers, remember }) => {
      parts.prompts.answer(id, answers, remember);
      return {};
    },
    'prompt.cancel': async ({ id }) => {
      parts.prompts.cancel(id);
      return {};
    },
    'session.start': ({ connection, allow }) => app.runSession(connections.find(connection), 'push', allow),
    'session.end': ({ connection, allow }) => app.runSession(connections.find(connection), 'sync-back', allow),
    'session.list': async () => ({ sessions: sessions.list() }),
    preview: ({ connection, direction }) =>
      runs.run(connections.find(connection), { direction, allow: [], dryRun: true }).finally(() => events.emit(changed)),
    'run.cancel': async ({ connection }) => {
      runs.cancel(connections.find(connection).id);
      return {};
    },
    'inbox.list': async ({ connection }) => {
      const items = inbox.list(idOf(connection));
      return { items, bytes: items.reduce((sum, { stored, remote }) => sum + (stored ? (remote?.bytes ?? 0) : 0), 0) };
    },
    'inbox.compare': ({ id }) => app.compare(id),
    'inbox.resolve': ({ ids, choice }) => app.resolve(ids, choice),
    undo: async ({ connection, run }) => app.own(undoNext(parts, connections.find(connection), run), true),
    'undo.usage': async ({ connection: named }) => {
      const connection = connections.find(named);
      return { ...(await parts.undoer.usage(connection)), next: await nextToUndo(parts, connection.id) };
    },
    'undo.free': async ({ connection }) => app.changed(await parts.undoer.free(connections.find(connection))),
    'decision.list': async ({ connection }) => ({ decisions: decisions.list(idOf(connection)) }),
    'decision.revoke': async ({ id }) => {
      await decisions.revoke(id);
      return app.changed({});
    },
    inspect: ({ connection, side }) => parts.inspect(connections.find(connection), side),
    prune: ({ connection, ...request }) => app.own(parts.prunes.prune(connections.find(connection), request), request.apply),
    clean: ({ connection, ...request }) => app.own(parts.prunes.clean(connections.find(connection), request), request.apply),
    'prune.removed': async ({ connection }) => ({ runs: await parts.prunes.removed(connections.find(connection).id) }),
    'prune.undo': ({ connection, ...which }) => app.own(parts.prunes.undo(connections.find(connection), which), true),
    'prune.free': ({ connection, ...which }) => app.own(parts.prunes.free(connections.find(connection), which), true),
    'history.list': async ({ connection, limit }) => {
      return { runs: await history.list({ connection: idOf(connection), limit }) };
    },
    'history.series': async ({ connection, limit }) => ({ points: await seriesOf(history, connections.find(connection).id, limit) }),
    'history.export': ({ connection, ...request }) => exportHistory(history, { ...request, connection: idOf(connection) }),
    'history.rows': async ({ connection, ...query }) => ({ rows: await rowsOf(history, { ...query, connection: idOf(connection) }) }),
    'history.run': ({ run }) => findRun(history, run),
    'settings.read': async () => parts.settings.read(),
    'settings.change': async (change) => {
      const settings = await parts.settings.change(change);
      events.emit({ event: 'settings', data: settings });
      return settings;
    },
    ...guardHandlers(parts.guard, (running) => app.own(running, true)),
    status: () => app.status(),
  };
}

const changed = { event: 'changed', data: {} } as const;

class Application {
  private notes: readonly string[];
  /** Last runs by connection, read once and kept up to date. */
  private readonly recent = new Map<string, { lastRun: RunReport | null; lastTeardown: RunReport | null }>();

  constructor(private readonly parts: ApplicationParts) {
    this.notes = parts.notes;
  }

  changed<T>(value: T): T {
    this.parts.events.emit(changed);
    return value;
  }

  async remove(idOrName: string): Promise<Record<never, never>> {
    const { connections, inbox, records, secrets, texts, runs } = this.parts;
    const { id } = connections.find(idOrName);
    // What a run still records must not outlive the connection.
    await runs.end(id);
    await connections.remove(id);
    await records.forget(id);
    await texts.forget(id);
    await secrets.forgetAll(id);
    for (const item of inbox.list(id)) await inbox.remove(item.id);
    return {};
  }

  async test(connection: Connection, acceptHostKey: string | null): Promise<Reply<'connection.test'>> {
    const { failedTests, now } = this.parts;
    const tested = await this.parts.test(connection, acceptHostKey);
    const failed = tested.checks.find(({ ok }) => !ok) ?? null;
    const at = new Date(now()).toISOString();
    await failedTests.record(connection.id, failed && { at, check: failed.id, advice: failed.fix ?? failed.detail });
    return this.changed(tested);
  }

  private isKnown(id: string): boolean {
    return this.parts.connections.list().some((connection) => connection.id === id);
  }

  /** Runs, and moves the session on: what could not end stays pending and is offered again. */
  async runSession(connection: Connection, direction: RunDirection, allow: readonly Guard[]): Promise<RunReport> {
    const { sessions, runs, now } = this.parts;
    const before = sessions.get(connection.id);
    const startedAt = before?.startedAt ?? new Date(now()).toISOString();
    const put = async (state: Session['state']) => {
      // The connection may have been removed while its run came to an end.
      if (this.isKnown(connection.id)) await sessions.put({ connection: connection.id, state, startedAt });
    };
    // The run is over only when this is written down: whoever waits for it to end finds the session where it will stay.
    const conclude = async (ended: RunReport) => {
      const report = this.withNotes(ended);
      const arrived = hasArrived(report);
      const move = () => {
        if (direction === 'push' && arrived) return put('open');
        if (direction === 'sync-back' && !arrived && before !== null) return put('pending');
        return direction === 'push' && before !== null ? put(before.state) : sessions.remove(connection.id);
      };
      const testedBy = arrived ? this.parts.failedTests.record(connection.id, null) : null;
      await Promise.all([move(), testedBy, this.parts.history.append(report)]);
      return report;
    };
    const running = runs.run(connection, { direction, allow, dryRun: false, conclude });
    // From here on this run owns the connection. A process that ends now leaves a session that is offered at the next start.
    await put(direction === 'push' ? 'starting' : 'ending').catch(() => undefined);
    this.parts.events.emit(changed);
    const report = await running;
    if (direction === 'push' && hasArrived(report)) await this.parts.prunes.emptyOld(connection).catch(() => undefined);
    const known = this.recent.get(connection.id);
    if (known !== undefined) this.recent.set(connection.id, latest([report, known.lastTeardown].flatMap((run) => run ?? [])));
    this.parts.events.emit({ event: 'run', data: report });
    return this.changed(report);
  }

  async compare(id: string): Promise<InboxComparison> {
    const item = this.parts.inbox.get(id);
    if (item === null) throw new AppError('inbox.unknown', { id });
    return this.parts.compare(item);
  }

  async resolve(ids: readonly string[], choice: Resolution): Promise<RunReport> {
    const resolving = this.parts.resolver.resolve(ids, choice);
    this.parts.events.emit(changed);
    const report = await resolving;
    await this.parts.history.append(report);
    // Not the connection's last run: a session that was stopped or failed still wants to be told of.
    this.parts.events.emit({ event: 'run', data: report });
    return this.changed(report);
  }

  /** A run that no session is about: what only looked, was stopped, or found nothing to do leaves no trace in the history. */
  async own(running: Promise<RunReport>, executes: boolean): Promise<RunReport> {
    this.parts.events.emit(changed);
    const report = await running.finally(() => this.parts.events.emit(changed));
    const didNothing = report.plan !== undefined && report.paths.length === 0 && report.error === null;
    if (!executes || report.outcome === 'stopped' || didNothing) return report;
    await this.parts.history.append(report);
    // Without the mark the next start finds it in the history.
    await this.parts.prunes.told(report.id).catch(() => undefined);
    // A run that was cut off before this one counts no more.
    this.recent.delete(report.connection.id);
    // Not the connection's last run: a session that was stopped or failed still wants to be told of.
    this.parts.events.emit({ event: 'run', data: report });
    return this.changed(report);
  }

  async status(): Promise<Reply<'status'>> {
    const { connections, sessions, inbox, runs, secrets, prompts, failedTests } = this.parts;
    const guarded = this.parts.guard.view();
    const asked = prompts.list();
    const views = await Promise.all(
      connections.list().map(async (connection) => {
        const { lastRun, lastTeardown } = await this.lastRuns(connection.id);
        const link = this.parts.linkOf(connection.id);
        const guard = guarded.events.filter((event) => event.connection === connection.id);
        const watch = guarded.homes.find((home) => home.connections.includes(connection.id))?.watch ?? 'none';
        const waiting = inbox.list(connection.id).length;
        const facts = {
          session: sessions.get(connection.id),
          link,
          waiting,
          guard,
          watch,
          lastRun,
          lastTeardown,
          // A link that is up says more than an earlier test.
          failedTest: link?.state === 'up' ? null : failedTests.of(connection.id),
          remembers: secrets.holds(connection.id),
          paused: this.parts.settings.read().paused,
          asks: asked.find((prompt) => prompt.connection.id === connection.id)?.question.kind ?? null,
        };
        return viewOf({ connection, ...facts, running: runs.isRunning(connection.id), progress: runs.progressOf(connection.id) });
      }),
    );
    return { connections: views, needsYou: views.filter(({ state }) => state === 'needs-you').length };
  }

  private async lastRuns(connection: string): Promise<{ lastRun: RunReport | null; lastTeardown: RunReport | null }> {
    const known = this.recent.get(connection);
    if (known !== undefined) return known;
    const found = latest(await this.parts.history.list({ connection, limit: recentRuns }));
    this.recent.set(connection, found);
    return found;
  }

  private withNotes(report: RunReport): RunReport {
    const { notes } = this;
    this.notes = [];
    return notes.length === 0 ? report : { ...report, notes: [...notes, ...report.notes] };
  }
}

/** Whether a run got as far as carrying over what it could. */
function hasArrived({ outcome }: RunReport): boolean {
  return outcome === 'done' || outcome === 'held' || outcome === 'partly';
}
