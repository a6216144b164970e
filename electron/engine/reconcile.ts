import type { NewSkillsPolicy } from '../../shared/connection';
import { pathPhrases } from '../../shared/phrases/paths';
import type { Rules } from '../../shared/rules';
import type { PathChange } from '../../shared/run-report';
import { type AgreedEntry, type EnginePath, type FileEntry, sameContent } from './entry';
import type { DecidedPaths } from './run';

export type Direction = 'push' | 'sync-back';

/** What happens to one path in one run. The sender's files go to the receiver: local to remote in a push, the reverse in a sync-back. */
export type Decision =
  /** Both sides are as last agreed. */
  | { readonly kind: 'unchanged'; readonly path: EnginePath }
  /** Nothing to do in this direction. */
  | { readonly kind: 'leave'; readonly path: EnginePath }
  /** Both sides came to the same by themselves: recorded, nothing is written. */
  | { readonly kind: 'adopt'; readonly path: EnginePath; readonly entry: FileEntry }
  /** Gone on both sides: forgotten. */
  | { readonly kind: 'drop'; readonly path: EnginePath }
  | { readonly kind: 'write'; readonly path: EnginePath; readonly change: 'create' | 'update'; readonly entry: FileEntry }
  | { readonly kind: 'remove'; readonly path: EnginePath; readonly size: number }
  /** Waits on the remote with its subtree, of which far more than usual wants to come home; nothing of it is fetched. */
  | { readonly kind: 'hold'; readonly path: EnginePath; readonly change: PathChange; readonly subtree: EnginePath; readonly size: number }
  /** Waits for the user; the receiver's file stays as it is. */
  | {
      readonly kind: 'wait';
      readonly path: EnginePath;
      readonly why: 'conflict' | 'guarded' | 'review';
      readonly change: PathChange;
      readonly reason: string;
    };

export type Agreed = AgreedEntry | undefined;

/**
 * The table of both directions, for one path. `undefined` means that the side, or the baseline, has no file there.
 * Complete over all eight presence combinations; it looks at nothing else and never at a clock.
 */
export function decide(path: EnginePath, baseline: Agreed, receiver: FileEntry | undefined, sender: FileEntry | undefined): Decision {
  if (baseline === undefined) return decideNew(path, receiver, sender);
  const receiverSame = receiver !== undefined && sameContent(receiver, baseline);
  const senderSame = sender !== undefined && sameContent(sender, baseline);
  if (receiver === undefined && sender === undefined) return { kind: 'drop', path };
  if (receiver === undefined) {
    return senderSame ? { kind: 'leave', path } : conflict(path, 'update', pathPhrases['removed-edited']);
  }
  if (sender === undefined) {
    return receiverSame ? { kind: 'remove', path, size: receiver.size } : conflict(path, 'delete', pathPhrases['edited-removed']);
  }
  if (receiverSame) return senderSame ? { kind: 'unchanged', path } : { kind: 'write', path, change: 'update', entry: sender };
  if (senderSame) return { kind: 'leave', path };
  return sameContent(receiver, sender) ? { kind: 'adopt', path, entry: receiver } : conflict(path, 'update', pathPhrases['edited-both']);
}

function decideNew(path: EnginePath, receiver: FileEntry | undefined, sender: FileEntry | undefined): Decision {
  if (sender === undefined) return { kind: 'leave', path };
  if (receiver === undefined) return { kind: 'write', path, change: 'create', entry: sender };
  return sameContent(receiver, sender) ? { kind: 'adopt', path, entry: receiver } : conflict(path, 'create', pathPhrases['no-common']);
}

function conflict(path: EnginePath, change: PathChange, reason: string): Decision {
  return { kind: 'wait', path, why: 'conflict', change, reason };
}

export interface ReconcileInput {
  readonly direction: Direction;
  readonly baseline: ReadonlyMap<EnginePath, AgreedEntry>;
  readonly receiver: ReadonlyMap<EnginePath, FileEntry>;
  readonly sender: ReadonlyMap<EnginePath, FileEntry>;
  /** Paths, with everything below, that are refused or unknown on either side: nothing is decided there. */
  readonly blocked: readonly EnginePath[];
  readonly rules: Rules;
  readonly newSkills: NewSkillsPolicy;
  readonly decided: DecidedPaths;
}

