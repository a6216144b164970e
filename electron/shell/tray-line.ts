import { formatBytes } from '../../shared/bytes';
import type { ConnectionView, Progress } from '../../shared/contract';
import type { RunReport } from '../../shared/run-report';
import type { Speech } from './words';

/** The moment, and the language and conventions in which it is told. */
export interface TrayClock extends Speech {
  readonly now: Date;
  /** Undefined means the computer's own. */
  readonly timeZone?: string | undefined;
}

/** `14:05` on the same day, `29 Nov, 14:05` otherwise, so that yesterday's time is never taken for today's. */
export function trayMoment(iso: string, { now, locale, timeZone }: Omit<TrayClock, 'words'>): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return iso;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  if (day.format(then) === day.format(now)) return new Intl.DateTimeFormat(locale, time).format(then);
  return new Intl.DateTimeFormat(locale, { ...time, day: 'numeric', month: 'short' }).format(then);
}

/** A name as one line of text without characters that hide, reorder or break. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu, ' ').trim();
}

/** When, from where, how much: `build-box · ended 14:05 · 3.2 MB written, 41 MB refused`. */
export function connectionLine(connection: ConnectionView, clock: TrayClock): string {
  const name = oneLine(connection.name);
  if (connection.state === 'needs-you') return clock.words.needsYou(name, whatWaits(connection, clock));
  if (connection.progress) return `${name} · ${activity(connection.progress, clock)}`;
  const isAway = connection.state === 'offline' || connection.state === 'paused';
  const state = isAway ? [clock.words.states[connection.state].toLocaleLowerCase(clock.locale)] : [];
  return [name, ...state, ...sessionPart(connection, clock), ...teardownPart(connection, clock)].join(' · ');
}

/** What waits for the user, in few words. */
export function whatWaits({ asks, lastTeardown, needsYou }: ConnectionView, { words, locale }: Speech): string {
  if (asks !== null) return words.asks[asks];
  const held = (lastTeardown?.paths ?? []).filter(({ outcome }) => outcome === 'held').reduce((sum, { bytes }) => sum + bytes, 0);
  const holding = (lastTeardown?.alerts ?? []).filter((alert) => alert.holding).reduce((most, { actual }) => Math.max(most, actual), 0);
  const bytes = Math.max(held, holding);
  if (needsYou > 0 && bytes > 0) return words.held(formatBytes(bytes, locale));
  return needsYou > 0 ? words.waiting(needsYou, new Intl.NumberFormat(locale).format(needsYou)) : words.look;
}

function activity({ kind, done, total, unit }: Progress, { words, locale }: Speech): string {
  const what = words.activities[kind];
  if (unit === null || total === null || total === 0) return `${what}…`;
  if (unit === 'bytes') return `${what} · ${formatBytes(done, locale)} / ${formatBytes(total, locale)}`;
  const show = new Intl.NumberFormat(locale);
  return `${what} · ${words.filesOf(show.format(done), show.format(total))}`;
}

function sessionPart({ session }: ConnectionView, clock: TrayClock): readonly string[] {
  if (session === null) return [];
  const since = trayMoment(session.startedAt, clock);
  return [session.state === 'pending' ? clock.words.pendingSince(since) : clock.words.openSince(since)];
}

function teardownPart({ session, lastTeardown }: ConnectionView, clock: TrayClock): readonly string[] {
  const { words } = clock;
  if (lastTeardown === null) return session === null ? [words.neverEnded] : [];
  const outcome = words.outcomes[lastTeardown.outcome];
  return [words.ended(trayMoment(lastTeardown.endedAt, clock)), ...(outcome ? [outcome] : []), ...bytesPart(lastTeardown, clock)];
}

function bytesPart({ outcome, ledger }: RunReport, { words, locale }: Speech): readonly string[] {
  if (outcome === 'stopped' || outcome === 'failed') return [];
  return [words.bytes(formatBytes(ledger.written.bytes, locale), formatBytes(ledger.refused.bytes, locale))];
}
