import { pathPhrases } from '../../shared/phrases/paths';
import type { PathReport } from '../../shared/run-report';
import { teardownAlerts } from './alerts';
import type { Comparison } from './compare';
import { type EnginePath, isWithin } from './entry';
import type { GrowthVerdict } from './growth';
import { type GrowthRecord, noGrowthContext } from './growth-context';
import { type EngineLedger, tally } from './ledger';
import type { Decision } from './reconcile';
import type { RunInput, WaitingItem } from './run';

/** More files than this in one held folder are one line of the report. */
const mostLines = 20;

/** Held subtrees in the report: file by file, or one line for a folder with many. */
export function heldLines({ decisions, growth }: Pick<Comparison, 'decisions' | 'growth'>): readonly PathReport[] {
  const bySubtree = new Map<EnginePath, Extract<Decision, { kind: 'hold' }>[]>();
  for (const decision of decisions) {
    if (decision.kind !== 'hold') continue;
    const files = bySubtree.get(decision.subtree);
    if (files === undefined) bySubtree.set(decision.subtree, [decision]);
    else files.push(decision);
  }
  return growth.held.flatMap(({ path, bytes, newest, reason }): readonly PathReport[] => {
    const files = bySubtree.get(path) ?? [];
    if (files.length <= mostLines) {
      return files.map((file) => ({ path: file.path, outcome: 'held', change: file.change, bytes: file.size, reason }));
    }
    return [{ path, outcome: 'held', change: newest === null ? 'create' : 'update', bytes, reason }];
  });
}

/** Declined files, which stay where they are: file by file, or one line for a subtree with many. */
export function leftLines({ growth, local, remote }: Pick<Comparison, 'growth' | 'local' | 'remote'>): readonly PathReport[] {
  const line = (path: EnginePath, bytes: number): PathReport => {
    return { path, outcome: 'refused', change: local.files.has(path) ? 'update' : 'create', bytes, reason: pathPhrases['growth-declined'] };
  };
  return [...new Set(growth.left.values())].flatMap((subtree) => {
    const files = [...growth.left].flatMap(([path, around]) => (around === subtree ? [path] : []));
    const lines = files.map((path) => line(path, remote.files.get(path)?.size ?? 0));
    return lines.length <= mostLines
      ? lines
      : [
          line(
            subtree,
            lines.reduce((sum, { bytes }) => sum + bytes, 0),
          ),
        ];
  });
}

/** One inbox item for each held subtree; nothing of it is stored. */
export function heldItems({ growth }: Pick<Comparison, 'growth'>): readonly WaitingItem[] {
  return growth.held.map(({ path, reason, bytes }) => ({ path, why: 'growth', reason, local: null, remote: null, bytes }));
}

/** Everything a teardown has to say about growth, and what the next one must know. */
export function concludeGrowth(
  input: RunInput,
  comparison: Comparison,
  ledger: EngineLedger,
  failed: (path: EnginePath) => boolean,
): { readonly alerts: GrowthVerdict['alerts']; readonly record: GrowthRecord } {
  const { past, alerted, released } = input.growth ?? noGrowthContext;
  const { decisions, growth, remote } = comparison;
  const content = decisions.flatMap((decision) => {
    if (decision.kind === 'write') return [decision.entry.size];
    return decision.kind === 'hold' && decision.change !== 'delete' ? [decision.size] : [];
  });
  const removed = decisions.flatMap((decision) => (decision.kind === 'remove' ? [{ path: decision.path, bytes: decision.size }] : []));
  const skills = [...remote.files.values()].reduce((sum, { size }) => sum + size, 0);
  const others = teardownAlerts({ refused: ledger.refused, skills, incoming: tally(content), removed, past, alerted });
  const broken = decisions.flatMap(({ kind, path }) => (kind === 'write' && failed(path) ? [path] : []));
  const spent = released.flatMap(({ path }) => (broken.some((one) => isWithin(one, path)) ? [] : [path]));
  return { alerts: [...growth.alerts, ...others.alerts], record: { held: growth.held, spent, alerted: others.alerted } };
}