/** Decides every path that either side or the baseline knows, one by one as they are asked for. Blocked paths get no decision. */
export function* reconcile(input: ReconcileInput): Generator<Decision, void> {
  const blocked = new Set(input.blocked);
  const skills = skillFolders(input.receiver, input.sender);
  const isNewSkill = newSkillTest(input, skills);
  for (const path of everyPath(input)) {
    if (isBelow(path, blocked)) continue;
    const decision = decide(path, input.baseline.get(path), input.receiver.get(path), input.sender.get(path));
    yield remember(holdBack(decision, input, isNewSkill), input);
  }
}

function* everyPath({ baseline, receiver, sender }: ReconcileInput): Generator<EnginePath, void> {
  yield* baseline.keys();
  for (const path of receiver.keys()) if (!baseline.has(path)) yield path;
  for (const path of sender.keys()) if (!baseline.has(path) && !receiver.has(path)) yield path;
}

/** What the user decided about this very remote version counts instead of the table. */
function remember(decision: Decision, { direction, decided, receiver, sender, rules }: ReconcileInput): Decision {
  const { path } = decision;
  if (decision.kind !== 'wait' && ((decision.kind !== 'write' && decision.kind !== 'remove') || direction === 'push')) return decision;
  const remote = (direction === 'push' ? receiver : sender).get(path)?.hash ?? null;
  if (decided.declined.has(path) && decided.declined.get(path) === remote) return { kind: 'leave', path };
  if (decided.keepLocal.has(path) && rules.judge(path, 'file').kind === 'guarded') return { kind: 'leave', path };
  if (decision.kind === 'wait' || !decided.undone.has(path) || decided.undone.get(path) !== remote) return decision;
  const change = decision.kind === 'write' ? decision.change : 'delete';
  return { kind: 'wait', path, why: 'review', change, reason: pathPhrases['undone-waits'] };
}

/** Guarded files and, where the user wants to review them, new skills do not simply follow the table. */
function holdBack(decision: Decision, input: ReconcileInput, isNewSkill: (path: EnginePath) => boolean): Decision {
  const { path } = decision;
  if (input.rules.judge(path, 'file').kind === 'guarded')
    return input.direction === 'push' ? guardedPush(decision) : guardedReturn(decision);
  if (decision.kind !== 'write' || decision.change !== 'create' || !isNewSkill(path)) return decision;
  return { kind: 'wait', path, why: 'review', change: 'create', reason: pathPhrases['new-skill'] };
}

/** Whether a path belongs to a skill of which the receiver has nothing yet; never, where new skills are simply brought. */
function newSkillTest(input: ReconcileInput, skills: ReadonlySet<EnginePath>): (path: EnginePath) => boolean {
  if (input.direction === 'push' || input.newSkills === 'bring') return () => false;
  const known = new Set<EnginePath>();
  for (const path of input.receiver.keys())
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) known.add(path.slice(0, at));
  return (path) => {
    const skill = nearestSkill(path, skills);
    return skill !== null && !known.has(skill);
  };
}

/** Pushed only where missing or unchanged; what differs there is that machine's own. */
function guardedPush(decision: Decision): Decision {
  return decision.kind === 'wait' || decision.kind === 'remove' ? { kind: 'leave', path: decision.path } : decision;
}

function guardedReturn(decision: Decision): Decision {
  const { path } = decision;
  if (decision.kind === 'write')
    return { kind: 'wait', path, why: 'guarded', change: decision.change, reason: pathPhrases['guarded-changed'] };
  if (decision.kind === 'remove') return { kind: 'wait', path, why: 'guarded', change: 'delete', reason: pathPhrases['guarded-removed'] };
  if (decision.kind === 'wait') return { ...decision, why: 'guarded', reason: `guarded file ${decision.reason}` };
  return decision;
}

function isBelow(path: EnginePath, prefixes: ReadonlySet<EnginePath>): boolean {
  if (prefixes.size === 0) return false;
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) if (prefixes.has(path.slice(0, at))) return true;
  return false;
}

/** Folders with a `SKILL.md` on either side. */
export function skillFolders(...sides: readonly ReadonlyMap<EnginePath, unknown>[]): ReadonlySet<EnginePath> {
  const folders = new Set<EnginePath>();
  for (const side of sides) for (const path of side.keys()) if (path.endsWith('/SKILL.md')) folders.add(path.slice(0, -'/SKILL.md'.length));
  return folders;
}

/** The nearest ancestor of a path that is a skill; null when there is none. */
export function nearestSkill(path: EnginePath, skills: ReadonlySet<EnginePath>): EnginePath | null {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (skills.has(path.slice(0, at))) return path.slice(0, at);
  return null;
}
