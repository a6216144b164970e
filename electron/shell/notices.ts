import { formatBytes } from '../../shared/bytes';
import type { Status } from '../../shared/contract';
import { isOffline } from '../../shared/errors';
import type { Route } from '../../shared/route';
import type { GrowthAlert, RunReport } from '../../shared/run-report';
import { oneLine } from './tray-line';
import type { Speech } from './words';

/** What a click on a notification or one of its buttons asks for. */
export type NoticeAction = { readonly kind: 'show'; readonly place: Route } | { readonly kind: 'expect'; readonly connection: string };

/** One notification. A newer one of the same key replaces it. */
export interface Notice {
  readonly key: string;
  readonly connection: string;
  readonly title: string;
  readonly body: string;
  /** Whether it waits for the user: it stays, is repeated when nothing happens, and goes when it is resolved. */
  readonly waits: boolean;
  readonly place: Route;
  readonly actions: readonly { readonly label: string; readonly action: NoticeAction }[];
}

/** Failures that are the user's own doing, or end by themselves. */
const silent: ReadonlySet<string> = new Set(['run.cancelled', 'run.busy', 'store.busy']);
const keyCodes: ReadonlySet<string> = new Set(['ssh.host-key-changed', 'ssh.host-key-revoked']);

/** What a run gives reason to tell, in the words of one language. A run that went well gives none. */
export function noticesOf(run: RunReport, speech: Speech): readonly Notice[] {
  if (run.kind !== 'push' && run.kind !== 'sync-back') return [];
  return [troubleOf(run, speech), bookkeepingOf(run, speech)].filter((notice) => notice !== null);
}

/** What guard mode found here and nobody decided about: one notice a connection, about what came last. */
export function guardNoticesOf({ connections }: Status, { words, locale }: Speech): readonly Notice[] {
  return connections.flatMap(({ id, guard }) => {
    const event = guard.toSorted((a, b) => a.lastAt.localeCompare(b.lastAt)).at(-1);
    if (event === undefined) return [];
    const size = event.amount.bytes > 0 ? words.guardBody(formatBytes(event.amount.bytes, locale), cut(oneLine(event.culprit), 40)) : '';
    const place = { kind: 'connection', id } as const;
    return [
      {
        ...{ key: guardKey(id), connection: id, waits: true, place },
        title: words.guardTitles[event.source],
        body: [size, event.hubLock === null ? '' : words.guardLock].filter((part) => part !== '').join(' '),
        actions: [{ label: words.reviewAction, action: { kind: 'show', place } as const }],
      },
    ];
  });
}

function guardKey(connection: string): string {
  return `${connection}:guard`;
}

function nameOf(run: RunReport): string {
  return cut(oneLine(run.connection.name), 30);
}

/** At most so many characters; of a path the end tells more. */
function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `…${letters.slice(letters.length - most + 1).join('')}`;
}

type Told = Pick<Notice, 'title' | 'body'> & Partial<Pick<Notice, 'actions'>>;

function troubleOf(run: RunReport, speech: Speech): Notice | null {
  const { id } = run.connection;
  const told = toldOf(run, speech);
  if (told === null) return null;
  return { key: `${id}:trouble`, connection: id, waits: true, place: { kind: 'connection', id }, actions: [], ...told };
}

function toldOf(run: RunReport, speech: Speech): Told | null {
  const { words } = speech;
  const name = nameOf(run);
  switch (run.outcome) {
    case 'done':
    case 'interrupted':
      return null;
    case 'held':
      return heldOf(run, speech);
    case 'stopped':
      return { title: words.waitsTitle(name), body: words.stoppedBody };
    case 'partly':
      return { title: words.failedTitle(name), body: words.failures.other };
    case 'failed': {
      const code = run.error?.code ?? '';
      if (isOffline(code) || silent.has(code)) return null;
      if (keyCodes.has(code)) return { title: words.keyTitle(name), body: words.keyBody };
      const { failures } = words;
      return { title: words.failedTitle(name), body: code in failures ? failures[code as keyof typeof failures] : failures.other };
    }
  }
}

