import type { ArrivedPart, GuardEvent, ReplacedLock } from '../../shared/guard';
import type { Arrival } from '../hygiene/arrivals';
import { hubLockPath } from '../hygiene/hub-lock';

/** What a look at a home found, for its events. */
export interface EventFacts extends Pick<GuardEvent, 'id' | 'connection' | 'at' | 'source' | 'canPutBack'> {
  readonly arrival: Arrival | null;
  readonly hubLock: ReplacedLock | null;
}

/**
 * The events of one home after a look; `before` are those that were open. What belongs together is one event, replaced and not
 * stacked: what the same source brings joins what it brought before, as long as nobody decided.
 */
export function nextEvents(before: readonly GuardEvent[], facts: EventFacts): readonly GuardEvent[] {
  const { arrival, hubLock, source } = facts;
  // The lock file is the good one again, by whatever hand.
  const open = hubLock === null ? before.flatMap(withoutLock) : before;
  const target =
    (hubLock === null ? undefined : open.find((event) => event.hubLock !== null)) ?? open.find((event) => event.source === source);
  const isNews = arrival !== null || JSON.stringify(hubLock) !== JSON.stringify(target?.hubLock ?? null);
  if (!isNews) return open;
  if (target === undefined) return [...open, makeEvent(facts)];
  return open.map((event) => (event === target ? joinEvent(event, makeEvent(facts)) : event));
}

/** What is left of an event once its lock file is settled. */
export function withoutLock(event: GuardEvent): readonly GuardEvent[] {
  if (event.hubLock === null) return [event];
  const kinds = event.kinds.filter((kind) => kind !== 'hub-lock');
  return kinds.length === 0 ? [] : [{ ...event, kinds, hubLock: null, canPutBack: false }];
}

function makeEvent({ arrival, hubLock, at, ...facts }: EventFacts): GuardEvent {
  return {
    ...facts,
    ...{ at, lastAt: at, side: 'local', hubLock },
    kinds: [...(arrival?.kinds ?? []), ...(hubLock === null ? [] : (['hub-lock'] as const))],
    amount: arrival?.amount ?? { files: 0, bytes: 0 },
    usual: arrival?.usual ?? 0,
    culprit: arrival?.culprit ?? hubLockPath,
    parts: arrival?.parts ?? [],
  };
}

/** An event that went on: what came later is added, and its name and first time stay. */
function joinEvent(before: GuardEvent, later: GuardEvent): GuardEvent {
  const parts = joinParts(before.parts, later.parts);
  return {
    ...before,
    lastAt: later.lastAt,
    kinds: [...new Set([...before.kinds, ...later.kinds])],
    amount: { files: before.amount.files + later.amount.files, bytes: before.amount.bytes + later.amount.bytes },
    usual: Math.max(before.usual, later.usual),
    culprit: parts[0]?.path ?? later.culprit,
    parts,
    hubLock: later.hubLock,
    canPutBack: later.canPutBack,
  };
}

function joinParts(before: readonly ArrivedPart[], later: readonly ArrivedPart[]): readonly ArrivedPart[] {
  const byPath = new Map(before.map((part) => [part.path, part]));
  for (const { path, files, bytes } of later) {
    const known = byPath.get(path);
    byPath.set(path, { path, files: files + (known?.files ?? 0), bytes: bytes + (known?.bytes ?? 0) });
  }
  return [...byPath.values()].toSorted((a, b) => b.bytes - a.bytes);
}
