import type { ConnectionTest } from '../shared/connection';
import type { AppEvent, ConnectionView, Envelope, Progress, Status, WireError } from '../shared/contract';
import type { Decision } from '../shared/decision';
import type { InboxComparison, InboxItem } from '../shared/inbox';
import type { Prompt } from '../shared/prompt';
import type { Guard, RunReport } from '../shared/run-report';
import type { Settings } from '../shared/settings';

/** What the user may ask of a connection. */
export type Ask = 'start' | 'end' | 'test' | 'resolve' | 'preview';

/** An item of the inbox that is open, with its versions once they are read. */
export interface OpenItem {
  readonly id: string;
  readonly comparison: InboxComparison | null;
}

/** What the window knows of one connection beside its `ConnectionView`. */
export interface ConnectionFacts {
  /** A request that was sent and not answered. */
  readonly asking: Ask | null;
  readonly cancelling: boolean;
  /** Guards the user let through in the run that was asked last; a further stop adds to them. */
  readonly allowed: readonly Guard[];
  /** Why the last request, or loading the inbox, was refused. */
  readonly problem: WireError | null;
  readonly progress: Progress | null;
  readonly inbox: readonly InboxItem[] | null;
  readonly openItem: OpenItem | null;
  /** Null until loaded. */
  readonly decisions: readonly Decision[] | null;
  readonly test: ConnectionTest | null;
  /** The run that ended while this window looked on. */
  readonly ended: RunReport | null;
}

export interface AppState {
  /** The last known; kept when a later request fails. */
  readonly status: Status | null;
  /** Why the status could not be read just now. */
  readonly problem: WireError | null;
  /** Questions that wait for a person. */
  readonly prompts: readonly Prompt[];
  /** Null until they are read. */
  readonly settings: Settings | null;
  /** By connection id. */
  readonly facts: Readonly<Record<string, ConnectionFacts>>;
}

export type Action =
  | { readonly kind: 'event'; readonly event: AppEvent }
  | { readonly kind: 'prompts'; readonly reply: Envelope<{ readonly prompts: readonly Prompt[] }> }
  | { readonly kind: 'status'; readonly reply: Envelope<Status> }
  | { readonly kind: 'settings'; readonly reply: Envelope<Settings> }
  | { readonly kind: 'inbox'; readonly connection: string; readonly reply: Envelope<{ readonly items: readonly InboxItem[] }> }
  | { readonly kind: 'decisions'; readonly connection: string; readonly reply: Envelope<{ readonly decisions: readonly Decision[] }> }
  | { readonly kind: 'item-opened'; readonly connection: string; readonly id: string }
  | { readonly kind: 'item-closed'; readonly connection: string }
  | { readonly kind: 'item-compared'; readonly connection: string; readonly id: string; readonly reply: Envelope<InboxComparison> }
  | {
      readonly kind: 'revoke-answered' | 'remove-answered' | 'secrets-answered' | 'try-answered';
      readonly connection: string;
      readonly reply: Envelope<unknown>;
    }
  | { readonly kind: 'asked'; readonly connection: string; readonly ask: Ask; readonly allow: readonly Guard[] }
  | { readonly kind: 'run-answered'; readonly connection: string; readonly reply: Envelope<RunReport> }
  | { readonly kind: 'test-answered'; readonly connection: string; readonly reply: Envelope<ConnectionTest> }
  | { readonly kind: 'cancel-asked'; readonly connection: string }
  | { readonly kind: 'cancel-answered'; readonly connection: string; readonly reply: Envelope<unknown> };

const noFacts: ConnectionFacts = {
  asking: null,
  cancelling: false,
  allowed: [],
  problem: null,
  progress: null,
  inbox: null,
  openItem: null,
  decisions: null,
  test: null,
  ended: null,
};

export const initialState: AppState = { status: null, problem: null, settings: null, prompts: [], facts: {} };

/** What is known of a connection; the empty facts when nothing is. */
export function factsOf(state: AppState, id: string): ConnectionFacts {
  return state.facts[id] ?? noFacts;
}

function change(state: AppState, id: string, part: Partial<ConnectionFacts>): AppState {
  return { ...state, facts: { ...state.facts, [id]: { ...factsOf(state, id), ...part } } };
}

/** Events name a connection by its id; a host that sends the name is understood too. */
function idOf(state: AppState, connection: string): string {
  const connections = state.status?.connections ?? [];
  return (connections.find((one) => one.id === connection) ?? connections.find((one) => one.name === connection))?.id ?? connection;
}

/** Whether a run goes on, waiting for a person or not. */
export function isRunning(view: ConnectionView): boolean {
  return view.state === 'working' || view.progress !== null;
}

