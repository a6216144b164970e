import { describe, expect, it } from 'vitest';
import { en } from '../../../electron/shell/locales/en';
import { speechFor } from '../../../electron/shell/words';
import { languages } from '../../../shared/settings';

/** Every text in a catalogue by its name, functions called with what shows through. */
function texts(words: object, prefix = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([name, value]) => {
      if (typeof value === 'object') return Object.entries(texts(value, `${prefix}${name}.`));
      const given = ['2', '‹a›', '‹b›'];
      return [[`${prefix}${name}`, typeof value === 'function' ? value(...(name === 'waiting' ? [2, '2'] : given)) : value]];
    }),
  );
}

describe('speechFor', () => {
  it.each([
    [['fr-CA', 'en'], null, 'Quitter Ebbgate', 'fr-CA'],
    [['pt-PT'], null, 'Sair do Ebbgate', 'pt-BR'],
    [['zh-Hans-SG'], null, '退出 Ebbgate', 'zh-CN'],
    [['zh-Hant-TW', 'de'], null, 'Quit Ebbgate', 'en'],
    [['fr-CA'], 'pt-BR', 'Sair do Ebbgate', 'pt-BR'],
  ] as const)('with %j and the setting %s says %s', (preferred, wanted, quit, locale) => {
    const speech = speechFor(preferred, wanted);
    expect([speech.words.quit, speech.locale]).toEqual([quit, locale]);
  });
});

describe('the words', () => {
  const english = texts(en);
  it.each(languages.filter((language) => language !== 'en'))('are translated in %s', (language) => {
    const translated = texts(speechFor([], language).words);
    // A name, and what is left empty on purpose.
    const same = Object.keys(english).filter((name) => english[name] === translated[name] && name !== 'appName' && english[name] !== '');
    expect(same).toEqual([]);
    expect(Object.keys(translated).filter((name) => (translated[name] === '') !== (english[name] === ''))).toEqual([]);
  });

  it.each(languages)('are written as text, without markup or doubled spaces, in %s', (language) => {
    expect(Object.values(texts(speechFor([], language).words)).filter((text) => /[<>{}]| {2}|undefined/.test(text))).toEqual([]);
  });
});
