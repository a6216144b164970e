import type { RunKind } from '../../shared/run-report';
import { agreedPath } from './endpoint';
import type { AgreedEntry, EnginePath } from './entry';
import type { ChangeGroup } from './groups';
import { sealLine, unsealLine, versionOf } from './sealed-line';

/** Version of the journal and of what its names on the disk mean. */
export const journalVersion = 1;

/** What is known of a run before it stages anything. All folders are absolute paths of this computer. */
export interface JournalHead {
  readonly runId: string;
  readonly kind: RunKind;
  readonly connection: { readonly id: string; readonly name: string };
  /** Process that writes this; its temporary names carry it. */
  readonly pid: number;
  readonly home: string;
  readonly stagingDir: string;
  readonly undoDir: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The run that this one undoes. */
  readonly undoes: string | null;
}

/** Where lines go. Resolves once the line is on the disk. */
export interface JournalLog {
  append(line: string): Promise<void>;
}

/**
 * Write-ahead record of one apply. How far a planned change got is not written down: staged and kept content have names that follow
 * from the path, and are only ever moved, so the disk itself says it, exactly, at every moment. The journal says what the names
 * cannot: what was planned, and that the staged content is no longer needed.
 */
export interface Journal {
  /** Before anything is staged. */
  begin(): Promise<void>;
  /** All contents are staged and durable; before the first change. */
  plan(groups: readonly ChangeGroup[]): Promise<void>;
  /** Everything is recorded elsewhere; before staged content is dropped. Nothing was staged when the journal never began. */
  end(): Promise<void>;
}

/** What both sides agreed on for a path before the run; null: nothing. */
export type AgreedBefore = ReadonlyMap<EnginePath, AgreedEntry | null>;

type Line =
  | { readonly plan: readonly ChangeGroup[]; readonly agreed: readonly (readonly [EnginePath, AgreedEntry | null])[] }
  | { readonly end: true };

/** A journal that goes to `log`. Each method resolves once its line is on the disk. An undo needs what `agreedOn` answers. */
export function createJournal(
  log: JournalLog,
  head: JournalHead,
  agreedOn: (paths: readonly EnginePath[]) => Promise<AgreedBefore> = async () => new Map(),
): Journal {
  let isOpen = false;
  const add = (line: Line) => log.append(sealLine(line));
  return {
    begin: async () => {
      isOpen = true;
      await log.append(sealLine(head, journalVersion));
    },
    plan: async (groups) => {
      const agreed = await agreedOn(groups.flatMap(({ changes }) => changes.map(agreedPath)));
      await add({ plan: groups, agreed: [...agreed] });
    },
    end: async () => {
      if (isOpen) await endJournal(log);
    },
  };
}

/** Ends a journal that another process began. */
export async function endJournal(log: JournalLog): Promise<void> {
  await log.append(sealLine({ end: true }));
}

/** What a journal says. */
export interface ReadJournal {
  readonly kind: 'read';
  readonly head: JournalHead;
  /** Null: nothing was changed yet. */
  readonly groups: readonly ChangeGroup[] | null;
  readonly agreed: AgreedBefore;
  readonly ended: boolean;
  /** The whole lines. What else is in the file is a cut line, and has to go before another is added. */
  readonly text: string;
}

/** What was found in a journal's file. */
export type FoundJournal =
  | ReadJournal
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Reads a journal's file. Only its last line may be cut, as a crash leaves it; the checksums vouch for the shape of the others. */
export function readJournal(text: string): FoundJournal {
  const [first = '', ...rest] = text.split('\n');
  const version = versionOf(first);
  if (version !== null && version > journalVersion) return { kind: 'newer', version };
  if (text === '') return { kind: 'damaged', reason: 'it is empty' };
  const head = unsealLine(first) as JournalHead | null;
  if (head === null || version !== journalVersion) return { kind: 'damaged', reason: 'its first line is cut or not valid' };
  let groups: readonly ChangeGroup[] | null = null;
  let agreed: AgreedBefore = new Map();
  let ended = false;
  const whole = [first];
  for (const [index, line] of rest.entries()) {
    if (line === '') continue;
    const body = unsealLine(line) as Line | null;
    if (body === null) {
      const isLast = rest.slice(index + 1).every((later) => later === '');
      if (!isLast) return { kind: 'damaged', reason: `line ${index + 2} is not valid` };
      break;
    }
    whole.push(line);
    if ('plan' in body) {
      groups = body.plan;
      agreed = new Map(body.agreed);
    } else ended = true;
  }
  return { kind: 'read', head, groups, agreed, ended, text: `${whole.join('\n')}\n` };
}
