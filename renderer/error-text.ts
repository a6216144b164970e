import type { WireError } from '../shared/contract';
import { describeError, type ErrorCode, type ErrorDetails, errorCodes } from '../shared/errors';
import { translate } from './translate';
import { words } from './words';

/** The error as this version makes it; null when another version wrote it, or something else did. */
function asKnown({ code, message, details }: WireError): { readonly code: ErrorCode; readonly details: never } | null {
  const known = errorCodes.find((one) => one === code);
  try {
    // an old record can lack what the sentence of today is made of
    return known !== undefined && describeError(known, details as never) === message ? { code: known, details: details as never } : null;
  } catch {
    return null;
  }
}

/** Details that can be words of ours, and are no name or path. */
const spoken = ['reason', 'operation', 'said', 'holder', 'detail', 'what'];

function say<C extends ErrorCode>(code: C, details: ErrorDetails[C]): string {
  const told = Object.entries(details).map(([name, value]): [string, unknown] => [
    name,
    spoken.includes(name) && typeof value === 'string' ? translate(value) : value,
  ]);
  return words.errors[code](Object.fromEntries(told) as unknown as ErrorDetails[C]);
}

/** An error in the window's language: what happened, what is safe, what to do next. One of another version stays in its own words. */
export function errorText(error: WireError): string {
  const known = asKnown(error);
  return known === null ? error.message : say(known.code, known.details);
}
