import { rowOf } from '../../electron/app/history-rows';
import type { Host } from '../../electron/ipc/host';
import type { AppEvent, ConnectionView, Envelope, Params, Reply, RequestName } from '../../shared/contract';
import type { SeriesPoint } from '../../shared/history';
import type { HistoryRow } from '../../shared/history-row';
import type { InboxItem } from '../../shared/inbox';
import type { RunReport } from '../../shared/run-report';
import { defaultSettings, type Settings } from '../../shared/settings';

type Answer = (params: unknown) => Envelope<unknown> | Promise<Envelope<unknown>>;

/** A host that says what a test tells it to, and remembers what it was asked. */
export interface ScriptedHost extends Host {
  readonly asked: readonly { readonly name: string; readonly params: unknown }[];
  /** What `status` answers from now on. Tells nobody. */
  show(connections: readonly ConnectionView[]): void;
  /** What `inbox.list` and `history.list` answer from now on. */
  keep(kept: { readonly runs?: readonly RunReport[]; readonly items?: readonly InboxItem[] }): void;
  /** How one request is answered from now on. */
  answer<K extends RequestName>(name: K, answer: (params: Params<K>) => Envelope<Reply<K>> | Promise<Envelope<Reply<K>>>): void;
  emit(event: AppEvent): void;
  readonly listeners: number;
}

function ok(value: unknown): Envelope<unknown> {
  return { ok: true, value };
}

function isOf(connection: unknown, thing: { readonly connection: string | { readonly id: string } }): boolean {
  return connection === undefined || connection === (typeof thing.connection === 'string' ? thing.connection : thing.connection.id);
}

function rowsFor(runs: readonly RunReport[], params: unknown): readonly HistoryRow[] {
  const { connection, search = '', limit } = params as Params<'history.rows'>;
  return runs
    .filter((run) => isOf(connection, run) && JSON.stringify(run).toLowerCase().includes(search.toLowerCase()))
    .slice(0, limit)
    .map(rowOf);
}

function runFor(runs: readonly RunReport[], params: unknown): Envelope<RunReport> {
  const run = runs.find(({ id }) => id === (params as Params<'history.run'>).run);
  return run === undefined
    ? { ok: false, error: { code: 'history.unknown', message: 'There is no such run in the history.', details: {} } }
    : { ok: true, value: run };
}

function seriesFor(runs: readonly RunReport[]): readonly SeriesPoint[] {
  const teardowns = runs.filter(({ kind, outcome }) => kind === 'sync-back' && outcome !== 'failed' && outcome !== 'stopped').toReversed();
  return teardowns.map(({ id, endedAt, outcome, ledger: { written, refused } }) => {
    const { bytes, estimated } = refused;
    return { run: id, endedAt, outcome, written: written.bytes, refused: bytes, restorePoints: 0, estimated };
  });
}

/** A host with the given connections, no history and an empty inbox. */
export function createScriptedHost(connections: readonly ConnectionView[] = []): ScriptedHost {
  let shown = connections;
  let runs: readonly RunReport[] = [];
  let items: readonly InboxItem[] = [];
  let settings: Settings = defaultSettings;
  const asked: { readonly name: string; readonly params: unknown }[] = [];
  const listeners = new Set<(event: AppEvent) => void>();
  const only = (params: unknown) => (params as { readonly connection?: string }).connection;
  const answers = new Map<string, Answer>([
    ['status', () => ok({ connections: shown, needsYou: shown.reduce((sum, view) => sum + view.needsYou, 0) })],
    ['history.list', (params) => ok({ runs: runs.filter((run) => isOf(only(params), run)) })],
    ['history.rows', (params) => ok({ rows: rowsFor(runs, params) })],
    ['history.run', (params) => runFor(runs, params)],
    ['history.series', (params) => ok({ points: seriesFor(runs.filter((run) => isOf(only(params), run))) })],
    ['connection.proposals', () => ok({ proposals: [], notes: [] })],
    ['prompt.list', () => ok({ prompts: [] })],
    ['settings.read', () => ok(settings)],
    [
      'settings.change',
      (params) => {
        settings = { ...settings, ...(params as Partial<Settings>) };
        for (const listener of listeners) listener({ event: 'settings', data: settings });
        return ok(settings);
      },
    ],
    ['inbox.list', (params) => ok({ items: items.filter((item) => isOf(only(params), item)), bytes: 0 })],
    ['decision.list', () => ok({ decisions: [] })],
    ['run.cancel', () => ok({})],
    ['prune.removed', () => ok({ runs: [] })],
    ['undo.usage', () => ok({ runs: 0, files: 0, bytes: 0, next: null })],
  ]);
  return {
    asked,
    show: (next) => {
      shown = next;
    },
    keep: (kept) => {
      runs = kept.runs ?? runs;
      items = kept.items ?? items;
    },
    answer: (name, answer) => {
      answers.set(name, answer as Answer);
    },
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    get listeners() {
      return listeners.size;
    },
    dispatch: async (name, params) => {
      asked.push({ name, params });
      const answer = answers.get(name);
      if (answer === undefined) throw new Error(`the test did not say how to answer ${name}`);
      return answer(params);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