function takeStatus(state: AppState, reply: Envelope<Status>): AppState {
  if (!reply.ok) return { ...state, problem: reply.error };
  const facts: Record<string, ConnectionFacts> = {};
  for (const view of reply.value.connections) {
    const known = factsOf(state, view.id);
    const working = isRunning(view);
    // the events are ahead of the status while a run goes on, and behind it once the run ended
    const progress = working ? (known.progress ?? view.progress) : null;
    facts[view.id] = {
      ...known,
      progress,
      cancelling: known.cancelling && (working || known.asking !== null),
    };
  }
  return { ...state, status: reply.value, problem: null, facts };
}

function takeEvent(state: AppState, event: AppEvent): AppState {
  switch (event.event) {
    case 'changed':
    case 'settings':
    case 'outage':
      return state;
    case 'prompts':
      return { ...state, prompts: event.data.prompts };
    case 'progress':
      return change(state, idOf(state, event.data.connection), { progress: event.data });
    case 'run': {
      const id = event.data.connection.id;
      return change(state, id, { progress: null, cancelling: false, ended: event.data });
    }
  }
}

function takeRun(state: AppState, connection: string, reply: Envelope<RunReport>): AppState {
  const ended = { asking: null, cancelling: false, progress: null };
  if (!reply.ok) return change(state, connection, { ...ended, problem: reply.error, allowed: [] });
  const facts = factsOf(state, connection);
  const allowed = reply.value.outcome === 'stopped' ? facts.allowed : [];
  return change(state, connection, { ...ended, problem: null, allowed, ended: reply.value });
}

function takeInbox(state: AppState, connection: string, items: readonly InboxItem[]): AppState {
  const { openItem } = factsOf(state, connection);
  return change(state, connection, { inbox: items, openItem: items.some(({ id }) => id === openItem?.id) ? openItem : null });
}

/** An answer for an item that is no longer open is late, and of no use. */
function takeComparison(state: AppState, connection: string, id: string, reply: Envelope<InboxComparison>): AppState {
  if (factsOf(state, connection).openItem?.id !== id) return state;
  return change(state, connection, reply.ok ? { openItem: { id, comparison: reply.value } } : { problem: reply.error });
}

/** The window's whole state after one thing happened. Pure. */
export function reduce(state: AppState, action: Action): AppState {
  switch (action.kind) {
    case 'event':
      return takeEvent(state, action.event);
    case 'prompts':
      return action.reply.ok ? { ...state, prompts: action.reply.value.prompts } : state;
    case 'status':
      return takeStatus(state, action.reply);
    case 'settings':
      return action.reply.ok ? { ...state, settings: action.reply.value } : { ...state, problem: action.reply.error };
    case 'inbox':
      return action.reply.ok
        ? takeInbox(state, action.connection, action.reply.value.items)
        : change(state, action.connection, { problem: action.reply.error });
    case 'decisions':
      return change(
        state,
        action.connection,
        action.reply.ok ? { decisions: action.reply.value.decisions } : { problem: action.reply.error },
      );
    case 'item-opened':
      return change(state, action.connection, { openItem: { id: action.id, comparison: null }, problem: null });
    case 'item-closed':
      return change(state, action.connection, { openItem: null });
    case 'item-compared':
      return takeComparison(state, action.connection, action.id, action.reply);
    case 'revoke-answered':
    case 'remove-answered':
    case 'secrets-answered':
    case 'try-answered':
      return action.reply.ok ? state : change(state, action.connection, { problem: action.reply.error });
    case 'asked':
      return change(state, action.connection, {
        ...{ asking: action.ask, allowed: action.allow, problem: null, ended: null },
        // a preview follows a test, and both are shown
        ...(action.ask === 'preview' ? {} : { test: null }),
      });
    case 'run-answered':
      return takeRun(state, action.connection, action.reply);
    case 'test-answered':
      return change(state, action.connection, {
        asking: null,
        ...(action.reply.ok ? { test: action.reply.value } : { problem: action.reply.error }),
      });
    case 'cancel-asked':
      return change(state, action.connection, { cancelling: true });
    case 'cancel-answered':
      return action.reply.ok ? state : change(state, action.connection, { cancelling: false, problem: action.reply.error });
  }
}

const urgency: readonly ConnectionView['state'][] = ['needs-you', 'working', 'offline', 'paused', 'ready'];

/** Rows in the order in which they want attention; an end that is still owed counts before others of its state. */
export function sortByAttention(connections: readonly ConnectionView[]): readonly ConnectionView[] {
  const owed = (view: ConnectionView) => (view.session?.state === 'pending' ? 0 : 1);
  return [...connections].sort(
    (a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state) || owed(a) - owed(b) || a.name.localeCompare(b.name),
  );
}
