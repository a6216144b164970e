import { randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { type Adapter, Low } from 'lowdb';
import { AppError } from '../../shared/errors';
import { writeDurably } from '../platform/atomic-file';
import { type State, type StateDraft, stateSchema, stateVersion } from './state';
import { storeFailure, systemCode } from './store-errors';

/** `state.json`, loaded. Only the owner of the data folder may open it. */
export interface StateFile {
  readonly state: State;
  /** What the reader of the next report should know: a broken file that was set aside. */
  readonly notes: readonly string[];
  /**
   * Runs one change after the other and resolves once it is on disk. A change that throws, or leaves something invalid,
   * changes nothing. Changes that wait together are written together.
   */
  update<T>(change: (draft: StateDraft) => T): Promise<T>;
}

class StateAdapter implements Adapter<StateDraft> {
  readonly notes: string[] = [];
  readonly #file: string;
  readonly #now: () => number;

  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  async read(): Promise<StateDraft | null> {
    const text = await this.#text();
    if (text === null) return null;
    const parsed = parseState(text);
    if (parsed.kind === 'newer') throw new AppError('store.newer', { file: this.#file, version: parsed.version });
    if (parsed.kind === 'valid') return parsed.state;
    await this.#setAside(parsed.reason);
    return null;
  }

  async write(state: StateDraft): Promise<void> {
    try {
      await writeDurably(this.#file, `${JSON.stringify(state, null, 2)}\n`);
    } catch (error) {
      throw storeFailure('write', this.#file, error);
    }
  }

  async #text(): Promise<string | null> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw storeFailure('read', this.#file, error);
    }
  }

  async #setAside(reason: string): Promise<void> {
    const aside = `${this.#file}.broken-${this.#now()}`;
    try {
      await rename(this.#file, aside);
    } catch (error) {
      throw storeFailure('set aside', this.#file, error);
    }
    const note = `${this.#file} could not be understood (${reason}). It was set aside as ${aside}; connections and settings start empty.`;
    this.notes.push(note);
    // A command that now fails for want of its connection makes no report, and the next process knows nothing of this.
    console.error(note);
  }
}

type Parsed =
  | { readonly kind: 'valid'; readonly state: StateDraft }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'broken'; readonly reason: string };

function parseState(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken', reason: 'it is not complete JSON' };
  }
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : null;
  if (typeof version === 'number' && version > stateVersion) return { kind: 'newer', version };
  const checked = stateSchema.safeParse(value);
  if (checked.success) return { kind: 'valid', state: checked.data };
  const issue = checked.error.issues[0];
  return { kind: 'broken', reason: `${issue?.path.join('.') || 'content'}: ${issue?.message ?? 'not valid'}` };
}

interface Waiting {
  apply(draft: StateDraft): StateDraft;
  settle(error: unknown): void;
}

/** Makes a queued change: `apply` answers the next state or throws, `settle(null)` hands the result out after the write. */
function queued<T>(change: (draft: StateDraft) => T, resolve: (value: T) => void, reject: (error: unknown) => void): Waiting {
  let result: { readonly value: T } | null = null;
  return {
    apply(current) {
      const draft = structuredClone(current);
      result = { value: change(draft) };
      return stateSchema.parse(draft);
    },
    settle(error) {
      if (error === null && result !== null) resolve(result.value);
      else reject(error);
    },
  };
}

class LowStateFile implements StateFile {
  readonly notes: readonly string[];
  readonly #db: Low<StateDraft>;
  #waiting: Waiting[] = [];
  #writing = false;

  constructor(db: Low<StateDraft>, notes: readonly string[]) {
    this.#db = db;
    this.notes = notes;
  }

  get state(): State {
    return this.#db.data;
  }

  update<T>(change: (draft: StateDraft) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(queued(change, resolve, reject));
      if (!this.#writing) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#commit(batch);
    }
    this.#writing = false;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const before = this.#db.data;
    const applied: Waiting[] = [];
    let next = before;
    for (const change of batch) {
      try {
        next = change.apply(next);
        applied.push(change);
      } catch (error) {
        change.settle(error);
      }
    }
    if (applied.length === 0) return;
    let failure: unknown = null;
    try {
      this.#db.data = next;
      await this.#db.write();
    } catch (error) {
      this.#db.data = before;
      failure = error;
    }
    for (const change of applied) change.settle(failure);
  }
}

/** Opens `state.json`, making it when it is missing. A file that cannot be understood is set aside, one of a newer version is refused untouched. */
export async function openStateFile(file: string, now: () => number = Date.now): Promise<StateFile> {
  const fresh: StateDraft = {
    version: stateVersion,
    clientId: randomBytes(16).toString('hex'),
    settings: {},
    connections: [],
    sessions: [],
    decisions: [],
  };
  const adapter = new StateAdapter(file, now);
  const db = new Low<StateDraft>(adapter, fresh);
  await db.read();
  if (db.data === fresh) await db.write();
  return new LowStateFile(db, adapter.notes);
}
