import type { ConnectionView } from '../shared/contract';
import { isOffline } from '../shared/errors';
import type { RunReport } from '../shared/run-report';
import { errorText } from './error-text';
import { formatMoment } from './format';
import { isRunning } from './state';
import { locale, showNumber, showRoughBytes, words } from './words';

/** The first sentence of an error, for places with room for one line. */
export function firstSentence(message: string): string {
  return /^.*?(?:[.!?](?=\s|$)|。)/su.exec(message)?.[0] ?? message;
}

/** Why a connection wants attention, in one line; null when it does not. */
export function attention(view: ConnectionView, now: number): string | null {
  if (view.asks !== null) return words.asks[view.asks];
  if (isRunning(view)) return null;
  if (view.lastRun?.stop) return words.guards[view.lastRun.stop.guard];
  if (view.needsYou > 0) return words.waiting(view.needsYou, showNumber(view.needsYou));
  // What is wrong with the link now comes before what went wrong in a run.
  if (view.link?.error) return firstSentence(errorText(view.link.error));
  if (view.lastRun?.error && view.lastRun.outcome !== 'interrupted') return firstSentence(errorText(view.lastRun.error));
  if (view.session?.state === 'pending') return words.owed;
  return view.failedTest === null ? null : words.testFailed(formatMoment(view.failedTest.at, now, locale));
}

/** What a failure is called: the remote was not there, its key is in question, or anything else. */
export function errorTitle(code: string): string {
  if (isOffline(code)) return words.offlineTitle;
  if (code === 'ssh.host-key-unknown') return words.unknownKeyTitle;
  return code === 'ssh.host-key-changed' ? words.changedKeyTitle : words.failedTitle;
}

/** How a run ended, for a reader who listens. */
export function describeEnd(run: RunReport): string {
  if (run.kind === 'resolve') return `${words.kinds[run.kind]}${words.colon}${words.outcomes[run.outcome]}.`;
  const written = `${showRoughBytes(run.ledger.written.bytes)} ${words.written}`;
  const refused = `${showRoughBytes(run.ledger.refused.bytes)} ${words.refused}`;
  return `${words.kinds[run.kind]}${words.colon}${words.outcomes[run.outcome]}. ${written}, ${refused}.`;
}

/** Where a session stands, in words. */
export function describeSession(view: ConnectionView, openFor: string | null): string {
  switch (view.session?.state) {
    case undefined:
      return words.noSession;
    case 'starting':
      return words.sessionStarting;
    case 'ending':
      return words.sessionEnding;
    case 'pending':
      return words.owed;
    case 'open':
      return words.sessionOpen(openFor ?? '');
  }
}
