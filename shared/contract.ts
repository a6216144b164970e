// Not cut although it is long: every request and event is in this one map, which all hosts read.
import type { Connection, ConnectionTest, FailedTest, NewConnection } from './connection';
import type { Decision } from './decision';
import type { GuardEvent, GuardView, HomeWatching } from './guard';
import type { ExportFormat, ExportPart, SeriesPoint } from './history';
import type { HistoryRow } from './history-row';
import type { InboxComparison, InboxItem, Resolution } from './inbox';
import type { Inspection, RuleParity, SideName } from './inspection';
import type { RemovalChoice, RemovedRun } from './plan';
import type { Prompt, PromptQuestion } from './prompt';
import type { Proposal } from './proposal';
import type { Guard, RunKind, RunReport } from './run-report';
import type { Session } from './session';
import type { Settings, SettingsChange } from './settings';

/** The five words for a connection's state. */
export type ConnectionState = 'ready' | 'working' | 'paused' | 'offline' | 'needs-you';

/** What is going on in a run right now. `total` is null while it is not known. */
export interface Progress {
  readonly connection: string;
  readonly kind: RunKind;
  /** `recovering`: what an interrupted run of that kind left is finished or taken back, at the start. */
  readonly phase: 'connecting' | 'listing' | 'comparing' | 'transferring' | 'applying' | 'recording' | 'recovering';
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'files' | 'bytes' | null;
}

/** How it stands with the link of an open session: up; lost, and being rebuilt; or paused until a person has done something. */
export interface LinkView {
  readonly state: 'up' | 'lost' | 'paused';
  /** Why it is lost or paused. */
  readonly error: WireError | null;
}

/** A connection as the window and the tray show it, from stored facts alone. */
export interface ConnectionView {
  readonly id: string;
  readonly name: string;
  /** As a person writes it. */
  readonly address: string;
  readonly roots: readonly string[];
  readonly localHome: string;
  readonly state: ConnectionState;
  readonly session: Session | null;
  /** Null while no session is watched: none is open, or nobody stays to watch it. */
  readonly link: LinkView | null;
  /** The last sync-back that reached the remote, whatever its outcome. */
  readonly lastTeardown: RunReport | null;
  /** The last run of any kind. */
  readonly lastRun: RunReport | null;
  /** What waits for a decision: inbox items, and what guard mode found. */
  readonly needsYou: number;
  /** What guard mode found in this connection's Hermes home. */
  readonly guard: readonly GuardEvent[];
  /** How guard mode watches that home. */
  readonly watch: HomeWatching;
  /** The last test, while nothing has worked since it failed. */
  readonly failedTest: FailedTest | null;
  /** Passphrases or passwords are remembered for it. */
  readonly remembers: boolean;
  /** What an attempt waits for until a person has answered; null while none does. */
  readonly asks: PromptQuestion['kind'] | null;
  readonly progress: Progress | null;
}

export interface Status {
  readonly connections: readonly ConnectionView[];
  readonly needsYou: number;
}

/** How much the undo store keeps: runs that can be undone, and the files they replaced or removed. */
export interface UndoUsage {
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
}

/** A run that can be undone. */
export interface UndoableRun {
  readonly run: string;
  readonly kind: RunKind;
  /** ISO 8601: when it had done it. */
  readonly time: string;
}