function heldOf(run: RunReport, { words, locale }: Speech): Told {
  const { id } = run.connection;
  const name = nameOf(run);
  const review = { label: words.reviewAction, action: { kind: 'show', place: { kind: 'connection', id } } } as const;
  const growth = run.alerts.find(({ kind, holding }) => kind === 'growth' && holding);
  if (growth === undefined) return { title: words.waitsTitle(name), body: words.waitsBody, actions: [review] };
  const expect = { label: words.expectAction, action: { kind: 'expect', connection: id } } as const;
  return { title: words.unusual(name), body: growthBody(growth, { words, locale }), actions: [review, expect] };
}

/** More times the usual than this says nothing: then the size alone is told. */
const mostTimes = 100;

function growthBody({ actual, usual, culprit }: GrowthAlert, { words, locale }: Speech): string {
  const shown = formatBytes(actual, locale);
  const times = actual / usual;
  if (!(times >= 1.5 && times <= mostTimes)) return words.largeBody(shown, cut(oneLine(culprit), 40));
  const count = new Intl.NumberFormat(locale, { maximumFractionDigits: times < 10 ? 1 : 0 });
  return words.unusualBody(shown, formatBytes(usual, locale), count.format(times));
}

function bookkeepingOf(run: RunReport, { words, locale }: Speech): Notice | null {
  const { id } = run.connection;
  const found = run.alerts.find(({ kind }) => kind === 'refused-bookkeeping');
  if (found === undefined) return null;
  const place = { kind: 'inspection', id } as const;
  return {
    ...{ key: `${id}:bookkeeping`, connection: id, waits: false, place },
    title: words.bookkeepingTitle(nameOf(run)),
    body: words.bookkeepingBody(formatBytes(found.actual, locale)),
    actions: [{ label: words.inspectAction, action: { kind: 'show', place } }],
  };
}

/** A day: a notice that waits is repeated no sooner. */
export const reminderMs = 86_400_000;
/** How often a notice is shown at most, the first time included. */
const mostShows = 3;

interface Shown {
  readonly notice: Notice;
  readonly shows: number;
  readonly at: number;
}

/** Remembers what was told, so that one event is told once, repeated rarely, and taken back when it is resolved. */
export class NoticeBook {
  readonly #told = new Map<string, Shown>();

  /** Whether to show it now: not when the same was told and still holds. */
  take(notice: Notice, now: number): boolean {
    const before = this.#told.get(notice.key);
    if (before?.notice.title === notice.title && before.notice.body === notice.body) return false;
    this.#told.set(notice.key, { notice, shows: 1, at: now });
    return true;
  }

  /** Forgets what no longer waits, and names it. */
  settle({ connections }: Status): readonly string[] {
    const waiting = new Set(connections.filter(({ state, needsYou }) => state === 'needs-you' || needsYou > 0).map(({ id }) => id));
    const guarded = new Set(connections.filter(({ guard }) => guard.length > 0).map(({ id }) => guardKey(id)));
    const stillWaits = ({ key, connection }: Notice) => (key === guardKey(connection) ? guarded.has(key) : waiting.has(connection));
    const gone = [...this.#told.values()].filter(({ notice }) => notice.waits && !stillWaits(notice));
    for (const { notice } of gone) this.#told.delete(notice.key);
    return gone.map(({ notice }) => notice.key);
  }

  /** What to repeat now; each is taken to be shown. */
  repeat(now: number): readonly Notice[] {
    const due = [...this.#told.values()].filter(({ notice, shows, at }) => notice.waits && shows < mostShows && now - at >= reminderMs);
    for (const { notice, shows } of due) this.#told.set(notice.key, { notice, shows: shows + 1, at: now });
    return due.map(({ notice }) => notice);
  }

  /** When `repeat` has something to say next, in milliseconds from now; null when nothing waits. */
  nextIn(now: number): number | null {
    const left = [...this.#told.values()].filter(({ notice, shows }) => notice.waits && shows < mostShows);
    return left.length === 0 ? null : Math.max(0, Math.min(...left.map(({ at }) => at + reminderMs - now)));
  }
}
