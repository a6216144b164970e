import type { WireError } from '../shared/contract';
import { describeError, type ErrorCode, type ErrorDetails, errorCodes } from '../shared/errors';
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

function say<C extends ErrorCode>(code: C, details: ErrorDetails[C]): string {
  return words.errors[code](details);
}

/** An error in the window's language: what happened, what is safe, what to do next. One of another version stays in its own words. */
export function errorText(error: WireError): string {
  const known = asKnown(error);
  return known === null ? error.message : say(known.code, known.details);
}
