import { InvalidArgumentError } from 'commander';
import { parseAddress, type RemoteAddress } from '../../shared/connection';
import { allowableGuards, type Guard, guards } from '../../shared/run-report';

/** `user@host[:port]`. */
export function parseRemoteAddress(text: string): RemoteAddress {
  const address = parseAddress(text);
  if (address === null) throw new InvalidArgumentError('It looks like user@host or user@host:port, with a port from 1 to 65535.');
  return address;
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
