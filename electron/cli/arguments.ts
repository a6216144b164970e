import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';
import type { RemoteAddress } from '../../shared/connection';
import { allowableGuards, type Guard, guards } from '../../shared/run-report';

/** `user@host[:port]`; the host of an IPv6 address stands in brackets when a port follows. */
export function parseAddress(text: string): RemoteAddress {
  const at = text.lastIndexOf('@');
  if (at <= 0) throw new InvalidArgumentError('It looks like user@host or user@host:port.');
  const user = text.slice(0, at);
  const place = text.slice(at + 1);
  if (isIPv6(place)) return { kind: 'address', user, host: place, port: 22 };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(place);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined) throw new InvalidArgumentError('It looks like user@host or user@host:port.');
  return { kind: 'address', user, host, port: match?.[3] === undefined ? 22 : wholeNumber(match[3], 1, 65_535) };
}

/** Guards to let through, separated by commas; may be given several times. */
export function parseAllow(text: string, before: readonly Guard[] = []): readonly Guard[] {
  const named = text.split(',').map((guard) => guard.trim());
  for (const guard of named) {
    if ((allowableGuards as readonly string[]).includes(guard)) continue;
    const known = (guards as readonly string[]).includes(guard);
    throw new InvalidArgumentError(
      known
        ? `The guard "${guard}" cannot be let through.`
        : `There is no guard "${guard}". Those that can be let through: ${allowableGuards.join(', ')}.`,
    );
  }
  return [...new Set([...before, ...(named as Guard[])])];
}

/** Names separated by commas. */
export function parseList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** A port to listen at; 0 is any free one. */
export function parsePort(text: string): number {
  return wholeNumber(text, 0, 65_535);
}

/** A number of runs. */
export function parseLimit(text: string): number {
  return wholeNumber(text, 1, 10_000);
}

function wholeNumber(text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  return value;
}
