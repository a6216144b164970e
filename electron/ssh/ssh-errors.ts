import { AppError } from '../../shared/errors';
import { causePhrases } from '../../shared/phrases/causes';

/** How far a connection had come when something went wrong. */
export type SshPhase = 'socket' | 'handshake' | 'authentication' | 'open';

/** What the translation of a library error needs to know besides the error. */
export interface SshErrorContext {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly tried: readonly string[];
  readonly phase: SshPhase;
  readonly seconds: number;
}

const unreachableCodes: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'EACCES',
  'EPERM',
]);

const unreachableReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: causePhrases['name-unknown'],
  EAI_AGAIN: causePhrases['name-not-looked-up'],
  EHOSTUNREACH: causePhrases['no-route'],
  ENETUNREACH: causePhrases['network-away'],
};

// RFC 4253: what a server says when it gives up on authentication; OpenSSH sends 2 for "too many authentication failures".
const authenticationDisconnects: ReadonlySet<unknown> = new Set([2, 14, 15]);

function field(error: unknown, name: 'code' | 'level' | 'message' | 'reason'): unknown {
  return typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** One printable line of what a library or the remote said. */
export function plainReason(error: unknown): string {
  const message = field(error, 'message');
  const text = typeof message === 'string' && message !== '' ? message : String(field(error, 'code') ?? error);
  // Words of the other side may carry terminal sequences.
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300);
}

/** An error of the SSH library or the socket as one of our codes. */
export function translateSshError(error: unknown, context: SshErrorContext): AppError {
  if (error instanceof AppError) return error;
  const place = { host: context.host, port: context.port };
  const options = { cause: error };
  const code = field(error, 'code');
  const level = field(error, 'level');
  if (level === 'client-timeout' || code === 'ETIMEDOUT')
    return new AppError('ssh.timed-out', { ...place, seconds: context.seconds }, options);
  if (context.phase === 'socket') {
    if (code === 'ECONNREFUSED') return new AppError('ssh.refused', place, options);
    if (typeof code === 'string' && unreachableCodes.has(code)) {
      return new AppError('ssh.unreachable', { ...place, reason: unreachableReasons[code] ?? plainReason(error) }, options);
    }
  }
  if (level === 'client-authentication' || (context.phase === 'authentication' && authenticationDisconnects.has(code))) {
    return new AppError('ssh.auth-rejected', { user: context.user, ...place, tried: context.tried }, options);
  }
  if (level === 'handshake' || level === 'protocol' || (context.phase === 'handshake' && level !== 'client-socket')) {
    return new AppError('ssh.protocol', { ...place, reason: plainReason(error) }, options);
  }
  return new AppError('ssh.lost', { ...place, reason: plainReason(error) }, options);
}

/** A channel that could not be opened: refused by the server's limits, or let in without a usable command or subsystem. */
export function translateOpenError(error: unknown, place: { readonly host: string; readonly port: number }): AppError {
  const options = { cause: error };
  if (field(error, 'reason') !== undefined) {
    return new AppError('ssh.protocol', { host: place.host, port: place.port, reason: plainReason(error) }, options);
  }
  return new AppError('ssh.no-shell', { host: place.host, detail: explainNoise(plainReason(error)) }, options);
}

// A login script that prints text shows up as an impossible SFTP packet length whose four bytes are letters.
function explainNoise(reason: string): string {
  const length = /^Packet length (-?\d+) exceeds/.exec(reason)?.[1];
  if (length === undefined) return reason;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Number(length) | 0);
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e\t\r\n]{4}$/.test(text)
    ? `the remote prints text on login ("${plainReason({ message: text })}…") where SFTP data belongs`
    : reason;
}

/** What ended an operation: the link's own error, or the person. */
export function stopError(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError ? signal.reason : new AppError('run.cancelled', {});
}