/** Requests: what a window, the command line or another process may ask, and what comes back. A connection is named by id or name. */
export interface Requests {
  'connection.list': { params: Record<never, never>; reply: { readonly connections: readonly Connection[] } };
  'connection.add': { params: NewConnection; reply: Connection };
  'connection.remove': { params: { readonly connection: string }; reply: Record<never, never> };
  /** Forgets the passphrases and passwords that are remembered for it. */
  'connection.forget-secrets': { params: { readonly connection: string }; reply: Record<never, never> };
  /** The link of its session, lost and waiting for the next attempt, is tried at once. Nothing happens where none waits. */
  'connection.try-now': { params: { readonly connection: string }; reply: Record<never, never> };
  'connection.test': { params: { readonly connection: string; readonly acceptHostKey?: string | undefined }; reply: ConnectionTest };
  /** Remotes named in the user's SSH and Hermes configuration. Nothing is contacted. `notes`: what could not be read, in sentences. */
  'connection.proposals': {
    params: { readonly localHome?: string | undefined };
    reply: { readonly proposals: readonly Proposal[]; readonly notes: readonly string[] };
  };
  'prompt.list': { params: Record<never, never>; reply: { readonly prompts: readonly Prompt[] } };
  /** One answer for each thing that was asked, in order. Never logged; `remember` keeps it encrypted, once it let somebody in. */
  'prompt.answer': {
    params: { readonly id: string; readonly answers: readonly string[]; readonly remember: boolean };
    reply: Record<never, never>;
  };
  /** Gives up the attempt that asks. */
  'prompt.cancel': { params: { readonly id: string }; reply: Record<never, never> };
  'session.start': { params: { readonly connection: string; readonly allow: readonly Guard[] }; reply: RunReport };
  'session.end': { params: { readonly connection: string; readonly allow: readonly Guard[] }; reply: RunReport };
  'session.list': { params: Record<never, never>; reply: { readonly sessions: readonly Session[] } };
  preview: { params: { readonly connection: string; readonly direction: 'push' | 'sync-back' }; reply: RunReport };
  /**
   * Takes back what the connection's last run did on this computer. It is itself a run, and can be undone. When the last one cannot
   * be undone, or is not the one that is named, nothing happens: `undo.other-run` names the one that would be.
   */
  undo: { params: { readonly connection: string; readonly run?: string | undefined }; reply: RunReport };
  /** What the undo store holds of the connection's runs on this computer, and the run that an undo would take back. */
  'undo.usage': { params: { readonly connection: string }; reply: UndoUsage & { readonly next: UndoableRun | null } };
  /** Deletes that for good: none of these runs can be undone any more. Replies what went. */
  'undo.free': { params: { readonly connection: string }; reply: UndoUsage };
  'run.cancel': { params: { readonly connection: string }; reply: Record<never, never> };
  'inbox.list': {
    params: { readonly connection?: string | undefined };
    /** `bytes`: what the stored versions of these items take on this computer. */
    reply: { readonly items: readonly InboxItem[]; readonly bytes: number };
  };
  'inbox.compare': { params: { readonly id: string }; reply: InboxComparison };
  /** All items belong to one connection. The remote is not contacted. */
  'inbox.resolve': { params: { readonly ids: readonly string[]; readonly choice: Resolution }; reply: RunReport };
  'decision.list': { params: { readonly connection?: string | undefined }; reply: { readonly decisions: readonly Decision[] } };
  'decision.revoke': { params: { readonly id: string }; reply: Record<never, never> };
  inspect: {
    params: { readonly connection: string; readonly side: SideName | 'both' };
    reply: Inspection & { readonly parity: RuleParity };
  };
  /** Without `apply` only the plan is made, and nothing changes anywhere. */
  prune: {
    params: {
      readonly connection: string;
      readonly side: SideName | 'both';
      /** How many restore points stay, the newest verified one among them. */
      readonly keep: number;
      /** Also keep what is younger than seven days. */
      readonly keepRecent?: boolean | undefined;
      readonly includeRemoteOwn?: boolean | undefined;
      /** Also check archives where that means to download them. */
      readonly check?: boolean | undefined;
      readonly apply: boolean;
      /** Apply only if the plan still has this fingerprint. */
      readonly plan?: string | undefined;
      /** Delete for good at once. */
      readonly purge?: boolean | undefined;
    };
    reply: RunReport;
  };
  clean: {
    params: {
      readonly connection: string;
      readonly side: SideName | 'both';
      /** Paths of the plan's lines. */
      readonly only: readonly string[];
      readonly all: boolean;
      readonly apply: boolean;
      readonly plan?: string | undefined;
      readonly purge?: boolean | undefined;
    };
    reply: RunReport;
  };
  /** What prunes and cleans took away and can still be put back, newest first. */
  'prune.removed': { params: { readonly connection: string }; reply: { readonly runs: readonly RemovedRun[] } };
  /** Puts back what that run took away, or the last one of a kind. */
  'prune.undo': { params: { readonly connection: string } & RemovalChoice; reply: RunReport };
  /** Deletes it for good. */
  'prune.free': { params: { readonly connection: string } & RemovalChoice; reply: RunReport };
  'history.list': {
    params: { readonly connection?: string | undefined; readonly limit?: number | undefined };
    reply: { readonly runs: readonly RunReport[] };
  };
  /** A connection's finished teardowns for a chart, oldest first: the last 250 when nobody says how many. */
  'history.series': {
    params: { readonly connection: string; readonly limit?: number | undefined };
    reply: { readonly points: readonly SeriesPoint[] };
  };
  /** The history as a file, part by part. */
  'history.export': {
    params: { readonly connection?: string | undefined; readonly format: ExportFormat; readonly before?: string | undefined };
    reply: ExportPart;
  };
  /** Runs as a list shows them, newest first. `search`: words of which each occurs in a run's names, messages or paths. */
  'history.rows': {
    params: { readonly connection?: string | undefined; readonly search?: string | undefined; readonly limit?: number | undefined };
    reply: { readonly rows: readonly HistoryRow[] };
  };
  'history.run': { params: { readonly run: string }; reply: RunReport };
  'settings.read': { params: Record<never, never>; reply: Settings };
  'settings.change': { params: SettingsChange; reply: Settings };
  /** What guard mode watches and found, from what is stored. */
  'guard.list': { params: Record<never, never>; reply: GuardView };
  /** Looks now, and compares with how every home was at the last look. */
  'guard.look': { params: Record<never, never>; reply: GuardView };
  /** Watches by itself from now on, for as long as this process lives, unless the setting says no. */
  'guard.watch': { params: Record<never, never>; reply: GuardView };
  /** Writes the last good hub lock over the one an event found. */
  'guard.put-back': { params: { readonly id: string }; reply: RunReport };
  /** What is there is fine: the event is forgotten, and its hub lock is the good one from now on. */
  'guard.dismiss': { params: { readonly id: string }; reply: Record<never, never> };
  status: { params: Record<never, never>; reply: Status };
}

