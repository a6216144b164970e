import { createHash } from 'node:crypto';
import type { Decision, DecisionChoice } from '../../shared/decision';
import { AppError } from '../../shared/errors';
import type { EnginePath } from '../engine/entry';
import type { StateFile } from '../store/state-file';

/** What the user decided about single paths, until taken back. A connection is named by its id. */
export interface Decisions {
  /** In the order in which they were made. */
  list(connection?: string): readonly Decision[];
  /** Remote versions that are not offered again, by path; null: that the file is gone there. */
  declinedFor(connection: string): ReadonlyMap<EnginePath, string | null>;
  /** Remote versions that were taken back here, by path; null: that the file is gone there. */
  undoneFor(connection: string): ReadonlyMap<EnginePath, string | null>;
  /** Guarded files whose local version always stays. */
  keepsLocal(connection: string): ReadonlySet<EnginePath>;
  /** Remembers that this remote version is not wanted, in place of an earlier one of the same path. */
  decline(connection: string, path: EnginePath, hash: string | null): Promise<void>;
  /** Remembers that an undo took this remote version back. */
  undo(connection: string, path: EnginePath, hash: string | null): Promise<void>;
  /** Drops what an undo remembered about these paths. */
  redo(connection: string, paths: readonly EnginePath[]): Promise<void>;
  keepLocal(connection: string, path: EnginePath): Promise<void>;
  /** Adds a rule to the connection that keeps the path, with everything below it, where it is on both sides. */
  exclude(connection: string, path: EnginePath): Promise<void>;
  /** Drops what was decided about versions of these paths; what holds for every version stays. */
  forget(connection: string, paths: readonly EnginePath[]): Promise<void>;
  /** Takes one decision back, with the rule it made. Fails with `decision.unknown`. */
  revoke(id: string): Promise<Decision>;
}

/** Decisions about a path whatever its content. */
const lasting: ReadonlySet<DecisionChoice> = new Set(['keep-local', 'exclude', 'growth-expected']);

/** The id of a decision: the same for the same choice about the same path. */
export function decisionId(connection: string, path: EnginePath, choice: DecisionChoice): string {
  return createHash('sha256').update(`${connection}\0${path}\0${choice}`).digest('hex').slice(0, 20);
}

/** A rule in gitignore syntax for one path, file or folder, and what lies below it; nothing else matches. */
export function ruleFor(path: EnginePath): string {
  // A backslash never occurs in a path that passed the rules.
  return `/${path.replace(/[\\*?[\]!#{}]/g, '\\$&').replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

/** A view on the state file. */
export function createDecisions(file: StateFile, now: () => number): Decisions {
  const list = (connection?: string) => file.state.decisions.filter((one) => connection === undefined || one.connection === connection);
  const made = (connection: string, path: EnginePath, choice: DecisionChoice, hash: string | null): Decision => {
    return { id: decisionId(connection, path, choice), connection, path, choice, hash, createdAt: new Date(now()).toISOString() };
  };
  const add = (decision: Decision): Promise<void> =>
    file.update((draft) => {
      draft.decisions = [...draft.decisions.filter(({ id }) => id !== decision.id), decision];
      const owner = draft.connections.find(({ id }) => id === decision.connection);
      // A connection that was removed meanwhile has nothing left to decide about.
      if (owner === undefined) draft.decisions = draft.decisions.filter(({ id }) => id !== decision.id);
      else if (decision.choice === 'exclude') owner.userRules = [...new Set([...owner.userRules, ruleFor(decision.path)])];
    });
  const versions = (connection: string, choice: DecisionChoice) =>
    new Map(list(connection).flatMap((one) => (one.choice === choice ? [[one.path, one.hash] as const] : [])));
  const drop = async (connection: string, paths: readonly EnginePath[], drops: (choice: DecisionChoice) => boolean): Promise<void> => {
    const named = new Set(paths);
    const goes = (one: Decision) => one.connection === connection && named.has(one.path) && drops(one.choice);
    if (!list(connection).some(goes)) return;
    await file.update((draft) => {
      draft.decisions = draft.decisions.filter((one) => !goes(one));
    });
  };
  return {
    list,
    declinedFor: (connection) => versions(connection, 'declined'),
    undoneFor: (connection) => versions(connection, 'undone'),
    keepsLocal: (connection) => new Set(list(connection).flatMap((one) => (one.choice === 'keep-local' ? [one.path] : []))),
    decline: (connection, path, hash) => add(made(connection, path, 'declined', hash)),
    undo: (connection, path, hash) => add(made(connection, path, 'undone', hash)),
    redo: (connection, paths) => drop(connection, paths, (choice) => choice === 'undone'),
    keepLocal: (connection, path) => add(made(connection, path, 'keep-local', null)),
    exclude: (connection, path) => add(made(connection, path, 'exclude', null)),
    forget: (connection, paths) => drop(connection, paths, (choice) => !lasting.has(choice)),
    revoke: (id) =>
      file.update((draft) => {
        const found = draft.decisions.find((one) => one.id === id);
        if (found === undefined) throw new AppError('decision.unknown', { id });
        draft.decisions = draft.decisions.filter((one) => one.id !== id);
        const owner = draft.connections.find((one) => one.id === found.connection);
        if (owner !== undefined && found.choice === 'exclude') {
          owner.userRules = owner.userRules.filter((rule) => rule !== ruleFor(found.path));
        }
        return found;
      }),
  };
}
