import { afterEach, describe, expect, it } from 'vitest';
import { errorText } from '../../../renderer/error-text';
import { formatNumber } from '../../../renderer/format';
import { speak } from '../../../renderer/words';
import { formatBytes } from '../../../shared/bytes';
import { AppError, errorCodes, toWireError } from '../../../shared/errors';
import { languages } from '../../../shared/settings';
import { errorSamples } from '../../support/error-samples';

/** What a reader must find in a sentence: every text, and every number in one of the ways in which it is shown. */
function lacking(text: string, value: unknown, locale: string): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => lacking(text, one, locale));
  if (typeof value === 'boolean') return [];
  const shown = typeof value === 'number' ? [String(value), formatNumber(value, locale), formatBytes(value, locale)] : [String(value)];
  return shown.some((one) => text.includes(one)) ? [] : [value];
}

/** What names one of our own commands, or is typed into one: said in the reader's words, or not at all where buttons do it. */
const translated: ReadonlySet<string> = new Set(['kind', 'other', 'run']);

/** Errors of the command line, and the one that sends the reader there. */
const aboutCommands: ReadonlySet<string> = new Set(['usage.invalid', 'web.port', 'store.busy', 'connection.unsupported-option']);

describe('errorText', () => {
  afterEach(() => speak('en'));

  describe.each(languages)('in %s', (language) => {
    it.each(errorCodes)('says %s whole', (code) => {
      speak(language);
      const error = toWireError(new AppError(code, errorSamples[code]));
      const text = errorText(error);
      expect(text).not.toMatch(/undefined|null|NaN|\[object| {2}/);
      const facts = Object.entries(errorSamples[code]).filter(([name]) => !translated.has(name));
      const values = facts.map(([, value]) => value).filter((value) => lacking(error.message, value, 'en').length === 0);
      expect(lacking(text, values, language)).toEqual([]);
      if (language !== 'en') expect(text).not.toBe(error.message);
    });

    it('names no flag and no command of ours, which a window does not have', () => {
      speak(language);
      const told = errorCodes
        .filter((code) => !aboutCommands.has(code))
        .map((code) => errorText(toWireError(new AppError(code, errorSamples[code]))));
      const command = /(^|\s)--[a-z]|["“«]\s?(session|undo|prune|clean|history|guard|connection|inbox|preview)\b/;
      expect(told.filter((text) => command.test(text))).toEqual([]);
    });
  });

  it.each([
    { what: 'an error of a newer version', error: { code: 'ssh.later', message: 'Later.', details: {} } },
    { what: 'an error that lacks what the sentence is made of', error: { code: 'ssh.auth-rejected', message: 'Not in.', details: {} } },
    { what: 'an error with no details', error: { code: 'ssh.refused', message: 'Refused.', details: null } },
  ])('leaves $what in its own words', ({ error }) => {
    speak('fr');
    expect(errorText(error)).toBe(error.message);
  });
});