export type RequestName = keyof Requests;
export type Params<K extends RequestName> = Requests[K]['params'];
export type Reply<K extends RequestName> = Requests[K]['reply'];

/** Events: pushed to every listener. */
export interface Events {
  /** Something that `status` shows has changed. */
  changed: Record<never, never>;
  progress: Progress;
  /** A run ended. */
  run: RunReport;
  /** The remote of a session went away. Told once, until it was back for a while; what follows is in `status`. */
  outage: { readonly connection: string; readonly error: WireError };
  /** The settings as they are since they were changed. */
  settings: Settings;
  /** All open questions, whenever one came or went. */
  prompts: { readonly prompts: readonly Prompt[] };
}

export type EventName = keyof Events;
export type AppEvent = { [K in EventName]: { readonly event: K; readonly data: Events[K] } }[EventName];

/** How an error crosses a process boundary. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError };

/** What the renderer sees, over Electron IPC and over HTTP alike. */
export interface Bridge {
  call<K extends RequestName>(name: K, params: Params<K>): Promise<Envelope<Reply<K>>>;
  /** Returns the function that stops listening. */
  listen(listener: (event: AppEvent) => void): () => void;
  /** Whether the system shows notifications; left out in a browser, where none are shown. */
  readonly canNotify?: boolean;
}

/** Every request name, for hosts that must enumerate them. */
export const requestNames: readonly RequestName[] = [
  'connection.list',
  'connection.add',
  'connection.remove',
  'connection.forget-secrets',
  'connection.try-now',
  'connection.test',
  'connection.proposals',
  'prompt.list',
  'prompt.answer',
  'prompt.cancel',
  'session.start',
  'session.end',
  'session.list',
  'preview',
  'undo',
  'undo.usage',
  'undo.free',
  'run.cancel',
  'inbox.list',
  'inbox.compare',
  'inbox.resolve',
  'decision.list',
  'decision.revoke',
  'inspect',
  'prune',
  'clean',
  'prune.removed',
  'prune.undo',
  'prune.free',
  'history.list',
  'history.series',
  'history.export',
  'history.rows',
  'history.run',
  'settings.read',
  'settings.change',
  'guard.list',
  'guard.look',
  'guard.watch',
  'guard.put-back',
  'guard.dismiss',
  'status',
];
